//! Which source files use which: data flows one way, and no crate is most of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that use each other, directly or through others, may be at most this many.
const LARGEST_CIRCLE: usize = 3;
/// The largest share of all source lines that one crate may have, in percent.
const LARGEST_CRATE: usize = 20;

/// A module: its crate's folder, then its path.
pub(super) type Module = Vec<String>;

/// One source file, as far as its uses are concerned.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Without comments, texts and unit tests.
    pub(super) code: String,
    /// The names of the items that it defines.
    items: BTreeSet<String>,
    /// The names that it re-exports, with the paths they lead to.
    reexports: BTreeMap<String, Vec<String>>,
    /// The modules that it re-exports whole.
    whole: Vec<Vec<String>>,
}

#[test]
fn files_use_each_other_in_small_circles_within_one_folder_only() {
    let sources = sources();
    let graph: BTreeMap<&Module, BTreeSet<Module>> =
        sources.iter().map(|(module, source)| (module, uses(&sources, module, source))).collect();
    let circles = circles(&graph);
    for circle in circles {
        let paths: Vec<_> = circle.iter().map(|module| sources[*module].path.display().to_string()).collect();
        assert!(circle.len() <= LARGEST_CIRCLE, "{} files use each other: {paths:#?}", circle.len());
        let folders: BTreeSet<PathBuf> = circle.iter().map(|module| folder(&sources[*module].path)).collect();
        assert!(folders.len() == 1, "files of several folders use each other: {paths:#?}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the share of each crate, shown with `--nocapture`")]
fn no_crate_is_most_of_the_program() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (module, source) in &sources() {
        *lines.entry(module[0].clone()).or_default() += fs::read_to_string(&source.path).unwrap().lines().count();
    }
    let all: usize = lines.values().sum();
    for (name, lines) in &lines {
        println!("{name:12} {lines:6} lines, {:4.1} %", 100.0 * *lines as f64 / all as f64);
    }
    println!("{:12} {all:6} lines", "all");
    for (name, lines) in &lines {
        assert!(lines * 100 <= all * LARGEST_CRATE, "`{name}` has {lines} of {all} lines");
    }
}

/// `x.rs` beside a folder `x` belongs to that folder.
fn folder(path: &Path) -> PathBuf {
    let own = path.with_extension("");
    if own.is_dir() { own } else { path.parent().unwrap().to_owned() }
}

pub(super) fn sources() -> BTreeMap<Module, Source> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(crates).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        collect(&entry.path().join("src"), &vec![name], &mut all);
    }
    assert!(all.len() > 300, "only {} sources found", all.len());
    all
}

fn collect(folder: &Path, module: &Module, all: &mut BTreeMap<Module, Source>) {
    for entry in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
        let path = entry.path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut of = module.clone();
        if !["mod", "lib", "main"].contains(&name.as_str()) {
            of.push(name);
        }
        match path.is_dir() {
            true => collect(&path, &of, all),
            false if path.extension().is_some_and(|extension| extension == "rs") => {
                all.insert(of, source(path));
            }
            false => {}
        }
    }
}

fn source(path: PathBuf) -> Source {
    let text = fs::read_to_string(&path).unwrap();
    let code = bare(text.split("#[cfg(test)]").next().unwrap());
    let mut items = BTreeSet::new();
    for line in code.lines() {
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "macro_rules"];
        let Some(at) = words.iter().position(|word| kinds.contains(word)) else { continue };
        let is_top = !line.starts_with([' ', '}', ')']);
        if let (true, Some(name)) = (is_top, words[at + 1..].iter().find(|word| !["fn", "unsafe"].contains(word))) {
            items.insert((*name).to_owned());
        }
    }
    let (mut reexports, mut whole) = (BTreeMap::new(), Vec::new());
    for (_, (path, name)) in statements(&code).filter(|(is_public, _)| *is_public) {
        match name.as_str() {
            "*" => whole.push(path[..path.len() - 1].to_vec()),
            _ => _ = reexports.insert(name, path),
        }
    }
    Source { path, code, items, reexports, whole }
}

/// The `use` statements at the top of a file: whether they are re-exports, and each path with the name it gets.
fn statements(code: &str) -> impl Iterator<Item = (bool, (Vec<String>, String))> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(end) = rest.find(';') {
        let statement = &rest[..end];
        rest = &rest[end + 1..];
        let start = statement.rfind("\nuse ").or_else(|| statement.rfind(" use ")).map(|at| (at, at + 5));
        let Some((at, from)) = start else { continue };
        let before = statement[..at].rsplit('\n').next().unwrap_or_default();
        if !before.is_empty() && !before.starts_with("pub") {
            continue;
        }
        let mut paths = Vec::new();
        expand(&[], &statement[from..].replace('\n', " "), &mut paths);
        found.extend(paths.into_iter().map(|path| (before.starts_with("pub"), path)));
    }
    found.into_iter()
}

/// `a::{b, c as d}` as `(a::b, b)` and `(a::c, d)`.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, inside) = match tree.split_once('{') {
        Some((head, inside)) => (head, Some(inside.trim_end().trim_end_matches('}'))),
        None => (tree, None),
    };
    let (head, alias) = head.split_once(" as ").map_or((head, None), |(head, alias)| (head, Some(alias)));
    let mut path = prefix.to_vec();
    path.extend(head.split("::").map(str::trim).filter(|part| !part.is_empty() && *part != "self").map(str::to_owned));
    let is_relative = prefix.is_empty() && head.trim_start().starts_with("self::");
    if is_relative {
        path.insert(0, "self".to_owned());
    }
    match inside {
        None => {
            let name = alias.map_or_else(|| path.last().cloned().unwrap_or_default(), |alias| alias.trim().to_owned());
            found.push((path, name));
        }
        Some(inside) => parts(inside).into_iter().for_each(|part| expand(&path, part, found)),
    }
}

/// What commas outside of braces divide.
fn parts(inside: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inside[start..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

/// The modules of the same crate that a file uses. A re-export is a facade and no use.
fn uses(sources: &BTreeMap<Module, Source>, module: &Module, source: &Source) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut aliases: BTreeMap<String, Module> = BTreeMap::new();
    for (is_public, (path, name)) in statements(&source.code) {
        let Some(path) = absolute(sources, module, &path) else { continue };
        match sources.contains_key(&path) {
            true => _ = aliases.insert(name, path),
            false if !is_public => found.extend(definition(sources, &path, 0)),
            false => {}
        }
    }
    for path in inline_paths(&source.code) {
        let path = match aliases.get(&path[0]) {
            Some(module) => module.iter().chain(&path[1..]).cloned().collect(),
            None => match absolute(sources, module, &path) {
                Some(path) => path,
                None => continue,
            },
        };
        if !sources.contains_key(&path) {
            found.extend(definition(sources, &path, 0));
        }
    }
    found.remove(module);
    found
}

/// Paths in code: `a::b`, at least two names long.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let paths = code.split(|c: char| !is_path(c)).filter(|word| word.contains("::"));
    let paths = paths.map(|word| word.trim_end_matches(':').split("::").map(str::to_owned).collect::<Vec<_>>());
    paths.filter(|path| path.len() > 1 && path.iter().all(|part| !part.is_empty())).collect()
}

/// The path from the crate's folder on; `None` if it leaves the crate.
fn absolute(sources: &BTreeMap<Module, Source>, module: &Module, path: &[String]) -> Option<Module> {
    let mut from = match path[0].as_str() {
        "crate" => return Some(module[..1].iter().chain(&path[1..]).cloned().collect()),
        "self" | "super" => module.clone(),
        child => {
            let path: Module = module.iter().cloned().chain(path.iter().cloned()).collect();
            let child: Module = module.iter().cloned().chain([child.to_owned()]).collect();
            return sources.contains_key(&child).then_some(path);
        }
    };
    let ups = path.iter().take_while(|part| ["self", "super"].contains(&part.as_str())).count();
    path[..ups].iter().filter(|part| *part == "super").for_each(|_| _ = from.pop());
    from.extend(path[ups..].iter().cloned());
    Some(from)
}

/// The module that defines what a path names, through any re-exports.
fn definition(sources: &BTreeMap<Module, Source>, path: &Module, depth: usize) -> Option<Module> {
    let known = (1..=path.len()).rev().find(|&end| sources.contains_key(&path[..end]))?;
    let (module, rest) = (path[..known].to_vec(), &path[known..]);
    let name = rest.first()?;
    let source = &sources[&module];
    match source.reexports.get(name).filter(|_| depth < 8 && !source.items.contains(name)) {
        Some(to) => absolute(sources, &module, to).and_then(|to| definition(sources, &to, depth + 1)),
        None if source.items.contains(name) => Some(module),
        None if depth < 8 => source.whole.iter().find_map(|whole| {
            let path = absolute(sources, &module, whole)?.into_iter().chain([name.clone()]).collect();
            definition(sources, &path, depth + 1)
        }),
        None => None,
    }
}

/// The groups of files of which each uses each other (strongly connected components, by reachability).
fn circles<'g>(graph: &BTreeMap<&'g Module, BTreeSet<Module>>) -> Vec<Vec<&'g Module>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        graph.keys().map(|from| (*from, reachable(graph, from))).collect();
    let mut seen: BTreeSet<&Module> = BTreeSet::new();
    let mut found = Vec::new();
    for from in graph.keys().copied() {
        let circle: Vec<&Module> =
            reach[from].iter().copied().filter(|to| reach[to].contains(from) && !seen.contains(*to)).collect();
        seen.extend(&circle);
        if circle.len() > 1 {
            found.push(circle);
        }
    }
    found
}

fn reachable<'g>(graph: &BTreeMap<&'g Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<&'g Module> {
    let mut found: BTreeSet<&Module> = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in &graph[module] {
            let Some((next, _)) = graph.get_key_value(next) else { continue };
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// Code with comments and texts blanked out.
fn bare(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => while chars.next_if(|c| *c != '\n').is_some() {},
            ('"', _) => {
                out.push_str("\"\"");
                while let Some(inside) = chars.next().filter(|c| *c != '"') {
                    if inside == '\\' {
                        chars.next();
                    }
                }
            }
            ('\'', Some('"' | '\\')) => {
                chars.next_if_eq(&'\\');
                chars.next();
                chars.next_if_eq(&'\'');
            }
            _ => out.push(c),
        }
    }
    out
}
