//! A skill's files: their names, and small ones among them read.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most files that are looked at, and how deep.
const MOST: usize = 5_000;
const DEPTH: usize = 8;

/// The largest file that is read.
const LARGEST: u64 = 4 << 20;

/// Folders of others, and caches.
const PASSED_OVER: [&str; 8] = [".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".hg", ".svn"];

/// A file or a link, by its path in the skill's folder.
pub(super) struct SkillFile {
    pub(super) path: PathBuf,
    pub(super) is_link: bool,
}

/// The files and links below `directory`, sorted; links are not followed. Not all of very many.
pub(super) fn listed(directory: &Path) -> Vec<SkillFile> {
    let (mut found, mut rest) = (Vec::new(), vec![(PathBuf::new(), 0)]);
    while let Some((folder, depth)) = rest.pop() {
        let Ok(entries) = fs::read_dir(directory.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            match kind.is_dir() {
                true if depth < DEPTH && !PASSED_OVER.iter().any(|name| entry.file_name() == *name) => {
                    rest.push((path, depth + 1));
                }
                true => {}
                false => found.push(SkillFile { path, is_link: kind.is_symlink() }),
            }
            if found.len() + rest.len() >= MOST {
                return found;
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The text of a regular file that isn't too large.
pub(super) fn text(path: &Path) -> Option<String> {
    // Devices and pipes may never end; they are refused before they are opened.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut text = String::new();
    let mut file = File::open(path).ok()?.take(LARGEST);
    file.read_to_string(&mut text).ok()?;
    Some(text)
}
