//! HTML → a tree, by the parser of browsers, within bounds.
//!
//! Some markup makes the parser's work grow with the square of its length: elements in elements, formatting that is never
//! closed and comes back in each paragraph, attributes. So the page is fed in small pieces, and given up as soon as the tree
//! is too large or too deep, or nobody waits for it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU32;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, ParseOpts, QualName, local_name, ns, parse_document};

/// How deep elements may be nested: no page that people read is deeper, and writing it down recurses.
const MAX_DEPTH: usize = 400;

/// How many nodes may be made or moved; deep ones count more, since the parser looks for where they belong. A page of 2 MiB
/// that people read has less than half.
const MAX_WORK: usize = 400_000;

/// How deep a node is that counts twice.
const DEEP: usize = 64;

/// How many attributes an element may have: each is compared with those before it.
const MAX_ATTRIBUTES: usize = 256;

/// How much is fed at once, in bytes: a few tags.
const PIECE: usize = 64;

/// Elements whose content is text, whatever it looks like.
const RAW: [&str; 9] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"];

/// The attributes that are read.
const KEPT: [&str; 26] = [
    "alt",
    "alttext",
    "aria-controls",
    "aria-expanded",
    "aria-hidden",
    "aria-label",
    "autocomplete",
    "checked",
    "class",
    "colspan",
    "content",
    "encoding",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "name",
    "reversed",
    "role",
    "rowspan",
    "src",
    "start",
    "style",
    "type",
    "value",
    "placeholder",
];

/// A node of a [`PageTree`].
pub(crate) type NodeId = NonZeroU32;

/// A page's nodes.
pub struct PageTree {
    // The first is none, so that an id fits where there may be none.
    nodes: Vec<PageNode>,
}

#[derive(Default)]
struct PageNode {
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    /// How deep it was when it was put where it is.
    depth: u16,
    content: NodeContent,
}

#[derive(Default)]
enum NodeContent {
    /// The document, a comment.
    #[default]
    Other,
    Text(StrTendril),
    Element {
        name: LocalName,
        attributes: Vec<(LocalName, StrTendril)>,
    },
}

/// Where a node stands in a list of something for each of them.
pub(crate) fn index(id: NodeId) -> usize {
    usize::try_from(id.get()).unwrap_or_default()
}

impl PageTree {
    /// The document.
    pub(crate) const ROOT: NodeId = NodeId::MIN;

    /// How many nodes there are, and one: above every index of them.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes from the document on, each after its parent and before its next sibling.
    pub(crate) fn order(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![PageTree::ROOT];
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.nodes[index(id)].next);
            open.extend(self.nodes[index(id)].first);
        }
        order
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[index(id)].first, |id| self.nodes[index(*id)].next)
    }

    /// A node's parent and those above it.
    pub(crate) fn above(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[index(id)].parent
    }

    /// The element before one.
    pub(crate) fn before(&self, id: NodeId) -> Option<NodeId> {
        std::iter::successors(self.nodes[index(id)].previous, |id| self.nodes[index(*id)].previous)
            .find(|id| !self.name(*id).is_empty())
    }

    /// The element after one.
    pub(crate) fn after(&self, id: NodeId) -> Option<NodeId> {
        std::iter::successors(self.nodes[index(id)].next, |id| self.nodes[index(*id)].next)
            .find(|id| !self.name(*id).is_empty())
    }

    /// Whether there is an element with this name in another.
    pub(crate) fn has_inside(&self, id: NodeId, name: &str) -> bool {
        let mut open: Vec<NodeId> = self.children(id).collect();
        while let Some(id) = open.pop() {
            if self.name(id) == name {
                return true;
            }
            open.extend(self.children(id));
        }
        false
    }

    /// All letters in an element, in one line.
    pub(crate) fn letters(&self, id: NodeId) -> String {
        let (mut said, mut open) = (String::new(), vec![id]);
        while let Some(id) = open.pop() {
            said.push_str(self.text(id).unwrap_or_default());
            let children: Vec<NodeId> = self.children(id).collect();
            open.extend(children.into_iter().rev());
        }
        one_line(&said)
    }

    /// The names and values of an element's own style, in lower case.
    pub(crate) fn styles(&self, id: NodeId) -> impl Iterator<Item = (String, String)> {
        let style = self.attribute(id, "style").unwrap_or_default().to_ascii_lowercase();
        let pairs = style.split(';').filter_map(|of| of.split_once(':'));
        let pair = |(name, value): (&str, &str)| {
            (name.trim().to_owned(), value.trim_end_matches("!important").trim().to_owned())
        };
        pairs.map(pair).collect::<Vec<_>>().into_iter()
    }

    /// The name of an element; empty for what is none.
    pub(crate) fn name(&self, id: NodeId) -> &str {
        match &self.nodes[index(id)].content {
            NodeContent::Element { name, .. } => name,
            _ => "",
        }
    }

    /// A text node's text.
    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[index(id)].content {
            NodeContent::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What an attribute says, if the element has it.
    pub(crate) fn attribute(&self, id: NodeId, wanted: &str) -> Option<&str> {
        match &self.nodes[index(id)].content {
            NodeContent::Element { attributes, .. } => {
                attributes.iter().find(|(name, _)| **name == *wanted).map(|(_, value)| &**value)
            }
            _ => None,
        }
    }

    /// Whether an attribute is this word, whatever its case.
    pub(crate) fn says(&self, id: NodeId, attribute: &str, word: &str) -> bool {
        self.attribute(id, attribute).is_some_and(|of| of.trim().eq_ignore_ascii_case(word))
    }

    /// The classes of an element.
    pub(crate) fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attribute(id, "class").unwrap_or_default().split_ascii_whitespace()
    }
}

/// A text in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A page's tree. `None` where it is beyond the bounds, or `is_abandoned` says that nobody waits for it.
pub fn parsed(html: &str, is_abandoned: &dyn Fn() -> bool) -> Option<PageTree> {
    if has_large_tag(html) {
        return None;
    }
    let maker = TreeMaker {
        nodes: RefCell::new(vec![PageNode::default(), PageNode::default()]),
        work: Cell::new(0),
        deepest: Cell::new(0),
    };
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = true;
    let mut parser = parse_document(maker, options);
    let whole = StrTendril::from(html);
    let mut at = 0;
    while at < html.len() {
        let end = (at + PIECE..).find(|end| html.is_char_boundary(*end) || *end >= html.len());
        let end = end.unwrap_or(html.len()).min(html.len());
        let (Ok(from), Ok(length)) = (u32::try_from(at), u32::try_from(end - at)) else { return None };
        parser.process(whole.subtendril(from, length));
        if parser.tokenizer.sink.sink.is_too_much() || is_abandoned() {
            return None;
        }
        at = end;
    }
    let tree = parser.finish();
    is_flat_enough(&tree).then_some(tree)
}

/// Whether nothing is nested too deep.
fn is_flat_enough(tree: &PageTree) -> bool {
    let mut depths = vec![0; tree.len()];
    tree.order().into_iter().all(|id| {
        let depth = tree.parent(id).map_or(0, |parent| depths[index(parent)] + 1);
        depths[index(id)] = depth;
        depth <= MAX_DEPTH
    })
}

/// Whether a tag has more attributes than any should.
fn has_large_tag(html: &str) -> bool {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'<') {
        at += found + 1;
        if bytes[at..].starts_with(b"!--") {
            let is_over = |at: &usize| bytes[*at..].starts_with(b"-->") || bytes[*at..].starts_with(b"--!>");
            at = (at + 1..bytes.len()).find(is_over).unwrap_or(bytes.len());
            continue;
        }
        let is_end = bytes.get(at) == Some(&b'/');
        at += usize::from(is_end);
        let name = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let name = &html[at..at + name];
        at += name.len();
        let (mut count, mut quote, mut is_apart, mut is_value) = (0, None, true, false);
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match (quote, byte) {
                (Some(end), byte) if byte == end => (quote, is_apart, is_value) = (None, true, false),
                (Some(_), _) => {}
                (None, b'>') => break,
                (None, b'"' | b'\'') if is_value => quote = Some(byte),
                (None, b'/' | b' ' | b'\t' | b'\n' | b'\r' | 0x0c) => is_apart = true,
                (None, byte) => {
                    count += usize::from(is_apart && !is_value && byte != b'=');
                    (is_apart, is_value) = (false, byte == b'=');
                }
            }
            if count > MAX_ATTRIBUTES {
                return true;
            }
        }
        if !is_end && RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
            let is_over = |rest: &[u8]| {
                rest.strip_prefix(b"</")
                    .and_then(|rest| rest.get(..name.len()))
                    .is_some_and(|of| of.eq_ignore_ascii_case(name.as_bytes()))
            };
            at = (at..bytes.len()).find(|at| is_over(&bytes[*at..])).unwrap_or(bytes.len());
        }
    }
    false
}

/// What the parser makes a tree with.
struct TreeMaker {
    nodes: RefCell<Vec<PageNode>>,
    /// Nodes made and moved, deep ones more than once.
    work: Cell<usize>,
    deepest: Cell<u16>,
}

/// A node as the parser knows it.
#[derive(Clone)]
struct NodeHandle {
    id: NodeId,
    name: Rc<QualName>,
}

impl TreeMaker {
    fn is_too_much(&self) -> bool {
        self.work.get() > MAX_WORK || usize::from(self.deepest.get()) > MAX_DEPTH
    }

    fn worked(&self, amount: usize) {
        self.work.set(self.work.get().saturating_add(amount));
    }

    fn made(&self, content: NodeContent) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        let id = u32::try_from(nodes.len()).ok().and_then(NodeId::new).unwrap_or(NodeId::MAX);
        nodes.push(PageNode { content, ..PageNode::default() });
        id
    }

    fn detach(&self, id: NodeId) {
        let mut nodes = self.nodes.borrow_mut();
        let node = &mut nodes[index(id)];
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        match (previous, parent) {
            (Some(previous), _) => nodes[index(previous)].next = next,
            (None, Some(parent)) => nodes[index(parent)].first = next,
            (None, None) => {}
        }
        match (next, parent) {
            (Some(next), _) => nodes[index(next)].previous = previous,
            (None, Some(parent)) => nodes[index(parent)].last = previous,
            (None, None) => {}
        }
    }

    /// Puts a node before `next` among the children of `parent`, or after all of them.
    fn insert(&self, parent: NodeId, next: Option<NodeId>, id: NodeId) {
        self.detach(id);
        let mut nodes = self.nodes.borrow_mut();
        let previous = match next {
            Some(next) => nodes[index(next)].previous.replace(id),
            None => nodes[index(parent)].last.replace(id),
        };
        match previous {
            Some(previous) => nodes[index(previous)].next = Some(id),
            None => nodes[index(parent)].first = Some(id),
        }
        let depth = nodes[index(parent)].depth.saturating_add(1);
        let node = &mut nodes[index(id)];
        (node.parent, node.previous, node.next, node.depth) = (Some(parent), previous, next, depth);
        self.worked(1 + usize::from(depth) / DEEP);
        self.deepest.set(self.deepest.get().max(depth));
    }

    fn put(&self, parent: NodeId, next: Option<NodeId>, child: NodeOrText<NodeHandle>) {
        let text = match child {
            NodeOrText::AppendNode(node) => return self.insert(parent, next, node.id),
            NodeOrText::AppendText(text) => text,
        };
        {
            let mut nodes = self.nodes.borrow_mut();
            let before = match next {
                Some(next) => nodes[index(next)].previous,
                None => nodes[index(parent)].last,
            };
            if let Some(before) = before
                && let NodeContent::Text(written) = &mut nodes[index(before)].content
            {
                written.push_tendril(&text);
                return;
            }
        }
        let id = self.made(NodeContent::Text(text));
        self.insert(parent, next, id);
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.borrow()[index(id)].parent
    }

    fn handle(&self, id: NodeId) -> NodeHandle {
        NodeHandle { id, name: Rc::new(QualName::new(None, ns!(), local_name!(""))) }
    }
}

impl TreeSink for TreeMaker {
    type Handle = NodeHandle;
    type Output = PageTree;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> PageTree {
        PageTree { nodes: self.nodes.into_inner() }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeHandle {
        self.handle(PageTree::ROOT)
    }

    fn elem_name<'a>(&'a self, target: &'a NodeHandle) -> &'a QualName {
        &target.name
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> NodeHandle {
        self.worked(attributes.len() / 8);
        let attributes = attributes.into_iter().filter(|of| KEPT.contains(&&*of.name.local));
        let attributes = attributes.map(|of| (of.name.local, of.value)).collect();
        let id = self.made(NodeContent::Element { name: name.local.clone(), attributes });
        NodeHandle { id, name: Rc::new(name) }
    }

    fn create_comment(&self, _: StrTendril) -> NodeHandle {
        self.handle(self.made(NodeContent::Other))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeHandle {
        self.handle(self.made(NodeContent::Other))
    }

    fn append(&self, parent: &NodeHandle, child: NodeOrText<NodeHandle>) {
        self.put(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &NodeHandle, previous: &NodeHandle, child: NodeOrText<NodeHandle>) {
        match self.parent(element.id) {
            Some(parent) => self.put(parent, Some(element.id), child),
            None => self.put(previous.id, None, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// Templates are not shown, so that their contents may be their children.
    fn get_template_contents(&self, target: &NodeHandle) -> NodeHandle {
        target.clone()
    }

    fn same_node(&self, one: &NodeHandle, other: &NodeHandle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeHandle, child: NodeOrText<NodeHandle>) {
        if let Some(parent) = self.parent(sibling.id) {
            self.put(parent, Some(sibling.id), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeHandle, added: Vec<Attribute>) {
        self.worked(added.len());
        if let NodeContent::Element { attributes, .. } = &mut self.nodes.borrow_mut()[index(target.id)].content {
            for Attribute { name, value } in added {
                if KEPT.contains(&&*name.local) && !attributes.iter().any(|(of, _)| *of == name.local) {
                    attributes.push((name.local, value));
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeHandle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &NodeHandle, parent: &NodeHandle) {
        loop {
            let Some(child) = self.nodes.borrow()[index(node.id)].first else { break };
            self.insert(parent.id, None, child);
        }
    }
}
