//! Cuts the events of a session into segments.

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

/// Limit on the messages of a segment; a longer one is split, so that any session fits into memory.
const MAX_TURNS: usize = 5_000;
/// Number of prompts to keep, for paths that the user named in earlier prompts.
const MAX_PROMPTS: usize = 50;
/// Bytes to keep of a prompt.
const MAX_PROMPT: usize = 8 << 10;
/// Characters to keep of a signal's subject.
const MAX_SUBJECT_CHARS: usize = 300;
/// Characters to keep of the prompt of a segment with signals.
const MAX_PROMPT_CHARS: usize = 2_000;

/// Messages and calls of one thread or several.
#[derive(Debug, Default)]
struct Work {
    /// File of the sub-agent; `None` for the session's own.
    file: Option<Arc<str>>,
    turns: Vec<AssistantTurn>,
    /// Place of each turn's first record.
    anchors: Vec<Anchor>,
    /// Per turn, for its text and for its thinking: byte offset in the text and place in the file of each line.
    texts: Vec<[Vec<(usize, Anchor)>; 2]>,
    /// Index of the turn, by id of its message.
    by_id: HashMap<String, usize>,
    /// Turn, index in the turn, and place of each call, by id.
    calls: HashMap<String, (usize, usize, Anchor)>,
    /// Tokens of each message with an id.
    usage: HashMap<String, Usage>,
    /// Tokens of messages without ids.
    other_usage: Option<Usage>,
    models: BTreeSet<String>,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Work {
    fn record_time(&mut self, time: Option<Timestamp>) {
        self.first = self.first.or(time);
        self.last = self.last.max(time);
    }

    fn anchor(&self, line: u64, time: Option<Timestamp>) -> Anchor {
        Anchor { file: self.file.clone(), line, time }
    }

    /// Returns the index of a message's turn; adds a turn for a new message.
    fn turn(&mut self, message: Option<&String>, thread: Option<&String>, anchor: &Anchor) -> usize {
        if let Some(&index) = message.and_then(|id| self.by_id.get(id)) {
            return index;
        }
        let previous = self.turns.iter().rev().find(|turn| turn.thread.as_ref() == thread);
        let number = previous.map_or(1, |turn| turn.number + 1);
        self.turns.push(AssistantTurn { number, thread: thread.cloned(), ..AssistantTurn::default() });
        self.anchors.push(anchor.clone());
        self.texts.push(Default::default());
        let index = self.turns.len() - 1;
        self.by_id.extend(message.map(|id| (id.clone(), index)));
        index
    }

    fn message(&mut self, line: u64, piece: MessagePiece, thread: Option<&String>) {
        self.record_time(piece.at);
        let (id, anchor) = (&piece.id, self.anchor(line, piece.at));
        let turn = self.turn(id.as_ref(), thread, &anchor);
        if !piece.text.is_empty() {
            let text = &mut self.turns[turn].text;
            let (mut start, places) = (text.len(), &mut self.texts[turn][0]);
            match piece.lines.as_slice() {
                [] => places.push((start, anchor.clone())),
                lines => {
                    for (line, text) in lines.iter().zip(piece.text.split_inclusive('\n')) {
                        places.push((start, Anchor { line: *line, ..anchor.clone() }));
                        start += text.len();
                    }
                }
            }
            text.push_str(&piece.text);
            text.push('\n');
        }
        if !piece.thinking.is_empty() {
            let thinking = &mut self.turns[turn].thinking;
            self.texts[turn][1].push((thinking.len(), anchor));
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
            return; // a repeated record
        }
        self.record_time(call.started_at);
        let anchor = self.anchor(line, call.started_at);
        let last = || self.turns.iter().rposition(|turn| turn.thread.as_ref() == thread);
        let turn = match (message, last()) {
            (None, Some(turn)) => turn,
            _ => self.turn(message, thread, &anchor),
        };
        clip_arguments(&mut call.input);
        call.parent = call.parent.or_else(|| thread.cloned());
        if let Some(output) = &mut call.output {
            clip_output(&mut output.text);
        }
        self.calls.insert(call.id.clone(), (turn, self.turns[turn].calls.len(), anchor));
        self.turns[turn].calls.push(call);
    }

    fn call_mut(&mut self, id: &str) -> Option<&mut ToolCall> {
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
            let failed = call.output.as_ref().filter(|output| output.is_error).map(|_| ToolStatus::Failed);
            *match call.status.or(failed) {
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

/// The work of a sub-agent.
#[derive(Debug)]
pub(crate) struct Thread {
    /// Id of the call that started the sub-agent; if unknown, the sub-agent's own id.
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
            // thinking of sub-agents isn't searched for signals
            SessionEvent::Message(piece) => {
                let piece = MessagePiece { thinking: String::new(), ..piece };
                self.work.message(line, piece, self.started_by.as_ref());
            }
            SessionEvent::Call { message, call } => {
                self.work.call(line, message.as_ref(), call, self.started_by.as_ref());
            }
            SessionEvent::Result { call, at, output, status } => add_result(&mut self.work, &call, at, output, status),
            _ => {}
        }
    }
}

/// Adds the result of a call to `work`.
fn add_result(
    work: &mut Work,
    call: &str,
    time: Option<Timestamp>,
    mut output: eval_spec::call::ToolOutput,
    status: Option<ToolStatus>,
) {
    work.record_time(time);
    let Some(call) = work.call_mut(call) else { return };
    clip_output(&mut output.text);
    call.timed(None, time);
    call.output = Some(output);
    call.status = status;
}

/// A loaded skill that the next message will work with.
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
    /// Sub-agents whose starting call wasn't seen yet.
    threads: Vec<Thread>,
    info: SessionInfo,
    offered: BTreeSet<String>,
    /// Prompts of the user so far.
    prompts: Vec<String>,
    /// Name of the last loaded skill, and the length of its text.
    active_skill: Option<(String, usize)>,
    pending: Option<Load>,
    current: Segment,
    work: Work,
    segments: Vec<Segment>,
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
            active_skill: None,
            pending: None,
            current: Segment::default(),
            work: Work::default(),
            segments: Vec::new(),
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
            SessionEvent::Result { call, at, output, status } => add_result(&mut self.work, &call, at, output, status),
            SessionEvent::Compacted => self.active_skill = None,
            SessionEvent::Interrupted => self.current.is_interrupted = true,
        }
    }

    pub(crate) fn end(mut self) -> SessionRead {
        let rest = std::mem::take(&mut self.threads);
        rest.into_iter().for_each(|thread| self.attach(thread));
        self.close();
        SessionRead { info: self.info, segments: self.segments, offered: self.offered, ..SessionRead::default() }
    }

    /// Sets the session's facts. A new id starts another session, without loaded skills.
    fn info(&mut self, info: SessionInfo) {
        if self.info.id.is_some() && info.id != self.info.id {
            self.close();
            (self.active_skill, self.pending) = (None, None);
            self.prompts.clear();
        }
        self.info = info;
    }

    fn prompt(&mut self, id: Option<String>, time: Option<Timestamp>, mut text: String) {
        self.close();
        self.pending = None;
        text.truncate(text.floor_char_boundary(MAX_PROMPT));
        if self.prompts.len() == MAX_PROMPTS {
            self.prompts.remove(0);
        }
        self.prompts.push(text);
        let carried = self.active_skill.as_ref().map(|(name, _)| name.clone());
        self.current = Segment { key: id, started_at: time, carried, ..Segment::default() };
        self.work.record_time(time);
    }

    /// Records that a skill was loaded; its work begins with the next message.
    fn load(&mut self, name: String, attribution: Attribution, chars: usize) {
        let is_same = self.active_skill.as_ref().is_some_and(|(active, _)| *active == name);
        let known_chars = if is_same { self.active_skill.as_ref().map_or(0, |(_, chars)| *chars) } else { 0 };
        let chars = chars.max(known_chars);
        self.active_skill = Some((name.clone(), chars));
        if is_same && self.current.skill.as_ref() == Some(&name) {
            self.current.skill_chars = chars;
        }
        self.pending = Some(Load { name, attribution, chars });
    }

    fn message(&mut self, line: u64, piece: MessagePiece) {
        let is_new = piece.id.as_ref().is_none_or(|id| !self.work.by_id.contains_key(id));
        if let Some(name) = piece.skill.as_ref().filter(|_| piece.parent.is_none()) {
            self.load(name.clone(), Attribution::Recorded, 0);
            self.begin_skill();
        } else if is_new && piece.parent.is_none() {
            self.begin_skill();
        }
        if is_new && self.work.turns.len() >= MAX_TURNS {
            self.split();
        }
        // unread thinking would only take memory
        let thinking = if self.reading.thinking { piece.thinking.clone() } else { String::new() };
        let parent = piece.parent.clone();
        self.work.message(line, MessagePiece { thinking, ..piece }, parent.as_ref());
    }

    fn call(&mut self, line: u64, message: Option<&String>, call: ToolCall) {
        let current = &mut self.current;
        if current.skill.is_none() && current.carried.as_ref().is_some_and(|name| uses(&call, name)) {
            current.skill = current.carried.take();
            current.attribution = Some(Attribution::Used);
            current.skill_chars = self.active_skill.as_ref().map_or(0, |(_, chars)| *chars);
        }
        let (id, parent) = (call.id.clone(), call.parent.clone());
        self.work.call(line, message, call, parent.as_ref());
        while let Some(index) = self.threads.iter().position(|thread| thread.started_by.as_ref() == Some(&id)) {
            let thread = self.threads.remove(index);
            self.attach(thread);
        }
    }

    /// Adds the work of a sub-agent to the current segment, which started it.
    fn attach(&mut self, thread: Thread) {
        let (first_turn, work) = (self.work.turns.len(), thread.work);
        self.work.last = self.work.last.max(work.last);
        self.work.usage.extend(work.usage);
        let sum = self.work.other_usage.into_iter().chain(work.other_usage).reduce(|sum, usage| sum + usage);
        self.work.other_usage = sum;
        self.work.models.extend(work.models);
        let calls = work.calls.into_iter().map(|(id, (turn, call, anchor))| (id, (turn + first_turn, call, anchor)));
        self.work.calls.extend(calls);
        self.work.turns.extend(work.turns);
        self.work.anchors.extend(work.anchors);
        self.work.texts.extend(work.texts);
    }

    /// Begins the work with a loaded skill.
    fn begin_skill(&mut self) {
        let Some(Load { name, attribution, chars }) = self.pending.take() else { return };
        if self.current.skill.as_ref() == Some(&name) {
            self.current.attribution = self.current.attribution.max(Some(attribution));
            return;
        }
        // a first message that only loads the skill belongs to the skill's segment
        let is_only_loading = self.current.skill.is_none() && self.work.turns.len() <= 1;
        if !is_only_loading {
            let (key, started_at) = (self.current.key.clone(), self.work.last);
            self.close();
            self.current = Segment { key, started_at, ..Segment::default() };
        }
        self.current.skill = Some(name);
        self.current.attribution = Some(attribution);
        self.current.skill_chars = chars;
        self.current.carried = None;
    }

    /// Continues in a new segment of the same prompt and skill.
    fn split(&mut self) {
        let (current, last) = (self.current.clone(), self.work.last);
        self.close();
        self.current = Segment { started_at: last, ..current };
    }

    fn close(&mut self) {
        let (work, mut segment) = (std::mem::take(&mut self.work), std::mem::take(&mut self.current));
        if work.turns.is_empty() {
            return;
        }
        self.count += 1;
        segment.number = self.count;
        segment.session.clone_from(&self.info.id);
        let start = segment.started_at.or(work.first);
        let elapsed = start.zip(work.last).map(|(from, to)| to.as_millisecond() - from.as_millisecond());
        segment.duration_ms = elapsed.and_then(|elapsed| u64::try_from(elapsed).ok());
        segment.started_at = start;
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
        let found_signals = signals(&conversation);
        let place = |signal: &eval_gaps::GapSignal| {
            let call = signal.calls.first().and_then(|id| work.calls.get(id)).map(|(_, _, anchor)| anchor.clone());
            let is_turn = |turn: &AssistantTurn| turn.number == signal.turn && turn.thread == signal.thread;
            let turn = || {
                let index = conversation.turns.iter().position(is_turn)?;
                let texts = work.texts.get(index)?;
                sentence_anchor(&conversation.turns[index], signal, texts).or_else(|| work.anchors.get(index).cloned())
            };
            call.or_else(turn).unwrap_or_default()
        };
        segment.signals = found_signals
            .into_iter()
            .map(|mut signal| {
                let anchor = place(&signal);
                let cwd = conversation.cwd.as_deref();
                let concern = self.reading.knowledge.as_ref().map_or(KnowledgeConcern::None, |knowledge| {
                    knowledge.files.concern(&signal.searched, signal.class, &knowledge.project, cwd)
                });
                if concern == KnowledgeConcern::In {
                    signal.class = GapClass::Knowledge;
                }
                let masked = self.reading.mask.text(&signal.subject);
                let key = gap_key(&signal.subject);
                let key = if gap_key(&masked) == key { key } else { sha256_hex(key.as_bytes()) };
                signal.subject = masked.chars().take(MAX_SUBJECT_CHARS).collect();
                let searched = signal.searched.texts(cwd).iter().map(|place| self.reading.mask.text(place)).collect();
                let is_of_knowledge_base = concern != KnowledgeConcern::None;
                AnchoredSignal { signal, key, searched, is_of_knowledge_base, anchor }
            })
            .collect();
        if !segment.signals.is_empty() {
            let prompt = question(&self.prompts).map(|prompt| self.reading.mask.text(prompt));
            segment.prompt = prompt.map(|prompt| prompt.chars().take(MAX_PROMPT_CHARS).collect());
        }
        self.segments.push(segment);
    }

    /// Finds the accesses to the knowledge base: by the session's own paths, else as if the session had worked in a copy of
    /// the project.
    fn lookup(&self, conversation: &Conversation) -> Option<KnowledgeLookup> {
        let Knowledge { project, files } = self.reading.knowledge.as_ref()?;
        let looked = looked_up(conversation);
        let cwd = conversation.cwd.as_deref();
        let here = files.met(&looked, cwd.map_or(project.as_path(), Path::new), None);
        Some(if here.is_empty() { files.met(&looked, project, cwd) } else { here })
    }
}

/// Returns the place of the line where a signal's sentence begins.
fn sentence_anchor(
    turn: &AssistantTurn,
    signal: &eval_gaps::GapSignal,
    [in_text, in_thinking]: &[Vec<(usize, Anchor)>; 2],
) -> Option<Anchor> {
    let (text, places) = if signal.place.is_some() { (&turn.thinking, in_thinking) } else { (&turn.text, in_text) };
    // the subject lacks Markdown's marks, so that a shorter beginning may be needed to find it
    let find = |length: usize| {
        let end = signal.subject.char_indices().nth(length).map_or(signal.subject.len(), |(offset, _)| offset);
        text.find(&signal.subject[..end]).filter(|_| end > 0)
    };
    let start = [usize::MAX, 40, 20, 10].into_iter().find_map(find)?;
    places.iter().rev().find(|(offset, _)| *offset <= start).map(|(_, anchor)| anchor.clone())
}

/// Words of prompts that only tell the agent to continue.
const CONTINUE_WORDS: [&str; 34] = [
    "yes", "yep", "yeah", "y", "ok", "okay", "sure", "continue", "go", "going", "keep", "on", "ahead", "proceed",
    "next", "please", "do", "it", "that", "so", "thanks", "and", "then", "now", "try", "again", "retry", "继续", "好",
    "好的", "可以", "是", "是的", "对",
];

/// Returns the last prompt that is more than a word to continue, else the last one.
fn question(prompts: &[String]) -> Option<&String> {
    let is_question = |prompt: &&String| {
        let text = prompt.to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        // a number is a choice from a menu
        words.any(|word| !CONTINUE_WORDS.contains(&word) && !word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    prompts.iter().rev().find(is_question).or(prompts.last())
}

/// Returns whether a call names a file of a skill.
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
