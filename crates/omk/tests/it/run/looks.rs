//! Planned looks: a run ends with the look that decides its comparison, or with the last.

use std::collections::BTreeSet;
use std::time::Duration;

use eval_spec::Layer;
use rustix::process::Signal;
use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript, wait_until};

use super::{
    Running, assert_same, counts, eval_with, finished, logging, remove_latency_outliers, says, starts, valid,
    with_agent, without,
};
use crate::fixtures::context::{Finished, TestContext, files};
use crate::fixtures::judged::JudgedProject;
use crate::fixtures::recorded::{RecordedProject, fact};

const STOP: &str = "--stop-when-decided";

/// How many words more `v2` gives for question `p`.
const GAINS: [usize; 5] = [2, 1, 2, 4, 1];

/// Ten words are checked: each is 0.4 points.
fn ten_words() -> Value {
    (0..10).map(|i| json!({"type": "contains", "value": format!("w{i}.")})).collect()
}

/// A project whose `v2` is better by 0.8 points on average, and whose agent first runs `body`.
fn gaining(samples: usize, body: &str) -> TestContext {
    let words = r#"
case $((p % 5)) in 0|2) g=2;; 3) g=4;; *) g=1;; esac
n=$((5 + p % 2)); [ "$a" = better ] && n=$((n + g))
i=0; while [ $i -lt $n ]; do printf 'w%s. ' $i; i=$((i+1)); done; echo"#;
    let context = logging(&format!("{body}{words}"));
    context.samples(samples, &ten_words());
    context
}

fn words(n: usize) -> String {
    (0..n).map(|i| format!("w{i}. ")).collect()
}

/// The same from a server, which sends shorter answers sooner.
fn serving(samples: usize) -> (TestContext, FakeApi) {
    let api = FakeApi::start(ReplyScript::with(|request| {
        let message = |i: usize| request.body["messages"][i]["content"].as_str().unwrap();
        let p: usize = message(1).rsplit(' ').next().unwrap().parse().unwrap();
        let gain = if message(0).contains("better") { GAINS[p % 5] } else { 0 };
        let n = 5 + p % 2 + gain;
        FakeReply::text(words(n)).after(Duration::from_millis(3 * n as u64))
    }));
    let mut context = TestContext::with_agent();
    context.samples(samples, &ten_words());
    context.env("OPENAI_API_KEY", "sk-0123456789abcdef");
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    (context, api)
}

fn number(report: &Value, name: &str) -> u64 {
    report["stopping"][name].as_u64().unwrap_or_else(|| panic!("{name}: {}", report["stopping"]))
}

/// The report without times and without cells that were in progress at the decision.
fn decided_numbers(mut report: Value) -> Value {
    let beyond: BTreeSet<String> = serde_json::from_value(report["stopping"]["beyond"].clone()).unwrap();
    let is_counted = |result: &Value| !beyond.contains(result["sample_id"].as_str().unwrap());
    let is_run = |result: &Value| result["variants"]["v1"]["outcome"] != "not-needed";
    report["results"].as_array_mut().unwrap().retain(|result| is_counted(result) && is_run(result));
    report["id"] = Value::Null;
    let timing = ["timestamp", "startedAt", "durationMs", "avgDurationMs", "requestId", "executorRuntime"];
    without(&timing, &mut report);
    // what a kill interrupted is told
    without(&["failuresBefore"], &mut report);
    without(
        &["samplesSaved", "callsSaved", "judgeCallsSaved", "costSavedEstimate", "costSavedWhy", "beyond"],
        &mut report["stopping"],
    );
    without(&["totalCostUSD", "knownCostUSD", "lostCalls"], &mut report);
    remove_latency_outliers(&mut report);
    report
}

#[test]
fn decided_run_stops_without_a_surplus_call() {
    let (context, api) = serving(40);
    let run = context.run(&eval_with("openai-api", &["--model", "gpt-4o", STOP, "--details"])).expect(0);
    let (text, progress) = (run.stdout, run.stderr);
    let report = valid(context.report());
    let after = number(&report, "decidedAfter");
    assert!(after == 20 || after == 24, "{after}");
    assert_eq!(api.count() as u64, 2 * after);
    assert_eq!((&report["status"], &report["verdict"]["tier"]), (&json!("complete"), &json!("PROGRESS")));
    assert_eq!((number(&report, "callsSaved"), number(&report, "samplesSaved")), (80 - 2 * after, 40 - after));
    assert_eq!(report["stopping"]["beyond"], json!([]));
    assert_eq!(report["comparisons"][0]["diff"]["ci"]["method"], "repeated");
    assert_eq!(report["meta"]["settings"]["looks"], 5);
    let paid = report["meta"]["totalCostUSD"].as_f64().unwrap();
    let saved = report["stopping"]["costSavedEstimate"]["usd"].as_f64().unwrap();
    assert!((saved / paid - (40 - after) as f64 / after as f64).abs() < 0.05, "{saved} beside {paid}");
    assert!(text.contains(&format!("which decided it: {after} of 40 samples")), "{text}");
    // while it goes on, it says which look is next, and shows no interval
    assert!(progress.contains("done, look 1 of 4, ") && !progress.contains("interval"), "{progress}");
    assert!(text.contains(&format!("not needed: {} executions", 80 - 2 * after)), "{text}");
    let id = report["id"].as_str().unwrap();
    context.run(&["report", "verdict", id]).expect(0);
    for format in ["markdown", "html"] {
        let page = context.run(&["report", "export", id, "--format", format, "--lang", "en"]).expect(0).stdout;
        assert!(page.contains("stopped at look ") && page.contains("is overstated"), "{format}");
    }
}

#[test]
fn concurrency_does_not_change_the_decision() {
    let (context, api) = serving(40);
    let run = |concurrency: &str| {
        let more = ["--no-cache", "--concurrency", concurrency, STOP, "--output-dir", concurrency];
        context.run(&eval_with("openai-api", &more)).expect(0);
        valid(
            serde_json::from_slice(&std::fs::read(files(&context.path(concurrency)).pop().unwrap()).unwrap()).unwrap(),
        )
    };
    let one = run("1");
    let before = api.count();
    let many = run("16");
    let under_way = api.count() - before - 2 * usize::try_from(number(&one, "decidedAfter")).unwrap();
    assert!(under_way > 0, "16 at once have some under way");
    let saved = |report: &Value| number(report, "callsSaved");
    assert_eq!(saved(&one) - saved(&many), under_way as u64);
    assert!(!many["stopping"]["beyond"].as_array().unwrap().is_empty());
    assert_same(&decided_numbers(one), &decided_numbers(many));
}

#[test]
fn replayed_answers_give_the_same_decision() {
    let prepared = RecordedProject::new(50, &["v1", "v2", "v3"], 2, &[Layer::Fact], |at| {
        let noise = (at.sample * 7 + at.repeat as usize * 3 + at.variant) % 9;
        fact(u32::try_from(50 + noise + 16 * at.variant).unwrap())
    });
    let one = prepared.report(0, &[STOP, "--concurrency", "1"]);
    let after = number(&one, "decidedAfter");
    assert!(after < 50, "{after}");
    let looks = one["stopping"]["looks"].as_array().unwrap();
    let last = looks.iter().rfind(|look| look["treatments"] != json!([])).unwrap();
    assert_eq!((&last["treatments"][1]["decided"], number(&one, "looked")), (&json!("better"), after));
    assert_eq!(one["comparisons"][0]["diff"]["ci"]["family"], 2);
    let many = prepared.report(0, &[STOP, "--concurrency", "16"]);
    assert_same(&decided_numbers(one), &decided_numbers(many));
}

#[test]
fn undecided_run_uses_every_sample() {
    // one word of ten, up and down by turns
    let context = gaining(26, r#"[ "$a" = better ] && a=$([ $((p % 2)) = 0 ] && echo better || echo plain)"#);
    context.run(&with_agent(&[STOP])).expect(1);
    let report = valid(context.report());
    assert_eq!((&report["stopping"]["decidedAfter"], number(&report, "looked")), (&Value::Null, 26));
    assert_eq!((&report["status"], starts(&context.path("starts")).len()), (&json!("complete"), 52));
    // The last look's interval is read all the same.
    assert_eq!(report["comparisons"][0]["diff"]["ci"]["method"], "repeated");
}

#[test]
fn no_more_samples_are_asked_than_were_asked_for() {
    let context = gaining(60, r#"[ "$a" = better ] && a=$([ $((p % 2)) = 0 ] && echo better || echo plain)"#);
    let plan = context.run(&with_agent(&["--max-samples", "25", "--dry-run", "--json"])).expect(0).json();
    assert_eq!(plan["calls"], 50);
    context.run(&with_agent(&["--max-samples", "25", "--concurrency", "8", "--report-only"])).expect(0);
    let report = valid(context.report());
    assert_eq!((number(&report, "looked"), number(&report, "samplesLeft"), number(&report, "callsSaved")), (25, 35, 0));
    assert_eq!((&report["status"], starts(&context.path("starts")).len()), (&json!("complete"), 50));
    assert_eq!(report["meta"]["settings"]["maxSamples"], 25);
    context.run(&["report", "verdict", report["id"].as_str().unwrap()]).expect(0);
}

#[test]
fn too_few_samples_are_read_once() {
    let context = gaining(6, "");
    let run = context.run(&with_agent(&[STOP]));
    assert!(says(&run, "no effect: there are 6 samples"), "{run:#?}");
    let report = valid(context.report());
    let looks = &report["stopping"]["looks"];
    assert_eq!((looks.as_array().unwrap().len(), &looks[0]["samples"]), (1, &json!(6)));
    assert!((looks[0]["tail"].as_f64().unwrap() - 0.025).abs() < 1e-6, "{looks}");
}

#[test]
fn early_stopping_is_refused_for_a_single_variant_and_for_pairwise_judging() {
    let context = gaining(12, "");
    let alone = context.run(&["eval", "--control", "v1", "--executor", "./agent", STOP]).expect(2);
    assert!(says(&alone, "only one variant"), "{alone:#?}");
    context.write("pairs.json", &json!([{"sample_id": "a", "prompt": "question 1", "rubric": "good"}]).to_string());
    let pairwise = ["--samples", "pairs.json", "--judge-mode", "pairwise", "--judge-executor", "./agent", STOP];
    let refused = context.run(&with_agent(&pairwise)).expect(2);
    assert!(says(&refused, "judged pairwise"), "{refused:#?}");
    assert!(starts(&context.path("starts")).is_empty() && !context.home().join("journal").exists());
}

#[test]
fn dry_run_tells_the_looks() {
    let context = gaining(30, "");
    let text = context.run(&with_agent(&[STOP, "--dry-run"])).expect(0).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("at most 3 looks, after 20, 24, 30 samples") && text.contains("0.6 %, 1.04 %, 2.11 %"),
        "{text}"
    );
    let plan = context.run(&with_agent(&[STOP, "--dry-run", "--json"])).expect(0).json();
    assert_eq!(plan["stopping"]["messageKey"]["id"], "report-stopping-rule");
    assert!(context.run(&with_agent(&["--dry-run", "--json"])).expect(0).json().get("stopping").is_none());
}

#[test]
fn killed_run_resumes_to_the_same_decision() {
    let undisturbed = gaining(40, "");
    undisturbed.run(&with_agent(&[STOP])).expect(0);
    let expected = valid(undisturbed.report());
    let after = usize::try_from(number(&expected, "decidedAfter")).unwrap();
    for killed_after in [3, 2 * after - 5, 2 * after] {
        let context = gaining(40, "sleep 0.03\n");
        let running = Running::start(&context, &with_agent(&[STOP, "--concurrency", "3"]));
        wait_until("some cells", || finished(&context.home()).len() >= killed_after);
        running.signal(Signal::KILL);
        let _ = running.finish();
        let stored = finished(&context.home());
        let started = starts(&context.path("starts")).len();
        context.run(&["eval", "--resume", "latest"]).expect(0);
        let again = starts(&context.path("starts")).split_off(started);
        assert!(again.iter().all(|cell| !stored.contains(cell)), "asked again: {again:?}");
        assert_same(&decided_numbers(expected.clone()), &decided_numbers(valid(context.report())));
    }
}

#[test]
fn resuming_a_decided_run_makes_no_call_and_prints_the_same() {
    let context = gaining(40, "");
    let first = context.run(&with_agent(&[STOP, "--json", "--concurrency", "4"])).expect(0);
    let report = std::fs::read(context.reports().pop().unwrap()).unwrap();
    let calls = starts(&context.path("starts")).len();
    let again = context.run(&["eval", "--resume", "latest", "--json"]).expect(0);
    assert_eq!((again.stdout, starts(&context.path("starts")).len()), (first.stdout, calls));
    assert_eq!(std::fs::read(context.reports().pop().unwrap()).unwrap(), report);
}

#[test]
fn failure_forms_no_pair_and_is_not_retried_after_the_decision() {
    let context = gaining(40, r#"[ "$p$a" = 3plain ] && exit 1"#);
    context.run(&with_agent(&[STOP, "--retry", "0"])).expect(0);
    let report = valid(context.report());
    let n = report["comparisons"][0]["n"].as_u64().unwrap();
    assert_eq!(number(&report, "decidedAfter"), n + u64::from(report["comparisons"][0]["excluded"] != json!([])));
    let calls = starts(&context.path("starts")).len();
    context.run(&["eval", "--resume", "latest"]).expect(0);
    assert_eq!(starts(&context.path("starts")).len(), calls);
    assert_same(&report, &context.report());
}

/// Two runs side by side, or one that is overtaken while it is interrupted: whichever ends later has looked after the other.
#[test]
fn a_run_that_ends_after_another_counts_it() {
    let holds = "mkdir first 2>/dev/null && while [ -e hold ]; do sleep 0.05; done
[ -e other ] && [ $((p % 7)) = 0 ] && p=$((p + 2))\n";
    for flags in [&[][..], &[STOP]] {
        for ending in [None, Some(Signal::KILL)] {
            let context = gaining(40, holds);
            context.write("hold", "");
            let all = with_agent(&[&["--no-cache", "--report-only", "--concurrency", "1"], flags].concat());
            let slow = Running::start(&context, &all);
            wait_until("the first call", || context.path("first").exists());
            let id = files(&context.home().join("journal")).pop().unwrap().file_stem().unwrap().to_owned();
            context.write("other", "");
            let slow = match ending {
                None => Some(slow),
                Some(signal) => {
                    slow.signal(signal);
                    let _ = slow.finish();
                    None
                }
            };
            context.run(&all).expect(0);
            let _ = std::fs::remove_file(context.path("hold"));
            std::fs::remove_file(context.path("other")).unwrap();
            match slow {
                Some(slow) => drop(slow.finish().expect(0)),
                None => drop(context.run(&["eval", "--resume", id.to_str().unwrap(), "--report-only"]).expect(0)),
            }
            let looks_before = |path: &std::path::PathBuf| {
                let report = valid(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap());
                (path.file_stem().unwrap() == id, report["meta"]["earlierComparisons"].as_u64().unwrap_or(0))
            };
            let reports = context.reports();
            let mut numbers: Vec<_> = reports.iter().map(looks_before).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [(false, 0), (true, 1)], "{flags:?} {ending:?}");
            for report in reports {
                context.run(&["report", "verdict", report.to_str().unwrap()]).expect(0);
            }
        }
    }
}

#[test]
fn early_stopping_cannot_be_switched_on_at_resume() {
    let context = gaining(14, "");
    context.run(&with_agent(&[])).expect(1);
    let refused = context.run(&["eval", "--resume", "latest", STOP]).expect(2);
    assert!(says(&refused, "looks"), "{refused:#?}");
}

#[test]
fn interrupted_and_over_budget_runs_resume_to_the_decision() {
    let expected = {
        let context = gaining(40, "");
        context.run(&with_agent(&[STOP])).expect(0);
        number(&context.report(), "decidedAfter")
    };
    let context = gaining(40, "sleep 0.05\n");
    let running = Running::start(&context, &with_agent(&[STOP]));
    wait_until("some cells", || finished(&context.home()).len() > 4);
    running.signal(Signal::INT);
    let _ = running.finish().expect(130);
    context.run(&["eval", "--resume", "latest"]).expect(0);
    assert_eq!(number(&context.report(), "decidedAfter"), expected);
    assert!(counts(starts(&context.path("starts"))).values().all(|times| *times == 1));

    let (context, api) = serving(40);
    let more = ["--model", "gpt-4o", STOP, "--budget-usd"];
    let cost = |_: ()| {
        context.run(&eval_with("openai-api", &["--model", "gpt-4o", STOP, "--no-cache"])).expect(0);
        context.report()["meta"]["totalCostUSD"].as_f64().unwrap()
    };
    let half = (cost(()) / 2.0).to_string();
    let before = api.count();
    let ended = context.run(&eval_with("openai-api", &[&more[..], &[&half, "--no-cache"]].concat())).expect(3);
    assert!(says(&ended, "budget"), "{ended:#?}");
    context.run(&["eval", "--resume", "latest", "--budget-usd", "9"]).expect(0);
    assert_eq!(api.count() - before, 2 * usize::try_from(expected).unwrap());
}

#[test]
fn cached_answers_reproduce_the_decision() {
    let context = gaining(40, "");
    context.run(&with_agent(&[STOP])).expect(0);
    let calls = starts(&context.path("starts")).len();
    let first = context.report()["stopping"]["decidedAfter"].clone();
    for path in context.reports() {
        std::fs::remove_file(path).unwrap();
    }
    context.run(&with_agent(&[STOP])).expect(0);
    assert_eq!((starts(&context.path("starts")).len(), &context.report()["stopping"]["decidedAfter"]), (calls, &first));
}

/// Regrades the latest run with these flags; gives the new report.
fn regraded(context: &TestContext, flags: &[&str], code: i32) -> Value {
    let known: BTreeSet<_> = context.reports().into_iter().collect();
    let end: Finished = context.run(&[&["eval", "--regrade", "latest"], flags].concat()).expect(code);
    let new = context.reports().into_iter().find(|path| !known.contains(path));
    let path = new.unwrap_or_else(|| panic!("no report: {end:#?}"));
    valid(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

#[test]
fn regrading_a_decided_run_uses_its_available_answers() {
    let context = gaining(40, "");
    context.run(&with_agent(&[STOP])).expect(0);
    let calls = starts(&context.path("starts")).len();
    let after = number(&context.report(), "decidedAfter");
    // With the same assertions, the result is the same.
    let same = regraded(&context, &[], 0);
    assert_eq!((number(&same, "decidedAfter"), &same["meta"]["earlierComparisons"]), (after, &Value::Null));
    // With only the last words checked, the answers end before a decision.
    let last: Value = (8..10).map(|i| json!({"type": "contains", "value": format!("w{i}.")})).collect();
    context.samples(40, &last);
    let other = regraded(&context, &[], 1);
    assert_eq!((&other["status"], &other["verdict"]["tier"]), (&json!("complete"), &json!("UNDERPOWERED")));
    assert_eq!((&other["stopping"]["decidedAfter"], number(&other, "looked")), (&Value::Null, after));
    assert_eq!(other["stopping"]["costSavedWhy"]["messageKey"]["id"], "report-stopping-cost-regrade");
    // A regraded run can be regraded and resumed.
    let again = regraded(&context, &[], 1);
    assert_eq!(number(&again, "looked"), after);
    context.run(&["eval", "--resume", "latest"]).expect(1);
    assert_eq!(starts(&context.path("starts")).len(), calls);
}

#[test]
fn killed_regrade_of_a_decided_run_is_completed() {
    let context = gaining(40, "");
    context.run(&with_agent(&[STOP])).expect(0);
    let report = context.report();
    let after = number(&report, "decidedAfter");
    let calls = starts(&context.path("starts")).len();
    let same = regraded(&context, &[], 0);
    let id = same["id"].as_str().unwrap();
    let journal = eval_run::journal_path(&context.home(), id);
    let written = std::fs::read_to_string(&journal).unwrap();
    let begun: String = written.split_inclusive('\n').take(1 + 9).collect();
    for command in [["eval", "--regrade", id], ["eval", "--resume", id]] {
        std::fs::write(&journal, &begun).unwrap();
        context.run(&command).expect(0);
        let again = context.report();
        assert_eq!((number(&again, "decidedAfter"), number(&again, "looked")), (after, after), "{command:?}");
    }
    assert_eq!(starts(&context.path("starts")).len(), calls, "nothing was executed");
    // Without the first run's journal, missing cells are an error.
    std::fs::write(&journal, &begun).unwrap();
    std::fs::remove_file(eval_run::journal_path(&context.home(), report["id"].as_str().unwrap())).unwrap();
    for command in [["eval", "--regrade", id], ["eval", "--resume", id]] {
        context.run(&command).expect(2);
    }
    // A completely regraded run does not need the first one.
    std::fs::write(&journal, &written).unwrap();
    context.run(&["eval", "--regrade", id]).expect(0);
    assert_eq!(number(&context.report(), "looked"), after);
}

#[test]
fn judges_receive_no_surplus_questions() {
    let project = JudgedProject::new(
        40,
        |system, prompt| format!("{system} answer to {prompt}"),
        |case| {
            let p: usize =
                case.prompt.split("question ").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
            case.scores(if case.answer.contains("better") && !p.is_multiple_of(3) { 5 } else { 4 })
        },
    );
    project.run(&[STOP, "--judge-repeat", "2"]).expect(0);
    let report = valid(project.context.report());
    let after = number(&report, "decidedAfter");
    assert!(after < 40);
    assert_eq!(project.judge_requests() as u64, 4 * after);
    assert_eq!(number(&report, "judgeCallsSaved"), 4 * (40 - after));
    assert_eq!(report["judging"]["judges"][0]["planned"], 4 * after);
}

/// A plain resume leaves a decided run alone, with whatever failed in it.
#[test]
fn retry_failed_completes_a_decided_run() {
    let context = gaining(60, r#"[ -e broken ] && [ $((p % 12)) = 7 ] && [ "$a" = better ] && exit 1"#);
    context.write("broken", "");
    context.run(&with_agent(&[STOP, "--report-only"]));
    let first = valid(context.report());
    let before = starts(&context.path("starts"));
    let failed = before.len() - finished(&context.home()).len();
    assert!(failed > 0 && number(&first, "callsSaved") > 0, "{failed} of {}", before.len());
    std::fs::remove_file(context.path("broken")).unwrap();
    context.run(&["eval", "--resume", "latest", "--report-only"]);
    assert_eq!(starts(&context.path("starts")).len(), before.len());

    let retry = ["eval", "--resume", "latest", "--retry-failed", "--report-only"];
    context.run(&retry).expect(0);
    let again = starts(&context.path("starts")).split_off(before.len());
    let is_failed = |cell: &String| cell.ends_with("v2") && cell[1..4].parse::<u32>().unwrap() % 12 == 7;
    assert!(again.len() == failed && again.iter().all(is_failed), "{again:?}");
    let report = valid(context.report());
    assert_eq!((&report["id"], &report["status"]), (&first["id"], &json!("complete")));
    assert_eq!(report["summary"]["v2"]["outcomes"]["failed"], 0);
    assert!(number(&report, "decidedAfter") <= number(&first, "decidedAfter"));
    context.run(&retry).expect(0);
    assert_eq!(starts(&context.path("starts")).len(), before.len() + failed);
}

#[test]
fn failures_of_a_decided_run_leave_out_what_was_not_needed() {
    let context = gaining(40, "");
    context.run(&with_agent(&[STOP])).expect(0);
    let report = valid(context.report());
    let after = number(&report, "decidedAfter");
    let found = context.run(&["failures", "latest", "--json"]).expect(0).json();
    assert_eq!((&found["results"], &found["notRun"]), (&json!(2 * after), &json!(0)), "{found:#}");
    assert_eq!(found["notNeeded"], json!(number(&report, "callsSaved")));
    let one = context.run(&["failures", "latest", "--variant", "v2", "--json"]).expect(0).json();
    assert_eq!((&one["results"], &one["notNeeded"]), (&json!(after), &json!(40 - after)));
    let [text, chinese] =
        ["en", "zh"].map(|lang| context.run(&["failures", "latest", "--lang", lang]).expect(0).stdout);
    assert!(text.contains(&format!("of {} results failed", 2 * after)), "{text}");
    assert!(text.contains("were not needed") && !text.contains("never ran"), "{text}");
    assert!(chinese.contains("无需再运行的"), "{chinese}");
}

/// Two runs with the same answers: nothing differs, and no p-value says so.
#[test]
fn diff_of_decided_runs_shows_no_p_value() {
    let context = gaining(40, "");
    let run = |seed: &str, directory: &str| {
        let flags = [STOP, "--report-only", "--no-cache", "--seed", seed, "--output-dir", directory];
        context.run(&with_agent(&flags)).expect(0);
        files(&context.path(directory)).pop().unwrap().to_str().unwrap().to_owned()
    };
    let (a, b, other) = (run("1", "a"), run("1", "b"), run("2", "other"));
    let text = context.run(&["diff", &a, &b]).expect(0).stdout;
    assert!(!text.contains("p = ") && text.contains("0.00, no spread"), "{text}");
    let diff = context.run(&["diff", &a, &b, "--json"]).expect(0).json()["comparisons"][0]["diff"].clone();
    assert_eq!(
        (&diff["pValue"], &diff["pValueAdjusted"], &diff["ci"]["degenerate"]),
        (&json!(null), &json!(null), &json!(true))
    );
    assert_eq!(diff["pValueWhy"]["messageKey"]["id"], "report-stopping-no-p");
    context.run(&["diff", &a, &b, "--fail-on-regress"]).expect(0);
    // The samples came in another order: that, and not a lack of spread, is why there is no interval.
    for (lang, says) in [("en", "no interval known to hold"), ("zh", "没有已知成立的区间")] {
        let text = context.run(&["diff", &a, &other, "--lang", lang]).expect(0).stdout;
        assert!(text.contains(says) && !text.contains("no spread") && !text.contains("p = "), "{text}");
    }
}

/// No look is at fewer than 20 samples.
#[test]
fn power_names_the_samples_to_plan_and_those_that_are_run() {
    let context = gaining(60, "");
    context.run(&with_agent(&[STOP])).expect(0);
    let report = valid(context.report());
    let power = context.run(&["power", "latest", "--json"]).expect(0).json();
    assert_eq!(power["looks"], 5);
    for one in power["spreads"][0]["needed"].as_array().unwrap() {
        let (n, mean) = (one["n"].as_u64().unwrap(), one["meanSamples"].as_f64().unwrap());
        assert!(n >= 20 && mean >= 19.9 && mean <= n as f64 + 1e-6, "{one}");
    }
    let observed = report["comparisons"][0]["diff"]["mean"].as_f64().unwrap().to_string();
    let of_observed = context.run(&["power", "latest", "--effect", &observed, "--json"]).expect(0).json();
    assert_eq!(of_observed["spreads"][0]["needed"][0]["n"], 20);
    // Fewer samples decide nothing, so they show nothing.
    let given = ["power", "--sd", "0.3", "--correlation", "0.6", STOP, "--json"];
    let given = context.run(&given).expect(0).json()["spreads"][0].clone();
    let least = given["needed"].as_array().unwrap().iter().filter_map(|one| one["n"].as_u64()).min();
    assert_eq!((least, &given["detectable"][0]["n"]), (Some(20), &json!(10)));
    let shown: Vec<Option<f64>> =
        given["detectable"].as_array().unwrap().iter().map(|one| one["difference"].as_f64()).collect();
    assert!(shown[0].is_none() && shown[1].unwrap() > 0.15, "{shown:?}");
}
