//! A format of transcripts: one trait, one reader.

use std::io::BufRead;

use eval_spec::call::{Trace, Usage};
use eval_spec::{ExecError, Output};
use serde_json::Value;

use crate::lines::Lines;
use crate::records::{Records, parsed};
use crate::stderr::told;

/// A format of transcripts.
#[derive(Clone, Copy)]
pub struct TranscriptFormat {
    /// Its name, unique in [`FORMATS`](crate::FORMATS).
    pub name: &'static str,
    /// The program and flags that print it, and the version it was measured on.
    pub source: &'static str,
    /// An empty transcript.
    pub transcript: fn() -> Box<dyn Transcript>,
}

impl TranscriptFormat {
    /// A reader at the beginning of a stream.
    #[must_use]
    pub fn reader(&self) -> TranscriptReader {
        TranscriptReader {
            lines: Lines::default(),
            records: Records::default(),
            transcript: (self.transcript)(),
            skipped: SkippedRecords::default(),
        }
    }
}

/// The transcript of one run, built from its records; a record is a JSON value of the stream.
pub trait Transcript: Send {
    /// Takes the next record; `false` if its type is unknown. Known types without content return `true`.
    fn record(&mut self, record: Value) -> bool;

    /// Begins the next file that the agent kept: of its session, then of its sub-agents'. Without them in the format, nothing.
    fn session_begins(&mut self) {}

    /// Takes the next record of that file.
    fn session_record(&mut self, _record: Value) {}

    /// The trace so far.
    fn trace(&self) -> Trace;

    /// How the agent was set up; `None` until it reports that.
    fn setup(&self) -> Option<&AgentSetup>;

    /// Whether the agent has said that it is done, and successfully.
    fn is_done(&self) -> bool {
        false
    }

    /// The tokens of each thread with its model, where threads may have different ones; empty where the output tells it all.
    fn usage_by_thread(&self) -> Vec<(Option<String>, Usage)> {
        Vec::new()
    }

    /// The output of a run that was stopped: its last text, its trace, and the tokens if they were reported;
    /// `None` without any of them.
    fn partial(self: Box<Self>) -> Option<Box<Output>>;

    /// The outcome of a run that has ended.
    ///
    /// # Errors
    /// An API error, a missing login, an end without a result.
    fn finish(self: Box<Self>, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError>;
}

/// How an agent was set up, as it reports itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentSetup {
    /// The model it uses.
    pub model: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The skills it offers to the model; `None` where it doesn't say.
    pub skills: Option<Vec<String>>,
    /// The tools it offers to the model; empty where it doesn't say.
    pub tools: Vec<String>,
    /// Its plugins by name.
    pub plugins: Vec<String>,
    /// The MCP servers by name, with their state.
    pub mcp_servers: Vec<(String, String)>,
    /// The files of its notes between sessions.
    pub memory_paths: Vec<String>,
}

/// How an agent's process ended.
#[derive(Clone, Copy, Debug)]
pub struct AgentExit<'a> {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The end of its standard error, without secrets.
    pub stderr: &'a str,
}

/// The records that a reader passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkippedRecords {
    /// Lines that are no JSON, such as a torn last line.
    pub unreadable: usize,
    /// Records of an unknown type.
    pub unknown: usize,
}

/// Reads a transcript chunk by chunk.
///
/// The stream is one JSON record a line, one array of records, or a record that is printed over several lines, as
/// [`Records`] says.
pub struct TranscriptReader {
    lines: Lines,
    records: Records,
    transcript: Box<dyn Transcript>,
    skipped: SkippedRecords,
}

impl TranscriptReader {
    /// Takes the next bytes of standard output; chunks may end anywhere.
    pub fn push(&mut self, bytes: &[u8]) {
        let TranscriptReader { lines, records, transcript, skipped } = self;
        lines.push(bytes, |line| records.line(line, |record| take(&mut **transcript, skipped, record)));
    }

    /// Takes a file that the agent kept of its session or of a sub-agent's, one JSON record a line. Lines that are torn are
    /// left out, and what can't be read ends it.
    pub fn session(&mut self, file: impl BufRead) {
        self.transcript.session_begins();
        let lines = file.split(b'\n').map_while(Result::ok);
        let records = lines.filter_map(|line| parsed(std::str::from_utf8(&line).ok()?));
        records.for_each(|record| self.transcript.session_record(record));
    }

    /// The transcript so far.
    #[must_use]
    pub fn transcript(&self) -> &dyn Transcript {
        &*self.transcript
    }

    /// The records passed over so far.
    #[must_use]
    pub fn skipped(&self) -> SkippedRecords {
        self.skipped
    }

    /// [`Transcript::partial`], with the last line.
    #[must_use]
    pub fn partial(self) -> Option<Box<Output>> {
        self.drain().0.partial()
    }

    /// [`Transcript::finish`], with the last line.
    ///
    /// # Errors
    /// As [`Transcript::finish`].
    pub fn finish(self, exit: &AgentExit<'_>) -> Result<Output, ExecError> {
        let (transcript, skipped) = self.drain();
        transcript.finish(exit, skipped).map_err(|error| told(error, exit.stderr))
    }

    fn drain(self) -> (Box<dyn Transcript>, SkippedRecords) {
        let TranscriptReader { lines, mut records, mut transcript, mut skipped } = self;
        let mut take = |record| take(&mut *transcript, &mut skipped, record);
        if let Some(line) = lines.finish() {
            records.line(&line, &mut take);
        }
        records.finish(take);
        (transcript, skipped)
    }
}

fn take(transcript: &mut dyn Transcript, skipped: &mut SkippedRecords, record: Option<Value>) {
    let mut take = |record| skipped.unknown += usize::from(!transcript.record(record));
    match record {
        Some(Value::Array(records)) => records.into_iter().for_each(take),
        Some(record) => take(record),
        None => skipped.unreadable += 1,
    }
}
