//! Files that an agent read, whose lines a search showed it, or that it saw in a listing.

use eval_spec::call::ToolCall;
use eval_spec::gap::{AccessKind, LineRange};
use serde_json::Value;

use crate::conversation::Conversation;
use crate::outcome::{SearchOutcome, outcome};
use crate::search::{SearchCall, SearchTool, SearchingLine, search};
use crate::shell::{PipelineSearch, base};

/// What an agent looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookedUp {
    /// Searches and reads, also those that found nothing.
    pub searches: usize,
    /// The paths that it met.
    pub paths: Vec<PathAccess>,
}

/// A path that an agent met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathAccess {
    /// As the transcript has it; a relative one refers to the working directory. It may be a pattern with `*`.
    pub path: String,
    /// How.
    pub kind: AccessKind,
    /// Which of its lines, where the transcript tells; none for a file that was read whole.
    pub lines: Option<LineRange>,
}

/// What an agent looked up. What a mock answered is no file.
#[must_use]
pub fn looked_up(conversation: &Conversation) -> LookedUp {
    let mut found = LookedUp::default();
    let calls = conversation.turns.iter().flat_map(|turn| &turn.calls).filter(|call| call.mock.is_none());
    for call in calls {
        let Some(search) = search(call, &conversation.rules) else { continue };
        found.searches += 1;
        if outcome(call, &search) == SearchOutcome::Found {
            found.paths.extend(paths(call, &search));
        }
    }
    found
}

fn paths(call: &ToolCall, search: &SearchCall) -> Vec<PathAccess> {
    let output = call.output.as_ref().map_or("", |output| output.text.as_str());
    match (search.tool, &search.line) {
        (SearchTool::Shell, Some(line)) => of_line(line, output),
        (SearchTool::Read, _) => read(call, search),
        (SearchTool::Grep, _) => {
            let alone = call.input["path"].as_str().or(call.input["dir_path"].as_str());
            hits(output, "", alone)
        }
        (SearchTool::Glob | SearchTool::List, _) => {
            let folder = (search.tool == SearchTool::List).then_some(search.query.as_str());
            listed(output, folder.unwrap_or_default())
        }
        (SearchTool::WebSearch | SearchTool::WebFetch | SearchTool::Shell | SearchTool::Server, _) => Vec::new(),
    }
}

/// The files of a tool that reads.
fn read(call: &ToolCall, search: &SearchCall) -> Vec<PathAccess> {
    let several = ["paths", "include"].iter().find_map(|argument| call.input[*argument].as_array());
    let files: Vec<String> = match several {
        Some(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => search.files.clone(),
    };
    let lines = range(&call.input);
    files.into_iter().map(|path| PathAccess { path, kind: AccessKind::Read, lines }).collect()
}

/// The lines that the arguments of a reading tool ask for.
fn range(input: &Value) -> Option<LineRange> {
    let number = |name: &str| input[name].as_u64();
    let view = input["view_range"].as_array().map(|of| (of.first().and_then(Value::as_u64), of.get(1)));
    if let Some((Some(first), last)) = view {
        return Some(LineRange { first, last: last.and_then(Value::as_u64) });
    }
    if let Some(first) = number("start_line") {
        return Some(LineRange { first: first.max(1), last: number("end_line") });
    }
    match (number("offset"), number("limit")) {
        (None, None) => None,
        (offset, limit) => {
            let first = offset.unwrap_or(1).max(1);
            Some(LineRange { first, last: limit.map(|limit| first.saturating_add(limit).saturating_sub(1).max(first)) })
        }
    }
}

/// What a line of a shell read, searched and listed. `cd` moves what comes after it.
fn of_line(line: &SearchingLine, output: &str) -> Vec<PathAccess> {
    let mut folder = String::new();
    let mut found = Vec::new();
    for (at, pipeline) in line.line.pipelines.iter().enumerate() {
        let Some(command) = pipeline.commands.first() else { continue };
        if let ("cd" | "pushd", Some(to)) = (base(&command[0]), command.get(1)) {
            folder = joined(&folder, to);
            continue;
        }
        let search = line.searches.iter().find(|(place, _)| *place == at).map(|(_, search)| search);
        let Some(search) = search.filter(|search| !search.is_quiet) else { continue };
        found.extend(of_pipeline(search, command, &folder, output));
    }
    found
}

fn of_pipeline(search: &PipelineSearch, command: &[String], folder: &str, output: &str) -> Vec<PathAccess> {
    match base(&command[0]) {
        _ if search.is_read && !search.counts => {
            let lines = printed(command);
            let of = |path: &String| PathAccess { path: joined(folder, path), kind: AccessKind::Read, lines };
            search.paths.iter().map(of).collect()
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "sed" => {
            let alone = match search.paths.as_slice() {
                [one] if !search.counts => Some(joined(folder, one)),
                _ => None,
            };
            hits(output, folder, alone.as_deref())
        }
        "git" if command.iter().any(|word| word == "grep") => hits(output, folder, None),
        "ls" => {
            let below = search.paths.first().map_or_else(|| folder.to_owned(), |path| joined(folder, path));
            listed(output, &below)
        }
        _ => listed(output, folder),
    }
}

/// The lines that `head` and `sed -n` print.
fn printed(command: &[String]) -> Option<LineRange> {
    match base(&command[0]) {
        "head" => {
            let count = command[1..].iter().find_map(|word| word.trim_start_matches(['-', 'n']).parse::<u64>().ok());
            Some(LineRange { first: 1, last: Some(count.unwrap_or(10)) })
        }
        "sed" => {
            let script =
                command.iter().find(|word| word.ends_with('p') && word.starts_with(|c: char| c.is_ascii_digit()))?;
            let (first, last) =
                script.trim_end_matches('p').split_once(',').unwrap_or((script.trim_end_matches('p'), ""));
            let first = first.parse().ok()?;
            let last = if last.is_empty() { Some(first) } else { last.parse().ok() };
            Some(LineRange { first, last })
        }
        _ => None,
    }
}

/// The files whose lines a search prints: `path:12:text`, `path:text`, a path alone, or numbered lines below a path. `alone` is
/// the only file that was searched: its lines have no path before them.
fn hits(output: &str, folder: &str, alone: Option<&str>) -> Vec<PathAccess> {
    let mut heading = alone.map(str::to_owned);
    let mut found = Vec::new();
    for line in output.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        let hit = |path: String, number: Option<u64>| PathAccess {
            path,
            kind: AccessKind::Match,
            lines: number.map(|first| LineRange { first, last: Some(first) }),
        };
        // Gemini names each file on a line of its own, below the folder that was searched.
        if let Some(name) = line.strip_prefix("File: ") {
            heading = Some(match alone {
                Some(path) if path.ends_with(name) => path.to_owned(),
                _ => joined(alone.unwrap_or(folder), name),
            });
            continue;
        }
        match numbered(line.strip_prefix('L').filter(|_| heading.is_some()).unwrap_or(line)) {
            Some(("", number)) => found.extend(heading.clone().map(|path| hit(path, Some(number)))),
            Some((path, number)) => found.push(hit(joined(folder, path), Some(number))),
            None => {
                let path = line.split_once(':').map_or(line, |(path, _)| path);
                found.push(hit(joined(folder, path), None));
                match (alone, line.contains(':')) {
                    (Some(path), _) => found.push(hit(path.to_owned(), None)),
                    (None, false) => heading = Some(joined(folder, line)),
                    (None, true) => {}
                }
            }
        }
    }
    found
}

/// `path:12:text` and `12:text`; also with `-`, as lines around a hit are printed.
fn numbered(line: &str) -> Option<(&str, u64)> {
    for (at, mark) in line.match_indices([':', '-']) {
        let rest = &line[at + mark.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with(mark) {
            return Some((&line[..at], rest[..digits].parse().ok()?));
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = digits > 0 && line[digits..].starts_with([':', '-']);
    is_number.then(|| line[..digits].parse().ok()).flatten().map(|number| ("", number))
}

/// The paths of a listing.
fn listed(output: &str, folder: &str) -> Vec<PathAccess> {
    let mut below = folder.to_owned();
    let mut found = Vec::new();
    for line in output.lines().map(str::trim).filter(|line| !line.is_empty()) {
        // `ls -R` and `ls a b` name each folder.
        if let Some(heading) = line.strip_suffix(':') {
            below = heading.strip_prefix("Directory listing for ").unwrap_or(heading).to_owned();
            continue;
        }
        // `ls -l` prints the name last.
        let name = line.trim_start_matches("- ");
        let name = if name.starts_with(['-', 'l']) && name.split_whitespace().count() >= 9 {
            name.split_whitespace().nth(8).unwrap_or(name)
        } else {
            name
        };
        // Gemini marks folders, and tells how large files are.
        let name = name.trim_start_matches("[DIR] ");
        let name = name.strip_suffix(" bytes)").and_then(|of| of.rsplit_once(" (")).map_or(name, |(name, _)| name);
        found.push(PathAccess { path: joined(&below, name), kind: AccessKind::List, lines: None });
    }
    found
}

fn joined(folder: &str, path: &str) -> String {
    match folder.is_empty() || folder == "." || path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{}/{path}", folder.trim_end_matches('/')),
    }
}
