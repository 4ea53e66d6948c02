//! The plan: which cells there are and in which order they start.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Subject × sample × repeat, by name. Prints as `s001/v1/0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellKey {
    /// The sample's id.
    pub sample: Arc<str>,
    /// The subject's name.
    pub subject: Arc<str>,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl fmt::Display for CellKey {
    /// `sample/subject/repeat`; `/` and `%` inside a name are written `%2F` and `%25`, so the text
    /// reads back to the same key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", escape(&self.sample), escape(&self.subject), self.repeat)
    }
}

impl FromStr for CellKey {
    type Err = ();

    fn from_str(text: &str) -> Result<CellKey, ()> {
        let mut parts = text.split('/');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(sample), Some(subject), Some(repeat), None) => Ok(CellKey {
                sample: unescape(sample),
                subject: unescape(subject),
                repeat: repeat.parse().map_err(drop)?,
            }),
            _ => Err(()),
        }
    }
}

impl Serialize for CellKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CellKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CellKey, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format_args!("`{text}` is not `sample/subject/repeat`")))
    }
}

fn escape(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F")
}

fn unescape(name: &str) -> Arc<str> {
    if name.contains('%') { name.replace("%2F", "/").replace("%25", "%").into() } else { name.into() }
}

/// One execution that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its printable key.
    pub key: CellKey,
    /// The index of the sample in the suite.
    pub sample: usize,
    /// The index of the subject in the suite.
    pub subject: usize,
    /// SHA-256 over everything that can change its output.
    pub fingerprint: Arc<str>,
}

/// Cells in the order in which they start; nothing else decides order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The cells.
    pub cells: Vec<Cell>,
    /// SHA-256 over what the run must find unchanged to be resumed: cells, order, grading.
    pub hash: String,
}
