//! Gap rates over time.

use serde_json::{Value, json};

use super::{eval, project, said, set_samples};

#[test]
fn trend_shows_gap_rates_with_their_test_set_and_never_mixes_two() {
    let context = project();
    eval(&context);
    context.write("filled", "");
    eval(&context);
    let set = context.report()["meta"]["testSet"]["id"].as_str().unwrap().to_owned();
    set_samples(&context, &["the table", "other", "more"]);
    eval(&context);
    let trend = context.run(&["trend"]).expect(0);
    for text in [
        "knowledge gaps of `v1`",
        "commit",
        "coverage",
        "sample set",
        "samples",
        "cost",
        "50.0 %",
        "0.0 %",
        "100.0 %",
        "does not represent",
    ] {
        assert!(said(&trend).contains(text), "{text}\n{}", trend.stdout);
    }
    let document: Value = serde_json::from_str(&context.run(&["trend", "--json"]).expect(0).stdout).unwrap();
    let series = document["series"].as_array().unwrap();
    let sizes: Vec<usize> = series.iter().map(|of| of["points"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [2, 1]);
    let points = series[0]["points"].as_array().unwrap();
    let rates: Vec<&Value> = points.iter().map(|point| &point["gaps"][0]["gapRate"]).collect();
    assert_eq!(rates, [&json!(0.5), &json!(0.0)]);
    for of in points.iter().map(|point| &point["gaps"][0]) {
        assert_eq!(
            (&of["testSet"]["id"], &of["testSet"]["sampleCount"], &of["coverage"]),
            (&json!(set), &json!(2), &json!(1.0))
        );
    }
}
