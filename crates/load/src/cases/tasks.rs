//! From cases to the tasks of a benchmark. A task has one scorer; so checks are joined where that means the same.

use std::collections::BTreeSet;

use eval_message::{Message, msg};
use serde_json::{Map, Value, json};

use super::project::{slug, unique};
use super::reader::{CarriedChecks, CarriedTests, Case, CaseReader, ImportedCases, ProjectFile, escaped};

/// The longest id of a task that is kept as it is written.
const MAX_ID: usize = 200;

/// Before and after the whole of a text, whatever the flags of the pattern.
const START: &str = r"(?<![\s\S])";
const END: &str = r"(?![\s\S])";

/// The benchmark with this id; `name` is the imported file's.
pub(super) fn imported(mut reader: CaseReader, format: &'static str, name: &str, id: &str) -> ImportedCases {
    let cases = std::mem::take(&mut reader.cases);
    let width = cases.len().to_string().len().max(3);
    let (mut taken, mut tasks, mut partly) = (BTreeSet::new(), Vec::new(), 0);
    // What was carried into assertions is counted again by what is carried on into scorers.
    (reader.checks.same, reader.checks.nearly) = (0, 0);
    for (at, case) in cases.into_iter().enumerate() {
        let numbered = format!("t{:0width$}", at + 1);
        let Some((scorer, is_partial)) = scorer(&mut reader, &case) else {
            reader.tests_left += 1;
            reader.note("tests".to_owned(), false, msg!("import-task-unscored"), case.place.clone());
            continue;
        };
        partly += usize::from(is_partial);
        let own = case.id.as_deref().map(task_id).unwrap_or_default();
        tasks.push(task(unique(own, &numbered, &mut taken), case, scorer));
    }
    let CaseReader { tests_left, checks, differences, .. } = reader;
    let tests = CarriedTests { whole: tasks.len() - partly, partly, not: tests_left, unchecked: 0 };
    let benchmark = json!({
        "id": id,
        "name": id,
        "version": "1.0.0",
        "domain": "general",
        "description": format!("Imported from {name}."),
        "scoringMethod": "mean",
        "metadata": { "source": format, "importedFrom": name },
        "tasks": tasks,
    });
    let files = vec![ProjectFile { name: format!("{id}.json"), text: format!("{benchmark:#}\n") }];
    ImportedCases { format, files, tests, checks, differences }
}

/// The id of a benchmark that is made of a file of this name.
pub(super) fn benchmark_id(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    Some(slug(stem)).filter(|id| !id.is_empty()).unwrap_or_else(|| "imported".to_owned())
}

/// The id as it is written, if a task can have it.
fn task_id(written: &str) -> String {
    let id = written.trim();
    let is_one = id.chars().count() <= MAX_ID && !id.chars().any(char::is_control);
    if is_one { id.to_owned() } else { slug(id) }
}

fn task(id: String, case: Case, scorer: TaskScorer) -> Value {
    let (kind, expected) = scorer.written();
    let input =
        if case.input.is_empty() { Map::from_iter([("prompt".to_owned(), json!(case.prompt))]) } else { case.input };
    let mut task = json!({
        "id": id,
        "inputData": input,
        "expectedOutput": expected,
        "evaluator": { "type": kind },
    });
    if let Some(description) = case.description {
        task["description"] = json!(description);
    }
    if !case.capability.is_empty() {
        task["tags"] = json!(case.capability);
    }
    task
}

/// A task's scorer with what it expects.
#[derive(Clone, Debug, PartialEq)]
enum TaskScorer {
    Exact(Value),
    /// All of them, whatever their case.
    Keywords(Vec<String>),
    /// All of them.
    Patterns(Vec<String>, String),
    Schema(Value),
    Rubric(String),
}

impl TaskScorer {
    /// The scorer's name and the expectation.
    fn written(self) -> (&'static str, Value) {
        match self {
            TaskScorer::Exact(value) => ("exact_match", json!({ "value": value })),
            TaskScorer::Keywords(keywords) => ("contains", json!({ "keywords": keywords })),
            TaskScorer::Patterns(patterns, flags) => {
                let mut expected = match patterns.as_slice() {
                    [one] => json!({ "pattern": one }),
                    several => json!({ "patterns": several }),
                };
                if !flags.is_empty() {
                    expected["flags"] = json!(flags);
                }
                ("regex", expected)
            }
            TaskScorer::Schema(schema) => ("json_schema", json!({ "schema": schema })),
            TaskScorer::Rubric(rubric) => ("llm_judge", json!({ "rubric": rubric })),
        }
    }

    /// Patterns that all match where this passes.
    fn patterns(&self) -> Option<(Vec<String>, &str)> {
        match self {
            TaskScorer::Patterns(patterns, flags) => Some((patterns.clone(), flags)),
            TaskScorer::Keywords(words) => Some((words.iter().map(|of| escaped(of)).collect(), "i")),
            TaskScorer::Exact(Value::String(text)) => Some((vec![whole(text.trim())], "")),
            TaskScorer::Exact(value @ (Value::Number(_) | Value::Bool(_))) => {
                Some((vec![whole(&value.to_string())], ""))
            }
            _ => None,
        }
    }

    /// One scorer that passes where both do.
    fn and(&self, other: &TaskScorer) -> Option<TaskScorer> {
        match (self, other) {
            (TaskScorer::Keywords(a), TaskScorer::Keywords(b)) => Some(TaskScorer::Keywords([&**a, b].concat())),
            (TaskScorer::Rubric(a), TaskScorer::Rubric(b)) => Some(TaskScorer::Rubric(format!("{a}\n{b}"))),
            (TaskScorer::Schema(a), TaskScorer::Schema(b)) => {
                Some(TaskScorer::Schema(json!({ "allOf": [a.clone(), b.clone()] })))
            }
            _ => {
                let ((a, flags), (b, others)) = (self.patterns()?, other.patterns()?);
                flags.eq(others).then(|| TaskScorer::Patterns([a, b].concat(), flags.to_owned()))
            }
        }
    }

    /// One scorer that passes where any of them does.
    fn any(all: &[TaskScorer]) -> Option<TaskScorer> {
        if let [one] = all {
            return Some(one.clone());
        }
        if all.iter().all(|of| matches!(of, TaskScorer::Schema(_))) {
            let schemas: Vec<Value> = all.iter().map(|of| of.clone().written().1["schema"].clone()).collect();
            return Some(TaskScorer::Schema(json!({ "anyOf": schemas })));
        }
        let patterns: Vec<(Vec<String>, &str)> = all.iter().map(TaskScorer::patterns).collect::<Option<_>>()?;
        let flags = patterns.first()?.1;
        let is_one_each = patterns.iter().all(|(of, own)| of.len() == 1 && own.eq(&flags));
        let parts: Vec<&str> = patterns.iter().flat_map(|(of, _)| of).map(String::as_str).collect();
        (is_one_each && parts.iter().all(|of| !has_groups(of))).then(|| {
            let parts: Vec<String> = parts.iter().map(|of| format!("(?:{of})")).collect();
            TaskScorer::Patterns(vec![parts.join("|")], flags.to_owned())
        })
    }

    /// The scorer that passes where this one doesn't.
    fn inverted(&self) -> Option<TaskScorer> {
        if let TaskScorer::Schema(schema) = self {
            return Some(TaskScorer::Schema(json!({ "not": schema })));
        }
        match self.patterns()? {
            (patterns, flags) if patterns.len() == 1 => {
                let pattern = format!(r"{START}(?![\s\S]*(?:{}))", patterns[0]);
                Some(TaskScorer::Patterns(vec![pattern], flags.to_owned()))
            }
            _ => None,
        }
    }
}

/// A pattern of a text that is all there is, white space around it aside.
fn whole(text: &str) -> String {
    format!(r"{START}\s*{}\s*{END}", escaped(text))
}

/// Whether a pattern has groups that others beside it would renumber or name twice.
fn has_groups(pattern: &str) -> bool {
    pattern.contains("(?<") && !pattern.starts_with(START)
        || pattern.as_bytes().windows(2).any(|two| two[0] == b'\\' && (two[1].is_ascii_digit() || two[1] == b'k'))
}

/// The scorer of a case, and whether checks are missing; `None` where no check can be carried over.
fn scorer(reader: &mut CaseReader, case: &Case) -> Option<(TaskScorer, bool)> {
    let (mut chosen, mut is_partial) = (None::<TaskScorer>, case.is_partial);
    let criteria = case.criteria.iter();
    let criteria = criteria.map(|text| ("rubric".to_owned(), json!({"type": "rubric", "value": text}), false));
    let checks = case.assertions.iter().map(|of| (of.what.clone(), of.written.clone(), of.is_near));
    for (what, check, is_near) in checks.chain(criteria) {
        let joined = of_check(&check).and_then(|(scorer, near)| match &chosen {
            None => Ok((scorer, near)),
            Some(before) => match before.and(&scorer) {
                Some(both) => Ok((both, near)),
                None => Err(msg!("import-task-one-scorer")),
            },
        });
        match joined {
            Ok((scorer, near)) => {
                count(&mut reader.checks, is_near || near.is_some());
                if let Some(near) = near {
                    reader.note(what, true, near, case.place.clone());
                }
                chosen = Some(scorer);
            }
            Err(why) => {
                is_partial = true;
                reader.checks.not += 1;
                reader.note(what, false, why, case.place.clone());
            }
        }
    }
    chosen.map(|scorer| (scorer, is_partial))
}

fn count(checks: &mut CarriedChecks, is_near: bool) {
    match is_near {
        true => checks.nearly += 1,
        false => checks.same += 1,
    }
}

/// What an assertion becomes, and how that differs; or what to write instead.
fn of_check(check: &Value) -> Result<(TaskScorer, Option<Message>), Message> {
    let (scorer, near) = plain(check)?;
    match check["not"].as_bool() {
        Some(true) => scorer.inverted().map(|of| (of, near)).ok_or_else(|| msg!("import-task-no-scorer")),
        _ => Ok((scorer, near)),
    }
}

fn plain(check: &Value) -> Result<(TaskScorer, Option<Message>), Message> {
    let none = || msg!("import-task-no-scorer");
    let text = |key: &str| check[key].as_str().ok_or_else(none);
    let texts = || {
        let items = check["values"].as_array().ok_or_else(none)?;
        items.iter().map(|of| of.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>().ok_or_else(none)
    };
    let scorer = match check["type"].as_str().unwrap_or_default() {
        "equals" => TaskScorer::Exact(check["value"].clone()),
        "contains" => TaskScorer::Keywords(vec![text("value")?.to_owned()]),
        "contains_all" => TaskScorer::Keywords(texts()?),
        "contains_any" => {
            let patterns: Vec<String> = texts()?.iter().map(|of| escaped(of)).collect();
            TaskScorer::Patterns(vec![patterns.join("|")], "i".to_owned())
        }
        "starts_with" => pattern(format!(r"{START}\s*{}", escaped(text("value")?.trim_start()))),
        "ends_with" => pattern(format!(r"{}\s*{END}", escaped(text("value")?.trim_end()))),
        "regex" => {
            TaskScorer::Patterns(vec![text("pattern")?.to_owned()], check["flags"].as_str().unwrap_or("i").to_owned())
        }
        "json_schema" => {
            return Ok((TaskScorer::Schema(check["schema"].clone()), Some(msg!("import-task-schema"))));
        }
        "json_valid" => return Err(msg!("import-task-json")),
        "latency_max" => return Err(msg!("import-task-latency")),
        "rubric" => TaskScorer::Rubric(text("value")?.to_owned()),
        "semantic_similarity" => {
            let rubric = format!("The answer says the same as this reference: {}", text("reference")?);
            return Ok((TaskScorer::Rubric(rubric), Some(msg!("import-task-judge"))));
        }
        "assert-set" => return set(check),
        _ => return Err(none()),
    };
    Ok((scorer, None))
}

fn pattern(pattern: String) -> TaskScorer {
    TaskScorer::Patterns(vec![pattern], "i".to_owned())
}

fn set(check: &Value) -> Result<(TaskScorer, Option<Message>), Message> {
    let children = check["children"].as_array().map(Vec::as_slice).unwrap_or_default();
    let (mut scorers, mut near) = (Vec::new(), None);
    for child in children {
        let (scorer, differs) = of_check(child)?;
        near = near.or(differs);
        scorers.push(scorer);
    }
    scorers.dedup();
    let joined = match check["mode"].as_str() {
        Some("any") => TaskScorer::any(&scorers),
        _ => match scorers.split_first() {
            Some((first, others)) => others.iter().try_fold(first.clone(), |all, of| all.and(of)),
            None => None,
        },
    };
    joined.map(|scorer| (scorer, near)).ok_or_else(|| msg!("import-task-one-scorer"))
}
