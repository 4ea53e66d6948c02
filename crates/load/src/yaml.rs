//! YAML text → tree with places.
//!
//! Built on the events of `serde-saphyr`'s parser rather than on its `serde` side, because an event
//! gives a value's place and whether it was quoted. Plain scalars follow the core schema of
//! YAML 1.2: `no` is text, `001` is refused because its zeros would be lost, `.nan` because JSON
//! has none. `<<` merges as it does in YAML 1.1.

use std::collections::HashMap;

use eval_message::{Message, msg};
use eval_spec::Diagnostics;
use eval_spec::source::{SourceFile, Span};
use serde_json::Number;
use serde_saphyr::granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, Tag};

use super::problems::Problems;
use super::tree::{Entries, MAX_DEPTH, Node, NodeData, ObjectEntry};
use super::{json, lookalike};

/// What anchors and aliases may copy, in bytes of text plus [`NODE_COST`] a value: stops "billion
/// laughs" within a second, and leaves room for anchors on the whole of any real file.
const ALIAS_BUDGET: usize = 128 * 1024 * 1024;
const NODE_COST: usize = 64;

/// What becomes of a scalar that isn't read as YAML reads it, because that would change what its author meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusedScalars {
    Error,
    /// It is text as it is written.
    Text,
}

/// The tree of a YAML text that begins `base` bytes into its file; cut off at a syntax error.
pub(super) fn parse(text: &str, base: usize, refused: RefusedScalars, problems: &mut Problems) -> Option<Node> {
    let mut options = serde_saphyr::granit_parser::options! {
        emit_unresolved_aliases: true,
        // Long keys are rare in what people write, but a program that writes flow style may.
        simple_key_max_lookahead: 16 * 1024,
    };
    options.set_emit_comments(false);
    let events = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder { events, text, base, refused, problems, anchors: HashMap::new(), spent: 0, depth: 0 };
    builder.document()
}

/// The tree of a YAML text as `js-yaml` and PyYAML read it: lines of a quoted text need no indentation.
pub(super) fn parse_foreign(text: &str, base: usize, problems: &mut Problems) -> Option<Node> {
    /// Each line costs a scan of the text.
    const MOST_LINES: usize = 200;
    let mut widened = text.to_owned();
    // The place of each insertion in the widened text, and its length.
    let mut inserted: Vec<(usize, usize)> = Vec::new();
    while let Some(at) = outdented(&widened).filter(|_| inserted.len() < MOST_LINES) {
        let start = widened[..at].rfind('\n').map_or(0, |line| line + 1);
        let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let width = widened[..start].lines().map(spaces).max().unwrap_or(0) + 2;
        widened.insert_str(start, &" ".repeat(width));
        inserted.iter_mut().filter(|(place, _)| *place >= start).for_each(|(place, _)| *place += width);
        inserted.push((start, width));
    }
    if inserted.is_empty() {
        return parse(text, base, RefusedScalars::Text, problems);
    }
    let before =
        |at: usize| inserted.iter().filter(|(place, _)| base + place < at).map(|(_, width)| width).sum::<usize>();
    // Lines are the same in both texts.
    let source = SourceFile { name: problems.file().name.clone(), text: widened.clone() }.into();
    let mut own = Problems::new(problems.context(), &source);
    let mut root = parse(&widened, base, RefusedScalars::Text, &mut own);
    root.iter_mut().for_each(|node| moved(node, &before));
    let found = own.finish(()).map_or_else(|Diagnostics(found)| found, |loaded| loaded.warnings);
    found.into_iter().for_each(|diagnostic| problems.push(diagnostic));
    root
}

/// Where a line of a quoted text has less indentation than YAML asks for.
fn outdented(text: &str) -> Option<usize> {
    let mut events = Parser::new_from_str(text);
    loop {
        match events.next_event()? {
            Ok((Event::StreamEnd, _)) => return None,
            Ok(_) => {}
            Err(error) => {
                let is_outdented = matches!(error.kind(), ErrorKind::InvalidQuotedScalarIndent);
                return error.marker().byte_offset().filter(|at| is_outdented && *at <= text.len());
            }
        }
    }
}

fn moved(node: &mut Node, before: &impl Fn(usize) -> usize) {
    let place = |span: &mut Span| {
        let (start, end) = (span.start, span.start + span.len);
        span.start -= before(start);
        span.len = end.saturating_sub(before(end)).saturating_sub(span.start);
    };
    place(&mut node.span);
    match &mut node.data {
        NodeData::List(items) => items.iter_mut().for_each(|item| moved(item, before)),
        NodeData::Object(entries) => entries.iter_mut().for_each(|entry| {
            place(&mut entry.key_span);
            moved(&mut entry.value, before);
        }),
        _ => {}
    }
}

struct Builder<'a, 'p> {
    events: Parser<'a, StrInput<'a>>,
    text: &'a str,
    base: usize,
    refused: RefusedScalars,
    problems: &'p mut Problems,
    /// The value of `&name`; `None` while it is still being read.
    anchors: HashMap<usize, Option<Node>>,
    spent: usize,
    depth: usize,
}

impl<'a> Builder<'a, '_> {
    fn document(&mut self) -> Option<Node> {
        let mut root = None;
        while let Some((event, span)) = self.next() {
            match event {
                Event::StreamEnd => break,
                Event::DocumentStart(..) if root.is_some() => {
                    let line = Span { start: span.start, len: span.len.max(1) };
                    self.problems.error(line, msg!("load-yaml-second-document"));
                    break;
                }
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                event => {
                    let node = self.node(event, span);
                    let cut = node.cut;
                    root = Some(node);
                    if cut {
                        break;
                    }
                }
            }
        }
        root
    }

    /// The next event and its place in the file; `None` after a syntax error, which is reported.
    fn next(&mut self) -> Option<(Event<'a>, Span)> {
        match self.events.next_event()? {
            Ok((event, span)) => {
                let range = span.byte_range().unwrap_or(0..0);
                Some((event, Span { start: self.base + range.start, len: range.len() }))
            }
            Err(error) => {
                self.syntax_error(&error);
                None
            }
        }
    }

    fn syntax_error(&mut self, error: &ScanError) {
        let at = error.marker().byte_offset().unwrap_or(self.text.len()).min(self.text.len());
        let at = match is_tab(error.kind()) {
            // The parser points at the token before the tab.
            true => self.text.as_bytes()[at..].iter().position(|b| *b == b'\t').map_or(at, |tabs| at + tabs),
            false => at,
        };
        let at = self.text.floor_char_boundary(at);
        let len = self.text[at..].chars().next().filter(|c| !c.is_control()).map_or(0, char::len_utf8);
        let (message, help) = explain(error.kind());
        // The parser points at what follows a character that it took for text.
        let lookalike = lookalike::near(self.text, at);
        let (at, len) = lookalike
            .as_ref()
            .map_or((at, len), |(at, _)| (*at, self.text[*at..].chars().next().map_or(0, char::len_utf8)));
        let help = lookalike.map(|(_, help)| help).or(help);
        self.problems.error_with_help(Span { start: self.base + at, len }, message, help);
    }

    /// The value that begins with `event`.
    fn node(&mut self, event: Event<'a>, span: Span) -> Node {
        let anchor = event.anchor_id();
        if let Some(id) = anchor {
            self.anchors.insert(id, None);
        }
        let node = match event {
            Event::Scalar(text, style, _, tag) => self.scalar(&text, style, tag.as_deref(), span),
            Event::SequenceStart(_, _, tag) => self.nested(span, tag.as_deref(), "seq", Builder::list),
            Event::MappingStart(_, _, tag) => self.nested(span, tag.as_deref(), "map", Builder::object),
            Event::Alias(id) => self.alias(id, span),
            Event::UnresolvedAlias(name) => {
                let help = Some(msg!("load-yaml-star-help"));
                self.problems.error_with_help(span, msg!("load-yaml-unknown-alias", name = name.as_ref()), help);
                broken(span)
            }
            // No other event begins a value.
            _ => broken(span),
        };
        if let Some(id) = anchor {
            let copy = self.copy(&node, span);
            self.anchors.insert(id, Some(copy));
        }
        node
    }

    fn nested(
        &mut self,
        span: Span,
        tag: Option<&Tag>,
        core: &str,
        read: fn(&mut Self) -> (NodeData, usize, bool),
    ) -> Node {
        if self.depth == MAX_DEPTH {
            self.problems.error(span, msg!("load-too-deep", limit = MAX_DEPTH));
            return Node { cut: true, ..broken(span) };
        }
        self.depth += 1;
        let (data, end, cut) = read(self);
        self.depth -= 1;
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema_tag(core) && !is_non_specific(tag)) {
            self.unknown_tag(tag, span);
            return Node { cut, ..broken(span) };
        }
        Node { cut, ..Node::new(span.start, end.max(span.start), data) }
    }

    fn list(&mut self) -> (NodeData, usize, bool) {
        let mut items: Vec<Node> = Vec::new();
        loop {
            match self.next() {
                Some((Event::SequenceEnd, span)) => return (NodeData::List(items), span.start + span.len, false),
                Some((event, span)) => items.push(self.node(event, span)),
                None => return (NodeData::List(items), self.base + self.text.len(), true),
            }
            if items.last().is_some_and(|item| item.cut) {
                return (NodeData::List(items), self.base + self.text.len(), true);
            }
        }
    }

    fn object(&mut self) -> (NodeData, usize, bool) {
        let (mut entries, mut merged) = (Entries::default(), Vec::new());
        let (end, cut) = loop {
            let (event, key_span) = match self.next() {
                Some((Event::MappingEnd, span)) => break (span.start + span.len, false),
                Some(key) => key,
                None => break (self.base + self.text.len(), true),
            };
            let plain_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<");
            let key = self.key(event, key_span);
            let Some((event, span)) = self.next() else { break (self.base + self.text.len(), true) };
            let mut value = self.node(event, span);
            if value.span.len == 0 {
                // `key:` without a value: the key is where to look.
                value.span = key_span;
            }
            let cut = value.cut;
            match key {
                Some(_) if plain_merge => merged.push(value),
                Some(key) => entries.push(ObjectEntry { key, key_span, value }, self.problems),
                None => {}
            }
            if cut {
                break (self.base + self.text.len(), true);
            }
        };
        for node in merged {
            self.merge(node, &mut entries);
        }
        (entries.finish(), end, cut)
    }

    fn key(&mut self, event: Event<'a>, span: Span) -> Option<String> {
        let node = match event {
            Event::Scalar(text, ScalarStyle::Plain, 0, None) if !text.is_empty() => return Some(text.into_owned()),
            event => self.node(event, span),
        };
        match node.data {
            NodeData::Text(text) => Some(text),
            NodeData::Broken => None,
            _ => {
                self.problems.error(span, msg!("load-yaml-key"));
                None
            }
        }
    }

    fn merge(&mut self, node: Node, entries: &mut Entries) {
        match node.data {
            NodeData::Object(merged) => {
                merged.into_iter().for_each(|entry| entries.push_missing(entry, self.problems));
            }
            NodeData::List(items) => items.into_iter().for_each(|item| self.merge(item, entries)),
            NodeData::Broken => {}
            _ => self.problems.error(node.span, msg!("load-yaml-merge")),
        }
    }

    fn alias(&mut self, id: usize, span: Span) -> Node {
        match self.anchors.remove(&id) {
            Some(Some(node)) => {
                let copy = self.copy(&node, span);
                self.anchors.insert(id, Some(node));
                copy
            }
            _ => {
                self.anchors.insert(id, None);
                self.problems.error(span, msg!("load-yaml-recursive-alias"));
                broken(span)
            }
        }
    }

    /// A copy of `node`, as long as the copies of a file stay small together.
    fn copy(&mut self, node: &Node, span: Span) -> Node {
        if self.spent > ALIAS_BUDGET {
            return broken(span);
        }
        self.spent += cost(node, ALIAS_BUDGET);
        if self.spent > ALIAS_BUDGET {
            self.problems.error(span, msg!("load-yaml-alias-bomb", mib = ALIAS_BUDGET / 1024 / 1024));
            return broken(span);
        }
        node.clone()
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Node {
        let plain = style == ScalarStyle::Plain;
        let resolved = match tag {
            None if plain => plain_scalar(text),
            None => Ok(NodeData::Text(text.to_owned())),
            Some(tag) if is_non_specific(tag) || tag.is_yaml_core_schema_tag("str") => {
                Ok(NodeData::Text(text.to_owned()))
            }
            Some(tag) => match (tag.core_suffix(), plain_scalar(text)) {
                (Some("null"), Ok(data @ NodeData::Null))
                | (Some("bool"), Ok(data @ NodeData::Bool(_)))
                | (Some("int" | "float"), Ok(data @ NodeData::Number(_))) => Ok(data),
                _ => {
                    self.unknown_tag(tag, span);
                    return broken(span);
                }
            },
        };
        let data = resolved.unwrap_or_else(|(message, help)| {
            if self.refused == RefusedScalars::Text {
                return NodeData::Text(text.to_owned());
            }
            self.problems.error_with_help(span, message, help);
            NodeData::Broken
        });
        Node { span, data, cut: false }
    }

    fn unknown_tag(&mut self, tag: &Tag, span: Span) {
        self.problems.error(span, msg!("load-yaml-tag", tag = tag.original()));
    }
}

fn broken(span: Span) -> Node {
    Node { span, data: NodeData::Broken, cut: false }
}

fn is_non_specific(tag: &Tag) -> bool {
    tag.original() == "!"
}

/// What a copy of `node` costs; stops counting above `limit`.
fn cost(node: &Node, limit: usize) -> usize {
    let inside = |total: usize, more: usize| {
        let total = total.saturating_add(more);
        if total > limit { Err(total) } else { Ok(total) }
    };
    let counted = match &node.data {
        NodeData::Text(text) => Ok(NODE_COST.saturating_add(text.len())),
        NodeData::List(items) => items.iter().try_fold(NODE_COST, |total, item| inside(total, cost(item, limit))),
        NodeData::Object(entries) => entries
            .iter()
            .try_fold(NODE_COST, |total, entry| inside(total, entry.key.len() + cost(&entry.value, limit))),
        _ => Ok(NODE_COST),
    };
    counted.unwrap_or_else(|above| above)
}

/// A plain scalar by the core schema of YAML 1.2 (§ 10.3.2), or why it is refused.
fn plain_scalar(text: &str) -> Result<NodeData, (Message, Option<Message>)> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(NodeData::Null),
        "true" | "True" | "TRUE" => return Ok(NodeData::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(NodeData::Bool(false)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err((msg!("load-yaml-not-finite", written = text), Some(msg!("load-quote-it", written = text))));
    }
    if let Some(number) = prefixed(text, "0x", 16).or_else(|| prefixed(text, "0o", 8)) {
        return number.map(|n| NodeData::Number(n.into())).ok_or_else(|| too_large(text));
    }
    if !is_decimal(unsigned) {
        return Ok(NodeData::Text(text.to_owned()));
    }
    if unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.as_bytes()[1].is_ascii_digit() {
        return Err((msg!("load-yaml-leading-zero", written = text), Some(msg!("load-quote-it", written = text))));
    }
    decimal(text).map(NodeData::Number).ok_or_else(|| too_large(text))
}

fn too_large(text: &str) -> (Message, Option<Message>) {
    (msg!("load-number-too-large", written = text), Some(msg!("load-quote-it", written = text)))
}

/// `None` when it isn't such a number, `Some(None)` when it is too large for one.
fn prefixed(text: &str, prefix: &str, radix: u32) -> Option<Option<u64>> {
    let digits = text.strip_prefix(prefix)?;
    let all = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    all.then(|| u64::from_str_radix(digits, radix).ok())
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_fits = exponent.is_none_or(|exponent| {
        let bare = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !bare.is_empty() && digits(bare)
    });
    exponent_fits && digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty())
}

fn decimal(text: &str) -> Option<Number> {
    // Valid JSON numbers are read as JSON; `+1`, `.5` and `5.` only as floats.
    let text = text.strip_prefix('+').unwrap_or(text);
    json::number(text).or_else(|| Number::from_f64(text.parse::<f64>().ok()?))
}

fn is_tab(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInPlainScalar
    )
}

/// Our messages for common mistakes; the parser's own for the others.
fn explain(kind: &ErrorKind) -> (Message, Option<Message>) {
    let quote = || Some(msg!("load-yaml-quote-help"));
    let colon = || Some(msg!("load-yaml-colon-help"));
    match kind {
        kind if is_tab(kind) => (msg!("load-yaml-tab"), Some(msg!("load-yaml-tab-help"))),
        ErrorKind::UnclosedQuotedScalar => (msg!("load-yaml-quote-open"), None),
        ErrorKind::InvalidQuotedScalarIndent => (msg!("load-yaml-quote-indent"), None),
        ErrorKind::UnclosedFlowCollection { open } => (msg!("load-yaml-bracket-open", open = open.to_string()), None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            (msg!("load-yaml-bracket-wrong", open = open.to_string(), close = close.to_string()), None)
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => (msg!("load-yaml-colon"), colon()),
        ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::BlockSequenceEntryNotAllowed => {
            (msg!("load-yaml-indentation"), Some(msg!("load-yaml-indentation-help")))
        }
        ErrorKind::UnexpectedCharacter { character } => {
            (msg!("load-yaml-character", character = character.escape_debug().to_string()), quote())
        }
        ErrorKind::UnknownQuotedScalarEscape => (msg!("load-yaml-escape"), Some(msg!("load-yaml-escape-help"))),
        ErrorKind::RecursionLimitExceeded => (msg!("load-too-deep", limit = MAX_DEPTH), None),
        other => (msg!("load-yaml-syntax", detail = other.to_string()), None),
    }
}
