//! A scratch directory, and a command that runs in it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::Finished;

/// A scratch directory with its own home, and a binary to run in it.
#[derive(Debug)]
pub struct ScratchProject {
    directory: TempDir,
    binary: PathBuf,
    environment: Vec<(String, String)>,
}

impl ScratchProject {
    /// Creates an empty project; `home` is the variable in which the binary finds its home directory.
    pub fn new(binary: &str, home: &str) -> ScratchProject {
        let directory = tempfile::Builder::new().prefix("project-").tempdir();
        let directory = directory.unwrap_or_else(|error| panic!("no scratch directory: {error}"));
        let mut project = ScratchProject { directory, binary: binary.into(), environment: Vec::new() };
        project.env(home, &project.home().display().to_string());
        project.env("OMK_LANG", "en");
        project
    }

    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Returns the home directory of the binary.
    pub fn home(&self) -> PathBuf {
        self.path(".home")
    }

    /// Writes a file and creates its parent directories.
    #[track_caller]
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, content));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Writes a value as a JSON file.
    #[track_caller]
    pub fn write_json(&self, name: &str, content: &Value) -> PathBuf {
        self.write(name, &format!("{content:#}\n"))
    }

    /// Writes an executable shell script.
    #[track_caller]
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.write(name, &format!("#!/bin/sh\n{body}"));
        let executable = fs::set_permissions(&path, fs::Permissions::from_mode(0o755));
        executable.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    /// Reads a file of the project.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Sets an environment variable for all later runs.
    pub fn env(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the command, not started yet, in an environment without any variable of the developer.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root())
            .stdin(Stdio::null())
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the binary to its end.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Finished {
        self.run_with(arguments, &[])
    }

    /// Runs the binary to its end, with additional environment variables.
    #[track_caller]
    pub fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Finished {
        let output = self.command(arguments).envs(environment.iter().copied()).output();
        output.unwrap_or_else(|error| panic!("{}: {error}", self.binary.display())).into()
    }
}

/// Returns the sorted entries of a directory; none if it doesn't exist.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut files: Vec<PathBuf> = entries.unwrap_or_default();
    files.sort();
    files
}

/// Returns everything below a directory, sorted: relative path and content. The content of a symbolic link is its
/// target; directories have none.
pub fn tree(directory: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    fn walk(root: &Path, directory: &Path, entries: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
        for path in files(directory) {
            let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
            if path.is_symlink() {
                let target = fs::read_link(&path).map(|target| target.into_os_string().into_encoded_bytes());
                entries.push((relative, target.ok()));
            } else if path.is_file() {
                let content = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                entries.push((relative, Some(content)));
            } else {
                entries.push((relative, None));
                walk(root, &path, entries);
            }
        }
    }
    let mut entries = Vec::new();
    walk(directory, directory, &mut entries);
    entries
}
