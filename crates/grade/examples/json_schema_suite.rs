//! Runs `json_schema` over the official JSON Schema test suite, and prints per draft the share of
//! cases that pass and each case that does not.
//!
//! ```sh
//! cargo run --release -p eval-grade --example json_schema_suite -- path/to/JSON-Schema-Test-Suite
//! ```
//!
//! The suite is not part of this repository; check it out from `json-schema-org/JSON-Schema-Test-Suite`.
//! Its `remotes` are not served: a schema that refers to another document is an input error here.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a person")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eval_grade::{GraderSetup, Grading};
use eval_spec::{Assertion, Output, Sample};
use serde::Deserialize;
use serde_json::{Map, Value, json};

const DRAFTS: &[(&str, &str)] = &[
    ("draft4", "http://json-schema.org/draft-04/schema#"),
    ("draft6", "http://json-schema.org/draft-06/schema#"),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
    ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
    ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
];

#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    description: String,
    data: Value,
    valid: bool,
}

fn main() -> ExitCode {
    let Some(suite) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: json_schema_suite DIRECTORY");
        return ExitCode::from(2);
    };
    match DRAFTS.iter().try_for_each(|(draft, dialect)| report(&suite.join("tests").join(draft), draft, dialect)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", suite.display());
            ExitCode::from(2)
        }
    }
}

fn report(directory: &Path, draft: &str, dialect: &str) -> Result<(), Box<dyn Error>> {
    for (part, files) in [("required", files(directory)?), ("optional", files_below(&directory.join("optional"))?)] {
        let (mut passed, mut total, mut wrong) = (0, 0, BTreeMap::<String, Vec<String>>::new());
        for file in files {
            let groups: Vec<Group> = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
            let name = file.strip_prefix(directory)?.display().to_string();
            for group in groups {
                for (test, what) in run(&group, dialect) {
                    total += 1;
                    match what {
                        None => passed += 1,
                        Some(what) => wrong
                            .entry(format!("{name}: {} ({what})", group.description))
                            .or_default()
                            .push(test.description.clone()),
                    }
                }
            }
        }
        println!("{draft} {part}: {passed} of {total} ({:.2} %)", 100.0 * f64::from(passed) / f64::from(total));
        for (group, tests) in wrong {
            println!("    {group}: {}", tests.join("; "));
        }
    }
    Ok(())
}

// Each test of the group, with what went wrong.
fn run<'a>(group: &'a Group, dialect: &str) -> Vec<(&'a Test, Option<String>)> {
    let mut schema = group.schema.clone();
    if let Value::Object(fields) = &mut schema
        && !fields.contains_key("$schema")
    {
        fields.insert("$schema".to_owned(), json!(dialect));
    }
    let grading = Grading::new(&[sample(schema)], GraderSetup::default());
    let judge = |test: &Test| match &grading {
        Err(refused) => Some(format!("refused: {refused}")),
        Ok(grading) => {
            let checks = grading.grade_now(0, &Output::text(test.data.to_string())).checks;
            match checks[0].outcome.passed() {
                Some(valid) if valid == test.valid => None,
                Some(_) => Some("wrong".to_owned()),
                None => Some("unscored".to_owned()),
            }
        }
    };
    group.tests.iter().map(|test| (test, judge(test))).collect()
}

fn sample(schema: Value) -> Sample {
    let written = json!({ "type": "json_schema", "schema": schema });
    let assertion = Assertion {
        kind: "json_schema".to_owned(),
        weight: 1.0,
        not: false,
        written: written.as_object().cloned().unwrap_or_else(Map::new),
        children: Vec::new(),
        base: PathBuf::new(),
        place: None,
        field_places: BTreeMap::new(),
    };
    Sample { id: "suite".to_owned(), prompt: "x".to_owned(), assertions: vec![assertion], ..Sample::default() }
}

fn files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}

fn files_below(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = files(directory)?;
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        }
    }
    found.sort();
    Ok(found)
}
