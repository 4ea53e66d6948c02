//! Names that a reader can search for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// One struct, enum, trait or alias per name in the whole workspace: a search for a name finds one definition. Twins
/// for different platforms lie in one file.
#[test]
fn type_names_are_unique() {
    let definition =
        Regex::new(r"(?m)^(?: {4})?(?:pub(?:\([a-z:]+\))? )?(?:struct|enum|trait|type) ([A-Z]\w*)").unwrap();
    let associated = Regex::new(r"^ {4}type ").unwrap();
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in rust_files().into_iter().filter(|path| path.components().any(|part| part.as_os_str() == "src")) {
        let text = fs::read_to_string(&path).unwrap();
        for of in definition.captures_iter(&text).filter(|of| !associated.is_match(&of[0])) {
            let places = files.entry(of[1].to_owned()).or_default();
            let place = path.display().to_string();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    assert!(files.len() > 1000, "{} types found", files.len());
    let twins: Vec<_> = files.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twins.is_empty(), "{twins:#?}");
}

/// Row ids of a specification mean nothing to a reader of the code.
#[test]
fn functions_are_not_named_after_rows() {
    let row = Regex::new(r"\bfn ([a-z]{1,2}\d{1,2}_\w+)").unwrap();
    let mut found = Vec::new();
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        found.extend(row.captures_iter(&text).map(|of| format!("{}: {}", path.display(), &of[1])));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// A file that no other one declares is never compiled, and its tests never run.
#[test]
fn every_file_is_declared_as_a_module() {
    let files = rust_files();
    let roots = ["lib", "main", "mod", "build"];
    for path in files
        .iter()
        .filter(|path| path.components().any(|part| ["src", "tests"].contains(&part.as_os_str().to_str().unwrap())))
    {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap();
        let module = if name == "mod" { folder } else { &path.with_extension("") };
        let within = module.parent().unwrap();
        let parents =
            [within.join("mod.rs"), within.join("lib.rs"), within.join("main.rs"), within.with_extension("rs")];
        let declaration = Regex::new(&format!(r"\bmod {}\b", module.file_name().unwrap().to_str().unwrap())).unwrap();
        let is_declared =
            || parents.iter().any(|parent| fs::read_to_string(parent).is_ok_and(|text| declaration.is_match(&text)));
        assert!((name != "mod" && roots.contains(&name)) || is_declared(), "{}", path.display());
    }
}

/// Every Rust file of the crates, tests included; paths are relative to `crates`.
pub(super) fn rust_files() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders = vec![crates.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|of| of == "rs") => files.push(path),
                _ => {}
            }
        }
    }
    files
}
