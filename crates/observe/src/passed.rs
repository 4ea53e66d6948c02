//! Lines that were read since the last event: in logs and documents, a message ends long after its text.

use eval_trace::sessions::{MessagePiece, SessionEvent};

/// How much is kept, in bytes; of more, the first lines are dropped.
const MOST: usize = 64 << 20;
/// How many lines of texts may be looked for in vain: a format that writes texts in another way costs no more.
const MISSES: usize = 1000;

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

    /// Tells the pieces among `events` where each line of their texts stands, and drops what is behind them.
    pub(crate) fn place(&mut self, events: &mut [SessionEvent]) {
        if events.is_empty() {
            return;
        }
        let mut from = 0;
        for event in events {
            if let SessionEvent::Message(piece) = event {
                from = self.of_piece(piece, from);
            }
        }
        // The last line may begin what comes next.
        let last = self.lines.pop();
        self.clear();
        if let Some((number, line)) = last {
            self.add(number, &line);
        }
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
