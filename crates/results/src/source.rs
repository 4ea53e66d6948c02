//! Reads files of results within size limits.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::files::LARGEST_ROWS;
use eval_spec::halves::read_mended;
use eval_spec::hash::Sha256;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, SeqAccess, Visitor};

use crate::error::ResultsError;
use crate::row::{ForeignRow, RowEnd};

/// Limit on the length of a line, in bytes.
pub(crate) const MAX_LINE: u64 = 64 << 20;
/// Limit on the results of one file.
const MAX_ROWS: usize = 1_000_000;
/// Length at which a text of a result is cut, in bytes.
const MAX_TEXT: usize = 32 << 10;
/// Bytes of text in one file after which answers and reasons are dropped.
const MAX_FILE_TEXT: usize = 256 << 20;
/// Bytes at the beginning of a file by which its format is recognised.
const HEAD: u64 = 64 << 10;

/// A file of results.
pub(crate) struct ResultSource {
    pub(crate) path: PathBuf,
    /// Name for messages.
    pub(crate) shown: String,
    /// First bytes, at most [`HEAD`].
    pub(crate) head: Vec<u8>,
}

impl ResultSource {
    pub(crate) fn open(path: &Path, shown: String) -> Result<ResultSource, ResultsError> {
        let failed = |error: &std::io::Error| {
            ResultsError::new(msg!("results-cannot-read", file = &shown, why = error.to_string()))
        };
        let metadata = std::fs::metadata(path).map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(
                ResultsError::new(msg!("results-directory", file = &shown)).help(msg!("results-directory-help"))
            );
        }
        // a pipe can't be read twice and may never end
        if !metadata.is_file() {
            return Err(ResultsError::new(msg!("results-no-file", file = &shown)).help(msg!("results-no-file-help")));
        }
        if metadata.len() > LARGEST_ROWS {
            return Err(ResultsError::new(msg!(
                "results-too-large",
                file = &shown,
                megabytes = metadata.len() >> 20,
                most = LARGEST_ROWS >> 20
            ))
            .help(msg!("results-too-large-help")));
        }
        let mut head = Vec::new();
        let file = File::open(path).map_err(|error| failed(&error))?;
        file.take(HEAD).read_to_end(&mut head).map_err(|error| failed(&error))?;
        Ok(ResultSource { path: path.to_owned(), shown, head })
    }

    /// Opens the file from its beginning, limited to [`LARGEST_ROWS`] in case it grows.
    pub(crate) fn reader(&self) -> Result<impl BufRead + use<>, ResultsError> {
        let file = File::open(&self.path).map_err(|error| self.io(&error))?;
        Ok(BufReader::with_capacity(1 << 16, file.take(LARGEST_ROWS)))
    }

    pub(crate) fn io(&self, error: &std::io::Error) -> ResultsError {
        ResultsError::new(msg!("results-cannot-read", file = &self.shown, why = error.to_string()))
    }

    /// Returns the SHA-256 of the file, 64 hex digits.
    pub(crate) fn sha256(&self) -> Result<String, ResultsError> {
        let mut reader = self.reader()?;
        let mut hash = Sha256::default();
        loop {
            let bytes = reader.fill_buf().map_err(|error| self.io(&error))?;
            if bytes.is_empty() {
                return Ok(hash.hex());
            }
            hash.update(bytes);
            let read = bytes.len();
            reader.consume(read);
        }
    }

    /// Returns the beginning as text, for detection.
    pub(crate) fn head_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head))
    }

    /// Returns whether the file begins like a JSON object and has all keys in its first bytes.
    pub(crate) fn is_object_with(&self, keys: &[&str]) -> bool {
        has_keys(self.head_text().trim_start(), keys)
    }

    /// Returns whether the first line is like a JSON object with all keys.
    pub(crate) fn has_lines_with(&self, keys: &[&str]) -> bool {
        has_keys(self.head_text().lines().next().unwrap_or_default(), keys)
    }

    /// Returns the extension of the file's name in lower case.
    pub(crate) fn extension(&self) -> String {
        self.path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
    }

    /// Calls `each` with every line that isn't blank, and its number from 1.
    pub(crate) fn lines(
        &self,
        mut each: impl FnMut(u64, &str) -> Result<(), ResultsError>,
    ) -> Result<(), ResultsError> {
        let mut reader = self.reader()?;
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|error| self.io(&error))?;
            if read == 0 {
                break;
            }
            let place = format!("{}:{number}", self.shown);
            if read as u64 == MAX_LINE {
                return Err(ResultsError::new(msg!("results-long-line", place = place, most = MAX_LINE >> 20)));
            }
            let bytes = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
            let text = std::str::from_utf8(bytes).map_err(|_| not_utf8(place))?;
            if !text.trim().is_empty() {
                each(number, text)?;
            }
        }
        Ok(())
    }

    /// Reads the whole file.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, ResultsError> {
        let mut bytes = Vec::new();
        self.reader()?.read_to_end(&mut bytes).map_err(|error| self.io(&error))?;
        Ok(bytes)
    }

    /// Reads the whole file as one JSON document.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, ResultsError> {
        let bytes = self.bytes()?;
        parsed_document(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes), &self.shown)
    }
}

fn has_keys(text: &str, keys: &[&str]) -> bool {
    text.starts_with('{') && keys.iter().all(|key| text.contains(&format!("\"{key}\"")))
}

/// Reads JSON of one line ([`read_json`]); `place` is the place of the line.
pub(crate) fn parsed<T: DeserializeOwned>(bytes: &[u8], place: impl FnOnce() -> String) -> Result<T, ResultsError> {
    read_json(bytes).map_err(|error| bad_json(place(), &error))
}

/// Reads JSON of several lines ([`read_json`]); errors name line and column.
pub(crate) fn parsed_document<T: DeserializeOwned>(bytes: &[u8], place: &str) -> Result<T, ResultsError> {
    read_json(bytes).map_err(|error| bad_json(format!("{place}:{}:{}", error.line(), error.column()), &error))
}

/// Reads JSON as other tools write it, with the repairs of [`readable`] and [`read_mended`].
pub(crate) fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    let readable = readable(bytes);
    match std::str::from_utf8(&readable) {
        Ok(text) => read_mended(text),
        Err(_) => serde_json::from_slice(&readable),
    }
}

/// Replaces `NaN` and infinities, which Python writes, by `null`, and puts integers of more than 64 bits in quotes, so that
/// long ids keep their last digits. Strings stay as they are.
fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    const NUMBERS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];
    let (mut clean, mut copied): (Vec<u8>, usize) = (Vec::new(), 0);
    let (mut index, mut in_string) = (0, false);
    while index < bytes.len() {
        match (bytes[index], in_string) {
            (b'\\', true) => index += 1,
            (b'"', _) => in_string = !in_string,
            (b'N' | b'-' | b'I' | b'0'..=b'9', false) => {
                let keyword = NUMBERS.iter().find(|number| bytes[index..].starts_with(number));
                let number = bytes[index..].iter().take_while(|byte| is_of_number(**byte)).count();
                let digits = &bytes[index..index + number];
                let end = index + keyword.map_or(number.max(1), |keyword| keyword.len());
                if keyword.is_some() || is_too_long(digits) {
                    clean.extend_from_slice(&bytes[copied..index]);
                    match keyword {
                        Some(_) => clean.extend_from_slice(b"null"),
                        None => clean.extend([b"\"", digits, b"\""].concat()),
                    }
                    copied = end;
                }
                index = end;
                continue;
            }
            _ => {}
        }
        index += 1;
    }
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    clean.extend_from_slice(&bytes[copied..]);
    Cow::Owned(clean)
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// Returns whether `written` is an integer that doesn't fit in 64 bits.
fn is_too_long(written: &[u8]) -> bool {
    let text = std::str::from_utf8(written).unwrap_or_default();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.len() >= 19 && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole && text.parse::<i64>().is_err() && text.parse::<u64>().is_err()
}

pub(crate) fn not_utf8(place: String) -> ResultsError {
    ResultsError::new(msg!("results-not-utf8", place = place)).help(msg!("results-not-utf8-help"))
}

fn bad_json(place: String, error: &serde_json::Error) -> ResultsError {
    let text = error.to_string();
    // `place` already has the line
    let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why);
    ResultsError::new(msg!("results-bad-json", place = place, why = why)).help(msg!("results-bad-json-help"))
}

/// A list in a JSON document with at most [`MAX_ROWS`] entries.
pub(crate) struct BoundedList<T>(pub(crate) Vec<T>);

impl<T> Default for BoundedList<T> {
    fn default() -> BoundedList<T> {
        BoundedList(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BoundedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoundedList<T>, D::Error> {
        struct ListVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
            type Value = BoundedList<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "a list of at most {MAX_ROWS} entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<BoundedList<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = entries.next_element()? {
                    if list.len() >= MAX_ROWS {
                        return Err(serde::de::Error::invalid_length(list.len() + 1, &self));
                    }
                    list.push(entry);
                }
                Ok(BoundedList(list))
            }
        }
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

/// Collects the results of a file within the limits on rows and text.
pub(crate) struct RowSink {
    shown: String,
    rows: Vec<ForeignRow>,
    text_left: usize,
}

impl RowSink {
    pub(crate) fn new(source: &ResultSource) -> RowSink {
        RowSink::named(&source.shown)
    }

    /// Makes a sink for a source with this name in messages.
    pub(crate) fn named(shown: &str) -> RowSink {
        RowSink { shown: shown.to_owned(), rows: Vec::new(), text_left: MAX_FILE_TEXT }
    }

    pub(crate) fn push(&mut self, mut row: ForeignRow) -> Result<(), ResultsError> {
        if self.rows.len() >= MAX_ROWS {
            return Err(ResultsError::new(msg!("results-too-many", file = &self.shown, most = MAX_ROWS))
                .help(msg!("results-too-large-help")));
        }
        for text in [&mut row.answer, &mut row.reason, &mut row.missing_reason].into_iter().flatten() {
            cut(text, MAX_TEXT);
        }
        if let RowEnd::Failed(why) | RowEnd::Ungraded(why) = &mut row.end {
            cut(why, MAX_TEXT);
        }
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let taken = length(&row.answer) + length(&row.reason) + row.input.as_ref().map_or(0, |text| text.len());
        match self.text_left.checked_sub(taken) {
            Some(left) => self.text_left = left,
            None => (row.answer, row.reason) = (None, None),
        }
        self.rows.push(row);
        Ok(())
    }

    pub(crate) fn rows(self) -> Vec<ForeignRow> {
        self.rows
    }
}

fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
        text.push('…');
    }
}
