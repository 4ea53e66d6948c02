//! From cases to the texts of files.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::reader::{CarriedTests, Case, CaseReader, ImportedCases, ProjectFile};

/// The sample file's name.
const SAMPLES: &str = "eval-samples.yaml";

/// The file of the checks' functions.
pub(super) const FUNCTIONS: &str = "imported-checks.mjs";

/// The longest id that is made of a description.
const MAX_ID: usize = 60;

pub(super) fn imported(reader: CaseReader, format: &'static str, source: &str) -> ImportedCases {
    let CaseReader { cases, artifacts, model, functions, tests_left, checks, differences, .. } = reader;
    let partly = cases.iter().filter(|case| case.is_partial).count();
    let tests = CarriedTests { whole: cases.len() - partly, partly, not: tests_left };
    let mut files = vec![ProjectFile { name: SAMPLES.to_owned(), text: samples(cases, source) }];
    let mut taken = BTreeSet::new();
    let artifacts: Vec<(String, String)> =
        artifacts.into_iter().map(|(name, text)| (unique(slug(&name), "prompt", &mut taken), text)).collect();
    files.push(ProjectFile { name: "eval.yaml".to_owned(), text: settings(&artifacts, model.as_ref(), source) });
    for (name, text) in artifacts {
        files.push(ProjectFile { name: format!("skills/{name}.md"), text: format!("{}\n", text.trim_end()) });
    }
    if !functions.is_empty() {
        files.push(ProjectFile { name: FUNCTIONS.to_owned(), text: module(&functions, source) });
    }
    ImportedCases { format, files, tests, checks, differences }
}

fn samples(cases: Vec<Case>, source: &str) -> String {
    let mut taken = BTreeSet::new();
    let width = cases.len().to_string().len().max(3);
    let list: Vec<Value> = cases
        .into_iter()
        .enumerate()
        .map(|(at, case)| {
            let numbered = format!("t{:0width$}", at + 1);
            let id = unique(case.id.as_deref().map(slug).unwrap_or_default(), &numbered, &mut taken);
            sample(id, case)
        })
        .collect();
    format!("# Imported from {}.\n{}", one_line(source), yaml(&Value::Array(list)))
}

fn sample(id: String, case: Case) -> Value {
    let mut sample = Map::new();
    sample.insert("sample_id".to_owned(), json!(id));
    sample.insert("prompt".to_owned(), json!(case.prompt));
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

fn settings(artifacts: &[(String, String)], model: Option<&(&str, String)>, source: &str) -> String {
    let names: Vec<&str> = artifacts.iter().map(|(name, _)| name.as_str()).collect();
    let mut fields = Map::new();
    fields.insert("samples".to_owned(), json!(SAMPLES));
    match names.as_slice() {
        [] => drop(fields.insert("control".to_owned(), json!("baseline"))),
        [one] => {
            fields.insert("control".to_owned(), json!("baseline"));
            fields.insert("treatments".to_owned(), json!([one]));
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
fn module(functions: &[String], source: &str) -> String {
    let mut text = format!("// Imported from {}.\nconst checks = [\n", one_line(source));
    for function in functions {
        _ = writeln!(text, "{function},");
    }
    text.push_str(
        "];\n\nexport default async function (output, { sample, assertion }) {\n  \
         const { check, vars, threshold } = assertion.value;\n  \
         const context = { vars, prompt: sample.prompt, test: { vars }, config: {} };\n  \
         const result = await checks[check](output, context);\n  \
         if (typeof result === 'number') {\n    \
         return { pass: threshold === undefined ? result > 0 : result >= threshold, score: result };\n  }\n  \
         if (result && typeof result === 'object') {\n    \
         return { pass: result.pass === true, score: result.score, message: String(result.reason ?? '') };\n  }\n  \
         return result === true;\n}\n",
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

/// A name that no other has; `otherwise` in place of an empty one.
pub(super) fn unique(name: String, otherwise: &str, taken: &mut BTreeSet<String>) -> String {
    let name = if name.is_empty() { otherwise.to_owned() } else { name };
    let free = (2..).map(|at| format!("{name}-{at}"));
    let found = std::iter::once(name.clone()).chain(free).find(|of| !taken.contains(of)).unwrap_or(name);
    taken.insert(found.clone());
    found
}
