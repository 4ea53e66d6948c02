//! Messages whose arguments may have marks of their own: the catalogues put names between backticks, and a name may have one.

use eval_message::{Arg, Lang, Message};

/// The first of the characters of private use, which stand for arguments while a message is put together.
const FIRST_MARK: u32 = 0xe000;

/// A message's text with `tick` for the catalogue's own backticks; `quote` writes each argument, which is told whether it is
/// between two of them. An argument that is a bare word may choose a text, and can do no harm.
pub(crate) fn quoted(of: &Message, lang: Lang, tick: &str, quote: impl Fn(&str, bool) -> String) -> String {
    let (mut marked, mut texts) = (of.clone(), Vec::new());
    for value in marked.args.values_mut() {
        let Arg::Text(text) = value else { continue };
        let mark = u32::try_from(texts.len()).ok().and_then(|at| char::from_u32(FIRST_MARK + at));
        if let Some(mark) = mark.filter(|_| !is_word(text)) {
            texts.push(std::mem::replace(text, mark.to_string()));
        }
    }
    let argument = |c: char| u32::from(c).checked_sub(FIRST_MARK).and_then(|at| texts.get(usize::try_from(at).ok()?));
    let (mut out, mut is_code) = (String::new(), false);
    for c in marked.text(lang).chars() {
        match argument(c) {
            Some(text) => out.push_str(&quote(text, is_code)),
            None if c == '`' => {
                is_code = !is_code;
                out.push_str(tick);
            }
            None => out.push(c),
        }
    }
    out
}

/// A message without the catalogue's backticks; those in a name stay.
pub(crate) fn unmarked(of: &Message, lang: Lang) -> String {
    quoted(of, lang, "", |text, _| text.to_owned())
}

/// A text between backticks: one in it becomes what looks alike, so that it doesn't end there.
pub(crate) fn in_ticks(text: &str) -> String {
    text.replace('`', "ˋ")
}

fn is_word(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}
