//! Lines of a shell: their simple commands, what is piped into what, and what a line prints where one of them fails.

mod programs;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::{Node, Parser};

use crate::prose::pattern;
pub(crate) use programs::{PipelineSearch, search};

/// The longest line that is read, without its here-documents: a longer one is a program.
const MAX_LINE: usize = 16 << 10;
/// How many `|` a line has at most that is read: the parser's time grows with their square.
const MAX_PIPES: usize = 1000;
/// How deep a line may be nested.
const MAX_DEPTH: usize = 100;
/// Shells that take a line as an argument.
const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "busybox"];

/// A line with its simple commands in order.
#[derive(Clone, Debug, Default)]
pub struct ShellLine {
    pub pipelines: Vec<ShellPipeline>,
    pub echoes: Vec<ShellEcho>,
    /// Whether it prints how long a command took.
    pub is_timed: bool,
    /// Its text.
    pub source: String,
}

/// Simple commands that are piped into each other.
#[derive(Clone, Debug, Default)]
pub struct ShellPipeline {
    /// Their words, without quotes, assignments and programs that only start another one.
    pub commands: Vec<Vec<String>>,
    /// Whether its output goes to a file.
    pub is_silent: bool,
    /// Whether its complaints go nowhere.
    pub drops_errors: bool,
    /// Whether its exit code is turned round: `! grep -q x f`.
    pub is_negated: bool,
    /// Whether it decides what else is run: its exit code is not that of the line.
    pub is_condition: bool,
    /// Whether it is run only where a test of files or texts holds.
    pub is_tested: bool,
}

/// A text that a line prints by itself.
#[derive(Clone, Debug)]
pub struct ShellEcho {
    /// The text up to its first variable.
    pub text: String,
    /// Whether it goes on with a variable.
    pub is_open: bool,
    /// Whether that is the exit code of what was before.
    pub is_status: bool,
    /// The pipeline that must have failed for it; `None` where it is printed in any case.
    pub after_failure_of: Option<usize>,
    /// How many pipelines stand before it.
    pub place: usize,
    /// The pipeline whose output a variable caught, and what is printed where that is empty.
    pub if_empty: Option<(usize, String)>,
}

/// Texts that follow `<<` up to their end: they are data.
static HEREDOC: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<<-?\s*\\?['"]?(\w+)['"]?"#));

/// The line without its here-documents.
fn without_heredocs(line: &str) -> String {
    let mut kept = Vec::new();
    let mut end: Option<String> = None;
    for part in line.lines() {
        match &end {
            Some(word) if part.trim() == word => end = None,
            Some(_) => {}
            None => {
                let found = HEREDOC.captures(part).filter(|_| !part.contains("<<<"));
                end = found.as_ref().map(|found| found[1].to_owned());
                // The word stands for the input: `cat <<EOF` reads no file.
                kept.push(if found.is_some() {
                    HEREDOC.replace(part, "< /dev/stdin").into_owned()
                } else {
                    part.to_owned()
                });
            }
        }
    }
    kept.join("\n")
}

/// Reads a line; what can't be read of it is left out.
pub fn parse(line: &str) -> ShellLine {
    let mut reader = LineReader::default();
    reader.read(line, 0);
    line.clone_into(&mut reader.line.source);
    reader.line
}

#[derive(Default)]
struct LineReader {
    line: ShellLine,
    /// Whether the next command gets the output of the one before.
    is_piped: bool,
    /// The pipeline that must have failed for the next command.
    failed: Option<usize>,
    /// The pipeline that must have failed for all commands of a block.
    block_failed: Option<usize>,
    /// Whether the last command printed a text by itself.
    was_echo: bool,
    /// Whether the next command's output goes into the one after it.
    is_piped_on: bool,
    /// Whether the next command gets a text that stands in the line.
    is_fed: bool,
    /// Whether the next command is run only where a test holds.
    is_tested: bool,
    /// Whether all commands of a block are.
    block_tested: bool,
    /// Variables, and the pipelines whose output they caught.
    caught: BTreeMap<String, usize>,
}

impl LineReader {
    fn read(&mut self, line: &str, depth: usize) {
        let source = without_heredocs(line);
        if source.len() > MAX_LINE || source.matches('|').count() > MAX_PIPES || depth > 3 {
            return;
        }
        let mut parser = Parser::new();
        if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
            return;
        }
        if let Some(tree) = parser.parse(&source, None) {
            self.walk(tree.root_node(), &source, depth, 0);
        }
    }

    fn walk(&mut self, node: Node<'_>, source: &str, shell: usize, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match node.kind() {
            "command" => self.command(node, source, shell),
            "if_statement" => self.condition(node, source, shell, depth),
            "|" | "|&" => self.is_piped = true,
            "||" => self.failed = self.last_if(|last| !last.is_negated),
            // `! A && B`: B is run where A fails.
            "&&" => self.failed = self.last_if(|last| last.is_negated),
            ";" | "\n" | "&" => {
                self.failed = None;
                self.is_tested = false;
            }
            "file_redirect" => self.redirect(node, source),
            "test_command" => {
                self.is_piped = false;
                self.is_tested = true;
            }
            "variable_assignment" => self.assignment(node, source, shell, depth),
            "negated_command" => {
                self.walk_children(node, source, shell, depth);
                if let Some(last) = self.line.pipelines.last_mut() {
                    last.is_negated = true;
                }
            }
            "function_definition" | "command_substitution" | "process_substitution" => self.is_piped = false,
            _ => self.walk_children(node, source, shell, depth),
        }
    }

    fn walk_children(&mut self, node: Node<'_>, source: &str, shell: usize, depth: usize) {
        let children: Vec<Node<'_>> = node.children(&mut node.walk()).collect();
        // A command and its redirections stand in one node, in place of the command.
        let is_redirected = node.kind() == "redirected_statement";
        let is_fed = is_redirected && children.iter().any(|child| is_text(*child, source));
        for (at, child) in children.iter().enumerate() {
            let next = children.get(at + 1).map(Node::kind);
            self.is_piped_on = if is_redirected { self.is_piped_on } else { matches!(next, Some("|" | "|&")) };
            self.is_fed = is_fed;
            self.walk(*child, source, shell, depth + 1);
        }
    }

    /// The place of the last pipeline, where it is such.
    fn last_if(&self, is_such: impl Fn(&ShellPipeline) -> bool) -> Option<usize> {
        self.line.pipelines.last().filter(|last| is_such(last)).map(|_| self.line.pipelines.len() - 1)
    }

    /// `v=$(A)`: what A prints isn't seen, unless an `echo` prints the variable.
    fn assignment(&mut self, node: Node<'_>, source: &str, shell: usize, depth: usize) {
        let value = node.child_by_field_name("value");
        let caught = value.and_then(|value| match value.kind() {
            "string" => value.named_child(0).filter(|_| value.named_child_count() == 1),
            _ => Some(value),
        });
        let Some(caught) = caught.filter(|caught| caught.kind() == "command_substitution") else { return };
        let before = self.line.pipelines.len();
        self.walk_children(caught, source, shell, depth);
        self.line.pipelines[before..].iter_mut().for_each(|of| of.is_silent = true);
        if let (Some(name), [_]) = (node.child_by_field_name("name"), &self.line.pipelines[before..]) {
            self.caught.insert(text(name, source).to_owned(), before);
        }
    }

    /// `if A; then B; else C; fi`: C is printed where A fails, B where `! A` does.
    fn condition(&mut self, node: Node<'_>, source: &str, shell: usize, depth: usize) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let before = self.line.pipelines.len();
        let (mut is_condition, mut is_negated) = (true, false);
        let (outer, mut tested) = (self.block_failed, None);
        let outer_tested = self.block_tested;
        (self.is_piped_on, self.is_fed) = (false, false);
        for child in children {
            match child.kind() {
                "then" => {
                    let last = self.line.pipelines.len();
                    tested = (last > before).then(|| last - 1);
                    is_condition = false;
                    let conditions = &mut self.line.pipelines[before..];
                    self.block_tested |= last == before || conditions.iter().any(is_test);
                    conditions.iter_mut().for_each(|of| of.is_condition = true);
                }
                "negated_command" if is_condition => {
                    is_negated = true;
                    self.walk(child, source, shell, depth + 1);
                }
                "else_clause" => {
                    self.block_failed = tested.filter(|_| !is_negated).or(outer);
                    self.walk(child, source, shell, depth + 1);
                }
                _ => {
                    self.block_failed = tested.filter(|_| is_negated).or(outer);
                    self.walk(child, source, shell, depth + 1);
                }
            }
        }
        self.block_failed = outer;
        self.block_tested = outer_tested;
    }

    fn command(&mut self, node: Node<'_>, source: &str, shell: usize) {
        let mut cursor = node.walk();
        let mut words = Vec::new();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => {}
                "file_redirect" | "herestring_redirect" => {}
                _ => words.push(word(child, source)),
            }
        }
        let is_timed = words.first().is_some_and(|word| word == "time");
        let words = without_starters(words);
        let Some(program) = words.first().map(|word| base(word)) else { return };
        let inner =
            words.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'));
        if let Some(line) = inner.filter(|_| SHELLS.contains(&program)).and_then(|at| words.get(at + 1)) {
            let line = line.clone();
            return self.read(&line, shell + 1);
        }
        self.line.is_timed |= is_timed;
        self.is_fed |= node.children(&mut node.walk()).any(|child| is_text(child, source));
        self.add(words);
        for child in node.children(&mut node.walk()).filter(|child| child.kind() == "file_redirect") {
            self.redirect(child, source);
        }
    }

    fn add(&mut self, words: Vec<String>) {
        let program = base(&words[0]);
        let failed = self.failed.take().or(self.block_failed);
        let is_piped = std::mem::take(&mut self.is_piped);
        let is_tested = self.is_tested || self.block_tested;
        self.is_tested |= matches!(program, "test" | "[");
        self.was_echo = !is_piped && !self.is_piped_on && matches!(program, "echo" | "printf");
        if self.was_echo {
            let place = self.line.pipelines.len();
            self.line.echoes.push(echo(&words[1..], failed, place, &self.caught));
        } else if let Some(last) = self.line.pipelines.last_mut().filter(|_| is_piped) {
            last.commands.push(words);
        } else {
            // A text that is given to a command is no file: what `grep x <<< "$y"` filters is the output of something else.
            let commands = if self.is_fed { vec![vec!["<<<".to_owned()], words] } else { vec![words] };
            self.line.pipelines.push(ShellPipeline { commands, is_tested, ..ShellPipeline::default() });
        }
    }

    /// `> file`, `&> file`, `1> file`; to `/dev/null` too.
    fn redirect(&mut self, node: Node<'_>, source: &str) {
        let text = text(node, source).trim_start();
        let is_output = text.starts_with('>') || text.starts_with("1>") || text.starts_with("&>");
        let drops = (text.starts_with("2>") || text.starts_with("&>")) && text.ends_with("/dev/null");
        if let Some(last) = self.line.pipelines.last_mut().filter(|_| drops && !self.was_echo) {
            last.drops_errors = true;
        }
        let is_copy =
            text.starts_with(">&") && text[2..].trim_start().starts_with(|first: char| first.is_ascii_digit());
        if let Some(last) = self.line.pipelines.last_mut().filter(|_| is_output && !is_copy && !self.was_echo) {
            last.is_silent = true;
        }
    }
}

/// Programs that start the one named after them.
fn without_starters(mut words: Vec<String>) -> Vec<String> {
    loop {
        let skipped = match words.first().map(|word| base(word)) {
            Some("sudo" | "command" | "nohup" | "builtin" | "time" | "exec" | "!") => 1,
            Some("env") if words[1..].iter().any(|word| !word.contains('=')) => {
                1 + words[1..].iter().take_while(|word| word.contains('=')).count()
            }
            Some("timeout" | "nice" | "stdbuf" | "ionice") => {
                1 + words[1..]
                    .iter()
                    .take_while(|word| word.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
                    .count()
            }
            _ => return words,
        };
        words.drain(..skipped);
    }
}

/// `/usr/bin/grep` → `grep`.
pub(crate) fn base(word: &str) -> &str {
    word.trim_start_matches('\\').rsplit('/').next().unwrap_or(word)
}

fn is_test(pipeline: &ShellPipeline) -> bool {
    matches!(base(&pipeline.commands[0][0]), "test" | "[")
}

/// Whether a redirection gives a command a text that stands in the line.
fn is_text(node: Node<'_>, source: &str) -> bool {
    node.kind() == "herestring_redirect"
        || (node.kind() == "file_redirect" && text(node, source).ends_with("< /dev/stdin"))
}

/// `$v`, `${v}`, `${v:-text}`.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})"));

fn echo(
    words: &[String],
    after_failure_of: Option<usize>,
    place: usize,
    caught: &BTreeMap<String, usize>,
) -> ShellEcho {
    let words: Vec<&str> =
        words.iter().map(String::as_str).skip_while(|word| matches!(*word, "-e" | "-n" | "-ne")).collect();
    let whole = words.join(" ").replace("\\n", "\n");
    let cut = whole.find(['$', '%']);
    let text = whole[..cut.unwrap_or(whole.len())].trim().to_owned();
    let mut variables = VARIABLE.captures_iter(&whole);
    let only = variables.next().filter(|_| variables.next().is_none());
    let if_empty = only.and_then(|found| {
        let name = found.get(1).or(found.get(2))?.as_str();
        let instead = found.get(3).map_or("", |default| default.as_str());
        Some((*caught.get(name)?, whole.replace(&found[0], instead).trim().to_owned()))
    });
    ShellEcho { text, is_open: cut.is_some(), is_status: whole.contains("$?"), after_failure_of, place, if_empty }
}

fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// A word without its quotes.
fn word(node: Node<'_>, source: &str) -> String {
    let text = text(node, source);
    match node.kind() {
        "raw_string" => text.trim_matches('\'').to_owned(),
        "ansi_c_string" => text.trim_start_matches('$').trim_matches('\'').to_owned(),
        "string" => {
            let inner = text.strip_prefix('"').unwrap_or(text);
            inner.strip_suffix('"').unwrap_or(inner).replace("\\\"", "\"").replace("\\\\", "\\").replace("\\$", "$")
        }
        "concatenation" => node.children(&mut node.walk()).map(|child| word(child, source)).collect(),
        "command_name" => node.child(0).map_or_else(|| text.to_owned(), |child| word(child, source)),
        "word" => text.replace('\\', ""),
        _ => text.to_owned(),
    }
}
