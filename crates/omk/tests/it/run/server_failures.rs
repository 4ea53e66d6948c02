//! Misbehaving servers: exit code, report, journal, number of requests, and no key stored anywhere.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Behaviour, FakeApi, FakeReply, ReplyScript, Request};

use super::{Running, assert_nowhere, eval_with, journal, results, says, says_better, sum, valid};
use crate::fixtures::context::{Finished, TestContext};

/// The executors that speak HTTP: name, variable of the base URL, path.
const APIS: [(&str, &str, &str); 2] =
    [("anthropic-api", "ANTHROPIC_BASE_URL", ""), ("openai-api", "OPENAI_BASE_URL", "/v1")];

const KEY: &str = "sk-server-failures-0123456789abcdef";

/// A misbehaviour towards two samples in two variants, and the expected result.
struct Case {
    name: &'static str,
    script: fn() -> ReplyScript,
    flags: &'static [&'static str],
    exit: i32,
    requests: usize,
    /// The class of the remaining failures, per variant (`v1`, `v2`).
    failures: Option<(&'static str, [u64; 2])>,
    /// Text that standard error must contain.
    says: &'static str,
    more: fn(&Value, &Finished),
}

/// An error whose text contains the key, as careless servers send.
pub(super) fn error(status: u16) -> impl Fn(&Request) -> FakeReply + Send + Sync + Clone {
    move |request| {
        let headers = &request.headers;
        let key = headers.get("x-api-key").or_else(|| headers.get("authorization")).unwrap();
        FakeReply::error(status, "some_error", &format!("no luck with {key}"))
    }
}

fn always(reply: impl Fn(&Request) -> FakeReply + Send + Sync + 'static) -> ReplyScript {
    ReplyScript::with(reply)
}

/// The reply to the first request of each cell; later requests get an answer.
fn once_per_cell(reply: impl Fn(&Request) -> FakeReply + Send + Sync + 'static) -> ReplyScript {
    let seen = Mutex::new(HashSet::new());
    ReplyScript::with(move |request| match seen.lock().unwrap().insert(request.body.to_string()) {
        true => reply(request),
        false => FakeReply::text("better"),
    })
}

fn behaving(behaviour: Behaviour) -> ReplyScript {
    ReplyScript::always(FakeReply::text("better").behaving(behaviour))
}

/// The run ended before all cells had run.
fn aborted(report: &Value, _: &Finished) {
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("aborted")));
    assert_eq!(sum(report, "/outcomes/notRun"), 3);
}

/// No cell has a score.
fn nothing_scored(report: &Value, finished: &Finished) {
    for (cell, result) in results(report) {
        assert_eq!(result["compositeScore"], Value::Null, "{cell}");
        assert!(result["error"]["message"].is_string(), "{cell}");
    }
    assert_eq!(
        (&report["status"], &report["verdict"]["valid"]),
        (&json!("incomplete"), &json!(false)),
        "{finished:#?}"
    );
    assert_eq!((&report["incompleteReason"], sum(report, "/outcomes/notRun")), (&json!("too-many-failures"), 0));
}

/// Everything was answered at the second attempt.
fn second_time_lucky(report: &Value, _: &Finished) {
    assert_eq!((sum(report, "/outcomes/answered"), sum(report, "/retried")), (4, 4));
    assert!(results(report).values().all(|result| result["attempts"] == 2));
}

const CASES: &[Case] = &[
    Case {
        name: "a wrong key",
        script: || always(error(401)),
        flags: &["--retry", "5"],
        exit: 3,
        requests: 1,
        failures: Some(("auth", [1, 0])),
        says: "the first call failed, so no other was made",
        more: aborted,
    },
    Case {
        name: "a forbidden model",
        script: || always(error(403)),
        flags: &[],
        exit: 3,
        requests: 4,
        failures: Some(("auth", [2, 2])),
        says: "refused the key (HTTP status 403)",
        more: nothing_scored,
    },
    Case {
        name: "an unknown model",
        script: || always(error(404)),
        flags: &["--retry", "5"],
        exit: 3,
        requests: 4,
        failures: Some(("rejected", [2, 2])),
        says: "HTTP status 404",
        more: nothing_scored,
    },
    Case {
        name: "a redirect, which a key must not follow",
        script: || always(|_| FakeReply::raw(307, "").header("location", "http://127.0.0.1:9/v1/messages")),
        flags: &[],
        exit: 3,
        requests: 4,
        failures: Some(("rejected", [2, 2])),
        says: "redirects elsewhere",
        more: nothing_scored,
    },
    Case {
        name: "one request that is wrong among others that are not",
        script: || {
            ReplyScript::with(|request| match request.number {
                2 => error(400)(request),
                _ => FakeReply::text("better"),
            })
        },
        flags: &["--max-failure-rate", "0.5", "--report-only", "--concurrency", "1"],
        exit: 0,
        requests: 4,
        failures: None,
        says: "HTTP status 400",
        more: |report, _| {
            assert_eq!((sum(report, "/outcomes/answered"), sum(report, "/failures/rejected")), (3, 1));
            assert_eq!((&report["status"], &report["comparisons"][0]["n"]), (&json!("complete"), &json!(1)));
            assert_eq!(report["comparisons"][0]["excluded"].as_array().unwrap().len(), 1);
        },
    },
    Case {
        name: "429 that asks for a second, once",
        script: || {
            ReplyScript::with(|request| match request.number {
                0 => error(429)(request).header("retry-after", "1"),
                _ => FakeReply::text("better"),
            })
        },
        flags: &["--report-only"],
        exit: 0,
        requests: 5,
        failures: None,
        says: "nothing is sent for 1.0 s",
        more: |report, _| assert_eq!((sum(report, "/outcomes/answered"), sum(report, "/retried")), (4, 1)),
    },
    Case {
        name: "429 that asks for an hour",
        script: || always(|request| error(429)(request).header("retry-after", "3600")),
        flags: &["--retry", "5"],
        exit: 3,
        requests: 1,
        failures: Some(("rate-limited", [1, 0])),
        says: "wants no calls for 60 minutes; resume after 20",
        more: |report, finished| {
            aborted(report, finished);
            assert!(report["incompleteDetail"]["message"].as_str().unwrap().contains("resume after 20"), "{report}");
        },
    },
    Case {
        name: "429 without end",
        script: || always(|request| error(429)(request).header("retry-after-ms", "50")),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("rate-limited", [2, 2])),
        says: "too many requests (HTTP status 429)",
        more: nothing_scored,
    },
    Case {
        name: "500, once for each",
        script: || once_per_cell(error(500)),
        flags: &["--retry", "1", "--report-only"],
        exit: 0,
        requests: 8,
        failures: None,
        says: "is in trouble (HTTP status 500); trying again in",
        more: second_time_lucky,
    },
    Case {
        name: "500 without end",
        script: || always(error(500)),
        flags: &["--retry", "1"],
        exit: 3,
        requests: 8,
        failures: Some(("server", [2, 2])),
        says: "is in trouble (HTTP status 500)",
        more: |report, finished| {
            nothing_scored(report, finished);
            assert!(results(report).values().all(|result| result["attempts"] == 2 && result["error"]["status"] == 500));
        },
    },
    Case {
        name: "529 without end",
        script: || always(error(529)),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("server", [2, 2])),
        says: "is in trouble (HTTP status 529)",
        more: |report, finished| {
            nothing_scored(report, finished);
            assert!(results(report).values().all(|result| result["attempts"] == 1 && result["error"]["status"] == 529));
        },
    },
    Case {
        name: "500 for one variant only",
        script: || {
            ReplyScript::with(|request| match request.body.to_string().contains("ANSWER better") {
                true => error(500)(request),
                false => FakeReply::text("plain"),
            })
        },
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("server", [0, 2])),
        says: "s001/v2/0 failed",
        more: |report, _| {
            assert_eq!(report["summary"]["v1"]["outcomes"]["answered"], 2);
            assert_eq!(report["summary"]["v2"]["avgCompositeScore"], Value::Null);
        },
    },
    Case {
        name: "a dropped connection",
        script: || behaving(Behaviour::Drop),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("dropped", [2, 2])),
        says: "broke off",
        more: nothing_scored,
    },
    Case {
        name: "half a body, once for each",
        script: || once_per_cell(|_| FakeReply::text("better").behaving(Behaviour::HalfBody)),
        flags: &["--retry", "1", "--report-only"],
        exit: 0,
        requests: 8,
        failures: None,
        says: "broke off; trying again in",
        more: second_time_lucky,
    },
    Case {
        name: "half a body without end",
        script: || behaving(Behaviour::HalfBody),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("dropped", [2, 2])),
        says: "broke off",
        more: nothing_scored,
    },
    Case {
        name: "what is not JSON",
        script: || always(|request| FakeReply::raw(200, format!("<html>{}", error(200)(request).status))),
        flags: &["--retry", "1"],
        exit: 3,
        requests: 8,
        failures: Some(("malformed", [2, 2])),
        says: "not JSON",
        more: nothing_scored,
    },
    Case {
        name: "JSON that is no answer",
        script: || always(|_| FakeReply::raw(200, r#"{"hello": "better"}"#)),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: Some(("malformed", [2, 2])),
        says: "has no message in it",
        more: nothing_scored,
    },
    Case {
        name: "an error inside a success",
        script: || always(|_| FakeReply::raw(200, json!({"error": {"message": "upstream is gone"}}).to_string())),
        flags: &["--retry", "0"],
        exit: 3,
        requests: 4,
        failures: None,
        says: "an error inside a success",
        more: nothing_scored,
    },
    Case {
        name: "nothing at all",
        script: || behaving(Behaviour::Silence),
        flags: &["--retry", "0", "--timeout", "0.5"],
        exit: 3,
        requests: 4,
        failures: Some(("timeout", [2, 2])),
        says: "gave no answer within 0.5 s",
        more: nothing_scored,
    },
    Case {
        // The only slow case: silence is reported after 15 s.
        name: "nothing for a while, and a word about it",
        script: || {
            ReplyScript::with(|request| match request.number {
                0 => FakeReply::text("better").behaving(Behaviour::Silence),
                _ => FakeReply::text("better"),
            })
        },
        flags: &["--retry", "1", "--timeout", "16.5", "--report-only"],
        exit: 0,
        requests: 5,
        failures: None,
        says: "still waiting for one call; the longest, s001/v",
        more: |report, _| {
            assert_eq!(sum(report, "/outcomes/answered"), 4);
            // The silent attempt is no part of the answer's latency.
            assert!(results(report).values().all(|result| result["durationMs"].as_u64().unwrap() < 10_000));
        },
    },
];

/// A case in progress.
struct Trial {
    case: &'static Case,
    executor: &'static str,
    context: TestContext,
    api: FakeApi,
    running: Running,
}

fn begin(case: &'static Case, (executor, variable, path): (&'static str, &str, &str)) -> Trial {
    let mut context = TestContext::with_agent();
    context.samples(2, &says_better());
    let api = FakeApi::start((case.script)());
    context.env(variable, &format!("{}{path}", api.url));
    context.env("ANTHROPIC_API_KEY", KEY);
    context.env("OPENAI_API_KEY", KEY);
    let concurrency: &[&str] = if case.flags.contains(&"--concurrency") { &[] } else { &["--concurrency", "4"] };
    let running = Running::start(&context, &eval_with(executor, &[case.flags, concurrency].concat()));
    Trial { case, executor, context, api, running }
}

fn check(trial: Trial) {
    let Trial { case, executor, context, api, running } = trial;
    let finished = running.finish();
    let about = format!("{} ({executor}): {finished:#?}", case.name);
    assert_eq!(finished.code, case.exit, "{about}");
    assert_eq!(api.count(), case.requests, "{about}");
    assert!(says(&finished, case.says), "{about}");
    let report = valid(context.report());
    if let Some((class, [first, second])) = case.failures {
        let counts = ["v1", "v2"].map(|variant| report["summary"][variant]["failures"][class].as_u64().unwrap_or(0));
        // The seed decides which variant goes first.
        let expected = if first + second == 1 { [counts[0], 1 - counts[0]] } else { [first, second] };
        assert_eq!(counts, expected, "{about}");
        assert_eq!(sum(&report, "/outcomes/failed"), first + second, "{about}");
        assert_journal_agrees(&context, class, first + second);
    }
    (case.more)(&report, &finished);
    let keys =
        api.requests().iter().filter(|request| request.headers.values().any(|value| value.contains(KEY))).count();
    assert_eq!(keys, case.requests, "the key was sent, so it could have been stored: {about}");
    assert_nowhere(KEY, &context, &finished);
}

fn assert_journal_agrees(context: &TestContext, class: &str, count: u64) {
    let lines = journal(&context.home());
    let failed = lines.iter().filter(|line| line["execution"]["result"]["failed"]["failure"] == class).count();
    assert_eq!(failed as u64, count);
}

#[test]
fn misbehaving_servers_end_with_the_expected_exit_code_and_report() {
    // All at once, because nearly all of their time is waiting.
    let trials: Vec<Trial> = CASES.iter().flat_map(|case| APIS.map(|api| begin(case, api))).collect();
    trials.into_iter().for_each(check);
}

#[test]
fn refused_connection_is_not_retried() {
    let mut context = TestContext::with_agent();
    context.samples(2, &says_better());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    context.env("OPENAI_BASE_URL", &format!("http://{address}/v1"));
    let finished = context.run(&eval_with("openai-api", &["--retry", "9"])).expect(3);
    assert!(says(&finished, &format!("no connection to `{address}`")), "{finished:#?}");
    let report = valid(context.report());
    assert_eq!((sum(&report, "/failures/unreachable"), sum(&report, "/outcomes/notRun")), (1, 3));
    let results = results(&report);
    let failed = results.values().find(|result| result["outcome"] == "failed").unwrap();
    assert_eq!(failed["attempts"], 1, "{failed}");
}

#[test]
fn ten_failures_in_a_row_end_the_run() {
    let mut context = TestContext::with_agent();
    let api = FakeApi::start(ReplyScript::with(|request| match request.number {
        4 => FakeReply::text("better"),
        // Slower than a disk, because a failure counts once it is written to the journal.
        _ => FakeReply::error(529, "overloaded_error", "overloaded").after(Duration::from_millis(50)),
    }));
    context.samples(20, &says_better());
    context.env("ANTHROPIC_BASE_URL", &api.url);
    let finished = context.run(&eval_with("anthropic-api", &["--retry", "0"])).expect(3);
    // Four failures, an answer, ten failures, and the calls that had been sent by then.
    assert!((15..=20).contains(&api.count()), "{} calls: {finished:#?}", api.count());
    let report = valid(context.report());
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("aborted")));
    assert_eq!(sum(&report, "/outcomes/answered"), 1);
    assert!(says(&finished, "omk eval --resume"), "{finished:#?}");
}

/// A project of so many samples for a server with this script.
pub(super) fn asked(samples: usize, script: ReplyScript) -> (TestContext, FakeApi) {
    let server = FakeApi::start(script);
    let mut context = TestContext::with_agent();
    context.env("ANTHROPIC_API_KEY", KEY);
    context.env("ANTHROPIC_BASE_URL", &server.url);
    context.samples(samples, &says_better());
    (context, server)
}

pub(super) const ALONE: [&str; 3] = ["--concurrency", "1", "--report-only"];

#[test]
fn a_start_where_every_call_is_rejected_alike_ends_after_three_samples() {
    for reply in [FakeReply::error(404, "not_found_error", "model: m"), FakeReply::raw(200, "<html>sign in</html>")] {
        let (context, server) = asked(40, ReplyScript::always(reply));
        let ended = context.run(&eval_with("anthropic-api", &["--concurrency", "1", "--retry", "0"])).expect(3);
        assert!(server.count() <= 6, "{} requests", server.count());
        assert!(says(&ended, "no call succeeded, and they all failed alike"), "{ended:#?}");
    }
}

/// The first request of every process is rejected for its own sake: a prompt that is too long, say.
#[test]
fn one_rejected_request_blocks_neither_a_run_nor_its_report() {
    let first = std::sync::OnceLock::new();
    let poisoned = move |request: &Request| match *first.get_or_init(|| request.body.clone()) == request.body {
        true => error(400)(request),
        false => FakeReply::text("better"),
    };
    let (context, server) = asked(8, ReplyScript::with(poisoned));
    let ran = context.run(&eval_with("anthropic-api", &ALONE)).expect(0);
    assert!(says(&ran, "HTTP status 400"), "{ran:#?}");
    let (asked, report) = (server.count(), valid(context.report()));
    assert_eq!((asked, &report["status"], sum(&report, "/failures/rejected")), (16, &json!("complete"), 1));
    // read with another gate, the run calls nobody
    context.run(&["eval", "--resume", "latest", "--threshold", "3", "--report-only"]).expect(0);
    assert_eq!((server.count(), &valid(context.report())["status"]), (asked, &json!("complete")));
    context.run(&["eval", "--resume", "latest", "--retry-failed", "--report-only"]).expect(0);
    assert_eq!(server.count(), asked + 1, "asked for, it is asked again");
}
