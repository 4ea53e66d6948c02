//! What a command left behind.

use std::process::Output;

use serde_json::Value;

/// What a finished command left behind.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
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
    /// Standard output as JSON.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:#?}"))
    }

    /// The same, once the exit code is the expected one.
    #[track_caller]
    pub fn expect(self, code: i32) -> Finished {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// The same, once standard error says all of this.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Finished {
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in {self:#?}");
        }
        self
    }
}
