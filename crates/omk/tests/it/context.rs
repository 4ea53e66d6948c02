//! A directory of its own, a home of its own, a fixed clock, and the built binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub(crate) use testkit::Finished;

/// A scratch project and how to run the binary in it.
pub(crate) struct TestContext {
    directory: tempfile::TempDir,
    env: Vec<(String, String)>,
}

impl TestContext {
    /// An empty project.
    pub(crate) fn new() -> TestContext {
        let directory = tempfile::Builder::new().prefix("omk-test-").tempdir().unwrap();
        // What the agents of tests write down is no part of the tree that decides their answers.
        fs::write(directory.path().join(".gitignore"), "args\ncalls\nran\nstarts\n").unwrap();
        TestContext { directory, env: Vec::new() }
    }

    /// A project with two skills, `v1` and `v2`, and a program `./agent` that answers with the line
    /// of its artifact that begins with `ANSWER `, and with the whole prompt after it.
    ///
    /// Every sample therefore sees `v1` answer `plain` and `v2` answer `better`.
    pub(crate) fn with_agent() -> TestContext {
        let context = TestContext::new();
        context.write("skills/v1.md", "ANSWER plain\n");
        context.write("skills/v2.md", "ANSWER better\n");
        context.script(
            "agent",
            r#"input=$(cat)
rest=${input#*ANSWER }
case "$input" in *ANSWER*) printf '%s\n' "${rest%%\\n*}" ;; *) echo nothing ;; esac
"#,
        );
        context
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes an executable shell script.
    pub(crate) fn script(&self, name: &str, body: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, &format!("#!/bin/sh\n{body}"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes `n` samples that all carry the same `assertions`.
    pub(crate) fn samples(&self, n: usize, assertions: &Value) {
        let samples: Vec<Value> = (1..=n)
            .map(|i| serde_json::json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": assertions}))
            .collect();
        self.write("eval-samples.json", &serde_json::to_string_pretty(&samples).unwrap());
    }

    /// Writes one sample for each list of assertions, `s001` with the prompt `question 1` and so on.
    pub(crate) fn sample_each(&self, assertions: impl IntoIterator<Item = Value>) {
        let samples: Vec<Value> = assertions
            .into_iter()
            .zip(1..)
            .map(|(assertions, i)| {
                serde_json::json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": assertions})
            })
            .collect();
        self.write("eval-samples.json", &serde_json::to_string_pretty(&samples).unwrap());
    }

    /// The project's directory.
    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    /// A path in the project.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The home of the runs.
    pub(crate) fn home(&self) -> PathBuf {
        self.path(".home")
    }

    /// Sets a variable for all later runs.
    pub(crate) fn env(&mut self, name: &str, value: &str) {
        self.env.push((name.to_owned(), value.to_owned()));
    }

    /// The command, not started yet: an environment without anything of the developer's own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_omk"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path())
            .env("OMK_HOME", self.home())
            .env("OMK_LANG", "en")
            .stdin(Stdio::null())
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        let output = self.command(arguments).output().unwrap();
        output.into()
    }

    /// The newest report in the default directory; names tell only seconds.
    #[track_caller]
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.report_path()).unwrap()).unwrap()
    }

    /// Where the newest report is.
    #[track_caller]
    pub(crate) fn report_path(&self) -> PathBuf {
        self.reports().pop().expect("a report was written")
    }

    /// The reports in the default directory, the newest last; names of the same second don't tell.
    pub(crate) fn reports(&self) -> Vec<PathBuf> {
        let mut reports = files(&self.home().join("reports"));
        reports.sort_by_key(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap());
        reports
    }
}

/// With `OMK_TEST_VERIFY` set, every report that a test leaves behind is computed again: whatever the program writes
/// must follow from its results. Tests that spoil reports on purpose fail then, and no others.
impl Drop for TestContext {
    fn drop(&mut self) {
        if std::env::var_os("OMK_TEST_VERIFY").is_none() || std::thread::panicking() {
            return;
        }
        for path in self.reports() {
            let again = self.run(&["report", "verdict", path.to_str().unwrap(), "--json"]);
            let document: Value = serde_json::from_str(&again.stdout).unwrap_or_default();
            assert_eq!(document["agrees"], true, "{}: {again:#?}", path.display());
            assert_eq!(document["notStored"], serde_json::json!([]), "{}", path.display());
        }
    }
}

/// The files of a directory, sorted.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).map(|entries| entries.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default();
    files.sort();
    files
}

/// Everything below a directory: relative path and content (`None` for a directory), sorted.
pub(crate) fn tree(directory: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    fn walk(root: &Path, directory: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
        for path in files(directory) {
            let relative = path.strip_prefix(root).unwrap().to_owned();
            match path.is_dir() {
                true => {
                    found.push((relative, None));
                    walk(root, &path, found);
                }
                false => found.push((relative, Some(fs::read(&path).unwrap()))),
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, directory, &mut found);
    found
}
