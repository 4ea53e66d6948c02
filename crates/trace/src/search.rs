//! Commands that search: to find nothing is no failure.

/// The note on a search that found nothing.
pub(crate) const NO_MATCH: &str = "No matches found";

/// Whether a command is a search that ended as one without a match does: exit code 1 and no output.
pub(crate) fn finds_nothing(command: &str, code: Option<i64>, output: &str) -> bool {
    code == Some(1) && output.trim().is_empty() && is_search(inner(command))
}

/// What a shell is given: `/bin/bash -lc 'grep x .'` → `grep x .`.
fn inner(command: &str) -> &str {
    let Some((before, rest)) = command.split_once(" -lc ").or_else(|| command.split_once(" -c ")) else {
        return command;
    };
    match before.ends_with("sh") && !before.contains(' ') {
        true => rest.trim().trim_matches(['\'', '"']),
        false => command,
    }
}

/// Whether the last command of a line searches: its exit code is that of the line.
fn is_search(line: &str) -> bool {
    let last = line.rsplit(['|', ';', '&', '\n']).next().unwrap_or(line);
    let mut words = last.split_whitespace().skip_while(|word| word.contains('='));
    let program = words.next().map(|word| word.rsplit('/').next().unwrap_or(word));
    match program {
        Some("grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack") => true,
        Some("git") => words.find(|word| !word.starts_with('-')) == Some("grep"),
        _ => false,
    }
}
