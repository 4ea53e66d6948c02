//! The chapters on statistics show what the code computes. `UPDATE_DOCS=1` writes it there.

use std::path::{Path, PathBuf};

#[path = "../../examples/worked/cases.rs"]
mod cases;

const COMMAND: &str = "$ cargo run -q -p eval-stats-tests --example worked -- ";

/// Returns the paths of a book's chapters on statistics, in order.
fn pages(book: &str) -> Vec<PathBuf> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(book);
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).expect("the summary");
    let links = summary.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    links.filter(|link| link.starts_with("statistics-")).map(|link| book.join(link)).collect()
}

/// Returns the page with every example's output inserted, and the names of the examples in order.
fn with_examples(text: &str) -> (String, Vec<&str>) {
    let (mut out, mut named) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(name) = line.strip_prefix(COMMAND) else { continue };
        let case = cases::CASES.iter().find(|(other, _)| *other == name).expect("an example of that name");
        case.1().iter().for_each(|line| out.extend([line, "\n"]));
        named.push(name);
        let end = lines.by_ref().find(|line| line.starts_with("```")).expect("the block's end");
        out.extend([end, "\n"]);
    }
    (out, named)
}

#[test]
fn worked_examples_are_what_the_code_gives() {
    for book in ["en", "zh"] {
        let mut all_named = Vec::new();
        for page in pages(book) {
            let written = std::fs::read_to_string(&page).expect("the page");
            let (expected, named) = with_examples(&written);
            all_named.extend(named.into_iter().map(str::to_owned));
            if std::env::var_os("UPDATE_DOCS").is_some() {
                std::fs::write(&page, &expected).expect("written");
            } else {
                let stale =
                    format!("{} is out of date: UPDATE_DOCS=1 cargo test -p eval-stats-tests pages", page.display());
                assert_eq!(written, expected, "{stale}");
            }
        }
        let all: Vec<&str> = cases::CASES.iter().map(|(name, _)| *name).collect();
        assert_eq!(all_named, all, "{book} has every example, in their order");
    }
}
