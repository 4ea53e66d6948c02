//! Conversations in plain Markdown, as people and agents keep them: headings or labels say who speaks (`## User`,
//! `**Assistant:**`, `Human:`, `用户：`), and calls of tools have labels, too (`**Tool call: Grep**`, `### Tool: Bash`).
//!
//! - the first label says which kind of labels the file has: others are words of the speaker;
//! - a log has no ids, and no status of a call but what its words tell;
//! - what follows a result is a new message.

use jiff::Timestamp;

use super::super::documents::trimmed;
use super::super::{LineKind, MessagePiece, SessionEvent, SessionFormat, SessionReader};
use super::shown::{ShownCall, result_label};
use super::{OpenFence, add, after, own, stamp};

/// The row of [`SESSION_FORMATS`](super::super::SESSION_FORMATS).
pub(in super::super) const FORMAT: SessionFormat = SessionFormat {
    name: "markdown",
    source: "Conversations in Markdown with headings or labels of the speakers",
    extensions: &[".md", ".markdown"],
    is_one: |head| {
        let (mut open, mut first, mut roles) = (None, None, Vec::new());
        for line in head.lines() {
            let is_outside = open.is_none();
            open = after(open, line);
            let Some(label) = label(line).filter(|_| is_outside) else { continue };
            let style = first.get_or_insert(label.style);
            roles.extend((*style == label.style).then_some(label.speaker));
        }
        let has = |speaker| roles.contains(&speaker);
        has(Speaker::User) && has(Speaker::Assistant)
    },
    reader: || Box::new(MarkdownLog::default()),
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Speaker {
    User,
    Assistant,
    /// The system, or nobody yet.
    #[default]
    Other,
}

/// Who says what comes next.
struct Label<'l> {
    style: LabelStyle,
    speaker: Speaker,
    at: Option<Timestamp>,
    /// What stands on the same line.
    rest: &'l str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelStyle {
    Heading(usize),
    Bold,
    Plain,
}

const USERS: [&str; 6] = ["user", "human", "you", "用户", "人类", "提问者"];
const ASSISTANTS: [&str; 17] = [
    "assistant",
    "ai",
    "ai assistant",
    "agent",
    "claude",
    "claude code",
    "chatgpt",
    "gpt",
    "gemini",
    "gemini cli",
    "codex",
    "copilot",
    "cursor",
    "llm",
    "助手",
    "模型",
    "智能体",
];
const OTHERS: [&str; 4] = ["system", "developer", "系统", "note"];

fn label(line: &str) -> Option<Label<'_>> {
    let (style, name, rest) = parts(line)?;
    let name = name.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = name.find(['(', '[', '—', '·', '|', '（']).or(name.find(" - ")).unwrap_or(name.len());
    let (name, about) = name.split_at(end);
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '*' | '_')).to_lowercase();
    let speaker = match name.as_str() {
        name if USERS.contains(&name) => Speaker::User,
        name if ASSISTANTS.contains(&name) => Speaker::Assistant,
        name if OTHERS.contains(&name) => Speaker::Other,
        _ => return None,
    };
    let is_about = |rest: &str| rest.starts_with(['(', '[', '—', '（']);
    let (about, rest) = if is_about(rest) { (rest, "") } else { (about, rest) };
    Some(Label { style, speaker, at: stamp(about), rest })
}

/// The style of a label, its name, and what stands after it.
fn parts(line: &str) -> Option<(LabelStyle, &str, &str)> {
    let body = line.trim_start_matches('#');
    let level = line.len() - body.len();
    if (1..=6).contains(&level) && body.starts_with(' ') {
        return Some((LabelStyle::Heading(level), body, ""));
    }
    if let Some((name, rest)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        let is_label = name.trim_end().ends_with([':', '：']) || rest.starts_with([':', '：']);
        let rest = rest.trim_start_matches([':', '：']).trim();
        let is_alone = rest.is_empty() || rest.starts_with(['(', '[', '—', '（']);
        return (is_label || is_alone).then_some((LabelStyle::Bold, name, rest));
    }
    let (name, rest) =
        line.split_once(':').into_iter().chain(line.split_once('：')).min_by_key(|(name, _)| name.len())?;
    let is_short = name.chars().count() <= 16 && !line.starts_with(char::is_whitespace);
    is_short.then_some((LabelStyle::Plain, name, rest.trim()))
}

/// How a tool is announced, the longer ones first.
const CALLS: [&str; 9] =
    ["tool call", "tool use", "tool used", "calling tool", "function call", "tool", "工具调用", "调用工具", "工具"];

/// The name and the arguments of a call: `**Tool call: Grep**`, `### Tool: Bash`, `[Tool: Read]`, `⏺ Bash(ls)`.
fn call(line: &str) -> Option<ShownCall> {
    if let Some(rest) = line.strip_prefix("⏺ ").or(line.strip_prefix("● ")) {
        let (name, arguments) = rest.trim_end().strip_suffix(')')?.split_once('(')?;
        let is_name = !name.is_empty() && name.chars().all(is_of_name);
        return is_name.then(|| ShownCall::new(name, arguments));
    }
    let is_marked = line.starts_with(['#', '*', '[']);
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let begin =
        CALLS.iter().find(|begin| bare.get(..begin.len()).is_some_and(|text| text.eq_ignore_ascii_case(begin)))?;
    let rest = bare[begin.len()..].trim_start_matches('*').trim_start();
    let rest = rest.strip_prefix([':', '：', '-', '('])?.trim_start_matches(['*', ' ', '`']);
    let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let arguments = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | ':' | ']' | '`' | '：'));
    let arguments = arguments.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(arguments);
    let is_call = !name.is_empty() && (is_marked || arguments.is_empty() || arguments.starts_with('{'));
    is_call.then(|| ShownCall::new(name, arguments))
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')
}

#[derive(Debug, Default)]
struct MarkdownLog {
    style: Option<LabelStyle>,
    open: Option<OpenFence>,
    speaker: Speaker,
    at: Option<Timestamp>,
    text: String,
    thinking: String,
    is_thinking: bool,
    /// The number of the model's message.
    turn: u32,
    /// Whether that message was given.
    is_given: bool,
    call: Option<ShownCall>,
    calls: u32,
}

impl SessionReader for MarkdownLog {
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind {
        let line = line.trim_matches(|c| matches!(c, '\0' | '\u{feff}' | '\r' | '\n'));
        let is_code = self.open.is_some() || self.call.as_ref().is_some_and(ShownCall::is_fenced);
        let said = label(line).filter(|label| !is_code && self.style.is_none_or(|style| style == label.style));
        match said {
            Some(label) => {
                self.end_of_block(events);
                self.begin(&label);
            }
            None => self.content(line, is_code, events),
        }
        LineKind::Known
    }

    fn end(&mut self, events: &mut Vec<SessionEvent>) -> LineKind {
        self.end_of_block(events);
        LineKind::Known
    }
}

impl MarkdownLog {
    fn begin(&mut self, label: &Label<'_>) {
        self.style = self.style.or(Some(label.style));
        (self.speaker, self.at) = (label.speaker, label.at);
        if self.speaker == Speaker::Assistant {
            (self.turn, self.is_given) = (self.turn.saturating_add(1), false);
        }
        if !label.rest.is_empty() {
            add(&mut self.text, label.rest);
        }
    }

    fn content(&mut self, line: &str, is_code: bool, events: &mut Vec<SessionEvent>) {
        let may_call = !is_code && self.speaker != Speaker::Other;
        if let Some(call) = call(line).filter(|_| may_call) {
            return self.begin_call(call, events);
        }
        if let Some(call) = self.call.as_mut() {
            let shown = line.trim_start().strip_prefix('⎿');
            let is_of_call = call.is_fenced() || super::fence(line).is_some() || result_label(line).is_some();
            match shown {
                Some(shown) => return call.result_line(shown.trim_start(), None),
                None if line.starts_with("     ") && call.has_result() && !is_code => {
                    return call.result_line(line.trim_start(), None);
                }
                None if is_of_call || !call.has_result() || line.trim().is_empty() => return call.line(line, None),
                None => self.end_of_call(events),
            }
        }
        self.words(line);
    }

    fn begin_call(&mut self, call: ShownCall, events: &mut Vec<SessionEvent>) {
        // A log may show a call without a label of the model's before it.
        if self.speaker == Speaker::User {
            self.end_of_block(events);
            self.speaker = Speaker::Assistant;
            (self.turn, self.is_given) = (self.turn.saturating_add(1), false);
        }
        self.end_of_call(events);
        self.message(true, events);
        self.call = Some(call);
    }

    fn words(&mut self, line: &str) {
        self.open = after(self.open.take(), line);
        match trimmed(line) {
            "<thinking>" | "<think>" if self.open.is_none() => self.is_thinking = true,
            "</thinking>" | "</think>" if self.is_thinking => self.is_thinking = false,
            _ if self.is_thinking => add(&mut self.thinking, line),
            _ => add(&mut self.text, line),
        }
    }

    fn end_of_call(&mut self, events: &mut Vec<SessionEvent>) {
        let Some(call) = self.call.take() else { return };
        let has_result = call.has_result();
        self.calls = self.calls.saturating_add(1);
        events.extend(call.end(format!("call-{}", self.calls), self.at, (self.turn, None)));
        if has_result {
            (self.turn, self.is_given) = (self.turn.saturating_add(1), false);
        }
    }

    /// Gives what the model said; a message may be nothing but calls.
    fn message(&mut self, has_calls: bool, events: &mut Vec<SessionEvent>) {
        let (text, thinking) = (std::mem::take(&mut self.text), std::mem::take(&mut self.thinking));
        let text = own(&text);
        let is_empty = text.is_empty() && thinking.trim().is_empty();
        if is_empty && (self.is_given || !has_calls) {
            return;
        }
        self.is_given = true;
        events.push(SessionEvent::Message(MessagePiece {
            at: self.at,
            text: text.to_owned(),
            thinking,
            ..MessagePiece::default()
        }));
    }

    fn end_of_block(&mut self, events: &mut Vec<SessionEvent>) {
        (self.open, self.is_thinking) = (None, false);
        self.end_of_call(events);
        match self.speaker {
            Speaker::Assistant => self.message(false, events),
            Speaker::User if !own(&self.text).is_empty() => {
                let text = own(&self.text).to_owned();
                events.push(SessionEvent::Prompt { id: None, at: self.at, text });
            }
            Speaker::User | Speaker::Other => {}
        }
        self.text.clear();
        self.thinking.clear();
    }
}
