//! The files of skills and projects, laid where an agent finds them.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use eval_spec::files::FileMode;
use eval_spec::surroundings::OfferedSkill;
use eval_spec::variant::ArtifactFile;

/// Writes files below a folder, in the place of those that are there.
pub(super) fn lay(files: &[ArtifactFile], folder: &Path) -> io::Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            DirBuilder::new().recursive(true).create(parent)?;
        }
        // A link is replaced, not followed out of the folder.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mode = if file.executable { 0o755 } else { 0o644 };
        OpenOptions::new().write(true).create_new(true).file_mode(mode).open(&path)?.write_all(&file.bytes)?;
    }
    Ok(())
}

/// Writes each skill into a folder of its name.
pub(super) fn lay_skills(skills: &[Arc<OfferedSkill>], folder: &Path) -> io::Result<()> {
    skills.iter().try_for_each(|skill| {
        DirBuilder::new().recursive(true).file_mode(0o700).create(folder)?;
        lay(&skill.files, &folder.join(&skill.name))
    })
}
