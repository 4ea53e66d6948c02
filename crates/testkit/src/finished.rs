//! The result of a command.

use std::process::Output;

use serde_json::Value;

#[derive(Debug)]
pub struct Finished {
    /// Exit code; -1 if a signal ended the command.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Finished {
    fn from(output: Output) -> Finished {
        let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|error| panic!("not UTF-8: {error}"));
        let code = output.status.code().unwrap_or(-1);
        Finished { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Finished {
    /// Parses standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:#?}"))
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Finished {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Asserts that standard error contains all of these texts.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Finished {
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in {self:#?}");
        }
        self
    }
}
