//! Callable skills, with real peers: programs in Python, Node and C, shells, services.

mod containment;
mod helper;
mod http;
mod kernel;
mod lines;
mod orphans;
mod quota;
mod subprocess;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eval_callable::{SkillHost, SkillSetup, WatchdogCommand};
use eval_exec::BuildError;
use eval_spec::callable::{AdapterConfig, AdapterType, CallableSkill};
use eval_spec::{Context, ExecError, Executor, Output};
use serde_json::{Map, Value};
use tempfile::TempDir;
use testkit::tools::tool_in;

use crate::{call, world};

/// Reads the request, and has `request`, `params` and `answer(result)`.
pub(crate) const PYTHON: &str = "
import json, os, sys, time
request = json.loads(sys.stdin.readline())
params = request['params']
def answer(result, **more):
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result, **more}), flush=True)
";

/// A run's place with one skill's directory.
pub(crate) struct Bench {
    // Before the folders it uses.
    pub(crate) host: Arc<SkillHost>,
    pub(crate) context: Context,
    pub(crate) directory: PathBuf,
    pub(crate) scratch: PathBuf,
    _folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench::with(Some(true), &[])
    }

    pub(crate) fn with(confined: Option<bool>, env: &[(&str, &str)]) -> Bench {
        let folder = TempDir::new().unwrap();
        let (directory, scratch) = (folder.path().join("skill"), folder.path().join("scratch"));
        fs::create_dir(&directory).unwrap();
        fs::create_dir(&scratch).unwrap();
        let host = Arc::new(SkillHost::start(&scratch, confined, Some(helper::watchdog())).unwrap());
        Bench { host, context: world(env), directory, scratch, _folder: folder }
    }

    /// Writes a file of the skill.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn skill(&self, adapter: AdapterType, entrypoint: &str, config: AdapterConfig) -> CallableSkill {
        CallableSkill {
            id: "tested".into(),
            name: "Tested".to_owned(),
            version: "1.2.3".to_owned(),
            description: String::new(),
            tags: Vec::new(),
            input_schema: None,
            output_schema: None,
            adapter,
            entrypoint: entrypoint.to_owned(),
            metadata: Map::new(),
            config,
            directory: self.directory.clone(),
            file: self.directory.join("skill.json"),
            hash: "0123".into(),
        }
    }

    pub(crate) fn build(&self, skill: &CallableSkill) -> Result<Arc<dyn Executor>, BuildError> {
        eval_callable::build(skill, &self.host, &SkillSetup { context: &self.context, langchain: None, custom: None })
    }

    pub(crate) fn subprocess(&self, entrypoint: &str, config: AdapterConfig) -> Arc<dyn Executor> {
        let skill = self.skill(AdapterType::Subprocess, entrypoint, config);
        self.build(&skill).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What a program in Python, after [`PYTHON`], answers to `input`.
    pub(crate) fn python(&self, code: &str, input: &str) -> Result<Output, ExecError> {
        self.python_within(code, input, Duration::from_secs(20))
    }

    pub(crate) fn python_within(&self, code: &str, input: &str, limit: Duration) -> Result<Output, ExecError> {
        self.file("skill.py", &format!("{PYTHON}{code}"));
        ask_within(&*self.subprocess("python3 skill.py", AdapterConfig::default()), input, limit)
    }
}

pub(crate) fn ask(executor: &dyn Executor, input: &str) -> Result<Output, ExecError> {
    ask_within(executor, input, Duration::from_secs(20))
}

pub(crate) fn ask_within(executor: &dyn Executor, input: &str, limit: Duration) -> Result<Output, ExecError> {
    let mut asked = call(input);
    asked.timeout = limit;
    crate::run(executor, &asked)
}

pub(crate) fn value(output: &Output) -> Value {
    serde_json::from_str(&output.text).unwrap()
}

/// Whether a process lives; one that only waits for its parent doesn't.
pub(crate) fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

/// Waits for what must come true.
pub(crate) fn soon(mut is_true: impl FnMut() -> bool) -> bool {
    (0..500).any(|_| {
        let so = is_true();
        if !so {
            std::thread::sleep(Duration::from_millis(20));
        }
        so
    })
}

/// Whether a program is installed where skills find it.
pub(crate) fn there_is(program: &str) -> bool {
    tool_in(&world(&[]).env["PATH"], &[program]).is_some()
}

/// This test binary with one of its ignored tests.
pub(crate) fn this_test(name: &str) -> WatchdogCommand {
    let arguments = ["--ignored", "--exact", name, "--nocapture", "--test-threads=1"];
    WatchdogCommand { program: std::env::current_exe().unwrap(), arguments: arguments.map(Into::into).to_vec() }
}
