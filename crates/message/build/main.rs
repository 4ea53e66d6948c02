//! Reads the catalogues and writes the tables that `msg!` is checked against.
#![expect(clippy::print_stdout, reason = "cargo reads a build script's instructions there")]

mod catalogue;
#[path = "../src/hash.rs"]
mod hash;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use catalogue::{Catalogue, Signature};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=messages");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/hash.rs");
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            problems.iter().for_each(|problem| println!("cargo::error={problem}"));
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), Vec<String>> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| vec![format!("no `{name}`")]);
    let (messages, out) = (variable("CARGO_MANIFEST_DIR")?.join("messages"), variable("OUT_DIR")?);
    let (english, chinese) = (read(&messages.join("en"))?, read(&messages.join("zh"))?);
    let signatures = catalogue::signatures(&english, &chinese)?;
    put(&out.join("signatures.rs"), &table(&signatures)?)?;
    put(&out.join("catalogues.rs"), &sources(&english, &messages))
}

fn put(path: &Path, text: &str) -> Result<(), Vec<String>> {
    fs::write(path, text).map_err(|error| vec![format!("{}: {error}", path.display())])
}

/// Reads the files of one language, by name.
fn read(folder: &Path) -> Result<Vec<Catalogue>, Vec<String>> {
    let named = |error| vec![format!("{}: {error}", folder.display())];
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(named)?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ftl"));
    paths.sort_unstable();
    let language = folder.file_name().unwrap_or_default().to_string_lossy();
    let file = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let source = fs::read_to_string(path).map_err(named)?;
        Ok(Catalogue { place: format!("messages/{language}/{name}.ftl"), name, source })
    };
    paths.iter().map(file).collect()
}

/// Formats `(hash of the key, hash of its arguments' names, correct call)`, sorted.
fn table(signatures: &[Signature]) -> Result<String, Vec<String>> {
    let mut rows = BTreeMap::new();
    for signature in signatures {
        let names: Vec<&str> = signature.arguments.iter().map(String::as_str).collect();
        let (key, names) = (hash::text(&signature.key), hash::texts(&names));
        if rows.insert(key, format!("    ({key}, {names}, {:?}),\n", usage(signature))).is_some() {
            return Err(vec![format!("`{}` has the hash of another key: call it something else", signature.key)]);
        }
    }
    Ok(format!("&[\n{}]\n", rows.into_values().collect::<String>()))
}

/// Returns the compiler's message for a call with wrong arguments.
fn usage(signature: &Signature) -> String {
    let arguments: String = signature.arguments.iter().map(|name| format!(", {name} = …")).collect();
    format!("the catalogues' message takes other arguments; write `msg!(\"{}\"{arguments})`", signature.key)
}

/// Formats `(file, English source, Chinese source)`.
fn sources(english: &[Catalogue], messages: &Path) -> String {
    let row = |catalogue: &Catalogue| {
        let path = |language: &str| messages.join(language).join(format!("{}.ftl", catalogue.name));
        format!("    ({:?}, include_str!({:?}), include_str!({:?})),\n", catalogue.name, path("en"), path("zh"))
    };
    format!("&[\n{}]\n", english.iter().map(row).collect::<String>())
}
