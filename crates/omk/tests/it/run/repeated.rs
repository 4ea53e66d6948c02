//! The runs that go wrong most often, again and again: `OMK_REPEAT=40 cargo test -p omk --test it repeated -- --nocapture`.

#![expect(clippy::print_stdout, reason = "what each repetition came to")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use testkit::{FakeReply, ReplyScript, wait_until};

use super::server_failures::{ALONE, asked, error};
use super::{Running, counts, eval_with, finished, is_alive, logging, says_better, starts, sum, valid, with_agent};
use crate::fixtures::context::TestContext;

const SAMPLES: usize = 12;

const TASKS: usize = 2 * SAMPLES;

const AT_ONCE: usize = 4;

/// So many agents of each part of the run answer; the others start a child, never end by themselves, and are killed.
const ANSWERING: [usize; 3] = [1, 8, 8];

fn times() -> usize {
    std::env::var("OMK_REPEAT").ok().and_then(|times| times.parse().ok()).unwrap_or(2)
}

fn home(context: &TestContext, name: &str) -> std::path::PathBuf {
    context.path(&format!("{name}-home"))
}

fn command(context: &TestContext, name: &str, arguments: &[&str]) -> Command {
    let mut command = context.command(arguments);
    command
        .env("OMK_HOME", home(context, name))
        .env("LOG", format!("{name}.log"))
        .env("PIDS", context.path(&format!("{name}.pids")))
        .env("LIMIT", TASKS.pow(2).to_string());
    command
}

/// The agents that have started so far and are still there.
fn running(context: &TestContext, name: &str) -> Vec<String> {
    let pids = fs::read_to_string(context.path(&format!("{name}.pids"))).unwrap_or_default();
    pids.lines().filter(|pid| is_alive(pid)).map(str::to_owned).collect()
}

#[test]
fn killed_three_times_nothing_is_asked_twice_nothing_is_left_running_and_every_answer_is_kept() {
    let context = logging(
        r#"echo $$ >> "$PIDS"
n=0; m=0; while read -r l; do n=$((n+1)); [ "$l" != "$p $a" ] || m=$n; done < "$LOG"
[ "$m" -le "$LIMIT" ] || { sleep 600 & echo $! >> "$PIDS"; wait; }
echo $a"#,
    );
    context.write(".gitignore", "trial-*\nstarts\n");
    context.samples(SAMPLES, &says_better());
    let at_once = AT_ONCE.to_string();
    let begin = with_agent(&["--concurrency", &at_once, "--report-only"]);
    let resume = ["eval", "--resume", "latest"];
    for number in 0..times() {
        let name = format!("trial-{number}");
        let begun = || counts(starts(&context.path(&format!("{name}.log"))));
        let mut kept: Vec<String> = Vec::new();
        // how often what was answered had begun by then
        let mut when_kept = BTreeMap::new();
        for (kill, answering) in ANSWERING.into_iter().enumerate() {
            let mut part = command(&context, &name, if kill == 0 { &begin } else { &resume });
            let limit = begun().values().sum::<usize>() + answering;
            part.env("LIMIT", limit.to_string());
            let child = Running::spawn(part);
            wait_until("agents and their children", || running(&context, &name).len() == 2 * AT_ONCE);
            wait_until("the answers", || finished(&home(&context, &name)).len() == kept.len() + answering);
            child.kill();
            wait_until("the end of what was running", || running(&context, &name).is_empty());
            let stored = finished(&home(&context, &name));
            assert_eq!(stored[..kept.len()], kept, "{name}: an answer is gone after kill {kill}");
            kept = stored;
            let begun = begun();
            for cell in &kept {
                when_kept.entry(cell.clone()).or_insert(begun[cell]);
            }
        }
        assert_eq!(kept.len(), ANSWERING.iter().sum::<usize>(), "{name}");
        Running::spawn(command(&context, &name, &resume)).finish().expect(0);
        let answers = finished(&home(&context, &name));
        assert_eq!(answers[..kept.len()], kept, "{name}");
        let (answers, begun) = (counts(answers), begun());
        assert!(answers.len() == TASKS && answers.values().all(|times| *times == 1), "{name}: {answers:?}");
        for (cell, times) in &when_kept {
            assert_eq!(begun[cell], *times, "{name}: {cell} was asked again although its answer was kept");
        }
        // what was under way at a kill is begun again, and nothing else
        let again = begun.values().sum::<usize>() - TASKS;
        assert!(begun.len() == TASKS && again == AT_ONCE * ANSWERING.len(), "{name}: {begun:?}");
        assert_eq!(running(&context, &name), Vec::<String>::new(), "{name}");
        println!(
            "{name}: {} answers kept over 3 kills, {again} calls under way begun again, none left running",
            kept.len()
        );
    }
}

#[test]
fn with_one_poisoned_sample_nothing_is_asked_twice_and_every_answer_is_kept() {
    for number in 0..times() {
        let poison = format!("question {}", 1 + number % 12);
        let poisoned = move |request: &testkit::Request| match request.body.to_string().contains(&format!("{poison}\""))
        {
            true => error(400)(request),
            false => FakeReply::text("better"),
        };
        let (context, server) = asked(12, ReplyScript::with(poisoned));
        context.run(&eval_with("anthropic-api", &ALONE)).expect(0);
        let state = |context: &TestContext| {
            let report = valid(context.report());
            (report["status"].clone(), sum(&report, "/failures/rejected"), sum(&report, "/outcomes/answered"))
        };
        assert_eq!((server.count(), state(&context)), (24, ("complete".into(), 2, 22)), "{number}");
        for _ in 0..2 {
            context.run(&["eval", "--resume", "latest", "--threshold", "3", "--report-only"]).expect(0);
            assert_eq!((server.count(), state(&context)), (24, ("complete".into(), 2, 22)), "{number}");
        }
        context.run(&["eval", "--resume", "latest", "--retry-failed", "--report-only"]).expect(0);
        assert_eq!((server.count(), state(&context)), (26, ("complete".into(), 2, 22)), "{number}");
        println!(
            "poisoned-{number}: 24 requests, 22 answers kept, 2 rejected; resumed twice without a call, 2 when asked for"
        );
    }
}
