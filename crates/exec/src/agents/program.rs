//! The program behind an agent: its hash, and whether it is still the same one.
//!
//! Agents update themselves, some of them while they run: the version that was asked for before a run says nothing of its
//! end.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use eval_spec::call::ProgramHash;
use eval_spec::files::identity;
use ring::digest::{Context, SHA256};

/// Bytes of the hash that are shown.
const SHOWN: usize = 6;
/// Directories above a script in which the `package.json` of its package may be.
const MAX_LEVELS: usize = 4;

/// A program as it was found at the beginning.
pub(super) struct AgentProgram {
    /// How it is started: through links, so that one that is replaced is found.
    pub(super) path: PathBuf,
    pub(super) hash: ProgramHash,
    found: Option<FileVersion>,
}

/// What changes when a file is replaced or written.
#[derive(Clone, PartialEq, Eq)]
struct FileVersion {
    path: PathBuf,
    place: Option<(u64, u64)>,
    size: u64,
    written: SystemTime,
}

impl AgentProgram {
    /// Reads the whole program; a binary has hundreds of megabytes.
    pub(super) fn new(path: PathBuf) -> io::Result<AgentProgram> {
        let found = version(&path).ok();
        Ok(AgentProgram { hash: hash(&path)?, found, path })
    }

    /// The hash of what has taken its place since; `None` where it is the same.
    pub(super) fn replaced_by(&self) -> Option<String> {
        let is_same = version(&self.path).ok() == self.found;
        let now = || hash(&self.path).ok().map(|hash| hash.sha256);
        if is_same { None } else { now().filter(|now| *now != self.hash.sha256) }
    }
}

fn version(path: &Path) -> io::Result<FileVersion> {
    let path = path.canonicalize()?;
    let about: Metadata = path.metadata()?;
    Ok(FileVersion { path, place: identity(&about), size: about.len(), written: about.modified()? })
}

fn hash(path: &Path) -> io::Result<ProgramHash> {
    let program = path.canonicalize()?;
    // Without instructions for SHA-256, its assembly takes half as long as other implementations.
    let mut digest = Context::new(&SHA256);
    let script = add(&mut digest, &program)?;
    let package = script.then(|| package_of(&program)).flatten();
    if let Some(package) = &package {
        add(&mut digest, package)?;
    }
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let hex = digest.finish().as_ref().iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    Ok(ProgramHash { sha256: hex, files: std::iter::once(&program).chain(&package).map(name).collect(), script })
}

/// Adds a file and tells whether it begins as a script.
fn add(digest: &mut Context, path: &Path) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let is_script = file.fill_buf()?.starts_with(b"#!");
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            return Ok(is_script);
        }
        digest.update(read);
        let length = read.len();
        file.consume(length);
    }
}

/// The `package.json` of the package that a script belongs to.
fn package_of(script: &Path) -> Option<PathBuf> {
    let folders = script.ancestors().skip(1).take(MAX_LEVELS);
    let within = folders.take_while(|folder| folder.file_name().is_some_and(|name| name != "node_modules"));
    within.map(|folder| folder.join("package.json")).find(|file| file.is_file())
}
