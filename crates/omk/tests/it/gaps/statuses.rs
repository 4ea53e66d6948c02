//! Statuses of gaps, and gaps that come back.

use serde_json::{Value, json};

use super::{eval, project, said, set_agent};
use crate::fixtures::context::TestContext;
use crate::run::{pages, valid};

fn ids(context: &TestContext) -> Vec<String> {
    let report = valid(context.report());
    let inventory = report["analysis"]["gap"]["v1"]["inventory"].as_array().cloned().unwrap_or_default();
    inventory.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn gaps_have_the_same_id_from_report_to_report() {
    let context = project();
    eval(&context);
    let first = ids(&context);
    set_agent(&context, &["schema.*revenue"]);
    eval(&context);
    assert_eq!(ids(&context), first, "the same words want the same");
    set_agent(&context, &["customers"]);
    eval(&context);
    assert_ne!(ids(&context), first);
}

#[test]
fn gap_marked_as_done_that_comes_back_is_named() {
    let context = project();
    eval(&context);
    let id = ids(&context).remove(0);
    let listed = context.run(&["gaps", "list"]).expect(0);
    for text in [id.as_str(), "open", "revenue_schema", "gap rate 50.0 %", "eval-samples.json@", "does not represent"] {
        assert!(said(&listed).contains(text), "{text}\n{}", listed.stdout);
    }
    context.write("docs/tables.md", "The schema of revenue has two fields.\n");
    context.write("eval.yaml", "kb: [docs]\n");
    let with_page = said(&context.run(&["gaps", "list"]).expect(0));
    assert!(with_page.contains(&format!("{id} exists, not found: `docs/tables.md:1`")), "{with_page}");
    std::fs::remove_file(context.path("eval.yaml")).unwrap();
    context.run(&["gaps", "done", &id]).expect(0);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(context.path("gaps.json")).unwrap()).unwrap();
    assert_eq!(
        (&file["gaps"][&id]["status"], &file["gaps"][&id]["subject"]),
        (&json!("done"), &json!("revenue_schema"))
    );
    set_agent(&context, &[]);
    let without = eval(&context);
    assert!(!said(&without).contains("came back"), "{}", without.stdout);
    assert!(!pages(&context).concat().contains("came back"));
    set_agent(&context, &["revenue_schema"]);
    let back = eval(&context);
    assert!(said(&back).contains(&format!("came back: `revenue_schema` ({id}) was marked as done")), "{}", back.stdout);
    for page in pages(&context) {
        assert!(page.contains(&format!("came back: revenue_schema ({id}) was marked as done")), "{page}");
    }
    assert_eq!(context.report()["analysis"]["gap"]["v1"]["inventory"][0]["decision"]["status"], "done");
    context.run(&["report", "verdict", "latest"]).expect(0);
    assert!(said(&context.run(&["gaps", "list"])).contains("done, came back"));
    context.run(&["gaps", "reopen", &id]).expect(0);
    assert!(!said(&eval(&context)).contains("came back"));
}

#[test]
fn dismissed_gap_has_its_reason_and_counts_all_the_same() {
    let context = project();
    eval(&context);
    let id = ids(&context).remove(0);
    context.run(&["gaps", "dismiss", &id]).expect(2);
    context.run(&["gaps", "dismiss", &id, "--reason", " "]).expect(2);
    context.run(&["gaps", "dismiss", &id, "--reason", "another team's table"]).expect(0);
    let listed = context.run(&["gaps", "list"]).expect(0);
    assert!(said(&listed).contains("is dismissed: another team's table"), "{}", listed.stdout);
    eval(&context);
    let gap = context.report()["analysis"]["gap"]["v1"].clone();
    assert_eq!((&gap["inventory"][0]["decision"]["status"], &gap["gapRate"]), (&json!("dismissed"), &json!(0.5)));
}

#[test]
fn unknown_gaps_and_damaged_files_are_refused() {
    let context = project();
    eval(&context);
    let unknown = context.run(&["gaps", "done", "gap-00000000"]).expect(2);
    assert!(
        unknown.stderr.contains("no gap `gap-00000000`") && unknown.stderr.contains("omk gaps list"),
        "{}",
        unknown.stderr
    );
    context.write("gaps.json", "{\n  \"formatVersion\": 1,\n  \"gaps\": []\n}\n");
    let runs = context.reports().len();
    for refused in [eval(&context).expect(2), context.run(&["gaps", "list"]).expect(2)] {
        assert!(refused.stderr.contains("gaps.json") && refused.stderr.contains("line 3"), "{}", refused.stderr);
    }
    assert_eq!(context.reports().len(), runs);
    context.write("gaps.json", "{\"formatVersion\": 9, \"gaps\": {}}");
    assert!(context.run(&["gaps", "list"]).expect(2).stderr.contains("version 9"));
}
