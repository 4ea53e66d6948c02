//! Recorded executions on disk, and their index.
//!
//! `DIR/executions.jsonl` has one line per execution. A recording is found by its request (artifact text,
//! prompt, repeat, and the model if one is named), for any executor; the cell distinguishes equal requests. Only the index is
//! in memory, outputs are read when they are served. Of several recordings of one execution the last counts: the others were
//! attempts before it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use eval_message::{Message, msg};
use eval_spec::files;
use eval_spec::hash::{Sha256, short_hash};
use eval_spec::record::Executed;
use eval_spec::{Call, CellKey, Failure, Identity, Output, vendor};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The version of the lines that are written. Every other one is refused.
pub const RECORDINGS_VERSION: u32 = 1;

/// The file in a folder of recordings.
pub const RECORDINGS_FILE: &str = "executions.jsonl";

/// One line, whole.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordingLine<'a> {
    pub(crate) version: u32,
    /// [`content_key`], in hex.
    pub(crate) content: String,
    pub(crate) sample: Cow<'a, str>,
    pub(crate) variant: Cow<'a, str>,
    pub(crate) repeat: u32,
    pub(crate) model: Cow<'a, str>,
    /// Short hash of the artifact's text; the hash of nothing for a baseline.
    pub(crate) system: String,
    /// Short hash of the prompt.
    pub(crate) prompt: String,
    /// The executor.
    pub(crate) identity: Cow<'a, Identity>,
    pub(crate) result: Cow<'a, Executed>,
}

/// One line as far as the index needs it.
#[derive(Deserialize)]
struct RecordingHead<'a> {
    version: u32,
    #[serde(borrow)]
    content: Cow<'a, str>,
    #[serde(borrow)]
    sample: Cow<'a, str>,
    #[serde(borrow)]
    variant: Cow<'a, str>,
    repeat: u32,
    #[serde(borrow)]
    model: Cow<'a, str>,
    #[serde(borrow)]
    system: Cow<'a, str>,
    #[serde(borrow)]
    prompt: Cow<'a, str>,
    #[expect(dead_code, reason = "its presence is checked")]
    identity: IgnoredAny,
    result: RecordedResult,
}

/// How a recorded execution ended; its content is read when it is served.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RecordedResult {
    Output(IgnoredAny),
    Failed(IgnoredAny),
}

/// Where one recording is. Names are indices into [`Recordings::names`].
#[derive(Clone, Copy)]
struct RecordingEntry {
    content: u128,
    model: u32,
    sample: u32,
    variant: u32,
    repeat: u32,
    system: u32,
    prompt: u32,
    length: u32,
    offset: u64,
    failed: bool,
}

/// A folder of recordings, open for reading.
pub struct Recordings {
    path: PathBuf,
    file: Mutex<File>,
    entries: Vec<RecordingEntry>,
    /// The recordings that no longer count, oldest first, by the offset of the one that does.
    earlier: HashMap<u64, Vec<RecordingEntry>>,
    names: Vec<String>,
    hash: String,
    torn: bool,
    /// Where the next line goes, and whether the last one lacks its line feed.
    pub(crate) end: u64,
    pub(crate) unterminated: bool,
}

/// Why recordings can't be opened.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct OpenError {
    /// The file and the problem.
    pub message: Message,
}

impl Recordings {
    /// Reads the index of a folder, or of a file of recordings, once from beginning to end.
    ///
    /// A last line that was cut short is left out (see [`Recordings::torn`]).
    ///
    /// # Errors
    /// There is no such file, it can't be read, or a line is not a recording of a known version.
    pub fn open(path: &Path) -> Result<Recordings, OpenError> {
        let path = if path.is_dir() { path.join(RECORDINGS_FILE) } else { path.to_owned() };
        let name = path.display().to_string();
        let file = files::open_regular(&path).map_err(|error| OpenError {
            message: msg!("exec-recordings-open", file = name.as_str(), why = error.to_string()),
        })?;
        let mut index = RecordingIndex::default();
        index.read(&file, &name)?;
        let (entries, earlier) = index.sorted();
        Ok(Recordings {
            path,
            file: Mutex::new(file),
            entries,
            earlier,
            names: index.names.list,
            hash: index.hash.hex(),
            torn: index.torn,
            end: index.end,
            unterminated: index.unterminated,
        })
    }

    /// How many executions there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// SHA-256 of the file, in hex.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether the last line was cut short, as by a crash, and left out.
    pub fn torn(&self) -> bool {
        self.torn
    }

    /// The executor of the first recorded execution.
    pub fn identity(&self) -> Option<Identity> {
        let first = self.entries.iter().min_by_key(|entry| entry.offset)?;
        Some(self.line(first).ok()?.identity.into_owned())
    }

    /// The file, for messages.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Every execution with an output: content key, model, sample, variant.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (u128, String, String, String)> {
        self.entries.iter().filter(|entry| !entry.failed).map(|entry| {
            let [model, sample, variant] =
                [entry.model, entry.sample, entry.variant].map(|name| self.name_of(name).to_owned());
            (entry.content, model, sample, variant)
        })
    }

    /// The recorded result of a call.
    ///
    /// # Errors
    /// There is none, or more than one could be meant: the message says which, and what differs.
    pub(crate) fn find(&self, call: &Call) -> Result<Executed, Message> {
        let entry = self.entry(call)?;
        let line = self
            .line(entry)
            .map_err(|error| msg!("exec-recordings-read", file = self.name(), why = error.to_string()))?;
        Ok(line.result.into_owned())
    }

    /// Why the earlier recordings of a call don't count, oldest first. Left out are answers like the one that counts, failures
    /// that select nothing, and what can't be read.
    pub(crate) fn failures_before(&self, call: &Call) -> Vec<Failure> {
        let Ok(entry) = self.entry(call) else { return Vec::new() };
        let Some(earlier) = self.earlier.get(&entry.offset) else { return Vec::new() };
        let counted = self.line(entry).map(|line| line.result);
        let failures = earlier.iter().filter_map(|entry| {
            let line = self.line(entry).ok()?;
            match &*line.result {
                Executed::Failed(error) => {
                    let of_model_api = vendor::is_model_api(&line.identity.executor);
                    error.failure.may_select(of_model_api).then_some(error.failure)
                }
                Executed::Output(output) => match counted.as_deref() {
                    Ok(Executed::Output(counted)) if is_same_answer(output, counted) => None,
                    _ => Some(Failure::Replaced),
                },
            }
        });
        failures.collect()
    }

    fn entry(&self, call: &Call) -> Result<&RecordingEntry, Message> {
        let content = content_key(call);
        let from = self.entries.partition_point(|entry| entry.content < content);
        let same = self.entries[from..].iter().take_while(|entry| entry.content == content);
        let of_model = |entry: &&RecordingEntry| call.model.is_empty() || self.name_of(entry.model) == call.model;
        let found: Vec<&RecordingEntry> = same.filter(of_model).collect();
        let cell = |entry: &&&RecordingEntry| {
            self.is_sample(entry, &call.key) && self.name_of(entry.variant) == &*call.key.subject
        };
        let of_cell: Vec<&RecordingEntry> = found.iter().filter(cell).copied().collect();
        match (of_cell.as_slice(), found.as_slice()) {
            ([one], _) | ([], [one]) => Ok(one),
            ([], []) => Err(self.miss(call)),
            (many @ [_, ..], _) | ([], many) => Err(self.ambiguous(call, many)),
        }
    }

    /// Why there is no recording, as far as the names show.
    fn miss(&self, call: &Call) -> Message {
        let key = call.key.to_string();
        let cell = |entry: &&RecordingEntry| {
            self.is_sample(entry, &call.key)
                && entry.repeat == call.key.repeat
                && self.name_of(entry.variant) == &*call.key.subject
        };
        let Some(entry) = self.entries.iter().find(cell) else {
            return match self.torn {
                true => msg!("exec-no-recording-torn", key = key, file = self.name()),
                false => msg!("exec-no-recording", key = key, file = self.name()),
            };
        };
        let prompt = self.name_of(entry.prompt) != prompt_hash(call);
        let system = self.name_of(entry.system) != system_hash(call);
        match (prompt, system) {
            (true, true) => {
                msg!("exec-recording-both-changed", sample = &*call.key.sample, variant = &*call.key.subject)
            }
            (true, false) => msg!("exec-recording-prompt-changed", sample = &*call.key.sample),
            (false, true) => msg!("exec-recording-artifact-changed", variant = &*call.key.subject),
            (false, false) => {
                msg!(
                    "exec-recording-other-model",
                    key = key,
                    model = call.model.as_str(),
                    recorded = self.name_of(entry.model)
                )
            }
        }
    }

    fn ambiguous(&self, call: &Call, entries: &[&RecordingEntry]) -> Message {
        let mut which: Vec<String> = entries
            .iter()
            .map(|entry| {
                format!(
                    "{}/{} ({})",
                    self.name_of(entry.sample),
                    self.name_of(entry.variant),
                    self.name_of(entry.model)
                )
            })
            .collect();
        which.truncate(4);
        msg!("exec-recording-ambiguous", key = call.key.to_string(), recorded = which.join(", "))
    }

    fn line(&self, entry: &RecordingEntry) -> io::Result<RecordingLine<'static>> {
        let mut bytes = vec![0; entry.length as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(entry.offset))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(serde_json::from_slice(&bytes)?)
    }

    fn is_sample(&self, entry: &RecordingEntry, key: &CellKey) -> bool {
        self.name_of(entry.sample) == &*key.sample
    }

    fn name_of(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", String::as_str)
    }
}

/// The index under construction.
#[derive(Default)]
struct RecordingIndex {
    entries: Vec<RecordingEntry>,
    names: InternedNames,
    hash: Sha256,
    end: u64,
    torn: bool,
    unterminated: bool,
}

impl RecordingIndex {
    fn read(&mut self, file: &File, name: &str) -> Result<(), OpenError> {
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut line = Vec::new();
        for number in 1_usize.. {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(|error| OpenError {
                message: msg!("exec-recordings-read", file = name, why = error.to_string()),
            })?;
            if read == 0 {
                break;
            }
            let whole = line.ends_with(b"\n");
            match self.take(&line) {
                Ok(()) => self.unterminated = !whole,
                Err(Problem::OtherVersion(version)) => {
                    let message =
                        msg!("exec-recordings-version", file = name, version = version, reads = RECORDINGS_VERSION);
                    return Err(OpenError { message });
                }
                Err(Problem::Unreadable(_)) if !whole => {
                    self.torn = true;
                    break;
                }
                Err(Problem::Unreadable(why)) => {
                    return Err(OpenError {
                        message: msg!("exec-recordings-line", file = name, line = number, why = why),
                    });
                }
            }
            self.hash.update(&line);
            self.end += read as u64;
        }
        Ok(())
    }

    fn take(&mut self, line: &[u8]) -> Result<(), Problem> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let head = match serde_json::from_slice::<RecordingHead<'_>>(line) {
            Ok(head) => head,
            Err(error) => return Err(other_version(line).unwrap_or_else(|| Problem::Unreadable(error.to_string()))),
        };
        if head.version != RECORDINGS_VERSION {
            return Err(Problem::OtherVersion(head.version));
        }
        let unreadable = |what: &str| Problem::Unreadable(what.to_owned());
        let content = u128::from_str_radix(&head.content, 16).map_err(|_| unreadable("`content` is no hash"))?;
        let length = u32::try_from(line.len()).map_err(|_| unreadable("longer than 4 GiB"))?;
        let mut name = |text: &str| self.names.number(text);
        self.entries.push(RecordingEntry {
            content,
            model: name(&head.model),
            sample: name(&head.sample),
            variant: name(&head.variant),
            repeat: head.repeat,
            system: name(&head.system),
            prompt: name(&head.prompt),
            length,
            offset: self.end,
            failed: matches!(head.result, RecordedResult::Failed(_)),
        });
        Ok(())
    }

    /// Sorted for searching: the last recording of each execution, and those before it.
    fn sorted(&mut self) -> (Vec<RecordingEntry>, HashMap<u64, Vec<RecordingEntry>>) {
        let mut entries = std::mem::take(&mut self.entries);
        let execution = |entry: &RecordingEntry| (entry.content, entry.model, entry.sample, entry.variant);
        entries.sort_unstable_by_key(|entry| (execution(entry), entry.offset));
        let mut earlier = HashMap::new();
        for same in entries.chunk_by(|a, b| execution(a) == execution(b)) {
            if let [before @ .., last] = same
                && !before.is_empty()
            {
                earlier.insert(last.offset, before.to_vec());
            }
        }
        entries.dedup_by(|next, kept| {
            let is_same = execution(next) == execution(kept);
            if is_same {
                *kept = *next;
            }
            is_same
        });
        entries.shrink_to_fit();
        (entries, earlier)
    }
}

/// Whether all that is graded of two answers is the same.
fn is_same_answer(a: &Output, b: &Output) -> bool {
    (&a.text, &a.trace) == (&b.text, &b.trace)
}

enum Problem {
    OtherVersion(u32),
    Unreadable(String),
}

/// A line of another shape may have another version.
fn other_version(line: &[u8]) -> Option<Problem> {
    #[derive(Deserialize)]
    struct RecordingVersion {
        version: u32,
    }
    let versioned: RecordingVersion = serde_json::from_slice(line).ok()?;
    (versioned.version != RECORDINGS_VERSION).then_some(Problem::OtherVersion(versioned.version))
}

/// Interned names.
#[derive(Default)]
struct InternedNames {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl InternedNames {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// The request as a number: the first 128 bits of SHA-256 over artifact text, prompt and repeat.
pub(crate) fn content_key(call: &Call) -> u128 {
    let system = call.system.as_deref().unwrap_or("");
    let mut hash = Sha256::default();
    hash.update((system.len() as u64).to_le_bytes());
    hash.update(system.as_bytes());
    hash.update((call.prompt.len() as u64).to_le_bytes());
    hash.update(call.prompt.as_bytes());
    hash.update(call.key.repeat.to_le_bytes());
    hash.number()
}

pub(crate) fn system_hash(call: &Call) -> String {
    short_hash(call.system.as_deref().unwrap_or("").as_bytes(), 12)
}

pub(crate) fn prompt_hash(call: &Call) -> String {
    short_hash(call.prompt.as_bytes(), 12)
}
