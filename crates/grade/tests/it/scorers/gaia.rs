//! `gaia`: results against answers, by the published rules.

use eval_spec::callable::Scorer;
use serde_json::json;

use super::score;

/// Expectations from the published rules, not from this code.
#[test]
fn gaia_normalises_as_published() {
    for (result, answer, expected) in [
        // numbers
        (json!("17"), "17", true),
        (json!(17), "17", true),
        (json!("17.0"), "17", true),
        (json!("$17"), "17", true),
        (json!("89,706.00"), "89706.00", true),
        (json!("$89,706"), "89706.00", true),
        (json!("17%"), "17", true),
        (json!(" 1_000 "), "1000", true),
        (json!("1e3"), "1000", true),
        (json!("17 hours"), "17", false),
        (json!("seventeen"), "17", false),
        (json!(""), "17", false),
        (json!("1.001"), "1", false),
        (json!("no number"), "inf", false),
        (json!("nan"), "nan", false),
        // texts
        (json!("Right"), "right", true),
        (json!("sea gull"), "seagull", true),
        (json!("St. Petersburg"), "Saint Petersburg", false),
        (json!("St Petersburg!"), "St. Petersburg", true),
        (json!("\u{a0}Ämter"), "ämter", true),
        (json!("the right"), "right", false),
        (json!(true), "True", true),
        (json!("«right»"), "right", false),
        // lists
        (json!("b, e"), "b,e", true),
        (json!("b; e"), "b, e", true),
        (json!("B,E"), "b, e", true),
        (json!("e, b"), "b, e", false),
        (json!("b"), "b, e", false),
        (json!("b, e, f"), "b, e", false),
        (json!("b., e"), "b, e", false),
        (json!("$132, $133"), "132, 133", true),
        (json!("132.0;133"), "132, 133", true),
        // a thousand with a comma is a list there, too
        (json!("1,000"), "1,000", true),
        (json!("1000"), "1,000", false),
        // lists as JSON
        (json!(["b", "e"]), "b, e", true),
        (json!([132, "133%"]), "132, 133", true),
        (json!(["b"]), "b", true),
        (json!(["b", "e"]), "be", false),
        (json!({"x": 1}), "1", false),
        (json!(null), "x", false),
    ] {
        let passed = score(Scorer::Gaia { answer: answer.to_owned() }, &result).map(|(passed, _)| passed);
        assert_eq!(passed, Some(expected), "{result} for {answer}");
    }
}
