//! What an agent finds around it besides the prompt: its working directory, skills, files.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call::{Delivered, Trace};
use crate::hash::sha256_hex;
use crate::mock::Mocks;
use crate::permissions::PermissionMode;
use crate::variant::ArtifactFile;

/// What an agent finds around it besides the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// What the copy of its working directory lacks; without it the agent works in the directory itself.
    pub withheld: Option<Arc<Withheld>>,
    /// The name of the one of the skills that is the artifact.
    pub artifact: Option<String>,
    /// The skills that it may choose to load.
    pub skills: Vec<Arc<OfferedSkill>>,
    /// Files that are laid into the copy of its working directory.
    pub files: Arc<[ArtifactFile]>,
    /// Whether all that is asked is which skills it loads: a limit that stops it afterwards costs no answer.
    pub asks_for_load: bool,
    /// Whether it reads what it takes for its own in the working directory: settings, instructions, skills.
    pub reads_project: bool,
    /// What it may do without asking.
    pub permissions: PermissionMode,
    /// The mocks that answer its tool calls; `None` where all of them are real.
    pub mocks: Option<Arc<Mocks>>,
    /// A hash of its working directory's content, where that isn't the one that the run began with. It decides no plan: a run
    /// that is resumed keeps its own.
    pub changed_cwd: Option<Arc<str>>,
}

/// What the copy of a working directory lacks, so that no variant finds another one's artifact in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// Files and directories, absolute; also whatever leads to them by a link.
    pub paths: Vec<PathBuf>,
    /// The texts of the artifacts: a file with the same content is a copy.
    pub texts: Vec<Arc<[u8]>>,
    /// The names of the artifacts as skills: `skills/NAME` is another version of one, wherever it lies.
    pub skills: Vec<String>,
}

/// Why a file of a working directory isn't in its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UncopiedWhy {
    /// Git ignores it, or would outside of a repository.
    Ignored,
    /// It can't be read.
    Unreadable,
}

/// The files and directories of a working directory that its copies lack for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UncopiedFiles {
    /// The working directory.
    pub directory: String,
    /// The reason.
    pub why: UncopiedWhy,
    /// Their number; a directory that is left out as a whole is one.
    pub count: u64,
    /// The first of them, by their paths in the directory.
    pub first: Vec<String>,
}

/// A skill that an agent may choose to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedSkill {
    /// Its name, which is that of its directory too.
    pub name: String,
    /// Its files, a SKILL.md among them.
    pub files: Vec<ArtifactFile>,
}

impl OfferedSkill {
    /// Whether an agent loaded it: by its name, or since what its tools returned shows the instructions.
    fn is_loaded(&self, trace: &Trace) -> bool {
        let instructions = self.files.iter().find(|file| file.path == "SKILL.md").map(|file| text(&file.bytes));
        trace.has_loaded(&self.name) || instructions.is_some_and(|text| trace.has_shown(body(&text)))
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The text after the front matter, which other tools list.
fn body(text: &str) -> &str {
    let after = text.strip_prefix("---").and_then(|text| text.split_once("\n---"));
    after.map_or(text, |(_, body)| body.split_once('\n').map_or("", |(_, body)| body))
}

impl Surroundings {
    /// What became of the artifact in a run with this trace, whose agent said which skills it `offered`; `None` where it was
    /// given in another way.
    #[must_use]
    pub fn delivered(&self, trace: &Trace, offered: Option<&[String]>) -> Option<Delivered> {
        let own = self.artifact.as_ref().and_then(|name| self.skills.iter().find(|skill| skill.name == *name));
        if let Some(skill) = own {
            // `plugin:NAME`
            let is_named = |of: &String| of.rsplit(':').next() == Some(&skill.name);
            let loaded = skill.is_loaded(trace);
            let others = self.skills.iter().filter(|of| of.name != skill.name && of.is_loaded(trace));
            return Some(Delivered {
                also_loaded: others.map(|of| of.name.clone()).collect(),
                offered: offered.map(|offered| offered.iter().any(is_named)),
                loaded: Some(loaded),
                read: loaded
                    || skill.files.iter().any(|file| trace.has_opened(&format!("{}/{}", skill.name, file.path))),
            });
        }
        let read = || self.files.iter().any(|file| trace.has_opened(&file.path) || trace.has_shown(&text(&file.bytes)));
        (!self.files.is_empty()).then(|| Delivered { offered: Some(true), read: read(), ..Delivered::default() })
    }

    /// Whether it holds more than a working directory.
    #[must_use]
    pub fn gives_something(&self) -> bool {
        !self.skills.is_empty()
            || !self.files.is_empty()
            || self.reads_project
            || self.mocks.is_some()
            || !self.permissions.is_default()
    }

    /// What of it decides an answer and is in no other part of the call's identity: the skills and files that are given.
    #[must_use]
    pub fn key_parts(&self) -> Value {
        let hash = |files: &[ArtifactFile]| {
            let mut bytes = Vec::new();
            for file in files {
                bytes.extend_from_slice(
                    format!("{}\0{}\0{}\0", file.path, file.executable, file.bytes.len()).as_bytes(),
                );
                bytes.extend_from_slice(&file.bytes);
            }
            sha256_hex(&bytes)
        };
        let skill = |skill: &Arc<OfferedSkill>| json!([skill.name, hash(&skill.files)]);
        let mut parts = json!({
            "skills": self.skills.iter().map(skill).collect::<Vec<_>>(),
            "readsProject": self.reads_project,
            "asksForLoad": self.asks_for_load,
            "files": (!self.files.is_empty()).then(|| hash(&self.files)),
        });
        if !self.permissions.is_default() {
            parts["permissions"] = json!(self.permissions);
        }
        if let Some(mocks) = &self.mocks {
            parts["mocks"] = mocks.key_parts();
        }
        parts
    }
}
