//! Mocks: prepared answers to the tool calls of an agent.

use serde_json::{Map, Value, json};

use crate::hash::sha256_hex;

/// The mocks of one sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mocks {
    /// In order of precedence: the first that matches answers.
    pub mocks: Vec<Mock>,
    /// Whether a tool call that none of them matches is denied.
    pub strict: bool,
}

/// A prepared answer to the calls of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mock {
    /// The tool's name, or `*` for every tool.
    pub tool: String,
    /// Which of its calls it answers: all of the conditions hold.
    pub conditions: MockConditions,
    /// The answers to its first calls, one for each.
    pub sequence: Vec<MockAnswer>,
    /// The answer to all later calls; without it the mock is used up after its sequence.
    pub always: Option<MockAnswer>,
    /// What the model is told of a tool that exists only as mocks.
    pub description: Option<String>,
    /// The JSON Schema of the input of a tool that exists only as mocks.
    pub input_schema: Option<Map<String, Value>>,
    /// Everything the author wrote, `tool` included.
    pub written: Map<String, Value>,
}

/// What a call must be like for a mock to answer it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MockConditions {
    /// The file it names; a relative one lies in the working directory.
    pub file_path: Option<String>,
    /// The end of the path of the file it names, from the beginning of a name on.
    pub file_path_endswith: Option<String>,
    /// The address it names.
    pub url: Option<String>,
    /// The same as a pattern, in which `*` stands for any text.
    pub url_glob: Option<String>,
    /// Its command line as a pattern, in which `*` stands for any text, line ends included.
    pub command_glob: Option<String>,
    /// Part of its input: every key has this value, and may have others beside it.
    pub input: Option<Map<String, Value>>,
    /// Texts that its input has somewhere, in upper or lower case.
    pub input_contains: Vec<String>,
}

/// What a tool is made to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MockAnswer {
    /// Its output: the content of a file, what a program prints, what a server returns.
    pub stdout: Vec<u8>,
    /// What a program prints on standard error.
    pub stderr: String,
    /// The exit code of a program; any other than 0 means that the tool failed.
    pub exit: u8,
}

impl MockAnswer {
    /// The output and the errors as one text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.stdout).into_owned();
        if !text.is_empty() && !self.stderr.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text + &self.stderr
    }
}

impl Mock {
    /// What the author wrote, and a hash of the file that it takes its answer from.
    #[must_use]
    pub fn key_parts(&self) -> Value {
        let mut parts = self.written.clone();
        if parts.contains_key("return_file") {
            let bytes = self.always.as_ref().map_or(&[][..], |answer| &answer.stdout);
            parts.insert("return_file_sha256".to_owned(), json!(sha256_hex(bytes)));
        }
        Value::Object(parts)
    }
}

impl Mocks {
    /// What of them decides an answer.
    #[must_use]
    pub fn key_parts(&self) -> Value {
        json!({"mocks": self.mocks.iter().map(Mock::key_parts).collect::<Vec<_>>(), "strict": self.strict})
    }
}
