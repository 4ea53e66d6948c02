//! Program lookup.

use std::path::{Path, PathBuf};

use eval_spec::Context;

/// The file that `name` runs: a path if it has a slash, relative to the working directory; else the
/// first executable file of that name in `PATH`.
pub fn find(name: &str, context: &Context) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(context.absolute(Path::new(name))).filter(|path| is_executable(path));
    }
    let folders = context.var("PATH")?.split(':').filter(|folder| !folder.is_empty());
    folders.map(|folder| context.absolute(Path::new(folder)).join(name)).find(|path| is_executable(path))
}

/// Whether `path` is a file that can be run.
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
