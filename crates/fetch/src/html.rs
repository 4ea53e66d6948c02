//! HTML → Markdown: the main content, with its tables, code and links.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use eval_message::msg;
use tokio::sync::{Semaphore, oneshot};
use url::Url;

use crate::login::names_sign_in;
use crate::markdown::{MarkdownWriter, PageSource, PageView, is_block, is_rigid, one_line};
use crate::refusal::{FetchRefusal, MAX_PAGE, too_large};
use crate::tree::{NodeId, PageTree, index, parsed};

/// What a page says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HtmlPage {
    /// Its content in Markdown.
    pub(crate) text: String,
    /// Whether it is nothing but a sign-in.
    pub(crate) is_sign_in: bool,
    /// Where it leads by itself.
    pub(crate) refresh: Option<String>,
}

/// Why there is no page.
#[derive(Debug, PartialEq, Eq)]
enum HtmlFailure {
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
const SKIPPED: [&str; 15] = [
    "title", "script", "style", "noscript", "template", "svg", "iframe", "canvas", "object", "embed", "button",
    "select", "textarea", "input", "dialog",
];

/// Elements around the content of a page that doesn't mark its content.
const AROUND: [&str; 4] = ["nav", "header", "footer", "aside"];

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
    page.await.map_err(|_| failed())?.map_err(|why| match why {
        HtmlFailure::Markup => failed(),
        HtmlFailure::Length => too_large(),
    })
}

fn converted(html: &str, base: &Url, is_abandoned: &dyn Fn() -> bool) -> Result<HtmlPage, HtmlFailure> {
    let tree = parsed(html, is_abandoned).ok_or(HtmlFailure::Markup)?;
    let PageFacts { title, main, is_sign_in, refresh, mut shown, order } = PageFacts::of(&tree);
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
            hide(&tree, &order, &mut shown, |id| AROUND.contains(&tree.name(id)));
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
    shown: PageView,
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
        for (id, parent) in order.iter().rev().filter_map(|id| Some((*id, tree.parent(*id)?))) {
            let (name, at, above) = (tree.name(id), index(id), index(parent));
            shown.has_blocks[above] |= shown.has_blocks[at] || is_block(name);
            shown.is_rigid[above] |= shown.is_rigid[at] || is_rigid(name);
            has_formula[at] |= name == "math";
            has_formula[above] |= has_formula[at];
        }
        // Formulas are hidden beside the pictures of them.
        hide(tree, &order, &mut shown, |id| is_skipped(tree, id) || (is_hidden(tree, id) && !has_formula[index(id)]));
        // How much text there is in each element but what stands around.
        let mut lengths = vec![0_usize; tree.len()];
        for id in order.iter().rev().copied().filter(|id| shown.is_shown[index(*id)]) {
            let own = tree.text(id).map_or(0, |text| text.trim().len());
            lengths[index(id)] += own;
            let length = if AROUND.contains(&tree.name(id)) { 0 } else { lengths[index(id)] };
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
        let title = title.map(|id| letters(tree, id)).filter(|of| !of.is_empty());
        let refreshes = named("meta").filter(|id| tree.says(*id, "http-equiv", "refresh"));
        let refresh = refreshes.filter_map(|id| tree.attribute(id, "content")).find_map(refresh);
        let is_sign_in = is_sign_in(tree, &order, &shown, &lengths, title.as_deref(), marked);
        PageFacts { title, main: marked.or(article), is_sign_in, refresh, shown, order }
    }
}

/// Whether an element has no text to read.
fn is_skipped(tree: &PageTree, id: NodeId) -> bool {
    match tree.name(id) {
        "input" => !tree.says(id, "type", "checkbox"),
        // It opens what the heading is of.
        "button" => {
            !tree.above(id).take(2).any(|of| matches!(tree.name(of), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt"))
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
    if tree.says(id, "aria-hidden", "true") {
        return true;
    }
    let style = tree.attribute(id, "style").unwrap_or_default().to_ascii_lowercase();
    style.split(';').filter_map(|of| of.split_once(':')).any(|(name, value)| {
        let value = value.trim_end_matches("!important").trim();
        match name.trim() {
            "display" => value == "none",
            "visibility" => matches!(value, "hidden" | "collapse"),
            "font-size" => value.trim_end_matches(|of: char| of.is_ascii_alphabetic() || of == '%') == "0",
            _ => false,
        }
    })
}

/// All letters in an element, in one line.
fn letters(tree: &PageTree, id: NodeId) -> String {
    let (mut said, mut open) = (String::new(), vec![id]);
    while let Some(id) = open.pop() {
        said.push_str(tree.text(id).unwrap_or_default());
        let children: Vec<NodeId> = tree.children(id).collect();
        open.extend(children.into_iter().rev());
    }
    one_line(&said)
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
    let is_named = title.is_some_and(names_sign_in) || headings.any(|id| names_sign_in(&letters(tree, *id)));
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

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn page(html: &str) -> Result<HtmlPage, HtmlFailure> {
        converted(html, &Url::parse("https://docs.example.com/guide/rules").unwrap(), &|| false)
    }

    fn text(html: &str) -> String {
        page(html).unwrap().text
    }

    /// A page whose main content is long enough to be taken, without that.
    fn main(html: &str) -> String {
        let long = "Text of a page. ".repeat(10);
        let text = text(&format!("<main><h1>T</h1><p>{long}</p>{html}</main>"));
        text.strip_prefix(&format!("# T\n\n{}", long.trim())).unwrap().trim().to_owned()
    }

    #[test]
    fn tables_code_and_links_stay() {
        let text = text(
            "<!doctype html><title>Rules &amp; limits</title><script>alert(1)</script><style>p{}</style><nav>Home</nav>\
             <main><p>See <a href='../faq#x'>the FAQ</a> and <a href='#top'>above</a>.</p>\
             <table><tr><th>Class</th><th>Limit</th></tr><tr><td>A</td><td>500</td></tr></table>\
             <pre><code class='language-rust'>fn main() {}\n</code></pre><ul><li>one</li><li>two</li></ul></main>\
             <footer>Imprint</footer>",
        );
        assert_eq!(
            text,
            "# Rules & limits\n\nSee [the FAQ](https://docs.example.com/faq#x) and [above](#top).\n\n\
             | Class | Limit |\n|---|---|\n| A | 500 |\n\n```rust\nfn main() {}\n```\n\n- one\n- two"
        );
    }

    /// The cells of each row as Chromium shows them: what stands at the middle of each row and column.
    #[test]
    fn a_table_has_the_cells_that_browsers_show() {
        let cells = |html: &str| -> Vec<Vec<String>> {
            let text = main(html);
            let lines = text.lines().filter(|line| !line.starts_with("|---") && !line.starts_with("|  |"));
            let cells = |line: &str| line.trim_matches('|').split(" | ").map(|of| of.trim().to_owned()).collect();
            lines.map(cells).collect()
        };
        for (html, expected) in [
            (KEYS, &[["Class A", "500"], ["Class B", "900"], ["Class C", "70"]].map(|of| of.to_vec())[..]),
            (
                ROW_HEADINGS,
                &[["Class", "Limit", "Who"], ["A", "500", "boss"], ["B", "900", "CEO"]].map(|of| of.to_vec()),
            ),
            (TWO_HEADINGS, &[["2026", "2026"], ["Class", "Limit"], ["A", "500"], ["A", "900"]].map(|of| of.to_vec())),
            (
                SPANS,
                &[
                    ["Q", "Q", "Q", "R"],
                    ["a", "b", "b", "c"],
                    ["a", "b", "b", "d"],
                    ["a", "e", "f", ""],
                    ["g", "h", "h", "i"],
                ]
                .map(|of| of.to_vec()),
            ),
        ] {
            assert_eq!(cells(html), expected, "{html}");
        }
    }

    const KEYS: &str = "<table><tr><th>Class A<td>500<tr><th>Class B<td>900<tr><th>Class C<td>70</table>";

    const ROW_HEADINGS: &str = "<table><thead><tr><th>Class<th>Limit<th>Who</thead><tbody><tr><th scope=row>A<td>500<td>boss\
        <tr><th scope=row>B<td>900<td>CEO</table>";

    const TWO_HEADINGS: &str = "<table><thead><tr><th colspan=2>2026<tr><th>Class<th>Limit</thead><tbody><tr><td rowspan=2>A\
        <td>500<tr><td>900</table>";

    const SPANS: &str = "<table><thead><tr><th colspan=3 rowspan=9>Q<th>R</thead><tbody><tr><td rowspan=0>a<td colspan=2 rowspan=2>b\
        <td>c<tr><td>d<tr><td>e<td>f<tbody><tr><td>g<td colspan=2>h<td>i</table>";

    #[test]
    fn tables_are_not_padded_and_cells_stay_in_their_lines() {
        let rows = "<tr><td>opt</td><td>x</td></tr>".repeat(500);
        let wide = main(&format!("<table><tr><td>big<td>{}</tr>{rows}</table>", "long ".repeat(600)));
        assert!(wide.len() < 12_000, "{}", wide.len());
        assert!(wide.starts_with("|  |  |\n|---|---|\n| big | long long"), "{}", &wide[..60]);
        assert_eq!(
            main(
                "<table><caption>Limits<thead><tr><th>K<th>V</thead><tr><td>a|b<td><pre>x\n  y</pre><tr><td>c<td>\
                 <ul><li>one<li>two</ul><tr><td>d<td><table><tr><td>in1<td>in|2<tr><td>in3</table><tr>\
                 <td class=code>    return 1<td><p>p<p>q</table>"
            ),
            "Limits\n\n| K | V |\n|---|---|\n| a\\|b | x<br>  y |\n| c | - one<br>- two |\n| d | in1, in\\|2<br>in3 |\n\
             |     return 1 | p<br>q |"
        );
    }

    #[test]
    fn tables_that_only_put_things_beside_each_other_are_none() {
        let code =
            "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>def f():\n    return 1</pre></table>";
        assert_eq!(main(code), "```\ndef f():\n    return 1\n```");
        let around = format!("<table><tr><td>Menu<td>{ROW_HEADINGS}</table>");
        assert_eq!(
            main(&around),
            "Menu\n\n| Class | Limit | Who |\n|---|---|---|\n| A | 500 | boss |\n| B | 900 | CEO |"
        );
        assert_eq!(main("<table><tr><td><p>One<p>two</table>"), "One\n\ntwo");
    }

    #[test]
    fn what_markup_means_is_said() {
        for (html, markdown) in [
            ("<p><del>old 300</del> <s>was 400</s> <ins>500</ins>", "~~old 300~~ ~~was 400~~ 500"),
            ("<p>x<sup>2</sup> H<sub>2</sub>O", "x<sup>2</sup> H<sub>2</sub>O"),
            (
                "<dl><dt>limit<dd>500<dt>who<dt>when<dd><p>boss<p>soon</dl>",
                "limit\n: 500\n\nwho\nwhen\n: boss\n\n  soon",
            ),
            ("<ul><li><input type=checkbox checked> done<li><input type=checkbox>open</ul>", "- [x] done\n- [ ] open"),
            ("<pre>a\n  *b*<br>c</pre>", "```\na\n  *b*\nc\n```"),
            ("<pre>``` four ````</pre>", "`````\n``` four ````\n`````"),
            (
                "<div class='highlight-python notranslate'><div class=highlight><pre><span></span><b>def</b> f(x):\n\n\n  \
                 return *x*</pre></div></div>",
                "```python\ndef f(x):\n\n\n  return *x*\n```",
            ),
            (
                "<p>a <code>b|`c`</code> <b>d</b><b>e</b> <strong><b>f</b></strong><i> </i>.",
                "a ``  b|`c` `` **de** **f** .",
            ),
            ("<p>snake_case a*b [x] 1. <br>next", "snake_case a*b [x] 1.\nnext"),
            ("<ol start=5><li>five<ul><li>a<li>b</ul><li>six</ol>after", "5. five\n   - a\n   - b\n6. six\n\nafter"),
            ("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>", "> a\n>\n> b\n>\n> - c"),
            ("<a href=/x><h3>Card</h3><p>of it</p></a>", "[Card of it](https://docs.example.com/x)"),
            (
                "<h3>Part<a href=#part>¶</a></h3><p><a href='a (b)'>c</a>",
                "### Part\n\n[c](<https://docs.example.com/guide/a%20(b)>)",
            ),
            ("<p><a href='javascript:x()'>run</a> <img src='data:image/png;base64,AAAA' alt=Picture>", "run Picture"),
            ("<h3><button>Why?</button></h3><button>Copy</button><p>So.", "### Why?\n\nSo."),
            ("<math><msup><mi>x</mi><mn>10</mn></msup></math>", "$x^{10}$"),
            (
                "<span style='display: none'><math alttext='{\\displaystyle x^{2}}'><mi>x</mi></math></span>\
                 <img src=/x2.svg alt='x^2' aria-hidden=true> grows",
                "$x^{2}$ grows",
            ),
        ] {
            let markdown = markdown.replace("``  b", "`` b");
            assert_eq!(main(html), markdown, "{html}");
        }
    }

    #[test]
    fn what_people_do_not_see_is_left_out() {
        let hidden = "<p style='color: red; DISPLAY : none !important'>A<p hidden>B<p aria-hidden=true>C<p style=font-size:0px>D\
            <div style='visibility:hidden'><p>E</div><!-- F --><template>G</template>";
        assert_eq!(main(&format!("{hidden}<p>shown<p style=font-size:0.9em hidden=until-found>too")), "shown\n\ntoo");
        assert_eq!(main("<div role=tabpanel>npm</div><div role=tabpanel hidden>yarn</div>"), "npm\n\nyarn");
    }

    #[test]
    fn the_only_article_is_the_page_if_it_has_most_of_its_text() {
        let rules = format!("<h1>Rules</h1><p>{}</p>", "Class A: 500. ".repeat(20));
        let teaser = format!("<article><h3>Read next</h3><p>{}</p></article>", "Another story. ".repeat(8));
        let beside = text(&format!("<div>{rules}</div><div>{teaser}</div>"));
        assert!(beside.starts_with("# Rules\n\nClass A: 500.") && beside.contains("Another story."), "{beside}");
        let inside = text(&format!("<div>Related</div><article>{rules}</article><nav>{teaser}</nav>"));
        assert!(inside.starts_with("# Rules") && !inside.contains("Related"), "{inside}");
    }

    #[test]
    fn a_heading_in_code_is_no_title() {
        let text = text("<title>Guide</title><p>Install:<pre># a comment\nmake</pre>");
        assert_eq!(text, "# Guide\n\nInstall:\n\n```\n# a comment\nmake\n```");
    }

    #[test]
    fn a_page_without_marked_content_is_all_content_but_what_stands_around() {
        let text = page("<header>Logo</header><div><h1>Rules</h1><p>Ask first.</p></div><footer>Imprint</footer>")
            .unwrap()
            .text;
        assert_eq!(text, "# Rules\n\nAsk first.");
    }

    #[test]
    fn a_page_that_is_nothing_but_a_sign_in_is_known() {
        let is_sign_in = |html: &str| page(html).unwrap().is_sign_in;
        let text = "This is the rule of all. ".repeat(8);
        for sign_in in [
            "<form><input type=Password name=p></form>",
            "<h1>Wiki</h1><form><label>User <input name=u></label><label>Password <input type=password></label></form>",
            "<title>Sign in</title><main><h1>Sign in to Wiki</h1><form><input type=email name=u><button>Continue</button>\
             </form><p>Use your single sign-on account. Trouble? Ask the help desk for access.</main>",
            "<title>登录 - 公司维基</title><form><input name=username></form>",
        ] {
            assert!(is_sign_in(sign_in), "{sign_in}");
        }
        for page in [
            format!("<header><form><input type=password></form></header><main><h1>Rules</h1><p>{text}</main>"),
            format!("<form><h1>Rules</h1><p>{text}{text}{text}<input type=password></form>"),
            format!("<h1>How to log in</h1><p>{text}{text}<form><input type=email></form>"),
            "<h1>News</h1><form><input type=email></form>".to_owned(),
            "<h1>The blog in depth</h1><form><input name=user></form>".to_owned(),
            "<h1>Log in</h1><p>Run the tool.<footer><form><input type=email></form></footer>".to_owned(),
        ] {
            assert!(!is_sign_in(&page), "{page}");
        }
    }

    #[test]
    fn pages_that_lead_on_are_known() {
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
        assert_eq!(page(&"<div>".repeat(200_000)), Err(HtmlFailure::Markup));
        let script = format!("<main><script>{}</script><p>Rules stand here.</main>", "if (i<n && n<b) ".repeat(5_000));
        assert_eq!(text(&script), "Rules stand here.");
        assert!(page("<table><td><table><a href='<'></b></p>\u{0}x").is_ok());
        assert_eq!(text(""), "");
        assert_eq!(text("<?php x ?><p>y"), "y");
    }

    /// Each grew to gigabytes once, or could.
    #[test]
    fn text_that_would_grow_without_end_is_refused() {
        let cells = format!("<table><tr><td>{}{}</table>", "x".repeat(1 << 20), "<tr><td>1<td>2".repeat(20_000));
        let cells = text(&cells);
        assert!(cells.len() < 2 * MAX_PAGE, "{}", cells.len());
        for html in [
            format!("<table><tr><td colspan=1000>{}<tr><td>a<td>b</table>", "x".repeat(1 << 20)),
            format!("<table>{}</table>", "<tr><td colspan=1000>x<td>".repeat(80_000)),
            format!("<table>{}{}</table>", "<td rowspan=0>x".repeat(3_000), "<tr><td>y".repeat(100_000)),
            "<blockquote>".repeat(60) + &"x<br>".repeat(90_000),
            "<ol><li>".repeat(30) + &"a<br>".repeat(110_000),
        ] {
            assert_eq!(page(&html).map(|page| page.text.len()), Err(HtmlFailure::Length), "{}", &html[..40]);
        }
        let base = Url::parse(&format!("https://docs.example.com/{}/x", "d".repeat(60_000))).unwrap();
        let links = "<p>".to_owned() + &"<a href=x>y</a>".repeat(60_000);
        assert_eq!(converted(&links, &base, &|| false).map(|page| page.text.len()), Err(HtmlFailure::Length));
    }
}
