//! The cache: answers stored between runs, addressed by everything that decides them.
//!
//! One file per answer, named by its key and moved into place whole, so that two processes and a kill
//! at any instant leave either the old entry or the new one. A list of names beside them, one line per
//! entry, only serves [`Cache::explain`].

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use eval_format::{private_folder, write_private};
use eval_spec::hash::{canonical_json, sha256_hex};
use eval_spec::plan::Plan;
use eval_spec::{Call, CellKey, Failure, Identity, Outcome, Output};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::RunError;
use crate::private::private_file;

/// The version of the entries. Another one is a miss, and lies in another folder.
const VERSION: u32 = 1;

/// Failures of a call that are stored: the newest.
const MOST_FAILURES: usize = 20;

/// The folder of answers.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The list of names, opened on the first entry. One entry is written at a time: many threads that
    /// make files in the same folders only wait for each other in the kernel, spinning.
    names: Mutex<Option<File>>,
}

/// The key of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheKey {
    /// SHA-256 over the parts.
    pub fingerprint: String,
    /// Everything that decides the answer, by name.
    pub parts: Value,
}

impl CacheKey {
    /// The key of `call`.
    ///
    /// `observation` numbers the cells of one plan that ask exactly the same, from 0: two arms with the
    /// same artifact are two observations, and one answer must not serve as both.
    #[must_use]
    pub fn of(call: &Call, identity: &Identity, observation: u32) -> CacheKey {
        let mut parts = call.key_parts(identity);
        if let (Some(parts), true) = (parts.as_object_mut(), observation > 0) {
            parts.insert("observation".to_owned(), observation.into());
        }
        CacheKey { fingerprint: sha256_hex(canonical_json(&parts).as_bytes()), parts }
    }
}

/// Which of the cells that ask exactly the same each cell of `plan` is, from 0, in the plan's order:
/// the `observation` of [`CacheKey::of`].
#[must_use]
pub fn observations(plan: &Plan) -> Vec<u32> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(plan.cells.len());
    for cell in &plan.cells {
        let count = seen.entry(&cell.fingerprint).or_insert(0);
        numbers.push(*count);
        *count += 1;
    }
    numbers
}

/// Why a call would be served from the cache, or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The call's key.
    pub fingerprint: String,
    /// What it is made of.
    pub parts: Value,
    /// When the entry that serves it was stored; `None` on a miss.
    pub hit: Option<Timestamp>,
    /// On a miss: the entry of the same sample and subject that differs least; `None` when there is none.
    pub nearest: Option<Nearest>,
}

/// A stored entry that isn't the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nearest {
    /// Its key.
    pub fingerprint: String,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// What differs.
    pub differences: Vec<KeyDifference>,
}

/// One part of two keys that isn't the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyDifference {
    /// The part's name.
    pub part: String,
    /// Its value in the stored entry; null when it has none.
    pub stored: Value,
    /// Its value now; null when it has none.
    pub now: Value,
}

/// What the cache has of a call.
#[derive(Debug, Default)]
pub struct CachedCall {
    /// The output, and when it was stored.
    pub output: Option<(Output, Timestamp)>,
    /// The failures before it, or so far, oldest first, as far as asking again may select among answers.
    pub failures: Vec<Failure>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CachedAnswer {
    version: u32,
    fingerprint: String,
    key: CellKey,
    parts: Value,
    stored_at: Timestamp,
    /// `None` while there were only failures.
    output: Option<Output>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure>,
}

#[derive(Serialize, Deserialize)]
struct Name {
    fingerprint: String,
    key: CellKey,
}

impl Cache {
    /// Opens the cache in `folder` (`<home>/cache`), making it if need be.
    ///
    /// # Errors
    /// When the folder can't be made.
    pub fn open(folder: &Path) -> Result<Cache, RunError> {
        let folder = folder.join(format!("v{VERSION}"));
        private_folder(&folder).map_err(|e| RunError::write(&folder, &e))?;
        Ok(Cache { folder, names: Mutex::default() })
    }

    /// What is stored under `fingerprint`. An entry that can't be read is a miss.
    #[must_use]
    pub fn get(&self, fingerprint: &str) -> CachedCall {
        let Some(CachedAnswer { output, stored_at, failures, .. }) = self.entry(fingerprint) else {
            return CachedCall::default();
        };
        CachedCall { output: output.map(|output| (output, stored_at)), failures }
    }

    /// Stores `output`, with the failures before it, if it is the model's own, complete or not. The output of an agent stopped by a
    /// limit is not stored, as the limit need not be part of the key; that it was stopped is.
    ///
    /// # Errors
    /// When it can't be written; the run can go on without.
    pub fn put(
        &self,
        key: &CacheKey,
        cell: &CellKey,
        output: &Output,
        failures: Vec<Failure>,
        now: Timestamp,
    ) -> Result<(), RunError> {
        match is_kept(output.outcome) {
            true => self.store(key, cell, Some(output.clone()), failures, now),
            false => self.put_failure(key, cell, Failure::Limit, failures, now),
        }
    }

    /// Stores that the call failed, for whoever asks again in another run. A failure that selects nothing is not stored.
    ///
    /// # Errors
    /// When it can't be written; the run can go on without.
    pub fn put_failure(
        &self,
        key: &CacheKey,
        cell: &CellKey,
        failure: Failure,
        before: Vec<Failure>,
        now: Timestamp,
    ) -> Result<(), RunError> {
        // the answer that is there stays, where it was only asked again beside it
        let is_answered = || self.entry(&key.fingerprint).is_some_and(|entry| entry.output.is_some());
        match is_told(failure) && !is_answered() {
            true => self.store(key, cell, None, before.into_iter().chain([failure]).collect(), now),
            false => Ok(()),
        }
    }

    fn store(
        &self,
        key: &CacheKey,
        cell: &CellKey,
        output: Option<Output>,
        mut failures: Vec<Failure>,
        now: Timestamp,
    ) -> Result<(), RunError> {
        let Some(path) = self.path(&key.fingerprint) else { return Ok(()) };
        failures.retain(|failure| is_told(*failure));
        let failures = failures.split_off(failures.len().saturating_sub(MOST_FAILURES));
        let entry = CachedAnswer {
            version: VERSION,
            fingerprint: key.fingerprint.clone(),
            key: cell.clone(),
            parts: key.parts.clone(),
            stored_at: now,
            output,
            failures,
        };
        let name = Name { fingerprint: entry.fingerprint.clone(), key: entry.key.clone() };
        let (entry, name) = (to_json(&entry), to_json(&name));
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        write_private(&path, &entry).map_err(|e| RunError::write(&path, &e))?;
        self.add_name(&mut names, name).map_err(|e| RunError::write(&self.names_path(), &e))
    }

    /// Why the call of `cell` with `key` hits or misses.
    #[must_use]
    pub fn explain(&self, key: &CacheKey, cell: &CellKey) -> Explanation {
        let hit = self.get(&key.fingerprint).output.map(|(_, stored_at)| stored_at);
        let nearest = if hit.is_none() { self.nearest(key, cell) } else { None };
        Explanation { fingerprint: key.fingerprint.clone(), parts: key.parts.clone(), hit, nearest }
    }

    /// The fewest differences win; among equals the newest.
    fn nearest(&self, key: &CacheKey, cell: &CellKey) -> Option<Nearest> {
        let names = BufReader::new(File::open(self.names_path()).ok()?).lines().map_while(Result::ok);
        let same_cell = |name: &Name| name.key.sample == cell.sample && name.key.subject == cell.subject;
        let mut candidates: Vec<String> = names
            // A line torn by a kill only hides one candidate.
            .filter_map(|line| serde_json::from_str::<Name>(&line).ok())
            .filter(same_cell)
            .map(|name| name.fingerprint)
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
            .iter()
            .filter_map(|fingerprint| self.entry(fingerprint).filter(|entry| entry.output.is_some()))
            .map(|entry| Nearest {
                differences: differences(&entry.parts, &key.parts),
                fingerprint: entry.fingerprint,
                stored_at: entry.stored_at,
            })
            .min_by_key(|near| (near.differences.len(), std::cmp::Reverse(near.stored_at)))
    }

    fn entry(&self, fingerprint: &str) -> Option<CachedAnswer> {
        let bytes = std::fs::read(self.path(fingerprint)?).ok()?;
        let entry: CachedAnswer = serde_json::from_slice(&bytes).ok()?;
        (entry.version == VERSION && entry.fingerprint == fingerprint).then_some(entry)
    }

    /// 256 folders, so that none grows too large; `None` for what isn't a hash.
    fn path(&self, fingerprint: &str) -> Option<PathBuf> {
        let is_hash = fingerprint.len() == 64 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| self.folder.join(&fingerprint[..2]).join(format!("{}.json", &fingerprint[2..])))
    }

    fn names_path(&self) -> PathBuf {
        self.folder.join("names.jsonl")
    }

    /// One `write` in append mode, so that lines of two processes don't mix.
    fn add_name(&self, names: &mut Option<File>, mut line: Vec<u8>) -> std::io::Result<()> {
        line.push(b'\n');
        let file = match names {
            Some(file) => file,
            None => names.insert(private_file().append(true).create(true).open(self.names_path())?),
        };
        file.write_all(&line)
    }
}

/// Whether a failure may tell of an answer, or of a choice among answers.
fn is_told(failure: Failure) -> bool {
    failure.may_select(false) || failure == Failure::Interrupted
}

fn is_kept(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Answered | Outcome::Refused | Outcome::Truncated | Outcome::Empty => true,
        Outcome::LimitHit => false,
    }
}

fn differences(stored: &Value, now: &Value) -> Vec<KeyDifference> {
    let names = |parts: &Value| -> Vec<String> {
        parts.as_object().map(|parts| parts.keys().cloned().collect()).unwrap_or_default()
    };
    let mut parts = names(now);
    parts.extend(names(stored).into_iter().filter(|part| now.get(part).is_none()));
    parts
        .into_iter()
        .map(|part| KeyDifference {
            stored: stored.get(&part).cloned().unwrap_or_default(),
            now: now.get(&part).cloned().unwrap_or_default(),
            part,
        })
        .filter(|difference| difference.stored != difference.now)
        .collect()
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    // These types have only string keys and nothing that can fail to be written.
    serde_json::to_vec(value).unwrap_or_default()
}
