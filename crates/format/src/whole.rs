//! The one way in which a file is written: whole or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::skills::FileError;

/// Writes a file that appears whole or not at all; its directory is made if need be. One that is there is replaced and
/// keeps its permissions, a link stays a link. What is no regular file, such as a pipe or a device, is opened and
/// written to.
///
/// # Errors
/// When the system refuses.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), FileError> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() => replace(path, there.permissions(), fill),
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => {
            temporary(path, fill).and_then(|file| Ok(file.persist(path).map(drop)?))
        }
        // a directory refuses by itself; where a link leads to nothing yet, that is made
        _ => OpenOptions::new().append(true).create(true).open(path).and_then(|file| filled(&file, fill)),
    }
    .map_err(|source| FileError::File { path: path.to_owned(), source })
}

/// The same where nothing is yet; whether there was nothing. What is there is kept.
///
/// # Errors
/// When the system refuses.
pub fn write_new(path: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<bool, FileError> {
    let kept = temporary(path, fill).and_then(|file| match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    });
    kept.map_err(|source| FileError::File { path: path.to_owned(), source })
}

fn replace(
    path: &Path,
    permissions: Permissions,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let path = path.canonicalize()?;
    let file = temporary(&path, fill)?;
    file.as_file().set_permissions(permissions)?;
    file.persist(path).map(drop)?;
    Ok(())
}

/// In the same directory, so that renaming it is one step; readable to whoever the umask lets.
fn temporary(path: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<NamedTempFile> {
    let directory = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eval-skills-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let file = builder.tempfile_in(directory)?;
    filled(file.as_file(), fill)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn filled(file: &File, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    fill(&mut writer)?;
    writer.flush()
}
