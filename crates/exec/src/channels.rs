//! The channels by which something other than the call may reach the model.

use eval_spec::suite::Settings;

/// Channel and state: `cut`, `open` (left so on purpose), `unverified`, or `none` where the executor has no such channel.
pub(crate) type Channels = Vec<(&'static str, &'static str)>;

/// The channels, in the order of reports: the user's settings with hooks and memory files, the
/// project's, skills and slash commands, MCP servers, plugins, notes between sessions, and the
/// files of the working directory.
pub(crate) const CHANNELS: [&str; 7] =
    ["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"];

/// A model API gets nothing but the call.
pub(crate) fn none(_: &Settings) -> Channels {
    CHANNELS.map(|channel| (channel, "none")).to_vec()
}

/// Nothing is known of a program, nor of how a recording was made.
pub(crate) fn unverified(_: &Settings) -> Channels {
    CHANNELS.map(|channel| (channel, "unverified")).to_vec()
}
