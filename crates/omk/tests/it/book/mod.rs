//! The two books below `docs/`: which chapters they have, and what the tests of the docs read of them.

mod links;
mod outputs;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

use testkit::files;

/// The books, English first.
pub(crate) const BOOKS: [&str; 2] = ["docs/en", "docs/zh"];

/// A path in the repository.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// A file of the repository, or all chapters of a book.
pub(crate) fn read(name: &str) -> String {
    match path(name).is_dir() {
        true => chapters(name).iter().map(|chapter| read(chapter)).collect::<Vec<_>>().join("\n"),
        false => fs::read_to_string(path(name)).unwrap(),
    }
}

/// The files that a book's summary links, in its order.
pub(crate) fn linked(book: &str) -> Vec<String> {
    let summary = read(&format!("{book}/SUMMARY.md"));
    let links = summary.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    links.map(|link| format!("{book}/{link}")).collect()
}

/// The chapters that people write: what is linked, without the generated reference.
pub(crate) fn chapters(book: &str) -> Vec<String> {
    linked(book).into_iter().filter(|name| !name.contains("/reference/")).collect()
}

/// Returns the Rust source of all crates, without the tests in it.
fn source() -> String {
    fn walk(folder: &Path, source: &mut String) {
        for path in files(folder) {
            match path.is_dir() {
                true => walk(&path, source),
                false => {
                    let text = fs::read_to_string(&path).unwrap();
                    source.push_str(text.split("#[cfg(test)]").next().unwrap());
                }
            }
        }
    }
    let mut source = String::new();
    for folder in files(&path("crates")).iter().map(|folder| folder.join("src")).filter(|folder| folder.is_dir()) {
        walk(&folder, &mut source);
    }
    source
}
