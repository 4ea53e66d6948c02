//! What the text of a tool's result tells.

use eval_spec::call::ToolOutput;

/// The exit code of a command that failed, which is the first line of its output.
pub(crate) fn exit_code(tool: &str, text: &str, is_error: bool) -> Option<i64> {
    let line = text.lines().next().filter(|_| is_error && tool == "Bash")?;
    line.strip_prefix("Exit code ")?.trim().parse().ok()
}

/// Whether a tool that searches found nothing: its result says so, or its text, where there is nothing else.
pub(crate) fn has_nothing(tool: &str, output: &ToolOutput, found: Option<u64>) -> bool {
    let says = || ["No matches found", "No files found"].iter().any(|text| output.text.starts_with(text));
    matches!(tool, "Grep" | "Glob") && found.map_or_else(says, |found| found == 0)
}

/// Whether a call was given up because another one of its message failed, or because the user stopped the agent.
pub(crate) fn is_cancelled(output: &ToolOutput) -> bool {
    let words = ["<tool_use_error>Sibling tool call errored", "[Request interrupted by user"];
    output.is_error && words.iter().any(|text| output.text.starts_with(text))
}
