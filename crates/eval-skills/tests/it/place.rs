//! A scratch directory for blocks of a shell, as documents write them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{FakeApi, skills};

/// A scratch directory with a home of its own, and a shell in which `eval-skills` is a command.
pub(crate) struct Place {
    folder: TempDir,
    service: FakeApi,
}

/// How a block ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::Builder::new().prefix("seed-").tempdir().unwrap();
        fs::create_dir(folder.path().join(".home")).unwrap();
        Place { folder, service: skills::service() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a block as a script.
    pub(crate) fn run(&self, block: &str) -> Ended {
        let own = Path::new(env!("CARGO_BIN_EXE_eval-skills")).parent().unwrap().to_owned();
        let system = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&system))).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-ec", block]).current_dir(self.folder.path()).env_clear();
        shell.env("PATH", path).env("HOME", self.path(".home")).env("LANG", "C.UTF-8");
        let output = shell.stdin(Stdio::null()).output().unwrap();
        Ended {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The same, when it must end well.
    #[track_caller]
    pub(crate) fn ok(&self, block: &str) -> Ended {
        let ended = self.run(block);
        assert_eq!(ended.code, 0, "{block}\n{}\n{}", ended.stdout, ended.stderr);
        ended
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A skill's report in the newest evaluation.
    #[track_caller]
    pub(crate) fn report(&self, skill: &str) -> Value {
        let evaluation = self.json("reports/eval-result.json");
        let found = evaluation["skills"].as_array().unwrap().iter().find(|report| report["skillId"] == skill);
        found.unwrap_or_else(|| panic!("{skill} is not in {evaluation}")).clone()
    }

    #[track_caller]
    pub(crate) fn completion(&self, skill: &str) -> f64 {
        self.report(skill)["summary"]["completionRate"].as_f64().unwrap()
    }

    /// `./skills/calculator`, a Python program for production.
    pub(crate) fn calculator(&self) {
        // One that stays: the seed's strategy bounds the latency, whatever else a machine does.
        let folder = skills::persistent_calculator(&self.path("skills/calculator"));
        let mut skill: Value = serde_json::from_slice(&fs::read(folder.join("skill.json")).unwrap()).unwrap();
        skill["tags"] = json!(["math", "production-ready"]);
        fs::write(folder.join("skill.json"), skill.to_string()).unwrap();
    }

    /// `./skills/search`, a service that calculates too.
    pub(crate) fn search(&self) {
        let skill = json!({
            "name": "Web Search",
            "description": "Searches the web",
            "tags": ["retrieval", "api"],
            "adapterType": "http",
            "entrypoint": format!("{}/calculate", self.service.url),
        });
        skills::write(&self.path("skills/search"), &skill, &json!({}), &[]);
    }

    /// `./reports/NAME.json`: what a calculator got on `coding-easy`, one that works or one that can't add up.
    pub(crate) fn recorded(&self, name: &str, works: bool) {
        let folder = skills::persistent_calculator(&self.path("recorded/skills/calculator"));
        if !works {
            // It adds one to every number.
            let code = fs::read_to_string(folder.join("skill.py")).unwrap();
            fs::write(folder.join("skill.py"), code.replace("float(value)", "float(value) + 1")).unwrap();
        }
        self.ok(
            "eval-skills eval --skills recorded/skills/calculator --output-dir recorded/reports --store recorded/store.db",
        );
        fs::create_dir_all(self.path("reports")).unwrap();
        fs::copy(self.path("recorded/reports/eval-result.json"), self.path(&format!("reports/{name}.json"))).unwrap();
    }
}
