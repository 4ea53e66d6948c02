//! Tables by a key of the samples, and copies of a sample that count as one task in every command.

use serde_json::{Value, json};

use crate::fixtures::recorded::{RecordedProject, fact};

/// The fact checks of every recorded sample.
fn checks() -> Value {
    let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"];
    let of = |(word, weight)| json!({"type": "contains", "value": word, "weight": weight});
    words.into_iter().zip([37, 32, 16, 8, 4, 2, 1]).map(of).collect()
}

/// `tasks` tasks with `copies` samples each, whose treatment gains `gain` hundredths.
fn copied(tasks: usize, copies: usize, gain: impl Fn(usize) -> u32) -> RecordedProject {
    let sample = |i: usize| {
        let (task, copy) = (i / copies, i % copies);
        json!({"sample_id": format!("t{task:02}-{copy}"), "prompt": format!("question {i}"), "assertions": checks(),
            "cluster": format!("t{task:02}")})
    };
    let samples: Value = (0..tasks * copies).map(sample).collect();
    RecordedProject::with_samples(samples, &["v1", "v2"], 1, |at| {
        let task = at.sample / copies;
        let ground = 30 + u32::try_from(task * 7 % 20).unwrap();
        fact(if at.variant == 0 { ground } else { ground + gain(task) })
    })
}

/// Two runs of one test set: what `omk diff A B` says of `v2`.
fn moved(copies: usize) -> Value {
    let earlier = copied(24, copies, |_| 0);
    let later = copied(24, copies, |task| u32::try_from(task * 5 % 13).unwrap());
    let put = |name: &str, of: &RecordedProject| {
        let mut report = of.report(0, &["--report-only", "--seed", "1"]);
        report["id"] = json!(name);
        later.context.write(&format!("kept/{name}.json"), &report.to_string()).to_str().unwrap().to_owned()
    };
    let (a, b) = (put("a", &earlier), put("b", &later));
    later.context.run(&["diff", &a, &b, "--variant", "v2", "--json"]).expect(0).json()
}

#[test]
fn copies_of_samples_narrow_no_interval_between_two_runs() {
    let (alone, copied) = (moved(1), moved(3));
    let [alone, copied] = [&alone["comparisons"][0], &copied["comparisons"][0]];
    for of in ["n", "mean", "sd", "ci", "pValue"] {
        assert_eq!(alone["diff"][of], copied["diff"][of], "{of}");
        assert_eq!(alone["layers"]["fact"][of], copied["layers"]["fact"][of], "layer: {of}");
    }
    assert_eq!(alone["durationMs"]["n"], copied["durationMs"]["n"]);
    assert_eq!([&alone["meanA"], &alone["meanB"]], [&copied["meanA"], &copied["meanB"]]);
    assert_eq!(copied["samples"].as_array().unwrap().len(), 72);
}

#[test]
fn copies_of_samples_count_once_in_a_trend() {
    let project = copied(24, 3, |task| u32::try_from(task * 5 % 13).unwrap());
    let flags = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--report-only"];
    project.context.run(&flags).expect(0);
    let of = project.context.run(&["trend", "--json"]).expect(0).json();
    assert_eq!(of["series"][0]["points"][0]["differences"][0]["n"], 24);
}

/// 24 tasks with two samples each: two capabilities, one of them in two spellings, all difficulties; the last six tasks say
/// nothing of themselves.
fn described() -> RecordedProject {
    let sample = |i: usize| {
        let task = i / 2;
        let mut sample = json!({"sample_id": format!("t{task:02}-{}", i % 2), "prompt": format!("question {i}"),
            "assertions": checks(), "cluster": format!("t{task:02}")});
        if task < 18 {
            sample["capability"] = match task {
                0..8 => json!([if i.is_multiple_of(2) { "refund" } else { "Refund" }]),
                8..10 => json!(["refund", "billing"]),
                _ => json!(["billing"]),
            };
            sample["difficulty"] = json!(["hard", "easy", "medium"][task % 3]);
            sample["construct"] = json!("quality");
            sample["provenance"] = json!("production-trace");
        }
        sample
    };
    RecordedProject::with_samples((0..48).map(sample).collect(), &["v1", "v2"], 1, |at| {
        let task = u32::try_from(at.sample / 2).unwrap();
        let ground = 30 + task * 7 % 20;
        let gain = if task < 10 { 4 + task % 3 } else { task % 13 };
        fact(if at.variant == 0 { ground } else { ground + gain })
    })
}

/// The cells of the table's row that begins with `label`.
fn row<'t>(text: &'t str, label: &str) -> Vec<&'t str> {
    let table = text.rsplit_once("by `").expect("a table").1;
    let line = table.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("no {label}: {text}"));
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn table_by_a_key_counts_tasks_and_has_the_reports_intervals() {
    let project = described();
    let text = project.eval(&["--report-only", "--by", "capability"]).expect(0).stdout;
    let report = project.context.report();
    let capability = |name: &str| {
        let all = report["comparisons"][0]["capabilities"].as_array().unwrap();
        all.iter().find(|of| of["name"] == name).unwrap_or_else(|| panic!("{all:?}")).clone()
    };
    for (name, samples, tasks) in [("refund", "20", "10"), ("billing", "20", "10")] {
        let (cells, stored) = (row(&text, name), capability(name));
        assert_eq!(cells[1..3], [samples, tasks], "{text}");
        let number = |of: &Value| of.as_f64().unwrap();
        let ci = &stored["diff"]["ci"];
        let expected =
            format!("{:+.2} [{:+.2}, {:+.2}]", number(&stored["mean"]), number(&ci["low"]), number(&ci["high"]));
        assert_eq!(cells[5], expected, "{text}");
        let mean = |cell: &str| cell.parse::<f64>().unwrap();
        assert!((mean(cells[4]) - mean(cells[3]) - number(&stored["mean"])).abs() < 0.011, "{text}");
    }
    assert_eq!(row(&text, "(none)")[1..3], ["12", "6"], "{text}");
    // the key is stored, and every number follows from what is stored
    let first = &report["results"][0];
    assert_eq!(
        [&first["difficulty"], &first["construct"], &first["provenance"]],
        [&json!("hard"), &json!("quality"), &json!("production-trace")]
    );
    assert!(report["results"][47].get("difficulty").is_none());
    let again = project.context.run(&["report", "verdict", "latest", "--json"]).expect(0).json();
    assert_eq!(again["agrees"], true, "{again:#}");
}

#[test]
fn table_has_a_row_for_each_value_of_any_key() {
    let project = described();
    let text = project.eval(&["--report-only", "--by", "difficulty"]).expect(0).stdout;
    let places: Vec<usize> = ["\neasy", "\nmedium", "\nhard", "\n(none)"].map(|of| text.rfind(of).unwrap()).to_vec();
    assert!(places.is_sorted(), "{text}");
    assert_eq!(row(&text, "hard")[1..3], ["12", "6"], "{text}");
    assert!(!row(&text, "hard")[5].contains('['), "{text}");
    for (key, value, tasks) in
        [("construct", "quality", "18"), ("provenance", "production-trace", "18"), ("cluster", "t07", "1")]
    {
        let text = project.eval(&["--report-only", "--by", key]).expect(0).stdout;
        assert_eq!(row(&text, value)[2], tasks, "{text}");
    }
    let text = project.eval(&["--report-only", "--by", "difficulty", "--lang", "zh"]).expect(0).stdout;
    assert!(text.contains("按 `difficulty`") && text.contains("（未写明）"), "{text}");
    // standard output is the report alone
    project.eval(&["--report-only", "--by", "difficulty", "--json"]).expect(0).json();
    let refused = project.eval(&["--by", "colour"]).expect(2).stderr;
    for key in ["capability", "difficulty", "construct", "provenance", "cluster"] {
        assert!(refused.contains(key), "{refused}");
    }
}

#[test]
fn table_shows_no_scores_of_a_task_that_is_held_out() {
    let project = described();
    let text = project.eval(&["--report-only", "--by", "cluster", "--holdout", "0.4"]).expect(0).stdout;
    let report = project.context.report();
    let results = report["results"].as_array().unwrap();
    let mut held_out = 0;
    for of in results {
        let cells = row(&text, of["cluster"].as_str().unwrap());
        assert_eq!(cells[3] == "–", of["holdout"] == true, "{text}");
        held_out += usize::from(of["holdout"] == true);
    }
    assert!(held_out > 0 && held_out < results.len());
}
