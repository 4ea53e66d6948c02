//! Reports on disk: valid, reproducible, whole, and read again.

use std::fs;

use eval_analysis::{Cells, RunStatus, analyse, report_json, write};
use eval_format::{Analysis, ReadError, ReportError, SampleResult, report_id};
use eval_history::{read, read_analysis};
use eval_message::msg;
use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use eval_spec::record::Record;
use eval_spec::{ExecError, Failure, Layer, Outcome};
use eval_verdict::verdict;
use serde_json::{Value, json};

use crate::world::{At, Came, World, fact, facts, root};

/// A run in which everything happens.
fn eventful() -> World {
    let mut world = World::new(8, &["v1", "v2", "v3"], 2, |at| match (at.sample, at.variant) {
        (0, 0) => Came::Failed(Failure::Timeout),
        (1, 1) => Came::Ended(Outcome::Refused),
        (2, 2) => Came::NotRun,
        (3, _) => Came::To(Vec::new()),
        (4, _) => Came::To(vec![
            (Layer::Fact, 1.0, Some(at.repeat == 0)),
            (Layer::Behavior, 0.5, None),
            (Layer::Judge, 1.0, Some(true)),
        ]),
        _ => facts((at.sample + at.variant + at.repeat) % 4, 3),
    });
    world.ended = RunStatus::Incomplete {
        reason: eval_format::IncompleteReason::Interrupted,
        detail: Some(msg!("report-missing-interrupted")),
    };
    let agent = At { sample: 5, variant: 0, repeat: 0 };
    world.output(agent).trace = Trace {
        cwd: None,
        turns: Some(2),
        steps: vec![
            Step::Text { text: "let me look".to_owned() },
            Step::Tool(ToolCall {
                id: "call-1".to_owned(),
                name: "Bash".to_owned(),
                input: json!({ "command": "ls" }),
                output: Some(ToolOutput { text: "a\u{1b}[31mb".to_owned(), is_error: false, ..ToolOutput::default() }),
                ..ToolCall::default()
            }),
        ],
    };
    world.record(agent).execution.failed_attempts =
        vec![ExecError::new(Failure::Dropped, msg!("report-missing-dropped"))];
    world.record(At { sample: 6, variant: 0, repeat: 0 }).execution.cached = true;
    world
}

#[track_caller]
fn assert_valid(report: &Value) {
    let schema = jsonschema::validator_for(&eval_format::report_schema()).unwrap();
    let errors: Vec<String> =
        schema.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn every_report_is_valid_against_the_schema() {
    let mut blind = eventful();
    blind.suite.settings.blind = true;
    for world in [
        eventful(),
        blind,
        World::new(1, &["v1"], 1, |_| fact(true)),
        World::new(0, &["v1", "v2"], 1, |_| fact(true)),
        World::new(24, &["v1", "v2"], 1, |at| facts(2 + at.variant, 4)),
    ] {
        assert_valid(&world.value());
    }
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema = jsonschema::validator_for(&eval_format::report_schema()).unwrap();
    let whole = World::new(2, &["v1", "v2"], 1, |_| fact(true)).value();
    assert!(schema.is_valid(&whole));
    for path in
        ["/verdict/tier", "/summary/v1/outcomes", "/results/0/variants/v1/compositeScore", "/comparisons/0/diff/ci"]
    {
        let mut broken = whole.clone();
        *broken.pointer_mut(path).unwrap() = json!("nonsense");
        assert!(!schema.is_valid(&broken), "{path}");
        let (parent, name) = path.rsplit_once('/').unwrap();
        let mut lacking = whole.clone();
        lacking.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
        assert!(!schema.is_valid(&lacking), "{path} may not be left out");
    }
}

/// Run with `UPDATE_SCHEMAS=1` to write the file anew.
#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = root().join("schemas/report.schema.json");
    let generated = format!("{:#}\n", eval_format::report_schema());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &generated).unwrap();
    }
    let is_current = fs::read_to_string(&path).unwrap() == generated;
    assert!(is_current, "schemas/report.schema.json is stale: run the tests with UPDATE_SCHEMAS=1");
}

#[test]
fn same_plan_same_records_same_seed_same_bytes() {
    let first = eventful().json();
    assert_eq!(eventful().json(), first);
    let mut other = eventful();
    other.seed = 8;
    assert_ne!(other.json(), first);
    // and on one thread
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| eventful().json()), first);
}

#[test]
fn a_report_reads_back_as_it_was_written() {
    let world = eventful();
    let dir = tempfile::tempdir().unwrap();
    let analysis = world.analyse();
    let path =
        world.with_cells(|cells| write(&analysis, &world.suite, cells, &dir.path().join("new/reports"))).unwrap();
    assert_eq!(path.file_name().unwrap(), "2026-03-24T15-30-45-v1-v2-v3.json");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no temporary file stays");
    assert_eq!(fs::read(&path).unwrap(), world.json());
    let report = read(&path).unwrap();
    assert_eq!(report.results.len(), 8);
    assert_eq!(report.clone().with_results(eval_format::report::NoResults), analysis);
    let without_results: Analysis = read_analysis(&path).unwrap();
    assert_eq!(without_results, analysis);
    assert_eq!(serde_json::to_value(&report).unwrap(), world.value());
}

#[test]
fn the_verdict_of_a_stored_report_can_be_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    for world in [eventful(), World::new(24, &["v1", "v2"], 1, |at| facts(2 + (at.variant + at.sample) % 3, 7))] {
        let analysis = world.analyse();
        let path = world.with_cells(|cells| write(&analysis, &world.suite, cells, dir.path())).unwrap();
        let stored = read_analysis(&path).unwrap().verdict;
        assert_eq!(verdict(&stored.inputs), stored);
        assert_eq!(stored, analysis.verdict);
    }
}

#[test]
fn the_same_run_is_replaced_and_a_file_of_another_version_is_not() {
    let world = World::new(1, &["v1"], 1, |_| fact(true));
    let dir = tempfile::tempdir().unwrap();
    let analysis = world.analyse();
    let again = || world.with_cells(|cells| write(&analysis, &world.suite, cells, dir.path()));
    let path = again().unwrap();
    again().unwrap();
    for (number, tier) in [(0, "NOISE"), (99, "NOISE"), (99, "SPLENDID")] {
        let mut other = world.value();
        (other["schemaVersion"], other["verdict"]["tier"]) = (json!(number), json!(tier));
        fs::write(&path, other.to_string()).unwrap();
        let is_refused = |error: ReportError| matches!(error, ReportError::OtherVersion { version, reads: 1, .. } if version == number);
        assert!(is_refused(again().unwrap_err()));
        assert!(is_refused(read(&path).unwrap_err()));
        assert!(is_refused(read_analysis(&path).unwrap_err()));
    }
}

#[test]
fn what_is_no_report_is_said_to_be_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    assert!(matches!(read(&path), Err(ReportError::File { .. })));
    let whole = World::new(1, &["v1"], 1, |_| fact(true)).json();
    for text in [&b""[..], b"null", b"{}", b"{\"schemaVersion\": 1}", &whole[..whole.len() / 2], b"\xff\xfe"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(read(&path), Err(ReportError::Damaged { .. })));
        assert!(matches!(read_analysis(&path), Err(ReportError::Damaged { .. })));
    }
}

#[test]
fn an_id_is_a_file_name_and_nothing_more() {
    let world = World::new(1, &["v1"], 1, |_| fact(true));
    let dir = tempfile::tempdir().unwrap();
    for id in ["", "../evil", "a/b", "..", ".hidden", "a\0b", "a b", &"x".repeat(300)] {
        let analysis = Analysis { id: id.to_owned(), ..world.analyse() };
        let written = world.with_cells(|cells| write(&analysis, &world.suite, cells, dir.path()));
        assert!(matches!(written, Err(ReportError::BadId { .. })), "{id:?}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn ids_are_safe_and_never_given_twice() {
    let started = "2026-03-24T15:30:45.9Z".parse().unwrap();
    assert_eq!(report_id(started, &["v1", "v2"], |_| false), "2026-03-24T15-30-45-v1-v2");
    assert_eq!(report_id(started, &["../a b", "基线"], |_| false), "2026-03-24T15-30-45-.._a_b-基线");
    let taken = ["2026-03-24T15-30-45-v1", "2026-03-24T15-30-45-v1-2"];
    assert_eq!(report_id(started, &["v1"], |id| taken.contains(&id)), "2026-03-24T15-30-45-v1-3");
    let long = report_id(started, &["基".repeat(200).as_str()], |_| false);
    assert!(long.len() < 200);
}

#[test]
fn a_record_that_cannot_be_read_leaves_no_file() {
    let world = World::new(4, &["v1"], 1, |_| fact(true));
    let analysis = world.analyse();
    let dir = tempfile::tempdir().unwrap();
    let broken = |i: usize| -> Result<Option<Record>, ReadError> {
        if i == 2 { Err("line 7 is damaged".into()) } else { Ok(world.records[i].clone()) }
    };
    let cells = Cells { plan: &world.plan, read: &broken, replaced: &|_| Ok(None), pair: &|_| Ok(None), texts: None };
    let error = write(&analysis, &world.suite, &cells, dir.path()).unwrap_err();
    assert_eq!(error.to_string(), "the record of a run can't be read: line 7 is damaged");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    assert!(matches!(analyse(&world.suite, &cells, world.meta(), RunStatus::Complete), Err(ReportError::Read(_))));
}

#[test]
fn a_writer_that_refuses_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let world = World::new(1, &["v1"], 1, |_| fact(true));
    let analysis = world.analyse();
    let written = world.with_cells(|cells| report_json(&analysis, &world.suite, cells, &mut Full));
    assert!(matches!(written, Err(ReportError::Output { .. })));
}

#[test]
fn what_the_author_wrote_stands_in_the_details() {
    let mut world = World::new(1, &["v1"], 1, |_| fact(false));
    let assertion = &mut world.suite.samples[0].assertions[0];
    assertion.written = json!({ "type": "contains", "value": "SQL", "extract": "fenced", "weight": 2, "not": true })
        .as_object()
        .unwrap()
        .clone();
    (assertion.weight, assertion.not) = (2.0, true);
    let result: SampleResult = world.report().results.remove(0);
    let detail = serde_json::to_value(&result.variants["v1"].assertions.details[0]).unwrap();
    assert_eq!(
        detail,
        json!({
            "type": "contains", "value": "SQL", "extract": "fenced", "weight": 2.0, "not": true, "passed": false,
            "layer": "fact", "actual": 1, "message": null,
        })
    );
}

#[test]
fn an_unknown_interval_is_an_error_and_every_known_one_is_named() {
    let mut world = World::new(8, &["v1", "v2"], 1, |at| facts((at.sample + at.variant) % 4, 4));
    for ci in ["expanded", "percentile", "bca", "t"] {
        world.suite.settings.ci = ci.to_owned();
        assert_eq!(world.value()["comparisons"][0]["diff"]["ci"]["method"], ci);
    }
    world.suite.settings.ci = "magic".to_owned();
    let analysed = world.with_cells(|cells| analyse(&world.suite, cells, world.meta(), RunStatus::Complete));
    assert!(matches!(analysed, Err(ReportError::UnknownInterval { .. })));
}

/// The whole document, so that a change of the format is a change of this file.
#[test]
fn golden() {
    let world = World::new(2, &["v1", "v2"], 2, |at| match (at.sample, at.variant, at.repeat) {
        (1, 1, 1) => Came::Failed(Failure::Timeout),
        (0, variant, repeat) => Came::To(vec![
            (Layer::Fact, 1.0, Some(variant == 1)),
            (Layer::Fact, 1.0, Some(repeat == 0)),
            (Layer::Behavior, 1.0, if variant == 0 { None } else { Some(true) }),
        ]),
        (_, variant, _) => facts(1 + variant, 2),
    });
    let document: Value = serde_json::from_slice(&world.json()).unwrap();
    insta::assert_snapshot!(format!("{document:#}\n"));
}
