//! `kill -9` at any instant, then `--resume`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use testkit::wait_until;

use super::{
    Running, assert_same, counts, finished, journal, logging, remove_latency_outliers, starts, with_agent, without,
};
use crate::fixtures::context::{TestContext, files};

const SAMPLES: usize = 100;

const TASKS: usize = 2 * SAMPLES;

const CONCURRENCY: &str = "8";

const KILLS: usize = 20;

/// A run with its own home and log.
fn command(context: &TestContext, name: &str, arguments: &[&str]) -> Command {
    let mut command = context.command(arguments);
    command.env("OMK_HOME", context.path(name)).env("LOG", format!("{name}.log"));
    command
}

fn log(context: &TestContext, name: &str) -> Vec<String> {
    starts(&context.path(&format!("{name}.log")))
}

/// The only report of a home, without times.
fn report(home: &Path) -> Value {
    let report = files(&home.join("reports")).pop().unwrap();
    let mut report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    report["id"] = Value::Null;
    without(&["timestamp", "startedAt", "durationMs", "avgDurationMs", "failuresBefore"], &mut report);
    remove_latency_outliers(&mut report);
    report
}

/// SplitMix64 (Sebastiano Vigna): the same instants in every run.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// When each kill comes: after how many starts, and how many microseconds later.
fn instants() -> Vec<(usize, u64)> {
    let mut state = 20;
    let edges = [(0, 0), (1, 0), (TASKS, 0)];
    let between = (edges.len()..KILLS).map(|_| {
        let after = usize::try_from(random(&mut state)).unwrap() % TASKS;
        (after, random(&mut state) % 12_000)
    });
    edges.into_iter().chain(between).collect()
}

#[test]
fn killed_run_resumes_without_repeating_finished_tasks_and_gives_the_same_report() {
    let context = logging(
        r#"case $p in *7) sleep 0.02 ;; esac
echo "{\"output\":\"$a $p\",\"inputTokens\":$p,\"outputTokens\":3,\"costUSD\":0.015625,\"turns\":1}""#,
    );
    // Homes and logs of other trials must not change the cache key.
    context.write(".gitignore", "trial-*\nundisturbed*\nstarts\n");
    // `v2` passes all samples, `v1` those whose number contains a 7.
    context.samples(SAMPLES, &serde_json::json!([{"type": "regex", "pattern": "better|7"}]));
    let arguments = with_agent(&["--concurrency", CONCURRENCY]);
    let undisturbed = Running::spawn(command(&context, "undisturbed", &arguments)).finish();
    assert!(undisturbed.code == 0 || undisturbed.code == 1, "{undisturbed:#?}");
    assert_eq!(log(&context, "undisturbed").len(), TASKS);
    let expected = report(&context.path("undisturbed"));

    // Two at a time, because a trial waits for its disk now and then.
    let trials: Vec<Trial> =
        instants().into_iter().enumerate().map(|(number, instant)| Trial { number, instant }).collect();
    let halves: usize = std::thread::scope(|scope| {
        let (arguments, expected) = (&arguments, &expected);
        let run = |trials: Vec<&Trial>| {
            let context = &context;
            let trials: Vec<Trial> = trials.into_iter().copied().collect();
            scope.spawn(move || {
                trials.iter().filter(|trial| trial.run(context, arguments, undisturbed.code, expected)).count()
            })
        };
        let (even, odd) = trials.iter().partition(|trial| trial.number % 2 == 0);
        [run(even), run(odd)].into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(halves >= KILLS / 2, "only {halves} kills came in the middle of a run");
}

/// One kill and the resume after it.
#[derive(Clone, Copy)]
struct Trial {
    number: usize,
    /// After how many starts, and how many microseconds later.
    instant: (usize, u64),
}

impl Trial {
    /// Runs the trial; true if the kill came in the middle of the run.
    fn run(self, context: &TestContext, arguments: &[&str], code: i32, expected: &Value) -> bool {
        let name = format!("trial-{}", self.number);
        let (home, (after, microseconds)) = (context.path(&name), self.instant);
        let running = Running::spawn(command(context, &name, arguments));
        let log_file = context.path(&format!("{name}.log"));
        wait_until("the instant of the kill", || {
            let lines = std::fs::read(&log_file).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
            lines >= after && (after > 0 || !journal(&home).is_empty())
        });
        std::thread::sleep(Duration::from_micros(microseconds));
        running.kill();
        let stored = finished(&home);

        let resumed = Running::spawn(command(context, &name, &["eval", "--resume", "latest"])).finish();
        assert_eq!(resumed.code, code, "{name}: {resumed:#?}");
        let starts = counts(log(context, &name));
        for cell in &stored {
            assert_eq!(starts[cell], 1, "{name}: {cell} was finished before the kill after {after} starts");
        }
        assert_eq!(starts.len(), TASKS, "{name}");
        let lost = starts.values().sum::<usize>() - TASKS;
        assert!(lost <= 8, "{name}: {lost} tasks began twice, and no more than 8 were in flight");
        let executions = counts(finished(&home));
        assert!(executions.len() == TASKS && executions.values().all(|times| *times == 1), "{name}: {executions:?}");
        // Written down as under way, perhaps just before its program started.
        let mut found = report(&home);
        let unfinished =
            found["meta"].as_object_mut().unwrap().remove("lostCalls").map_or(0, |calls| calls.as_u64().unwrap());
        assert!(
            (lost as u64..=8).contains(&unfinished),
            "{name}: {unfinished} calls counted as lost, {lost} began again"
        );
        assert_same(expected, &found);
        !stored.is_empty() && stored.len() < TASKS
    }
}

#[test]
fn torn_journal_line_is_cut_off_and_its_task_repeated() {
    let context = logging("echo $a");
    context.samples(3, &super::says_better());
    let first = Running::spawn(command(&context, "home", &with_agent(&[]))).finish();
    let path = files(&context.path("home/journal")).pop().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let mut results = 0;
    let mut torn = Vec::new();
    for line in whole.split_inclusive(|byte| *byte == b'\n') {
        results += usize::from(!line.starts_with(br#"{"begun""#));
        // Header, execution and grade of two cells, and half an execution.
        torn.extend_from_slice(if results == 6 { &line[..line.len() / 2] } else { line });
        if results == 6 {
            break;
        }
    }
    std::fs::write(&path, torn).unwrap();
    std::fs::remove_dir_all(context.path("home/reports")).unwrap();
    std::fs::remove_dir_all(context.path("home/cache")).unwrap();
    let before = log(&context, "home").len();
    let resumed = Running::spawn(command(&context, "home", &["eval", "--resume", "latest"])).finish();
    assert_eq!((resumed.code, log(&context, "home").len() - before), (first.code, 4), "{resumed:#?}");
    let lines = journal(&context.path("home"));
    assert_eq!(lines.iter().filter(|line| line["begun"].is_null()).count(), 13);
    report(&context.path("home"));
}

#[test]
fn answer_without_a_grade_is_graded_and_not_requested_again() {
    let context = logging("echo $a");
    context.samples(3, &super::says_better());
    let first = Running::spawn(command(&context, "home", &with_agent(&[]))).finish();
    let expected = report(&context.path("home"));
    let path = files(&context.path("home/journal")).pop().unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    let ungraded = &whole[..=whole.rfind("\n{\"grade\"").unwrap()];
    std::fs::write(&path, ungraded).unwrap();
    let resumed = Running::spawn(command(&context, "home", &["eval", "--resume", "latest", "--no-cache"])).finish();
    assert_eq!((resumed.code, log(&context, "home").len()), (first.code, 6), "{resumed:#?}");
    let mut found = report(&context.path("home"));
    found["meta"]["settings"]["cache"] = expected["meta"]["settings"]["cache"].clone();
    assert_same(&expected, &found);
}

/// The allocator ends the process where the system gives no memory (`ulimit -v`, a container): what was paid for is in the journal.
#[test]
#[cfg(target_os = "linux")]
fn run_that_a_limit_of_memory_ends_goes_on_without_paying_twice() {
    let Some(prlimit) = testkit::tools::tool(&["prlimit"]) else { return };
    // The third answer comes to a process that gets no more memory; in the journal it would take 96 MB.
    let body = format!(
        "if [ ! -e done ] && [ $(wc -l < starts) -ge 3 ]; then touch done; '{}' --pid $PPID --as=1048576; \
         head -c 16000000 /dev/zero | tr '\\0' '\\1'; fi; echo $a",
        prlimit.display()
    );
    let context = logging(&body);
    context.samples(3, &super::says_better());
    let arguments = with_agent(&["--concurrency", "1", "--no-cache", "--report-only"]);
    let killed = Running::start(&context, &arguments).finish();
    assert!(![0, 1, 2, 3].contains(&killed.code), "{}", killed.stderr);
    let stored = finished(&context.home());
    assert_eq!(stored.len(), 2, "{}", killed.stderr);
    Running::start(&context, &["eval", "--resume", "latest"]).finish().expect(0);
    let starts = counts(super::starts(&context.path("starts")));
    assert!(stored.iter().all(|cell| starts[cell] == 1), "{starts:?}");
    assert_eq!(starts.len(), 6);
}
