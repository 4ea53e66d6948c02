//! Where a recording goes: a file, and a folder for long answers. What can't be written, or is an input, is refused before
//! anything is paid for.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_cli::output::{check_not_input, is_inside};
use eval_format::{WriteError, write_whole};
use eval_message::msg;
use eval_spec::Context;
use eval_spec::suite::Settings;

/// Where the recording is written.
pub(super) struct MocksPlace {
    pub(super) file: PathBuf,
    /// For long answers.
    pub(super) folder: PathBuf,
    /// The folder of the sample file, to which paths in it refer.
    beside: PathBuf,
}

impl MocksPlace {
    pub(super) fn new(context: &Context, settings: &Settings, output: Option<&Path>) -> MocksPlace {
        let beside = settings.samples.parent().unwrap_or(&context.cwd).to_path_buf();
        let file = output.map_or_else(|| beside.join("mocks.yaml"), |path| context.absolute(path));
        let folder = [file.with_extension("files"), file.with_extension("files.files")];
        let folder = folder.into_iter().find(|folder| *folder != file).unwrap_or_default();
        MocksPlace { file, folder, beside }
    }

    /// Refuses to overwrite what is there, unless it is wanted.
    pub(super) fn check_absent(&self, context: &Context, force: bool) -> Result<(), CommandError> {
        let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
        match [&self.file, &self.folder].into_iter().find(is_there).filter(|_| !force) {
            Some(there) => {
                let message = msg!("cli-mocks-exists", path = context.display(there));
                Err(CommandError::usage(message, msg!("cli-mocks-exists-help")))
            }
            None => Ok(()),
        }
    }

    /// Refuses what is read, and what can't be written.
    pub(super) fn check(&self, context: &Context, inputs: Vec<PathBuf>) -> Result<(), CommandError> {
        // Where everything lies in one folder, that is no reason.
        let inputs: Vec<&Path> =
            inputs.iter().map(PathBuf::as_path).filter(|of| !self.beside.starts_with(of)).collect();
        check_not_input(context, &self.file, inputs.iter().copied())?;
        if inputs.iter().any(|input| is_inside(input, &self.folder)) {
            let message = msg!("cli-output-is-input", path = context.display(&self.folder));
            return Err(CommandError::usage(message, None));
        }
        let is_other = |path: &Path, is_right: fn(&Path) -> bool| path.symlink_metadata().is_ok() && !is_right(path);
        let wrong =
            [(&self.file, is_other(&self.file, Path::is_file)), (&self.folder, is_other(&self.folder, Path::is_dir))];
        if let Some((path, _)) = wrong.iter().find(|(_, is_wrong)| *is_wrong) {
            let message = msg!("cli-mocks-no-file", path = context.display(path));
            return Err(CommandError::usage(message, msg!("cli-mocks-no-file-help")));
        }
        let beside = self.file.parent().unwrap_or(&self.beside);
        let folder = self.folder.is_dir().then_some(self.folder.as_path());
        [beside].into_iter().chain(folder).try_for_each(|folder| {
            let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)).map(drop);
            tried.map_err(CommandError::io(msg!("cli-cannot-write", path = context.display(folder))))
        })
    }

    /// The folder as a sample file names it.
    pub(super) fn folder_name(&self) -> String {
        self.folder.strip_prefix(&self.beside).unwrap_or(&self.folder).display().to_string()
    }

    pub(super) fn write(&self, context: &Context, path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
        let failed = |path: &Path| CommandError::io(msg!("cli-cannot-write", path = context.display(path)));
        let folder = path.parent().unwrap_or(&self.beside);
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let written = write_whole(path, |file| file.write_all(bytes));
        written.map_err(|WriteError { path, source }| failed(&path)(source))
    }
}

/// What the settings name, whichever variant is run: artifacts, the folder of skills, people's scores, recordings.
pub(super) fn inputs(context: &Context, settings: &Settings) -> Vec<PathBuf> {
    let variants = settings.control.iter().chain(&settings.treatments);
    let artifacts = variants.map(|variant| context.absolute(Path::new(&variant.artifact)));
    let Settings { gold_dir, recordings, record, .. } = settings;
    let folders = [gold_dir, recordings, record].into_iter().flatten().chain([&settings.skill_dir]);
    artifacts.chain(folders.map(|folder| context.absolute(folder))).collect()
}
