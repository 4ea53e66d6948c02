//! Shows a mistake that occurs in many places a few times, and counts the rest.

use eval_message::{Message, msg};
use eval_spec::Diagnostic;

/// Most diagnostics shown with the same text.
const SAME: usize = 2;
/// Most diagnostics shown of one kind, such as unknown keys.
const KIND: usize = 10;
/// Most line numbers listed for the rest.
const LINES: usize = 20;

/// Splits diagnostics into those to show, and messages about the rest.
pub(super) fn few(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, Vec<Message>) {
    let mut shown: Vec<&Diagnostic> = Vec::new();
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for diagnostic in diagnostics {
        let kind = match kinds.iter().position(|kind| kind.is_of(diagnostic)) {
            Some(index) => &mut kinds[index],
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

/// Diagnostics of one file whose texts differ in their arguments only.
struct Kind<'d> {
    first: &'d Diagnostic,
    shown: Vec<&'d Diagnostic>,
    others: Vec<&'d Diagnostic>,
}

impl Kind<'_> {
    fn is_of(&self, diagnostic: &Diagnostic) -> bool {
        let file = |diagnostic: &Diagnostic| diagnostic.place.as_ref().map(|place| place.file.name.clone());
        self.first.message.id == diagnostic.message.id
            && self.first.severity == diagnostic.severity
            && file(self.first) == file(diagnostic)
    }

    /// Returns a message about the hidden ones, with their lines; `None` if there are none.
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
