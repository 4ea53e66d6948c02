//! Tool calls of variants side by side.

use eval_render::internals::{CallRow, aligned};
use eval_spec::call::ToolCall;
use serde_json::Value;

fn calls(all: &[(&str, &str)]) -> Vec<ToolCall> {
    let call = |(name, input): &(&str, &str)| ToolCall {
        name: (*name).to_owned(),
        input: Value::from(*input),
        ..ToolCall::default()
    };
    all.iter().map(call).collect()
}

/// Rows as `1-1 2-. .-2`.
fn rows(arms: &[&[(&str, &str)]]) -> String {
    let all: Vec<Vec<ToolCall>> = arms.iter().map(|arm| calls(arm)).collect();
    let all: Vec<&[ToolCall]> = all.iter().map(Vec::as_slice).collect();
    let number = |place: &Option<usize>| place.map_or(".".to_owned(), |place| (place + 1).to_string());
    let row = |row: &CallRow| row.iter().map(number).collect::<Vec<_>>().join("-");
    aligned(&all).iter().map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn calls_that_are_alike_are_on_one_row_in_every_variants_own_order() {
    let (read, other, grep, edit) = (("Read", "a"), ("Read", "b"), ("Grep", "x"), ("Edit", "a"));
    assert_eq!(rows(&[&[read, grep], &[read, grep]]), "1-1 2-2");
    assert_eq!(rows(&[&[read, edit], &[read, grep, edit]]), "1-1 .-2 2-3");
    // the same input counts for more than the same tool
    assert_eq!(rows(&[&[read, other], &[other]]), "1-. 2-1");
    assert_eq!(rows(&[&[read], &[other]]), "1-1");
    assert_eq!(rows(&[&[], &[read]]), ".-1");
    assert_eq!(rows(&[&[read, edit], &[grep, edit], &[edit, grep]]), "1-.-. .-1-. 2-2-1 .-.-2");
    assert_eq!(rows(&[&[], &[]]), "");
    assert_eq!(rows(&[&[read, grep]]), "1 2");
}
