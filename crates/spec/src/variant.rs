//! Variants: what is compared.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::delivery::Delivery;
use crate::hash::short_hash;
use crate::permissions::PermissionMode;
use crate::surroundings::OfferedSkill;

/// The most variants of a run, and of a report that is read: each pair of them is compared.
pub const MOST_VARIANTS: usize = 500;

/// One arm of the comparison: an artifact and the directory it runs in.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in reports, unique within the run.
    pub name: String,
    /// What is injected.
    pub artifact: Artifact,
    /// The working directory of its executions, absolute.
    pub cwd: Option<PathBuf>,
    /// How the artifact reaches the model; the setting decides when absent.
    pub delivery: Option<Delivery>,
    /// The skills that it is offered besides its artifact.
    pub skills: Vec<Artifact>,
    /// What its agent may do without asking; the setting decides when absent.
    pub permissions: Option<PermissionMode>,
}

impl Variant {
    /// A variant of this name, and nothing else that is special about it.
    #[must_use]
    pub fn new(name: impl Into<String>, artifact: Artifact) -> Variant {
        Variant { name: name.into(), artifact, cwd: None, delivery: None, skills: Vec::new(), permissions: None }
    }
}

/// What is injected into the model.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The reference as written: `v1`, `baseline`, `git:HEAD~1:v1`, `skills/v2`.
    pub reference: String,
    /// Its kind.
    pub kind: ArtifactKind,
    /// The text injected as system prompt: the body of a SKILL.md, the whole of another file; `None`
    /// for the baseline.
    pub body: Option<String>,
    /// The front matter of a SKILL.md.
    pub front_matter: Option<Map<String, Value>>,
    /// Every file of it, sorted by path.
    pub files: Vec<ArtifactFile>,
    /// Where it was read from, for messages; `None` for the baseline.
    pub origin: Option<String>,
    /// Its file or directory, absolute; `None` for the baseline and for what a repository's history holds.
    pub path: Option<PathBuf>,
}

/// The last commit that touched an artifact, where it lives in a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArtifactCommit {
    /// The commit.
    pub hash: String,
    /// The first line of its message, secrets masked; absent with `--no-texts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Whether the artifact is another one than the repository's: changed since, or never committed.
    pub dirty: bool,
}

/// The kind of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactKind {
    /// Nothing is injected.
    Baseline,
    /// One file.
    File,
    /// A directory with a SKILL.md.
    Directory,
}

/// One file of an artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactFile {
    /// Relative to the artifact, with `/` between the parts.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it may be executed.
    pub executable: bool,
}

impl Artifact {
    /// Nothing injected.
    #[must_use]
    pub fn baseline() -> Artifact {
        Artifact {
            reference: "baseline".to_owned(),
            kind: ArtifactKind::Baseline,
            body: None,
            front_matter: None,
            files: Vec::new(),
            origin: None,
            path: None,
        }
    }

    /// The file with its text; `None` for the baseline.
    #[must_use]
    pub fn text(&self) -> Option<&ArtifactFile> {
        self.files.iter().find(|file| self.kind == ArtifactKind::File || file.path == "SKILL.md")
    }

    /// Itself as a skill that an agent is offered; `None` without a description, which the agent chooses by, or with a name
    /// that is no name of a directory.
    #[must_use]
    pub fn offered_skill(&self) -> Option<OfferedSkill> {
        let text = self.text()?;
        let description = self.front_matter.as_ref()?.get("description")?.as_str()?;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name = self.skill_name().filter(|name| name.chars().all(is_plain) && !name.starts_with('.'))?;
        let files = match self.kind {
            ArtifactKind::Directory => self.files.clone(),
            _ => vec![ArtifactFile { path: "SKILL.md".to_owned(), ..text.clone() }],
        };
        (!description.trim().is_empty()).then(|| OfferedSkill { name: name.to_owned(), files })
    }

    /// Its name as a skill: that of its front matter, else of its directory or file; `None` for the baseline.
    #[must_use]
    pub fn skill_name(&self) -> Option<&str> {
        let named = self.front_matter.as_ref().and_then(|fields| fields.get("name")?.as_str());
        named.or_else(|| {
            let reference = self.origin.as_deref()?.trim_end_matches('/');
            let last = reference.rsplit(['/', ':']).next()?;
            Some(last.strip_suffix(".md").unwrap_or(last)).filter(|name| !name.is_empty() && *name != ".")
        })
    }

    /// The first 12 hex digits of SHA-256 over the full content, every file with its path and
    /// length, sorted by path. The baseline's is that of nothing.
    ///
    /// A single file is hashed by its content alone, so that renaming it changes nothing.
    #[must_use]
    pub fn hash(&self) -> String {
        if let (ArtifactKind::File, [file]) = (self.kind, self.files.as_slice()) {
            return short_hash(&file.bytes, 12);
        }
        let mut bytes = Vec::new();
        for file in &self.files {
            bytes.extend_from_slice(format!("{}\0{}\0", file.path, file.bytes.len()).as_bytes());
            bytes.extend_from_slice(&file.bytes);
        }
        short_hash(&bytes, 12)
    }

    /// The first 12 hex digits of SHA-256 over what a model reads of it: no white space, no comments of HTML, no empty files, and of
    /// the front matter only what models and agents go by. Two artifacts with one such hash are taken for one where looks are
    /// counted, and nowhere else.
    #[must_use]
    pub fn text_hash(&self) -> String {
        const READ: [&str; 5] = ["name", "description", "when_to_use", "allowed-tools", "model"];
        let text = self.text().map(|file| &file.path);
        let mut all = String::new();
        for file in &self.files {
            let is_text = Some(&file.path) == text;
            let own = String::from_utf8_lossy(&file.bytes);
            let body = self.body.as_deref().filter(|_| is_text).unwrap_or(&own);
            let mut read: String = without_comments(body).split_whitespace().collect();
            if let Some(fields) = self.front_matter.as_ref().filter(|_| is_text) {
                let fields = READ.iter().filter_map(|name| Some(format!("{name}={}", fields.get(*name)?)));
                read.extend(fields.flat_map(|field| field.split_whitespace().map(str::to_owned).collect::<Vec<_>>()));
            }
            read.retain(|c| c != '\u{feff}');
            if !read.is_empty() {
                let path = if self.kind == ArtifactKind::File { "" } else { &file.path };
                all.extend([path, "\0", &read, "\0"]);
            }
        }
        short_hash(all.as_bytes(), 12)
    }
}

/// Leaves out the comments of HTML and Markdown, `<!-- … -->`; one without an end stays.
fn without_comments(text: &str) -> String {
    let (mut left, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, comment)) = rest.split_once("<!--")
        && let Some((_, after)) = comment.split_once("-->")
    {
        left.push_str(before);
        rest = after;
    }
    left + rest
}
