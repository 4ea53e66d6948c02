//! HTML → a tree, by html5ever, within limits.
//!
//! Some markup makes the parser's work grow with the square of its length: nested elements, formatting that is never
//! closed, attributes. So the page is fed in small pieces, and rejected once the tree is too large or too deep.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU32;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, ParseOpts, QualName, local_name, ns, parse_document};

/// Deepest nesting of elements; conversion is recursive.
const MAX_DEPTH: usize = 400;

/// Most nodes that may be made or moved. Deep nodes count more, since the parser walks up from them. Real pages of 2
/// MiB stay below half of this.
const MAX_WORK: usize = 400_000;

/// Depth of a node that counts twice.
const DEEP: usize = 64;

/// Most attributes of an element: each is compared with the earlier ones.
const MAX_ATTRIBUTES: usize = 256;

/// Bytes fed to the parser at once: a few tags.
const PIECE: usize = 64;

/// Elements whose content is never parsed as markup.
const RAW: [&str; 9] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"];

/// Attributes that are stored.
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
    // Index 0 is unused, so that `Option<NodeId>` takes 4 bytes.
    nodes: Vec<PageNode>,
}

#[derive(Default)]
struct PageNode {
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    /// Depth when it was inserted.
    depth: u16,
    content: NodeContent,
}

#[derive(Default)]
enum NodeContent {
    /// The document or a comment.
    #[default]
    Other,
    Text(StrTendril),
    Element {
        name: LocalName,
        attributes: Vec<(LocalName, StrTendril)>,
    },
}

/// Index of a node in vectors with an entry per node.
pub(crate) fn index(id: NodeId) -> usize {
    usize::try_from(id.get()).unwrap_or_default()
}

impl PageTree {
    pub(crate) const ROOT: NodeId = NodeId::MIN;

    /// Length of vectors indexed by [`index`]: the number of nodes plus one.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes in document order.
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

    /// Iterates over the ancestors, the parent first.
    pub(crate) fn above(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[index(id)].parent
    }

    /// Returns the previous sibling element.
    pub(crate) fn before(&self, id: NodeId) -> Option<NodeId> {
        std::iter::successors(self.nodes[index(id)].previous, |id| self.nodes[index(*id)].previous)
            .find(|id| !self.name(*id).is_empty())
    }

    /// Returns the next sibling element.
    pub(crate) fn after(&self, id: NodeId) -> Option<NodeId> {
        std::iter::successors(self.nodes[index(id)].next, |id| self.nodes[index(*id)].next)
            .find(|id| !self.name(*id).is_empty())
    }

    /// Returns `true` if the element has a descendant with this name.
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

    /// Returns the text of an element in one line.
    pub(crate) fn letters(&self, id: NodeId) -> String {
        let (mut said, mut open) = (String::new(), vec![id]);
        while let Some(id) = open.pop() {
            said.push_str(self.text(id).unwrap_or_default());
            let children: Vec<NodeId> = self.children(id).collect();
            open.extend(children.into_iter().rev());
        }
        one_line(&said)
    }

    /// Returns the properties of the `style` attribute, in lower case.
    pub(crate) fn styles(&self, id: NodeId) -> impl Iterator<Item = (String, String)> {
        let style = self.attribute(id, "style").unwrap_or_default().to_ascii_lowercase();
        let pairs = style.split(';').filter_map(|part| part.split_once(':'));
        let pair = |(name, value): (&str, &str)| {
            (name.trim().to_owned(), value.trim_end_matches("!important").trim().to_owned())
        };
        pairs.map(pair).collect::<Vec<_>>().into_iter()
    }

    /// Returns an element's name; empty for other nodes.
    pub(crate) fn name(&self, id: NodeId) -> &str {
        match &self.nodes[index(id)].content {
            NodeContent::Element { name, .. } => name,
            _ => "",
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[index(id)].content {
            NodeContent::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn attribute(&self, id: NodeId, wanted: &str) -> Option<&str> {
        match &self.nodes[index(id)].content {
            NodeContent::Element { attributes, .. } => {
                attributes.iter().find(|(name, _)| **name == *wanted).map(|(_, value)| &**value)
            }
            _ => None,
        }
    }

    /// Returns `true` if an attribute equals `word`, in any case.
    pub(crate) fn says(&self, id: NodeId, attribute: &str, word: &str) -> bool {
        self.attribute(id, attribute).is_some_and(|attribute| attribute.trim().eq_ignore_ascii_case(word))
    }

    pub(crate) fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attribute(id, "class").unwrap_or_default().split_ascii_whitespace()
    }
}

/// Collapses all white space.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses a page; `None` if it exceeds the limits or `is_abandoned` returns `true`.
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
    let mut start = 0;
    while start < html.len() {
        let end = (start + PIECE..).find(|end| html.is_char_boundary(*end) || *end >= html.len());
        let end = end.unwrap_or(html.len()).min(html.len());
        let (Ok(from), Ok(length)) = (u32::try_from(start), u32::try_from(end - start)) else { return None };
        parser.process(whole.subtendril(from, length));
        if parser.tokenizer.sink.sink.is_too_much() || is_abandoned() {
            return None;
        }
        start = end;
    }
    let tree = parser.finish();
    is_flat_enough(&tree).then_some(tree)
}

fn is_flat_enough(tree: &PageTree) -> bool {
    let mut depths = vec![0; tree.len()];
    tree.order().into_iter().all(|id| {
        let depth = tree.parent(id).map_or(0, |parent| depths[index(parent)] + 1);
        depths[index(id)] = depth;
        depth <= MAX_DEPTH
    })
}

/// Returns `true` if a tag has more than [`MAX_ATTRIBUTES`] attributes.
fn has_large_tag(html: &str) -> bool {
    let bytes = html.as_bytes();
    let mut offset = 0;
    while let Some(distance) = bytes[offset..].iter().position(|byte| *byte == b'<') {
        offset += distance + 1;
        if bytes[offset..].starts_with(b"!--") {
            let is_over =
                |offset: &usize| bytes[*offset..].starts_with(b"-->") || bytes[*offset..].starts_with(b"--!>");
            offset = (offset + 1..bytes.len()).find(is_over).unwrap_or(bytes.len());
            continue;
        }
        let is_end = bytes.get(offset) == Some(&b'/');
        offset += usize::from(is_end);
        let name = bytes[offset..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if !bytes.get(offset).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let name = &html[offset..offset + name];
        offset += name.len();
        let (mut count, mut quote, mut is_apart, mut is_value) = (0, None, true, false);
        while let Some(&byte) = bytes.get(offset) {
            offset += 1;
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
                    .is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
            };
            offset = (offset..bytes.len()).find(|offset| is_over(&bytes[*offset..])).unwrap_or(bytes.len());
        }
    }
    false
}

struct TreeMaker {
    nodes: RefCell<Vec<PageNode>>,
    /// Number of made and moved nodes; deep ones count more than once.
    work: Cell<usize>,
    deepest: Cell<u16>,
}

/// Handle of a node, as html5ever requires it.
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

    /// Inserts a node before `next`, or as the last child of `parent`.
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
        let attributes = attributes.into_iter().filter(|attribute| KEPT.contains(&&*attribute.name.local));
        let attributes = attributes.map(|attribute| (attribute.name.local, attribute.value)).collect();
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

    // Templates are never shown, so the template itself may hold its content.
    fn get_template_contents(&self, target: &NodeHandle) -> NodeHandle {
        target.clone()
    }

    fn same_node(&self, node: &NodeHandle, other: &NodeHandle) -> bool {
        node.id == other.id
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
                if KEPT.contains(&&*name.local) && !attributes.iter().any(|(existing, _)| *existing == name.local) {
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
