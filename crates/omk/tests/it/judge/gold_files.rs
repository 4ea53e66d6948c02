//! Gold files: templates, their placement, and errors in them.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::labelled::{LabelledProject, gain, of_output};

#[test]
fn blind_template_hides_variants_and_is_still_matched() {
    let project = LabelledProject::honest(12, gain);
    project.eval(&[]).expect(1);
    project.gold(&["init", "latest", "--blind", "--annotator", "ann"]).expect(0);
    let mut first = 0;
    for path in project.files() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("\"variant\"") && !text.contains("\"v1\"") && !text.contains("\"repeat\""), "{text}");
        let file: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&file["prompt"].is_string(), &file["criteria"]["rubric"]), (&true, &json!("names the cause")));
        first += usize::from(of_output(file["annotations"][0]["output"].as_str().unwrap()).1);
    }
    assert!((1..12).contains(&first), "the treatment is neither always first nor never: {first}");
    project.fill();
    let compared = project.compare();
    assert_eq!((&compared["counts"]["used"], &compared["overall"]["alpha"]["value"]), (&json!(24), &json!(1.0)));
}

#[test]
fn scored_gold_is_not_overwritten() {
    let project = LabelledProject::honest(4, gain);
    project.eval(&["--report-only"]).expect(0);
    project.gold(&["init", "latest", "--annotator", "ann", "--samples", "2"]).expect(0);
    project.fill_with(|_| Some(4.5));
    let before: Vec<String> = project.files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let again = project.gold(&["init", "latest", "--annotator", "ann", "--samples", "2"]).expect(0);
    assert!(again.stdout.contains("nothing new to score") && again.stdout.contains("4 outputs were there already"));
    let after: Vec<String> = project.files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(after, before);
    // A larger suite includes the earlier samples, and a second person is added.
    project.gold(&["init", "latest", "--annotator", "ann", "--samples", "3"]).expect(0);
    assert_eq!(project.files().len(), 3);
    project.gold(&["init", "latest", "--annotator", "bob", "--samples", "2"]).expect(0);
    let report = project.gold(&["validate", "latest", "--json"]).expect(0).json();
    assert_eq!((&report["annotations"], &report["scores"], &report["open"]), (&json!(10), &json!(4), &json!(6)));
    assert_eq!(report["annotators"], json!(["ann", "bob"]));
    // An unreadable file is not replaced.
    let broken = project.files().remove(0);
    fs::write(&broken, "{ \"annotations\": [").unwrap();
    project.gold(&["init", "latest", "--annotator", "cid"]).expect(2);
    assert_eq!(fs::read_to_string(&broken).unwrap(), "{ \"annotations\": [");
}

/// Directory names are untrusted text on the terminal.
#[test]
fn gold_file_names_are_printed_without_control_characters() {
    let project = LabelledProject::honest(2, gain);
    project.eval(&["--report-only"]).expect(0);
    let hostile = "go\u{1b}[2J\u{1b}]0;title\u{7}ld\u{202e}\nPROGRESS";
    for arguments in [&["gold", "init", "latest"][..], &["gold", "validate"]] {
        let finished = project.context.run(&[arguments, &["--gold-dir", hostile]].concat()).expect(0);
        assert!(finished.stdout.contains("`gold⟦U+202E⟧ PROGRESS`"), "{finished:?}");
        assert!(!finished.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{finished:?}");
        assert!(!finished.stdout.contains("\nPROGRESS"), "{finished:?}");
    }
    let begun = project.context.run(&["gold", "init", "latest", "--gold-dir", "other"]).expect(0);
    assert!(begun.stdout.contains("\n  omk gold compare latest --gold-dir other\n"), "{begun:?}");
}

#[test]
fn minimal_gold_form_matches_the_only_output() {
    let project = LabelledProject::honest(8, gain);
    project.eval(&["--control", "v1", "--report-only"]).expect(0);
    for i in 1..=8 {
        let content = json!({"annotator": "ann", "scores": {"rubric": gain(i).0}});
        project.context.write(&format!("gold/s{i:03}.json"), &content.to_string());
    }
    let compared = project.compare();
    let counts = &compared["counts"];
    assert_eq!((&counts["used"], &counts["unverified"], &compared["overall"]["n"]), (&json!(8), &json!(8), &json!(8)));
    assert_eq!(compared["overall"]["alpha"]["value"], 1.0);
    // With two variants it is ambiguous which output was scored.
    project.eval(&["--report-only"]).expect(0);
    let compared = project.compare();
    assert_eq!((&compared["counts"]["used"], &compared["counts"]["unplaced"]), (&json!(0), &json!(8)));
    let compared = project.gold(&["compare", "latest", "--variant", "v1", "--json"]).expect(0).json();
    assert_eq!(compared["overall"]["alpha"]["value"], 1.0);
    let wrong = project.gold(&["compare", "latest", "--variant", "v3"]).expect(2);
    assert!(wrong.stderr.contains("no variant `v3`") && wrong.stderr.contains("`v1`, `v2`"), "{wrong:?}");
}

#[test]
fn invalid_gold_stops_the_run_before_the_first_call() {
    let project = LabelledProject::honest(4, gain);
    project
        .context
        .write("gold/s001.json", "{\n  \"annotator\": \"ann\",\n  \"scores\": {\"rubrik\": 4, \"rubric\": \"5\"}\n}\n");
    project.context.write("gold/s002.json", "[]");
    let wrong = project.eval(&["--gold-dir", "gold"]).expect(2);
    for part in ["gold/s001.json:3:14", "did you mean `rubric`?", "found the text `5`", "gold/s002.json:1:1"] {
        assert!(wrong.stderr.contains(part), "no `{part}` in\n{}", wrong.stderr);
    }
    assert_eq!(project.api.count(), 0);
    let validated = project.gold(&["validate", "--json"]).expect(2).json();
    assert_eq!(validated["diagnostics"][0]["line"], 3, "{validated}");
    // Without a report the questions are unknown.
    assert_eq!(validated["diagnostics"].as_array().unwrap().len(), 2);

    fs::remove_dir_all(project.context.path("gold")).unwrap();
    let missing = project.eval(&["--gold-dir", "gold"]).expect(2);
    assert!(missing.stderr.contains("no directory `gold`"), "{missing:?}");
    project.context.write("eval.yaml", "goldDir: nowhere\n");
    assert!(project.eval(&[]).expect(2).stderr.contains("eval.yaml:1:10"));
    fs::remove_file(project.context.path("eval.yaml")).unwrap();

    project.context.write("elsewhere.json", "{\"annotator\": \"ann\", \"scores\": {\"rubric\": 4}}");
    fs::create_dir(project.context.path("gold")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.json", project.context.path("gold/s001.json")).unwrap();
    assert!(project.gold(&["validate"]).expect(2).stderr.contains("leads out of the gold directory"));
    fs::remove_file(project.context.path("gold/s001.json")).unwrap();
    let huge = fs::File::create(project.context.path("gold/s001.json")).unwrap();
    huge.set_len(1 << 34).unwrap();
    assert!(project.gold(&["validate"]).expect(2).stderr.contains("larger than 64 MiB"));
}

/// Commands read their working directory, so its content is part of their cache key; gold must not be.
#[test]
fn gold_directory_does_not_change_the_cache_key() {
    let context = TestContext::with_agent();
    context.script("judge", "cat > /dev/null\necho no\n");
    context.write("eval-samples.json", r#"[{"sample_id": "s001", "prompt": "x", "rubric": "y"}]"#);
    context.write("gold/s001.json", r#"{"annotator": "ann", "variant": "v1", "scores": {"rubric": 4}}"#);
    let run = || {
        let flags =
            ["--variants", "v1,v2", "--executor", "./agent", "--judge-executor", "./judge", "--gold-dir", "gold"];
        context.run(&[&["eval", "--report-only"], &flags[..]].concat());
        context.report()["summary"]["v1"]["cached"].clone()
    };
    assert_eq!(run(), 0);
    context.write("gold/s001.json", r#"{"annotator": "ann", "variant": "v1", "scores": {"rubric": 5}}"#);
    assert_eq!(run(), 1);
    assert_eq!(context.report()["gold"]["counts"]["unjudged"], 1, "the judge says nothing usable");
}
