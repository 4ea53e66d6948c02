//! Where an agent worked, as the texts of its calls name it.

use std::path::Path;

use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::mock::MockAnswer;
use regex::{Captures, Regex};

use crate::places::{CALL_PREFIX, RUN_PREFIX, WORKSPACE};

/// The temporary folder of a call; that of every machine stands for it.
const TEMPORARY: (&str, &str) = ("tmp", "/tmp");

/// What of a path can stand before the folder of a run: nothing that ends a word of a shell or of JSON.
const BEFORE: &str = r#"[^\s'"=:;&|<>()`$,{}\[\]\\]*"#;

/// Where an agent worked.
pub struct RecordedPlace {
    /// The working directory, and what follows it.
    work: Option<Regex>,
    /// The name of what lies in the folder of a call, which is gone.
    of_call: Option<Regex>,
    is_gone: bool,
}

impl RecordedPlace {
    /// That of an agent that worked in `cwd`, or in a copy of a directory where there is none.
    pub fn new(cwd: Option<&Path>) -> RecordedPlace {
        let call = format!(r"{BEFORE}/{RUN_PREFIX}\w+/{CALL_PREFIX}\w+");
        let work = match cwd {
            // Beside it may lie others whose names go on.
            Some(cwd) => format!(r"{}(/|[^\w.-]|$)", regex::escape(&cwd.display().to_string())),
            None => format!(r"{call}/{WORKSPACE}(/|[^\w-]|$)"),
        };
        let of_call = Regex::new(&format!(r"{call}(?:/(\w+))?"));
        RecordedPlace { work: Regex::new(&work).ok(), of_call: of_call.ok(), is_gone: cwd.is_none() }
    }

    /// Whether a text names a file of an artifact, or another one that belongs to the call itself.
    pub(super) fn is_own(&self, text: &str) -> bool {
        let mut named = self.of_call.iter().flat_map(|own| own.captures_iter(text));
        named.any(|found| found.get(1).is_some_and(|name| name.as_str() != WORKSPACE))
    }

    /// A text with something else in the place of the working directory.
    pub fn without(&self, text: &str, with: &str) -> String {
        let replaced = |found: &Captures<'_>| format!("{with}{}", &found[1]);
        self.work.as_ref().map_or_else(|| text.to_owned(), |work| work.replace_all(text, replaced).into_owned())
    }

    /// An answer whose paths mean the same in another run: those of a copy that is gone are relative.
    pub fn answer(&self, answer: MockAnswer) -> MockAnswer {
        match String::from_utf8(answer.stdout) {
            Ok(stdout) if self.is_gone => MockAnswer {
                stdout: self.lasting(&stdout).into_bytes(),
                stderr: self.lasting(&answer.stderr),
                exit: answer.exit,
            },
            Ok(stdout) => MockAnswer { stdout: stdout.into_bytes(), ..answer },
            Err(bytes) => MockAnswer { stdout: bytes.into_bytes(), ..answer },
        }
    }

    /// A call for a note, whose paths are those of an answer.
    pub(super) fn call(&self, call: &ToolCall) -> ToolCall {
        let mut call = call.clone();
        if self.is_gone {
            let input = serde_json::from_str(&self.lasting(&call.input.to_string()));
            call.input = input.unwrap_or(call.input);
            call.output = call.output.map(|of| ToolOutput { text: self.lasting(&of.text), ..of });
        }
        call
    }

    fn lasting(&self, text: &str) -> String {
        let relative = |found: &Captures<'_>| match &found[1] {
            "/" => String::new(),
            // The end of a sentence: two of them name the folder above.
            "." => "./.".to_owned(),
            end => format!(".{end}"),
        };
        let rest = |found: &Captures<'_>| match found.get(1).map(|name| name.as_str()) {
            Some(name) if name == TEMPORARY.0 => TEMPORARY.1.to_owned(),
            Some(name) => format!("/{name}"),
            None => "/".to_owned(),
        };
        let text = self.work.as_ref().map_or_else(|| text.to_owned(), |work| work.replace_all(text, relative).into());
        self.of_call.as_ref().map_or_else(|| text.clone(), |call| call.replace_all(&text, rest).into())
    }
}
