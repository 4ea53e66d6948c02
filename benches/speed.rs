//! Measures the whole command: `cargo bench -p omk` (release build). One line per figure, with its bound;
//! `docs/en/performance.md` says what each means. Arguments pick figures by name: `cargo bench -p omk -- start`.
#![expect(clippy::print_stdout, reason = "a program that prints its figures")]
#![expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use testkit::browser::Browser;
use testkit::{FakeApi, FakeReply, ReplyScript, ReportSite};
use used::{Used, used};

const OMK: &str = env!("CARGO_BIN_EXE_omk");

mod used;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let figures: &[(&str, fn())] = &[
        ("start", start),
        ("http", http),
        ("judges", judges),
        ("command", command),
        ("agent", agent),
        ("replay", replay),
        ("verdict", verdict),
        ("server", server),
        ("server", browser),
        ("substrings", substrings),
    ];
    for (name, figure) in figures {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            figure();
        }
    }
}

fn quiet(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The median in milliseconds.
fn median(runs: &[Used]) -> f64 {
    let mut times: Vec<f64> = runs.iter().map(|one| one.wall.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// In turns, so that what else the machine does meets all three alike.
fn start() {
    let commands: [(&str, &[&str]); 3] = [("true", &[]), (OMK, &["--help"]), (OMK, &["--version"])];
    let mut runs: [Vec<Used>; 3] = Default::default();
    for _ in 0..200 {
        for ((program, arguments), runs) in commands.iter().zip(&mut runs) {
            runs.push(used(&mut quiet(program, arguments)));
        }
    }
    let base = median(&runs[0]);
    for ((_, arguments), runs) in commands.iter().zip(&runs).skip(1) {
        let (ms, mib) = (median(runs), runs.iter().map(|one| one.peak_mib).fold(0.0, f64::max));
        println!(
            "omk {}: {ms:.2} ms, {:.2} x `true` ({base:.2} ms) [bound 3 x]; {mib:.1} MiB [bound 10]",
            arguments[0],
            ms / base
        );
    }
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
        let mut command = quiet(OMK, &["eval", "--report-only"]);
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

fn http() {
    let api = answering_after(Duration::from_millis(50));
    let project = Project::new(1000);
    let base = format!("{}/v1", api.url);
    let mut command =
        project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "32"]);
    let run = used(command.env("OPENAI_BASE_URL", base));
    let ideal = 2000.0 * 0.05 / 32.0;
    let wall = run.wall.as_secs_f64();
    println!(
        "2 x 1000 over HTTP, 50 ms, concurrency 32: {wall:.2} s, {:.3} x the ideal {ideal:.3} s [bound 1.1 x]; \
         {:.0} MiB [bound 80]; CPU {:.2} s [bound 2]; {}",
        wall / ideal,
        run.peak_mib,
        run.cpu.as_secs_f64(),
        run.status
    );
}

/// Three judges with three opinions each on 50 samples in two variants: 100 answers, 900 opinions.
fn judges() {
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
    let run = used(command.env("OPENAI_BASE_URL", format!("{}/v1", api.url)));
    let ideal = 1000.0 * 0.05 / 16.0;
    let wall = run.wall.as_secs_f64();
    println!(
        "3 judges x 3 on 50 samples x 2, 50 ms, concurrency 16: {wall:.2} s, {:.3} x the ideal {ideal:.3} s [bound \
         1.1 x]; {} requests; {}",
        wall / ideal,
        api.count(),
        run.status
    );
}

fn command() {
    let project = Project::new(500);
    let agent = project.path().join("agent");
    fs::write(&agent, "#!/bin/sh\necho question\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let bare = used(quiet("sh", &["-c", "seq 1000 | xargs -P 8 -n 1 ./agent"]).current_dir(project.path()));
    let run = used(&mut project.variants(&["--executor", "./agent", "--no-cache", "--concurrency", "8"]));
    println!(
        "2 x 500 with an instant command, concurrency 8: {:.2} s, {:.2} x the bare starts ({:.2} s) [bound 1.3 x]; {}",
        run.wall.as_secs_f64(),
        run.wall.as_secs_f64() / bare.wall.as_secs_f64(),
        bare.wall.as_secs_f64(),
        run.status
    );
}

/// What omk adds to a run of an agent: the copy of the working directory, the fresh configuration, the trace, the journal,
/// and the share of its start and its report. The agent is a shell script that prints a recorded transcript; bare, it is
/// started as directly. In turns, so that what else the machine does meets both alike.
fn agent() {
    const RUNS: usize = 100;
    const TURNS: usize = 7;
    let project = Project::new(RUNS / 2);
    let bin = project.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for file in 0..100 {
        fs::write(project.path().join(format!("file{file}.txt")), format!("some text of file {file}\n").repeat(100))
            .unwrap();
    }
    assert!(quiet("git", &["init", "-q"]).current_dir(project.path()).status().unwrap().success());
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
    println!(
        "{RUNS} runs of an instant agent in a repository of 100 files, {TURNS} times: {} ms each beside the agent's own \
         [bound 20], {} ms of processor time; {} MiB for each that runs at once [bound 5]",
        middle(wall),
        middle(cpu),
        middle(memory),
    );
}

/// A session of `claude` with five tool calls.
const TRANSCRIPT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../trace/tests/fixtures/claude-2.1.330/success.stream-json.stdout");

/// The median of figures, with the least and the greatest.
fn middle(mut figures: Vec<f64>) -> String {
    figures.sort_by(f64::total_cmp);
    let last = figures.len() - 1;
    format!("{:.1} ({:.1} to {:.1})", figures[last / 2], figures[0], figures[last])
}

fn replay() {
    let mut last = None;
    for samples in [12_500, 50_000] {
        let api = FakeApi::with_latency(0, Duration::ZERO).unwrap();
        let project = Project::new(samples);
        let base = format!("{}/v1", api.url);
        let mut record = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache"]);
        record.args(["--concurrency", "64", "--record", "recordings"]).env("OPENAI_BASE_URL", base);
        assert!(used(&mut record).status.success());
        fs::remove_dir_all(project.path().join("home")).unwrap();
        let run =
            used(&mut project.variants(&["--executor", "replay", "--recordings", "recordings", "--concurrency", "8"]));
        let resume = used(&mut project.eval(&["--resume", "latest"]));
        let trials = samples * 2;
        println!(
            "{trials} trials replayed: {:.2} s [bound 15 for 100,000]; {:.0} MiB [bound 500]; {}",
            run.wall.as_secs_f64(),
            run.peak_mib,
            run.status
        );
        println!(
            "{trials} trials, finished, resumed: {:.2} s [bound 5 for 100,000]; {:.0} MiB; {}",
            resume.wall.as_secs_f64(),
            resume.peak_mib,
            resume.status
        );
        if let Some(fewer) = last.replace(run.wall) {
            println!("4 x the trials take {:.2} x the time [linear: 4]", run.wall.as_secs_f64() / fewer.as_secs_f64());
        }
    }
}

/// A report of 100,000 samples in two variants, computed again from its results.
fn verdict() {
    let api = FakeApi::with_latency(0, Duration::ZERO).unwrap();
    let project = Project::new(100_000);
    let mut run = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "64"]);
    assert!(used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).status.success());
    for command in ["verdict", "diff"] {
        let mut again =
            quiet(OMK, if command == "diff" { &["diff", "latest"] } else { &["report", "verdict", "latest"] });
        again.env_clear().env("OMK_HOME", project.path().join("home")).env("RAYON_NUM_THREADS", "2");
        let run = used(&mut again);
        println!(
            "omk {command} of 100,000 samples x 2, two cores: {:.2} s [bound 3]; {:.0} MiB; {}",
            run.wall.as_secs_f64(),
            run.peak_mib,
            run.status
        );
    }
}

/// The report server over 1000 reports, one of them of 2 x 2000 answers of 1.5 KB.
fn server() {
    let answer = "answer ".repeat(214);
    let api = FakeApi::start(ReplyScript::with(move |_| FakeReply::text(answer.clone())));
    let run = |project: &Project| {
        let mut run =
            project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "8"]);
        assert!(used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).status.success());
        fs::read_dir(project.path().join("home/reports")).unwrap().next().unwrap().unwrap().path()
    };
    let (small, project) = (Project::new(20), Project::new(2000));
    let (few, many) = (run(&small), run(&project));
    for at in 1..1000 {
        let path = many.with_file_name(format!("copy-{at:04}.json"));
        let text = fs::read_to_string(&few).unwrap();
        let id = few.file_stem().unwrap().to_string_lossy().into_owned();
        fs::write(path, text.replacen(&id, &format!("copy-{at:04}"), 1)).unwrap();
    }
    let name = many.file_stem().unwrap().to_string_lossy().into_owned();
    for is_known in [false, true] {
        let mut command = Command::new(OMK);
        command.args(["report", "--port", "0", "--json"]).current_dir(project.path());
        command.env_clear().env("OMK_HOME", project.path().join("home")).stderr(Stdio::null());
        let site = ReportSite::start(command);
        let begun = Instant::now();
        assert_eq!(site.json("/api/runs")["found"], 1000);
        let first = begun.elapsed();
        let index = if is_known { "index known" } else { "no index" };
        println!("list of 1000 reports, {index}: {:.0} ms [bound {}]", ms(first), if is_known { "200" } else { "-" });
        let pages = [
            ("list, again", "/".to_owned(), "200"),
            ("run of 2 x 2000", format!("/run/{name}"), "-"),
            ("run of 2 x 2000, again", format!("/run/{name}"), "100"),
            ("sample", format!("/run/{name}/sample/s001234"), "100"),
            ("trends of 1000 reports", "/trends".to_owned(), "-"),
            ("report.json", format!("/run/{name}/report.json"), "-"),
            ("export", format!("/run/{name}/export/csv"), "-"),
        ];
        for (what, path, bound) in pages {
            let begun = Instant::now();
            let reply = site.get(&path);
            assert_eq!(reply.status, 200, "{what}");
            println!("{what}: {:.0} ms [bound {bound}]; {} KB", ms(begun.elapsed()), reply.body.len() / 1024);
        }
        println!("peak memory of the server: {:.0} MiB [bound 150]", site.peak_mib());
    }
}

/// A report of 2 x 20,000 answers in a browser: until the page is painted, and until the rows of a filter are.
fn browser() {
    let answer = "answer ".repeat(214);
    let api = FakeApi::start(ReplyScript::with(move |_| FakeReply::text(answer.clone())));
    let project = Project::new(20_000);
    let mut run = project.variants(&["--executor", "openai-api", "--model", "m", "--no-cache", "--concurrency", "8"]);
    assert!(used(run.env("OPENAI_BASE_URL", format!("{}/v1", api.url))).status.success());
    let report = fs::read_dir(project.path().join("home/reports")).unwrap().next().unwrap().unwrap().path();
    let mut command = Command::new(OMK);
    command.args(["report", "--port", "0", "--json"]).current_dir(project.path());
    command.env_clear().env("OMK_HOME", project.path().join("home")).stderr(Stdio::null());
    let site = ReportSite::start(command);
    let Some(mut browser) = Browser::start() else { return println!("no Chromium: nothing is painted") };
    browser.screen(1440, 1000, "light");
    let address = site.address(&format!("/run/{}", report.file_stem().unwrap().to_string_lossy()));
    for (what, bound) in [("first", "1000"), ("again", "300")] {
        let begun = now();
        browser.open(&address);
        println!("2 x 20,000, {what}: painted after {:.0} ms [bound {bound}]", painted(&mut browser, "") - begun);
    }
    let begun = now();
    browser.press("e");
    println!(
        "2 x 20,000, a filter: painted after {:.0} ms [bound 200]",
        painted(&mut browser, "?filter=equal") - begun
    );
    println!("peak memory of the server: {:.0} MiB", site.peak_mib());
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

fn ms(of: Duration) -> f64 {
    of.as_secs_f64() * 1000.0
}

fn substrings() {
    let assertion = |i: usize| eval_spec::Assertion {
        kind: "contains".to_owned(),
        weight: 1.0,
        not: false,
        written: serde_json::json!({"type": "contains", "value": format!("needle {i}")}).as_object().unwrap().clone(),
        children: Vec::new(),
        base: std::path::PathBuf::new(),
        place: None,
        field_places: std::collections::BTreeMap::new(),
    };
    let sample = eval_spec::Sample {
        id: "s".to_owned(),
        prompt: "p".to_owned(),
        context: None,
        keeps_urls: false,
        inlined: None,
        compared: None,
        prompt_place: None,
        context_place: None,
        cwd: None,
        rubric: None,
        dimensions: Vec::new(),
        assertions: (0..10).map(assertion).collect(),
        metadata: eval_spec::sample::Metadata::default(),
        mocks: Vec::new(),
        mock_places: Vec::new(),
        mocks_strict: false,
        tripwire: false,
        judge: None,
        environment: None,
        eval: None,
        trigger: None,
        place: None,
    };
    let grading = eval_grade::Grading::new(&[sample], eval_grade::GraderSetup::default()).unwrap();
    let output = eval_spec::Output::text("The quick brown fox jumps over the lazy dog. ".repeat(46));
    let begun = Instant::now();
    let failed: usize = (0..100_000).map(|_| grading.grade_now(0, &output).checks.len()).sum();
    println!(
        "{failed} substring checks on {} bytes, 10 per output: {:.2} s [bound 2]",
        output.text.len(),
        begun.elapsed().as_secs_f64()
    );
}
