//! A directory of its own, a home of its own, and the built binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

pub(crate) use testkit::Finished;

/// A scratch project and how to run the binary in it.
pub(crate) struct TestContext {
    directory: tempfile::TempDir,
}

impl TestContext {
    /// An empty project.
    pub(crate) fn new() -> TestContext {
        let directory = tempfile::Builder::new().prefix("eval-skills-test-").tempdir().unwrap();
        TestContext { directory }
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes a value as a JSON file.
    pub(crate) fn write_json(&self, name: &str, content: &Value) -> PathBuf {
        self.write(name, &format!("{content:#}\n"))
    }

    /// Writes the `skill.json` of a subprocess skill into `directory`, some members replaced; `null` removes one.
    pub(crate) fn skill(&self, directory: &str, other: &Value) -> PathBuf {
        let mut skill = json!({
            "id": Path::new(directory).file_name().unwrap().to_str().unwrap(),
            "name": "A skill",
            "version": "1.0.0",
            "description": "Does something",
            "tags": [],
            "adapterType": "subprocess",
            "entrypoint": "python3 skill.py",
        });
        for (key, value) in other.as_object().unwrap() {
            match value {
                Value::Null => drop(skill.as_object_mut().unwrap().remove(key)),
                value => skill[key] = value.clone(),
            }
        }
        self.write_json(&format!("{directory}/skill.json"), &skill)
    }

    /// A path in the project.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The text of a file in the project.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command, not started yet: an environment without anything of the developer's own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eval-skills"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path())
            .env("EVAL_SKILLS_HOME", self.path(".home"))
            .env("OMK_LANG", "en")
            .stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.run_with(arguments, &[])
    }

    /// The same, with more in the environment.
    pub(crate) fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Finished {
        let output = self.command(arguments).envs(environment.iter().copied()).output().unwrap();
        output.into()
    }

    /// The report of an evaluation that must end with `code`: `eval --json` and these arguments.
    #[track_caller]
    pub(crate) fn evaluate(&self, arguments: &[&str], code: i32) -> Value {
        self.run(&[&["eval", "--json"], arguments].concat()).expect(code).json()
    }

    /// Every file and directory of the project, with its length: what a command must not have changed.
    pub(crate) fn listing(&self) -> Vec<(PathBuf, u64)> {
        let mut all = Vec::new();
        let mut open = vec![self.path(".")];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap().flatten() {
                let about = entry.metadata().unwrap();
                all.push((entry.path(), if about.is_dir() { 0 } else { about.len() }));
                open.extend(about.is_dir().then(|| entry.path()));
            }
        }
        all.sort();
        all
    }

    /// The names in a directory of the project, sorted.
    pub(crate) fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(directory)).map(|entries| entries.flatten().collect::<Vec<_>>());
        let mut names: Vec<String> =
            entries.unwrap_or_default().iter().map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
