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

/// What a page says.
#[derive(Debug, PartialEq, Eq)]
pub struct HtmlPage {
    /// Its content in Markdown.
    pub text: String,
    /// Whether it is nothing but a sign-in.
    pub is_sign_in: bool,
    /// Where it leads by itself.
    pub refresh: Option<String>,
}

/// Why there is no page.
#[derive(Debug, PartialEq, Eq)]
pub enum HtmlFailure {
    /// Its markup is beyond the bounds.
    Markup,
    /// Its text is too long.
    Length,
}

/// The stack of the thread that converts.
const STACK: usize = 32 << 20;

/// How many pages are converted at once: each may take a few hundred megabytes.
static CONVERTING: Semaphore = Semaphore::const_new(2);

/// How much may be written while converting, in bytes: texts are written more than once on their way.
const BUDGET: usize = 4 * MAX_PAGE;

/// Elements without a text to read.
const SKIPPED: [&str; 14] = [
    "title", "script", "style", "noscript", "template", "iframe", "canvas", "object", "embed", "button", "select",
    "textarea", "input", "dialog",
];

/// Elements around the content of a page that doesn't mark its content; but navigation, only those of the page itself.
const AROUND: [&str; 4] = ["nav", "header", "footer", "aside"];

/// Elements whose header, footer and asides are their own.
const CONTENT: [&str; 4] = ["main", "article", "section", "blockquote"];

/// What classes of asides have in them that are no sidebars.
const NOTES: [&str; 6] = ["note", "warning", "caution", "important", "danger", "admonition"];

/// The least text of what a page marks as its content, in bytes.
const LEAST: usize = 100;

/// The most text around the form of a page that is nothing but a sign-in, in bytes.
const AROUND_SIGN_IN: usize = 300;

/// [`AROUND_SIGN_IN`], where only the password tells what the page is.
const AROUND_PASSWORD: usize = 150;

/// Tells the thread that converts a page when nobody waits for it any more.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reads a page at `base`, on a thread of its own, which ends soon after this does.
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
    let PageFacts { title, main, is_sign_in, refresh, base: own_base, mut shown, around, order } = PageFacts::of(&tree);
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

/// Takes elements with all in them from what is shown.
fn hide(tree: &PageTree, order: &[NodeId], shown: &mut PageView, is_hidden: impl Fn(NodeId) -> bool) {
    for &id in order {
        let is_above = tree.parent(id).is_none_or(|parent| shown.is_shown[index(parent)]);
        shown.is_shown[index(id)] &= is_above && !is_hidden(id);
    }
}

/// What is to be known of a page before it is converted.
struct PageFacts {
    title: Option<String>,
    main: Option<NodeId>,
    is_sign_in: bool,
    refresh: Option<String>,
    /// What its links are relative to, as it says itself.
    base: Option<String>,
    shown: PageView,
    /// Whether an element stands around the content.
    around: Vec<bool>,
    order: Vec<NodeId>,
}

impl PageFacts {
    fn of(tree: &PageTree) -> PageFacts {
        let order = tree.order();
        let mut shown = PageView {
            is_shown: vec![true; tree.len()],
            has_blocks: vec![false; tree.len()],
            is_rigid: vec![false; tree.len()],
        };
        let mut has_formula = vec![false; tree.len()];
        // Whether there is something to read in it beside formulas.
        let mut has_words = vec![false; tree.len()];
        for (id, parent) in order.iter().rev().filter_map(|id| Some((*id, tree.parent(*id)?))) {
            let (name, at, above) = (tree.name(id), index(id), index(parent));
            if name == "svg" {
                (shown.has_blocks[at], shown.is_rigid[at]) = (false, false);
            }
            shown.has_blocks[above] |= shown.has_blocks[at] || is_block(name);
            shown.is_rigid[above] |= shown.is_rigid[at] || is_rigid(name);
            has_formula[at] |= name == "math";
            has_words[at] &= name != "math";
            has_formula[above] |= has_formula[at];
            has_words[at] |=
                matches!(name, "img" | "svg" | "input") || tree.text(id).is_some_and(|of| !of.trim().is_empty());
            has_words[above] |= has_words[at];
        }
        let mut around = vec![false; tree.len()];
        let mut is_content = vec![false; tree.len()];
        for &id in &order {
            let (name, at) = (tree.name(id), index(id));
            let is_within = tree.parent(id).is_some_and(|of| is_content[index(of)]);
            let is_own = || {
                is_within || (name == "aside" && tree.classes(id).any(|of| NOTES.iter().any(|note| of.contains(note))))
            };
            around[at] = AROUND.contains(&name) && (name == "nav" || !is_own());
            is_content[at] = is_within || CONTENT.contains(&name);
        }
        // Formulas are hidden beside the pictures of them, and the pictures from machines.
        let is_formula = |id: NodeId| has_formula[index(id)] && !has_words[index(id)];
        let is_beside_formula =
            |id: NodeId| [tree.before(id), tree.after(id)].into_iter().flatten().any(|of| has_formula[index(of)]);
        hide(tree, &order, &mut shown, |id| {
            is_skipped(tree, id)
                || (is_hidden(tree, id) && !is_formula(id))
                || (is_for_eyes(tree, id) && (is_decoration(tree, id) || is_beside_formula(id)))
        });
        // How much text there is in each element but what stands around.
        let mut lengths = vec![0_usize; tree.len()];
        for id in order.iter().rev().copied().filter(|id| shown.is_shown[index(*id)]) {
            let own = tree.text(id).map_or(0, |text| text.trim().len());
            lengths[index(id)] += own;
            let length = if around[index(id)] { 0 } else { lengths[index(id)] };
            if let Some(parent) = tree.parent(id) {
                lengths[index(parent)] += length;
            }
        }
        let all = lengths[index(PageTree::ROOT)];
        let visible = || order.iter().copied().filter(|id| shown.is_shown[index(*id)]);
        let is_beside = |id: NodeId| tree.above(id).any(|of| AROUND.contains(&tree.name(of)));
        let mut articles = visible().filter(|id| tree.name(*id) == "article" && !is_beside(*id));
        // Several are a list of them, and one may be a teaser in a corner.
        let article = articles.next().filter(|id| articles.next().is_none() && 2 * lengths[index(*id)] >= all);
        let marked = visible().find(|id| tree.name(*id) == "main" || tree.says(*id, "role", "main"));
        let named = |name: &'static str| order.iter().copied().filter(move |id| tree.name(*id) == name);
        let title = named("title").find(|id| !tree.above(*id).any(|of| tree.name(of) == "svg"));
        let title = title.map(|id| tree.letters(id)).filter(|of| !of.is_empty());
        let refreshes = named("meta").filter(|id| tree.says(*id, "http-equiv", "refresh"));
        let refresh = refreshes.filter_map(|id| tree.attribute(id, "content")).find_map(refresh);
        let base = named("base").find_map(|id| tree.attribute(id, "href")).map(str::to_owned);
        let is_sign_in = is_sign_in(tree, &order, &shown, &lengths, title.as_deref(), marked);
        PageFacts { title, main: marked.or(article), is_sign_in, refresh, base, shown, around, order }
    }
}

/// Whether an element has no text to read.
fn is_skipped(tree: &PageTree, id: NodeId) -> bool {
    match tree.name(id) {
        "input" => !tree.says(id, "type", "checkbox"),
        "svg" => label(tree, id).is_empty(),
        // It opens what the heading is of, or what it names.
        "button" => {
            let opens = tree.says(id, "role", "tab")
                || ["aria-controls", "aria-expanded"].iter().any(|name| tree.attribute(id, name).is_some());
            !opens
                && !tree
                    .above(id)
                    .take(2)
                    .any(|of| matches!(tree.name(of), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt"))
        }
        name => SKIPPED.contains(&name),
    }
}

/// Whether people who look at the page don't see an element.
fn is_hidden(tree: &PageTree, id: NodeId) -> bool {
    let hidden = tree.attribute(id, "hidden").is_some_and(|of| !of.eq_ignore_ascii_case("until-found"));
    if hidden {
        // A tab that is not the first.
        return !tree.says(id, "role", "tabpanel");
    }
    tree.styles(id).any(|(name, value)| match name.as_str() {
        "display" => value == "none",
        "visibility" => matches!(value.as_str(), "hidden" | "collapse"),
        "font-size" => value.trim_end_matches(|of: char| of.is_ascii_alphabetic() || of == '%') == "0",
        _ => false,
    })
}

/// Whether only people who look at the page are to know of an element.
fn is_for_eyes(tree: &PageTree, id: NodeId) -> bool {
    tree.says(id, "aria-hidden", "true")
}

/// Whether such an element says nothing: a link beside a heading, a picture, a window that isn't open, the numbers of lines.
fn is_decoration(tree: &PageTree, id: NodeId) -> bool {
    matches!(tree.name(id), "a" | "svg")
        || (tree.name(id) == "img" && tree.attribute(id, "alt").unwrap_or_default().trim().is_empty())
        || tree.says(id, "role", "dialog")
        || tree.above(id).any(|of| tree.name(of) == "pre")
}

/// Whether there is nothing but a form to sign in: with a password, or with a name under a heading that says so.
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
        let is_inside = main.is_none_or(|main| tree.above(id).any(|of| of == main));
        let is_seen = tree.parent(id).is_some_and(|of| shown.is_shown[index(of)]);
        is_inside && is_seen && !tree.above(id).any(is_around)
    };
    let inputs = || order.iter().copied().filter(|id| tree.name(*id) == "input" && is_content(*id));
    let password = inputs().find(|id| tree.says(*id, "type", "password"));
    let Some(field) = password.or_else(|| inputs().find(|id| is_user_field(tree, *id))) else { return false };
    let form = tree.above(field).find(|id| tree.name(*id) == "form");
    // Some frameworks put the whole page into a form.
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

/// Whether a field takes the name that somebody signs in with.
fn is_user_field(tree: &PageTree, id: NodeId) -> bool {
    const NAMES: [&str; 6] = ["user", "email", "e-mail", "login", "account", "identifier"];
    let is = |kind: &str| tree.says(id, "type", kind);
    let says = |attribute: &str| {
        let said = tree.attribute(id, attribute).unwrap_or_default().to_ascii_lowercase();
        NAMES.iter().any(|name| said.contains(name))
    };
    let is_text = tree.attribute(id, "type").is_none() || is("text") || is("tel");
    is("email") || (is_text && ["name", "id", "autocomplete"].into_iter().any(says))
}

/// Where `5; url=/there` leads, unless it takes long enough for the page to be read.
fn refresh(content: &str) -> Option<String> {
    const SOON: f64 = 10.0;
    let (delay, rest) = content.split_once([';', ','])?;
    let is_soon = delay.trim().parse::<f64>().is_ok_and(|delay| delay <= SOON);
    let (name, to) = rest.split_once('=')?;
    let to = to.trim().trim_matches(['"', '\'']);
    (is_soon && name.trim().eq_ignore_ascii_case("url") && !to.is_empty()).then(|| to.to_owned())
}
