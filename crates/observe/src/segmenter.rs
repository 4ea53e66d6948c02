//! Events of a session → segments.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use eval_format::{Attribution, ToolCounts};
use eval_gaps::{
    AssistantTurn, Conversation, KnowledgeConcern, KnowledgeLookup, gap_key, guessed_search_tools, looked_up, signals,
};
use eval_spec::call::{ToolCall, ToolStatus, Usage};
use eval_spec::gap::GapClass;
use eval_spec::hash::sha256_hex;
use eval_trace::sessions::{MessagePiece, SessionEvent, SessionInfo};
use jiff::Timestamp;
use serde_json::Value;

use crate::clipped::{clip_arguments, clip_output};
use crate::read::{Knowledge, SessionRead, SessionReading};
use crate::segment::{Anchor, AnchoredSignal, Segment};

/// A segment with more messages is cut, so that a session of any length fits into the memory.
const MAX_TURNS: usize = 5_000;
/// Prompts of the session that are kept: a path that the user named stays one that the user named.
const PROMPTS: usize = 50;
/// How much of a prompt is kept, in bytes.
const PROMPT: usize = 8 << 10;
/// How much of what was looked for is kept, in characters.
const SUBJECT_CHARS: usize = 300;
/// How much of a prompt with a signal is kept, in characters.
const PROMPT_CHARS: usize = 2_000;

/// What was said and done, in one thread or several.
#[derive(Debug, Default)]
struct Work {
    /// The sub-agent's file; `None` for the session's own.
    file: Option<Arc<str>>,
    turns: Vec<AssistantTurn>,
    /// The place of each turn's first record.
    anchors: Vec<Anchor>,
    /// Where each line of each turn's text stands, by the place in the text at which the line begins; and of its thinking.
    texts: Vec<[Vec<(usize, Anchor)>; 2]>,
    by_message: HashMap<String, usize>,
    /// The turn and the place in it of each call, and where it was made.
    calls: HashMap<String, (usize, usize, Anchor)>,
    /// The tokens of each message; `None` for those without an id.
    usage: HashMap<String, Usage>,
    other_usage: Option<Usage>,
    models: BTreeSet<String>,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Work {
    fn at(&mut self, at: Option<Timestamp>) {
        self.first = self.first.or(at);
        self.last = self.last.max(at);
    }

    fn anchor(&self, line: u64, at: Option<Timestamp>) -> Anchor {
        Anchor { file: self.file.clone(), line, at }
    }

    /// The turn of a message; a new one where it is new.
    fn turn(&mut self, message: Option<&String>, thread: Option<&String>, anchor: &Anchor) -> usize {
        if let Some(&at) = message.and_then(|id| self.by_message.get(id)) {
            return at;
        }
        let before = self.turns.iter().rev().find(|turn| turn.thread.as_ref() == thread);
        let number = before.map_or(1, |turn| turn.number + 1);
        self.turns.push(AssistantTurn { number, thread: thread.cloned(), ..AssistantTurn::default() });
        self.anchors.push(anchor.clone());
        self.texts.push(Default::default());
        let at = self.turns.len() - 1;
        self.by_message.extend(message.map(|id| (id.clone(), at)));
        at
    }

    fn message(&mut self, line: u64, piece: MessagePiece, thread: Option<&String>) {
        self.at(piece.at);
        let (id, anchor) = (&piece.id, self.anchor(line, piece.at));
        let at = self.turn(id.as_ref(), thread, &anchor);
        if !piece.text.is_empty() {
            let text = &mut self.turns[at].text;
            let (mut begin, places) = (text.len(), &mut self.texts[at][0]);
            match piece.lines.as_slice() {
                [] => places.push((begin, anchor.clone())),
                lines => {
                    for (line, text) in lines.iter().zip(piece.text.split_inclusive('\n')) {
                        places.push((begin, Anchor { line: *line, ..anchor.clone() }));
                        begin += text.len();
                    }
                }
            }
            text.push_str(&piece.text);
            text.push('\n');
        }
        if !piece.thinking.is_empty() {
            let thinking = &mut self.turns[at].thinking;
            self.texts[at][1].push((thinking.len(), anchor));
            thinking.push_str(&piece.thinking);
            thinking.push('\n');
        }
        match (piece.id, piece.usage) {
            (Some(id), Some(usage)) => _ = self.usage.insert(id, usage),
            (None, Some(usage)) => self.other_usage = Some(self.other_usage.unwrap_or_default() + usage),
            (_, None) => {}
        }
        self.models.extend(piece.model);
    }

    fn call(&mut self, line: u64, message: Option<&String>, mut call: ToolCall, thread: Option<&String>) {
        if self.calls.contains_key(&call.id) {
            return; // written again
        }
        self.at(call.started_at);
        let anchor = self.anchor(line, call.started_at);
        let last = || self.turns.iter().rposition(|turn| turn.thread.as_ref() == thread);
        let at = match (message, last()) {
            (None, Some(at)) => at,
            _ => self.turn(message, thread, &anchor),
        };
        clip_arguments(&mut call.input);
        call.parent = call.parent.or_else(|| thread.cloned());
        if let Some(output) = &mut call.output {
            clip_output(&mut output.text);
        }
        self.calls.insert(call.id.clone(), (at, self.turns[at].calls.len(), anchor));
        self.turns[at].calls.push(call);
    }

    fn called(&mut self, id: &str) -> Option<&mut ToolCall> {
        let (turn, call, _) = *self.calls.get(id).as_ref()?;
        self.turns.get_mut(*turn)?.calls.get_mut(*call)
    }

    fn usage(&self) -> Option<Usage> {
        let all = self.usage.values().copied().chain(self.other_usage);
        all.reduce(|sum, usage| sum + usage)
    }

    fn tools(&self) -> ToolCounts {
        let mut counts = ToolCounts::default();
        for call in self.turns.iter().flat_map(|turn| &turn.calls) {
            let told = call.status.or(call.output.as_ref().filter(|of| of.is_error).map(|_| ToolStatus::Failed));
            *match told {
                Some(ToolStatus::Ok) => &mut counts.ok,
                Some(ToolStatus::NoMatch) => &mut counts.no_match,
                Some(ToolStatus::Failed) => &mut counts.failed,
                Some(ToolStatus::NotRun) => &mut counts.not_run,
                None => &mut counts.unknown,
            } += 1;
        }
        counts
    }
}

/// A sub-agent's work.
#[derive(Debug)]
pub(crate) struct Thread {
    /// The call that started it, or its own id where nothing tells.
    started_by: Option<String>,
    work: Work,
}

impl Thread {
    pub(crate) fn new(file: Arc<str>, started_by: Option<String>) -> Thread {
        Thread { started_by, work: Work { file: Some(file), ..Work::default() } }
    }

    pub(crate) fn event(&mut self, line: u64, event: SessionEvent) {
        match event {
            SessionEvent::Info(info) => {
                self.started_by = self.started_by.take().or(info.started_by).or(info.sub_agent);
            }
            // What sub-agents say and think isn't read.
            SessionEvent::Message(piece) => {
                let piece = MessagePiece { thinking: String::new(), ..piece };
                self.work.message(line, piece, self.started_by.as_ref());
            }
            SessionEvent::Call { message, call } => {
                self.work.call(line, message.as_ref(), call, self.started_by.as_ref());
            }
            SessionEvent::Result { call, at, output, status } => returned(&mut self.work, &call, at, output, status),
            _ => {}
        }
    }
}

/// The result of a call of `work`.
fn returned(
    work: &mut Work,
    call: &str,
    at: Option<Timestamp>,
    mut output: eval_spec::call::ToolOutput,
    status: Option<ToolStatus>,
) {
    work.at(at);
    let Some(call) = work.called(call) else { return };
    clip_output(&mut output.text);
    call.timed(None, at);
    call.output = Some(output);
    call.status = status;
}

/// A skill that the next message begins to work with.
#[derive(Debug)]
struct Load {
    name: String,
    attribution: Attribution,
    chars: usize,
}

/// Cuts a session into segments.
#[derive(Debug)]
pub(crate) struct Segmenter<'a> {
    reading: &'a SessionReading,
    /// The work of sub-agents, by the calls that started them.
    threads: Vec<Thread>,
    info: SessionInfo,
    offered: BTreeSet<String>,
    /// What the user wrote so far.
    prompts: Vec<String>,
    /// The skill that was loaded last, and how long its text is.
    in_force: Option<(String, usize)>,
    next: Option<Load>,
    open: Segment,
    work: Work,
    done: Vec<Segment>,
    count: u32,
}

impl<'a> Segmenter<'a> {
    pub(crate) fn new(reading: &'a SessionReading, threads: Vec<Thread>) -> Segmenter<'a> {
        Segmenter {
            reading,
            threads,
            info: SessionInfo::default(),
            offered: BTreeSet::new(),
            prompts: Vec::new(),
            in_force: None,
            next: None,
            open: Segment::default(),
            work: Work::default(),
            done: Vec::new(),
            count: 0,
        }
    }

    pub(crate) fn event(&mut self, line: u64, event: SessionEvent) {
        match event {
            SessionEvent::Info(info) => self.info(info),
            SessionEvent::SkillsOffered(names) => self.offered.extend(names),
            SessionEvent::Prompt { id, at, text } => self.prompt(id, at, text),
            SessionEvent::SkillLoaded { name, chars, .. } => self.load(name, Attribution::Loaded, chars),
            SessionEvent::Message(piece) => self.message(line, piece),
            SessionEvent::Call { message, call } => self.call(line, message.as_ref(), call),
            SessionEvent::Result { call, at, output, status } => returned(&mut self.work, &call, at, output, status),
            SessionEvent::Compacted => self.in_force = None,
            SessionEvent::Interrupted => self.open.is_interrupted = true,
        }
    }

    pub(crate) fn end(mut self) -> SessionRead {
        let rest = std::mem::take(&mut self.threads);
        rest.into_iter().for_each(|thread| self.attach(thread));
        self.close();
        SessionRead { info: self.info, segments: self.done, offered: self.offered, ..SessionRead::default() }
    }

    /// Another id begins another session, in which nothing is loaded yet.
    fn info(&mut self, info: SessionInfo) {
        if self.info.id.is_some() && info.id != self.info.id {
            self.close();
            (self.in_force, self.next) = (None, None);
            self.prompts.clear();
        }
        self.info = info;
    }

    fn prompt(&mut self, id: Option<String>, at: Option<Timestamp>, mut text: String) {
        self.close();
        self.next = None;
        text.truncate(text.floor_char_boundary(PROMPT));
        if self.prompts.len() == PROMPTS {
            self.prompts.remove(0);
        }
        self.prompts.push(text);
        let carried = self.in_force.as_ref().map(|(name, _)| name.clone());
        self.open = Segment { key: id, started_at: at, carried, ..Segment::default() };
        self.work.at(at);
    }

    /// A skill was loaded; the message that asked for it is not its work yet.
    fn load(&mut self, name: String, attribution: Attribution, chars: usize) {
        let is_same = self.in_force.as_ref().is_some_and(|(of, _)| *of == name);
        let known = if is_same { self.in_force.as_ref().map_or(0, |(_, chars)| *chars) } else { 0 };
        let chars = chars.max(known);
        self.in_force = Some((name.clone(), chars));
        if is_same && self.open.skill.as_ref() == Some(&name) {
            self.open.skill_chars = chars;
        }
        self.next = Some(Load { name, attribution, chars });
    }

    fn message(&mut self, line: u64, piece: MessagePiece) {
        let known = |id: &String| self.work.by_message.contains_key(id);
        let is_new = !matches!(&piece.id, Some(id) if known(id));
        if let Some(name) = piece.skill.as_ref().filter(|_| piece.parent.is_none()) {
            self.load(name.clone(), Attribution::Recorded, 0);
            self.begin();
        } else if is_new && piece.parent.is_none() {
            self.begin();
        }
        if is_new && self.work.turns.len() >= MAX_TURNS {
            self.continued();
        }
        // Else it only takes memory.
        let thinking = if self.reading.thinking { piece.thinking.clone() } else { String::new() };
        let parent = piece.parent.clone();
        self.work.message(line, MessagePiece { thinking, ..piece }, parent.as_ref());
    }

    fn call(&mut self, line: u64, message: Option<&String>, call: ToolCall) {
        let is_used = self.open.skill.is_none() && self.open.carried.as_ref().is_some_and(|name| uses(&call, name));
        if is_used {
            self.open.skill = self.open.carried.take();
            self.open.attribution = Some(Attribution::Used);
            self.open.skill_chars = self.in_force.as_ref().map_or(0, |(_, chars)| *chars);
        }
        let (id, parent) = (call.id.clone(), call.parent.clone());
        self.work.call(line, message, call, parent.as_ref());
        while let Some(at) = self.threads.iter().position(|thread| thread.started_by.as_ref() == Some(&id)) {
            let thread = self.threads.remove(at);
            self.attach(thread);
        }
    }

    /// Counts the work of a sub-agent to the segment in which it was started.
    fn attach(&mut self, thread: Thread) {
        let (begin, of) = (self.work.turns.len(), thread.work);
        self.work.last = self.work.last.max(of.last);
        self.work.usage.extend(of.usage);
        let sum = self.work.other_usage.into_iter().chain(of.other_usage).reduce(|sum, usage| sum + usage);
        self.work.other_usage = sum;
        self.work.models.extend(of.models);
        let calls = of.calls.into_iter().map(|(id, (turn, call, anchor))| (id, (turn + begin, call, anchor)));
        self.work.calls.extend(calls);
        self.work.turns.extend(of.turns);
        self.work.anchors.extend(of.anchors);
        self.work.texts.extend(of.texts);
    }

    /// Begins to work with a skill that was loaded.
    fn begin(&mut self) {
        let Some(Load { name, attribution, chars }) = self.next.take() else { return };
        if self.open.skill.as_ref() == Some(&name) {
            self.open.attribution = self.open.attribution.max(Some(attribution));
            return;
        }
        // A first message that only loads the skill belongs to it.
        let is_only_loading = self.open.skill.is_none() && self.work.turns.len() <= 1;
        if !is_only_loading {
            let (key, started_at) = (self.open.key.clone(), self.work.last);
            self.close();
            self.open = Segment { key, started_at, ..Segment::default() };
        }
        self.open.skill = Some(name);
        self.open.attribution = Some(attribution);
        self.open.skill_chars = chars;
        self.open.carried = None;
    }

    /// Goes on in a new segment of the same kind.
    fn continued(&mut self) {
        let (open, last) = (self.open.clone(), self.work.last);
        self.close();
        self.open = Segment { started_at: last, ..open };
    }

    fn close(&mut self) {
        let (work, mut segment) = (std::mem::take(&mut self.work), std::mem::take(&mut self.open));
        if work.turns.is_empty() {
            return;
        }
        self.count += 1;
        segment.number = self.count;
        segment.session.clone_from(&self.info.id);
        let begin = segment.started_at.or(work.first);
        let passed = begin.zip(work.last).map(|(from, to)| to.as_millisecond() - from.as_millisecond());
        segment.duration_ms = passed.and_then(|passed| u64::try_from(passed).ok());
        segment.started_at = begin;
        segment.turns = work.turns.len() as u64;
        segment.tools = work.tools();
        segment.usage = work.usage();
        segment.models = work.models;
        let conversation = Conversation {
            prompts: self.prompts.clone(),
            cwd: self.info.cwd.clone(),
            turns: work.turns,
            rules: self.reading.rules.clone(),
        };
        segment.guessed_tools = guessed_search_tools(&conversation);
        segment.lookup = self.lookup(&conversation);
        let found = signals(&conversation);
        let place = |signal: &eval_gaps::GapSignal| {
            let call = signal.calls.first().and_then(|id| work.calls.get(id)).map(|(_, _, anchor)| anchor.clone());
            let is_turn = |turn: &AssistantTurn| turn.number == signal.turn && turn.thread == signal.thread;
            let turn = || {
                let at = conversation.turns.iter().position(is_turn)?;
                let said = work.texts.get(at).and_then(|texts| of_sentence(&conversation.turns[at], signal, texts));
                said.or_else(|| work.anchors.get(at).cloned())
            };
            call.or_else(turn).unwrap_or_default()
        };
        segment.signals = found
            .into_iter()
            .map(|mut signal| {
                let anchor = place(&signal);
                let cwd = conversation.cwd.as_deref();
                let concern = self.reading.knowledge.as_ref().map_or(KnowledgeConcern::None, |of| {
                    of.files.concern(&signal.searched, signal.class, &of.project, cwd)
                });
                if concern == KnowledgeConcern::In {
                    signal.class = GapClass::Knowledge;
                }
                let masked = self.reading.mask.text(&signal.subject);
                let key = gap_key(&signal.subject);
                let key = if gap_key(&masked) == key { key } else { sha256_hex(key.as_bytes()) };
                signal.subject = masked.chars().take(SUBJECT_CHARS).collect();
                let searched = signal.searched.texts(cwd).iter().map(|place| self.reading.mask.text(place)).collect();
                let is_of_knowledge_base = concern != KnowledgeConcern::None;
                AnchoredSignal { signal, key, searched, is_of_knowledge_base, anchor }
            })
            .collect();
        if !segment.signals.is_empty() {
            let prompt = asked(&self.prompts).map(|prompt| self.reading.mask.text(prompt));
            segment.prompt = prompt.map(|prompt| prompt.chars().take(PROMPT_CHARS).collect());
        }
        self.done.push(segment);
    }

    /// Which files of the knowledge base were met: below the session's directory as it stands, else below the project as if
    /// the session had worked in a copy of it.
    fn lookup(&self, conversation: &Conversation) -> Option<KnowledgeLookup> {
        let Knowledge { project, files } = self.reading.knowledge.as_ref()?;
        let looked = looked_up(conversation);
        let cwd = conversation.cwd.as_deref();
        let here = files.met(&looked, cwd.map_or(project.as_path(), Path::new), None);
        Some(if here.is_empty() { files.met(&looked, project, cwd) } else { here })
    }
}

/// The place of the line with which a sentence of a turn begins.
fn of_sentence(
    turn: &AssistantTurn,
    signal: &eval_gaps::GapSignal,
    [said, thought]: &[Vec<(usize, Anchor)>; 2],
) -> Option<Anchor> {
    let (text, places) = if signal.place.is_some() { (&turn.thinking, thought) } else { (&turn.text, said) };
    // Marks of Markdown are no part of a sentence as it is shown.
    let begin = |length: usize| {
        let end = signal.subject.char_indices().nth(length).map_or(signal.subject.len(), |(at, _)| at);
        text.find(&signal.subject[..end]).filter(|_| end > 0)
    };
    let begins = [usize::MAX, 40, 20, 10].into_iter().find_map(begin)?;
    places.iter().rev().find(|(at, _)| *at <= begins).map(|(_, anchor)| anchor.clone())
}

/// Words of prompts that only let the agent go on.
const GO_ON: [&str; 34] = [
    "yes", "yep", "yeah", "y", "ok", "okay", "sure", "continue", "go", "going", "keep", "on", "ahead", "proceed",
    "next", "please", "do", "it", "that", "so", "thanks", "and", "then", "now", "try", "again", "retry", "继续", "好",
    "好的", "可以", "是", "是的", "对",
];

/// What the user asked: the last prompt that is more than a word to go on, else the last one.
fn asked(prompts: &[String]) -> Option<&String> {
    let asks = |prompt: &&String| {
        let text = prompt.to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        // A number chooses from a menu.
        words.any(|word| !GO_ON.contains(&word) && !word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    prompts.iter().rev().find(asks).or(prompts.last())
}

/// Whether a call names a file of a skill.
fn uses(call: &ToolCall, skill: &str) -> bool {
    fn names(input: &Value, path: &str) -> bool {
        match input {
            Value::String(text) => text.contains(path),
            Value::Array(all) => all.iter().any(|value| names(value, path)),
            Value::Object(all) => all.values().any(|value| names(value, path)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    names(&call.input, &format!("skills/{skill}/"))
}
