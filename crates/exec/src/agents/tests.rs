//! A second agent, which differs in everything that a description can say.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eval_spec::call::{Step, Trace};
use eval_spec::suite::{Settings, Written};
use eval_spec::{Call, Context, ExecError, Failure, Output};
use eval_trace::{AgentExit, AgentSetup, SkippedRecords, Transcript, TranscriptFormat};
use serde_json::Value;
use tempfile::TempDir;

use super::folder::RunFolder;
use super::gemini::without_imports;
use super::{AgentCli, AgentEndpoint, AgentEnvironment, AgentIsolation, Invocation, build};
use crate::executor_type::Build;
use crate::prices::Prices;

/// One `{"say": TEXT}` a line.
#[derive(Default)]
struct Says(Vec<Step>);

impl Transcript for Says {
    fn record(&mut self, record: Value) -> bool {
        let text = record["say"].as_str().map(|text| Step::Text { text: text.to_owned() });
        let is_known = text.is_some();
        self.0.extend(text);
        is_known
    }

    fn trace(&self) -> Trace {
        Trace { turns: None, cwd: None, steps: self.0.clone() }
    }

    fn setup(&self) -> Option<&AgentSetup> {
        None
    }

    fn partial(self: Box<Self>) -> Option<Box<Output>> {
        (!self.0.is_empty()).then(|| Box::new(Output { trace: self.trace(), ..Output::text("") }))
    }

    fn finish(self: Box<Self>, exit: &AgentExit<'_>, _: SkippedRecords) -> Result<Output, ExecError> {
        match (exit.code, self.0.last()) {
            (Some(0), Some(Step::Text { text })) => Ok(Output::text(text)),
            _ => Err(ExecError::new(Failure::Crashed, eval_message::msg!("exec-wait"))),
        }
    }
}

static FORMAT: TranscriptFormat =
    TranscriptFormat { name: "says", source: "a script", transcript: || Box::new(Says::default()) };

static OTHER: AgentCli = AgentCli {
    name: "other-agent",
    default_model: "m-1",
    key: "OTHER_KEY",
    tokens: &[],
    keyless: true,
    command: None,
    mention: None,
    attaches: false,
    vendor: ["https://other.invalid"; 2],
    missing: || eval_message::msg!("exec-wait"),
    version: &["version"],
    format: &FORMAT,
    environment: AgentEnvironment {
        prefixes: &["OTHER_"],
        clouds: &[("OTHER_USE_CLOUD", "CLOUD_")],
        removed: &["OTHER_NESTED"],
        quiet: &[("OTHER_QUIET", "1")],
        derived: |_, _| Vec::new(),
    },
    isolation: AgentIsolation { cuts: &["mcp"], arguments: &["--alone"], of_project: &[], unasked: &[] },
    home: None,
    mocks: None,
    has_sandbox: false,
    check: |_| Ok(()),
    endpoint: |_| Ok(AgentEndpoint { provider: "other".to_owned(), base_url: None, address: String::new() }),
    invocation: |agent| {
        let mut invocation = Invocation::new(&["run", "-m", agent.model]);
        invocation.add(agent.isolation);
        invocation.variables.push(("OTHER_HOME".into(), agent.folder.path()?.into()));
        Ok(invocation)
    },
};

fn world(folder: &Path, script: &str) -> Context {
    let path = folder.join("other-agent");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = version ]; then echo 'other-cli 0.3.1'; exit; fi\ncd '{}'\n{script}\n",
        folder.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let search = format!("{}:/usr/bin:/bin", folder.display());
    let variables = [
        ("PATH", search.as_str()),
        ("TMPDIR", &folder.display().to_string()),
        ("OTHER_API_KEY", "other-key-0123456789"),
        ("OTHER_NESTED", "1"),
        ("OTHER_USE_CLOUD", "0"),
        ("CLOUD_SECRET", "cloud-secret"),
        ("OPENAI_API_KEY", "sk-0123456789"),
    ];
    Context { cwd: folder.to_owned(), home: folder.to_owned(), ..testkit::calls::world(&variables) }
}

fn play(script: &str, timeout: Duration) -> (TempDir, Result<Output, ExecError>) {
    let folder = TempDir::new().unwrap();
    let context = world(folder.path(), script);
    let settings: Settings = Written::default().resolve();
    let b = Build { context: &context, settings: &settings, prices: Arc::new(Prices::built_in()) };
    let agent = build(&OTHER, &b).map_err(|error| error.to_string()).unwrap();
    assert_eq!(agent.identity().version.as_deref(), Some("0.3.1"));
    assert!(agent.identity().details.as_ref().unwrap().starts_with("--alone env:"));
    // This process can't start itself as a helper: a sandbox that isn't there is reported as such.
    let sandbox = agent.identity().sandbox.clone().unwrap();
    let is_missing = |guard: &str| sandbox.not_enforced.iter().any(|of| of.guard == guard);
    assert!(sandbox.enforced.is_empty() && is_missing("landlock-write") && is_missing("landlock-scope"), "{sandbox:?}");
    let call = Call { model: String::new(), system: None, timeout, ..testkit::calls::call("-hello") };
    let result = testkit::calls::run(&*agent, &call);
    (folder, result)
}

#[test]
fn a_description_decides_arguments_environment_and_format() {
    let script = r#"echo "$@" > args; env > env; ls -ld "$OTHER_HOME" > mode; cat > stdin
        echo '{"say":"working"}'; echo '{"unknown":1}'; echo '{"say":"done other-key-0123456789"}'"#;
    let (folder, result) = play(script, Duration::from_secs(20));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(result.unwrap().text, "done ***");
    assert_eq!((read("args").trim(), read("stdin").as_str()), ("run -m m-1 --alone", "-hello"));
    let env = read("env");
    assert!(env.contains("OTHER_API_KEY=") && env.contains("OTHER_QUIET=1"), "{env}");
    assert!(!env.contains("OTHER_NESTED") && !env.contains("cloud-secret") && !env.contains("OPENAI"), "{env}");
    assert!(read("mode").starts_with("drwx------"), "{}", read("mode"));
    let home = env.lines().find_map(|line| line.strip_prefix("OTHER_HOME=")).unwrap();
    assert!(!Path::new(home).exists(), "the scratch home is removed after the call");
}

#[test]
fn timeout_kills_the_tree_and_returns_the_partial_trace() {
    let script = r#"echo '{"say":"working"}'; sh -c 'echo $$ > child; exec sleep 60' & wait"#;
    let (folder, result) = play(script, Duration::from_millis(700));
    let error = result.unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert_eq!(error.partial.unwrap().trace.steps.len(), 1);
    let child = fs::read_to_string(folder.path().join("child")).unwrap();
    let stat = format!("/proc/{}/stat", child.trim());
    let is_gone = || fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
    assert!((0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        is_gone()
    }));
}

/// The lock is gone before the rest: somebody who is killed while removing leaves a folder without one.
#[test]
fn folder_that_a_killed_run_was_removing_goes_with_the_next_run() {
    let temporary = TempDir::new().unwrap();
    let ended = RunFolder::below(temporary.path()).unwrap();
    fs::write(ended.path().join("file"), "text").unwrap();
    let half = temporary.path().join("omk-run-gone-omk-run-1");
    fs::create_dir_all(half.join("omk-call-1/work")).unwrap();
    drop(ended);
    drop(RunFolder::below(temporary.path()).unwrap());
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn runs_that_begin_together_keep_their_folders() {
    let temporary = TempDir::new().unwrap();
    let begin = || {
        for _ in 0..100 {
            let folder = RunFolder::below(temporary.path()).unwrap();
            fs::write(folder.path().join("file"), "text").unwrap();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(begin);
        }
    });
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

/// As gemini 0.61.0 reads its `GEMINI.md`.
#[test]
fn text_for_gemini_imports_no_file() {
    for (text, expected) in [
        (
            "Ask @alice about @notes.md and @./a, @/etc/x.\n@b",
            "Ask \\@alice about \\@notes.md and \\@./a, \\@/etc/x.\n\\@b",
        ),
        ("a@b.test (@c) @1 @ \\@d @@e", "a@b.test (@c) @1 @ \\@d @@e"),
        (
            "Write `x @y z` and\n```\n@property\ndef a(): ``b @c``\n```\n@d",
            "Write `x @y z` and\n```\n@property\ndef a(): ``b @c``\n```\n\\@d",
        ),
        ("an open ` and @a", "an open ` and \\@a"),
        ("``` @a ` @b", "``` @a ` \\@b"),
        ("", ""),
    ] {
        assert_eq!(without_imports(text), expected, "{text}");
    }
}
