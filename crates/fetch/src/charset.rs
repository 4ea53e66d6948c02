//! Bytes → text, in any encoding, declared or not.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Length of the head of a page in which its encoding is looked for, in bytes; the same as in browsers.
const PRESCAN: usize = 1024;

/// Decodes a body. `declared` is the `charset` of its media type; a body may declare its own encoding only if
/// `is_markup`.
///
/// A byte order mark decides. Otherwise valid UTF-8 is UTF-8, since other encodings look like it only in very short
/// texts; then the declared encoding is tried, then a guess from the letters. A few unreadable letters are tolerated.
pub fn decoded(bytes: &[u8], declared: Option<&str>, is_markup: bool) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let named = |label: &str| Encoding::for_label(label.trim().as_bytes());
    let in_page = || in_page(bytes).as_deref().and_then(named).filter(|_| is_markup);
    // A declaration that can be read as ASCII is not in UTF-16.
    let in_page = || in_page().map(|encoding| if is_wide(encoding) { UTF_8 } else { encoding });
    // Servers declare Latin 1 when they don't know the encoding.
    let header = declared.and_then(named);
    let declared = header.filter(|encoding| *encoding != WINDOWS_1252).or_else(in_page).or(header);
    // Two encodings can pass as UTF-8 although they aren't: ISO-2022-JP has escapes, UTF-16 has zero bytes.
    let is_other = declared.is_some_and(|encoding| match encoding == ISO_2022_JP {
        true => bytes.contains(&0x1b),
        false => is_wide(encoding) && bytes.contains(&0),
    });
    let utf8 = || nearly(UTF_8, bytes, if declared == Some(UTF_8) { 1 } else { 4 }).filter(|_| !is_other);
    let as_declared = || nearly(declared.filter(|encoding| *encoding != WINDOWS_1252)?, bytes, 20);
    utf8().or_else(as_declared).unwrap_or_else(|| {
        let guess = likely(bytes);
        let is_latin1 = declared == Some(WINDOWS_1252) && WESTERN.contains(&guess.name());
        if is_latin1 { WINDOWS_1252 } else { guess }.decode_without_bom_handling(bytes).0.into_owned()
    })
}

/// Encodings that differ from Latin 1 in a few letters: where Latin 1 is declared, a guess of these is overruled.
const WESTERN: [&str; 7] =
    ["windows-1250", "windows-1254", "windows-1257", "windows-1258", "ISO-8859-2", "ISO-8859-4", "ISO-8859-13"];

/// Decodes the bytes; `None` unless readable letters outside ASCII are at least `share` times as many as unreadable
/// ones.
fn nearly(encoding: &'static Encoding, bytes: &[u8], share: usize) -> Option<String> {
    let (text, is_broken) = encoding.decode_without_bom_handling(bytes);
    let letters = || text.chars().filter(|c| !c.is_ascii());
    let lost = if is_broken { letters().filter(|letter| *letter == char::REPLACEMENT_CHARACTER).count() } else { 0 };
    (lost == 0 || letters().count() - lost >= lost.saturating_mul(share)).then(|| text.into_owned())
}

pub(crate) fn has_zeros(label: &str) -> bool {
    Encoding::for_label(label.trim().as_bytes()).is_some_and(is_wide)
}

fn is_wide(encoding: &Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// Finds `charset=…` in the first lines of a page, or `encoding="…"` in XML.
fn in_page(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN)]).to_ascii_lowercase();
    let after = ["charset=", "encoding="].iter().find_map(|key| head.split_once(key))?.1;
    let label = after.trim_start_matches(['"', '\'']);
    let end = label.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c))).unwrap_or(label.len());
    Some(label[..end].to_owned())
}

fn likely(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    if guess == UTF_8 { WINDOWS_1252 } else { guess }
}
