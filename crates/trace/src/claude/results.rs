//! What the text of a tool's result tells.

use eval_spec::call::ToolOutput;
use serde_json::Value;

/// The exit code of a command that failed, which is the first line of its output.
pub(crate) fn exit_code(tool: &str, text: &str, is_error: bool) -> Option<i64> {
    let line = text.lines().next().filter(|_| is_error && tool == "Bash")?;
    line.strip_prefix("Exit code ")?.trim().parse().ok()
}

/// Numbers that the program keeps of a search, beside the text that the model sees.
///
/// Each mode of Grep counts its own unit: `numFiles` is 0 in the mode `content`, whatever was found. The totals count what
/// stands before and after the page that was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchCounts {
    pub(crate) mode: Option<String>,
    pub(crate) files: Option<u64>,
    pub(crate) total_files: Option<u64>,
    pub(crate) lines: Option<u64>,
    pub(crate) total_lines: Option<u64>,
    pub(crate) matches: Option<u64>,
}

impl SearchCounts {
    /// Reads the result as the program writes it in a stream or a session file.
    pub(crate) fn of(result: &Value) -> SearchCounts {
        let number = |name: &str| result[name].as_u64();
        SearchCounts {
            mode: result["mode"].as_str().map(str::to_owned),
            files: number("numFiles"),
            total_files: number("totalFiles"),
            lines: number("numLines"),
            total_lines: number("totalLines"),
            matches: number("numMatches"),
        }
    }

    /// Whether the numbers of this mode say that something was found.
    fn has_hits(&self) -> bool {
        let counts = match self.mode.as_deref() {
            Some("content") => [self.lines, self.total_lines],
            Some("count") => [self.matches, None],
            _ => [self.files, self.total_files],
        };
        counts.into_iter().flatten().any(|count| count > 0)
    }
}

/// Whether a tool that searches found nothing: no number says that there was a hit, and the text that the model sees names none.
/// A mock replaces the text alone, so the text decides where the numbers are 0.
pub(crate) fn has_nothing(tool: &str, output: &ToolOutput, counts: &SearchCounts) -> bool {
    let text = output.text.trim();
    let says = text.is_empty() || ["No matches found", "No files found"].iter().any(|words| text.starts_with(words));
    matches!(tool, "Grep" | "Glob") && says && !counts.has_hits()
}

/// Whether a call was given up because another one of its message failed, or because the user stopped the agent.
pub(crate) fn is_cancelled(output: &ToolOutput) -> bool {
    let words = ["<tool_use_error>Sibling tool call errored", "[Request interrupted by user"];
    output.is_error && words.iter().any(|text| output.text.starts_with(text))
}
