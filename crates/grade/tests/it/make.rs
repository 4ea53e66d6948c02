//! Samples, assertions and outputs from JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eval_grade::{GraderSetup, Grading};
use eval_spec::call::{Cost, CostSource, Step, ToolCall, ToolOutput, Trace};
use eval_spec::mock::Mock;
use eval_spec::units::Usd;
use eval_spec::{Assertion, Check, CheckOutcome, Diagnostics, Output, Sample};
use serde_json::{Value, json};

/// The assertion that JSON writes; relative paths refer to `base`.
pub(crate) fn assertion_in(base: &Path, written: &Value) -> Assertion {
    let children = written.get("children").and_then(Value::as_array);
    Assertion {
        kind: written["type"].as_str().unwrap_or_default().to_owned(),
        weight: written.get("weight").and_then(Value::as_f64).unwrap_or(1.0),
        not: written.get("not").and_then(Value::as_bool).unwrap_or(false),
        written: written.as_object().cloned().unwrap_or_default(),
        children: children.into_iter().flatten().map(|child| assertion_in(base, child)).collect(),
        base: base.to_owned(),
        place: None,
        field_places: BTreeMap::new(),
    }
}

pub(crate) fn assertion(written: &Value) -> Assertion {
    assertion_in(&PathBuf::new(), written)
}

pub(crate) fn sample(assertions: Vec<Assertion>) -> Sample {
    Sample { id: "s001".to_owned(), prompt: "审查这段代码".to_owned(), assertions, ..Sample::default() }
}

pub(crate) fn mock(tool: &str) -> Mock {
    let written = json!({ "tool": tool, "return": "ok" });
    Mock { tool: tool.to_owned(), written: written.as_object().cloned().unwrap_or_default(), ..Mock::default() }
}

/// The only check of a sample with one assertion.
pub(crate) fn check_in(sample: Sample, setup: GraderSetup, output: &Output) -> Result<Check, Diagnostics> {
    let grading = Grading::new(&[sample], setup)?;
    let mut checks = grading.grade_now(0, output).checks;
    assert_eq!(checks.len(), 1);
    Ok(checks.remove(0))
}

pub(crate) fn check_output(written: Value, output: &Output) -> Check {
    check_in(sample(vec![assertion(&written)]), GraderSetup::default(), output).unwrap()
}

pub(crate) fn check(written: Value, text: &str) -> Check {
    check_output(written, &Output::text(text))
}

/// What is wrong with an assertion, in English.
pub(crate) fn refusal(written: &Value) -> Option<String> {
    Grading::new(&[sample(vec![assertion(written)])], GraderSetup::default()).err().map(|problems| problems.to_string())
}

/// `Some(true)` passed, `Some(false)` failed, `None` unscored.
pub(crate) fn verdict(check: &Check) -> Option<bool> {
    check.outcome.passed()
}

pub(crate) fn why(check: &Check) -> String {
    match &check.outcome {
        CheckOutcome::Unscored { why } => why.to_string(),
        other => panic!("{other:?} is not unscored"),
    }
}

pub(crate) fn message(check: &Check) -> String {
    check.message.as_ref().map(ToString::to_string).unwrap_or_default()
}

pub(crate) fn call(name: &str, input: Value, output: Option<&str>, mock: Option<usize>) -> Step {
    Step::Tool(ToolCall {
        id: "t1".to_owned(),
        name: name.to_owned(),
        input,
        output: output.map(|text| ToolOutput { text: text.to_owned(), is_error: false, ..ToolOutput::default() }),
        mock,
        ..ToolCall::default()
    })
}

/// An agent's output.
pub(crate) fn agent(turns: Option<u32>, steps: Vec<Step>) -> Output {
    Output { trace: Trace { turns, cwd: None, steps }, ..Output::text("done") }
}

pub(crate) fn priced(usd: f64) -> Output {
    Output { cost: Some(Cost { usd: Usd(usd), source: CostSource::Reported }), ..Output::text("x") }
}
