//! `docs/statistics.md` and its translation print what the code computes. `UPDATE_DOCS=1` writes it there.

use std::path::{Path, PathBuf};

#[path = "../../examples/worked/cases.rs"]
mod cases;

const COMMAND: &str = "$ cargo run -q -p eval-stats --example worked -- ";

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// The page with every example's block as it is printed, and the names of those examples in their order.
fn with_examples(text: &str) -> (String, Vec<&str>) {
    let (mut out, mut named) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(name) = line.strip_prefix(COMMAND) else { continue };
        let case = cases::CASES.iter().find(|(known, _)| *known == name).expect("an example of that name");
        case.1().iter().for_each(|line| out.extend([line, "\n"]));
        named.push(name);
        let end = lines.by_ref().find(|line| line.starts_with("```")).expect("the block's end");
        out.extend([end, "\n"]);
    }
    (out, named)
}

#[test]
fn worked_examples_are_what_the_code_gives() {
    for name in ["statistics.md", "statistics.zh.md"] {
        let written = std::fs::read_to_string(page(name)).expect("the page");
        let (expected, named) = with_examples(&written);
        let all: Vec<&str> = cases::CASES.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, all, "{name} has every example, in their order");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(page(name), &expected).expect("written");
        } else {
            assert_eq!(written, expected, "{name} is out of date: UPDATE_DOCS=1 cargo test -p eval-stats pages");
        }
    }
}
