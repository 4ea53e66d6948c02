//! Origin of a run: its repository, and the channels that were closed to its variants.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use eval_format::{Channel, GitInfo};
use eval_load::{git_command, git_on_files};
use eval_message::msg;
use eval_process::{ProcessError, output_within};
use eval_spec::Context;
use eval_spec::files::odd_git_file;
use eval_spec::hash::short_hash;
use eval_spec::suite::Settings;

use crate::terminal::Terminal;

/// Time limit of git and node: a hanging file system must not block the report.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longest output that is read, in bytes: `git status` prints a line for each changed file.
const MAX_OUTPUT: usize = 64 << 20;

/// Returns the channels to other artifacts, and if the executor cuts them.
pub fn channels(settings: &Settings) -> BTreeMap<String, Channel> {
    eval_exec::isolation(&settings.executor, settings)
        .into_iter()
        .filter_map(|(channel, state)| Some((channel.to_owned(), channel_state(state)?)))
        .collect()
}

/// Converts a state; a channel that the executor does not have counts as cut.
fn channel_state(state: &str) -> Option<Channel> {
    match state {
        "cut" | "none" => Some(Channel::Cut),
        "open" => Some(Channel::Open),
        "unverified" => Some(Channel::Unverified),
        _ => None,
    }
}

/// Returns a hash that identifies the project of the sample file in any checkout: of the remote of its repository, and
/// the folder in it. `None` outside of a repository.
pub fn project_mark(terminal: &Terminal, context: &Context, samples: &Path) -> Option<String> {
    let directory = samples.parent()?;
    let git = |arguments: &[&str]| git_line(terminal, context, directory, arguments);
    let remote = git(&["config", "--get", "remote.origin.url"])?;
    // The user before `@` doesn't identify the project, and may be a secret.
    let address = remote.rsplit_once('@').map_or(remote.as_str(), |(_, address)| address);
    let folder = git(&["rev-parse", "--show-prefix"]).unwrap_or_default();
    Some(short_hash(format!("{address}\0{folder}").as_bytes(), 12))
}

/// Returns the state of the repository that the run was started in; `None` if there is none, or git fails.
pub fn git_info(terminal: &Terminal, context: &Context, directory: &Path) -> Option<GitInfo> {
    if let Some(odd) = odd_git_file(directory) {
        terminal.warn(&msg!("load-git-odd-file", path = context.display(&odd)));
        return None;
    }
    let git = |arguments: &[&str]| git_line(terminal, context, directory, arguments);
    let commit = git(&["rev-parse", "--verify", "HEAD"])?;
    let branch = git(&["symbolic-ref", "--short", "-q", "HEAD"]);
    let mut status = git_on_files(context, directory).ok()?;
    status.args(["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"]);
    let dirty = line_of(terminal, status).is_some();
    Some(GitInfo { commit, branch, dirty })
}

fn git_line(terminal: &Terminal, context: &Context, directory: &Path, arguments: &[&str]) -> Option<String> {
    if odd_git_file(directory).is_some() {
        return None;
    }
    let mut git = git_command(context, directory);
    git.args(arguments);
    line_of(terminal, git)
}

/// Returns the first line that a program prints, if it succeeds. A program that takes longer than a minute is killed,
/// with a warning.
pub fn line_of(terminal: &Terminal, command: Command) -> Option<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let (exit, stdout) = output_within(command, PATIENCE, MAX_OUTPUT)
        .inspect_err(|error| {
            if matches!(error, ProcessError::Timeout { .. }) {
                terminal.warn(&msg!("cli-program-timeout", program = line, seconds = PATIENCE.as_secs()));
            }
        })
        .ok()?;
    let line = String::from_utf8(stdout).ok()?.lines().next()?.trim().to_owned();
    (exit.status.success() && !line.is_empty()).then_some(line)
}
