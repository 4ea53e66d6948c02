//! HTML → Markdown: the main content, with its tables, code and links.

use std::rc::Rc;

use eval_message::msg;
use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;
use tokio::sync::oneshot;
use url::Url;

use crate::refusal::FetchRefusal;

/// What a page says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HtmlPage {
    /// Its content in Markdown.
    pub(crate) text: String,
    /// Whether it asks for a password.
    pub(crate) has_password: bool,
    /// Where it leads by itself.
    pub(crate) refresh: Option<String>,
}

/// How deep elements may be nested: no page that people read is deeper, and converting recurses.
const MAX_DEPTH: usize = 400;

/// How many elements may be open at once, as counted before parsing: the parser's time grows with the square of it.
const MAX_OPEN: usize = 10 * MAX_DEPTH;

/// Elements that need no end.
const WITHOUT_END: [&str; 26] = [
    "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html", "img", "input", "li",
    "link", "meta", "option", "p", "source", "tbody", "td", "th", "thead", "tr", "wbr",
];

/// Elements whose content is text, whatever it looks like.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// The stack of the thread that converts.
const STACK: usize = 32 << 20;

/// Elements without a text to read.
const SKIPPED: [&str; 15] = [
    "title", "script", "style", "noscript", "template", "svg", "iframe", "canvas", "object", "embed", "button",
    "select", "textarea", "input", "dialog",
];

/// Elements around the content of a page that doesn't mark its content.
const AROUND: [&str; 4] = ["nav", "header", "footer", "aside"];

/// The least text of what a page marks as its content, in bytes.
const LEAST: usize = 100;

/// Reads a page at `base`, on a thread of its own: a page that takes too long is given up with its thread.
pub(crate) async fn read(html: String, base: Url) -> Result<HtmlPage, FetchRefusal> {
    let (reply, page) = oneshot::channel();
    let convert = move || drop(reply.send(converted(&html, &base)));
    let failed = || FetchRefusal::new(msg!("fetch-html"));
    std::thread::Builder::new().name("html".to_owned()).stack_size(STACK).spawn(convert).map_err(|_| failed())?;
    page.await.map_err(|_| failed())?.ok_or_else(failed)
}

/// `None` where the page is nested too deep.
fn converted(html: &str, base: &Url) -> Option<HtmlPage> {
    if most_open(html) > MAX_OPEN {
        return None;
    }
    let reader = |skipped: &[&str]| HtmlToMarkdown::builder().skip_tags(skipped.to_vec()).build();
    let inside = reader(&SKIPPED);
    let document = inside.html_to_tree(html).ok()?;
    let facts = PageFacts::of(&document, base)?;
    let marked = facts.main.as_ref().map(|main| inside.tree_to_markdown(main)).filter(|text| text.len() >= LEAST);
    let text = marked.unwrap_or_else(|| reader(&[&SKIPPED[..], &AROUND].concat()).tree_to_markdown(&document));
    let titled = match (facts.title, text.lines().any(|line| line.starts_with("# "))) {
        (Some(title), false) if !text.trim().is_empty() => format!("# {title}\n\n{}", text.trim_start()),
        _ => text,
    };
    Some(HtmlPage { text: titled.trim().to_owned(), has_password: facts.has_password, refresh: facts.refresh })
}

/// The most elements that are open at once, about: tags are counted, not parsed.
fn most_open(html: &str) -> usize {
    let (mut open, mut most, mut raw) = (0_usize, 0, None);
    for tag in html.split('<').skip(1) {
        let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |rest| (true, rest));
        let name = tag.split(|of: char| !of.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
        match raw.take() {
            Some(of) if !is_end || name != of => raw = Some(of),
            None if RAW.contains(&name.as_str()) && !is_end => raw = Some(name),
            _ if name.is_empty() || WITHOUT_END.contains(&name.as_str()) || RAW.contains(&name.as_str()) => {}
            _ if is_end => open = open.saturating_sub(1),
            _ if tag.split('>').next().is_some_and(|of| of.ends_with('/')) => {}
            _ => open += 1,
        }
        most = most.max(open);
    }
    most
}

/// What is to be known of a page before it is converted.
#[derive(Default)]
struct PageFacts {
    title: Option<String>,
    main: Option<Rc<Node>>,
    has_password: bool,
    refresh: Option<String>,
}

impl PageFacts {
    /// Walks the tree without recursion, and makes its links absolute on the way. `None` where it is too deep.
    fn of(document: &Rc<Node>, base: &Url) -> Option<PageFacts> {
        let mut facts = PageFacts::default();
        let mut articles: Vec<Rc<Node>> = Vec::new();
        let mut open = vec![(Rc::clone(document), 0)];
        while let Some((node, depth)) = open.pop() {
            if depth > MAX_DEPTH {
                return None;
            }
            if let NodeData::Element { name, attrs, .. } = &node.data {
                let attribute = |wanted: &str| {
                    attrs.borrow().iter().find(|of| &*of.name.local == wanted).map(|of| of.value.to_string())
                };
                match &*name.local {
                    "title" if facts.title.is_none() => facts.title = title(&node),
                    "main" if facts.main.is_none() => facts.main = Some(Rc::clone(&node)),
                    "article" => articles.push(Rc::clone(&node)),
                    "input" => {
                        facts.has_password |= attribute("type").is_some_and(|of| of.eq_ignore_ascii_case("password"))
                    }
                    "meta" => {
                        let is_refresh = attribute("http-equiv").is_some_and(|of| of.eq_ignore_ascii_case("refresh"));
                        let to = attribute("content").filter(|_| is_refresh).and_then(|of| refresh(&of));
                        facts.refresh = facts.refresh.take().or(to);
                    }
                    tag @ ("a" | "img") => {
                        let name = if tag == "a" { "href" } else { "src" };
                        let mut attributes = attrs.borrow_mut();
                        if let Some(link) = attributes.iter_mut().find(|of| &*of.name.local == name)
                            && let Some(address) = absolute(&link.value, base)
                        {
                            link.value = address.into();
                        }
                    }
                    _ if facts.main.is_none() && attribute("role").as_deref() == Some("main") => {
                        facts.main = Some(Rc::clone(&node));
                    }
                    _ => {}
                }
            }
            let children = node.children.borrow();
            open.extend(children.iter().rev().map(|child| (Rc::clone(child), depth + 1)));
        }
        // Several are a list of them, and none of them is the page.
        if facts.main.is_none() && articles.len() == 1 {
            facts.main = articles.pop();
        }
        Some(facts)
    }
}

fn title(node: &Rc<Node>) -> Option<String> {
    let children = node.children.borrow();
    let text = children.iter().find_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    })?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
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

/// The address that a link leads to from `base`; `None` where it is one already, or leads nowhere else.
fn absolute(link: &str, base: &Url) -> Option<String> {
    let is_relative = !link.starts_with('#') && Url::parse(link).is_err();
    base.join(link).ok().filter(|_| is_relative).map(String::from)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn page(html: &str) -> Option<HtmlPage> {
        converted(html, &Url::parse("https://docs.example.com/guide/rules").unwrap())
    }

    #[test]
    fn tables_code_and_links_stay() {
        let text = page(
            "<!doctype html><title>Rules &amp; limits</title><script>alert(1)</script><style>p{}</style><nav>Home</nav>\
             <main><p>See <a href='../faq#x'>the FAQ</a> and <a href='#top'>above</a>.</p>\
             <table><tr><th>Class</th><th>Limit</th></tr><tr><td>A</td><td>500</td></tr></table>\
             <pre><code class='language-rust'>fn main() {}\n</code></pre><ul><li>one</li><li>two</li></ul></main>\
             <footer>Imprint</footer>",
        );
        let text = text.unwrap().text;
        assert!(text.starts_with("# Rules & limits\n\nSee [the FAQ](https://docs.example.com/faq#x)"), "{text}");
        assert!(text.contains("[above](#top)"), "{text}");
        assert!(text.contains("| A") && text.contains("| 500") && text.contains("---"), "{text}");
        assert!(text.contains("```rust\nfn main() {}\n```"), "{text}");
        assert!(text.contains("one\n") && !text.contains("Home") && !text.contains("Imprint"), "{text}");
        assert!(!text.contains("alert") && !text.contains("p{}"), "{text}");
    }

    #[test]
    fn a_page_without_marked_content_is_all_content_but_what_stands_around() {
        let text = page("<header>Logo</header><div><h1>Rules</h1><p>Ask first.</p></div><footer>Imprint</footer>")
            .unwrap()
            .text;
        assert_eq!(text, "# Rules\n\nAsk first.");
    }

    #[test]
    fn forms_and_pages_that_lead_on_are_known() {
        assert!(page("<form><input type=Password name=p></form>").unwrap().has_password);
        let to = |html: &str| page(html).unwrap().refresh;
        assert_eq!(to("<meta http-equiv=refresh content='0; URL=/sso'>"), Some("/sso".to_owned()));
        assert_eq!(
            to("<meta http-equiv=Refresh content=\"5;url='https://a.example/'\">"),
            Some("https://a.example/".to_owned())
        );
        assert_eq!(to("<meta http-equiv=refresh content='300'>"), None);
        assert_eq!(to("<meta http-equiv=refresh content='300; url=/'>"), None);
    }

    #[test]
    fn hostile_markup_is_refused_or_read() {
        assert_eq!(page(&"<div>".repeat(200_000)), None);
        assert_eq!(page(&"<b><i>".repeat(2_000)), None);
        let script = format!("<main><script>{}</script><p>Rules stand here.</main>", "if (i<n && n<b) ".repeat(5_000));
        assert_eq!(page(&script).unwrap().text, "Rules stand here.");
        assert!(page("<table><td><table><a href='<'></b></p>\u{0}x").is_some());
        assert_eq!(page("").unwrap().text, "");
    }
}
