//! Measures whole commands: `cargo bench --profile dist -p omk-both`. Prints a line per figure and fails if a bound is
//! broken; `docs/en/performance.md` explains them. Arguments pick benches by name, as in
//! `cargo bench --profile dist -p omk-both -- start`. The variable `OMK` is the path of another
//! build of `omk-both`.
#![expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use figures::{Bench, Figure};
use testkit::browser::Browser;
use testkit::{FakeApi, FakeReply, ReplyScript, ReportSite};
use used::{Used, measured, used};

mod figures;
mod skills;
mod used;

const BENCHES: &[Bench] = &[
    ("start", start),
    ("http", http),
    ("judges", judges),
    ("command", command),
    ("agent", agent),
    ("replay", replay),
    ("verdict", verdict),
    ("trend", trend),
    ("server", server),
    ("browser", browser),
    ("persistent", skills::persistent),
    ("one-shot", skills::one_shot),
];

fn main() -> ExitCode {
    used::measure().unwrap_or_else(|| figures::main(BENCHES))
}

/// Returns the path of the program to measure: the variable `OMK`, or else the one that was built with this bench.
fn program() -> &'static str {
    static OMK: LazyLock<String> =
        LazyLock::new(|| std::env::var("OMK").unwrap_or_else(|_| env!("CARGO_BIN_EXE_omk-both").to_owned()));
    &OMK
}

fn quiet(program: &str, arguments: &[&str]) -> Command {
    let mut command = measured(program, program);
    command.args(arguments);
    command
}

/// The median in milliseconds.
fn median(runs: &[Used]) -> f64 {
    let mut times: Vec<f64> = runs.iter().map(|run| run.wall.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Starts the programs in turns: other work on the machine slows all three alike.
fn start() -> Vec<Figure> {
    let commands: [(&str, &[&str]); 3] = [("true", &[]), (program(), &["--help"]), (program(), &["--version"])];
    let mut runs: [Vec<Used>; 3] = Default::default();
    for _ in 0..200 {
        for ((program, arguments), runs) in commands.iter().zip(&mut runs) {
            runs.push(used(&mut quiet(program, arguments)));
        }
    }
    let base = median(&runs[0]);
    let mut figures = vec![Figure::unbound("ms", "true", base)];
    for ((_, arguments), runs) in commands.iter().zip(&runs).skip(1) {
        let peak = runs.iter().map(|run| run.peak_mib).fold(0.0, f64::max);
        figures.extend([
            Figure::at_most(3.0, "x true", format!("omk {}", arguments[0]), median(runs) / base),
            Figure::at_most(10.0, "MiB", format!("omk {}, memory", arguments[0]), peak),
        ]);
    }
    figures
}

/// A project in a scratch directory.
struct Project(tempfile::TempDir);

impl Project {
    /// `samples` samples, two skills, one substring check each.
    fn new(samples: usize) -> Project {
        let directory = tempfile::tempdir().unwrap();
        let sample = |i: usize| {
            serde_json::json!({"sample_id": format!("s{i:06}"), "prompt": format!("question {i}"),
                "assertions": [{"type": "contains", "value": "question"}]})
        };
        let all: Vec<_> = (0..samples).map(sample).collect();
        fs::write(directory.path().join("eval-samples.json"), serde_json::to_vec(&all).unwrap()).unwrap();
        fs::create_dir(directory.path().join("skills")).unwrap();
        for skill in ["v1", "v2"] {
            fs::write(directory.path().join("skills").join(format!("{skill}.md")), skill).unwrap();
        }
        Project(directory)
    }

    /// `samples` samples with a rubric each.
    fn judged(samples: usize) -> Project {
        let project = Project::new(0);
        let sample =
            |i: usize| serde_json::json!({"sample_id": format!("s{i}"), "prompt": "question", "rubric": "right"});
        let all: Vec<_> = (0..samples).map(sample).collect();
        fs::write(project.path().join("eval-samples.json"), serde_json::to_vec(&all).unwrap()).unwrap();
        project
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// `omk eval` here, without anything of the user's own.
    fn eval(&self, arguments: &[&str]) -> Command {
        let mut command = quiet(program(), &["eval", "--report-only"]);
        command
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("OMK_HOME", self.path().join("home"))
            .env("OPENAI_API_KEY", "none");
        command
    }

    fn variants(&self, arguments: &[&str]) -> Command {
        let mut command = self.eval(&["--variants", "v1,v2"]);
        command.args(arguments);
        command
    }
}

/// A server whose answers a bare client has after `latency`: what its own work takes is measured and
/// taken off its waiting.
fn answering_after(latency: Duration) -> FakeApi {
    let raw = FakeApi::with_latency(0, latency).unwrap();
    let mut stream = TcpStream::connect(raw.url.trim_start_matches("http://")).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut times: Vec<Duration> = (0..30).map(|_| ask(&mut stream)).collect();
    times.sort();
    FakeApi::with_latency(0, latency.saturating_sub(times[times.len() / 2].saturating_sub(latency))).unwrap()
}

/// The time of one request on a connection that is open already.
fn ask(stream: &mut TcpStream) -> Duration {
    let body = r#"{"model":"m","messages":[{"role":"user","content":"question"}]}"#;
    let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: local\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let begun = Instant::now();
    stream.write_all(request.as_bytes()).unwrap();
    assert!(stream.read(&mut [0; 4096]).unwrap() > 0, "an answer");
    begun.elapsed()
}

fn http() -> Vec<Figure> {
    let api = answering_after(Duration::from_millis(50));
    let project = Project::new(1000);
    let base = format!("{}/v1", api.url);
    let mut command =
        project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "32"]);
    let run = used(command.env("OPENAI_BASE_URL", base)).succeeded();
    let ideal = 2000.0 * 0.05 / 32.0;
    vec![
        Figure::at_most(1.1, "x ideal", "2 x 1000 calls of 50 ms, concurrency 32", run.wall.as_secs_f64() / ideal),
        Figure::at_most(2.0, "s", "2 x 1000 calls, processor time", run.cpu.as_secs_f64()),
        Figure::at_most(80.0, "MiB", "2 x 1000 calls, memory", run.peak_mib),
    ]
}

/// Three judges with three opinions each on 50 samples in two variants: 100 answers, 900 opinions.
fn judges() -> Vec<Figure> {
    let api = FakeApi::start(ReplyScript::with(|request| {
        // What a judge is asked carries an id that its reply must have.
        let prompt = request.body["messages"][1]["content"].as_str().unwrap_or_default();
        let id = prompt.split_once("<<<").and_then(|(_, rest)| rest.lines().next());
        let text = match id.filter(|_| request.body["model"] != "m") {
            Some(id) => format!(r#"{{"id": "{id}", "reasoning": "fine", "score": 4}}"#),
            None => "an answer".to_owned(),
        };
        FakeReply::text(text).after(Duration::from_micros(49_500))
    }));
    let project = Project::judged(50);
    let mut command = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache"]);
    command.args(["--judge-models", "j1,j2,j3", "--judge-repeat", "3", "--concurrency", "16"]);
    let run = used(command.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).succeeded();
    assert_eq!(api.count(), 1000, "requests");
    let ideal = 1000.0 * 0.05 / 16.0;
    let name = "3 judges x 3 on 50 samples x 2, 50 ms, concurrency 16";
    vec![Figure::at_most(1.1, "x ideal", name, run.wall.as_secs_f64() / ideal)]
}

fn command() -> Vec<Figure> {
    let project = Project::new(500);
    let agent = project.path().join("agent");
    fs::write(&agent, "#!/bin/sh\necho question\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let bare = used(quiet("sh", &["-c", "seq 1000 | xargs -P 8 -n 1 ./agent"]).current_dir(project.path()));
    let run = used(&mut project.variants(&["--executor", "./agent", "--no-cache", "--concurrency", "8"]));
    let times = run.succeeded().wall.as_secs_f64() / bare.wall.as_secs_f64();
    vec![Figure::at_most(1.3, "x bare", "2 x 500 calls of an instant command, concurrency 8", times)]
}

/// Measures the cost of omk per run of an agent: the copy of the working directory, the fresh configuration, the trace,
/// the journal, and the share of its start and its report. The agent is a shell script that prints a recorded
/// transcript. Runs with and without omk take turns: other work on the machine slows both alike.
fn agent() -> Vec<Figure> {
    const RUNS: usize = 100;
    const TURNS: usize = 3;
    let project = Project::new(RUNS / 2);
    let bin = project.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for file in 0..100 {
        fs::write(project.path().join(format!("file{file}.txt")), format!("some text of file {file}\n").repeat(100))
            .unwrap();
    }
    used(quiet("git", &["init", "-q"]).current_dir(project.path())).succeeded();
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '2.1.330 (Claude Code)'; exit; }}\ncat > /dev/null; cat '{TRANSCRIPT}'\n"
    );
    fs::write(bin.join("claude"), script).unwrap();
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let bare = format!("seq {RUNS} | xargs -n 1 claude -p > /dev/null");
    let run = |concurrency: &str| {
        let mut run = project.variants(&["--executor", "claude", "--no-cache", "--concurrency", concurrency]);
        let used = used(run.env("PATH", &path).env("ANTHROPIC_API_KEY", "none"));
        assert!(used.status.success(), "{}", used.status);
        used
    };
    let [mut wall, mut cpu, mut memory] = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        let (bare, alone) = (used(quiet("sh", &["-c", &bare]).env("PATH", &path)), run("1"));
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let each =
            |of: fn(&Used) -> Duration| (of(&alone).as_secs_f64() - of(&bare).as_secs_f64()) * 1000.0 / RUNS as f64;
        wall.push(each(|used| used.wall));
        cpu.push(each(|used| used.cpu));
        memory.push((run("16").peak_mib - alone.peak_mib) / 15.0);
    }
    vec![
        Figure::at_most(20.0, "ms", "an instant agent in a repository of 100 files, each run", middle(wall)),
        Figure::unbound("ms", "an instant agent, processor time of each run", middle(cpu)),
        Figure::at_most(5.0, "MiB", "an instant agent, memory of each concurrent run", middle(memory)),
    ]
}

/// A session of `claude` with five tool calls.
const TRANSCRIPT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../trace/tests/fixtures/claude-2.1.330/success.stream-json.stdout");

/// The median.
fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// A project with the recorded answers of two variants to `samples` samples.
fn recorded(samples: usize) -> Project {
    let api = FakeApi::with_latency(0, Duration::ZERO).unwrap();
    let project = Project::new(samples);
    let mut record = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache"]);
    record.args(["--concurrency", "64", "--record", "recordings"]);
    used(record.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).succeeded();
    project
}

/// A project with 100,000 recorded answers: recording them takes longer than anything that is done with them.
fn large() -> &'static Project {
    static LARGE: LazyLock<Project> = LazyLock::new(|| recorded(50_000));
    &LARGE
}

/// Replays the recordings of a project that has no runs.
fn replayed(project: &Project) -> Used {
    let _ = fs::remove_dir_all(project.path().join("home"));
    used(&mut project.variants(&["--executor", "replay", "--recordings", "recordings", "--concurrency", "8"]))
        .succeeded()
}

fn replay() -> Vec<Figure> {
    let small = recorded(12_500);
    let fewer = replayed(&small);
    let run = replayed(large());
    let resume = used(&mut large().eval(&["--resume", "latest"])).succeeded();
    vec![
        Figure::at_most(15.0, "s", "100,000 executions replayed", run.wall.as_secs_f64()),
        Figure::at_most(500.0, "MiB", "100,000 executions replayed, memory", run.peak_mib),
        Figure::at_most(5.0, "s", "100,000 finished executions resumed", resume.wall.as_secs_f64()),
        Figure::unbound("MiB", "100,000 finished executions resumed, memory", resume.peak_mib),
        Figure::at_most(4.0, "x", "100,000 executions to 25,000", run.wall.as_secs_f64() / fewer.wall.as_secs_f64()),
    ]
}

/// Computes a report of 50,000 samples in two variants again: half of what is promised of 100,000.
fn verdict() -> Vec<Figure> {
    replayed(large());
    let again = |arguments: &[&str]| {
        let mut command = quiet(program(), arguments);
        command.current_dir(large().path()).env_clear().env("OMK_HOME", large().path().join("home"));
        let run = used(command.env("RAYON_NUM_THREADS", "2"));
        assert!(matches!(run.status.code(), Some(0 | 1)), "{arguments:?}: {}", run.status);
        run
    };
    let (verdict, diff) = (again(&["report", "verdict", "latest"]), again(&["diff", "latest"]));
    vec![
        Figure::at_most(1.5, "s", "omk report verdict, 50,000 samples x 2", verdict.wall.as_secs_f64()),
        Figure::unbound("MiB", "omk report verdict, memory", verdict.peak_mib),
        Figure::at_most(1.5, "s", "omk diff, 50,000 samples x 2", diff.wall.as_secs_f64()),
        Figure::unbound("MiB", "omk diff, memory", diff.peak_mib),
    ]
}

/// Copies a report into a directory under another id.
fn copy_report(report: &Path, directory: &Path, id: &str) {
    let text = fs::read_to_string(report).unwrap();
    let first = report.file_stem().unwrap().to_string_lossy();
    fs::write(directory.join(format!("{id}.json")), text.replacen(&*first, id, 1)).unwrap();
}

/// The only report of a project.
fn only_report(project: &Project) -> PathBuf {
    fs::read_dir(project.path().join("home/reports")).unwrap().next().unwrap().unwrap().path()
}

/// Reads 40 reports of 2 x 2000 answers.
fn trend() -> Vec<Figure> {
    let api = FakeApi::with_latency(0, Duration::ZERO).unwrap();
    let project = Project::new(2000);
    let mut run = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "64"]);
    used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).succeeded();
    let report = only_report(&project);
    (1..40).for_each(|copy| copy_report(&report, report.parent().unwrap(), &format!("copy-{copy:04}")));
    let mut command = quiet(program(), &["trend"]);
    command.current_dir(project.path()).env_clear().env("OMK_HOME", project.path().join("home"));
    let run = used(&mut command).succeeded();
    vec![Figure::at_most(1.0, "s", "omk trend, 40 reports of 2 x 2000", run.wall.as_secs_f64())]
}

/// Serves 1000 reports, one of them of 2 x 2000 answers of 1.5 KB.
fn server() -> Vec<Figure> {
    let answer = "answer ".repeat(214);
    let api = FakeApi::start(ReplyScript::with(move |_| FakeReply::text(answer.clone())));
    let run = |project: &Project| {
        let mut run =
            project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "8"]);
        used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).succeeded();
        only_report(project)
    };
    let (small, project) = (Project::new(20), Project::new(2000));
    let (few, many) = (run(&small), run(&project));
    (1..1000).for_each(|copy| copy_report(&few, many.parent().unwrap(), &format!("copy-{copy:04}")));
    let name = many.file_stem().unwrap().to_string_lossy().into_owned();
    let mut figures = Vec::new();
    for has_index in [false, true] {
        let site = ReportSite::start(serve(&project));
        let begun = Instant::now();
        assert_eq!(site.json("/api/runs")["found"], 1000);
        let first = ms(begun.elapsed());
        figures.push(match has_index {
            false => Figure::unbound("ms", "list of 1000 reports, no index", first),
            true => Figure::at_most(200.0, "ms", "list of 1000 reports, with an index", first),
        });
        let pages = [
            ("list, again", "/".to_owned(), Some(200.0)),
            ("run of 2 x 2000", format!("/run/{name}"), None),
            ("run of 2 x 2000, again", format!("/run/{name}"), Some(100.0)),
            ("sample", format!("/run/{name}/sample/s001234"), Some(100.0)),
            ("trends of 1000 reports", "/trends".to_owned(), None),
            ("report.json", format!("/run/{name}/report.json"), None),
            ("export", format!("/run/{name}/export/csv"), None),
        ];
        for (page, path, bound) in pages {
            let begun = Instant::now();
            let reply = site.get(&path);
            let taken = ms(begun.elapsed());
            assert_eq!(reply.status, 200, "{page}");
            let page = format!("{page} ({} KB)", reply.body.len() / 1024);
            figures.push(match bound {
                Some(bound) => Figure::at_most(bound, "ms", page, taken),
                None => Figure::unbound("ms", page, taken),
            });
        }
        figures.push(Figure::at_most(150.0, "MiB", "peak memory of the server", site.peak_mib()));
    }
    figures
}

/// `omk report` here, without anything of the user's own.
fn serve(project: &Project) -> Command {
    let mut command = Command::new(program());
    command.args(["report", "--port", "0", "--json"]).current_dir(project.path());
    command.env_clear().env("OMK_HOME", project.path().join("home")).stderr(Stdio::null());
    command
}

/// Opens a report of 2 x 20,000 answers in a browser: until the page is painted, and until the rows of a filter are.
fn browser() -> Vec<Figure> {
    let answer = "answer ".repeat(214);
    let api = FakeApi::start(ReplyScript::with(move |_| FakeReply::text(answer.clone())));
    let project = Project::new(20_000);
    let mut run = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "64"]);
    used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).succeeded();
    let report = only_report(&project);
    let site = ReportSite::start(serve(&project));
    let mut browser = Browser::start().expect("Chromium");
    browser.screen(1440, 1000, "light");
    let address = site.address(&format!("/run/{}", report.file_stem().unwrap().to_string_lossy()));
    let mut figures = Vec::new();
    for (name, bound) in [("painted, first", 1000.0), ("painted, again", 300.0)] {
        let begun = now();
        browser.open(&address);
        figures.push(Figure::at_most(bound, "ms", format!("2 x 20,000, {name}"), painted(&mut browser, "") - begun));
    }
    let begun = now();
    browser.press("e");
    let taken = painted(&mut browser, "?filter=equal") - begun;
    figures.extend([
        Figure::at_most(200.0, "ms", "2 x 20,000, a filter", taken),
        Figure::unbound("MiB", "2 x 20,000, peak memory of the server", site.peak_mib()),
    ]);
    figures
}

/// When the page with this query was painted first, in milliseconds of the clock.
fn painted(browser: &mut Browser, query: &str) -> f64 {
    let paint = "performance.getEntriesByName('first-contentful-paint')";
    browser.until("painted", &format!("location.search === '{query}' && {paint}.length > 0"));
    browser.value(&format!("performance.timeOrigin + {paint}[0].startTime")).as_f64().unwrap()
}

/// Milliseconds of the clock, as a page counts them.
fn now() -> f64 {
    ms(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
