//! Bytes → text, whatever encoding they are in and whatever they say they are in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far into a page its own word on its encoding is looked for, as browsers do.
const PRESCAN: usize = 1024;

/// The text of a body; `declared` is the `charset` of its media type, and only `is_markup` may say its encoding itself.
///
/// A mark at the beginning decides; else what is UTF-8 is UTF-8, since text in another encoding is that only by an accident
/// of a few letters; else what the server or the page says, if it fits; else the encoding that the letters are most likely
/// in. A text fits with a few letters that can't be read, too.
pub fn decoded(bytes: &[u8], declared: Option<&str>, is_markup: bool) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let named = |label: &str| Encoding::for_label(label.trim().as_bytes());
    let own = || in_page(bytes).as_deref().and_then(named).filter(|_| is_markup);
    // What can be read to find that it is UTF-16 isn't.
    let own = || own().map(|own| if is_wide(own) { UTF_8 } else { own });
    // Servers say Latin 1 of whatever they don't know.
    let header = declared.and_then(named);
    let stated = header.filter(|of| *of != WINDOWS_1252).or_else(own).or(header);
    // Encodings that are valid UTF-8, and other letters: by escapes, or with every second byte a zero.
    let is_other = stated.is_some_and(|stated| match stated == ISO_2022_JP {
        true => bytes.contains(&0x1b),
        false => is_wide(stated) && bytes.contains(&0),
    });
    let utf8 = || nearly(UTF_8, bytes, if stated == Some(UTF_8) { 1 } else { 4 }).filter(|_| !is_other);
    let as_stated = || nearly(stated.filter(|of| *of != WINDOWS_1252)?, bytes, 20);
    utf8().or_else(as_stated).unwrap_or_else(|| {
        let guess = likely(bytes);
        let is_said = stated == Some(WINDOWS_1252) && WESTERN.contains(&guess.name());
        if is_said { WINDOWS_1252 } else { guess }.decode_without_bom_handling(bytes).0.into_owned()
    })
}

/// Encodings that differ from Latin 1 in a few letters: it is no guess where that is said.
const WESTERN: [&str; 7] =
    ["windows-1250", "windows-1254", "windows-1257", "windows-1258", "ISO-8859-2", "ISO-8859-4", "ISO-8859-13"];

/// The text, if at least `share` times as many letters beyond ASCII can be read as can't.
fn nearly(encoding: &'static Encoding, bytes: &[u8], share: usize) -> Option<String> {
    let (text, is_broken) = encoding.decode_without_bom_handling(bytes);
    let letters = || text.chars().filter(|of| !of.is_ascii());
    let lost = if is_broken { letters().filter(|of| *of == char::REPLACEMENT_CHARACTER).count() } else { 0 };
    (lost == 0 || letters().count() - lost >= lost.saturating_mul(share)).then(|| text.into_owned())
}

/// Whether a `charset` is one whose texts have zeros in them.
pub(crate) fn has_zeros(label: &str) -> bool {
    Encoding::for_label(label.trim().as_bytes()).is_some_and(is_wide)
}

fn is_wide(encoding: &Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// `charset=…` in the first lines of a page or `encoding="…"` of XML.
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
    let found = detector.guess(None, Utf8Detection::Allow);
    if found == UTF_8 { WINDOWS_1252 } else { found }
}
