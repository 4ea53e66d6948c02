//! Numbers that were drawn at random in another way than today: near enough to be the same.

use serde_json::{Map, Value};

/// How far a bound may lie from the one that is drawn today, as a share of the interval's width: some five standard errors
/// of a quantile of 10,000 resamples of five values, ten of twenty.
const OF_WIDTH: f64 = 0.1;
/// How far a sampled p-value, or a level that was found by resampling, may lie from the one that is drawn today.
const OF_ONE: f64 = 0.01;

/// Whether the field `key` of `object` was drawn, and `was` is near what `is` drawn today.
pub(super) fn is_near(key: &str, was: Option<&Value>, is: Option<&Value>, object: &Map<String, Value>) -> bool {
    if let (Some(Value::Array(was)), Some(Value::Array(is))) = (was, is) {
        let bounds = |of: &[Value]| <[f64; 2]>::try_from(of.iter().filter_map(Value::as_f64).collect::<Vec<_>>()).ok();
        let (Some(was), Some([low, high])) = (bounds(was), bounds(is)) else { return false };
        return key == "bootstrapCI" && near(was[0], low, high - low) && near(was[1], high, high - low);
    }
    let (Some(was), Some(is)) = (was.and_then(Value::as_f64), is.and_then(Value::as_f64)) else { return false };
    let is_exact = object.get("exact").and_then(Value::as_bool) == Some(true);
    match key {
        "low" | "high" => width(object).is_some_and(|width| near(was, is, width)),
        "pValue" | "pValueAdjusted" => !is_exact && (was - is).abs() <= OF_ONE,
        "alpha" => (was - is).abs() <= OF_ONE,
        _ => false,
    }
}

/// Of an interval's object, how wide it is; other objects have no bounds that were drawn.
fn width(object: &Map<String, Value>) -> Option<f64> {
    let is_point = object.get("degenerate").and_then(Value::as_bool) == Some(true);
    let [low, high] = ["low", "high"].map(|key| object.get(key).and_then(Value::as_f64));
    low.zip(high).filter(|_| !is_point && object.contains_key("method")).map(|(low, high)| high - low)
}

fn near(was: f64, is: f64, width: f64) -> bool {
    (was - is).abs() <= OF_WIDTH * width
}
