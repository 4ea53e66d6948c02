//! Lines that were read since the last event: in logs and documents, a message ends long after its text.

use eval_spec::call::ToolCall;
use eval_trace::sessions::{MessagePiece, SessionEvent};
use serde_json::Value;

/// How much is kept, in bytes; of more, the first lines are dropped.
const MOST: usize = 64 << 20;
/// How many lines of texts may be looked for in vain: a format that writes texts in another way costs no more.
const MISSES: usize = 1000;

/// How long an argument is at least by which a call is found, in bytes.
const SHORTEST: usize = 3;

/// The lines with their numbers.
#[derive(Debug, Default)]
pub(crate) struct PassedLines {
    lines: Vec<(u64, String)>,
    size: usize,
    misses: usize,
}

impl PassedLines {
    pub(crate) fn add(&mut self, number: u64, line: &str) {
        if self.size > MOST {
            self.clear();
        }
        self.size += line.len();
        self.lines.push((number, line.trim_end().to_owned()));
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.size = 0;
    }

    /// Tells the pieces among `events` where each line of their texts stands, and drops what is behind them. Returns the line of
    /// each event that stands before the last one, where that is found.
    pub(crate) fn place(&mut self, events: &mut [SessionEvent]) -> Vec<Option<u64>> {
        let is_placed = |of: &SessionEvent| matches!(of, SessionEvent::Message(_) | SessionEvent::Call { .. });
        // The header of a document comes before its messages, whose lines are the same.
        if !events.iter().any(is_placed) {
            return Vec::new();
        }
        let (mut from, mut call_from) = (0, 0);
        let mut lines = Vec::new();
        for event in events {
            lines.push(match event {
                SessionEvent::Message(piece) => {
                    from = self.of_piece(piece, from);
                    piece.lines.first().copied()
                }
                SessionEvent::Call { call, .. } => self.of_call(call, from, &mut call_from),
                _ => None,
            });
        }
        // The last line may begin what comes next.
        let last = self.lines.pop();
        self.clear();
        if let Some((number, line)) = last {
            self.add(number, &line);
        }
        lines
    }

    /// The line with the id of a call, else the next one with the longest of its arguments; `None` for the last line.
    fn of_call(&mut self, call: &ToolCall, from: usize, call_from: &mut usize) -> Option<u64> {
        let is_of_last = self.lines.last().is_some_and(|(_, last)| last.contains(&call.id));
        if self.lines.len() < 2 || is_of_last || self.misses >= MISSES {
            return None;
        }
        if let Some((number, _)) = self.lines.iter().find(|(_, passed)| passed.contains(&call.id)) {
            return Some(*number);
        }
        let arguments = call.input.as_object().into_iter().flat_map(|all| all.values()).filter_map(Value::as_str);
        let text = arguments.filter_map(|text| text.lines().next()).max_by_key(|text| text.len())?;
        let quoted = serde_json::to_string(text).unwrap_or_default();
        let has_it = |passed: &str| passed.contains(text) || passed.contains(quoted.trim_matches('"'));
        let begin = (*call_from).max(from);
        let found = self.lines[begin..].iter().position(|(_, passed)| text.len() >= SHORTEST && has_it(passed));
        self.misses += usize::from(found.is_none());
        *call_from = found.map_or(*call_from, |at| begin + at + 1);
        found.map(|at| self.lines[begin + at].0)
    }

    /// Returns where the next piece may begin.
    fn of_piece(&mut self, piece: &mut MessagePiece, mut from: usize) -> usize {
        let is_of_last = |line: &str| self.lines.last().is_some_and(|(_, last)| holds(last, line));
        let first = piece.text.lines().map(str::trim_end).find(|line| !line.is_empty());
        if self.lines.len() < 2 || first.is_none_or(is_of_last) {
            return from;
        }
        let mut known = None;
        for line in piece.text.lines().map(str::trim_end) {
            let found = match line.is_empty() || self.misses >= MISSES {
                true => None,
                false => self.lines[from..].iter().position(|(_, passed)| holds(passed, line)).map(|at| from + at),
            };
            self.misses += usize::from(found.is_none() && !line.is_empty());
            if let Some(at) = found {
                // A record holds several lines of a text, a line of a log one.
                from = at + usize::from(self.lines[at].1 == line);
                known = Some(self.lines[at].0);
            }
            piece.lines.push(known.unwrap_or(0));
        }
        // Nothing is known of lines before the first one that was found.
        if let Some(first) = piece.lines.iter().copied().find(|line| *line > 0) {
            piece.lines.iter_mut().filter(|line| **line == 0).for_each(|line| *line = first);
        } else {
            piece.lines.clear();
        }
        from
    }
}

/// Whether a line of a file is a line of a text, or a record that holds it.
fn holds(passed: &str, line: &str) -> bool {
    if passed == line || passed.trim() == line.trim() {
        return true;
    }
    let quoted = serde_json::to_string(line).unwrap_or_default();
    let inner = quoted.trim_start_matches('"').trim_end_matches('"');
    passed.contains('"') && inner.len() > 3 && passed.contains(inner)
}
