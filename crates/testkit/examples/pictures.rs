//! Makes the pictures of the README: the page of a run and its comment on a pull request, as a browser shows them.
//! `docs/pictures.sh` makes the two files and calls `pictures PAGE COMMENT NAME DIRECTORY`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a tool of ours")]

use std::path::Path;
use std::{env, fs};

use testkit::browser::Browser;

/// Imitates GitHub's comments.
const STYLE: &str = "body{margin:0;padding:16px;background:#fff;font:14px/1.5 system-ui,'Noto Sans','Noto Sans CJK SC',sans-serif;color:#1f2328}\
    .box{border:1px solid #d1d9e0;border-radius:6px}.top{background:#f6f8fa;border-bottom:1px solid #d1d9e0;padding:8px 16px;border-radius:6px 6px 0 0;color:#59636e}\
    .top b{color:#1f2328}.body{padding:4px 16px 12px}code,pre{font:12px/1.45 ui-monospace,'DejaVu Sans Mono','Noto Sans CJK SC',monospace;background:#f0f1f2;border-radius:6px;padding:.2em .4em}\
    pre{padding:10px;margin:4px 0}table{border-collapse:collapse;margin:8px 0}td,th{border:1px solid #d1d9e0;padding:4px 12px;text-align:right}td:first-child{text-align:left}\
    .alert{border-left:4px solid;padding:2px 14px;margin:10px 0}.alert p{margin:6px 0;color:#1f2328}.alert .kind{font-weight:600}ul{margin:6px 0;padding-left:22px}p{margin:8px 0}details{margin:6px 0}sub{color:#59636e;font-size:12px}";
/// Colours of alerts by kind.
const KINDS: [(&str, &str); 5] =
    [("TIP", "#1a7f37"), ("NOTE", "#0969da"), ("IMPORTANT", "#8250df"), ("WARNING", "#9a6700"), ("CAUTION", "#d1242f")];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [page, comment, name, directory] = arguments.as_slice() else { panic!("PAGE COMMENT NAME DIRECTORY") };
    let directory = fs::canonicalize(directory).expect("a directory");
    let mut browser = Browser::start().expect("a browser");
    browser.screen(1100, 820, "light");
    browser.open(&format!("file://{}", fs::canonicalize(page).unwrap().display()));
    browser.picture(&directory.join(format!("page{name}.png")), false);
    let html = Path::new(comment).with_extension("html");
    fs::write(&html, comment_page(&fs::read_to_string(comment).unwrap())).unwrap();
    browser.screen(760, 400, "light");
    browser.open(&format!("file://{}", fs::canonicalize(&html).unwrap().display()));
    browser.picture(&directory.join(format!("comment{name}.png")), true);
}

/// Wraps the comment in a page like GitHub's.
fn comment_page(text: &str) -> String {
    let body = blocks(&text.lines().collect::<Vec<_>>());
    format!(
        "<!doctype html><meta charset=utf-8><style>{STYLE}</style><div class=box><div class=top><b>github-actions</b> bot</div><div class=body>{body}</div></div>"
    )
}

/// Converts the Markdown subset of our comments to HTML.
fn blocks(lines: &[&str]) -> String {
    let mut out = String::new();
    let mut start = 0;
    while start < lines.len() {
        let line = lines[start];
        let taken = |is_part: &dyn Fn(&str) -> bool| lines[start..].iter().take_while(|line| is_part(line)).count();
        let count = if let Some(kind) = line.strip_prefix("> [!").and_then(|rest| rest.strip_suffix(']')) {
            let count = taken(&|line| line.starts_with('>'));
            let inner: Vec<&str> = lines[start + 1..start + count].iter().map(|line| line[1..].trim()).collect();
            let colour = KINDS.iter().find(|(name, _)| *name == kind).map_or("#000", |(_, colour)| colour);
            let name = kind[..1].to_owned() + &kind[1..].to_lowercase();
            out += &format!(
                "<div class=alert style='border-color:{colour}'><p class=kind style='color:{colour}'>{name}</p>{}</div>",
                blocks(&inner)
            );
            count
        } else if line.starts_with("```") {
            let fence: String = line.chars().take_while(|c| *c == '`').collect();
            let end = lines[start + 1..]
                .iter()
                .position(|line| *line == fence)
                .map_or(lines.len(), |place| start + 1 + place);
            out += &format!("<pre>{}</pre>", escaped(&lines[start + 1..end].join("\n")));
            end + 1 - start
        } else if line.starts_with('|') {
            let count = taken(&|line| line.starts_with('|'));
            let rows = lines[start..start + count].iter().enumerate().filter(|(place, _)| *place != 1);
            let row = |(_, row): (usize, &&str)| {
                let cells = row.trim_matches('|').split('|').map(|cell| format!("<td>{}</td>", spans(cell.trim())));
                format!("<tr>{}</tr>", cells.collect::<String>())
            };
            out += &format!("<table>{}</table>", rows.map(row).collect::<String>());
            count
        } else if line.starts_with("- ") {
            let count = taken(&|line| line.starts_with("- "));
            let item = |line: &&str| format!("<li>{}</li>", spans(&line[2..]));
            out += &format!("<ul>{}</ul>", lines[start..start + count].iter().map(item).collect::<String>());
            count
        } else {
            out += &match line.starts_with('<') {
                // our own elements: folded parts, small print
                true if line.starts_with("<sub>") => {
                    format!("<sub>{}</sub>", spans(line.trim_start_matches("<sub>").trim_end_matches("</sub>")))
                }
                true => line.to_owned(),
                false if line.is_empty() => String::new(),
                false => format!("<p>{}</p>", spans(line)),
            };
            1
        };
        start += count;
    }
    out
}

/// Converts code, strong text and backslash escapes.
fn spans(text: &str) -> String {
    let (mut out, mut rest, mut is_strong) = (String::new(), text, false);
    while let Some(c) = rest.chars().next() {
        if let Some((code, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            out += &format!("<code>{}</code>", escaped(code));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("**") {
            out += if is_strong { "</b>" } else { "<b>" };
            (is_strong, rest) = (!is_strong, after);
        } else {
            let after = &rest[c.len_utf8()..];
            let (literal, after) = match after.chars().next().filter(|_| c == '\\') {
                Some(next) => (next, &after[next.len_utf8()..]),
                None => (c, after),
            };
            out += &if literal == '&' && c != '\\' { "&".to_owned() } else { escaped(&literal.to_string()) };
            rest = after;
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
