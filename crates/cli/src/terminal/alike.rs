//! One mistake in many places is shown a few times, and then counted.

use eval_message::{Message, msg};
use eval_spec::Diagnostic;

/// How often the same text is shown.
const SAME: usize = 2;
/// How often texts of one kind are shown, such as unknown keys of different names.
const KIND: usize = 10;
/// How many lines are named where no more is shown.
const LINES: usize = 20;

/// Those to show, and what says where the others are.
pub(super) fn few(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, Vec<Message>) {
    let mut shown: Vec<&Diagnostic> = Vec::new();
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for diagnostic in diagnostics {
        let found = kinds.iter_mut().find(|kind| kind.is_of(diagnostic));
        let kind = match found {
            Some(kind) => kind,
            None => {
                kinds.push(Kind { first: diagnostic, shown: Vec::new(), others: Vec::new() });
                kinds.last_mut().unwrap_or_else(|| unreachable!("one was pushed"))
            }
        };
        let same = kind.shown.iter().filter(|other| other.message == diagnostic.message).count();
        if same < SAME && kind.shown.len() < KIND {
            kind.shown.push(diagnostic);
            shown.push(diagnostic);
        } else {
            kind.others.push(diagnostic);
        }
    }
    (shown, kinds.iter().filter_map(Kind::more).collect())
}

/// Diagnostics of one text, but for its arguments, in one file.
struct Kind<'d> {
    first: &'d Diagnostic,
    shown: Vec<&'d Diagnostic>,
    others: Vec<&'d Diagnostic>,
}

impl Kind<'_> {
    fn is_of(&self, diagnostic: &Diagnostic) -> bool {
        let file = |of: &Diagnostic| of.place.as_ref().map(|place| place.file.name.clone());
        self.first.message.id == diagnostic.message.id
            && self.first.severity == diagnostic.severity
            && file(self.first) == file(diagnostic)
    }

    /// Where the others are; `None` without others. Without a place, nothing tells them apart but their text.
    fn more(&self) -> Option<Message> {
        let count = self.others.len();
        let Some(place) = &self.first.place else {
            return (count > 0).then(|| msg!("cli-more-alike-nowhere", count = count));
        };
        let line = |other: &&Diagnostic| Some(other.place.as_ref()?.line_column().0.to_string());
        let mut lines: Vec<String> = self.others.iter().take(LINES).filter_map(line).collect();
        lines.dedup();
        let lines = lines.join(", ") + if count > LINES { ", …" } else { "" };
        let file = eval_message::plain::clean(&place.file.name);
        (count > 0).then(|| msg!("cli-more-alike", count = count, file = file, lines = lines))
    }
}
