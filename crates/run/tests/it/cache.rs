//! What is kept, what is served, and why not.

use std::path::Path;
use std::sync::Arc;

use eval_run::Cache;
use eval_run::cache::CacheKey;
use eval_spec::{Call, Failure, Identity, Outcome, Output};

use crate::kit::{Bench, Scripted, call_of, failing, good, plan};

fn fresh(bench: &mut Bench, number: u32) {
    // Another run: another journal, the same cache.
    std::fs::rename(bench.journal_path(), bench.folder.path().join(format!("run{number}"))).unwrap();
}

#[tokio::test]
async fn a_second_run_is_served_from_the_cache_and_says_so() {
    let mut bench = Bench::with_plan(plan(3, 2, 2));
    bench.cached = true;
    let executor = Arc::new(Scripted::new(|seen| Ok(Output::text(format!("good {}", seen.call.key)))));
    let first = bench.run(&executor).await;
    assert_eq!(executor.calls().len(), 12, "repeats are observations of their own");
    assert!(first.records.iter().flatten().all(|record| !record.execution.cached));

    fresh(&mut bench, 1);
    let second = bench.run(&executor).await;
    assert_eq!(executor.calls().len(), 12);
    for (a, b) in first.records.iter().flatten().zip(second.records.iter().flatten()) {
        assert!(b.execution.cached);
        assert_eq!(a.execution.result, b.execution.result);
        assert_eq!(a.grade, b.grade);
    }
}

#[tokio::test]
async fn two_arms_with_the_same_artifact_are_two_observations() {
    let mut bench = Bench::with_plan(same_artifact());
    bench.cached = true;
    let executor = Arc::new(Scripted::new(|seen| Ok(Output::text(format!("good {}", seen.call.key)))));
    let texts = |ran: &crate::kit::Ran| -> Vec<_> {
        ran.records.iter().flatten().map(|record| record.execution.result.clone()).collect()
    };
    let first = run_with_one_artifact(&bench, &executor).await;
    assert_eq!(executor.calls().len(), 8);
    fresh(&mut bench, 1);
    let second = run_with_one_artifact(&bench, &executor).await;
    assert_eq!(executor.calls().len(), 8, "and both are served again");
    assert_eq!(texts(&first), texts(&second));
}

fn same_artifact() -> eval_spec::plan::Plan {
    let names = |letter: &str, n: usize| -> Vec<Arc<str>> { (0..n).map(|i| format!("{letter}{i}").into()).collect() };
    eval_run::plan(
        &names("s", 4),
        &names("v", 2),
        eval_run::order(4, 2, 1, 1),
        |s, _, r| format!("{s}-{r}").into(),
        "g",
    )
}

async fn run_with_one_artifact(bench: &Bench, executor: &Arc<Scripted>) -> crate::kit::Ran {
    let journal = Arc::new(bench.journal().unwrap());
    let mut events = Vec::new();
    let engine = eval_run::Engine {
        executors: eval_run::Executors::one(bench.guarded(executor)),
        grader: Arc::new(crate::kit::Graded(0)),
        call: &|cell| Call { system: Some("one".into()), ..call_of(cell) },
        journal: Arc::clone(&journal),
        on_event: &mut |event| events.push(event),
        watch: None,
        again: None,
    };
    let end = engine.run(&bench.plan).await.unwrap();
    let records = journal.records(&bench.plan).map(|(_, record)| record.unwrap()).collect();
    crate::kit::Ran { end, events, records }
}

#[tokio::test]
async fn failures_are_never_kept() {
    let mut bench = Bench::new(2);
    bench.cached = true;
    let executor = Arc::new(Scripted::new(|seen| if seen.attempt == 0 { failing(Failure::Crashed) } else { good() }));
    assert_eq!(bench.run(&executor).await.failures().len(), 4);
    fresh(&mut bench, 1);
    let again = bench.run(&executor).await;
    assert_eq!((again.answers(), executor.calls().len()), (4, 8));
}

#[test]
fn what_the_model_said_is_kept_but_not_where_a_limit_stopped_it() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let key = key_of(&call());
    for (outcome, kept) in [
        (Outcome::LimitHit, false),
        (Outcome::Refused, true),
        (Outcome::Truncated, true),
        (Outcome::Empty, true),
        (Outcome::Answered, true),
    ] {
        let output = Output { outcome, ..Output::text("text") };
        put(&cache, &key, &output);
        assert_eq!(cache.get(&key.fingerprint).output.map(|(output, _)| output) == Some(output), kept, "{outcome:?}");
    }
}

/// Whoever runs again until a call is answered meets the failures before; an answer that is there is not lost by a later failure.
#[test]
fn failures_that_may_select_stay_with_a_call_until_it_is_answered_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let (key, cell) = (key_of(&call()), call().key);
    let fail = |failure| cache.put_failure(&key, &cell, failure, cache.get(&key.fingerprint).failures, now()).unwrap();
    for failure in [Failure::Timeout, Failure::Absent, Failure::Budget, Failure::Server] {
        fail(failure);
    }
    let found = cache.get(&key.fingerprint);
    assert_eq!((found.output, &found.failures[..]), (None, &[Failure::Timeout, Failure::Server][..]));
    let stopped = Output { outcome: Outcome::LimitHit, ..Output::text("half") };
    cache.put(&key, &cell, &stopped, found.failures, now()).unwrap();
    let failures = cache.get(&key.fingerprint).failures;
    assert_eq!(failures, [Failure::Timeout, Failure::Server, Failure::Limit]);
    assert_eq!(cache.explain(&key, &cell).hit, None);
    cache.put(&key, &cell, &Output::text("text"), failures.clone(), now()).unwrap();
    fail(Failure::Crashed);
    let found = cache.get(&key.fingerprint);
    assert_eq!((found.output.unwrap().0, found.failures), (Output::text("text"), failures));
}

#[test]
fn a_damaged_entry_and_a_name_that_is_no_hash_are_misses() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let key = key_of(&call());
    put(&cache, &key, &Output::text("text"));
    let file = find_entry(folder.path());
    let whole = std::fs::read(&file).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&file, &whole[..length]).unwrap();
        assert_eq!(cache.get(&key.fingerprint).output, None);
    }
    assert_eq!(cache.get("../../../../etc/passwd").output, None);
    assert_eq!(cache.get("é").output, None);
}

#[test]
fn writers_at_once_leave_whole_entries_and_no_litter() {
    let folder = tempfile::tempdir().unwrap();
    let key = key_of(&call());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (folder, key) = (folder.path(), &key);
            scope.spawn(move || {
                let cache = Cache::open(folder).unwrap();
                for _ in 0..50 {
                    put(&cache, key, &Output::text("x".repeat(10_000 * (writer + 1))));
                    assert!(cache.get(&key.fingerprint).output.is_some());
                }
            });
        }
    });
    let litter = walk(folder.path()).into_iter().filter(|path| path.extension().is_some_and(|e| e == "tmp")).count();
    assert_eq!(litter, 0);
}

#[test]
fn a_miss_is_explained_by_the_parts_that_differ_from_the_nearest_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path()).unwrap();
    let stored = call();
    let mut far = call();
    far.model = "other".to_owned();
    far.prompt = "another question".into();
    let mut of_other_sample = call();
    of_other_sample.key.sample = "s9".into();
    for call in [&stored, &far, &of_other_sample] {
        let key = CacheKey::of(call, &Identity::default(), 0);
        cache.put(&key, &call.key, &Output::text("text"), Vec::new(), now()).unwrap();
    }
    let hit = cache.explain(&key_of(&stored), &stored.key);
    assert!(hit.hit.is_some() && hit.nearest.is_none());

    let mut now_asked = call();
    now_asked.prompt = "question s0, changed".into();
    let miss = cache.explain(&key_of(&now_asked), &now_asked.key);
    assert_eq!(miss.hit, None);
    let nearest = miss.nearest.unwrap();
    let parts: Vec<&str> = nearest.differences.iter().map(|difference| difference.part.as_str()).collect();
    assert_eq!(parts, ["prompt"]);

    let mut unknown = call();
    unknown.key.sample = "new".into();
    unknown.prompt = "new".into();
    assert_eq!(cache.explain(&key_of(&unknown), &unknown.key).nearest, None);
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_is_a_warning_not_an_end() {
    let mut bench = Bench::new(2);
    bench.cached = true;
    let cache = bench.folder.path().join("cache");
    let executor = Arc::new(Scripted::new(|_| good()));
    let journal = Arc::new(bench.journal().unwrap());
    let engine = eval_run::Engine {
        executors: eval_run::Executors::one(bench.guarded(&executor)),
        grader: Arc::new(crate::kit::Graded(0)),
        call: &call_of,
        journal,
        on_event: &mut |_| {},
        watch: None,
        again: None,
    };
    // A file where the folder was: nothing can be written below it, whoever we are.
    std::fs::remove_dir_all(&cache).unwrap();
    std::fs::write(&cache, "").unwrap();
    let end = engine.run(&bench.plan).await.unwrap();
    assert_eq!((end.done, end.warnings.len()), (4, 1));
}

fn call() -> Call {
    call_of(&plan(1, 1, 1).cells[0])
}

fn key_of(call: &Call) -> CacheKey {
    CacheKey::of(call, &Identity::default(), 0)
}

fn now() -> jiff::Timestamp {
    jiff::Timestamp::UNIX_EPOCH
}

fn put(cache: &Cache, key: &CacheKey, output: &Output) {
    cache.put(key, &call().key, output, Vec::new(), now()).unwrap();
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

fn find_entry(folder: &Path) -> std::path::PathBuf {
    walk(folder).into_iter().find(|path| path.extension().is_some_and(|e| e == "json")).unwrap()
}

/// A run beside a new treatment `v1`, of which the control `v0` of the first sample is asked again in its turn, and all of it
/// afterwards where `all` says so.
async fn again(bench: &Bench, executor: &Arc<Scripted>, all: bool) -> (crate::kit::Ran, usize) {
    let journal = Arc::new(bench.journal().unwrap());
    let plan = &bench.plan;
    let at_once = |cell: &eval_spec::Cell| cell.subject == 0 && cell.sample == 0;
    let after = |_: &eval_run::Journal| {
        let rest = plan.cells.iter().enumerate().filter(|(_, cell)| all && cell.subject == 0 && cell.sample > 0);
        Ok(rest.map(|(at, _)| at).collect())
    };
    let mut events = Vec::new();
    let engine = eval_run::Engine {
        executors: eval_run::Executors::one(bench.guarded(executor)),
        grader: Arc::new(crate::kit::Graded(0)),
        call: &|cell| Call { system: Some(if cell.subject == 0 { "old" } else { "new" }.into()), ..call_of(cell) },
        journal: Arc::clone(&journal),
        on_event: &mut |event| events.push(event),
        watch: None,
        again: Some(eval_run::Again { at_once: &at_once, after: &after }),
    };
    let end = engine.run(plan).await.unwrap();
    let records = journal.records(plan).map(|(_, record)| record.unwrap()).collect();
    let replaced = plan.cells.iter().filter(|cell| journal.replaced(cell).unwrap().is_some()).count();
    (crate::kit::Ran { end, events, records }, replaced)
}

#[tokio::test]
async fn cells_that_are_asked_again_have_both_answers() {
    let mut bench = Bench::new(4);
    bench.cached = true;
    let executor = Arc::new(Scripted::new(|seen| Ok(Output::text(format!("good {}", seen.attempt)))));
    assert_eq!(again(&bench, &executor, false).await.1, 0, "what is new is asked once");
    assert_eq!(executor.calls().len(), 8);
    for (number, all, calls) in [(1, false, 1), (2, true, 4)] {
        fresh(&mut bench, number);
        let before = executor.calls().len();
        let (ran, replaced) = again(&bench, &executor, all).await;
        assert_eq!((executor.calls().len() - before, replaced), (calls, calls));
        assert_eq!((ran.end.done, ran.end.ended), (8, eval_run::RunEnding::Complete));
        let cached = ran.records.iter().flatten().filter(|record| record.execution.cached).count();
        assert_eq!(cached, 8 - calls);
        let resumed = again(&bench, &executor, all).await;
        assert_eq!((executor.calls().len() - before, resumed.1), (calls, calls), "nothing is asked a third time");
    }
}

#[tokio::test]
async fn run_that_is_stopped_before_it_asks_again_asks_when_it_goes_on() {
    let mut bench = Bench::new(4);
    bench.cached = true;
    let executor = Arc::new(Scripted::new(|_| good()));
    again(&bench, &executor, true).await;
    fresh(&mut bench, 1);
    let before = executor.calls().len();
    bench.stop.drain();
    again(&bench, &executor, true).await;
    assert_eq!(executor.calls().len(), before);
    bench.stop = eval_run::Stop::new();
    let (ran, replaced) = again(&bench, &executor, true).await;
    assert_eq!((executor.calls().len() - before, replaced, ran.end.done), (4, 4, 8));
}
