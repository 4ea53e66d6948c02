//! The books hang together: both have the same chapters, none is too long, every link leads somewhere.

use std::path::Path;

use super::{BOOKS, chapters, linked, path, read};
use testkit::files;

/// The longest chapter, in lines.
const MOST_LINES: usize = 260;

/// The documents beside the books.
const OTHERS: [&str; 9] = [
    "README.md",
    "README.zh.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "examples/code-review/README.md",
    "examples/knowledge-gaps/README.md",
    "examples/mail-to-ticket/README.md",
    "examples/mail-to-ticket-zh/README.md",
];

/// Lines outside of fenced blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut fence = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks == open && line.len() == ticks => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            None => lines.push(line),
            Some(_) => {}
        }
    }
    lines
}

/// The id that GitHub and mdBook give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// The targets of inline links.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let without_code: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        found.extend(without_code.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    found
}

/// What is wrong with a document's links.
fn broken(name: &str) -> Vec<String> {
    let text = read(name);
    let folder = Path::new(name).parent().unwrap();
    let is_broken = |target: &&String| {
        let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
        let document = if file.is_empty() { path(name) } else { path(&folder.join(file).to_string_lossy()) };
        if !document.exists() {
            return true;
        }
        let is_known = || anchors(&std::fs::read_to_string(&document).unwrap()).iter().any(|known| known == fragment);
        !fragment.is_empty() && !is_known()
    };
    let targets = targets(&text);
    let local = targets.iter().filter(|target| !target.contains("://"));
    local.filter(is_broken).map(|target| format!("{name}: {target}")).collect()
}

/// The chapters of a book without its folder, the generated ones too.
fn names(book: &str) -> Vec<String> {
    linked(book).iter().map(|name| name.strip_prefix(book).unwrap().to_owned()).collect()
}

#[test]
fn both_books_have_the_same_chapters() {
    let [english, chinese] = BOOKS.map(names);
    assert_eq!(english, chinese);
    for book in BOOKS {
        let mut expected: Vec<_> = linked(book).iter().map(|name| path(name)).collect();
        expected.extend(["SUMMARY.md", "book.toml", "reference"].map(|name| path(book).join(name)));
        expected.sort();
        let mut there = files(&path(book));
        there.extend(files(&path(book).join("reference")));
        there.sort();
        assert_eq!(there, expected, "{book}: what its summary links, and what is there");
    }
}

#[test]
fn chapters_are_short_and_have_a_title() {
    for name in BOOKS.iter().flat_map(|book| chapters(book)) {
        let text = read(&name);
        assert!(text.lines().count() <= MOST_LINES, "{name} has {} lines", text.lines().count());
        assert!(text.starts_with("# "), "{name} begins with its title");
        assert_eq!(prose(&text).iter().filter(|line| line.starts_with("# ")).count(), 1, "{name}: one title");
    }
}

#[test]
fn every_relative_link_leads_somewhere() {
    let summaries = BOOKS.map(|book| format!("{book}/SUMMARY.md"));
    let names = BOOKS.iter().flat_map(|book| linked(book)).chain(summaries).chain(OTHERS.map(str::to_owned));
    let wrong: Vec<String> = names.flat_map(|name| broken(&name)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One form of address throughout.
#[test]
fn chinese_book_addresses_the_reader_informally() {
    for name in linked("docs/zh") {
        assert!(!read(&name).contains('您'), "{name}");
    }
}

/// `**text。**more` isn't bold: a closing mark between punctuation and a letter doesn't close.
#[test]
fn bold_text_in_the_chinese_book_closes() {
    let mut wrong = Vec::new();
    for name in linked("docs/zh").into_iter().chain(["README.zh.md".to_owned()]) {
        for line in prose(&read(&name)) {
            let parts: Vec<&str> = line.split("**").collect();
            for pair in parts.windows(2).skip(1).step_by(2) {
                let closes = pair[0].ends_with(char::is_alphanumeric) || !pair[1].starts_with(char::is_alphanumeric);
                if !closes {
                    wrong.push(format!("{name}: {line}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
