//! Which samples are one task, and what their cluster is called.

use eval_spec::Layer;
use serde_json::{Value, json};

use crate::fixtures::recorded::{RecordedProject, assertions, fact};
use crate::fixtures::scores::{gain, ground, tier};

/// Samples of this id, prompt and cluster, in this order; a sample's scores follow from its id.
fn project(samples: &[(&str, String, Option<&str>)]) -> RecordedProject {
    let sample = |(id, prompt, cluster): &(&str, String, Option<&str>)| {
        let mut sample = json!({"sample_id": id, "prompt": prompt, "assertions": assertions(&[Layer::Fact])});
        if let Some(cluster) = cluster {
            sample["cluster"] = json!(cluster);
        }
        sample
    };
    let ids: Vec<String> = samples.iter().map(|(id, ..)| (*id).to_owned()).collect();
    let made = samples.iter().map(sample).collect();
    RecordedProject::with_samples(made, &["v1", "v2"], 1, move |at| {
        let seen = ids[at.sample].bytes().map(usize::from).sum::<usize>();
        fact(ground(seen) + if at.variant == 1 { gain(seen) } else { 0 })
    })
}

/// The clusters by name, each with its samples.
fn clusters(report: &Value) -> Vec<(String, Vec<String>)> {
    let texts = |of: &Value| of.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    let cluster = |of: &Value| (of["name"].as_str().unwrap().to_owned(), texts(&of["samples"]));
    let mut all: Vec<(String, Vec<String>)> = report["clusters"].as_array().unwrap().iter().map(cluster).collect();
    all.iter_mut().for_each(|(_, samples)| samples.sort());
    all.sort();
    all
}

/// A text of 60 words, the ones from `from` on of another kind.
fn text(kind: &str, changed: std::ops::Range<usize>) -> String {
    let word =
        |i: usize| if changed.contains(&i) { format!("{kind}{i}") } else { format!("word{}", i * 7919 % 104_729) };
    (0..60).map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn near_duplicates_have_no_name_that_a_sample_declares() {
    // two groups of copies, whose first ids others declare as their cluster; of one group all ids
    let copies = |id: &'static str, kind: &str| (id, text(kind, 0..60), None);
    let named = |id: &'static str, cluster: &'static str| (id, format!("a question of its own, {id}"), Some(cluster));
    let samples = vec![
        copies("a1", "first"),
        copies("a2", "first"),
        copies("b1", "second"),
        copies("b2", "second"),
        named("c1", "a1"),
        named("c2", "a1"),
        named("d1", "b1"),
        named("d2", "b1"),
        named("e1", "b2"),
        named("e2", "b2"),
        ("b1 (2)", "alone".to_owned(), None),
    ];
    let expected = [
        ("a1", ["c1", "c2"]),
        ("a2", ["a1", "a2"]),
        ("b1", ["d1", "d2"]),
        ("b1 (3)", ["b1", "b2"]),
        ("b2", ["e1", "e2"]),
    ];
    let reversed = samples.iter().rev().cloned().collect::<Vec<_>>();
    for samples in [samples, reversed] {
        let prepared = project(&samples);
        let report = prepared.report(0, &["--report-only"]);
        let found = clusters(&report);
        let found: Vec<(&str, Vec<&str>)> =
            found.iter().map(|(name, of)| (name.as_str(), of.iter().map(String::as_str).collect())).collect();
        let wanted: Vec<(&str, Vec<&str>)> = expected.iter().map(|(name, of)| (*name, of.to_vec())).collect();
        assert_eq!(found, wanted);
        // eleven samples, six tasks, for whoever reads the report
        assert_eq!(report["comparisons"][0]["diff"]["n"], 6);
        let path = std::fs::read_dir(prepared.context.path("out")).unwrap().next().unwrap().unwrap().path();
        let path = path.to_str().unwrap();
        let again = prepared.context.run(&["report", "verdict", path, "--json"]).expect(0).json();
        assert_eq!(
            (&again["agrees"], &again["recomputed"]["tier"]),
            (&json!(true), &json!(tier(&report))),
            "{again:#}"
        );
        let diff = prepared.context.run(&["diff", path, "--json"]).expect(0).json();
        assert_eq!(diff["comparisons"][0]["diff"]["n"], 6, "{diff:#}");
        let table = prepared.eval(&["--report-only", "--by", "cluster"]).expect(0).stdout;
        for (name, _) in &wanted {
            let row = |line: &&str| line.trim_start().starts_with(&format!("{name}  "));
            let row =
                table.rsplit_once("by `").unwrap().1.lines().find(row).unwrap_or_else(|| panic!("{name}: {table}"));
            let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
            assert_eq!(cells[1..3], ["2", "1"], "{table}");
        }
    }
}

/// In each of 40 families, `b` is like `a` and like `c`, which are less like each other: which of them comes first must not
/// part them.
#[test]
fn near_duplicates_do_not_depend_on_the_order_of_the_file() {
    let of = |id: &str, family: usize| {
        let changed = match id {
            "a" => 0..4,
            "c" => 56..60,
            _ => 0..0,
        };
        let word = |i: usize| match changed.contains(&i) {
            true => format!("{id}{family}x{i}"),
            false => format!("word{}", (family * 60 + i) * 7919 % 104_729),
        };
        (format!("{id}{family:02}"), (0..60).map(word).collect::<Vec<_>>().join(" "), None)
    };
    let found = |order: [&str; 3]| {
        let samples: Vec<(String, String, Option<&str>)> =
            order.into_iter().flat_map(|id| (0..40).map(move |family| of(id, family))).collect();
        let samples: Vec<(&str, String, Option<&str>)> =
            samples.iter().map(|(id, text, cluster)| (id.as_str(), text.clone(), *cluster)).collect();
        clusters(&project(&samples).report(0, &["--report-only", "--bootstrap-samples", "1000"]))
    };
    let first = found(["a", "b", "c"]);
    assert!(first.len() > 20, "{first:#?}");
    for order in [["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]] {
        assert_eq!(found(order), first, "{order:?}");
    }
}
