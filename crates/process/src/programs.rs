//! Program lookup.

use std::path::{Path, PathBuf};

use eval_spec::Context;
use eval_spec::files::mode;

/// File extensions of programs, which a name may leave out.
const EXTENSIONS: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[] };

/// The file that `name` runs: a path if it has a slash, relative to the working directory; else the
/// first executable file of that name in `PATH`.
pub fn find(name: &str, context: &Context) -> Option<PathBuf> {
    if name.contains(std::path::is_separator) {
        return in_folder(&context.cwd, name);
    }
    folders(context.var("PATH")?).find_map(|folder| in_folder(&context.absolute(&folder), name))
}

/// Splits `PATH` into its folders; empty ones are left out.
pub fn folders(path: &str) -> impl Iterator<Item = PathBuf> + '_ {
    std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty())
}

/// The executable file that `name` runs in a folder. On Windows the name may lack its extension.
pub fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    // Windows has two files for `npm`; the one without an extension is for Unix shells.
    let extensions = EXTENSIONS.iter().copied().chain([""]);
    extensions.map(|extension| folder.join(format!("{name}{extension}"))).find(|path| is_executable(path))
}

/// Whether `path` is an executable file. Any file is, where the system has no executable bit.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && mode(&file).is_none_or(|mode| mode & 0o111 != 0))
}
