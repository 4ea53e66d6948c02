//! Execution: order, executors, failures, limits, cache, resume.

mod agent_skills_evals;
mod budget;
mod cache;
mod cached_control;
pub(crate) mod claude;
mod codex;
mod damaged_journal;
mod delivery;
mod endings;
mod executors;
mod fingerprints;
mod gemini;
mod installed_agents;
pub(crate) mod isolation;
mod journals;
mod killed;
mod leaks;
mod leftovers;
mod looks;
mod mocks;
mod network;
mod order;
mod permissions;
mod planted;
mod pull_request;
mod rate_limits;
mod recorded_yaml;
mod repeated;
mod resume;
mod sandbox;
mod server_failures;
mod time_limits;
mod traces;
mod triggers;
mod working_copies;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use testkit::{FakeAnswer, Request, wait_until};

use crate::fixtures::context::{Finished, TestContext};

/// A project like [`TestContext::with_agent`], whose agent logs each start in `starts` as `NUMBER ANSWER` (`7 plain`:
/// sample `s007`, variant `v1`) and then runs `body`, a piece of shell with the question's number in `$p` and its
/// artifact's answer in `$a`. `LOG` names another log.
fn logging(body: &str) -> TestContext {
    let context = TestContext::with_agent();
    // Only shell built-ins: one process less per call.
    context.script(
        "agent",
        &format!(
            // A killed run leaves agents behind that receive no question.
            r#"IFS= read -r q; [ -n "$q" ] || exit 1
p=${{q#*\"prompt\":\"question }}; p=${{p%%\"*}}
a=${{q#*ANSWER }}; a=${{a%%\\n*}}
echo "$p $a" >> "${{LOG:-starts}}"
{body}
"#
        ),
    );
    context
}

/// `omk eval` of `v1` against `v2` with the project's agent.
fn with_agent<'a>(more: &[&'a str]) -> Vec<&'a str> {
    eval_with("./agent", more)
}

/// `omk eval` of `v1` against `v2` with any executor.
pub(crate) fn eval_with<'a>(executor: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["eval", "--control", "v1", "--treatment", "v2", "--executor", executor], more].concat()
}

/// Of one variant alone, for what no comparison is about: half the starts of an agent.
pub(crate) fn eval_alone<'a>(executor: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["eval", "--variants", "v2", "--executor", executor], more].concat()
}

/// The last report as a page and as Markdown, without the marks of either: spaces collapsed, tags and escapes gone.
pub(crate) fn pages(context: &TestContext) -> [String; 2] {
    ["html", "markdown"].map(|format| {
        let text = context.run(&["report", "export", "latest", "--format", format]).expect(0).stdout;
        let tag = regex::Regex::new("<[^>]*>|[`\\\\\u{200b}]").unwrap();
        let plain = tag.replace_all(&text, "").replace("&#64;", "@").replace("&#39;", "'");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// The starts that the agent logged, in order, as `s007/v1`.
fn starts(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let cell = |line: &str| {
        let (number, answer) = line.split_once(' ').unwrap();
        let variant = if answer == "plain" { "v1" } else { "v2" };
        format!("s{:03}/{variant}", number.parse::<u32>().unwrap())
    };
    text.lines().map(cell).collect()
}

/// How often each text is in a list.
fn counts(list: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    list.into_iter().for_each(|item| *counts.entry(item).or_insert(0) += 1);
    counts
}

/// The complete lines of the only journal under `home`, without a torn one at the end.
pub(crate) fn journal(home: &Path) -> Vec<Value> {
    let files = crate::fixtures::context::files(&home.join("journal"));
    assert!(files.len() <= 1, "{files:?}");
    let Some(file) = files.first() else { return Vec::new() };
    let bytes = fs::read(file).unwrap();
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    bytes[..whole].split_inclusive(|byte| *byte == b'\n').map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// An execution in the journal.
struct Execution {
    cell: String,
    began: jiff::Timestamp,
    ended: jiff::Timestamp,
}

impl Execution {
    fn of(line: &Value) -> Option<Execution> {
        let execution = line["execution"].as_object()?;
        let time = |at: &str| execution[at].as_str().unwrap().parse().unwrap();
        let cell = execution["key"].as_str().unwrap().trim_end_matches("/0").to_owned();
        Some(Execution { cell, began: time("startedAt"), ended: time("finishedAt") })
    }
}

/// The executions in the only journal under `home`, in order of their start.
fn executions(home: &Path) -> Vec<Execution> {
    let mut executions: Vec<Execution> = journal(home).iter().filter_map(Execution::of).collect();
    executions.sort_by_key(|execution| execution.began);
    executions
}

/// The executions of the only journal under `home` that ended with an output, as `s007/v1`.
fn finished(home: &Path) -> Vec<String> {
    let lines = journal(home);
    let executions = lines.iter().map(|line| &line["execution"]).filter(|line| !line["result"]["output"].is_null());
    executions.map(|line| line["key"].as_str().unwrap().trim_end_matches("/0").to_owned()).collect()
}

/// Every result of a report, by `sample/variant`.
fn results(report: &Value) -> BTreeMap<String, &Value> {
    let samples = report["results"].as_array().unwrap();
    let of_sample = |sample: &'_ Value| sample["sample_id"].as_str().unwrap().to_owned();
    samples
        .iter()
        .flat_map(|sample| {
            let variants = sample["variants"].as_object().unwrap();
            variants.iter().map(move |(name, result)| (format!("{}/{name}", of_sample(sample)), result))
        })
        .collect()
}

/// A field of the summaries, summed over the variants.
fn sum(report: &Value, pointer: &str) -> u64 {
    let variants = report["summary"].as_object().unwrap().values();
    variants.map(|summary| summary.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)).sum()
}

/// The report, after validation against the schema.
#[track_caller]
pub(crate) fn valid(report: Value) -> Value {
    let validator = jsonschema::validator_for(&eval_format::report_schema()).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    report
}

/// Removes the fields of these names from a document at any depth.
fn without(names: &[&str], value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|field| without(names, field));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without(names, item)),
        _ => {}
    }
}

/// Removes the one check of samples that depends on how fast the machine is, and the score that follows from it.
fn remove_latency_outliers(report: &mut Value) {
    let quality = &mut report["analysis"]["sampleQuality"];
    for list in ["findings", "notChecked"] {
        quality[list].as_array_mut().unwrap().retain(|check| check["type"] != "latency_outliers");
    }
    quality["passed"].as_array_mut().unwrap().retain(|check| check != "latency_outliers");
    quality["score"] = Value::Null;
}

/// Checks that two documents are equal, and reports the first difference.
#[track_caller]
fn assert_same(expected: &Value, found: &Value) {
    assert!(expected == found, "{}", first_difference(expected, found, ""));
}

fn first_difference(a: &Value, b: &Value, path: &str) -> String {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.len() == y.len() => x
            .iter()
            .map(|(name, value)| first_difference(value, &b[name], &format!("{path}/{name}")))
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => (0..x.len())
            .map(|i| first_difference(&x[i], &y[i], &format!("{path}/{i}")))
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
        _ if a == b => String::new(),
        _ => format!("{path}: {a} became {b}"),
    }
}

/// A project in whose `PATH` an agent's program comes first, with these variables.
fn installed(name: &str, program: PathBuf, variables: &[(&str, &str)]) -> TestContext {
    let mut context = TestContext::with_agent();
    fs::create_dir_all(context.path("bin")).unwrap();
    symlink(program, context.path("bin").join(name)).unwrap();
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    for (name, value) in variables {
        context.env(name, value);
    }
    context
}

/// A model's answer with tokens, some of them from the cache.
fn answer(text: &str) -> FakeAnswer {
    FakeAnswer { text: Some(text.to_owned()), usage: Some((100, 7)), cached: 40, ..FakeAnswer::default() }
}

fn asked(request: &Request, text: &str) -> bool {
    request.body.to_string().contains(text)
}

/// An assertion that every answer `better` passes and every answer `plain` fails.
fn says_better() -> Value {
    json!([{"type": "contains", "value": "better"}])
}

/// Every file below a directory with its content.
fn all_files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for path in crate::fixtures::context::files(directory) {
        match path.is_dir() {
            true => found.extend(all_files(&path)),
            false => found.push((path.display().to_string(), fs::read(&path).unwrap())),
        }
    }
    found
}

/// Whether standard error contains a text, ignoring line breaks.
fn says(finished: &Finished, text: &str) -> bool {
    finished.stderr.split_whitespace().collect::<Vec<_>>().join(" ").contains(text)
}

/// Checks that a secret is in no file of the project and its home, and in neither stream.
#[track_caller]
fn assert_nowhere(secret: &str, context: &TestContext, finished: &Finished) {
    let holds = |bytes: &[u8]| bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
    for (name, bytes) in all_files(&context.path("")) {
        assert!(!holds(&bytes), "the key is in {name}");
    }
    assert!(!holds(finished.stdout.as_bytes()) && !holds(finished.stderr.as_bytes()), "{finished:#?}");
}

/// Whether a process is running; a zombie is not.
fn is_alive(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap().trim_start().starts_with(['Z', 'X']),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        // No `/proc` on this system.
        Err(_) => std::process::Command::new("kill").args(["-0", pid]).status().unwrap().success(),
    }
}

/// A running command.
struct Running {
    child: Child,
    stdout: Stream,
    stderr: Stream,
}

/// The text that a stream has brought so far.
struct Stream {
    text: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Stream {
    fn of(mut pipe: impl Read + Send + 'static) -> Stream {
        let text = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                shared.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..read]));
            }
        });
        Stream { text, reader }
    }

    fn end(self) -> String {
        self.reader.join().unwrap();
        let text = self.text.lock().unwrap();
        text.clone()
    }
}

impl Running {
    fn start(context: &TestContext, arguments: &[&str]) -> Running {
        Running::spawn(context.command(arguments))
    }

    fn spawn(mut command: std::process::Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Running { child, stdout: Stream::of(stdout), stderr: Stream::of(stderr) }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits until standard error contains a text.
    #[track_caller]
    fn wait_for(&self, text: &str) {
        wait_until(text, || self.stderr.text.lock().unwrap().contains(text));
    }

    /// Kills it as `kill -9` does, unless it has ended already.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end.
    #[track_caller]
    fn finish(mut self) -> Finished {
        let mut status = None;
        wait_until("the end of the command", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        let code = status.and_then(|status| status.code()).unwrap_or(-1);
        Finished { code, stdout: self.stdout.end(), stderr: self.stderr.end() }
    }
}
