//! Assertions → ours of the same meaning. promptfoo's texts are compared with their case, ours without it; so its
//! `contains` becomes a `regex` with `flags: ""`, and its `icontains` our `contains`.

use eval_message::{Message, msg};
use eval_spec::source::Span;
use serde_json::{Map, Value, json};

use super::super::project;
use super::super::reader::{Case, CaseCheck, CaseReader, escaped, number};
use super::javascript;
use super::scalar::number_text;
use super::templates::Templates;
use super::tests::{self, TestAssertion, TestCase};

/// What an assertion becomes.
enum Mapped {
    /// The same.
    Same(Value),
    /// Nearly the same, and how it differs.
    Near(Value, Message),
    /// A criterion for a judge.
    Judged(String, Option<Message>),
    /// None of ours, and what comes nearest.
    None(Message),
}

/// The fields of an assertion, rendered.
struct WrittenAssertion<'a> {
    value: &'a Value,
    threshold: Option<f64>,
}

/// How an assertion type is carried over.
type AssertionRule = fn(&WrittenAssertion) -> Mapped;

/// promptfoo's assertion types; those that `javascript` and `assert-set` are need more than their fields.
static RULES: &[(&str, AssertionRule)] = &[
    ("equals", |of| match of.value {
        Value::Object(_) | Value::Array(_) => {
            Mapped::Same(json!({"type": "json_schema", "schema": {"const": of.value}}))
        }
        _ => {
            let flag = of.value.as_bool().map(|flag| Value::String(flag.to_string()));
            let of = WrittenAssertion { value: flag.as_ref().unwrap_or(of.value), ..*of };
            match text_or_number(&of, |text| json!({"type": "equals", "value": text})) {
                Mapped::Same(check) => Mapped::Near(check, msg!("import-near-trim")),
                other => other,
            }
        }
    }),
    ("contains", |of| text_or_number(of, |text| pattern(&escaped(text)))),
    ("icontains", |of| {
        text_or_number(of, |text| in_any_case(&[text.to_owned()], |_| json!({"type": "contains", "value": text})))
    }),
    ("starts-with", |of| text_check(of, |text| pattern(&format!("^{}", escaped(text))))),
    ("regex", |of| text_check(of, pattern)),
    ("contains-any", |of| {
        several(of, |texts| pattern(&texts.iter().map(|of| escaped(of)).collect::<Vec<_>>().join("|")))
    }),
    ("contains-all", |of| {
        several(of, |texts| {
            let children: Vec<Value> = texts.iter().map(|of| pattern(&escaped(of))).collect();
            json!({"type": "assert-set", "mode": "all", "children": children})
        })
    }),
    ("icontains-any", |of| {
        several(of, |texts| in_any_case(texts, |texts| json!({"type": "contains_any", "values": texts})))
    }),
    ("icontains-all", |of| {
        several(of, |texts| in_any_case(texts, |texts| json!({"type": "contains_all", "values": texts})))
    }),
    ("is-json", json_check),
    ("contains-json", |of| match json_check(of) {
        Mapped::Same(whole) | Mapped::Near(whole, _) => {
            let mut fenced = whole.clone();
            fenced["extract"] = json!("fenced");
            let set = json!({"type": "assert-set", "mode": "any", "children": [whole, fenced]});
            Mapped::Near(set, msg!("import-near-json"))
        }
        other => other,
    }),
    ("rouge-n", |of| reference(of, "rouge_n_min", 0.75, msg!("import-near-rouge"))),
    ("bleu", |of| match of.value.as_str() {
        // no answer can have more than 0
        Some(text) if bleu_words(text) < 4 => Mapped::None(msg!("import-use", name = "rouge_n_min")),
        _ => reference(of, "bleu_min", 0.5, msg!("import-near-bleu")),
    }),
    ("levenshtein", |of| {
        text_check(
            of,
            |text| json!({"type": "levenshtein_max", "value": number(of.threshold.unwrap_or(5.0).max(0.0).floor()), "reference": text}),
        )
    }),
    ("latency", |of| limit(of, "latency_max")),
    ("cost", |of| limit(of, "cost_max")),
    ("word-count", word_count),
    ("tool-call-f1", |of| {
        several(of, |texts| json!({"type": "tool_call_f1", "values": texts, "threshold": of.threshold.unwrap_or(1.0)}))
    }),
    ("trajectory:tool-used", |of| match of.value {
        Value::String(tool) => Mapped::Same(json!({"type": "tools_called", "value": tool})),
        _ => match texts(of.value) {
            Some(tools) => Mapped::Same(json!({"type": "tools_called", "values": tools})),
            None => Mapped::None(msg!("import-use", name = "tools_called")),
        },
    }),
    ("skill-used", |of| match of.value {
        Value::String(skill) => Mapped::Same(json!({"type": "skill_used", "value": skill})),
        _ => Mapped::None(msg!("import-use", name = "skill_used")),
    }),
    ("llm-rubric", |of| judged(of, None)),
    ("model-graded-closedqa", |of| judged(of, None)),
    ("g-eval", |of| judged(of, None)),
    ("factuality", |of| judged_as(of, |text| format!("The answer agrees with the facts of this reference: {text}"))),
    ("model-graded-factuality", |of| {
        judged_as(of, |text| format!("The answer agrees with the facts of this reference: {text}"))
    }),
    ("similar", |of| match of.value {
        Value::String(text) if text.trim().is_empty() => Mapped::None(msg!("import-value-empty")),
        Value::String(text) => {
            Mapped::Near(json!({"type": "semantic_similarity", "reference": text}), msg!("import-near-similar"))
        }
        _ => Mapped::None(msg!("import-use", name = "semantic_similarity")),
    }),
    ("answer-relevance", |_| Mapped::Near(json!({"type": "answer_relevancy"}), msg!("import-near-judge"))),
    ("context-faithfulness", |_| Mapped::None(msg!("import-use-context", name = "faithfulness"))),
    ("context-recall", |_| Mapped::None(msg!("import-use-context", name = "context_recall"))),
    ("context-relevance", |_| Mapped::None(msg!("import-use-rubric"))),
    ("conversation-relevance", |_| Mapped::None(msg!("import-use-rubric"))),
    ("search-rubric", |_| Mapped::None(msg!("import-use-rubric"))),
    ("is-refusal", |_| Mapped::None(msg!("import-use-rubric"))),
    ("moderation", |_| Mapped::None(msg!("import-use-rubric"))),
    ("classifier", |_| Mapped::None(msg!("import-use-rubric"))),
    ("pi", |_| Mapped::None(msg!("import-use-rubric"))),
    ("agent-rubric", |_| Mapped::None(msg!("import-use-rubric"))),
    ("trajectory:goal-success", |_| Mapped::None(msg!("import-use-rubric"))),
    ("select-best", |_| Mapped::None(msg!("import-use-pairwise"))),
    ("max-score", |_| Mapped::None(msg!("import-use-pairwise"))),
    ("human", |_| Mapped::None(msg!("import-use-gold"))),
    ("python", |_| Mapped::None(msg!("import-use-custom"))),
    ("ruby", |_| Mapped::None(msg!("import-use-custom"))),
    ("webhook", |_| Mapped::None(msg!("import-use-custom"))),
    ("is-html", |_| Mapped::None(msg!("import-use-custom"))),
    ("contains-html", |_| Mapped::None(msg!("import-use", name = "regex"))),
    ("is-xml", |_| Mapped::None(msg!("import-use-custom"))),
    ("contains-xml", |_| Mapped::None(msg!("import-use", name = "regex"))),
    ("is-sql", |_| Mapped::None(msg!("import-use-custom"))),
    ("contains-sql", |_| Mapped::None(msg!("import-use-custom"))),
    ("is-valid-function-call", |_| Mapped::None(msg!("import-use", name = "tool_sequence"))),
    ("is-valid-openai-function-call", |_| Mapped::None(msg!("import-use", name = "tool_sequence"))),
    ("is-valid-openai-tools-call", |_| Mapped::None(msg!("import-use", name = "tool_sequence"))),
    ("trajectory:tool-sequence", |_| Mapped::None(msg!("import-use", name = "tool_sequence"))),
    ("trajectory:tool-args-match", |_| Mapped::None(msg!("import-use", name = "tool_input_contains"))),
    ("trajectory:step-count", |_| Mapped::None(msg!("import-use", name = "tools_count_max"))),
    ("trace-span-count", |_| Mapped::None(msg!("import-use", name = "tools_count_max"))),
    ("trace-span-duration", |_| Mapped::None(msg!("import-use", name = "latency_max"))),
    ("trace-error-spans", |_| Mapped::None(msg!("import-use", name = "tool_output_contains"))),
    ("gleu", |_| Mapped::None(msg!("import-use", name = "bleu_min"))),
    ("meteor", |_| Mapped::None(msg!("import-use", name = "rouge_n_min"))),
    ("perplexity", |_| Mapped::None(msg!("import-use-none"))),
    ("perplexity-score", |_| Mapped::None(msg!("import-use-none"))),
    ("finish-reason", |_| Mapped::None(msg!("import-use-outcome"))),
    ("guardrails", |_| Mapped::None(msg!("import-use-none"))),
];

/// Whether promptfoo has an assertion type of that name.
pub(super) fn is_known(kind: &str) -> bool {
    matches!(kind, "javascript" | "assert-set") || RULES.iter().any(|(name, _)| name.eq(&kind))
}

/// The sample of a test.
pub(super) fn case(reader: &mut CaseReader, templates: &Templates, test: &TestCase, prompt: String) -> Case {
    let place = reader.place(test.span);
    let mut case = Case {
        id: test.description.clone(),
        prompt,
        input: test.vars.clone(),
        description: test.description.clone(),
        capability: test.capability.clone(),
        place,
        is_partial: test.is_partial,
        ..Case::default()
    };
    for assertion in &test.assertions {
        match carried(reader, templates, test, assertion) {
            Some(Carried::Check(check)) => case.assertions.push(check),
            Some(Carried::Criterion(text)) => case.criteria.push(text),
            None => case.is_partial = true,
        }
    }
    case
}

/// What an assertion adds to a sample.
enum Carried {
    Check(CaseCheck),
    Criterion(String),
}

/// Carries one assertion over, and counts it.
fn carried(reader: &mut CaseReader, templates: &Templates, test: &TestCase, of: &TestAssertion) -> Option<Carried> {
    let written = of.fields["type"].as_str().unwrap_or_default();
    let (kind, is_not) = written.strip_prefix("not-").map_or((written, false), |kind| (kind, true));
    let reference = of.fields["$ref"].as_str();
    let what = format!("`{}`", reference.unwrap_or(written));
    let refuse = |reader: &mut CaseReader, why: Message| {
        reader.checks.not += 1;
        reader.lacks(what.clone(), why, of.span);
        None
    };
    if reference.is_some() {
        return refuse(reader, msg!("import-no-reference"));
    }
    // These read no text.
    let is_transformed = test.is_transformed && !["latency", "cost"].contains(&kind);
    if let Some(why) = unlike(&of.fields).or_else(|| is_transformed.then(|| msg!("import-transform"))) {
        return refuse(reader, why);
    }
    if is_not && kind == "assert-set" {
        return refuse(reader, msg!("import-no-type"));
    }
    let mapped = rendered(templates, test, &of.fields)
        .map_or_else(Mapped::None, |fields| mapped(reader, templates, test, (kind, &fields)));
    let weight = of.fields["weight"].as_f64().filter(|weight| weight.is_finite());
    let (mut check, near) = match mapped {
        Mapped::None(why) => return refuse(reader, why),
        Mapped::Judged(_, _) if is_not => return refuse(reader, msg!("import-use-rubric-not")),
        Mapped::Judged(text, near) => {
            let has = |key: &str| of.fields.get(key).is_some_and(|value| !value.is_null());
            let grader = has("provider") || has("rubricPrompt") || test.has_grader;
            let more = [
                weight.filter(|weight| weight.ne(&1.0)).map(|_| msg!("import-near-weight")),
                grader.then(|| msg!("import-near-grader")),
            ];
            note(reader, &what, near.into_iter().chain(more.into_iter().flatten()).collect(), of.span);
            return Some(Carried::Criterion(text));
        }
        Mapped::Same(check) => (check, None),
        Mapped::Near(check, near) => (check, Some(near)),
    };
    if let Some(weight) = weight {
        check["weight"] = number(weight);
    }
    if is_not {
        invert(&mut check);
    }
    if let Some(why) = reader.refusal(&check) {
        return refuse(reader, why);
    }
    let near: Vec<Message> = near.into_iter().chain(written_anew(reader, kind)).collect();
    let is_near = !near.is_empty();
    note(reader, &what, near, of.span);
    if of.fields.get("metric").is_some_and(|metric| !metric.is_null()) {
        reader.differs("`metric`", true, msg!("import-label"), of.span);
    }
    Some(Carried::Check(CaseCheck { what, written: check, is_near }))
}

/// How a check of text differs where an answer that is JSON is parsed, and written anew before it.
fn written_anew(reader: &CaseReader, kind: &str) -> Option<Message> {
    const OTHERS: &[&str] = &["javascript", "latency", "cost", "tool-call-f1", "skill-used", "trajectory:tool-used"];
    (reader.parses_answers && !OTHERS.contains(&kind)).then(|| msg!("import-near-parsed"))
}

/// Counts a check that was carried over.
fn note(reader: &mut CaseReader, what: &str, near: Vec<Message>, span: Span) {
    match near.is_empty() {
        true => reader.checks.same += 1,
        false => reader.checks.nearly += 1,
    }
    near.into_iter().for_each(|why| reader.differs(what, true, why, span));
}

/// Why nothing of ours is like an assertion, whatever its type.
fn unlike(fields: &Value) -> Option<Message> {
    if fields.get("transform").is_some_and(|transform| !transform.is_null()) {
        return Some(msg!("import-transform"));
    }
    fields["weight"].as_f64().filter(|weight| *weight <= 0.0).map(|_| msg!("import-weightless"))
}

/// The opposite of a check. What fails in a function fails its opposite too, so the function itself is told.
fn invert(check: &mut Value) {
    match check["type"] == "custom" {
        true => check["value"]["inverse"] = json!(true),
        false => check["not"] = json!(true),
    }
}

/// An assertion whose texts have the values of the test. Those in objects, such as schemas, keep their braces.
fn rendered(templates: &Templates, test: &TestCase, fields: &Value) -> Result<Value, Message> {
    let mut fields = fields.clone();
    if !fields.is_object() {
        return Ok(fields);
    }
    let render = |value: &mut Value| {
        if let Some(text) = value.as_str().filter(|text| !text.starts_with("file://")) {
            *value = Value::String(templates.render(text, &test.vars)?);
        }
        Ok::<(), Message>(())
    };
    match &mut fields["value"] {
        Value::Array(items) => items.iter_mut().try_for_each(render)?,
        value => render(value)?,
    }
    if let Some(children) = fields.get_mut("assert").and_then(Value::as_array_mut) {
        for child in children {
            *child = rendered(templates, test, child)?;
        }
    }
    Ok(fields)
}

fn mapped(reader: &mut CaseReader, templates: &Templates, test: &TestCase, (kind, fields): (&str, &Value)) -> Mapped {
    match kind {
        "javascript" => return function(reader, test, fields),
        "assert-set" => return set(reader, templates, test, fields),
        _ => {}
    }
    let content;
    let mut value = &fields["value"];
    if let Some(file) = value.as_str().filter(|text| text.starts_with("file://")) {
        if tests::program(file).is_some() {
            return Mapped::None(msg!("import-use-custom"));
        }
        content = match reader.beside(file).map(|text| file_value(file, text)) {
            Ok(Some(content)) => content,
            Ok(None) => return Mapped::None(msg!("import-use-custom")),
            Err(why) => return Mapped::None(why),
        };
        value = &content;
    }
    let written = WrittenAssertion { value, threshold: fields["threshold"].as_f64() };
    match RULES.iter().find(|(name, _)| name.eq(&kind)) {
        Some((_, rule)) => rule(&written),
        None => Mapped::None(msg!("import-no-type")),
    }
}

/// The value in a file: JSON and YAML as such, text as it is; `None` of code.
fn file_value(name: &str, text: String) -> Option<Value> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".json"]) {
        return Some(serde_json::from_str(&text).unwrap_or(Value::String(text)));
    }
    if ends(&[".yaml", ".yml"]) {
        return Some(serde_saphyr::from_str(&text).unwrap_or(Value::String(text)));
    }
    ends(&[".txt", ".md"]).then_some(Value::String(text))
}

/// A line end at the end of a pattern is written out: as such it would not count.
fn pattern(pattern: &str) -> Value {
    json!({"type": "regex", "pattern": pattern.replace('\n', "\\n").replace('\r', "\\r"), "flags": ""})
}

/// A check of texts in any case; `contains` and its kin leave out the line ends behind a text.
fn in_any_case(texts: &[String], check: impl FnOnce(&[String]) -> Value) -> Value {
    let ends = |text: &String| text.ends_with(['\n', '\r']);
    let regex = |text: &String| {
        let mut check = pattern(&escaped(text));
        check["flags"] = json!("i");
        check
    };
    let whole = check(texts);
    if !texts.iter().any(ends) {
        return whole;
    }
    let mode = if whole["type"] == "contains_any" { "any" } else { "all" };
    json!({"type": "assert-set", "mode": mode, "children": texts.iter().map(regex).collect::<Vec<_>>()})
}

/// A check of one text.
fn text_check(of: &WrittenAssertion, check: impl FnOnce(&str) -> Value) -> Mapped {
    match of.value {
        Value::String(text) if text.is_empty() => Mapped::None(msg!("import-value-empty")),
        Value::String(text) => Mapped::Same(check(text)),
        _ => Mapped::None(msg!("import-value")),
    }
}

/// The same of a number too.
fn text_or_number(of: &WrittenAssertion, check: impl FnOnce(&str) -> Value) -> Mapped {
    match of.value {
        Value::Number(number) => Mapped::Same(check(&number_text(number))),
        _ => text_check(of, check),
    }
}

/// A list of texts; one text is split at its commas, but for those in quotation marks.
fn texts(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number_text(number)),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    let found: Vec<String> = match value {
        Value::Array(items) => items.iter().map(text).collect::<Option<_>>()?,
        Value::String(list) => separated(list)?,
        _ => return None,
    };
    (!found.is_empty() && found.iter().all(|of| !of.is_empty())).then_some(found)
}

/// The fields of a line; `None` where a quotation mark isn't closed, or text follows it.
pub(super) fn separated(list: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = list;
    loop {
        rest = rest.trim_start_matches(|of: char| of == ',' || of.is_whitespace());
        if rest.is_empty() {
            return Some(found);
        }
        let Some(quoted) = rest.strip_prefix('"') else {
            let (field, after) = rest.split_once(',').unwrap_or((rest, ""));
            found.push(field.trim().to_owned());
            rest = after;
            continue;
        };
        let mut field = String::new();
        let mut signs = quoted.char_indices();
        let end = loop {
            let (at, sign) = signs.next()?;
            let next = quoted[at + sign.len_utf8()..].chars().next();
            match (sign, next) {
                ('\\', Some(escaped @ ('"' | '\\'))) | ('"', Some(escaped @ '"')) => {
                    field.push(escaped);
                    signs.next();
                }
                ('"', _) => break at + 1,
                _ => field.push(sign),
            }
        };
        found.push(field);
        rest = quoted[end..].trim_start();
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
    }
}

fn several(of: &WrittenAssertion, check: impl FnOnce(&[String]) -> Value) -> Mapped {
    texts(of.value).map_or_else(|| Mapped::None(msg!("import-value")), |texts| Mapped::Same(check(&texts)))
}

fn json_check(of: &WrittenAssertion) -> Mapped {
    match of.value {
        Value::Null => Mapped::Same(json!({"type": "json_valid"})),
        Value::Object(_) => schema_check(of.value),
        Value::String(text) => match serde_saphyr::from_str::<Value>(text) {
            Ok(schema @ Value::Object(_)) => schema_check(&schema),
            _ => Mapped::None(msg!("import-value")),
        },
        _ => Mapped::None(msg!("import-value")),
    }
}

fn schema_check(schema: &Value) -> Mapped {
    let check = json!({"type": "json_schema", "schema": schema});
    match later_keyword(schema) {
        Some(keyword) => Mapped::Near(check, msg!("import-near-schema", keyword = keyword)),
        None => Mapped::Same(check),
    }
}

/// A keyword of a schema that is later than draft 7, which promptfoo's validator doesn't know.
fn later_keyword(schema: &Value) -> Option<&'static str> {
    const LATER: &[&str] = &[
        "prefixItems",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
        "minContains",
        "maxContains",
        "contentSchema",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "$recursiveAnchor",
        "$vocabulary",
    ];
    const SCHEMAS: &[&str] = &[
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "allOf",
        "anyOf",
        "oneOf",
    ];
    const NAMED: &[&str] = &["properties", "patternProperties", "definitions", "$defs", "dependencies"];
    match schema {
        Value::Array(all) => all.iter().find_map(later_keyword),
        Value::Object(fields) => {
            let own = LATER.iter().copied().find(|keyword| fields.contains_key(*keyword));
            let inner = || SCHEMAS.iter().filter_map(|keyword| fields.get(*keyword)).find_map(later_keyword);
            let named = || {
                let maps = NAMED.iter().filter_map(|keyword| fields.get(*keyword)?.as_object());
                maps.flat_map(Map::values).find_map(later_keyword)
            };
            own.or_else(inner).or_else(named)
        }
        _ => None,
    }
}

/// About as many words as BLEU takes a text for: it sets punctuation apart, and has Chinese characters one by one.
fn bleu_words(text: &str) -> usize {
    let apart = text.chars().filter(|c| c.is_ascii_punctuation() || !c.is_ascii()).count();
    text.split_whitespace().count() + apart
}

fn reference(of: &WrittenAssertion, kind: &str, usual: f64, near: Message) -> Mapped {
    let threshold = of.threshold.unwrap_or(usual).clamp(0.0, 1.0);
    match of.value {
        Value::String(text) if text.trim().is_empty() => Mapped::None(msg!("import-value-empty")),
        Value::String(text) => Mapped::Near(json!({"type": kind, "reference": text, "threshold": threshold}), near),
        _ => Mapped::None(msg!("import-value")),
    }
}

fn limit(of: &WrittenAssertion, kind: &str) -> Mapped {
    match of.threshold {
        Some(limit) if limit >= 0.0 => Mapped::Same(json!({"type": kind, "value": number(limit)})),
        _ => Mapped::None(msg!("import-value")),
    }
}

fn word_count(of: &WrittenAssertion) -> Mapped {
    let near = || msg!("import-near-words");
    let bound = |key: &str, kind: &str| Some(json!({"type": kind, "value": of.value.get(key)?.as_u64()?}));
    let checks: Vec<Value> = match of.value {
        Value::Object(_) => {
            [bound("min", "word_count_min"), bound("max", "word_count_max")].into_iter().flatten().collect()
        }
        exact => match exact.as_u64().or_else(|| exact.as_str()?.trim().parse().ok()) {
            Some(count) => {
                ["word_count_min", "word_count_max"].map(|kind| json!({"type": kind, "value": count})).into()
            }
            None => Vec::new(),
        },
    };
    match checks.as_slice() {
        [] => Mapped::None(msg!("import-value")),
        [one] => Mapped::Near(one.clone(), near()),
        several => Mapped::Near(json!({"type": "assert-set", "mode": "all", "children": several}), near()),
    }
}

/// Criteria of a judge. A threshold of theirs is no pass mark of ours: the score counts as it is.
fn judged(of: &WrittenAssertion, near: Option<Message>) -> Mapped {
    let text = match of.value {
        Value::String(text) if !text.trim().is_empty() => text.clone(),
        Value::Array(_) => match texts(of.value) {
            Some(criteria) => criteria.join("\n"),
            None => return Mapped::None(msg!("import-value")),
        },
        Value::Object(_) => of.value.to_string(),
        _ => return Mapped::None(msg!("import-value")),
    };
    let near = near.or_else(|| of.threshold.map(|_| msg!("import-near-threshold")));
    Mapped::Judged(text, near)
}

fn judged_as(of: &WrittenAssertion, criterion: impl FnOnce(&str) -> String) -> Mapped {
    match of.value {
        Value::String(text) => Mapped::Judged(criterion(text), Some(msg!("import-near-judge"))),
        _ => Mapped::None(msg!("import-value")),
    }
}

/// A function in JavaScript: an expression, the body of a function, or a file whose own functions stay with it.
fn function(reader: &mut CaseReader, test: &TestCase, fields: &Value) -> Mapped {
    let Some(code) = fields["value"].as_str() else { return Mapped::None(msg!("import-use-custom")) };
    let is_of_node = ["require(", "import(", "process."].iter().any(|name| code.contains(name));
    if is_of_node || code.starts_with("file://") || code.starts_with("package:") {
        return Mapped::None(msg!("import-use-custom"));
    }
    if javascript::reads_what_is_absent(code) {
        return Mapped::None(msg!("import-use-context-absent"));
    }
    let body = javascript::body(code);
    let known = reader.functions.get(&body).copied();
    if known.is_none()
        && let Err(error) = (reader.probe.function)(&body)
    {
        return Mapped::None(msg!("import-function", error = error));
    }
    let next = reader.functions.len();
    let at = *reader.functions.entry(body).or_insert(next);
    let mut value = Map::new();
    value.insert("check".to_owned(), json!(at));
    value.insert("vars".to_owned(), Value::Object(test.vars.clone()));
    if let Some(threshold) = fields["threshold"].as_f64() {
        value.insert("threshold".to_owned(), json!(threshold));
    }
    if reader.parses_answers {
        value.insert("parsed".to_owned(), json!(true));
    }
    if let Some(config) = fields.get("config").filter(|config| !config.is_null()) {
        value.insert("config".to_owned(), config.clone());
    }
    let check = json!({"type": "custom", "fn": project::FUNCTIONS, "value": value});
    match javascript::reads_beyond_vars(code) {
        true => Mapped::Near(check, msg!("import-near-context")),
        false => Mapped::Same(check),
    }
}

/// Types whose score may lie between 0 and 1, which counts against the threshold of a set.
const GRADED: &[&str] = &["javascript", "rouge-n", "bleu", "tool-call-f1", "similar", "answer-relevance"];

/// A set passes with all of its children, or with any of them where its threshold asks for no more than each one's share.
fn set(reader: &mut CaseReader, templates: &Templates, test: &TestCase, fields: &Value) -> Mapped {
    let Some(items) = fields["assert"].as_array().filter(|items| !items.is_empty()) else {
        return Mapped::None(msg!("import-value"));
    };
    let mode = match fields["threshold"].as_f64() {
        None => "all",
        Some(threshold) => {
            let weights = items.iter().map(|item| item["weight"].as_f64().unwrap_or(1.0));
            let (least, total) = weights.fold((f64::INFINITY, 0.0), |(least, total), of| (of.min(least), total + of));
            match threshold {
                _ if threshold <= 0.0 || threshold > 1.0 => return Mapped::None(msg!("import-set-threshold")),
                _ if least / total >= threshold => "any",
                _ if (total - least) / total < threshold => "all",
                _ => return Mapped::None(msg!("import-set-threshold")),
            }
        }
    };
    let (mut children, mut differs) = (Vec::new(), None);
    for item in items {
        if item["$ref"].is_string() {
            return Mapped::None(msg!("import-no-reference"));
        }
        let written = item["type"].as_str().unwrap_or_default();
        let (kind, is_not) = written.strip_prefix("not-").map_or((written, false), |kind| (kind, true));
        if let Some(why) = unlike(item) {
            return Mapped::None(why);
        }
        if kind == "assert-set" || (!fields["threshold"].is_null() && GRADED.contains(&kind)) {
            return Mapped::None(msg!("import-set-child", name = written));
        }
        let mut child = match mapped(reader, templates, test, (kind, item)) {
            Mapped::Same(child) => child,
            Mapped::Near(child, near) => {
                differs = Some(near);
                child
            }
            Mapped::Judged(..) | Mapped::None(_) => return Mapped::None(msg!("import-set-child", name = written)),
        };
        if is_not {
            invert(&mut child);
        }
        children.push(child);
    }
    let set = json!({"type": "assert-set", "mode": mode, "children": children});
    match differs {
        Some(near) => Mapped::Near(set, near),
        None => Mapped::Same(set),
    }
}
