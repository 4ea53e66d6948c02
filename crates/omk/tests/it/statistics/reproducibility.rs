//! The same report on any number of threads.

use std::fs;

use eval_spec::{Layer, Outcome};
use serde_json::{Value, json};

use super::hundredths;
use crate::fixtures::recorded::{RecordedProject, checked, ended, fact};
use crate::fixtures::scores::{better, ground, paired, uneven};

#[test]
fn intervals_depend_on_the_seed_and_not_on_the_number_of_threads() {
    let mut prepared = paired(24, |i| (ground(i), ground(i) + uneven(i)));
    // Every bound of this method is a resampled one.
    let first = prepared.report(1, &["--ci", "percentile"]);
    let bounds = |report: &Value| report["comparisons"][0]["diff"]["ci"].clone();
    prepared.context.env("RAYON_NUM_THREADS", "1");
    let alone = prepared.report(1, &["--ci", "percentile", "--concurrency", "16"]);
    assert_eq!(bounds(&alone), bounds(&first));
    let reseeded = prepared.report(1, &["--ci", "percentile", "--seed", "7"]);
    assert_eq!(reseeded["meta"]["seed"], json!(7));
    assert_ne!(bounds(&reseeded), bounds(&first), "another seed draws other resamples");
    // The default seed comes from the test set: other answers to the same samples keep it, another test set changes
    // it.
    let same = paired(24, |i| (ground(i), ground(i))).report(1, &[]);
    assert_eq!(same["meta"]["seed"], first["meta"]["seed"]);
    assert_ne!(better(42).report(0, &[])["meta"]["seed"], first["meta"]["seed"]);
}

#[test]
fn report_bytes_do_not_depend_on_the_number_of_threads() {
    let prepared = RecordedProject::new(60, &["v1", "v2", "v3"], 3, &[Layer::Fact], |at| match at.sample {
        7 => ended(Outcome::Refused),
        _ => fact(hundredths(at)),
    });
    let flags = ["--holdout", "0.3", "--seed", "11", "--report-only"];
    prepared.eval(&flags).expect(0);
    let path = prepared.context.report_path();
    let on = |threads: &str| {
        fs::remove_file(&path).unwrap();
        let mut command = prepared.context.command(&["eval", "--resume", "latest"]);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (fs::read(&path).unwrap(), output.stdout)
    };
    let (one, sixteen) = (on("1"), on("16"));
    assert!(one == sixteen, "the reports differ");
    checked(&path);
}
