//! From cases to the texts of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::reader::{CarriedTests, Case, CaseReader, ImportedCases, ProjectFile};
use crate::artifact::{BASELINE, PLACEBO, PREVIOUS};
use crate::urls::urls_in;

/// The sample file's name.
const SAMPLES: &str = "eval-samples.yaml";

/// The file of the checks' functions.
pub(super) const FUNCTIONS: &str = "imported-checks.mjs";

/// The longest id that is made of a description.
const MAX_ID: usize = 60;

pub(super) fn imported(reader: CaseReader, format: &'static str, source: &str) -> ImportedCases {
    let CaseReader { cases, artifacts, has_bare_prompt, model, functions, tests_left, checks, differences, .. } =
        reader;
    let partly = cases.iter().filter(|case| case.is_partial).count();
    let unchecked = cases.iter().filter(|case| case.assertions.is_empty() && case.criteria.is_empty()).count();
    let tests = CarriedTests { whole: cases.len() - partly, partly, not: tests_left, unchecked };
    let mut taken = BTreeSet::new();
    let artifacts: Vec<(String, String)> =
        artifacts.into_iter().map(|(name, text)| (unique(artifact_name(&name), "prompt", &mut taken), text)).collect();
    let settings = settings(&artifacts, has_bare_prompt, model.as_ref(), source);
    let artifact = |(name, text): (String, String)| ProjectFile {
        name: format!("skills/{name}.md"),
        text: format!("{}\n", text.trim_end()),
    };
    let mut files: Vec<ProjectFile> = artifacts.into_iter().map(artifact).collect();
    if !functions.is_empty() {
        files.push(ProjectFile { name: FUNCTIONS.to_owned(), text: module(&functions, source) });
    }
    // Cases of agents are written for them: `@path` attaches a file there, too.
    let is_plain = !["agent-skills", "plugin-eval"].contains(&format);
    files.push(ProjectFile { name: SAMPLES.to_owned(), text: samples(cases, is_plain, source) });
    // The settings name all others, so they come last: where writing ends early, there is no project yet.
    files.push(ProjectFile { name: "eval.yaml".to_owned(), text: settings });
    ImportedCases { format, files, tests, checks, differences }
}

fn samples(cases: Vec<Case>, is_plain: bool, source: &str) -> String {
    let mut taken = BTreeSet::new();
    let width = cases.len().to_string().len().max(3);
    let list: Vec<Value> = cases
        .into_iter()
        .enumerate()
        .map(|(at, case)| {
            let numbered = format!("t{:0width$}", at + 1);
            let id = unique(case.id.as_deref().map(slug).unwrap_or_default(), &numbered, &mut taken);
            sample(id, case, is_plain)
        })
        .collect();
    format!("# Imported from {}.\n{}", one_line(source), yaml(&Value::Array(list)))
}

fn sample(id: String, case: Case, is_plain: bool) -> Value {
    let mut sample = Map::new();
    sample.insert("sample_id".to_owned(), json!(id));
    sample.insert("prompt".to_owned(), json!(case.prompt));
    let texts = || [Some(&case.prompt), case.context.as_ref()].into_iter().flatten();
    // No other tool puts pages in the place of addresses.
    if texts().any(|text| !urls_in(text).is_empty()) {
        sample.insert("urlFetch".to_owned(), json!(false));
    }
    if is_plain && texts().any(|text| text.contains(['@', '$'])) {
        sample.insert("agentMarkup".to_owned(), json!(false));
    }
    if let Some(context) = case.context {
        sample.insert("context".to_owned(), json!(context));
    }
    match case.criteria.as_slice() {
        [] => {}
        [one] => drop(sample.insert("rubric".to_owned(), json!(one))),
        several => {
            let named = several.iter().enumerate().map(|(at, text)| (format!("criterion-{}", at + 1), json!(text)));
            sample.insert("dimensions".to_owned(), Value::Object(named.collect()));
        }
    }
    if !case.assertions.is_empty() {
        let assertions = case.assertions.into_iter().map(|of| of.written).collect();
        sample.insert("assertions".to_owned(), Value::Array(assertions));
    }
    if !case.capability.is_empty() {
        sample.insert("capability".to_owned(), json!(case.capability));
    }
    Value::Object(sample)
}

fn settings(
    artifacts: &[(String, String)],
    has_bare_prompt: bool,
    model: Option<&(&str, String)>,
    source: &str,
) -> String {
    let names: Vec<&str> = artifacts.iter().map(|(name, _)| name.as_str()).collect();
    let mut fields = Map::new();
    fields.insert("samples".to_owned(), json!(SAMPLES));
    match names.as_slice() {
        [] => drop(fields.insert("control".to_owned(), json!("baseline"))),
        treatments if treatments.len() == 1 || has_bare_prompt => {
            fields.insert("control".to_owned(), json!("baseline"));
            fields.insert("treatments".to_owned(), json!(treatments));
        }
        [control, treatments @ ..] => {
            fields.insert("control".to_owned(), json!(control));
            fields.insert("treatments".to_owned(), json!(treatments));
        }
    }
    if let Some((executor, model)) = model {
        fields.insert("executor".to_owned(), json!(executor));
        fields.insert("model".to_owned(), json!(model));
    }
    format!("# Imported from {}.\n{}", one_line(source), yaml(&Value::Object(fields)))
}

/// The functions of `custom` checks in one module: which one a check means stands in its `value`.
fn module(functions: &BTreeMap<String, usize>, source: &str) -> String {
    let mut text = format!("// Imported from {}.\nconst checks = [\n", one_line(source));
    let mut ordered: Vec<(&String, &usize)> = functions.iter().collect();
    ordered.sort_unstable_by_key(|(_, at)| **at);
    for (body, _) in ordered {
        // As promptfoo makes its functions, so that they mean the same: each is a program of its own, not in strict mode.
        let body = body.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
        _ = writeln!(text, "  new Function('output', 'context', `{body}`),");
    }
    text.push_str(
        "];\n\n// With a `response_format` of a schema, an answer that is JSON is given as what it means.\n\
         function fromJson(text) {\n  try {\n    return JSON.parse(text);\n  } catch {\n    return text;\n  }\n}\n\n\
         export default async function (output, { sample, assertion }) {\n  \
         const { check, vars, config, threshold, parsed = false, inverse = false } = assertion.value;\n  \
         const context = { vars, prompt: sample.prompt, test: { vars }, config };\n  \
         try {\n    \
         const result = await checks[check](parsed ? fromJson(output) : output, context);\n    \
         if (typeof result === 'boolean') return result !== inverse;\n    \
         if (typeof result === 'number') {\n      \
         const pass = threshold === undefined ? result > 0 : result >= threshold;\n      \
         return { pass: pass !== inverse, score: result };\n    }\n    \
         const { pass, score, reason } = result;\n    \
         if (typeof pass === 'boolean' && typeof score === 'number' && typeof reason === 'string') {\n      \
         return { pass: pass !== inverse, score, message: reason };\n    }\n    \
         throw new TypeError('the function returns no boolean, number or { pass, score, reason }');\n  \
         } catch (error) {\n    \
         // There it fails the answer, whether the check is inverted or not.\n    \
         return { pass: false, message: String(error) };\n  }\n}\n",
    );
    text
}

/// A value as YAML, texts of several lines as blocks.
fn yaml(value: &Value) -> String {
    serde_saphyr::to_string(value).unwrap_or_else(|_| format!("{value:#}\n"))
}

/// What may stand in a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|of| if of.is_control() { ' ' } else { of }).collect()
}

/// Letters, digits and hyphens of a text.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for of in text.chars().flat_map(char::to_lowercase) {
        match of.is_alphanumeric() {
            true => slug.push(of),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
        if slug.len() >= MAX_ID {
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// The name of an artifact. A word that means a variant by itself, such as `baseline`, would hide a file of that name.
fn artifact_name(name: &str) -> String {
    let name = slug(name);
    let is_taken = [BASELINE, PREVIOUS, PLACEBO].contains(&name.as_str());
    if is_taken { format!("{name}-prompt") } else { name }
}

/// A name that no other has; `otherwise` in place of an empty one.
pub(super) fn unique(name: String, otherwise: &str, taken: &mut BTreeSet<String>) -> String {
    let name = if name.is_empty() { otherwise.to_owned() } else { name };
    if taken.insert(name.clone()) {
        return name;
    }
    // Thousands may have the same name: a free number is looked for in steps that double, then between the last two.
    let numbered = |at: u64| format!("{name}-{at}");
    let (mut used, mut free) = (1, 2);
    while taken.contains(&numbered(free)) {
        (used, free) = (free, free.saturating_mul(2));
    }
    while free - used > 1 {
        let middle = used + (free - used) / 2;
        match taken.contains(&numbered(middle)) {
            true => used = middle,
            false => free = middle,
        }
    }
    taken.insert(numbered(free));
    numbered(free)
}
