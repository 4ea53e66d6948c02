//! Files that appear whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes a file and the directories above it; whether it was written. One that is there is kept unless `replace`.
pub(crate) fn create(path: &Path, content: &[u8], replace: bool) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let directory = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory)?;
    let mode = std::fs::Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(directory)?;
    file.write_all(content)?;
    if replace {
        file.persist(path).map_err(|error| error.error)?;
        return Ok(true);
    }
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// A word for a shell to be typed into.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", eval_report::terminal::clean(word).replace('\'', r"'\''")),
    }
}
