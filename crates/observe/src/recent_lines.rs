//! Finds the lines of messages and calls among those read since the last event: in logs and documents, a message's event
//! comes long after its text.

use eval_spec::call::ToolCall;
use eval_trace::sessions::{MessagePiece, SessionEvent};
use serde_json::Value;

/// Bytes of lines to keep; beyond that all lines so far are dropped.
const MAX_BYTES: usize = 64 << 20;
/// Limit on failed searches for lines; a format that writes texts differently then costs no more time.
const MAX_MISSES: usize = 1000;

/// Least length of an argument that identifies a call, in bytes.
const MIN_ARGUMENT: usize = 3;

#[derive(Debug, Default)]
pub(crate) struct RecentLines {
    lines: Vec<(u64, String)>,
    size: usize,
    misses: usize,
}

impl RecentLines {
    pub(crate) fn add(&mut self, number: u64, line: &str) {
        if self.size > MAX_BYTES {
            self.clear();
        }
        self.size += line.len();
        self.lines.push((number, line.trim_end().to_owned()));
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.size = 0;
    }

    /// Sets the lines of the message pieces in `events`, and drops all lines but the last. Returns the line of each event, or
    /// `None` if it is the last line or wasn't found.
    pub(crate) fn place(&mut self, events: &mut [SessionEvent]) -> Vec<Option<u64>> {
        let has_line = |event: &SessionEvent| matches!(event, SessionEvent::Message(_) | SessionEvent::Call { .. });
        // the header of a document: its lines are needed for the messages after it
        if !events.iter().any(has_line) {
            return Vec::new();
        }
        let (mut from, mut call_from) = (0, 0);
        let mut lines = Vec::new();
        for event in events {
            lines.push(match event {
                SessionEvent::Message(piece) => {
                    from = self.place_piece(piece, from);
                    piece.lines.first().copied()
                }
                SessionEvent::Call { call, .. } => self.call_line(call, from, &mut call_from),
                _ => None,
            });
        }
        // the last line may be the first one of the next event
        let last = self.lines.pop();
        self.clear();
        if let Some((number, line)) = last {
            self.add(number, &line);
        }
        lines
    }

    /// Finds the line with the id of a call, or the next one with its longest argument; `None` for the last line.
    fn call_line(&mut self, call: &ToolCall, from: usize, call_from: &mut usize) -> Option<u64> {
        let is_in_last = self.lines.last().is_some_and(|(_, last)| last.contains(&call.id));
        if self.lines.len() < 2 || is_in_last || self.misses >= MAX_MISSES {
            return None;
        }
        if let Some((number, _)) = self.lines.iter().find(|(_, raw)| raw.contains(&call.id)) {
            return Some(*number);
        }
        let arguments = call.input.as_object().into_iter().flat_map(|all| all.values()).filter_map(Value::as_str);
        let text = arguments.filter_map(|text| text.lines().next()).max_by_key(|text| text.len())?;
        let quoted = serde_json::to_string(text).unwrap_or_default();
        let has_argument = |raw: &str| raw.contains(text) || raw.contains(quoted.trim_matches('"'));
        let start = (*call_from).max(from);
        let is_match = |(_, line): &(u64, String)| text.len() >= MIN_ARGUMENT && has_argument(line);
        let index = self.lines[start..].iter().position(is_match).map(|offset| start + offset);
        self.misses += usize::from(index.is_none());
        *call_from = index.map_or(*call_from, |index| index + 1);
        index.map(|index| self.lines[index].0)
    }

    /// Sets the lines of a piece, searching from index `from`; returns the index for the next piece.
    fn place_piece(&mut self, piece: &mut MessagePiece, mut from: usize) -> usize {
        let is_in_last = |line: &str| self.lines.last().is_some_and(|(_, last)| contains_line(last, line));
        let first = piece.text.lines().map(str::trim_end).find(|line| !line.is_empty());
        if self.lines.len() < 2 || first.is_none_or(is_in_last) {
            return from;
        }
        let mut last_found = None;
        for line in piece.text.lines().map(str::trim_end) {
            let index = match line.is_empty() || self.misses >= MAX_MISSES {
                true => None,
                false => {
                    self.lines[from..].iter().position(|(_, raw)| contains_line(raw, line)).map(|offset| from + offset)
                }
            };
            self.misses += usize::from(index.is_none() && !line.is_empty());
            if let Some(index) = index {
                // a record may contain several lines of a text, a line of a log only one
                from = index + usize::from(self.lines[index].1 == line);
                last_found = Some(self.lines[index].0);
            }
            piece.lines.push(last_found.unwrap_or(0));
        }
        // lines before the first match get its number
        if let Some(first) = piece.lines.iter().copied().find(|line| *line > 0) {
            piece.lines.iter_mut().filter(|line| **line == 0).for_each(|line| *line = first);
        } else {
            piece.lines.clear();
        }
        from
    }
}

/// Returns whether a line of a file is a line of a text, or a JSON record with it.
fn contains_line(raw: &str, line: &str) -> bool {
    if raw == line || raw.trim() == line.trim() {
        return true;
    }
    let quoted = serde_json::to_string(line).unwrap_or_default();
    let inner = quoted.trim_start_matches('"').trim_end_matches('"');
    raw.contains('"') && inner.len() > 3 && raw.contains(inner)
}
