//! The action's steps as CI runs them: a repository with a base and a changed skill, a server that plays the forge.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::browser::Browser;
use testkit::{FakeApi, FakeReply, ReplyScript, WebReply, WebServer};

use super::{logging, starts};
use crate::fixtures::context::TestContext;

/// Where the forge says that the page can be had.
const PAGE: &str = "https://forge.example/artifacts/1";

/// A repository whose `main` has a skill and its samples; the agent logs its calls.
struct PullRequest {
    context: TestContext,
    forge: FakeApi,
}

impl PullRequest {
    fn new() -> PullRequest {
        let context = logging(
            r#"case "$a" in plain) n=$((p % 2 + 1));; best) n=$((p % 3 + 2));; *) n=0;; esac
out=answer; for w in one two three four; do [ $n -gt 0 ] && out="$out $w"; n=$((n - 1)); done; echo "$out""#,
        );
        let words = ["one", "two", "three", "four"].map(|word| json!({"type": "contains", "value": word}));
        context.samples(30, &json!(words));
        fs::remove_file(context.path("skills/v2.md")).unwrap();
        context.write(".gitignore", "starts\n.home/\ntemp/\noutput\nsummary\n");
        let this = PullRequest { context, forge: forge() };
        this.git(&["init", "-q", "-b", "main"]);
        this.commit("base");
        this.git(&["checkout", "-q", "-b", "change"]);
        this
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let git = Command::new("git").args(identity).args(arguments).current_dir(self.context.root()).status();
        assert!(git.unwrap().success(), "{arguments:?}");
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Runs a script of the action; its exit code and what it printed.
    fn script(&self, name: &str, more: &[(&str, &str)]) -> (i32, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action").join(name);
        let mut command = Command::new("bash");
        let file = |name: &str| self.context.path(name).display().to_string();
        fs::create_dir_all(self.context.path("temp")).unwrap();
        command
            .arg(script)
            .current_dir(self.context.root())
            .env("OMK_BINARY", env!("CARGO_BIN_EXE_omk"))
            .env("OMK_HOME", self.context.home())
            .env("RUNNER_TEMP", file("temp"))
            .env("GITHUB_OUTPUT", file("output"))
            .env("GITHUB_STEP_SUMMARY", file("summary"))
            .env("GITHUB_API_URL", &self.forge.url)
            .env("GITHUB_REPOSITORY", "owner/name")
            .envs(more.iter().copied());
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8_lossy(&text).into_owned())
    }

    /// All steps of one push; the exit code of the check, and what the steps printed.
    fn push(&self) -> (i32, String) {
        for file in ["output", "summary", "starts"] {
            let _ = fs::remove_file(self.context.path(file));
        }
        let inputs = [
            ("OMK_TREATMENT", "v1"),
            ("OMK_BASE", "main"),
            ("OMK_PROJECT", "."),
            ("OMK_ARGUMENTS", "--executor ./agent --threshold 1 --bootstrap-samples 1000"),
        ];
        let (ended, mut printed) = self.script("eval.sh", &inputs);
        assert_eq!(ended, 0, "{printed}");
        if self.output("evaluated") == "true" {
            let directory = self.output("directory");
            let inputs = [
                ("OMK_DIRECTORY", &*directory),
                ("OMK_PULL_REQUEST", "7"),
                ("OMK_TOKEN", "secret"),
                ("OMK_PAGE", PAGE),
            ];
            let (ended, more) = self.script("comment.sh", &inputs);
            assert_eq!(ended, 0, "{more}");
            printed += &more;
        }
        (self.output("code").parse().unwrap(), printed)
    }

    /// An output of the step.
    fn output(&self, name: &str) -> String {
        let text = fs::read_to_string(self.context.path("output")).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}=")));
        line.unwrap_or_else(|| panic!("{name}: {text}")).to_owned()
    }

    fn report_file(&self, name: &str) -> String {
        fs::read_to_string(PathBuf::from(self.output("directory")).join(name)).unwrap()
    }

    /// Calls of control and treatment.
    fn calls(&self) -> [usize; 2] {
        let all = starts(&self.context.path("starts"));
        let control = all.iter().filter(|cell| cell.ends_with("/v1")).count();
        [control, all.len() - control]
    }

    fn sent(&self, method: &str) -> Vec<Value> {
        self.forge.requests().into_iter().filter(|of| of.method == method).map(|of| of.body).collect()
    }
}

/// A forge that keeps comments: what is posted is listed, what is patched replaces it.
fn forge() -> FakeApi {
    let comments: Arc<Mutex<Vec<Value>>> = Arc::new(Mutex::new(vec![json!({"id": 1, "body": "looks good to me"})]));
    FakeApi::start(ReplyScript::with(move |request| {
        assert_eq!(request.headers["authorization"], "Bearer secret");
        let mut comments = comments.lock().unwrap();
        let (method, path) = (request.method.as_str(), request.path.as_str());
        match (method, path) {
            ("GET", "/repos/owner/name/issues/7/comments") => FakeReply::raw(200, json!(*comments).to_string()),
            ("POST", "/repos/owner/name/issues/7/comments") => {
                let comment = json!({"id": comments.len() + 1, "body": request.body["body"]});
                comments.push(comment.clone());
                FakeReply::raw(201, comment.to_string())
            }
            ("PATCH", "/repos/owner/name/issues/comments/2") => {
                comments[1]["body"] = request.body["body"].clone();
                FakeReply::raw(200, comments[1].to_string())
            }
            _ => FakeReply::raw(404, json!({"message": format!("{method} {path}")}).to_string()),
        }
    }))
}

#[test]
fn pushes_write_one_comment_and_the_control_comes_from_the_cache() {
    let pull = PullRequest::new();
    pull.context.write("skills/v1.md", "ANSWER best\n");
    pull.commit("better");
    let (code, printed) = pull.push();
    assert_eq!(code, 0, "{printed}");
    assert_eq!(pull.calls(), [30, 30]);
    assert!(printed.contains("::notice file=skills/v1.md,line=1,title=omk%3A PROGRESS::"), "{printed}");
    assert!(pull.report_file("comment.md").starts_with("<!-- omk:"));
    let summary = fs::read_to_string(pull.context.path("summary")).unwrap();
    assert!(summary.contains("## omk: PROGRESS"), "{summary}");
    let posted = pull.sent("POST");
    assert_eq!(posted.len(), 1);
    let body = posted[0]["body"].as_str().unwrap();
    assert!(
        body.contains(&format!("[Every sample, with both answers]({PAGE})")) && !body.contains("omk:page"),
        "{body}"
    );
    assert!(pull.report_file("report.html").starts_with("<!doctype html>"));
    assert!(body.contains("> [!TIP]\n> **PROGRESS** `v1` is better than") && !body.contains("omk:earlier"), "{body}");

    // The second push spoils it: the same comment, in which the first verdict is one line.
    pull.context.write("skills/v1.md", "ANSWER worst\n");
    pull.commit("worse");
    let (code, printed) = pull.push();
    assert_eq!(code, 1, "{printed}");
    assert_eq!(pull.calls(), [6, 30], "the control comes from the cache");
    assert!(printed.contains("::error file=skills/v1.md,line=1,title=omk%3A REGRESS::"), "{printed}");
    assert!(printed.contains("::warning file=skills/v1.md,line=1,title=omk%3A s0"), "{printed}");
    assert_eq!(pull.sent("POST").len(), 1);
    let patched = pull.sent("PATCH");
    assert_eq!(patched.len(), 1);
    let body = patched[0]["body"].as_str().unwrap();
    assert!(!body.contains("<!-- omk:[") && body.contains("\n- ▼ `s"), "{body}");
    assert!(body.contains("> **REGRESS** ") && body.contains("<sub>Before: **PROGRESS** "), "{body}");
    assert!(body.contains("30 answers of `") && body.contains("` are from the cache"), "{body}");

    // Another skill is none of the inputs.
    pull.git(&["checkout", "-q", "main"]);
    pull.git(&["checkout", "-q", "-b", "docs"]);
    pull.context.write("skills/other.md", "ANSWER words\n");
    pull.commit("words");
    let (code, printed) = pull.push();
    assert_eq!((code, pull.output("evaluated").as_str(), pull.calls()), (0, "false", [0, 0]), "{printed}");
    assert!(printed.contains("nothing that is evaluated changed since `main`: nothing was run"), "{printed}");
    let summary = fs::read_to_string(pull.context.path("summary")).unwrap();
    assert!(summary.contains("nothing was run"), "{summary}");
}

/// Where a browser opens the page, each sample of the comment leads to its row, open. What models wrote takes no link away.
#[test]
fn samples_in_the_comment_link_to_their_places_on_the_page() {
    let pull = PullRequest::new();
    pull.context.write("skills/v1.md", "ANSWER worst\n");
    pull.commit("worse");
    assert_eq!(pull.push().0, 1);
    let directory = pull.output("directory");
    let text = pull.report_file("comment.md");
    let shown = text.replace("answer one", "answer <!-- omk:page x -->");
    assert_ne!(text, shown);
    fs::write(Path::new(&directory).join("comment.md"), shown).unwrap();
    let page = format!("file://{directory}/report.html");
    let inputs = [
        ("OMK_DIRECTORY", &*directory),
        ("OMK_PULL_REQUEST", "7"),
        ("OMK_TOKEN", "secret"),
        ("OMK_PAGE", PAGE),
        ("OMK_PAGE_URL", &page),
    ];
    let (ended, printed) = pull.script("comment.sh", &inputs);
    assert_eq!(ended, 0, "{printed}");
    let sent = pull.sent("PATCH");
    let body = sent.last().unwrap()["body"].as_str().unwrap();
    assert!(body.contains(&format!("\n[Every sample, with both answers]({page})\n")) && !body.contains(PAGE), "{body}");
    let links: Vec<(&str, &str)> = body
        .lines()
        .filter_map(|line| line.strip_prefix("- ▼ [`"))
        .map(|line| line.split_once("`](").unwrap())
        .map(|(name, rest)| (name, rest.split(')').next().unwrap()))
        .collect();
    assert_eq!(links.len(), 5, "{body}");
    let Some(mut browser) = Browser::start() else { return };
    for (name, link) in links {
        browser.open("about:blank#left");
        browser.open(link);
        let row = "[document.querySelector('.row[open] .what bdi').textContent, document.querySelectorAll('.row[open]').length]";
        assert_eq!(browser.value(row), json!([name, 1]), "{link}");
    }
}

/// The script of the guide, in both books: the first push writes the note, the second one replaces it, others' stay.
#[test]
fn note_of_a_merge_request_is_written_once_by_the_guide() {
    let context = TestContext::new();
    let notes = Arc::new(Mutex::new(vec![json!({"id": 1, "body": "see <!-- omk:s -->"})]));
    let kept = Arc::clone(&notes);
    let forge = FakeApi::start(ReplyScript::with(move |request| {
        assert_eq!(request.headers["private-token"], "secret");
        let mut notes = kept.lock().unwrap();
        let body = request.body["body"].clone();
        let place = "/projects/3/merge_requests/7/notes";
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", path) if path.starts_with(place) => {}
            ("POST", path) if path == place => notes.push(json!({"id": 2, "body": body})),
            ("PUT", path) if path == format!("{place}/2") => notes[1]["body"] = body,
            (method, path) => return FakeReply::raw(404, json!({"message": format!("{method} {path}")}).to_string()),
        }
        FakeReply::raw(200, json!(*notes).to_string())
    }));
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (lang, words) in [("en", "first"), ("zh", "second \"push\"")] {
        let guide = fs::read_to_string(book.join(lang).join("ci.md")).unwrap();
        let script = guide.split("```bash\n").find(|of| of.starts_with("notes=")).unwrap().split("```").next().unwrap();
        let note = format!("<!-- omk:s -->\n{words}\n");
        context.write("note.md", &note);
        let mut command = Command::new("bash");
        let settings = [
            ("CI_API_V4_URL", &*forge.url),
            ("CI_PROJECT_ID", "3"),
            ("CI_MERGE_REQUEST_IID", "7"),
            ("TOKEN", "secret"),
        ];
        let ended = command.args(["-euc", script]).envs(settings).current_dir(context.root()).output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
        let notes = notes.lock().unwrap();
        assert_eq!((notes.len(), notes[1]["body"].as_str()), (2, Some(&*note)), "{notes:?}");
    }
}

/// A server of releases, and a `cargo` that only says that it was called.
struct Releases {
    context: TestContext,
    server: WebServer,
}

impl Releases {
    /// A release of this version with an archive for Linux on x86-64 whose program prints `released`; `change` may
    /// spoil what the server sends for a file.
    fn new(change: fn(&str, Vec<u8>) -> WebReply) -> Releases {
        let context = TestContext::new();
        let name = format!("omk-{}-x86_64-unknown-linux-gnu", env!("CARGO_PKG_VERSION"));
        context.write(&format!("{name}/bin/omk"), "#!/bin/sh\necho released\n");
        context.write("tools/cargo", "#!/bin/sh\necho \"cargo $*\"\n");
        let script = format!("chmod +x */bin/omk tools/cargo && tar -czf {name}.tar.gz {name}");
        let packed = Command::new("sh").args(["-c", &script]).current_dir(context.root()).status().unwrap();
        assert!(packed.success());
        let archive = fs::read(context.path(&format!("{name}.tar.gz"))).unwrap();
        let hex: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
        let sums = format!("{hex}  {name}.tar.gz\n").into_bytes();
        let folder = format!("/v{}/", env!("CARGO_PKG_VERSION"));
        let server = WebServer::start(move |path| match path.strip_prefix(&folder) {
            Some("SHA256SUMS") => change("SHA256SUMS", sums.clone()),
            Some(file) if file == format!("{name}.tar.gz") => change("archive", archive.clone()),
            _ => WebReply::with("404 Not Found", "not found"),
        });
        Releases { context, server }
    }

    /// Runs the action's install step; its exit code and what it printed.
    fn install(&self, reference: &str, arch: &str) -> (i32, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action/install.sh");
        let path = format!("{}:{}", self.context.path("tools").display(), std::env::var("PATH").unwrap());
        let root = self.context.path("root");
        let _ = fs::remove_dir_all(&root);
        let output = Command::new("bash")
            .arg(script)
            .env("PATH", path)
            .env("OMK_ROOT", &root)
            .env("OMK_REPOSITORY", "owner/omk")
            .env("OMK_REF", reference)
            .env("OMK_RELEASES", self.server.url(""))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", arch)
            .env("RUNNER_TEMP", self.context.root())
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(root.join("bin/omk").is_file(), text.contains("released"), "{text}");
        (output.status.code().unwrap(), text)
    }
}

/// The file as it is.
fn unchanged(_: &str, bytes: Vec<u8>) -> WebReply {
    WebReply::with("200 OK", bytes)
}

const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

#[test]
fn action_installs_the_binary_of_its_release() {
    let releases = Releases::new(unchanged);
    let moving = TAG.split('.').next().unwrap();
    for reference in [TAG, moving] {
        let (code, printed) = releases.install(reference, "X64");
        assert_eq!((code, &*printed), (0, "released\n"), "{reference}");
    }
}

#[test]
fn action_builds_where_no_binary_is_released() {
    let releases = Releases::new(unchanged);
    for (reference, arch, reason) in [
        ("main", "X64", "main isn't the tag of a release"),
        ("", "X64", "this checkout isn't the tag of a release"),
        ("v999", "X64", "v999 isn't the tag of a release"),
        (TAG, "ARM64", "aarch64-unknown-linux-gnu.tar.gz"),
        (TAG, "RISCV", "there are no binaries for Linux RISCV"),
    ] {
        let (code, printed) = releases.install(reference, arch);
        assert_eq!(code, 0, "{printed}");
        assert!(printed.contains(reason) && printed.contains("cargo install --locked --path "), "{printed}");
    }
    let none = Releases::new(|_, _| WebReply::with("404 Not Found", "not found"));
    let (code, printed) = none.install(TAG, "X64");
    assert!(code == 0 && printed.contains("there is no release v") && printed.contains("cargo install"), "{printed}");
}

#[test]
fn action_refuses_a_damaged_binary() {
    let changed = Releases::new(|file, mut bytes| {
        if file == "archive" {
            bytes[20] ^= 1;
        }
        WebReply::with("200 OK", bytes)
    });
    let shortened = Releases::new(|file, bytes| {
        let end = if file == "archive" { bytes.len() / 2 } else { bytes.len() };
        WebReply::with("200 OK", &bytes[..end])
    });
    let interrupted = Releases::new(|file, bytes| match WebReply::with("200 OK", &bytes) {
        WebReply::Raw(reply) if file == "archive" => WebReply::Raw(reply[..reply.len() - 10].to_vec()),
        reply => reply,
    });
    let failing = Releases::new(|_, _| WebReply::with("403 Forbidden", "no"));
    for (releases, reason) in [
        (changed, "another checksum"),
        (shortened, "another checksum"),
        (interrupted, "can't be downloaded"),
        (failing, "HTTP status 403"),
    ] {
        let (code, printed) = releases.install(TAG, "X64");
        assert!(code == 1 && printed.contains("::error title=omk::") && printed.contains(reason), "{printed}");
        assert!(!printed.contains("cargo install"), "{printed}");
    }
}

#[test]
fn since_evaluates_what_changed() {
    let pull = PullRequest::new();
    let context = &pull.context;
    let eval = |treatments: &str, more: &[&str]| {
        let _ = fs::remove_file(context.path("starts"));
        let arguments = ["eval", "--control", "git:main:v1", "--treatment", treatments, "--executor", "./agent"];
        let arguments = [&arguments[..], &["--since", "main", "--report-only", "--no-cache"], more].concat();
        let finished = context.run(&arguments).expect(0);
        (finished, starts(&context.path("starts")).len())
    };
    context.write("skills/v1.md", "ANSWER plain\n");
    context.write("skills/other.md", "ANSWER plain\n");
    pull.commit("another skill");
    pull.git(&["branch", "-f", "main"]);

    let (finished, calls) = eval("v1,other", &[]);
    assert!(finished.stdout.contains("nothing that is evaluated changed since `main`"), "{finished:?}");
    assert_eq!(calls, 0);
    let document = eval("v1,other", &["--json"]).0.json();
    assert_eq!((&document["evaluated"], &document["since"]), (&json!(false), &json!("main")));

    // What isn't committed counts as well, and only that treatment is evaluated.
    context.write("skills/other.md", "ANSWER best\n");
    assert_eq!(eval("v1,other", &[]).1, 60);
    assert_eq!(context.report()["meta"]["variants"].as_array().unwrap().len(), 2);
    // Samples are everybody's.
    let samples = fs::read_to_string(context.path("eval-samples.json")).unwrap();
    context.write("eval-samples.json", &samples.replace("question 1\"", "question 1 \""));
    assert_eq!(eval("v1,other", &[]).1, 90);
    context.write("eval-samples.json", &samples);
    context.write("skills/other.md", "ANSWER plain\n");
    assert_eq!(eval("v1,other", &[]).1, 0);
    let refused = context.run(&[
        "eval",
        "--control",
        "v1",
        "--treatment",
        "other",
        "--executor",
        "./agent",
        "--since",
        "nowhere",
    ]);
    assert!(refused.code == 2 && refused.stderr.contains("fetch-depth"), "{refused:?}");
}
