//! How a search ended, by what its tool returned.

use std::sync::LazyLock;

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::files::below_home;
use regex::Regex;
use serde_json::Value;

use crate::prose::pattern;
use crate::search::{SearchCall, SearchTool, SearchingLine};
use crate::shell::{PipelineSearch, ShellEcho, ShellLine, ShellPipeline, base};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// It found something, be it too large to be shown.
    Found,
    /// It found nothing, or what it was to look in isn't there.
    Missed,
    /// Its pattern or its line was refused: nothing was searched.
    Broken,
    /// It was not run, or was stopped.
    Cancelled,
    /// What it asks was not there to answer: a service that is down, a time limit.
    Unavailable,
    /// The transcript doesn't tell.
    Unknown,
}

macro_rules! patterns {
    ($($name:ident = $text:expr;)*) => {$(
        static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));
    )*};
}

patterns! {
    CANCELLED = r"(?i)sibling tool call errored|doesn't want to (proceed|take this action)|interrupted by (the )?user|cancell?ed by (the )?user|operation (was )?cancell?ed|user (has )?(rejected|declined|denied|aborted)|tool use was rejected|rejected by (the )?user|aborted by user|^cancell?ed\b|<tool_use_error>cancell?ed|parallel tool call .*(errored|cancell?ed)|command was aborted|\(cancell?ed\)";
    DENIED = r"(?i)requested permissions? to|permission to (use|read|run)\b|haven't granted|has been denied|was denied|denied by|(blocked|refused)( by|:) .*(hook|policy|permission|sandbox|settings)|switched off|requires approval|not allowed to|is not in the allowed|auto-denied|outside (of )?the (allowed|workspace)|must be within (one of )?the (workspace|allowed)";
    UNAVAILABLE = r"(?i)timed? ?out|\btime-?out\b|rate.?limit|too many requests|\b(429|500|502|503|504|529)\b|service unavailable|temporarily unavailable|currently unavailable|is (down|unavailable|not available)|unavailable right now|connection (refused|reset|error|closed)|econnrefused|econnreset|etimedout|enotfound|eai_again|could not resolve|getaddrinfo|network (error|is unreachable)|fetch failed|overloaded|quota|bad gateway|api error|internal server error|tls|certificate|spawn \S+ enoent|not installed|failed to (start|spawn|launch)|server (is not|isn't|not) (connected|running|reachable)|disconnected";
    NO_TOOL = r#"(?i)^\s*(<tool_use_error>)?\s*(error: )?(tool ['"`]?[\w.-]+['"`]? (was |is )?(not|un)[ -]?(found|available|registered|supported|known)|(no such|unknown|unsupported) (tool|function|call)|unsupported call)\b"#;
    BROKEN = r"(?i)regex parse error|error parsing (the )?(regex|pattern|glob)|not allowed in a regex|no such tool|invalid (regex|regular|pattern|glob|option|argument|preceding|back|content|character|escape)|regular expression|unmatched|unclosed|unterminated|unrecognized (option|argument|file type)|unrecognized flag|unknown (option|predicate|argument|primary|flag|file type)|unexpected (argument|token|eof|end of file)|inputvalidationerror|required parameter|missing required|missing argument|illegal option|command not found|not found$|syntax error|trailing backslash|paths must precede|not a git repository|^usage:|bad substitution|parse error|dangling|nothing to repeat|no matches found: |event not found|bad pattern|requires an argument|option requires|ambiguous argument|bad revision|unknown revision|unable to resolve|not a valid object|bad object|unknown switch";
    TOO_LARGE = r"(?i)exceeds? (the )?max|too large|maximum allowed (size|tokens)|exceeds .*limit";
    IS_THERE = r"(?i)eisdir|^path is not a directory: |is a directory|illegal operation on a directory|file exists but|(file|contents?) (is|are) empty|has empty contents|binary files?\b|offset \d+|beyond the end|out of range|unsupported (file|image|format|encoding)|shorter than|(is|file) corrupt|password.protected";
    NO_HIT_OF_CLAUDE = r"(?i)^no (matches|files) found\W*$";
    NOTHING = r#"(?i)^\W*(no (matches|match|files|file|results?|web results?|search results?|relevant|matching|content|output|entries|such|directory|items|occurrences|data|information|documents?|pages?|hits?|links?)\b.*(found|match|exist|returned|available|for|$)|no (matches|files|results|output|content|hits)\W*$|found (0|no)\b|0 (matches|files|results|hits|matching|occurrences)|\(no output\)|\(empty\)|\(no content\)|\(bash completed with no output\)|bash completed with no output|empty( directory)?\W*$|nothing (was )?found|did not find any|could ?n'?t find any|(the )?directory .*is empty|none found|null\s*$|\[\s*\]\s*$|\{\s*\}\s*$|"?numfiles"?\s*:\s*0\b|tool ran without output)"#;
    SERVICE_ERROR = r"(?i)^\W*(web ?)?(search|fetch) (error|failed)\b|\b(search|fetch)( tool| service| api| engine| backend)? (is |was )?(currently |temporarily )?(unavailable|not available|disabled|out of service|rate.?limited)|^\W*(error: )?(too many requests|service (temporarily )?unavailable|rate.?limit(ed)? exceeded)|max_uses_exceeded|too_many_requests";
    STILL_RUNS = r"(?im)^\W*(process running with session id|command (is )?still running|(command|process) (was |is |is now )?(moved to|running in) (the )?background|process (is )?still running|background pids: \d)";
    SHELL_MESSAGE = r"^(?:(?:(?:/\S*/)?-?(?:bash|zsh|dash|ksh|ash|busybox|sh)|\(eval\)|eval|<stdin>)(?::\d+|: line \d+|: \d+|: -l?c|: eval)*:|fish:|(?:/\S*/)?\S+\.fish \(line \d+\):) ?(?P<message>.+)$";
    SHELL_REFUSAL = r"(?i)^(?:(?:-l?c|eval): )*(?:(?:line \d+: )?)(?:parse error|syntax error|unexpected (?:eof|end of)|unmatched|unterminated|bad (?:substitution|pattern|math expression|fd number|option|assignment|array subscript|floating point)|no matches found: |no match|.*event not found|.*bad substitution|.*unbound variable|.*read-only variable|.*readonly variable|read-only|unknown (?:file attribute|sort specifier)|number expected|file exists: |argument list too long|command not found|.*command not found|unknown command|expected |.*unexpected token|.*parameter not set|no matches for wildcard|command substitutions not allowed|unsupported use of|missing end|variables cannot be|invalid token|illegal command name|.*is not a valid variable|.*in fish\b|`|.* not found$|\S+: not found|permission denied: |.*ambiguous redirect|.*numeric argument required|unclosed|condition expected|division by zero|invalid (?:mode|subscript)|failed to expand|.*here-document)";
    START_UP = r"^(?P<file>/\S+|--): line \d+: .+$";
    TIMING = r"^(real|user|sys)\s+[\dms.]+$|\d% cpu .* total$";
    ZERO_FILES = r#"(?i)^\W*numfiles"?\s*[:=]\s*0\W*$"#;
    SPAWN = r"(?i)spawn \S+ enoent|not installed";
    IN_VAIN = r"(?i)^no (files|matches|results|entries)\b";
    MISSING = r"(?i)no such file|does not exist|doesn't exist|not found|enoent|cannot find|could not find|can't find|file not found|not a directory|没有那个文件|找不到|无法访问|不存在|cannot access|can't open|cannot open|can't read|\b(404|410)\b|no file|path .*exist";
    PROGRAM_ERROR = r"^(?:(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh: (?:line \d+: )?(?:\d+: )?)?(?P<program>[\w./-]+): (?P<rest>.*)$";
    WRAPPER = r"(?m)^(?:</?untrusted_context>|Shell cwd was reset to .*|Exit code:? -?\d+|Wall time:.*|Chunk ID:.*|Process exited with code -?\d+|Original token count:.*|Total output lines:.*|Output:|Command: .*|Directory: .*|Stdout: \(empty\)|Stderr: \(empty\)|Output: \(empty\)|Error: \(none\)|Exit Code: .*|Signal: \(none\)|Background PIDs: \(none\)|Process Group PGID: .*)$\n?";
    STREAM = r"(?m)^(?:Stdout|Stderr|Output|Error): ";
    EXIT_CODE = r"(?m)^(?:Exit code:?|Process exited with code|Exit Code:) (-?\d+)";
    ZERO_LINE = r"^(?:.*:)?\s*0(?: total)?$";
}

/// How a search ended.
pub(crate) fn outcome(call: &ToolCall, search: &SearchCall) -> SearchOutcome {
    let Some(output) = &call.output else { return SearchOutcome::Unknown };
    if call.status == Some(ToolStatus::NotRun) {
        return SearchOutcome::Cancelled;
    }
    // Its result comes with a later call.
    if output.note.as_deref().is_some_and(|note| STILL_RUNS.is_match(note)) {
        return SearchOutcome::Unknown;
    }
    match &search.line {
        Some(line) => of_line(call, output, line),
        None => of_tool(call, output, search),
    }
}

/// What Claude Code keeps of a command beside what the model was shown, and what earlier versions of codex showed it.
struct StructuredOutput {
    text: String,
    code: Option<i64>,
    interrupted: bool,
}

impl StructuredOutput {
    fn of(text: &str) -> Option<StructuredOutput> {
        let json: Value = serde_json::from_str(text.trim()).ok().filter(|_| text.trim_start().starts_with('{'))?;
        let part = |name: &str| json[name].as_str().map(str::trim);
        let codes = [&json["metadata"]["exit_code"], &json["exit_code"], &json["exitCode"], &json["exitCodeV2"]];
        let code = codes.into_iter().find_map(Value::as_i64);
        let is_refused = json["rejected"] == true;
        let stdout = part("stdout").or_else(|| part("output").filter(|_| code.is_some() || is_refused))?;
        let text = [stdout, part("stderr").unwrap_or_default()].join("\n");
        Some(StructuredOutput { text, code, interrupted: json["interrupted"] == true || is_refused })
    }
}

/// Whether the transcript says beside the text that a search matched nothing.
fn has_no_match(call: &ToolCall, output: &ToolOutput) -> bool {
    call.status == Some(ToolStatus::NoMatch) || output.note.as_deref().is_some_and(|note| NOTHING.is_match(note))
}

fn is_failed(call: &ToolCall, output: &ToolOutput) -> bool {
    output.is_error || call.status == Some(ToolStatus::Failed)
}

/// What a refusal or a failure says, in the order in which it is looked for.
fn refusal(text: &str) -> Option<SearchOutcome> {
    let rows = [
        (&*CANCELLED, SearchOutcome::Cancelled),
        (&*DENIED, SearchOutcome::Cancelled),
        (&*TOO_LARGE, SearchOutcome::Found),
        (&*IS_THERE, SearchOutcome::Found),
    ];
    rows.into_iter().find(|(pattern, _)| pattern.is_match(text)).map(|(_, outcome)| outcome)
}

fn of_tool(call: &ToolCall, output: &ToolOutput, search: &SearchCall) -> SearchOutcome {
    let result = StructuredResult::of(&output.text);
    let error = result.as_ref().and_then(StructuredResult::error);
    let text = error.unwrap_or_else(|| said(output));
    let failed = is_failed(call, output) || error.is_some();
    let is_web = matches!(search.tool, SearchTool::WebSearch | SearchTool::WebFetch | SearchTool::Server);
    // What a successful call returned is content, where it isn't short.
    let tells = failed || (text.len() < 200 && !text.contains('\n'));
    if let Some(outcome) = refusal(text).filter(|_| failed) {
        return outcome;
    }
    if tells && CANCELLED.is_match(text) {
        return SearchOutcome::Cancelled;
    }
    let is_broken = NO_TOOL.is_match(text) || (BROKEN.is_match(text) && !MISSING.is_match(text));
    if failed && is_broken {
        return SearchOutcome::Broken;
    }
    let is_absent = MISSING.is_match(text) && !SPAWN.is_match(text);
    if (failed || is_web) && tells && UNAVAILABLE.is_match(text) && !is_absent {
        return SearchOutcome::Unavailable;
    }
    if let Some(has_nothing) = search.has_nothing {
        return if has_nothing { SearchOutcome::Missed } else { SearchOutcome::Found };
    }
    if is_web && says_service_error(text, &search.query) {
        return SearchOutcome::Unavailable;
    }
    if has_no_match(call, output) {
        return SearchOutcome::Missed;
    }
    // A failure of which nothing says that it is one of finding.
    if failed && !is_web && !text.is_empty() && !MISSING.is_match(text) && !NOTHING.is_match(text) {
        return SearchOutcome::Unknown;
    }
    if failed {
        let is_vague =
            matches!(search.tool, SearchTool::WebSearch | SearchTool::Server) || (is_web && !MISSING.is_match(text));
        return if is_vague { SearchOutcome::Unavailable } else { SearchOutcome::Missed };
    }
    if search.tool == SearchTool::Read {
        // An empty file was found.
        let is_missing = tells && call.status.is_none() && MISSING.is_match(text);
        return if is_missing { SearchOutcome::Missed } else { SearchOutcome::Found };
    }
    if let Some(has_nothing) = result.as_ref().and_then(StructuredResult::has_nothing) {
        return if has_nothing { SearchOutcome::Missed } else { SearchOutcome::Found };
    }
    let is_missing = call.status.is_none() && tells && MISSING.is_match(text);
    let first = text.lines().next().unwrap_or_default();
    let says_nothing = match search.tool {
        // Pages were found, whatever the words before them say.
        SearchTool::WebSearch if text.replace(&search.query, "").contains("http") => false,
        SearchTool::WebSearch => text.lines().any(|line| NOTHING.is_match(line)),
        // The first line of what was found may say anything, where a program says itself that it ended well.
        SearchTool::Grep if call.input["output_mode"] == "content" && call.status == Some(ToolStatus::Ok) => {
            NO_HIT_OF_CLAUDE.is_match(first)
        }
        _ => NOTHING.is_match(first) && !text.starts_with("No entries at this offset"),
    };
    let is_zero = |line: &str| line.trim().is_empty() || ZERO_LINE.is_match(line) || line.starts_with("Found 0 total");
    let counts = call.input["output_mode"] == "count" && text.lines().all(is_zero);
    let zero = !text.contains('\n') && ZERO_FILES.is_match(text);
    match counts || text.is_empty() || says_nothing || zero || is_missing {
        true => SearchOutcome::Missed,
        false => SearchOutcome::Found,
    }
}

/// What a tool says, without the marks around it.
fn said(output: &ToolOutput) -> &str {
    let text = output.text.trim();
    let inner = text.strip_prefix("<tool_use_error>").and_then(|rest| rest.strip_suffix("</tool_use_error>"));
    let inner = inner.unwrap_or(text).trim();
    inner.strip_prefix("Error:").unwrap_or(inner).trim_start()
}

/// Whether a search or fetch of the web says in its first lines that its service gave no answer. Links are an answer.
fn says_service_error(text: &str, query: &str) -> bool {
    let own = text.replace(query, "");
    let is_header = |line: &&str| !line.is_empty() && !line.to_lowercase().starts_with("web search results for");
    !own.contains("http")
        && own.lines().map(str::trim).filter(is_header).take(2).any(|line| SERVICE_ERROR.is_match(line))
}

/// A result that is JSON, as Claude Code keeps it, Cursor and servers show it.
struct StructuredResult(Value);

/// Fields that repeat the question, or say how it was asked.
const ECHOES: [&str; 24] = [
    "pattern",
    "path",
    "query",
    "q",
    "outputMode",
    "output_mode",
    "mode",
    "glob",
    "globPattern",
    "cql",
    "jql",
    "sql",
    "absPath",
    "limit",
    "offset",
    "start",
    "page",
    "status",
    "type",
    "took",
    "next",
    "cursor",
    "durationMs",
    "_links",
];

/// Fields whose text is what was found.
const CONTENT: [&str; 9] =
    ["content", "contents", "text", "output", "result", "answer", "snippet", "markdown", "document"];

impl StructuredResult {
    fn of(text: &str) -> Option<StructuredResult> {
        let text = text.trim();
        let json: Value = serde_json::from_str(text).ok().filter(|_| text.starts_with(['{', '[']))?;
        (json.is_object() || json.is_array()).then_some(StructuredResult(json))
    }

    /// The error, where the result is nothing else.
    fn error(&self) -> Option<&str> {
        let fields = self.0.as_object().filter(|fields| fields.len() == 1)?;
        let error = &fields.get("error")?;
        error.as_str().or(error["error"].as_str()).or(error["message"].as_str())
    }

    /// Whether nothing was found; `None` where the fields don't tell.
    fn has_nothing(&self) -> Option<bool> {
        let is_bare = self.0.as_object().is_some_and(serde_json::Map::is_empty);
        match (is_bare, evidence(&self.0, None)) {
            (true, _) => Some(true),
            (_, HitEvidence { hits: true, .. }) => Some(false),
            (_, HitEvidence { empty: true, .. }) => Some(true),
            _ => None,
        }
    }
}

/// What a value of a result says about hits.
#[derive(Clone, Copy, Default)]
struct HitEvidence {
    hits: bool,
    /// A list of hits without one, or a count of 0.
    empty: bool,
}

impl HitEvidence {
    fn and(self, other: HitEvidence) -> HitEvidence {
        HitEvidence { hits: self.hits || other.hits, empty: self.empty || other.empty }
    }
}

fn evidence(value: &Value, name: Option<&str>) -> HitEvidence {
    let lower = name.unwrap_or_default().to_lowercase();
    match value {
        // Cursor lists the folders that it looked in, with the files of each.
        Value::Array(folders) if lower == "directories" && folders.iter().all(|of| of["absPath"].is_string()) => {
            let hits = folders.iter().any(|of| of["files"].as_array().is_some_and(|files| !files.is_empty()));
            HitEvidence { hits, empty: !hits }
        }
        // Servers answer in blocks of text.
        Value::Array(blocks) if !blocks.is_empty() && blocks.iter().all(|of| of["type"] == "text") => {
            blocks.iter().fold(HitEvidence::default(), |sum, of| sum.and(evidence(&of["text"], Some("text"))))
        }
        Value::Array(all) => HitEvidence { hits: !all.is_empty(), empty: all.is_empty() },
        Value::Object(fields) => {
            // In the mode `content`, Claude Code counts no files.
            let is_uncounted =
                |key: &str| fields.get("mode").is_some_and(|mode| mode == "content") && key == "numFiles";
            let own = fields.iter().filter(|(key, _)| !ECHOES.contains(&key.as_str()) && !is_uncounted(key));
            let inner = own.map(|(key, value)| match (key.as_str(), value) {
                // Claude Code has the hits of these modes elsewhere.
                ("filenames", Value::Array(all)) if all.is_empty() => HitEvidence::default(),
                _ => evidence(value, Some(key)),
            });
            let all = inner.fold(HitEvidence::default(), HitEvidence::and);
            HitEvidence { empty: all.empty || fields.is_empty(), ..all }
        }
        Value::Number(number) => {
            let is_count = ["total", "num", "count", "found", "value"].iter().any(|part| lower.starts_with(part))
                || lower.ends_with("count");
            let is_zero = number.as_f64() == Some(0.0);
            HitEvidence { hits: is_count && !is_zero, empty: is_count && is_zero }
        }
        Value::String(text) if text.trim().is_empty() || NOTHING.is_match(text) => {
            HitEvidence { hits: false, empty: true }
        }
        Value::String(_) => HitEvidence { hits: CONTENT.contains(&lower.as_str()), empty: false },
        Value::Null | Value::Bool(_) => HitEvidence::default(),
    }
}

/// The output of a line, sorted into what its programs found and what they complain of.
struct LineOutput<'a> {
    /// Lines that are neither complaints nor printed by the line itself.
    found: Vec<&'a str>,
    /// What programs complain of.
    errors: Vec<Complaint<'a>>,
    /// Whether a program, or the shell, refused to work.
    is_broken: bool,
    /// Whether the shell refused the line, or a command of it.
    is_refused: bool,
    /// Whether a text was printed that stands for a failed search.
    missed: bool,
}

/// A line in which a program says what it could not do.
struct Complaint<'a> {
    program: &'a str,
    text: &'a str,
    /// Whether it says that a place isn't there.
    is_absent: bool,
}

impl<'a> Complaint<'a> {
    /// The complaint of a line; `None` where it is what a program found: in a line that succeeded, nobody else complains
    /// than its own programs.
    fn of(line: &'a str, searching: &SearchingLine, end: LineEnd) -> Option<Complaint<'a>> {
        let found = PROGRAM_ERROR.captures(line)?;
        let (program, text) = (found.name("program")?.as_str(), found.name("rest")?.as_str());
        let runs = |of: &ShellPipeline| of.commands.iter().flatten().any(|word| base(word) == base(program));
        let own: Vec<usize> =
            (0..searching.line.pipelines.len()).filter(|at| runs(&searching.line.pipelines[*at])).collect();
        if (own.is_empty() && end.is_success && !matches!(program, "fatal" | "error")) || !is_complaint(text) {
            return None;
        }
        // What another program of the line doesn't find was not searched for; the folder to search in was.
        let searches = |at: &usize| {
            searching.search(*at).is_some()
                || matches!(base(&searching.line.pipelines[*at].commands[0][0]), "cd" | "pushd")
        };
        let is_denied = text.to_lowercase().contains("permission denied") || text.contains("权限不够");
        let is_absent = (own.is_empty() || own.iter().any(searches)) && !is_denied && is_missing(text);
        Some(Complaint { program, text, is_absent })
    }
}

/// Whether a complaint says that a place isn't there.
fn is_missing(text: &str) -> bool {
    MISSING.is_match(text) || ABSENT.iter().any(|words| text.contains(words))
}

/// What the C library says of a missing file, in the languages of agents' users.
const ABSENT: [&str; 11] = [
    "没有那个文件或目录",
    "沒有此一檔案或目錄",
    "そのようなファイルやディレクトリはありません",
    "그런 파일이나 디렉터리가 없습니다",
    "Datei oder Verzeichnis nicht gefunden",
    "Aucun fichier ou dossier de ce",
    "No existe el fichero o el directorio",
    "No existe el archivo o el directorio",
    "Arquivo ou diretório inexistente",
    "File o directory non esistente",
    "Нет такого файла или каталога",
];

/// How a line ended.
#[derive(Clone, Copy)]
struct LineEnd {
    code: Option<i64>,
    failed: bool,
    /// Whether it is known not to have failed.
    is_success: bool,
}

impl LineEnd {
    fn of(call: &ToolCall, output: &ToolOutput, structured: Option<&StructuredOutput>, whole: &str) -> LineEnd {
        let code = output
            .exit_code
            .or(structured.and_then(|of| of.code))
            .or_else(|| EXIT_CODE.captures(whole).and_then(|found| found[1].parse().ok()))
            // The program that ran the line has read its exit code.
            .or_else(|| has_no_match(call, output).then_some(1));
        let failed = is_failed(call, output) || code.is_some_and(|code| code != 0);
        LineEnd { code, failed, is_success: !failed && (code.is_some() || call.status == Some(ToolStatus::Ok)) }
    }

    /// Whether the transcript has the exit code.
    fn is_told(self) -> bool {
        self.code.is_some()
    }

    /// Whether the line ends with a search that found something; `None` where its exit code doesn't tell.
    fn found(self, line: &ShellLine) -> Option<bool> {
        let last = line.pipelines.last().filter(|last| !last.is_condition)?;
        let failed = self.failed && self.code.is_none_or(|code| code == 1);
        // An `echo` behind it succeeds in any case.
        let is_own = failed || (self.is_success && line.echoes.iter().all(|echo| echo.place < line.pipelines.len()));
        is_own.then_some(failed == last.is_negated)
    }
}

fn of_line(call: &ToolCall, output: &ToolOutput, searching: &SearchingLine) -> SearchOutcome {
    let structured = StructuredOutput::of(&output.text);
    if structured.as_ref().is_some_and(|of| of.interrupted) {
        return SearchOutcome::Cancelled;
    }
    let whole = structured.as_ref().map_or(output.text.trim(), |of| of.text.trim());
    let end = LineEnd::of(call, output, structured.as_ref(), whole);
    let is_running = whole.lines().take(4).any(|line| STILL_RUNS.is_match(line)) && !EXIT_CODE.is_match(whole);
    if is_running && !end.is_told() {
        return SearchOutcome::Unknown;
    }
    let text = printed(whole);
    if (end.failed || text.len() < 200) && CANCELLED.is_match(&text) {
        return SearchOutcome::Cancelled;
    }
    if end.failed && DENIED.is_match(&text) && !text.contains('\n') {
        return SearchOutcome::Cancelled;
    }
    let was_stopped =
        matches!(end.code, Some(124 | 130 | 137 | 143)) || (end.failed && text.to_lowercase().contains("timed out"));
    if was_stopped {
        return SearchOutcome::Unavailable;
    }
    let sorted = sort(&text, searching, end);
    judge(&sorted, searching, end)
}

/// What the programs of a line printed: without what the agent's shell tells around it, or tells instead.
fn printed(whole: &str) -> String {
    let text = STREAM.replace_all(&WRAPPER.replace_all(whole, ""), "").trim().to_owned();
    let is_instead = NOTHING.is_match(&text) && text.lines().count() == 1 && is_note(&text);
    if is_instead { String::new() } else { text }
}

/// The places of a search of which its output says that they aren't there: what the agent looked in, and not for.
pub(crate) fn absent_places(call: &ToolCall, search: &SearchCall) -> Vec<String> {
    let Some(output) = &call.output else { return Vec::new() };
    let Some(searching) = &search.line else {
        // "No files found" says nothing of the folder.
        let is_absent = MISSING.is_match(&output.text) && !IN_VAIN.is_match(said(output));
        return if is_absent { search.place.iter().cloned().collect() } else { Vec::new() };
    };
    let structured = StructuredOutput::of(&output.text);
    let whole = structured.as_ref().map_or(output.text.trim(), |of| of.text.trim());
    let end = LineEnd::of(call, output, structured.as_ref(), whole);
    let text = printed(whole);
    let sorted = sort(&text, searching, end);
    let words: Vec<&String> = searching.line.pipelines.iter().flat_map(|of| &of.commands).flatten().collect();
    let place = |text: &str| {
        let named = words.iter().filter(|word| word.len() > 1 && text.contains(word.as_str()));
        named.max_by_key(|word| word.len()).map_or_else(|| text.to_owned(), |word| (*word).clone())
    };
    sorted.errors.iter().filter(|complaint| complaint.is_absent).map(|complaint| place(complaint.text)).collect()
}

/// Whether a line is the agent's own word for no output, and none of a program.
fn is_note(text: &str) -> bool {
    text.starts_with('(')
        || text.starts_with("No ")
        || text.to_lowercase().starts_with("bash completed")
        || text.starts_with("Tool ran")
}

fn sort<'a>(text: &'a str, searching: &SearchingLine, end: LineEnd) -> LineOutput<'a> {
    let mut sorted =
        LineOutput { found: Vec::new(), errors: Vec::new(), is_broken: false, is_refused: false, missed: false };
    let mut part = LabelledPart::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_aside(line, searching)) {
        if let Some(failed) = searching.line.echoes.iter().find_map(|echo| status_of(echo, line, searching)) {
            sorted.missed |= failed;
            continue;
        }
        let is_empty = |echo: &ShellEcho| {
            echo.if_empty.as_ref().is_some_and(|(at, text)| line == text && searching.search(*at).is_some())
        };
        sorted.missed |= searching.line.echoes.iter().any(is_empty);
        let is_printed =
            |text: &str, is_open: bool| line == text || (is_open && !text.is_empty() && line.starts_with(text));
        let echo = searching
            .line
            .echoes
            .iter()
            .filter(|echo| echo.text.lines().any(|text| is_printed(text.trim(), echo.is_open)));
        let echoes: Vec<_> = echo.collect();
        if !echoes.is_empty() {
            if let Some(label) = echoes.iter().find(|echo| echo.after_failure_of.is_none()) {
                sorted.missed |= part.ends(label.place, &sorted, searching);
            }
            let is_search = |at: usize| searching.search(at).is_some() && !searching.line.pipelines[at].is_tested;
            sorted.missed |= echoes.iter().all(|echo| echo.after_failure_of.is_some_and(is_search));
            continue;
        }
        if !end.is_success && is_of_shell(line) {
            sorted.is_refused = true;
            continue;
        }
        match Complaint::of(line, searching, end) {
            Some(complaint) => {
                sorted.is_broken |= BROKEN.is_match(complaint.text) && !complaint.text.contains("No such file");
                sorted.errors.push(complaint);
            }
            None if is_refusal(line) => sorted.is_broken = true,
            None => sorted.found.push(line),
        }
    }
    sorted.missed |= part.ends(searching.line.pipelines.len(), &sorted, searching);
    sorted
}

/// Whether the shell says in a line that it did not run what it was given.
fn is_of_shell(line: &str) -> bool {
    SHELL_MESSAGE.captures(line).is_some_and(|found| SHELL_REFUSAL.is_match(&found["message"]))
}

/// Whether a line is printed beside what is found: how long it took, or what `rg --json` says of its work.
fn is_aside(line: &str, searching: &SearchingLine) -> bool {
    let is_record = line.starts_with('{') && !line.contains(r#""type":"match""#);
    let of_start_up = |found: &regex::Captures<'_>| !searching.line.source.contains(&found["file"]);
    (searching.line.is_timed && TIMING.is_match(line))
        || START_UP.captures(line).is_some_and(|found| !is_of_shell(line) && of_start_up(&found))
        || (is_record && searching.searches.iter().any(|(_, of)| of.is_json))
}

/// The output between two labels that a line prints itself.
#[derive(Default)]
struct LabelledPart {
    /// How many pipelines stand before the label; `None` before the first one.
    from: Option<usize>,
    /// How many lines of output were before it.
    lines: usize,
}

impl LabelledPart {
    /// Whether the searches of this part printed nothing. The next one begins.
    fn ends(&mut self, to: usize, sorted: &LineOutput<'_>, searching: &SearchingLine) -> bool {
        let lines = sorted.found.len() + sorted.errors.len();
        let is_search =
            |at: usize| searching.searches.iter().any(|(place, of)| *place == at && !of.is_quiet && !of.is_read);
        let missed = self.from.is_some_and(|from| to > from && lines == self.lines && (from..to).all(is_search));
        *self = LabelledPart { from: Some(to), lines };
        missed
    }
}

/// Whether a line is the printed exit code of what was before, and tells that a search failed.
fn status_of(echo: &ShellEcho, line: &str, searching: &SearchingLine) -> Option<bool> {
    let code = line.strip_prefix(echo.text.as_str()).filter(|_| echo.is_status)?.trim();
    let last = echo.place.checked_sub(1);
    let is_search = last.is_some_and(|at| searching.search(at).is_some());
    let is_negated = last.is_some_and(|at| searching.line.pipelines[at].is_negated);
    code.parse::<u8>().ok().map(|code| is_search && code == u8::from(!is_negated))
}

/// What programs complain with.
fn is_complaint(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "no such file",
        "not a directory",
        "cannot access",
        "can't read",
        "cannot open",
        "permission denied",
        "is a directory",
        "没有那个文件",
        "无法访问",
        "不是目录",
        "是一个目录",
        "权限不够",
    ]
    .iter()
    .any(|complaint| lower.contains(complaint))
        || BROKEN.is_match(text)
        || ABSENT.iter().any(|words| text.contains(words))
        || lower.contains("pathspec")
}

/// Lines of refusals that name no program first.
fn is_refusal(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.starts_with("regex parse error")
        || lower.starts_with("usage:")
        || lower.starts_with("error: unclosed")
        || lower.starts_with("fatal: not a git")
        || lower.starts_with("try '")
        || lower.starts_with("error: unexpected argument")
        || lower.starts_with("error: unrecognized")
}

fn judge(sorted: &LineOutput<'_>, searching: &SearchingLine, end: LineEnd) -> SearchOutcome {
    let (found, searches) = (&sorted.found, &searching.searches);
    let missing: Vec<_> = sorted.errors.iter().filter(|complaint| complaint.is_absent).collect();
    // Shells show the line that they refuse, with a caret below.
    let is_quoted = |line: &&str| line.contains('^') || searching.line.source.contains(*line);
    if sorted.is_refused && found.iter().all(is_quoted) {
        return SearchOutcome::Broken;
    }
    if sorted.missed {
        return SearchOutcome::Missed;
    }
    if sorted.is_broken
        && found.iter().all(|line| line.starts_with(['^', ' ', '(']) || line.contains('^') || line.starts_with("error"))
    {
        return SearchOutcome::Broken;
    }
    if found.is_empty() {
        let is_quiet = searches.iter().all(|(_, search)| search.is_quiet);
        let ended = searching.last().and_then(|_| end.found(&searching.line));
        let is_tested = searches.iter().all(|(at, _)| searching.line.pipelines[*at].is_tested);
        // An empty file was found, or a part of one that has nothing in it.
        let is_alone = searches.len() == 1 && ended == Some(true);
        let is_shown = |(at, search): &(usize, PipelineSearch)| {
            let pipeline = &searching.line.pipelines[*at];
            let is_piped = pipeline.commands.len() > 1;
            search.is_read && ((!pipeline.drops_errors && (!end.failed || is_piped)) || (is_alone && !is_piped))
        };
        let was_read = searches.iter().all(is_shown);
        return match () {
            () if sorted.is_broken => SearchOutcome::Broken,
            () if !missing.is_empty() => SearchOutcome::Missed,
            () if !sorted.errors.is_empty() => SearchOutcome::Unknown,
            () if was_read => SearchOutcome::Found,
            // The test didn't hold: nothing was searched.
            () if is_tested => SearchOutcome::Unknown,
            () if is_quiet && ended == Some(false) => SearchOutcome::Missed,
            () if is_quiet => SearchOutcome::Unknown,
            () => SearchOutcome::Missed,
        };
    }
    let counts = searches.iter().any(|(_, search)| search.counts);
    if counts && found.iter().all(|line| ZERO_LINE.is_match(line)) {
        return SearchOutcome::Missed;
    }
    // One of several commands says that none of its places is there.
    let is_absent = |search: &PipelineSearch| {
        // A program is told the home in place of `~`.
        let end = |path: &str| below_home(path).map_or_else(|| path.to_owned(), |below| format!("/{below}"));
        let names =
            |path: &String| missing.iter().any(|of| of.program == search.program && of.text.contains(&end(path)));
        !search.paths.is_empty() && search.paths.iter().all(names)
    };
    if searching.line.pipelines.len() > 1 && searches.iter().any(|(_, search)| is_absent(search)) {
        return SearchOutcome::Missed;
    }
    // Others have printed: the exit code is that of the last one.
    let last = searching.last().filter(|_| searching.line.pipelines.len() > 1 && !sorted.is_refused);
    let is_told = last.is_some_and(|last| ends_without_a_hit(last, searching, end))
        && !searching.line.pipelines.iter().any(|of| of.is_negated);
    if is_told { SearchOutcome::Missed } else { SearchOutcome::Found }
}

/// Whether the exit code of a line says that its last search found nothing: what hides what a program complains of hides no code.
fn ends_without_a_hit(last: &PipelineSearch, searching: &SearchingLine, end: LineEnd) -> bool {
    let pipeline = searching.line.pipelines.last();
    let is_hidden = pipeline.is_some_and(|last| last.drops_errors && last.commands.len() == 1);
    let lists = matches!(last.program.as_str(), "ls" | "cat" | "head" | "tail");
    (is_grep(&last.program) && end.code == Some(1)) || (lists && is_hidden && end.code.is_some_and(|code| code != 0))
}

fn is_grep(program: &str) -> bool {
    matches!(program, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "git")
}
