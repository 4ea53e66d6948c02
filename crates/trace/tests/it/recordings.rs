//! All recordings of agents, one row each. The figures were taken from the raw files by independent scripts (of `claude`,
//! the last `result`, sums over its `modelUsage`, distinct ids; of `codex`, the last `turn.completed` and distinct items; of
//! `gemini`, the `result` and its calls),
//! the endings by reading them.

use eval_spec::{ExecError, Output};
use eval_trace::claude::STREAM_JSON;
use eval_trace::codex::EXEC_JSON;
use eval_trace::{AgentExit, TranscriptFormat, gemini};
use serde_json::Value;

/// Case | outcome or failure | HTTP status | tokens in/out/cache read/cache write | dollars |
/// tool calls | turns | how the answer begins. `-` is "not known" or "none".
const CLAUDE: &str = r#"
badmodel.json | rejected | 404 | - | - | 0 | - | -
badmodel.stream-json | rejected | 404 | - | - | 0 | - | -
badmodel.text | crashed | - | - | - | 0 | - | -
badsse.json | answered | - | 24864/13/0/0 | 0.099716 | 0 | - | hello this is a longer text that is cut
badsse.stream-json | answered | - | 24864/13/0/0 | 0.099716 | 0 | 1 | hello this is a longer text that is cut
bash-failures.bypass.stream-json | answered | - | 102575/241/0/0 | 0.41512 | 7 | 8 | Done.
bash-failures.stream-json | answered | - | 102585/241/0/0 | 0.41516 | 7 | 8 | Done.
bg-disabled.stream-json | answered | - | 32480/52/0/0 | 0.13096 | 1 | 2 | done.
bg-subagent.json | answered | - | 45574/54/0/0 | 0.183376 | 0 | - | done.
bg-subagent.text | crashed | - | - | - | 0 | - | -
bigstdin.json | answered | - | 37431/7/0/0 | 0.149864 | 0 | - | Hello from the fake model.
dash-prompt.json | answered | - | 12435/7/0/0 | 0.04988 | 0 | - | Hello from the fake model.
drop.default-retries.stream-json | dropped | - | - | - | 0 | - | -
drop.json | dropped | - | - | - | 0 | - | -
drop.stream-json | dropped | - | - | - | 0 | - | -
dropmid.json | answered | - | 12432/10/0/0 | 0.049928 | 0 | - | hello this is a longer text that is cut
dropmid.stream-json | answered | - | 12432/10/0/0 | 0.049928 | 0 | 1 | hello this is a longer text that is cut
empty.json | empty | - | 24897/0/0/0 | 0.09958800000000001 | 0 | - | -
empty.stream-json | empty | - | 24897/0/0/0 | 0.09958800000000001 | 0 | - | -
empty.text | killed | - | - | - | 0 | - | -
err400.json | rejected | 400 | - | - | 0 | - | -
err400.stream-json | rejected | 400 | - | - | 0 | - | -
err400.text | crashed | - | - | - | 0 | - | -
err401.default-retries.stream-json | auth | 401 | - | - | 0 | - | -
err401.json | auth | 401 | - | - | 0 | - | -
err401.stream-json | auth | 401 | - | - | 0 | - | -
err402.json | no-credit | 400 | - | - | 0 | - | -
err402.stream-json | no-credit | 400 | - | - | 0 | - | -
err402.text | crashed | - | - | - | 0 | - | -
err429.default-retries.stream-json | rate-limited | 429 | - | - | 0 | - | -
err429.json | rate-limited | 429 | - | - | 0 | - | -
err429.stream-json | rate-limited | 429 | - | - | 0 | - | -
err429_then_ok.json | rate-limited | 429 | - | - | 0 | - | -
err429_then_ok.stream-json | rate-limited | 429 | - | - | 0 | - | -
err500.default-retries.stream-json | server | 500 | - | - | 0 | - | -
err500.json | server | 500 | - | - | 0 | - | -
err500.stream-json | server | 500 | - | - | 0 | - | -
err529.json | server | 529 | - | - | 0 | - | -
err529.stream-json | server | 529 | - | - | 0 | - | -
errmid.json | answered | - | 12432/10/0/0 | 0.049928 | 0 | - | hello this is a longer text that is cut
errmid.stream-json | answered | - | 12432/10/0/0 | 0.049928 | 0 | 1 | hello this is a longer text that is cut
hang.api-timeout.json | timeout | - | - | - | 0 | - | -
hang.sigint.json | killed | - | - | - | 0 | - | -
hang.sigterm.json | killed | - | - | - | 0 | - | -
hang.sigterm.stream-json | killed | - | - | - | 0 | - | -
hooks/hook-ask.stream-json | answered | - | 81975/173/0/0 | 0.33136 | 5 | 6 | Done.
hooks/hook-badshape.stream-json | answered | - | 82136/173/0/0 | 0.33200399999999997 | 5 | 6 | Done.
hooks/hook-ctx.stream-json | answered | - | 82501/173/0/0 | 0.333464 | 5 | 6 | Done.
hooks/hook-defer.stream-json | limit-hit | - | 13458/35/0/0 | 0.054532 | 1 | 1 | -
hooks/hook-deny.stream-json | answered | - | 82147/173/0/0 | 0.33204799999999995 | 5 | 6 | Done.
hooks/hook-exit1.stream-json | answered | - | 82146/173/0/0 | 0.33204399999999995 | 5 | 6 | Done.
hooks/hook-exit2.stream-json | answered | - | 82334/173/0/0 | 0.332796 | 5 | 6 | Done.
hooks/hook-fail.stream-json | answered | - | 82151/173/0/0 | 0.33206399999999997 | 5 | 6 | Done.
hooks/hook-http.stream-json | answered | - | 82097/173/0/0 | 0.33184800000000003 | 5 | 6 | Done.
hooks/hook-isolated-bare.stream-json | answered | - | 7616/173/0/0 | 0.033923999999999996 | 5 | 6 | Done.
hooks/hook-isolated-restricted.stream-json | answered | - | 63651/173/0/0 | 0.25806399999999996 | 5 | 6 | Done.
hooks/hook-isolated-safe-mode.stream-json | answered | - | 78816/173/0/0 | 0.318724 | 5 | 6 | Done.
hooks/hook-isolated-sources-empty.stream-json | answered | - | 81978/173/0/0 | 0.33137199999999994 | 5 | 6 | Done.
hooks/hook-junk.stream-json | answered | - | 82146/173/0/0 | 0.33204399999999995 | 5 | 6 | Done.
hooks/hook-legacy.stream-json | answered | - | 82124/173/0/0 | 0.331956 | 5 | 6 | Done.
hooks/hook-none.stream-json | answered | - | 82146/173/0/0 | 0.33204399999999995 | 5 | 6 | Done.
hooks/hook-post-noop.stream-json | answered | - | 82074/173/0/0 | 0.33175599999999994 | 5 | 6 | Done.
hooks/hook-post.stream-json | answered | - | 81978/173/0/0 | 0.33137199999999994 | 5 | 6 | Done.
hooks/hook-rewrite.stream-json | answered | - | 81989/173/0/0 | 0.331416 | 5 | 6 | Done.
hooks/hook-slow.stream-json | answered | - | 82146/173/0/0 | 0.33204399999999995 | 5 | 6 | Done.
hooks/hook-stop.stream-json | limit-hit | - | 13458/35/0/0 | 0.054532 | 1 | 1 | -
hooks/hook-subagent.stream-json | answered | - | 320/56/0/0 | 0.0024000000000000002 | 2 | 2 | The sub-agent says the file is missing.
hooks/hook-web.stream-json | answered | - | 38162/75/0/0 | 0.154148 | 2 | 3 | Done.
hooks/path-shim.stream-json | answered | - | 82113/173/0/0 | 0.331912 | 5 | 6 | Done.
html502.json | server | 502 | - | - | 0 | - | -
html502.stream-json | server | 502 | - | - | 0 | - | -
json-schema.json | answered | - | 2388/33/0/0 | 0.010211999999999999 | 0 | - | {"score":4,"reason":"ok"}
max-budget.json | limit-hit | - | 120/40/0/2000 | 0.01128 | 0 | - | -
max-turns.json | limit-hit | - | 150/75/2100/2000 | 0.01252 | 0 | - | -
max-turns.stream-json | limit-hit | - | 150/75/2100/2000 | 0.01252 | 2 | 2 | -
maxtok.json | truncated | - | 50172/16/0/0 | 0.201008 | 0 | - | -
maxtok.stream-json | truncated | - | 50172/16/0/0 | 0.201008 | 0 | 4 | -
maxtok.text | crashed | - | - | - | 0 | - | -
mcp-bad.stream-json | answered | - | 12587/7/0/0 | 0.050488 | 0 | 1 | Hello from the fake model.
mcp-fs.stream-json | answered | - | 12520/7/0/0 | 0.05022 | 0 | 1 | Hello from the fake model.
model-haiku.json | answered | - | 13092/7/0/0 | 0.0013127 | 0 | - | Hello from the fake model.
model-opus.json | answered | - | 12431/7/0/0 | 0.049864 | 0 | - | Hello from the fake model.
model-sonnet.json | answered | - | 12366/7/0/0 | 0.024802 | 0 | - | Hello from the fake model.
no-persist.json | answered | - | 12447/7/0/0 | 0.049928 | 0 | - | Hello from the fake model.
nokey.json | auth | - | - | - | 0 | - | -
permission-denied.json | answered | - | 213/182/9000/2000 | 0.016292 | 0 | - | The magic number is 42. I could not find revenue
permission-denied.stream-json | answered | - | 213/182/9000/2000 | 0.016292 | 5 | 5 | The magic number is 42. I could not find revenue
refusal.json | refused | - | 24948/8/0/0 | 0.09995199999999999 | 0 | - | -
refusal.stream-json | refused | - | 24948/8/0/0 | 0.09995199999999999 | 0 | 2 | -
refusal.text | crashed | - | - | - | 0 | - | -
resume.stream-json | answered | - | 26004/96/0/0 | 0.105936 | 1 | 2 | Second answer.
session-id.json | answered | - | 12447/7/0/0 | 0.049928 | 0 | - | Hello from the fake model.
simple.json | answered | - | 12432/7/0/0 | 0.049868 | 0 | - | Hello from the fake model.
simple.stream-json | answered | - | 12432/7/0/0 | 0.049868 | 0 | 1 | Hello from the fake model.
simple.text | crashed | - | - | - | 0 | - | -
skill-slash.stream-json | answered | - | 12517/7/0/0 | 0.050208 | 0 | 1 | Hello from the fake model.
skill-tool.stream-json | answered | - | 360/57/0/0 | 0.00258 | 3 | 3 | The magic number is 42 【推断】.
skipperms-root.json | crashed | - | - | - | 0 | - | -
stdin-plus-prompt.json | answered | - | 12436/7/0/0 | 0.049884 | 0 | - | Hello from the fake model.
subagent.forward.stream-json | answered | - | 320/56/0/0 | 0.0024000000000000002 | 2 | 2 | The sub-agent says the file is missing.
subagent.stream-json | answered | - | 320/56/0/0 | 0.0024000000000000002 | 2 | 2 | The sub-agent says the file is missing.
success.json-verbose | answered | - | 213/182/9000/2000 | 0.016292 | 5 | 5 | The magic number is 42. I could not find revenue
success.json | answered | - | 213/182/9000/2000 | 0.016292 | 0 | - | The magic number is 42. I could not find revenue
success.stdin | answered | - | 213/182/9000/2000 | 0.016292 | 0 | - | The magic number is 42. I could not find revenue
success.stream-json-noverbose | crashed | - | - | - | 0 | - | -
success.stream-json-partial | answered | - | 213/182/9000/2000 | 0.016292 | 5 | 5 | The magic number is 42. I could not find revenue
success.stream-json | answered | - | 213/182/9000/2000 | 0.016292 | 5 | 5 | The magic number is 42. I could not find revenue
success.text | crashed | - | - | - | 0 | - | -
task-alias.stream-json | answered | - | 45574/54/0/0 | 0.183376 | 1 | 3 | done.
"#;

/// As the table above.
const CODEX: &str = r#"
badmodel.jsonl | rejected | - | - | - | 0 | - | -
badsse.jsonl | dropped | - | - | - | 0 | - | -
drop.jsonl | dropped | - | - | - | 0 | - | -
dropmid.jsonl | dropped | - | - | - | 0 | - | -
empty.jsonl | empty | - | 9620/0/0/0 | - | 0 | - | -
err400.jsonl | rejected | - | - | - | 0 | - | -
err401.jsonl | auth | 401 | - | - | 0 | - | -
err429.jsonl | rate-limited | 429 | - | - | 0 | - | -
err429_then_ok.jsonl | rate-limited | 429 | - | - | 0 | - | -
err500.jsonl | server | - | - | - | 0 | - | -
errmid.jsonl | server | - | - | - | 0 | - | -
hang.idle-timeout.jsonl | killed | - | - | - | 0 | - | -
hang.sigint.jsonl | crashed | - | - | - | 0 | - | -
hang.sigterm.jsonl | killed | - | - | - | 0 | - | -
hooks/hook-block.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
hooks/hook-deny.jsonl | answered | - | 2050/155/3800/0 | - | 0 | - | The magic number is 42. I could not find revenue
hooks/hook-exit2.jsonl | answered | - | 2050/155/3800/0 | - | 0 | - | The magic number is 42. I could not find revenue
hooks/hook-none.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
hooks/hook-post.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
hooks/hook-rewrite.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
html502.jsonl | server | 502 | - | - | 0 | - | -
maxtok.jsonl | truncated | - | - | - | 0 | - | -
nokey.jsonl | auth | - | - | - | 0 | - | -
notgit.jsonl | crashed | - | - | - | 0 | - | -
simple.jsonl | answered | - | 9620/7/0/0 | - | 0 | - | Hello from the fake model.
sub-agents.jsonl | answered | - | 500/35/200/0 | - | 4 | - | One line, and nothing of it.
success.bypass.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
success.danger.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
success.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
success.stdin.jsonl | answered | - | 2050/155/3800/0 | - | 4 | - | The magic number is 42. I could not find revenue
success.text | crashed | - | - | - | 0 | - | -
"#;

/// As the tables above.
const GEMINI: &str = r#"
badmodel.json | rejected | 404 | - | - | 0 | - | -
badmodel.stream-json | rejected | 404 | - | - | 0 | - | -
badsse.json | malformed | - | - | - | 0 | - | -
badsse.stream-json | malformed | - | - | - | 0 | - | -
drop.json | killed | - | - | - | 0 | - | -
drop.maxAttempts2.stream-json | dropped | - | - | - | 0 | - | -
drop.stream-json | killed | - | - | - | 0 | - | -
dropmid.json | dropped | - | - | - | 0 | - | -
dropmid.stream-json | dropped | - | - | - | 0 | - | -
empty.json | empty | - | 33217/0/0/0 | - | 0 | - | -
empty.stream-json | empty | - | 33217/0/0/0 | - | 0 | - | -
err400.json | rejected | 400 | - | - | 0 | - | -
err400.stream-json | rejected | 400 | - | - | 0 | - | -
err401_gem.json | auth | 400 | - | - | 0 | - | -
err401_gem.stream-json | auth | 400 | - | - | 0 | - | -
err429.json | killed | - | - | - | 0 | - | -
err429.maxAttempts2.stream-json | rate-limited | 429 | - | - | 0 | - | -
err429.stream-json | killed | - | - | - | 0 | - | -
err429_then_ok.json | answered | - | 8275/3/0/0 | - | 0 | - | recovered
err429_then_ok.stream-json | answered | - | 8275/3/0/0 | - | 0 | - | recovered
err500.json | server | 500 | - | - | 0 | - | -
err500.maxAttempts2.stream-json | server | 500 | - | - | 0 | - | -
err500.stream-json | killed | - | - | - | 0 | - | -
hang.sigint.norelaunch.stream-json | killed | - | - | - | 0 | - | -
hang.sigint.stream-json | killed | - | - | - | 0 | - | -
hang.sigterm.norelaunch.stream-json | killed | - | - | - | 0 | - | -
hang.sigterm.stream-json | killed | - | - | - | 0 | - | -
hooks/hook-afterctx.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
hooks/hook-afterdeny.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
hooks/hook-deny.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
hooks/hook-exit2.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
hooks/hook-none.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
hooks/hook-rewrite.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
html502.json | server | 502 | - | - | 0 | - | -
html502.stream-json | server | 502 | - | - | 0 | - | -
maxtok_gem.json | answered | - | 8275/4/0/0 | - | 0 | - | partial output
maxtok_gem.stream-json | answered | - | 8275/4/0/0 | - | 0 | - | partial output
safety_gem.json | refused | - | 33100/0/0/0 | - | 0 | - | -
safety_gem.stream-json | refused | - | 33100/0/0/0 | - | 0 | - | -
simple.json | answered | - | 8275/7/0/0 | - | 0 | - | Hello from the fake model.
simple.stream-json | answered | - | 8275/7/0/0 | - | 0 | - | Hello from the fake model.
sub-agent.stream-json | answered | - | 600/42/240/0 | - | 2 | - | One line.
success.default-approval.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
success.json | answered | - | 5350/165/500/0 | - | 0 | - | The magic number is 42. I could not find revenue
success.stdin.json | answered | - | 5350/165/500/0 | - | 0 | - | The magic number is 42. I could not find revenue
success.stream-json | answered | - | 5350/165/500/0 | - | 6 | - | The magic number is 42. I could not find revenue
success.text | crashed | - | - | - | 0 | - | -
"#;

/// What `claude` printed while another program answered its questions by the control protocol, as the tables above.
const ANSWERED_BY_A_PROGRAM: &str = r#"
allow.jsonl | answered | - | 83038/173/0/0 | 0.33561199999999997 | 5 | 6 | Done.
deny.jsonl | answered | - | 83042/173/0/0 | 0.335628 | 5 | 6 | Done.
hooks.jsonl | answered | - | 75903/173/0/0 | 0.307072 | 5 | 6 | Done.
"#;

/// The recordings of one program.
pub(crate) struct RecordedAgent {
    folder: &'static str,
    pub(crate) format: &'static TranscriptFormat,
    table: &'static str,
}

pub(crate) const AGENTS: [RecordedAgent; 3] = [
    RecordedAgent { folder: "claude-2.1.330", format: &STREAM_JSON, table: CLAUDE },
    RecordedAgent { folder: "codex-0.169.0", format: &EXEC_JSON, table: CODEX },
    RecordedAgent { folder: "gemini-0.61.0", format: &gemini::STREAM_JSON, table: GEMINI },
];

struct Case {
    name: String,
    exit: Option<i32>,
    of: &'static RecordedAgent,
}

fn cases() -> Vec<Case> {
    let of_agent = |of: &'static RecordedAgent| {
        let list: Vec<Value> = serde_json::from_slice(&of.read("cases.json")).unwrap();
        let case = move |case: Value| Case {
            name: case["case"].as_str().unwrap().to_owned(),
            exit: case["exit"].as_i64().map(|exit| i32::try_from(exit).unwrap()),
            of,
        };
        list.into_iter().map(case)
    };
    AGENTS.iter().flat_map(of_agent).collect()
}

impl RecordedAgent {
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        let path: std::path::PathBuf =
            [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", self.folder, name].iter().collect();
        std::fs::read(path).unwrap_or_default()
    }

    /// The names of the files in a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let path: std::path::PathBuf =
            [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", self.folder, folder].iter().collect();
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

/// The standard output of a recording of `claude`.
pub(crate) fn stdout(name: &str) -> Vec<u8> {
    AGENTS[0].read(&format!("{name}.stdout"))
}

/// The files of a session of `codex`, those of sub-agents last.
pub(crate) fn rollouts(case: &str) -> Vec<Vec<u8>> {
    let names = AGENTS[1].files("rollouts").into_iter().filter(|name| name.starts_with(&format!("{case}-")));
    names.map(|name| AGENTS[1].read(&format!("rollouts/{name}"))).collect()
}

/// The only file of a session of `codex`.
pub(crate) fn rollout(case: &str) -> Vec<u8> {
    rollouts(case).remove(0)
}

pub(crate) fn codex(case: &str, exit: i32, session: Option<&[u8]>) -> Result<Output, ExecError> {
    let mut reader = EXEC_JSON.reader();
    reader.push(&AGENTS[1].read(&format!("{case}.stdout")));
    session.into_iter().for_each(|bytes| reader.session(bytes));
    reader.finish(&AgentExit { code: Some(exit), stderr: "" })
}

pub(crate) fn of_gemini(case: &str, exit: i32, session: &str) -> Result<Output, ExecError> {
    let mut reader = gemini::STREAM_JSON.reader();
    reader.push(&AGENTS[2].read(&format!("{case}.stdout")));
    reader.session(&AGENTS[2].read(&format!("sessions/{session}.jsonl"))[..]);
    reader.finish(&AgentExit { code: Some(exit), stderr: "" })
}

fn parse(case: &Case, chunk: usize) -> Result<Output, ExecError> {
    let stderr = String::from_utf8(case.of.read(&format!("{}.stderr", case.name))).unwrap();
    let mut reader = case.of.format.reader();
    case.of.read(&format!("{}.stdout", case.name)).chunks(chunk).for_each(|bytes| reader.push(bytes));
    reader.finish(&AgentExit { code: case.exit, stderr: &stderr })
}

fn row(name: &str, ending: &Result<Output, ExecError>) -> String {
    let none = || "-".to_owned();
    let word = |value: Value| value.as_str().unwrap().to_owned();
    let (ending_word, output, status) = match ending {
        Ok(output) => (word(serde_json::to_value(output.outcome).unwrap()), Some(output), None),
        Err(error) => (word(serde_json::to_value(error.failure).unwrap()), error.partial.as_deref(), error.status),
    };
    let tokens = output.and_then(|output| output.usage).map(|usage| {
        let parts = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
        parts.map(|tokens| tokens.to_string()).join("/")
    });
    let answer = match ending {
        Ok(output) if ending_word == "answered" => output.text.chars().take(48).collect(),
        _ => none(),
    };
    [
        name.to_owned(),
        ending_word,
        status.map_or_else(none, |status| status.to_string()),
        tokens.unwrap_or_else(none),
        output.and_then(|output| output.cost).map_or_else(none, |cost| cost.usd.0.to_string()),
        output.map_or(0, |output| output.trace.tool_calls().count()).to_string(),
        output.and_then(|output| output.trace.turns).map_or_else(none, |turns| turns.to_string()),
        answer,
    ]
    .join(" | ")
}

#[test]
fn every_recording_ends_as_its_row_says() {
    let cases = cases();
    let rows: Vec<&str> = AGENTS.iter().flat_map(|agent| agent.table.trim().lines()).collect();
    let found: Vec<String> = cases.iter().map(|case| row(&case.name, &parse(case, usize::MAX))).collect();
    assert_eq!(found.join("\n"), rows.join("\n"));
}

#[test]
fn chunk_borders_change_nothing() {
    let is_one = |case: &Case| case.name.starts_with("skill-tool") || case.name.starts_with("success");
    for case in cases().into_iter().filter(is_one) {
        for chunk in [1, 7, 4096] {
            assert_eq!(parse(&case, chunk), parse(&case, usize::MAX), "{} in chunks of {chunk}", case.name);
        }
    }
}

/// A recording without a row would check nothing.
#[test]
fn every_recorded_stream_has_a_row() {
    for agent in &AGENTS {
        let mut streams: Vec<String> = Vec::new();
        for (folder, prefix) in [("", ""), ("hooks", "hooks/")] {
            let names =
                agent.files(folder).into_iter().filter_map(|name| Some(name.strip_suffix(".stdout")?.to_owned()));
            streams.extend(names.map(|name| format!("{prefix}{name}")));
        }
        let rows: Vec<&str> = agent.table.trim().lines().map(|row| row.split(" | ").next().unwrap()).collect();
        let missing: Vec<_> = streams.iter().filter(|name| !rows.contains(&name.as_str())).collect();
        assert!(missing.is_empty() && streams.len() > 20, "{}: {missing:?}", agent.folder);
    }
    let rows: Vec<&str> = ANSWERED_BY_A_PROGRAM.trim().lines().map(|row| row.split(" | ").next().unwrap()).collect();
    assert_eq!(AGENTS[0].files("control-protocol"), rows);
}

/// The messages of `claude` in a recording of both sides.
pub(crate) fn answered_by_a_program(name: &str) -> Vec<u8> {
    let both = AGENTS[0].read(&format!("control-protocol/{name}"));
    let messages = both.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let of_claude = messages.filter(|line| line["dir"] == "<-").map(|line| format!("{}\n", line["msg"]));
    of_claude.collect::<String>().into_bytes()
}

#[test]
fn recordings_with_questions_to_another_program_end_as_their_rows_say() {
    for expected in ANSWERED_BY_A_PROGRAM.trim().lines() {
        let name = expected.split(" | ").next().unwrap();
        let mut reader = STREAM_JSON.reader();
        reader.push(&answered_by_a_program(name));
        assert_eq!(row(name, &reader.finish(&AgentExit { code: Some(0), stderr: "" })), expected);
    }
}
