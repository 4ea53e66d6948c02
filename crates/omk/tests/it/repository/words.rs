//! Plain words: how docs begin, and what nothing is called. CONTRIBUTING.md has the rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;

use super::names::rust_files;

/// Breaches that are left: crate, docs, names. The numbers may only fall.
const LEFT: [(&str, usize, usize); 20] = [
    ("analysis", 163, 1564),
    ("callable", 44, 230),
    ("cli", 1, 0),
    ("eval-skills", 29, 557),
    ("exec", 170, 414),
    ("format", 365, 476),
    ("gaps", 110, 327),
    ("grade", 88, 547),
    ("history", 154, 961),
    ("load", 147, 1315),
    ("observe", 0, 8),
    ("omk", 212, 3087),
    ("process", 53, 65),
    ("render", 257, 4930),
    ("results", 0, 1),
    ("run", 125, 217),
    ("serve", 0, 4),
    ("spec", 318, 92),
    ("trace", 93, 439),
    ("verdict", 134, 631),
];

/// A doc begins with a verb or a noun: "Returns …", "Number of …". A name says what the thing is.
#[test]
fn docs_and_names_are_plain() {
    let doc = Regex::new(r"^//[/!] ?(?:Its|The same|What|Whether|Who|Whose|Those|Where|That)\b").unwrap();
    let name = Regex::new(
        r"(?:^|[^\w.:'\x22#])(?:of|one|at|is|was|asked|found|told|beside|known|own|kept|held)(?:[^\w!'\x22:]|:[^:]|:?$)",
    )
    .unwrap();
    let text = Regex::new(r#""(?:[^"\\]|\\.)*"|//.*"#).unwrap();
    let mut breaches: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for file in rust_files() {
        let source = fs::read_to_string(&file).unwrap();
        let path = file.strip_prefix(crates).unwrap();
        let package = path.iter().next().unwrap().to_str().unwrap().to_owned();
        let [docs, names] = breaches.entry(package).or_default();
        let (mut previous, mut in_text) = ("", false);
        for (number, line) in source.lines().map(str::trim).enumerate() {
            let place = || format!("{}:{}: {line}", path.display(), number + 1);
            if in_text {
                in_text = !line.contains("\"#");
            } else if line.starts_with("//") {
                let begins = !previous.starts_with(&line[..line.len().min(3)]);
                docs.extend((begins && doc.is_match(line)).then(place));
            } else {
                in_text = line.contains("r#\"") && !line.contains("\"#");
                let code = text.replace_all(line, "\"\"");
                names.extend(name.find_iter(&code).map(|_| place()));
            }
            previous = line;
        }
    }
    let counts: Vec<_> =
        breaches.iter().map(|(package, [docs, names])| (&**package, docs.len(), names.len())).collect();
    let rows = |(package, docs, names): &(&str, usize, usize)| {
        let (_, left_docs, left_names) = LEFT.iter().find(|(left, ..)| left == package).unwrap_or(&("", 0, 0));
        docs > left_docs || names > left_names
    };
    let worse: Vec<_> = counts.iter().filter(|count| rows(count)).collect();
    let places: Vec<_> = worse.iter().flat_map(|(package, ..)| breaches[*package].iter().flatten()).collect();
    assert!(worse.is_empty(), "more breaches than are left: {worse:?}\n{places:#?}");
    let left: Vec<_> = counts.into_iter().filter(|(_, docs, names)| docs + names > 0).collect();
    assert_eq!(left, LEFT, "breaches are gone: take these rows over");
}
