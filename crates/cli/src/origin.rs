//! Where a run comes from: its repository, and what it kept its variants from seeing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use eval_format::{Channel, GitInfo};
use eval_load::git_command;
use eval_spec::Context;
use eval_spec::hash::short_hash;
use eval_spec::suite::Settings;

/// The channels to other artifacts, and whether the executor cuts them.
pub fn channels(settings: &Settings) -> BTreeMap<String, Channel> {
    eval_exec::isolation(&settings.executor, settings)
        .into_iter()
        .filter_map(|(channel, state)| Some((channel.to_owned(), channel_state(state)?)))
        .collect()
}

/// A channel that the executor does not have is as good as cut.
fn channel_state(state: &str) -> Option<Channel> {
    match state {
        "cut" | "none" => Some(Channel::Cut),
        "open" => Some(Channel::Open),
        "unverified" => Some(Channel::Unverified),
        _ => None,
    }
}

/// What stands for the project of the sample file: where its repository comes from, and the folder in it. Another
/// checkout is the same project, and what is in no repository tells nothing.
pub fn project_mark(context: &Context, samples: &Path) -> Option<String> {
    let directory = samples.parent()?;
    let git = |arguments: &[&str]| line_of(git_command(context, directory).args(arguments));
    let remote = git(&["config", "--get", "remote.origin.url"])?;
    // who fetches from it doesn't matter, and may be a secret
    let address = remote.rsplit_once('@').map_or(remote.as_str(), |(_, address)| address);
    let folder = git(&["rev-parse", "--show-prefix"]).unwrap_or_default();
    Some(short_hash(format!("{address}\0{folder}").as_bytes(), 12))
}

/// The state of the repository the run was started in, if there is one and git can tell.
pub fn git_info(context: &Context, directory: &Path) -> Option<GitInfo> {
    let git = |arguments: &[&str]| line_of(git_command(context, directory).args(arguments));
    let commit = git(&["rev-parse", "--verify", "HEAD"])?;
    let branch = git(&["symbolic-ref", "--short", "-q", "HEAD"]);
    let dirty = git(&["status", "--porcelain", "--untracked-files=no"]).is_some();
    Some(GitInfo { commit, branch, dirty })
}

/// The first line a program prints, if it succeeds and prints one.
pub fn line_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(std::process::Stdio::null()).output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8(output.stdout).ok()?.lines().next()?.trim().to_owned();
    (!line.is_empty()).then_some(line)
}
