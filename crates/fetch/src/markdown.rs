//! A page's tree → Markdown.
//!
//! Models read the output, nobody renders it: nothing is padded, and only table cells are escaped.

use std::cell::Cell;

use url::Url;

use crate::table;
use crate::tree::{NodeId, PageTree, index, one_line};

/// Elements that start a new line; all others are inline.
const BLOCKS: [&str; 54] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "frameset",
    "noframes",
    "listing",
];

/// Blocks that can't stand inside a link's text.
const RIGID: [&str; 8] = ["table", "pre", "ul", "ol", "dl", "menu", "dir", "blockquote"];

/// Prefixes of class names that name a language of code.
const LANGUAGES: [&str; 4] = ["language-", "lang-", "highlight-source-", "highlight-"];

/// Values after such a prefix that name no language.
const NO_LANGUAGES: [&str; 6] = ["default", "none", "text", "plaintext", "wrapper", "source"];

/// Facts about a page's nodes, by node index.
pub(crate) struct PageView {
    pub(crate) is_shown: Vec<bool>,
    /// The node contains blocks.
    pub(crate) has_blocks: Vec<bool>,
    /// The node contains blocks of [`RIGID`].
    pub(crate) is_rigid: Vec<bool>,
}

pub(crate) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

pub(crate) fn is_rigid(name: &str) -> bool {
    RIGID.contains(&name)
}

#[derive(Clone, Copy)]
pub(crate) struct PageSource<'p> {
    pub(crate) tree: &'p PageTree,
    pub(crate) shown: &'p PageView,
    /// URL that relative links start from.
    pub(crate) base: &'p Url,
    /// Bytes that may still be written: links grow with their base, and spanned cells are repeated.
    pub(crate) budget: &'p Cell<usize>,
}

impl PageSource<'_> {
    /// Takes bytes from the budget; `false` if fewer were left.
    pub(crate) fn spend(&self, bytes: usize) -> bool {
        let left = self.budget.get().checked_sub(bytes);
        self.budget.set(left.unwrap_or(0));
        left.is_some()
    }

    pub(crate) fn is_shown(&self, id: NodeId) -> bool {
        self.shown.is_shown[index(id)]
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(id).filter(|id| self.is_shown(*id))
    }

    /// Returns an element's text as written, without line numbers.
    pub(crate) fn raw(&self, id: NodeId) -> String {
        let mut raw = String::new();
        self.add_raw(id, &mut raw);
        raw
    }

    fn add_raw(&self, id: NodeId, raw: &mut String) {
        for child in self.children(id) {
            match (self.tree.text(child), self.tree.name(child)) {
                (Some(text), _) if self.spend(text.len()) => raw.push_str(&text.replace('\u{a0}', " ")),
                (None, "br") => raw.push('\n'),
                (None, _) if is_gutter(self.tree, child) => {}
                (None, name) => {
                    self.add_raw(child, raw);
                    if matches!(name, "tr" | "div" | "p" | "li") && !raw.ends_with('\n') {
                        raw.push('\n');
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns `true` for elements that hold the line numbers of code.
pub(crate) fn is_gutter(tree: &PageTree, id: NodeId) -> bool {
    const GUTTERS: [&str; 5] = ["gutter", "rouge-gutter", "lineno", "linenos", "line-numbers-rows"];
    // `ln` is Hugo's class; elsewhere it means a line.
    let is_number = || tree.letters(id).bytes().all(|byte| byte.is_ascii_digit());
    tree.classes(id).any(|class| GUTTERS.contains(&class) || (matches!(class, "ln" | "lnt") && is_number()))
}

/// Separator between two blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    Line,
    Blank,
}

pub(crate) struct MarkdownWriter<'p> {
    pub(crate) source: PageSource<'p>,
    pub(crate) out: String,
    /// A heading of the first level was written.
    pub(crate) has_title: bool,
    /// Writes a table cell, whose lines are joined later.
    pub(crate) is_cell: bool,
    pub(crate) gap: Gap,
    /// The written text is struck out.
    pub(crate) is_deleted: bool,
    /// Start of each line.
    prefix: String,
    /// Start of the next line, in place of `prefix`, and the length of the prefix before it was extended.
    lead: Option<(String, usize)>,
}

/// Inline text that isn't written yet.
#[derive(Default)]
struct InlineText {
    text: String,
    /// A space is due before the text.
    leads: bool,
    /// A space is due after the text.
    has_space: bool,
    /// End of the last markup, and its closing mark.
    closed: (usize, &'static str),
}

/// Styles of the surrounding text, which nested elements needn't repeat.
#[derive(Clone, Copy, Default)]
struct InlineStyle {
    is_bold: bool,
    is_italic: bool,
    is_deleted: bool,
    is_link: bool,
}

impl InlineText {
    fn say(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                ' ' | '\t' | '\n' | '\r' | '\u{c}' => self.has_space = true,
                letter => {
                    self.part();
                    self.text.push(if letter == '\u{a0}' { ' ' } else { letter });
                }
            }
        }
    }

    /// Writes the space that is due.
    fn part(&mut self) {
        let has_space = std::mem::take(&mut self.has_space);
        self.leads |= has_space && self.text.is_empty();
        if has_space && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    fn end_line(&mut self) {
        self.has_space = false;
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    /// Puts markup around the text that `say` adds; nothing if it adds none.
    fn wrap(&mut self, open: &str, close: &'static str, say: impl FnOnce(&mut InlineText)) {
        let mut inner = InlineText::default();
        say(&mut inner);
        self.add(&inner, open, close);
    }

    /// Adds text with markup around it; spaces and line ends at its borders stay outside.
    fn add(&mut self, inner: &InlineText, open: &str, close: &'static str) {
        let said = inner.text.trim();
        let start = inner.text.len() - inner.text.trim_start().len();
        self.has_space |= inner.leads;
        if inner.text.starts_with('\n') {
            self.end_line();
            self.text.push_str(&inner.text[1..start]);
        } else if !inner.text.is_empty() {
            self.part();
            self.text.push_str(&inner.text[..start]);
        }
        if !said.is_empty() {
            match self.closed == (self.text.len(), close) && open == close {
                // Joins adjacent runs of the same style.
                true => self.text.truncate(self.text.len() - close.len()),
                false => self.text.push_str(open),
            }
            self.text.push_str(said);
            self.text.push_str(close);
            self.closed = (self.text.len(), close);
            self.text.push_str(&inner.text[start + said.len()..]);
        }
        self.has_space |= inner.has_space;
    }
}

impl<'p> MarkdownWriter<'p> {
    pub(crate) fn new(source: PageSource<'p>) -> MarkdownWriter<'p> {
        MarkdownWriter {
            source,
            out: String::new(),
            has_title: false,
            is_cell: false,
            gap: Gap::Blank,
            is_deleted: false,
            prefix: String::new(),
            lead: None,
        }
    }

    pub(crate) fn blocks(&mut self, id: NodeId) {
        let PageSource { tree, shown, .. } = self.source;
        let is_outer = self.is_deleted;
        self.is_deleted |= is_deleted(tree, id, tree.name(id));
        let style = InlineStyle { is_deleted: self.is_deleted, ..InlineStyle::default() };
        let mut text = InlineText::default();
        for child in tree.children(id).filter(|child| shown.is_shown[index(*child)]) {
            let name = tree.name(child);
            let is_around = if name == "a" { shown.is_rigid[index(child)] } else { shown.has_blocks[index(child)] };
            if is_block(name) || is_around {
                self.said(std::mem::take(&mut text));
                self.block(child);
            } else {
                self.inline(child, &mut text, style);
            }
        }
        self.said(text);
        self.is_deleted = is_outer;
    }

    fn said(&mut self, text: InlineText) {
        let mut whole = InlineText::default();
        let mark = if self.is_deleted { "~~" } else { "" };
        whole.add(&text, mark, mark);
        self.paragraph(&whole.text);
    }

    fn block(&mut self, id: NodeId) {
        match self.source.tree.name(id) {
            name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                let mut text = InlineText::default();
                self.inlines(id, &mut text, InlineStyle { is_bold: true, ..InlineStyle::default() });
                let text = one_line(&text.text);
                let level = name[1..].parse().unwrap_or(1);
                if !text.is_empty() {
                    self.has_title |= level == 1;
                    self.paragraph(&format!("{} {text}", "#".repeat(level)));
                }
            }
            "ul" | "ol" | "menu" | "dir" => self.list(id),
            "blockquote" => self.indented("> ", "> ", id),
            "dt" => {
                let previous = self.source.tree.before(id).map(|before| self.source.tree.name(before));
                if previous == Some("dt") {
                    self.gap = Gap::Line;
                }
                self.blocks(id);
                self.gap = Gap::Line;
            }
            "dd" => {
                self.gap = Gap::Line;
                self.indented(": ", "  ", id);
            }
            "pre" | "listing" => self.code(id),
            "table" => table::write(self, id),
            "hr" => self.paragraph("---"),
            _ => self.blocks(id),
        }
    }

    fn list(&mut self, id: NodeId) {
        let tree = self.source.tree;
        let kind = (tree.name(id) == "ol").then(|| tree.attribute(id, "type").unwrap_or_default().trim());
        let is_within =
            tree.above(id).next().is_some_and(|above| matches!(tree.name(above), "li" | "dd" | "ul" | "ol"));
        if is_within && self.lead.is_none() {
            self.gap = Gap::Line;
        }
        let items: Vec<NodeId> = self.source.children(id).collect();
        let (first, step) = match tree.attribute(id, "reversed") {
            Some(_) => (items.iter().filter(|item| tree.name(**item) == "li").count().try_into().unwrap_or(1), -1),
            None => (1_i64, 1),
        };
        let mut number = tree.attribute(id, "start").and_then(|value| value.trim().parse().ok()).unwrap_or(first);
        let mut has_begun = false;
        let mut text = InlineText::default();
        for item in items.into_iter().map(Some).chain([None]) {
            if let Some(item) =
                item.filter(|item| !is_block(tree.name(*item)) && !self.source.shown.has_blocks[index(*item)])
            {
                self.inline(item, &mut text, InlineStyle::default());
                continue;
            }
            let text = std::mem::take(&mut text);
            let is_said = !text.text.trim().is_empty();
            if has_begun && (is_said || item.is_some()) {
                self.gap = Gap::Line;
            }
            self.said(text);
            let Some(item) = item else { break };
            if std::mem::replace(&mut has_begun, true) || is_said {
                self.gap = Gap::Line;
            }
            if tree.name(item) != "li" {
                self.indented("  ", "  ", item);
                continue;
            }
            number = tree.attribute(item, "value").and_then(|value| value.trim().parse().ok()).unwrap_or(number);
            let marker = kind.map_or_else(|| "- ".to_owned(), |kind| format!("{}. ", numeral(kind, number)));
            self.indented(&marker, &" ".repeat(marker.len()), item);
            number = number.saturating_add(step);
        }
        self.gap = Gap::Blank;
    }

    /// Writes an element with `first` before its first line and `others` before the rest.
    fn indented(&mut self, first: &str, others: &str, id: NodeId) {
        let outer = self.lead.take();
        let (before, older) = outer.clone().unwrap_or_else(|| (self.prefix.clone(), self.prefix.len()));
        self.lead = Some((before + first, older));
        let length = self.prefix.len();
        self.prefix.push_str(others);
        match self.source.tree.name(id) {
            "li" | "dd" | "blockquote" => self.blocks(id),
            _ => self.block(id),
        }
        self.prefix.truncate(length);
        if self.lead.is_some() {
            self.lead = outer;
        }
        self.gap = Gap::Blank;
    }

    fn code(&mut self, id: NodeId) {
        let raw = self.source.raw(id);
        self.fenced(&raw, &self.language(id));
    }

    /// Writes text as code; without a fence in a cell.
    pub(crate) fn fenced(&mut self, raw: &str, language: &str) {
        let raw = raw.trim_end().trim_start_matches(['\n', '\r']);
        if raw.trim().is_empty() {
            return;
        }
        let fence = "`".repeat(longest_run(raw).max(2) + 1);
        self.begin();
        if !self.is_cell {
            self.line(&format!("{fence}{language}"));
        }
        raw.lines().for_each(|line| self.line(line.trim_end()));
        if !self.is_cell {
            self.line(&fence);
        }
        self.gap = Gap::Blank;
    }

    /// Returns the language of code, from the classes of the element, its `code` child or its ancestors.
    fn language(&self, id: NodeId) -> String {
        let tree = self.source.tree;
        let named = |id: NodeId| {
            let language =
                |class: &str| LANGUAGES.iter().find_map(|start| class.strip_prefix(start)).map(str::to_owned);
            tree.classes(id).find_map(language)
        };
        let inside = self.source.children(id).filter(|child| tree.name(*child) == "code");
        let language = std::iter::once(id).chain(inside).chain(tree.above(id).take(2)).find_map(named);
        let is_name = |name: &String| {
            name.len() <= 20 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#-_.".contains(&byte))
        };
        language.filter(|name| is_name(name) && !NO_LANGUAGES.contains(&name.as_str())).unwrap_or_default()
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.begin();
        text.lines().for_each(|line| self.line(line.trim()));
        self.gap = Gap::Blank;
    }

    /// Writes the separator to the previous block.
    pub(crate) fn begin(&mut self) {
        if !self.out.is_empty() && self.gap == Gap::Blank {
            let length = self.lead.as_ref().map_or(self.prefix.len(), |(_, older)| *older);
            let prefix = self.prefix[..length].trim_end();
            if self.source.spend(prefix.len() + 1) {
                self.out.push_str(prefix);
                self.out.push('\n');
            }
        }
        self.gap = Gap::Line;
    }

    pub(crate) fn line(&mut self, line: &str) {
        let lead = self.lead.take().map(|(lead, _)| lead);
        let prefix = lead.as_deref().unwrap_or(&self.prefix);
        if self.source.spend(prefix.len() + line.len() + 1) {
            self.out.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn inlines(&self, id: NodeId, text: &mut InlineText, style: InlineStyle) {
        for child in self.source.children(id) {
            self.inline(child, text, style);
        }
    }

    fn inline(&self, id: NodeId, text: &mut InlineText, style: InlineStyle) {
        let tree = self.source.tree;
        if let Some(said) = tree.text(id) {
            if self.source.spend(said.len()) {
                text.say(said);
            }
            return;
        }
        // Counts markup.
        if !self.source.spend(4) {
            return;
        }
        match tree.name(id) {
            // Icons.
            name if name == "svg"
                || (name != "img" && tree.says(id, "role", "img") && tree.children(id).next().is_none()) =>
            {
                text.say(&label(tree, id));
            }
            // `text-decoration` also strikes out.
            name if !style.is_deleted && is_deleted(tree, id, name) => {
                let style = InlineStyle { is_deleted: true, ..style };
                text.wrap("~~", "~~", |text| self.inline(id, text, style));
            }
            "br" => text.end_line(),
            "wbr" => {}
            "button" => {
                text.has_space = true;
                self.inlines(id, text, style);
                text.has_space = true;
            }
            "img" => self.image(id, text),
            "input" => {
                text.part();
                text.text.push_str(if tree.attribute(id, "checked").is_some() { "[x]" } else { "[ ]" });
                text.has_space = true;
            }
            "code" | "kbd" | "samp" | "tt" => {
                let raw = self.source.raw(id);
                let lines = if tree.has_inside(id, "br") { raw.lines().collect() } else { vec![raw.as_str()] };
                let lines = lines.into_iter().map(one_line).filter(|line| !line.is_empty());
                for (place, line) in lines.enumerate() {
                    let ticks = "`".repeat(longest_run(&line) + 1);
                    let space = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
                    if place > 0 {
                        text.end_line();
                    }
                    text.part();
                    text.text.push_str(&format!("{ticks}{space}{line}{space}{ticks}"));
                }
            }
            "math" => {
                text.part();
                text.text.push_str(&self.formula(id));
            }
            "b" | "strong" if !style.is_bold => {
                let style = InlineStyle { is_bold: true, ..style };
                text.wrap("**", "**", |text| self.inlines(id, text, style));
            }
            "i" | "em" if !style.is_italic => {
                let style = InlineStyle { is_italic: true, ..style };
                text.wrap("*", "*", |text| self.inlines(id, text, style));
            }
            "sup" => text.wrap("<sup>", "</sup>", |text| self.inlines(id, text, style)),
            "sub" => text.wrap("<sub>", "</sub>", |text| self.inlines(id, text, style)),
            "q" => text.wrap("\"", "\"", |text| self.inlines(id, text, style)),
            "a" if !style.is_link => self.link(id, text, style),
            name if is_block(name) => {
                text.has_space = true;
                self.inlines(id, text, style);
                text.has_space = true;
            }
            _ => self.inlines(id, text, style),
        }
    }

    fn link(&self, id: NodeId, text: &mut InlineText, style: InlineStyle) {
        let mut inner = InlineText::default();
        self.inlines(id, &mut inner, InlineStyle { is_link: true, ..style });
        let said = one_line(&inner.text);
        let to = self.source.tree.attribute(id, "href").map(str::trim).unwrap_or_default();
        // A heading's link to itself.
        if to.starts_with('#') && ["¶", "#", "🔗", "§"].contains(&said.as_str()) {
            text.has_space |= inner.leads;
            return;
        }
        if !said.is_empty()
            && !to.is_empty()
            && let Some(to) = self.address(to)
        {
            inner.text = format!("[{said}]({to})");
        }
        text.add(&inner, "", "");
    }

    fn image(&self, id: NodeId, text: &mut InlineText) {
        let tree = self.source.tree;
        let alt = one_line(tree.attribute(id, "alt").unwrap_or_default());
        let to = tree.attribute(id, "src").and_then(|value| self.address(value.trim()));
        if self.source.spend(alt.len()) {
            match to {
                Some(to) if !to.is_empty() => {
                    text.part();
                    text.text.push_str(&format!("![{alt}]({to})"));
                }
                _ => text.say(&alt),
            }
        }
    }

    /// Resolves a link's address; `None` if it leads to no page.
    fn address(&self, link: &str) -> Option<String> {
        let is_own = link.starts_with('#');
        let address = match Url::parse(link) {
            Ok(url) if matches!(url.scheme(), "javascript" | "data" | "blob" | "vbscript") => return None,
            Err(_) if !is_own => self.source.base.join(link).ok().map(String::from),
            _ => None,
        };
        let address = address.unwrap_or_else(|| link.to_owned());
        let is_plain = !address.contains(['(', ')', '<', '>']) && !address.contains(char::is_whitespace);
        let address = if is_plain { address } else { format!("<{}>", address.replace(['<', '>', '\n'], "")) };
        self.source.spend(address.len()).then_some(address)
    }

    /// Returns a formula's text, in TeX if the page has it.
    fn formula(&self, id: NodeId) -> String {
        let tree = self.source.tree;
        let alttext = tree.attribute(id, "alttext").map(str::to_owned);
        let tex = alttext.or_else(|| {
            let mut inside: Vec<NodeId> = tree.children(id).collect();
            inside.extend(inside.clone().into_iter().flat_map(|inside| tree.children(inside).collect::<Vec<_>>()));
            let tex = inside.into_iter().find(|inside| tree.says(*inside, "encoding", "application/x-tex"))?;
            Some(self.source.raw(tex))
        });
        let tex = tex.unwrap_or_else(|| self.mathml(id));
        let tex = one_line(&tex);
        let tex = tex.strip_prefix(r"{\displaystyle ").and_then(|rest| rest.strip_suffix('}')).unwrap_or(&tex);
        let is_written = !tex.is_empty() && self.source.spend(tex.len());
        if is_written { format!("${}$", tex.trim()) } else { String::new() }
    }

    fn mathml(&self, id: NodeId) -> String {
        let tree = self.source.tree;
        if let Some(text) = tree.text(id) {
            return if self.source.spend(text.len()) { text.trim().to_owned() } else { String::new() };
        }
        let name = tree.name(id);
        if matches!(name, "annotation" | "annotation-xml") {
            return String::new();
        }
        let is_row = matches!(name, "mtr" | "mlabeledtr");
        let parts = tree.children(id).map(|child| (self.mathml(child), is_row && !tree.name(child).is_empty()));
        let parts: Vec<String> =
            parts.filter(|(part, is_cell)| *is_cell || !part.is_empty()).map(|(part, _)| part).collect();
        let grouped = |base: &str| if base.chars().count() > 1 { format!("{{{base}}}") } else { base.to_owned() };
        match (name, parts.as_slice()) {
            ("msup" | "mover", [base, up]) => format!("{}^{}", grouped(base), grouped(up)),
            ("msub" | "munder", [base, down]) => format!("{}_{}", grouped(base), grouped(down)),
            ("msubsup" | "munderover", [base, down, up]) => {
                format!("{}_{}^{}", grouped(base), grouped(down), grouped(up))
            }
            ("mfrac", [above, below]) => format!("\\frac{{{above}}}{{{below}}}"),
            ("msqrt", parts) => format!("\\sqrt{{{}}}", parts.concat()),
            ("mroot", [base, root]) => format!("\\sqrt[{root}]{{{base}}}"),
            ("mfenced", parts) => format!("({})", parts.join(", ")),
            ("mtr" | "mlabeledtr", cells) => cells.join(" & "),
            ("mtable", rows) => format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(r" \\ ")),
            (_, parts) => parts.concat(),
        }
    }
}

fn is_deleted(tree: &PageTree, id: NodeId, name: &str) -> bool {
    matches!(name, "del" | "s" | "strike")
        || tree.styles(id).any(|(name, value)| name.starts_with("text-decoration") && value.contains("line-through"))
}

/// Returns the label of an icon.
pub(crate) fn label(tree: &PageTree, id: NodeId) -> String {
    let title = || tree.children(id).find(|child| tree.name(*child) == "title").map(|child| tree.letters(child));
    tree.attribute(id, "aria-label").map(one_line).filter(|label| !label.is_empty()).or_else(title).unwrap_or_default()
}

/// Formats an item's number by the `type` of its list.
fn numeral(kind: &str, number: i64) -> String {
    const ROMAN: [(i64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let (mut left, mut written) = (number, String::new());
    match kind {
        "a" | "A" => {
            while left > 0 {
                let letter = u8::try_from((left - 1) % 26).unwrap_or_default();
                written.insert(0, char::from(b'a' + letter));
                left = (left - 1) / 26;
            }
        }
        "i" | "I" if number < 4000 => {
            for (value, letters) in ROMAN {
                while left >= value {
                    written.push_str(letters);
                    left -= value;
                }
            }
        }
        _ => {}
    }
    match written.is_empty() {
        true => number.to_string(),
        false if kind == kind.to_ascii_uppercase() => written.to_ascii_uppercase(),
        false => written,
    }
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}
