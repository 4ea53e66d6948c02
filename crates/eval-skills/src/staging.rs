//! New skills on disk, all or none: written into a hidden directory, checked there, and moved into place. If a move fails,
//! the earlier ones are undone.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::{TempDir, TempPath};

use crate::create::Draft;

/// Drafts on disk that are not in place yet.
pub(crate) struct Staged {
    /// Hidden, in the output directory.
    stage: TempDir,
    output: PathBuf,
    /// The topmost directory that was created for it.
    made: Option<PathBuf>,
}

enum UndoStep {
    /// Removes a directory with its contents.
    Directory(PathBuf),
    File(PathBuf),
    /// Moves a replaced file back: its path, and where it is now.
    Aside(PathBuf, PathBuf),
}

/// Writes drafts into a hidden directory in `output`, which is created if need be.
///
/// # Errors
/// They can't be written. Everything is removed again.
pub(crate) fn stage(output: &Path, drafts: &[Draft]) -> io::Result<Staged> {
    let made = output.ancestors().take_while(|path| path.symlink_metadata().is_err()).last().map(Path::to_owned);
    let stage = std::fs::create_dir_all(output)
        .and_then(|()| tempfile::Builder::new().prefix(".create-").tempdir_in(output))
        .inspect_err(|_| drop(made.as_ref().map(std::fs::remove_dir)))?;
    let staged = Staged { stage, output: output.to_owned(), made };
    match drafts.iter().try_for_each(|draft| staged.write(draft)) {
        Ok(()) => Ok(staged),
        Err(error) => {
            staged.discard();
            Err(error)
        }
    }
}

impl Staged {
    pub(crate) fn path(&self) -> &Path {
        self.stage.path()
    }

    fn write(&self, draft: &Draft) -> io::Result<()> {
        for (name, content) in &draft.files {
            let path = self.path().join(&draft.id).join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
            std::fs::write(path, content)?;
        }
        Ok(())
    }

    /// Removes everything.
    pub(crate) fn discard(self) {
        let Staged { stage, made, output } = self;
        drop(stage);
        // Only directories that were created, and only while they are empty.
        if let Some(made) = made {
            let ours = output.ancestors().take_while(|path| path.starts_with(&made));
            ours.take_while(|path| std::fs::remove_dir(path).is_ok()).for_each(drop);
        }
    }

    /// Moves the drafts into place; existing files of the same names are replaced.
    ///
    /// # Errors
    /// One can't be moved. All moves are undone.
    pub(crate) fn commit(self, drafts: &[Draft]) -> io::Result<()> {
        let mut steps = Vec::new();
        let moved = drafts.iter().try_for_each(|draft| self.move_in(draft, &mut steps));
        if moved.is_err() {
            steps.into_iter().rev().for_each(undo);
            self.discard();
        }
        moved
    }

    fn move_in(&self, draft: &Draft, steps: &mut Vec<UndoStep>) -> io::Result<()> {
        let (from, to) = (self.path().join(&draft.id), self.output.join(&draft.id));
        if to.symlink_metadata().is_err() {
            std::fs::rename(from, &to)?;
            steps.push(UndoStep::Directory(to));
            return Ok(());
        }
        for (name, _) in &draft.files {
            let path = to.join(name);
            if let Some(parent) = path.parent().filter(|parent| parent.symlink_metadata().is_err()) {
                std::fs::create_dir(parent)?;
                steps.push(UndoStep::Directory(parent.to_owned()));
            }
            if path.symlink_metadata().is_ok() {
                let aside = self.path().join(format!("aside-{}", steps.len()));
                std::fs::rename(&path, &aside)?;
                steps.push(UndoStep::Aside(path.clone(), aside));
            }
            TempPath::try_from_path(from.join(name))?.persist_noclobber(&path).map_err(|error| error.error)?;
            steps.push(UndoStep::File(path));
        }
        Ok(())
    }
}

fn undo(step: UndoStep) {
    let _ = match step {
        UndoStep::Directory(path) => std::fs::remove_dir_all(path),
        UndoStep::File(path) => std::fs::remove_file(path),
        UndoStep::Aside(path, aside) => std::fs::rename(aside, path),
    };
}
