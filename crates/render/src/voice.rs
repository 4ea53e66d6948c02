//! Texts as layouts write them: each escapes what others wrote, and no name ends the code that it stands in.

use eval_message::{Arg, Lang, Message};

/// The first of the characters of private use, which stand for arguments while a message is put together.
const FIRST_MARK: u32 = 0xe000;

/// Language and escapes of a layout.
#[derive(Clone, Copy)]
pub(crate) struct Voice {
    pub(crate) lang: Lang,
    /// Mark of code in the catalogue's own texts.
    pub(crate) tick: &'static str,
    /// Escapes untrusted text within a line.
    pub(crate) quote: fn(&str) -> String,
    /// Escapes an untrusted name outside of code.
    pub(crate) name: fn(&str) -> String,
    /// Escapes untrusted text within code.
    pub(crate) code: fn(&str) -> String,
}

impl Voice {
    /// Returns the voice of pages: they mark no code, and their templates escape.
    pub(crate) fn plain(lang: Lang) -> Voice {
        Voice { lang, tick: "", quote: str::to_owned, name: str::to_owned, code: str::to_owned }
    }

    /// Formats a text and escapes what others wrote of it.
    pub(crate) fn say(self, text: &Arg) -> String {
        match text {
            Arg::Number(number) => number.to_string(),
            Arg::Text(text) => (self.quote)(text),
            Arg::Name(name) => (self.name)(name),
            Arg::Message(message) => self.text(message),
            Arg::List(separator, parts) => {
                parts.iter().map(|part| self.say(part)).collect::<Vec<_>>().join(separator.text(self.lang))
            }
        }
    }

    /// Formats a message and escapes its arguments. One that is a bare word may choose a text, and can do no harm; one
    /// between the catalogue's backticks is code. A message of a newer program shows its key.
    pub(crate) fn text(self, message: &Message) -> String {
        let (mut marked, mut parts) = (message.clone(), Vec::new());
        for value in marked.args.values_mut() {
            let is_shown = match value {
                Arg::Number(_) => true,
                Arg::Text(text) => is_word(text),
                Arg::Name(_) | Arg::Message(_) | Arg::List(..) => false,
            };
            let mark = u32::try_from(parts.len()).ok().and_then(|place| char::from_u32(FIRST_MARK + place));
            if let Some(mark) = mark.filter(|_| !is_shown) {
                parts.push(std::mem::replace(value, Arg::Text(mark.to_string())));
            }
        }
        let text = marked.text(self.lang);
        if text == marked.id {
            return (self.quote)(&text);
        }
        let part = |c: char| u32::from(c).checked_sub(FIRST_MARK).and_then(|at| parts.get(usize::try_from(at).ok()?));
        let (mut out, mut is_code) = (String::new(), false);
        for c in text.chars() {
            match part(c) {
                Some(part) if is_code => out.push_str(&(self.code)(&part.text(self.lang))),
                Some(part) => out.push_str(&self.say(part)),
                None if c == '`' => {
                    is_code = !is_code;
                    out.push_str(self.tick);
                }
                None => out.push(c),
            }
        }
        out
    }
}

/// Formats a message without the catalogue's backticks; those in a name stay.
pub(crate) fn unmarked(message: &Message, lang: Lang) -> String {
    Voice::plain(lang).text(message)
}

/// Replaces backticks in a text between backticks by what looks alike, so that it doesn't end there.
pub(crate) fn in_ticks(text: &str) -> String {
    text.replace('`', "ˋ")
}

fn is_word(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}
