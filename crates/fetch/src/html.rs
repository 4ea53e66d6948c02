//! HTML → Markdown: the main content, with its tables, code and links.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use eval_message::msg;
use tokio::sync::{Semaphore, oneshot};
use url::Url;

use crate::login::names_sign_in;
use crate::markdown::{MarkdownWriter, PageSource, PageView, is_block, is_rigid, label};
use crate::refusal::{FetchRefusal, MAX_PAGE, too_large};
use crate::tree::{NodeId, PageTree, index, parsed};

#[derive(Debug, PartialEq, Eq)]
pub struct HtmlPage {
    /// Main content in Markdown.
    pub text: String,
    /// The page is only a sign-in form.
    pub is_sign_in: bool,
    /// URL that the page redirects to by itself.
    pub refresh: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum HtmlFailure {
    /// The markup exceeds the parser's limits.
    Markup,
    /// The text is too long.
    Length,
}

/// Stack of the thread that converts a page, in bytes.
const STACK: usize = 32 << 20;

/// Limits how many pages are converted at once: each may take a few hundred megabytes.
static CONVERTING: Semaphore = Semaphore::const_new(2);

/// Limit of bytes written while converting; texts are written more than once on the way.
const BUDGET: usize = 4 * MAX_PAGE;

/// Elements whose text is skipped.
const SKIPPED: [&str; 14] = [
    "title", "script", "style", "noscript", "template", "iframe", "canvas", "object", "embed", "button", "select",
    "textarea", "input", "dialog",
];

/// Elements around the main content. `nav` always is one; the others only outside of [`CONTENT`].
const AROUND: [&str; 4] = ["nav", "header", "footer", "aside"];

/// Elements that may have a header, footer and asides of their own.
const CONTENT: [&str; 4] = ["main", "article", "section", "blockquote"];

/// Parts of class names that make an `aside` a note, not a sidebar.
const NOTES: [&str; 6] = ["note", "warning", "caution", "important", "danger", "admonition"];

/// Least length of the marked main content, in bytes; below it, the whole page is taken.
const LEAST: usize = 100;

/// Most text around a sign-in form on a page that is nothing else, in bytes.
const AROUND_SIGN_IN: usize = 300;

/// [`AROUND_SIGN_IN`] for pages without a heading about signing in, which only have a password field.
const AROUND_PASSWORD: usize = 150;

/// Stops the converting thread once its caller is dropped.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Converts a page at `base` on its own thread, which stops soon after this future is dropped.
pub(crate) async fn read(html: String, base: Url) -> Result<HtmlPage, FetchRefusal> {
    let failed = || FetchRefusal::new(msg!("fetch-html"));
    let permit = CONVERTING.acquire().await.map_err(|_| failed())?;
    let (reply, page) = oneshot::channel();
    let waiting = Waiting(Arc::default());
    let is_abandoned = Arc::clone(&waiting.0);
    let convert = move || {
        let page = converted(&html, &base, &|| is_abandoned.load(Ordering::Relaxed));
        drop(reply.send(page));
        drop(permit);
    };
    std::thread::Builder::new().name("html".to_owned()).stack_size(STACK).spawn(convert).map_err(|_| failed())?;
    page.await.map_err(|_| FetchRefusal::new(msg!("fetch-html-broken")))?.map_err(|why| match why {
        HtmlFailure::Markup => failed(),
        HtmlFailure::Length => too_large(),
    })
}

pub fn converted(html: &str, base: &Url, is_abandoned: &dyn Fn() -> bool) -> Result<HtmlPage, HtmlFailure> {
    let tree = parsed(html, is_abandoned).ok_or(HtmlFailure::Markup)?;
    let PageFacts { title, main, is_sign_in, refresh, base: own_base, mut shown, around, order } =
        PageFacts::collect(&tree);
    let here = base;
    let base = &own_base.and_then(|to| base.join(&to).ok()).filter(Url::has_host).unwrap_or_else(|| base.clone());
    let page = |url: &Url| url[..url::Position::AfterQuery].to_owned();
    let refresh = refresh.and_then(|to| base.join(&to).ok()).filter(|to| page(to) != page(here)).map(String::from);
    let budget = Cell::new(BUDGET);
    let written = |shown: &PageView, id: NodeId| {
        let mut writer = MarkdownWriter::new(PageSource { tree: &tree, shown, base, budget: &budget });
        writer.blocks(id);
        if budget.get() == 0 { Err(HtmlFailure::Length) } else { Ok((writer.out, writer.has_title)) }
    };
    let marked = main.map(|main| written(&shown, main)).transpose()?.filter(|(text, _)| text.len() >= LEAST);
    let (text, has_title) = match marked {
        Some(marked) => marked,
        None => {
            hide(&tree, &order, &mut shown, |id| around[index(id)]);
            written(&shown, PageTree::ROOT)?
        }
    };
    let text = text.trim();
    let text = match title {
        Some(title) if !has_title && !text.is_empty() => format!("# {title}\n\n{text}"),
        _ => text.to_owned(),
    };
    Ok(HtmlPage { text, is_sign_in, refresh })
}

/// Hides elements and all their descendants.
fn hide(tree: &PageTree, order: &[NodeId], shown: &mut PageView, is_hidden: impl Fn(NodeId) -> bool) {
    for &id in order {
        let is_above = tree.parent(id).is_none_or(|parent| shown.is_shown[index(parent)]);
        shown.is_shown[index(id)] &= is_above && !is_hidden(id);
    }
}

/// Facts about a page, collected before it is converted.
struct PageFacts {
    title: Option<String>,
    main: Option<NodeId>,
    is_sign_in: bool,
    refresh: Option<String>,
    /// URL of the page's `base` element; relative links start from it.
    base: Option<String>,
    shown: PageView,
    around: Vec<bool>,
    order: Vec<NodeId>,
}

impl PageFacts {
    fn collect(tree: &PageTree) -> PageFacts {
        let order = tree.order();
        let mut shown = PageView {
            is_shown: vec![true; tree.len()],
            has_blocks: vec![false; tree.len()],
            is_rigid: vec![false; tree.len()],
        };
        let mut has_formula = vec![false; tree.len()];
        // Elements with content other than formulas.
        let mut has_words = vec![false; tree.len()];
        for (id, parent) in order.iter().rev().filter_map(|id| Some((*id, tree.parent(*id)?))) {
            let (name, node, above) = (tree.name(id), index(id), index(parent));
            if name == "svg" {
                (shown.has_blocks[node], shown.is_rigid[node]) = (false, false);
            }
            shown.has_blocks[above] |= shown.has_blocks[node] || is_block(name);
            shown.is_rigid[above] |= shown.is_rigid[node] || is_rigid(name);
            has_formula[node] |= name == "math";
            has_words[node] &= name != "math";
            has_formula[above] |= has_formula[node];
            has_words[node] |=
                matches!(name, "img" | "svg" | "input") || tree.text(id).is_some_and(|text| !text.trim().is_empty());
            has_words[above] |= has_words[node];
        }
        let mut around = vec![false; tree.len()];
        let mut is_content = vec![false; tree.len()];
        for &id in &order {
            let (name, node) = (tree.name(id), index(id));
            let is_within = tree.parent(id).is_some_and(|parent| is_content[index(parent)]);
            let is_own = || {
                is_within
                    || (name == "aside" && tree.classes(id).any(|class| NOTES.iter().any(|note| class.contains(note))))
            };
            around[node] = AROUND.contains(&name) && (name == "nav" || !is_own());
            is_content[node] = is_within || CONTENT.contains(&name);
        }
        // Pages hide formulas behind pictures of them, and hide the pictures from screen readers.
        let is_formula = |id: NodeId| has_formula[index(id)] && !has_words[index(id)];
        let has_formula_beside =
            |id: NodeId| [tree.before(id), tree.after(id)].into_iter().flatten().any(|node| has_formula[index(node)]);
        hide(tree, &order, &mut shown, |id| {
            is_skipped(tree, id)
                || (is_hidden(tree, id) && !is_formula(id))
                || (is_aria_hidden(tree, id) && (is_decoration(tree, id) || has_formula_beside(id)))
        });
        // Length of the text in each element, without navigation, headers, footers and asides.
        let mut lengths = vec![0_usize; tree.len()];
        for id in order.iter().rev().copied().filter(|id| shown.is_shown[index(*id)]) {
            let length = tree.text(id).map_or(0, |text| text.trim().len());
            lengths[index(id)] += length;
            let length = if around[index(id)] { 0 } else { lengths[index(id)] };
            if let Some(parent) = tree.parent(id) {
                lengths[index(parent)] += length;
            }
        }
        let all = lengths[index(PageTree::ROOT)];
        let visible = || order.iter().copied().filter(|id| shown.is_shown[index(*id)]);
        let is_beside = |id: NodeId| tree.above(id).any(|above| AROUND.contains(&tree.name(above)));
        let mut articles = visible().filter(|id| tree.name(*id) == "article" && !is_beside(*id));
        // Several articles are a list; a single one may be a teaser in a corner.
        let article = articles.next().filter(|id| articles.next().is_none() && 2 * lengths[index(*id)] >= all);
        let marked = visible().find(|id| tree.name(*id) == "main" || tree.says(*id, "role", "main"));
        let named = |name: &'static str| order.iter().copied().filter(move |id| tree.name(*id) == name);
        let title = named("title").find(|id| !tree.above(*id).any(|above| tree.name(above) == "svg"));
        let title = title.map(|id| tree.letters(id)).filter(|title| !title.is_empty());
        let refreshes = named("meta").filter(|id| tree.says(*id, "http-equiv", "refresh"));
        let refresh = refreshes.filter_map(|id| tree.attribute(id, "content")).find_map(refresh);
        let base = named("base").find_map(|id| tree.attribute(id, "href")).map(str::to_owned);
        let is_sign_in = is_sign_in(tree, &order, &shown, &lengths, title.as_deref(), marked);
        PageFacts { title, main: marked.or(article), is_sign_in, refresh, base, shown, around, order }
    }
}

fn is_skipped(tree: &PageTree, id: NodeId) -> bool {
    match tree.name(id) {
        "input" => !tree.says(id, "type", "checkbox"),
        "svg" => label(tree, id).is_empty(),
        // A tab or the toggle of a section: its text is a heading.
        "button" => {
            let opens = tree.says(id, "role", "tab")
                || ["aria-controls", "aria-expanded"].iter().any(|name| tree.attribute(id, name).is_some());
            !opens
                && !tree
                    .above(id)
                    .take(2)
                    .any(|above| matches!(tree.name(above), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt"))
        }
        name => SKIPPED.contains(&name),
    }
}

/// Returns `true` for elements that the page's style hides from readers.
fn is_hidden(tree: &PageTree, id: NodeId) -> bool {
    let hidden = tree.attribute(id, "hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"));
    if hidden {
        // Tab panels other than the first are hidden, but have content.
        return !tree.says(id, "role", "tabpanel");
    }
    tree.styles(id).any(|(name, value)| match name.as_str() {
        "display" => value == "none",
        "visibility" => matches!(value.as_str(), "hidden" | "collapse"),
        "font-size" => value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%') == "0",
        _ => false,
    })
}

/// Returns `true` for elements that are hidden from screen readers.
fn is_aria_hidden(tree: &PageTree, id: NodeId) -> bool {
    tree.says(id, "aria-hidden", "true")
}

/// Returns `true` for elements without information: a heading's link to itself, a picture, a closed dialog, line
/// numbers.
fn is_decoration(tree: &PageTree, id: NodeId) -> bool {
    matches!(tree.name(id), "a" | "svg")
        || (tree.name(id) == "img" && tree.attribute(id, "alt").unwrap_or_default().trim().is_empty())
        || tree.says(id, "role", "dialog")
        || tree.above(id).any(|above| tree.name(above) == "pre")
}

/// Returns `true` if the page is only a sign-in form: a password field, or a user name field and a heading about
/// signing in.
fn is_sign_in(
    tree: &PageTree,
    order: &[NodeId],
    shown: &PageView,
    lengths: &[usize],
    title: Option<&str>,
    main: Option<NodeId>,
) -> bool {
    let is_around = |id: NodeId| AROUND.contains(&tree.name(id));
    let is_content = |id: NodeId| {
        let is_inside = main.is_none_or(|main| tree.above(id).any(|above| above == main));
        let is_seen = tree.parent(id).is_some_and(|parent| shown.is_shown[index(parent)]);
        is_inside && is_seen && !tree.above(id).any(is_around)
    };
    let inputs = || order.iter().copied().filter(|id| tree.name(*id) == "input" && is_content(*id));
    let password = inputs().find(|id| tree.says(*id, "type", "password"));
    let Some(field) = password.or_else(|| inputs().find(|id| is_user_field(tree, *id))) else { return false };
    let form = tree.above(field).find(|id| tree.name(*id) == "form");
    // Some frameworks wrap the whole page in a form.
    let labels = form.map_or(0, |form| lengths[index(form)].min(AROUND_SIGN_IN));
    let around = lengths[index(main.unwrap_or(PageTree::ROOT))].saturating_sub(labels);
    let mut headings = order.iter().filter(|id| matches!(tree.name(**id), "h1" | "h2"));
    let is_named = title.is_some_and(names_sign_in) || headings.any(|id| names_sign_in(&tree.letters(*id)));
    match (is_named, password) {
        (true, _) => around < AROUND_SIGN_IN,
        (false, Some(_)) => around < AROUND_PASSWORD,
        (false, None) => false,
    }
}

fn is_user_field(tree: &PageTree, id: NodeId) -> bool {
    const NAMES: [&str; 6] = ["user", "email", "e-mail", "login", "account", "identifier"];
    let has_type = |kind: &str| tree.says(id, "type", kind);
    let says = |attribute: &str| {
        let said = tree.attribute(id, attribute).unwrap_or_default().to_ascii_lowercase();
        NAMES.iter().any(|name| said.contains(name))
    };
    let is_text = tree.attribute(id, "type").is_none() || has_type("text") || has_type("tel");
    has_type("email") || (is_text && ["name", "id", "autocomplete"].into_iter().any(says))
}

/// Parses `5; url=/there`; `None` if the delay is long enough to read the page.
fn refresh(content: &str) -> Option<String> {
    const SOON: f64 = 10.0;
    let (delay, rest) = content.split_once([';', ','])?;
    let is_soon = delay.trim().parse::<f64>().is_ok_and(|delay| delay <= SOON);
    let (name, to) = rest.split_once('=')?;
    let to = to.trim().trim_matches(['"', '\'']);
    (is_soon && name.trim().eq_ignore_ascii_case("url") && !to.is_empty()).then(|| to.to_owned())
}
