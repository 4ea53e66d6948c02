//! One million substring checks on outputs of 2 KB: 100,000 outputs, ten assertions each.
//! `cargo bench --profile dist -p eval-grade --bench substrings`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use eval_grade::{GraderSetup, Grading};
use eval_spec::{Assertion, CheckOutcome, Output, Sample};
use serde_json::{Map, json};

use figures::Figure;

#[path = "../../../benches/figures.rs"]
mod figures;

const OUTPUTS: usize = 100_000;
const ENGLISH: &str = "The function builds its query by concatenating user input; an attacker can close the string. ";
const CHINESE: &str = "该函数用字符串拼接的方式构造查询语句，攻击者可以提前闭合引号。";

fn main() -> ExitCode {
    figures::main(&[("substrings", substrings)])
}

fn substrings() -> Vec<Figure> {
    let values = [
        "SQL injection",
        "parameterized",
        "prepared statement",
        "looks good",
        "CLOSE THE STRING",
        "bind",
        "ATTACKER",
        "参数化",
        "提前闭合引号",
        "没有问题",
    ];
    #[expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]
    let grading = Grading::new(&[sample(&values)], GraderSetup::default()).unwrap();
    [("English", ENGLISH), ("Chinese", CHINESE)]
        .map(|(language, sentence)| {
            let output = Output::text(two_kilobytes(sentence));
            let started = Instant::now();
            let mut passed = 0;
            for _ in 0..OUTPUTS {
                let grade = grading.grade_now(0, &output);
                passed += grade.checks.iter().filter(|check| check.outcome == CheckOutcome::Passed).count();
            }
            let taken = started.elapsed().as_secs_f64();
            assert!((1..OUTPUTS * values.len()).contains(&passed), "{passed} passed");
            Figure::at_most(2.0, "s", format!("a million `contains` checks on 2 KB, {language}"), taken)
        })
        .into()
}

fn two_kilobytes(sentence: &str) -> String {
    let mut text = sentence.repeat(2048 / sentence.len());
    text.push_str(&" .".repeat((2048 - text.len()) / 2));
    text
}

fn sample(values: &[&str]) -> Sample {
    let assertion = |value: &&str| Assertion {
        kind: "contains".to_owned(),
        weight: 1.0,
        not: false,
        written: json!({ "type": "contains", "value": value }).as_object().cloned().unwrap_or_else(Map::new),
        children: Vec::new(),
        base: PathBuf::new(),
        place: None,
        field_places: BTreeMap::new(),
    };
    Sample {
        id: "s001".to_owned(),
        prompt: "Review this code".to_owned(),
        assertions: values.iter().map(assertion).collect(),
        ..Sample::default()
    }
}
