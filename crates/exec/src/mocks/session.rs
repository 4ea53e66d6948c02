//! The mocks of one call of an agent: which of them answered what, and whether a tool ran without being asked about.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eval_message::{Message, msg};
use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use eval_spec::files::FileMode;
use eval_spec::mock::{MockAnswer, Mocks};
use serde_json::Value;

use super::agent::AgentMocks;
use super::matching::matches;
use super::{own, web};

/// The mocks of one call, and what became of them.
pub(crate) struct MockSession {
    mocks: Arc<Mocks>,
    agent: &'static AgentMocks,
    /// The working directory of the agent.
    root: PathBuf,
    /// For the files that stand in for real ones.
    folder: PathBuf,
    /// Where the files of artifacts lie, which even strict mocks leave it.
    own: Vec<PathBuf>,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    /// How often each mock answered.
    hits: Vec<usize>,
    /// The inputs of calls that a server is going to decide about, by their ids.
    announced: HashMap<String, Value>,
    /// What was decided about each call, by its id.
    decided: HashMap<String, DecidedCall>,
    /// The same for calls that came without an id, in order.
    nameless: Vec<(String, Value, MockDecision)>,
    files: usize,
}

struct DecidedCall {
    decision: MockDecision,
    /// What the model asked for.
    input: Value,
    /// What the tool was given instead.
    harmless: Option<Value>,
    /// What the model must have seen, where that is known.
    expected: Option<String>,
    /// Whether the tool was given something else than it should have been, by a hook that isn't omk's.
    is_changed: bool,
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MockDecision {
    /// A mock answers it.
    Answer {
        /// Its index.
        mock: usize,
        /// The answer.
        answer: MockAnswer,
    },
    /// No mock answers it, and only mocks may.
    Deny,
    /// The real tool runs.
    Pass,
}

impl DecidedCall {
    fn new(decision: MockDecision, input: Value) -> DecidedCall {
        DecidedCall { decision, input, harmless: None, expected: None, is_changed: false }
    }
}

impl MockSession {
    /// The session of a call in `root`, with a `folder` for its files; even strict mocks leave the agent what is in `own`.
    pub(crate) fn new(
        mocks: Arc<Mocks>,
        agent: &'static AgentMocks,
        root: PathBuf,
        folder: PathBuf,
        own: Vec<PathBuf>,
    ) -> MockSession {
        let log = Log { hits: vec![0; mocks.mocks.len()], ..Log::default() };
        MockSession { mocks, agent, root, folder, own, log: Mutex::new(log) }
    }

    /// How the calls of its agent are answered.
    pub(crate) fn agent(&self) -> &'static AgentMocks {
        self.agent
    }

    /// Where the files of artifacts lie.
    pub(crate) fn own(&self) -> &[PathBuf] {
        &self.own
    }

    /// The mocks.
    pub(crate) fn mocks(&self) -> &Mocks {
        &self.mocks
    }

    /// The agent's own tools for the web in whose place a server's are offered.
    pub(crate) fn stood_in(&self) -> Vec<&'static str> {
        let is_mocked = |own: &str| self.mocks.mocks.iter().any(|mock| mock.tool == own || mock.tool == "*");
        let is_answered = |own: &&str| self.agent.answered.contains(own);
        web::STAND_INS.iter().map(|of| of.own).filter(is_answered).filter(|own| is_mocked(own)).collect()
    }

    /// Where its files lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What becomes of a call; the same for the same id again.
    pub(crate) fn decide(&self, id: Option<&str>, tool: &str, input: &Value) -> MockDecision {
        let mut log = self.log();
        if let Some(known) = id.and_then(|id| log.decided.get(id)) {
            return known.decision.clone();
        }
        let decision = self.decision(&mut log, tool, input);
        match id {
            Some(id) => {
                let is_changed = log.announced.get(id).is_some_and(|announced| announced != input);
                let known = DecidedCall { is_changed, ..DecidedCall::new(decision.clone(), input.clone()) };
                log.decided.insert(id.to_owned(), known);
            }
            None => log.nameless.push((tool.to_owned(), input.clone(), decision.clone())),
        }
        decision
    }

    /// What was decided about a call.
    pub(crate) fn decided(&self, id: &str) -> Option<MockDecision> {
        self.log().decided.get(id).map(|known| known.decision.clone())
    }

    /// Keeps what the tool of a call is given instead.
    pub(crate) fn replaced(&self, id: &str, harmless: &Value) {
        if let Some(known) = self.log().decided.get_mut(id) {
            known.harmless = Some(harmless.clone());
        }
    }

    /// Keeps the input of a call that a server is going to decide about.
    pub(crate) fn announce(&self, id: &str, input: &Value) {
        self.log().announced.insert(id.to_owned(), input.clone());
    }

    /// Compares what a tool of the agent's own was given with what it should have been: hooks of artifacts change it, too.
    pub(crate) fn ran(&self, id: &str, tool: &str, given: &Value) {
        let mut log = self.log();
        let Some(known) = log.decided.get_mut(id) else { return };
        known.is_changed |= match known.decision {
            MockDecision::Answer { .. } => known.harmless.as_ref() != Some(given),
            MockDecision::Deny => true,
            MockDecision::Pass => known.input != *given && (self.is_mocked(tool, given) || self.is_denied(tool, given)),
        };
    }

    /// Keeps what the model must see of a call.
    pub(crate) fn expect(&self, id: &str, text: String) {
        if let Some(known) = self.log().decided.get_mut(id) {
            known.expected = Some(text);
        }
    }

    /// A file of its own with this content, whose name ends so.
    pub(crate) fn file(&self, end: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let number = {
            let mut log = self.log();
            log.files += 1;
            log.files
        };
        let path = self.folder.join(format!("{number}{end}"));
        OpenOptions::new().write(true).create_new(true).file_mode(0o600).open(&path)?.write_all(bytes)?;
        Ok(path)
    }

    fn decision(&self, log: &mut Log, tool: &str, input: &Value) -> MockDecision {
        let mut is_unfit = false;
        for (index, mock) in self.mocks.mocks.iter().enumerate() {
            let hits = log.hits[index];
            let Some(answer) = mock.sequence.get(hits).or(mock.always.as_ref()) else { continue };
            if !matches(mock, tool, input, &self.root) {
                continue;
            }
            // A mock of any tool answers those that it can, and lets no other run.
            if mock.tool == "*" && !self.agent.gives(tool, answer) {
                is_unfit = true;
                continue;
            }
            log.hits[index] += 1;
            return MockDecision::Answer { mock: index, answer: answer.clone() };
        }
        let is_denied = is_unfit && !self.agent.harmless.contains(&tool) || self.is_denied(tool, input);
        if is_denied { MockDecision::Deny } else { MockDecision::Pass }
    }

    /// Whether a mock is for a call, used up or not.
    fn is_mocked(&self, tool: &str, input: &Value) -> bool {
        self.mocks.mocks.iter().any(|mock| matches(mock, tool, input, &self.root))
    }

    /// Whether strict mocks deny a call that no mock answers.
    fn is_denied(&self, tool: &str, input: &Value) -> bool {
        self.mocks.strict && !self.is_own(tool, input)
    }

    /// Whether a call is no business of the mocks, even of strict ones.
    fn is_own(&self, tool: &str, input: &Value) -> bool {
        self.agent.harmless.contains(&tool) || own::reads_only(tool, input, &self.own)
    }

    /// Notes in a trace which mock answered which call.
    ///
    /// # Errors
    /// A call that a mock is for, or that strict mocks deny, was made for real, or its answer was not the mock's.
    pub(crate) fn settle(&self, trace: &mut Trace) -> Result<(), Message> {
        let mut log = self.log();
        let mut wrong = None;
        for step in &mut trace.steps {
            let Step::Tool(call) = step else { continue };
            if let Some(name) = web::stands_for(&call.name) {
                call.name = name.to_owned();
            }
            let problem = self.settle_call(&mut log, call);
            wrong = wrong.or(problem);
        }
        wrong.map_or(Ok(()), Err)
    }

    fn settle_call(&self, log: &mut Log, call: &mut ToolCall) -> Option<Message> {
        let (tool, input) = (self.agent.asked_as)(&self.mocks, call);
        let nameless = || {
            let same = |of: &(String, Value, MockDecision)| of.0 == tool && of.1 == input;
            let at = log.nameless.iter().position(same)?;
            let (_, input, decision) = log.nameless.remove(at);
            Some(DecidedCall::new(decision, input))
        };
        // Of a call that its hook lets pass, the server decides.
        let known = log.decided.remove(&call.id).or_else(nameless);
        let changed = known.as_ref().is_some_and(|known| known.is_changed);
        let problem = match known {
            Some(DecidedCall {
                decision: MockDecision::Answer { mock, answer },
                expected,
                input: asked,
                harmless,
                ..
            }) => {
                call.mock = Some(mock);
                // A refusal is how some failures are made.
                if call.status == Some(ToolStatus::NotRun) {
                    call.status = Some(ToolStatus::Failed);
                }
                // The trace has the model's own input.
                if harmless.is_some_and(|harmless| harmless == input) {
                    call.input = asked;
                }
                let is_other = call.output.as_ref().is_some_and(|seen| {
                    let is_shown = |expected| (self.agent.shows)(&call.name, seen, expected);
                    expected.as_deref().is_some_and(|expected| !is_shown(expected))
                        || self.is_spoiled(&call.name, seen, &answer)
                });
                is_other.then(|| msg!("exec-mock-not-shown", tool = &call.name))
            }
            Some(DecidedCall { decision: MockDecision::Deny, .. }) => {
                call.status = Some(ToolStatus::NotRun);
                None
            }
            Some(DecidedCall { decision: MockDecision::Pass, .. }) => None,
            None => self.unasked(call, &tool, &input),
        };
        if changed { Some(msg!("exec-mock-changed", tool = &call.name)) } else { problem }
    }

    /// Whether the model was shown that the agent could make nothing of an answer, rather than the answer.
    fn is_spoiled(&self, tool: &str, seen: &ToolOutput, answer: &MockAnswer) -> bool {
        let text = answer.text();
        let is_own = !text.is_empty() && seen.text.starts_with(text.trim_end());
        seen.is_error && !is_own && (self.agent.is_spoiled)(tool, seen, answer)
    }

    /// What is wrong with a call that nobody asked about.
    fn unasked(&self, call: &ToolCall, tool: &str, input: &Value) -> Option<Message> {
        let output = call.output.as_ref()?;
        let is_mocked = self.is_mocked(tool, input);
        if output.is_error && (self.agent.is_refusal)(output) {
            // One of any tool is for those that are there.
            let is_named = self.mocks.mocks.iter().any(|mock| mock.tool == tool);
            // A tool that a server's stands for isn't offered: the model is told so, and goes on with the other one.
            let is_replaced = self.stood_in().contains(&tool);
            let is_absent = is_mocked && is_named && !is_replaced && (self.agent.is_absent)(output);
            return is_absent.then(|| msg!("exec-mock-absent", tool = &call.name, text = output.text.as_str()));
        }
        let was_run = call.status != Some(ToolStatus::NotRun);
        (was_run && (is_mocked || self.is_denied(tool, input))).then(|| msg!("exec-mock-unasked", tool = &call.name))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
