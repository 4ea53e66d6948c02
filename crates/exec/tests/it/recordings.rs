//! Recording and replaying.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use eval_exec::{Build, BuildError, Prices, RECORDINGS_FILE, Recorder, Recordings};
use eval_message::msg;
use eval_spec::{BoxFuture, Call, ExecError, Executor, Failure, Identity, Outcome, Output};
use tempfile::TempDir;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript};

use crate::{call, executor, run, settings, world};

fn replay(folder: &Path) -> Result<Arc<dyn Executor>, BuildError> {
    let (context, mut settings) = (world(&[]), settings());
    settings.recordings = Some(folder.to_owned());
    eval_exec::build("replay", &Build { context: &context, settings: &settings, prices: Arc::new(Prices::built_in()) })
}

/// Records what `executor` answers to `calls`.
fn record(folder: &Path, executor: Arc<dyn Executor>, calls: &[Call]) -> Vec<Result<Output, ExecError>> {
    let recorder = Arc::new(Recorder::create(folder).unwrap());
    let recorded = Recorder::wrap(executor, recorder.clone());
    let results = calls.iter().map(|call| run(&*recorded, call)).collect();
    assert!(recorder.notes().iter().all(|note| note.id != "exec-recorder-failed"));
    results
}

fn of(sample: &str, subject: &str, repeat: u32, prompt: &str) -> Call {
    let mut call = call(prompt);
    call.key = eval_spec::CellKey { sample: sample.into(), subject: subject.into(), repeat };
    call
}

/// Answers with the cell's name, or with the failure that the prompt names.
struct Echo(Identity);

impl Executor for Echo {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            match &*call.prompt {
                "fail" => Err(ExecError {
                    retry_after_ms: Some(60_000),
                    ..ExecError::new(Failure::RateLimited, msg!("exec-wait"))
                }),
                "stop" => Err(ExecError::new(Failure::Interrupted, msg!("exec-wait"))),
                _ => Ok(Output::text(call.key.to_string())),
            }
        })
    }
}

fn echo() -> Arc<dyn Executor> {
    Arc::new(Echo(Identity { executor: "echo".to_owned(), provider: "here".to_owned(), ..Identity::default() }))
}

#[test]
fn replayed_output_equals_the_recorded_one() {
    let folder = TempDir::new().unwrap();
    let api = FakeApi::start(ReplyScript::list(vec![
        FakeReply::text("审查 \"quoted\"\n"),
        FakeReply::answer(FakeAnswer { stop: testkit::FakeStop::Length, ..FakeAnswer::default() }),
    ]));
    let context = world(&[("OPENAI_BASE_URL", &api.url)]);
    let mut calls = vec![of("s001", "v1", 0, "one"), of("s002", "v1", 0, "two")];
    calls.iter_mut().for_each(|call| call.model = "gpt-4o".to_owned());
    let recorded = record(folder.path(), executor("openai-api", &context), &calls);
    let replay = replay(folder.path()).unwrap();
    for (call, recorded) in calls.iter().zip(recorded) {
        assert_eq!(run(&*replay, call), recorded);
        assert!(recorded.unwrap().cost.is_some());
    }
    let recordings = Recordings::open(folder.path()).unwrap();
    assert_eq!(recordings.identity().unwrap().executor, "openai-api");
    assert_eq!(replay.identity().details.as_deref(), Some(recordings.hash()));
    let bytes = fs::read(folder.path().join(RECORDINGS_FILE)).unwrap();
    assert_eq!(recordings.hash(), eval_spec::hash::sha256_hex(&bytes));
    assert!(!String::from_utf8(bytes).unwrap().contains("one"), "prompts are not in it");
}

#[test]
fn variants_with_equal_requests_keep_their_own_recordings() {
    let folder = TempDir::new().unwrap();
    let calls =
        [of("s1", "a", 0, "same"), of("s1", "b", 0, "same"), of("s2", "a", 0, "same"), of("s1", "a", 1, "same")];
    record(folder.path(), echo(), &calls);
    let replay = replay(folder.path()).unwrap();
    for call in &calls {
        assert_eq!(run(&*replay, call).unwrap().text, call.key.to_string());
    }
    let error = run(&*replay, &of("s1", "renamed", 0, "same")).unwrap_err();
    assert_eq!(error.failure, Failure::NoRecording);
    assert!(error.to_string().contains("s1/a") && error.to_string().contains("s1/b"), "{error}");
}

#[test]
fn recording_of_a_renamed_variant_is_found_by_its_request() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), echo(), &[of("s1", "a", 0, "one"), of("s2", "a", 0, "two")]);
    assert_eq!(run(&*replay(folder.path()).unwrap(), &of("s1", "renamed", 0, "one")).unwrap().text, "s1/a/0");
}

#[test]
fn recording_is_found_without_a_model_but_not_with_another_one() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), echo(), &[of("s1", "a", 0, "one")]);
    let replay = replay(folder.path()).unwrap();
    let mut asked = of("s1", "a", 0, "one");
    asked.model = String::new();
    assert!(run(&*replay, &asked).is_ok());
    asked.model = "another".to_owned();
    let error = run(&*replay, &asked).unwrap_err().to_string();
    assert!(error.contains("`test-model`") && error.contains("`another`"), "{error}");
}

#[test]
fn missing_recording_names_the_change() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), echo(), &[of("s003", "v1", 0, "one")]);
    let replay = replay(folder.path()).unwrap();
    let miss = |call: &Call| {
        let error = run(&*replay, call).unwrap_err();
        assert!(error.failure == Failure::NoRecording && !error.failure.retryable());
        error.to_string()
    };
    assert_eq!(miss(&of("s003", "v1", 0, "changed")), "the prompt of `s003` changed since it was recorded");
    let mut artifact = of("s003", "v1", 0, "one");
    artifact.system = Some("changed".into());
    assert_eq!(miss(&artifact), "the artifact of `v1` changed since it was recorded");
    assert!(miss(&of("s004", "v1", 0, "new")).starts_with("there is no recording of `s004/v1/0`"));
    assert!(miss(&of("s003", "v1", 1, "one")).starts_with("there is no recording of `s003/v1/1`"));
}

#[test]
fn last_recorded_attempt_is_replayed_also_when_it_failed() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), echo(), &[of("s1", "a", 0, "fail"), of("s1", "a", 0, "stop")]);
    let error = run(&*replay(folder.path()).unwrap(), &of("s1", "a", 0, "fail")).unwrap_err();
    assert_eq!((error.failure, error.retry_after_ms), (Failure::RateLimited, None));
    assert_eq!(
        run(&*replay(folder.path()).unwrap(), &of("s1", "a", 0, "stop")).unwrap_err().failure,
        Failure::NoRecording
    );
    // The same call, answered at last.
    let recorder = Recorder::create(folder.path()).unwrap();
    let answered = Ok(Output::text("at last"));
    recorder.record(&of("s1", "a", 0, "fail"), echo().identity(), &answered);
    assert_eq!(run(&*replay(folder.path()).unwrap(), &of("s1", "a", 0, "fail")), answered);
    assert!(recorder.notes().iter().all(|note| note.id != "exec-recorder-replaced"), "a failure is no loss");
}

#[test]
fn recording_again_is_reported_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let calls = [of("s1", "a", 0, "one")];
    record(folder.path(), echo(), &calls);
    let recorder = Recorder::create(folder.path()).unwrap();
    recorder.record(&calls[0], echo().identity(), &Ok(Output::text("newer")));
    let notes: Vec<String> = recorder.notes().iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("held a recording already") && notes[1].contains("was made again"), "{notes:?}");
    assert_eq!(run(&*replay(folder.path()).unwrap(), &calls[0]).unwrap().text, "newer");
    let file = fs::read_to_string(folder.path().join(RECORDINGS_FILE)).unwrap();
    assert_eq!(file.lines().count(), 2, "the old one is still there");
}

/// Who records until an answer is good selects among answers.
#[test]
fn replay_tells_why_earlier_recordings_do_not_count() {
    let folder = TempDir::new().unwrap();
    let api = Identity { executor: "openai-api".to_owned(), ..echo().identity().clone() };
    let failed = |failure| Err(ExecError::new(failure, msg!("exec-wait")));
    let calls = ["one", "two", "three"].map(|prompt| of("s1", "a", 0, prompt));
    {
        let recorder = Recorder::create(folder.path()).unwrap();
        let of_command =
            [failed(Failure::Timeout), Ok(Output::text("bad")), failed(Failure::RateLimited), Ok(Output::text("good"))];
        of_command.iter().for_each(|result| recorder.record(&calls[0], echo().identity(), result));
        // a model's API that is busy selects nothing
        let of_api = [failed(Failure::RateLimited), failed(Failure::Dropped), Ok(Output::text("good"))];
        of_api.iter().for_each(|result| recorder.record(&calls[1], &api, result));
        let equal = [Output::text("good"), Output { latency_ms: Some(7), ..Output::text("good") }];
        equal.into_iter().for_each(|output| recorder.record(&calls[2], &api, &Ok(output)));
    }
    let replay = replay(folder.path()).unwrap();
    let before = calls.each_ref().map(|call| replay.failures_before(call));
    let expected = [&[Failure::Timeout, Failure::Replaced, Failure::RateLimited][..], &[Failure::Dropped], &[]];
    assert_eq!(before, expected.map(<[Failure]>::to_vec));
    assert_eq!(replay.failures_before(&of("s2", "a", 0, "other")), []);
}

#[test]
fn two_runs_do_not_record_into_one_folder() {
    let folder = TempDir::new().unwrap();
    let _first = Recorder::create(folder.path()).unwrap();
    assert!(Recorder::create(folder.path()).is_err());
}

#[test]
fn torn_last_line_is_skipped_and_reported() {
    let folder = TempDir::new().unwrap();
    let calls = [of("s1", "a", 0, "one"), of("s2", "a", 0, "two")];
    record(folder.path(), echo(), &calls);
    let path = folder.path().join(RECORDINGS_FILE);
    let whole = fs::read(&path).unwrap();
    let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for cut in first + 1..whole.len() - 1 {
        fs::write(&path, &whole[..cut]).unwrap();
        let recordings = Recordings::open(folder.path()).unwrap();
        assert!(recordings.torn() && recordings.len() == 1, "cut at {cut}");
    }
    let error = run(&*replay(folder.path()).unwrap(), &calls[1]).unwrap_err();
    assert!(error.to_string().contains("cut short"), "{error}");
    let recorder = Recorder::create(folder.path()).unwrap();
    assert!(recorder.notes().iter().any(|note| note.id == "exec-recorder-torn"));
    recorder.record(&calls[1], echo().identity(), &Ok(Output::text("again")));
    assert_eq!(run(&*replay(folder.path()).unwrap(), &calls[1]).unwrap().text, "again");
    // A whole last line that only lacks its line feed is no loss.
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    drop(recorder);
    let recorder = Recorder::create(folder.path()).unwrap();
    recorder.record(&of("s3", "a", 0, "three"), echo().identity(), &Ok(Output::text("third")));
    assert_eq!(Recordings::open(folder.path()).unwrap().len(), 3);
}

#[test]
fn invalid_recording_is_refused_with_its_line() {
    let folder = TempDir::new().unwrap();
    record(folder.path(), echo(), &[of("s1", "a", 0, "one")]);
    let path = folder.path().join(RECORDINGS_FILE);
    let line = fs::read_to_string(&path).unwrap();
    let refused = |text: String| {
        fs::write(&path, text).unwrap();
        replay(folder.path()).map(drop).unwrap_err().to_string()
    };
    assert!(refused(format!("{line}{{}}\n{line}")).starts_with("line 2 of"));
    assert!(refused(format!("{{\"version\":2}}\n{line}")).contains("version 2"));
    assert!(refused(line.replace("\"version\":1", "\"version\":9")).contains("version 9"));
    assert!(refused(String::new()).contains("no recording"));
    fs::remove_file(&path).unwrap();
    let error = replay(folder.path()).map(drop).unwrap_err();
    assert!(error.to_string().contains(RECORDINGS_FILE) && error.help()[0].to_string().contains("--record"));
}

#[test]
fn concurrent_tasks_record_whole_lines() {
    let folder = TempDir::new().unwrap();
    let recorder = Recorder::create(folder.path()).unwrap();
    std::thread::scope(|scope| {
        for task in 0..8 {
            let recorder = &recorder;
            scope.spawn(move || {
                for n in 0..50 {
                    let call = of(&format!("s{n}"), &format!("v{task}"), 0, "long prompt");
                    let output = Output::text("x".repeat(10_000));
                    assert_eq!(output.outcome, Outcome::Answered);
                    recorder.record(&call, echo().identity(), &Ok(output));
                }
            });
        }
    });
    assert_eq!(Recordings::open(folder.path()).unwrap().len(), 400);
}

#[test]
fn a_folder_in_use_and_a_file_that_is_none_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let first = Recorder::create(folder.path()).unwrap();
    let error = Recorder::create(folder.path()).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    drop(first);
    assert!(Recorder::create(folder.path()).is_ok());
    let file = folder.path().join(eval_exec::RECORDINGS_FILE);
    let refused = |folder: &Path, why: &str| {
        let error = Recorder::create(folder).err().unwrap();
        assert!(error.kind() != std::io::ErrorKind::WouldBlock && error.to_string().contains(why), "{error}");
    };
    refused(&file, "File exists");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    refused(folder.path(), "Is a directory");
    std::fs::remove_dir(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    refused(folder.path(), "not a regular file");
}
