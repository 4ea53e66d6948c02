//! `feedback`: what people say about single answers, beside the report's own numbers.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use eval_spec::files::LARGEST_REPORT;
use eval_spec::gold::Settled;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::blind::{BlindFile, linked};
use super::{SCHEMA_VERSION, file};
use crate::error::ReportError;
use crate::impossible::{ImpossibleValue, time};
use crate::whole::{WriteError, write_bounded};

/// The longest name of a reader, in characters.
const LONGEST_NAME: usize = 100;

/// One person's opinion on the answers of one variant to one sample. The newest of a person counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feedback {
    /// The sample.
    pub sample_id: String,
    /// The variant, by the name that the report has for it.
    pub variant: String,
    /// 1 to 5 stars; `null` for a comment alone.
    pub rating: Option<u8>,
    /// A comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The variant that it was compared with, where the opinion is which of two answers is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub than: Option<String>,
    /// With `than`: from 2, this variant's answer is much better, over 0, they are alike, to -2, the other one's is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preference: Option<i8>,
    /// Whether it was given on a page for blind judging, before the names of the variants were revealed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// Who gave it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When, RFC 3339.
    pub at: String,
    /// Who is wrong where the rating and the judge disagree, once that is settled; absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

impl Feedback {
    /// The highest rating; the lowest is 1.
    pub const MOST_STARS: u8 = 5;
    /// The longest comment that is taken, in bytes.
    pub const LONGEST_COMMENT: usize = 10 << 10;
    /// How much better the one answer can be, and how much worse.
    const MOST_PREFERRED: i8 = 2;

    /// What of it nobody can have given, if there is any. Opinions on a blind report may be on labels that it had before its
    /// names were lost.
    pub(crate) fn impossible(&self, variants: &[String], is_blind: bool) -> Option<ImpossibleValue> {
        let is_preferred = |of: i8| (-Self::MOST_PREFERRED..=Self::MOST_PREFERRED).contains(&of);
        let odd = |field: &str, value: &dyn ToString| Some(ImpossibleValue::new(field, value.to_string()));
        let is_known = |name: &String| is_blind || variants.contains(name);
        let others = || std::iter::once(("variant", &self.variant)).chain(self.than.iter().map(|of| ("than", of)));
        match (&self.than, self.preference) {
            (Some(than), _) if *than == self.variant => odd("than", than),
            (Some(_), None) => odd("preference", &"null"),
            (None, Some(preference)) => odd("preference", &preference),
            (_, Some(preference)) if !is_preferred(preference) => odd("preference", &preference),
            _ => None,
        }
        .or_else(|| self.rating.filter(|of| !(1..=Self::MOST_STARS).contains(of)).and_then(|of| odd("rating", &of)))
        .or_else(|| others().find(|(_, name)| !is_known(name)).and_then(|(field, name)| odd(field, name)))
        .or_else(|| time("at", &self.at))
    }

    /// Whether it neither rates nor prefers.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        self.rating.is_none() && self.preference.is_none()
    }

    /// Whether it says all that another one with the same comment, of the same person on the same answer, says.
    fn says_all_of(&self, other: &Feedback) -> bool {
        other.is_comment() || (self.rating, self.preference) == (other.rating, other.preference)
    }
}

/// The name of who gives an opinion: without spaces around it, and no longer than a name is. Whoever gives none, and whoever
/// gives only spaces, is nobody known.
#[must_use]
pub fn reader_name(given: &str) -> Option<String> {
    let name = given.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.chars().take(LONGEST_NAME).collect();
    Some(name.trim_end().to_owned()).filter(|name| !name.is_empty())
}

/// The newest rating, or preference, of each person on each answer, and the newest comment that came alone, in the order in
/// which they were first given. A comment replaces no rating, and a rating no comment. What was given blind stays beside what
/// was given with the names in sight, whichever is newer. Those who gave no name count as one person.
#[must_use]
pub fn newest_feedback(all: &[Feedback]) -> Vec<&Feedback> {
    let mut newest: Vec<&Feedback> = Vec::new();
    let mut places = HashMap::new();
    for of in all {
        match places.entry((&of.sample_id, &of.variant, &of.than, &of.by, of.blind, of.is_comment())) {
            Entry::Occupied(place) => newest[*place.get()] = of,
            Entry::Vacant(place) => {
                place.insert(newest.len());
                newest.push(of);
            }
        }
    }
    newest
}

/// What a reader is shown of the opinions on a sample, in the order in which they were given: of everybody who gave a name the
/// newest rating, of the others each, since nobody knows whether they are one person; and every comment, once.
#[must_use]
pub fn shown_feedback(all: &[Feedback], sample: &str) -> Vec<Feedback> {
    let all: Vec<Feedback> = all.iter().filter(|of| of.sample_id == sample).cloned().collect();
    let newest: HashSet<*const Feedback> = newest_feedback(&all).into_iter().map(std::ptr::from_ref).collect();
    let mut shown: Vec<Option<Feedback>> = Vec::new();
    // a page is made in no more time than there are opinions
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for of in &all {
        let is_current = of.by.is_none() || newest.contains(&std::ptr::from_ref(of));
        let rating = of.rating.filter(|_| is_current);
        let one = Feedback { rating, preference: of.preference.filter(|_| is_current), ..of.clone() };
        if one.is_comment() && one.comment.is_none() {
            continue;
        }
        let alike = places.entry((&of.variant, &of.than, &of.by, of.blind, &of.comment)).or_default();
        let says_all_of = |at: &usize| shown[*at].as_ref().is_some_and(|before| one.says_all_of(before));
        let is_said = |at: &usize| shown[*at].as_ref().is_some_and(|before| before.says_all_of(&one));
        // equal ratings without a name are of as many people, unless one is given again with who is wrong
        let (gone, is_new) = match (&one.by, &one.comment, one.settled) {
            (None, None, None) => (Vec::new(), true),
            (None, None, Some(_)) => (alike.iter().rfind(|at| says_all_of(at)).copied().into_iter().collect(), true),
            _ => (alike.iter().copied().filter(says_all_of).collect(), !alike.iter().any(is_said)),
        };
        alike.retain(|at| !gone.contains(at));
        if is_new || !gone.is_empty() {
            alike.push(shown.len());
            gone.into_iter().for_each(|at| shown[at] = None);
            shown.push(Some(one));
        }
    }
    shown.into_iter().flatten().collect()
}

/// Adds opinions to the report at `path`. All else in the file stays as it is, byte for byte. Writers wait for each other,
/// in other programs too, so that none loses what another has added. They are blind if they come from a page of the `round`
/// that is closed now: who has another page open may have seen the names.
///
/// # Errors
/// When the file can't be read or written, or is no report that this program understands.
pub fn add_feedback(path: &Path, feedback: Vec<Feedback>, round: Option<&str>) -> Result<Vec<Feedback>, ReportError> {
    change_feedback(path, |all| {
        let beside = BlindFile::beside(path)?;
        let blind = beside.as_ref().is_some_and(|of| of.is_blind(round));
        let label = |name: String| beside.as_ref().map_or(name.clone(), |of| of.label(&name).to_owned());
        let stored = feedback.into_iter().map(|of| Feedback {
            variant: label(of.variant),
            than: of.than.map(label),
            blind,
            ..of
        });
        let stored: Vec<Feedback> = stored.collect();
        all.extend(stored.iter().cloned());
        Ok(stored)
    })
}

/// Settles who is wrong where a person's rating and the judge disagree: of the newest rating of each person, or of `by`,
/// of this answer. Returns how many that were.
///
/// # Errors
/// As [`add_feedback`].
pub fn settle_feedback(
    path: &Path,
    (sample, variant): (&str, &str),
    by: Option<&str>,
    settled: Settled,
    at: &str,
) -> Result<usize, ReportError> {
    change_feedback(path, |all| {
        let beside = BlindFile::beside(path)?;
        // while names are hidden, nothing is found by them
        let open = beside.as_ref().filter(|of| of.seal().is_none());
        let label = open.map_or(variant, |of| of.label(variant));
        let is_meant = |of: &&Feedback| {
            of.sample_id == sample
                && of.variant == label
                && of.rating.is_some()
                && by.is_none_or(|by| of.by == reader_name(by))
        };
        let newest = newest_feedback(all);
        let again = newest.into_iter().filter(is_meant);
        let again: Vec<Feedback> =
            again.map(|of| Feedback { settled: Some(settled), at: at.to_owned(), ..of.clone() }).collect();
        let count = again.len();
        all.extend(again);
        Ok(count)
    })
}

/// Changes the feedback of the report at `path`, while no other program does.
fn change_feedback<T>(
    path: &Path,
    change: impl FnOnce(&mut Vec<Feedback>) -> Result<T, ReportError>,
) -> Result<T, ReportError> {
    let _lock = lock(path)?;
    let text = file::bytes(path)?;
    let fields: Fields = serde_json::from_slice(&text).map_err(|source| file::unreadable(path, source))?;
    let version = fields.of("schemaVersion").and_then(|raw| serde_json::from_str(raw.get()).ok());
    file::refuse_other_version(path, version.unwrap_or(SCHEMA_VERSION))?;
    let mut all = fields.feedback().map_err(|source| file::unreadable(path, source))?;
    let changed = change(&mut all)?;
    let written = write_bounded(path, LARGEST_REPORT, |to| fields.with_feedback(&all, to));
    written.map_err(|WriteError { path, source }| ReportError::File { path, source }).map(|()| changed)
}

/// The feedback of the report at `path`, where there is one: a report that is made again keeps it.
pub(crate) fn kept(path: &Path) -> Vec<Feedback> {
    let Ok(text) = file::bytes(path) else { return Vec::new() };
    let fields = serde_json::from_slice::<Fields>(&text).ok();
    fields.and_then(|fields| fields.feedback().ok()).unwrap_or_default()
}

/// How long a lock is waited for: a report is written in seconds.
const LONGEST_LOCK: Duration = Duration::from_secs(30);
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Locks the directory of a file that is about to be read, changed and written, so that no other program does the same. The
/// lock is the directory's own, so that no file is left behind.
///
/// # Errors
/// Another program keeps the lock for long, or the file system has none.
pub fn lock(path: &Path) -> Result<File, ReportError> {
    let file = linked(path);
    let directory = file.parent().filter(|of| !of.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |source| ReportError::Lock { path: directory.to_owned(), source };
    let file = File::open(directory).map_err(failed)?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if began.elapsed() < LONGEST_LOCK => std::thread::sleep(LOCK_PAUSE),
            Err(error) => return Err(failed(error.into())),
        }
    }
}

/// The fields of a report as they stand in the file.
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> Fields<'t> {
    fn of(&self, name: &str) -> Option<&'t RawValue> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, raw)| *raw)
    }

    fn feedback(&self) -> serde_json::Result<Vec<Feedback>> {
        self.of("feedback").map_or_else(|| Ok(Vec::new()), |raw| serde_json::from_slice(raw.get().as_bytes()))
    }

    fn with_feedback(&self, all: &[Feedback], to: &mut dyn Write) -> std::io::Result<()> {
        let others = self.0.iter().filter(|(name, _)| name != "feedback");
        to.write_all(b"{")?;
        for (name, raw) in others {
            write!(to, "\n  {}: {},", serde_json::to_string(name)?, raw.get())?;
        }
        let feedback = serde_json::to_string_pretty(all)?.replace('\n', "\n  ");
        write!(to, "\n  \"feedback\": {feedback}\n}}\n")
    }
}

impl<'de: 't, 't> Deserialize<'de> for Fields<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields<'t>, D::Error> {
        struct OfMap;
        impl<'de> Visitor<'de> for OfMap {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a report")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry::<Cow<'de, str>, &'de RawValue>()? {
                    fields.push(field);
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(OfMap).map(Fields)
    }
}
