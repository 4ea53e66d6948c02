//! The `.mjs` files of `custom` assertions: `export default function (output, { sample, assertion })`,
//! sync or async, giving a boolean or `{ pass, message, score? }`.
//!
//! Anything but a valid reply is [`Trouble`], which leaves the check unscored: a broken script is no property of the
//! answer.

pub(crate) mod deadline;
mod embedded;
mod node;
mod parse;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use eval_message::{Message, msg};
use eval_spec::halves::read_mended;
use eval_spec::hash::sha256_hex;
use serde_json::Value;

use crate::excerpt::{EVIDENCE, excerpt};
use crate::setup::{CustomRuntime, GraderSetup, GradingLimits};

/// The largest source of a script, in bytes.
const SOURCE_LIMIT: u64 = 16 << 20;

pub use self::parse::parse_function;

/// Calls in a row that a script doesn't return from in time before it is called no more, and calls altogether.
const TIMEOUTS: [u32; 2] = [3, 20];

/// A script that was found, read, and has a default function.
#[derive(Clone)]
pub(crate) struct CustomScript {
    engine: ScriptEngine,
    limits: GradingLimits,
    timeouts: Arc<Timeouts>,
}

#[derive(Clone)]
enum ScriptEngine {
    Embedded(Arc<embedded::Folder>),
    Node(Arc<node::NodeScript>),
}

/// The calls of one script that passed the time limit.
#[derive(Default)]
struct Timeouts {
    in_a_row: AtomicU32,
    all: AtomicU32,
}

/// The scripts loaded so far, by path: many assertions or tasks share one.
#[derive(Default)]
pub(crate) struct LoadedScripts(RefCell<HashMap<PathBuf, Result<CustomScript, Message>>>);

impl LoadedScripts {
    /// The script `name` in `folder`, loaded once.
    ///
    /// # Errors
    /// It isn't there, lies outside, or [can't be loaded](CustomScript::load).
    pub(crate) fn load(&self, folder: &Path, name: &str, setup: &GraderSetup) -> Result<CustomScript, Message> {
        let (root, file) = locate(folder, name)?;
        let mut scripts = self.0.borrow_mut();
        scripts.entry(file.clone()).or_insert_with(|| CustomScript::load(&root, &file, setup)).clone()
    }

    /// The scripts that could be loaded, with the path of each.
    pub(crate) fn into_scripts(self) -> impl Iterator<Item = (PathBuf, CustomScript)> {
        self.0.into_inner().into_iter().filter_map(|(file, script)| Some((file, script.ok()?)))
    }
}

/// The message for what a script threw: a module that reaches for a name of CommonJS is told what to write instead.
fn threw_message(file: &str, error: &str) -> Message {
    const NAMES: &[&str] = &["module", "exports", "require"];
    match NAMES.iter().any(|name| error.contains(&format!("{name} is not defined"))) {
        true => msg!("grade-custom-commonjs", file = file, error = error),
        false => msg!("grade-custom-threw", file = file, error = error),
    }
}

/// What a script is called with.
#[derive(Clone)]
pub(crate) struct Input {
    /// The subject of the check.
    pub(crate) output: ScriptSubject,
    /// Its context, each value as JSON: `{ sample, assertion }` of an assertion; the task and the skill of a
    /// scorer.
    pub(crate) context: Vec<String>,
}

/// The subject of a script's check.
#[derive(Clone)]
pub(crate) enum ScriptSubject {
    /// A text.
    Text(String),
    /// A value, as JSON.
    Json(String),
}

/// A valid reply.
#[derive(Debug, PartialEq)]
pub(crate) struct ScriptReply {
    /// Whether the check holds.
    pub(crate) pass: bool,
    /// The script's explanation.
    pub(crate) message: Option<String>,
    /// Its own measure, if it gave one.
    pub(crate) score: Option<f64>,
    /// What it wrote to the console.
    pub(crate) log: Vec<String>,
}

/// What a script returned, unchecked.
pub(crate) struct Returned {
    /// JSON; `None` for `undefined` and other values that JSON lacks.
    pub(crate) value: Option<String>,
    /// What it wrote to the console.
    pub(crate) log: Vec<String>,
}

/// Why there is no reply.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) why: Message,
    /// What the script wrote to the console before.
    pub(crate) log: Vec<String>,
}

impl Trouble {
    fn new(why: Message) -> Trouble {
        Trouble { why, log: Vec::new() }
    }
}

/// The file `name` in the folder of the samples or below it, links resolved: the folder and the file.
///
/// # Errors
/// It isn't there, or lies outside.
pub(crate) fn locate(base: &Path, name: &str) -> Result<(PathBuf, PathBuf), Message> {
    let shown = excerpt(name, EVIDENCE);
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let missing = |error: std::io::Error| msg!("grade-custom-missing", file = &shown, error = error.to_string());
    let root = base.canonicalize().map_err(missing)?;
    let file = root.join(name).canonicalize().map_err(missing)?;
    match file.starts_with(&root) && file.is_file() {
        true => Ok((root, file)),
        false => Err(msg!("grade-custom-outside", file = shown)),
    }
}

impl CustomScript {
    /// Loads the script `file` in `root`: reads it, runs its top level once, and finds its default
    /// function.
    ///
    /// # Errors
    /// An error for the author to correct, or a missing Node.
    fn load(root: &Path, file: &Path, setup: &GraderSetup) -> Result<CustomScript, Message> {
        let engine = match &setup.custom_runtime {
            CustomRuntime::Embedded => embedded::Folder::load(root, file, setup).map(ScriptEngine::Embedded)?,
            CustomRuntime::Node { program } => {
                node::NodeScript::load(program, root, file, setup).map(Arc::new).map(ScriptEngine::Node)?
            }
        };
        Ok(CustomScript { engine, limits: setup.limits, timeouts: Arc::default() })
    }

    /// The SHA-256 of each file that decides its replies, by its path in the folder of the samples. Of
    /// a script for Node it is the script alone: what that imports may be anywhere.
    pub(crate) fn hashes(&self) -> Vec<(String, String)> {
        match &self.engine {
            ScriptEngine::Embedded(folder) => {
                folder.files().into_iter().map(|(name, source)| (name, sha256_hex(source.as_bytes()))).collect()
            }
            ScriptEngine::Node(file) => vec![file.hash()],
        }
    }

    /// Calls its default function and returns the unchecked result. A script that keeps passing the time limit is called no more.
    ///
    /// # Errors
    /// It threw, or passed a limit.
    pub(crate) fn returned(&self, input: Input) -> Result<Returned, Trouble> {
        let Timeouts { in_a_row, all } = &*self.timeouts;
        let count = all.load(Ordering::Relaxed);
        if in_a_row.load(Ordering::Relaxed) >= TIMEOUTS[0] || count >= TIMEOUTS[1] {
            let seconds = self.limits.custom_time.as_secs_f64();
            return Err(Trouble::new(msg!(
                "grade-custom-given-up",
                file = self.name(),
                count = count,
                seconds = seconds
            )));
        }
        let began = Instant::now();
        let returned = match &self.engine {
            ScriptEngine::Embedded(folder) => folder.call(input),
            ScriptEngine::Node(file) => file.call(&input),
        };
        match returned.is_err() && began.elapsed() >= self.limits.custom_time {
            true => {
                in_a_row.fetch_add(1, Ordering::Relaxed);
                all.fetch_add(1, Ordering::Relaxed);
            }
            false => in_a_row.store(0, Ordering::Relaxed),
        }
        returned
    }

    /// The path in the folder of the samples.
    fn name(&self) -> String {
        match &self.engine {
            ScriptEngine::Embedded(folder) => folder.name().to_owned(),
            ScriptEngine::Node(file) => file.hash().0,
        }
    }

    /// Calls its default function.
    ///
    /// # Errors
    /// It threw, returned something else, or passed a limit.
    pub(crate) fn call(&self, input: Input) -> Result<ScriptReply, Trouble> {
        let Returned { value, log } = self.returned(input)?;
        match read_reply(value.as_deref()) {
            Ok((pass, message, score)) => Ok(ScriptReply { pass, message, score, log }),
            Err(why) => Err(Trouble { why, log }),
        }
    }
}

// The parts of a reply.
pub(crate) type ScriptSource = (bool, Option<String>, Option<f64>);

pub fn read_reply(json: Option<&str>) -> Result<ScriptSource, Message> {
    let value = json.and_then(|json| read_mended(json).ok());
    let improper = |found: &str| msg!("grade-custom-improper", found = excerpt(found, EVIDENCE));
    match &value {
        Some(Value::Bool(pass)) => Ok((*pass, None, None)),
        Some(Value::Object(fields)) => match fields.get("pass") {
            Some(Value::Bool(pass)) => {
                let message = fields.get("message").filter(|message| !message.is_null()).map(words);
                Ok((*pass, message, fields.get("score").and_then(Value::as_f64)))
            }
            _ => Err(improper(json.unwrap_or_default())),
        },
        Some(_) => Err(improper(json.unwrap_or_default())),
        None => Err(improper("undefined")),
    }
}

/// A script's message, cut to 1000 characters.
pub(crate) fn words(message: &Value) -> String {
    const LIMIT: usize = 1000;
    match message {
        Value::String(text) => excerpt(text, LIMIT),
        other => excerpt(&other.to_string(), LIMIT),
    }
}
