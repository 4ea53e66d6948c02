//! Tests: in the configuration, in files beside it, as products of scenarios and of lists in their variables.

use std::path::Path;
use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::source::{SourceFile, Span};
use serde_json::{Map, Value, json};

use super::super::reader::{CaseReader, whole};
use super::super::table::CaseTable;
use super::references;
use super::scalar::{is_empty, scalar};
use super::templates::Templates;
use crate::problems::Problems;
use crate::tree::{self, Format, Node, NodeData};

/// One test may become so many by the lists in its variables.
const MAX_PRODUCT: usize = 1000;

/// So many tests in all.
const MAX_TESTS: usize = 100_000;

/// The variables of all tests have no more text, which lists of long texts multiply.
const MAX_TEXT: usize = 64 << 20;

/// A test with one value for each variable.
pub(super) struct TestCase {
    pub(super) description: Option<String>,
    pub(super) vars: Map<String, Value>,
    pub(super) assertions: Vec<TestAssertion>,
    pub(super) capability: Vec<String>,
    /// What stands around every prompt.
    pub(super) prefix: String,
    pub(super) suffix: String,
    /// Whether the checks see another text than the answer.
    pub(super) is_transformed: bool,
    /// Whether judges have a model or a prompt of their own.
    pub(super) has_grader: bool,
    /// Whether something else than a check is not carried over as it is.
    pub(super) is_partial: bool,
    pub(super) span: Span,
}

/// An assertion as it is written, with its place in the configuration.
#[derive(Clone)]
pub(super) struct TestAssertion {
    pub(super) fields: Value,
    pub(super) span: Span,
}

/// A test before its variables are multiplied.
#[derive(Clone, Default)]
struct WrittenTest {
    description: Option<String>,
    vars: Map<String, Value>,
    assertions: Vec<TestAssertion>,
    capability: Vec<String>,
    /// Whether lists among the variables are values, and not several tests.
    lists_are_values: bool,
    /// Whether the shared assertions are left out.
    is_alone: bool,
    prefix: Option<String>,
    suffix: Option<String>,
    is_transformed: bool,
    has_grader: bool,
    is_partial: bool,
    span: Span,
}

/// Where the tests of another file are told to be, and how their own files are found.
#[derive(Clone, Copy)]
struct OtherFile<'a> {
    /// The line that names the file.
    span: Span,
    /// Its folder, in the configuration's.
    folder: &'a str,
    /// Whether promptfoo puts the content of files in place of their names there.
    has_files: bool,
}

impl OtherFile<'_> {
    fn of(span: Span) -> OtherFile<'static> {
        OtherFile { span, folder: "", has_files: false }
    }
}

/// All tests of a configuration.
pub(super) fn read(reader: &mut CaseReader, root: &Node, templates: &Templates, is_transformed: bool) -> Vec<TestCase> {
    let mut shared = root.get("defaultTest").map(|node| default_test(reader, root, node)).unwrap_or_default();
    shared.is_transformed |= is_transformed;
    let mut tests = Vec::new();
    let given = |key: &str| root.get(key).filter(|node| !is_empty(node));
    if let Some(node) = given("tests") {
        collect(reader, root, node, None, &mut tests);
    }
    if let Some(node) = given("scenarios") {
        scenarios(reader, root, node, &mut tests);
    }
    // Without tests every prompt is tried once, with the shared variables; those of a red team are generated.
    if ["tests", "scenarios", "redteam"].iter().all(|key| given(key).is_none()) {
        tests.push(WrittenTest { span: root.span, ..WrittenTest::default() });
    }
    let mut all = Vec::new();
    let mut size = 0;
    for test in tests {
        let test = merged(&shared, test);
        for vars in products(reader, &test) {
            if all.len() >= MAX_TESTS {
                left(reader, "`tests`", msg!("import-too-many", count = MAX_TESTS), test.span);
                continue;
            }
            if size > MAX_TEXT {
                left(reader, "`tests`", msg!("import-too-large", mib = MAX_TEXT >> 20), test.span);
                continue;
            }
            match loaded(reader, templates, vars) {
                Ok(vars) => {
                    size += vars.values().filter_map(Value::as_str).map(str::len).sum::<usize>();
                    all.push(TestCase {
                        description: test.description.clone(),
                        vars,
                        assertions: test.assertions.clone(),
                        capability: test.capability.clone(),
                        prefix: test.prefix.clone().unwrap_or_default(),
                        suffix: test.suffix.clone().unwrap_or_default(),
                        is_transformed: test.is_transformed,
                        has_grader: test.has_grader,
                        is_partial: test.is_partial,
                        span: test.span,
                    });
                }
                Err((what, why)) => left(reader, &what, why, test.span),
            }
        }
    }
    all
}

/// Counts a test that becomes no sample.
fn left(reader: &mut CaseReader, what: &str, why: Message, span: Span) {
    reader.tests_left += 1;
    reader.lacks(what, why, span);
}

fn default_test(reader: &mut CaseReader, root: &Node, node: &Node) -> WrittenTest {
    let (read, at) = match &node.data {
        NodeData::Null => return WrittenTest::default(),
        NodeData::Text(file) => (other_tree(reader, root, file), Some(OtherFile::of(node.span))),
        _ => (Ok(node.clone()), None),
    };
    let found = read.and_then(|node| test(reader, &node, at).ok_or_else(|| msg!("import-test-shape")));
    found.unwrap_or_else(|why| {
        reader.lacks("`defaultTest`", why, node.span);
        WrittenTest { is_partial: true, ..WrittenTest::default() }
    })
}

/// The tests of a list, of files that it names, or of a generator, which is none.
fn collect(reader: &mut CaseReader, root: &Node, node: &Node, at: Option<OtherFile<'_>>, found: &mut Vec<WrittenTest>) {
    let span = at.map_or(node.span, |of| of.span);
    match &node.data {
        NodeData::List(items) => items.iter().for_each(|item| collect(reader, root, item, at, found)),
        NodeData::Text(name) => files(reader, root, name, span, found),
        NodeData::Object(_) if node.get("path").is_some() && node.get("vars").is_none() => {
            let path = node.get("path").and_then(scalar).unwrap_or_default();
            files(reader, root, &path, span, found);
        }
        _ => match test(reader, node, at) {
            Some(test) => found.push(test),
            None => left(reader, "`tests`", msg!("import-test-shape"), span),
        },
    }
}

/// The files of this name, or those that a pattern with `*` means, with their texts.
fn named_files(reader: &mut CaseReader, written: &str, endings: &[&str], span: Span) -> Vec<(String, String)> {
    let name = written.strip_prefix("file://").unwrap_or(written);
    let is_one = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
    // A pattern may mean files of any ending.
    if name.contains("://") || !(is_one(name) || (is_pattern(name) && program(name).is_none())) {
        left(reader, &format!("`{name}`"), msg!("import-tests-code"), span);
        return Vec::new();
    }
    let names = if is_pattern(name) { matching(reader.folder, name) } else { vec![name.to_owned()] };
    if names.is_empty() {
        left(reader, &format!("`{name}`"), msg!("import-tests-no-file"), span);
    }
    let mut texts = Vec::new();
    for name in names {
        match reader.beside(&name) {
            Ok(_) if !is_one(&name) => left(reader, &format!("`{name}`"), msg!("import-tests-code"), span),
            Ok(text) => texts.push((name, text)),
            Err(why) => left(reader, &format!("`{name}`"), why, span),
        }
    }
    texts
}

/// The tests in files. Their places are those of the line that names the file.
fn files(reader: &mut CaseReader, root: &Node, written: &str, span: Span, found: &mut Vec<WrittenTest>) {
    for (name, text) in named_files(reader, written, &[".csv", ".json", ".jsonl", ".yaml", ".yml"], span) {
        let read = if name.ends_with(".csv") {
            csv_tests(reader, &name, &text, span, found)
        } else {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let at = OtherFile { span, folder, has_files: true };
            tree_of(reader, &name, &text).map(|node| {
                let node = references::resolved(&node, &[&node, root]).0;
                for item in items(&node) {
                    match test(reader, item, Some(at)) {
                        Some(test) => found.push(test),
                        None => left(reader, &format!("`{name}`"), msg!("import-test-shape"), span),
                    }
                }
            })
        };
        if let Err(why) = read {
            left(reader, &format!("`{name}`"), why, span);
        }
    }
}

/// The items of a list; what is no list is one.
fn items(node: &Node) -> &[Node] {
    match &node.data {
        NodeData::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

/// Whether a name is a pattern that means files.
pub(super) fn is_pattern(name: &str) -> bool {
    !name.contains("{{") && name.contains(['*', '?', '[', '{'])
}

/// The file of a program that a name means, without the function behind it: `x.py:main`.
pub(super) fn program(name: &str) -> Option<&str> {
    let file = match name.rsplit_once(':') {
        Some((file, function)) if !function.contains('/') => file,
        _ => name,
    };
    [name, file].into_iter().find(|file| PROGRAMS.iter().any(|ending| file.ends_with(ending)))
}

/// The files that a pattern means, sorted.
pub(super) fn matching(folder: &Path, pattern: &str) -> Vec<String> {
    /// Folders below are looked at down to this depth.
    const MAX_DEPTH: usize = 16;
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts.iter().take_while(|part| !is_pattern(part)).count().min(parts.len() - 1);
    let rest = parts[fixed..].join("/");
    let Ok(glob) = globset::GlobBuilder::new(&rest).literal_separator(true).build() else { return Vec::new() };
    let is_hidden_meant = parts[fixed..].iter().any(|part| part.starts_with('.'));
    let base = folder.join(parts[..fixed].join("/"));
    let (matcher, lead) =
        (glob.compile_matcher(), parts[..fixed].iter().map(|part| format!("{part}/")).collect::<String>());
    let files = ignore::WalkBuilder::new(&base)
        .standard_filters(false)
        .hidden(!is_hidden_meant)
        .max_depth(Some(MAX_DEPTH))
        .build()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .take(MAX_TESTS);
    let mut names: Vec<String> = files
        .filter_map(|entry| {
            let name = entry.path().strip_prefix(&base).ok()?.to_str()?.to_owned();
            matcher.is_match(&name).then(|| format!("{lead}{name}"))
        })
        .collect();
    names.sort_unstable();
    names
}

/// The tree of another file, without references.
fn other_tree(reader: &CaseReader, root: &Node, name: &str) -> Result<Node, Message> {
    let node = reader.beside(name).and_then(|text| tree_of(reader, name, &text))?;
    Ok(references::resolved(&node, &[&node, root]).0)
}

/// The tree of another file; JSON lines become a list.
fn tree_of(reader: &CaseReader, name: &str, text: &str) -> Result<Node, Message> {
    let source = Arc::new(SourceFile { name: name.to_owned(), text: text.to_owned() });
    let mut own = Problems::new(reader.context, &source);
    let lines;
    let (format, text) = if name.ends_with(".jsonl") {
        let rows: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines = format!("[{}]", rows.join(","));
        (Format::Json, lines.as_str())
    } else if name.ends_with(".json") {
        (Format::Json, text)
    } else {
        (Format::ForeignYaml, text)
    };
    let node = tree::parse(format, text, 0, &mut own);
    match own.finish(()) {
        Ok(_) => node.ok_or_else(|| msg!("import-file-unreadable", path = name, detail = "")),
        Err(found) => {
            let first = found.0.into_iter().next().map(|of| of.message.to_string()).unwrap_or_default();
            Err(msg!("import-file-unreadable", path = name, detail = first))
        }
    }
}

/// One test, or `None` of what is no object.
fn test(reader: &mut CaseReader, node: &Node, at: Option<OtherFile<'_>>) -> Option<WrittenTest> {
    let NodeData::Object(entries) = &node.data else { return None };
    let span = at.map_or(node.span, |of| of.span);
    let mut test = WrittenTest { span, ..WrittenTest::default() };
    for entry in entries {
        let value = &entry.value;
        match entry.key.as_str() {
            _ if matches!(value.data, NodeData::Null) => {}
            "description" => test.description = scalar(value),
            "vars" => variables(reader, value, at, &mut test),
            "assert" => assertions(reader, value, at, &mut test),
            "metadata" => {
                if let Some(category) = value.get("category").and_then(scalar) {
                    test.capability.push(category);
                }
                if let NodeData::Object(entries) = &value.data {
                    let is_read = |key: &str| ["category", "conversationId"].contains(&key);
                    for entry in entries.iter().filter(|entry| !is_read(&entry.key)) {
                        reader.differs(format!("`metadata.{}`", entry.key), true, msg!("import-label"), span);
                    }
                }
                if value.get("conversationId").is_some() {
                    test.is_partial = true;
                    reader.differs("`conversationId`", true, msg!("import-conversation"), span);
                }
            }
            "options" => options(reader, value, &mut test, span),
            key => {
                test.is_partial = true;
                let (is_near, why) = match key {
                    "threshold" => (true, msg!("import-test-threshold")),
                    "provider" | "providers" | "prompts" => (true, msg!("import-test-only-for")),
                    "providerOutput" => (true, msg!("import-provider-output")),
                    _ => (false, msg!("import-key-unused")),
                };
                reader.differs(format!("`{key}`"), is_near, why, at.map_or(entry.key_span, |of| of.span));
            }
        }
    }
    Some(test)
}

/// The variables of a test: its own, or those of files, of which the last one wins.
fn variables(reader: &mut CaseReader, node: &Node, at: Option<OtherFile<'_>>, test: &mut WrittenTest) {
    let mut lack = |reader: &mut CaseReader, why: Message| {
        test.is_partial = true;
        reader.lacks("`vars`", why, test.span);
    };
    let mut vars = Map::new();
    match &node.data {
        NodeData::Object(entries) => {
            vars = tree::map(entries);
            if references::are_left(&vars) {
                lack(reader, msg!("import-no-reference"));
                vars.remove("$ref");
            }
        }
        NodeData::Text(_) | NodeData::List(_) => {
            for item in items(node) {
                let NodeData::Text(written) = &item.data else {
                    lack(reader, msg!("import-value"));
                    continue;
                };
                match variable_files(reader, written, at) {
                    Ok(read) => vars.extend(read),
                    Err(why) => lack(reader, why),
                }
            }
        }
        _ => lack(reader, msg!("import-value")),
    }
    test.vars = vars;
}

/// The variables in the files of this name. A path without `file://` begins at the file that it stands in.
fn variable_files(
    reader: &CaseReader,
    written: &str,
    at: Option<OtherFile<'_>>,
) -> Result<Map<String, Value>, Message> {
    let name = match (written.strip_prefix("file://"), at.map(|of| of.folder).filter(|folder| !folder.is_empty())) {
        (Some(name), _) => name.to_owned(),
        (None, Some(folder)) => format!("{folder}/{written}"),
        (None, None) => written.to_owned(),
    };
    let names = if is_pattern(&name) { matching(reader.folder, &name) } else { vec![name] };
    if names.is_empty() {
        return Err(msg!("import-tests-no-file"));
    }
    let mut vars = Map::new();
    for name in names {
        let node = reader.beside(&name).and_then(|text| tree_of(reader, &name, &text))?;
        match node.value() {
            Value::Object(read) => vars.extend(read),
            _ => return Err(msg!("import-vars-shape", path = name)),
        }
    }
    Ok(vars)
}

/// The assertions of a test: a list, which in files of tests may be in a file of its own.
fn assertions(reader: &mut CaseReader, node: &Node, at: Option<OtherFile<'_>>, test: &mut WrittenTest) {
    let file = match &node.data {
        NodeData::Text(name) if at.is_some_and(|of| of.has_files) && name.starts_with("file://") => {
            Some(reader.beside(name).and_then(|text| tree_of(reader, name, &text)))
        }
        _ => None,
    };
    let list = match &file {
        Some(Ok(node)) => Ok(node),
        Some(Err(why)) => Err(why.clone()),
        None => Ok(node),
    };
    let items = list.and_then(|list| match &list.data {
        NodeData::List(items) => Ok(items),
        _ => Err(msg!("import-assert-shape")),
    });
    match items {
        Ok(items) => {
            let span = |item: &Node| at.map_or(item.span, |of| of.span);
            let own = items.iter().map(|item| TestAssertion { fields: item.value(), span: span(item) });
            test.assertions.extend(own);
        }
        Err(why) => {
            test.is_partial = true;
            reader.checks.not += 1;
            reader.lacks("`assert`", why, test.span);
        }
    }
}

fn options(reader: &mut CaseReader, node: &Node, test: &mut WrittenTest, span: Span) {
    let is_on = |key: &str| matches!(node.get(key).map(|of| &of.data), Some(NodeData::Bool(true)));
    test.lists_are_values = is_on("disableVarExpansion");
    test.is_alone = is_on("disableDefaultAsserts");
    let NodeData::Object(entries) = &node.data else {
        test.is_partial = true;
        return reader.lacks("`options`", msg!("import-value"), span);
    };
    for entry in entries.iter().filter(|entry| !matches!(entry.value.data, NodeData::Null)) {
        let what = format!("`options.{}`", entry.key);
        match entry.key.as_str() {
            "disableVarExpansion" | "disableDefaultAsserts" => {}
            "prefix" => around(reader, "`options.prefix`", scalar(&entry.value), test),
            "suffix" => test.suffix = scalar(&entry.value),
            "transform" | "postprocess" => {
                (test.is_transformed, test.is_partial) = (true, true);
                reader.lacks(what, msg!("import-test-option"), span);
            }
            "provider" | "rubricPrompt" => test.has_grader = true,
            _ => {
                test.is_partial = true;
                reader.lacks(what, msg!("import-key-unused"), span);
            }
        }
    }
}

/// What stands before every prompt of a test.
fn around(reader: &mut CaseReader, what: &str, prefix: Option<String>, test: &mut WrittenTest) {
    if prefix.as_ref().is_some_and(|text| !text.is_empty()) {
        test.is_partial = true;
        reader.differs(what, true, msg!("import-prefix"), test.span);
    }
    test.prefix = prefix;
}

/// The scenarios of a list, and of files that it names.
fn scenarios(reader: &mut CaseReader, root: &Node, node: &Node, found: &mut Vec<WrittenTest>) {
    for item in items(node) {
        let NodeData::Text(written) = &item.data else {
            scenario(reader, root, item, None, found);
            continue;
        };
        for (name, text) in named_files(reader, written, &[".json", ".yaml", ".yml"], item.span) {
            match tree_of(reader, &name, &text) {
                Ok(node) => {
                    let node = references::resolved(&node, &[&node, root]).0;
                    let at = Some(OtherFile::of(item.span));
                    items(&node).iter().for_each(|item| scenario(reader, root, item, at, found));
                }
                Err(why) => left(reader, &format!("`{name}`"), why, item.span),
            }
        }
    }
}

/// Every test of a scenario with every set of values.
fn scenario(
    reader: &mut CaseReader,
    root: &Node,
    item: &Node,
    at: Option<OtherFile<'_>>,
    found: &mut Vec<WrittenTest>,
) {
    let span = at.map_or(item.span, |of| of.span);
    let (mut sets, mut tests) = (Vec::new(), Vec::new());
    let before = reader.tests_left;
    if let Some(node) = item.get("config") {
        collect(reader, root, node, at, &mut sets);
    }
    match item.get("tests").filter(|node| !matches!(node.data, NodeData::Null)) {
        Some(node) => collect(reader, root, node, at, &mut tests),
        None => tests.push(WrittenTest { span, ..WrittenTest::default() }),
    }
    if sets.is_empty() && reader.tests_left == before {
        left(reader, "`scenarios`", msg!("import-scenario-shape"), span);
    }
    for set in &sets {
        found.extend(tests.iter().map(|test| merged(set, test.clone())));
    }
}

/// A test with what is shared: its own variables win, its assertions come after the shared ones.
fn merged(shared: &WrittenTest, test: WrittenTest) -> WrittenTest {
    let mut vars = shared.vars.clone();
    vars.extend(test.vars);
    let shared_assertions = if test.is_alone { &[] } else { shared.assertions.as_slice() };
    let capability = if test.capability.is_empty() { shared.capability.clone() } else { test.capability };
    WrittenTest {
        vars,
        assertions: shared_assertions.iter().cloned().chain(test.assertions).collect(),
        lists_are_values: test.lists_are_values || shared.lists_are_values,
        capability,
        prefix: test.prefix.or_else(|| shared.prefix.clone()),
        suffix: test.suffix.or_else(|| shared.suffix.clone()),
        is_transformed: test.is_transformed || shared.is_transformed,
        has_grader: test.has_grader || shared.has_grader,
        is_partial: test.is_partial || shared.is_partial,
        ..WrittenTest {
            description: test.description,
            span: test.span,
            is_alone: test.is_alone,
            ..WrittenTest::default()
        }
    }
}

/// One set of variables for each combination of the lists among them. A list that begins with no text is a value.
fn products(reader: &mut CaseReader, test: &WrittenTest) -> Vec<Map<String, Value>> {
    let mut sets = vec![test.vars.clone()];
    if test.lists_are_values {
        return sets;
    }
    for (name, value) in &test.vars {
        let pattern = value.as_str().and_then(|text| text.strip_prefix("file://")).filter(|name| is_pattern(name));
        let files = pattern.map(|pattern| {
            let names = matching(reader.folder, pattern);
            names.into_iter().map(|name| json!(format!("file://{name}"))).collect::<Vec<Value>>()
        });
        let values = match (&files, value) {
            (Some(files), _) => files,
            (None, Value::Array(values)) if values.first().is_some_and(Value::is_string) => values,
            _ => continue,
        };
        if files.as_ref().is_some_and(Vec::is_empty) {
            left(reader, &format!("variable `{name}`"), msg!("import-tests-no-file"), test.span);
            return Vec::new();
        }
        if sets.len().saturating_mul(values.len()) > MAX_PRODUCT {
            left(reader, "`vars`", msg!("import-too-many", count = MAX_PRODUCT), test.span);
            return Vec::new();
        }
        let with = |set: &Map<String, Value>, value: &Value| {
            let mut set = set.clone();
            set.insert(name.clone(), value.clone());
            set
        };
        sets = sets.iter().flat_map(|set| values.iter().map(move |value| with(set, value))).collect();
    }
    sets
}

/// Endings of variables' files that promptfoo runs.
const PROGRAMS: &[&str] = &[".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb"];

/// Endings of those that it reads as pictures and documents, although they may be text.
const PICTURES: &[&str] = &[".svg", ".pdf"];

/// The variables with the content of the files that they name, and with each other's values in them.
fn loaded(
    reader: &CaseReader,
    templates: &Templates,
    vars: Map<String, Value>,
) -> Result<Map<String, Value>, (String, Message)> {
    let mut read = Map::new();
    for (name, value) in vars {
        let file = value.as_str().filter(|text| text.starts_with("file://"));
        let value = match file {
            Some(file) => {
                let what = || format!("variable `{name}`");
                let ends = |endings: &[&str]| endings.iter().any(|ending| file.ends_with(ending));
                if program(file).is_some() {
                    return Err((what(), msg!("import-var-program", path = file)));
                }
                let text = reader.beside(file).map_err(|why| (what(), why))?;
                if ends(PICTURES) || text.contains('\0') {
                    return Err((what(), msg!("import-var-code", path = file)));
                }
                match ends(&[".yaml", ".yml"]) {
                    true => match serde_saphyr::from_str::<Value>(&text) {
                        Ok(value) => Value::String(as_read(value).to_string()),
                        Err(error) => {
                            let why = msg!("import-file-unreadable", path = file, detail = error.to_string());
                            return Err((what(), why));
                        }
                    },
                    false => Value::String(text.trim().to_owned()),
                }
            }
            None => as_read(value),
        };
        read.insert(name, value);
    }
    let rendered = |(name, value): (&String, &Value)| match value {
        Value::String(text) if !names_unknown(text, &read) => match templates.render(text, &read) {
            Ok(value) => Ok((name.clone(), Value::String(value))),
            Err(why) => Err((format!("variable `{name}`"), why)),
        },
        _ => Ok((name.clone(), value.clone())),
    };
    read.iter().map(rendered).collect()
}

/// A variable as JavaScript has it: whole numbers have no point; and without the line break that ends a block of YAML.
fn as_read(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.strip_suffix('\n').map(str::to_owned).unwrap_or(text)),
        other => whole(other),
    }
}

/// Whether a variable's text names one that isn't set: its braces are text then.
fn names_unknown(text: &str, vars: &Map<String, Value>) -> bool {
    text.split("{{").skip(1).any(|tag| {
        let name = tag.trim_start_matches('-').trim_start();
        let end = name.find(|of: char| !of.is_alphanumeric() && of != '_').unwrap_or(name.len());
        let starts_well = name.starts_with(|of: char| of.is_alphabetic() || of == '_');
        starts_well && &name[..end] != "env" && !vars.contains_key(&name[..end])
    })
}

/// Tests of a table: columns are variables, but those that begin with `__`.
fn csv_tests(
    reader: &mut CaseReader,
    name: &str,
    text: &str,
    span: Span,
    found: &mut Vec<WrittenTest>,
) -> Result<(), Message> {
    let table = CaseTable::read(name, text, true).map_err(|fault| fault.message)?;
    for (_, cells) in table.rows() {
        let mut test = WrittenTest { span, ..WrittenTest::default() };
        let mut thresholds: Vec<(usize, f64)> = Vec::new();
        for (head, cell) in cells {
            match head {
                "__description" => test.description = Some(cell.to_owned()).filter(|text| !text.is_empty()),
                "__metadata:category" => test.capability.extend((!cell.is_empty()).then(|| cell.to_owned())),
                head if head.starts_with("__expected") => {
                    let fields = (!cell.trim().is_empty()).then(|| expected(cell.trim()));
                    test.assertions.extend(fields.map(|fields| TestAssertion { fields, span }));
                }
                head if head.starts_with("__") && cell.trim().is_empty() => {}
                head if head == "__metric" || head.starts_with("__metadata:") => {
                    reader.differs(format!("`{head}`"), true, msg!("import-label"), span);
                }
                "__prefix" => around(reader, "`__prefix`", Some(cell.to_owned()), &mut test),
                "__suffix" => test.suffix = Some(cell.to_owned()),
                "__threshold" | "__providerOutput" => {
                    test.is_partial = true;
                    let why = match head {
                        "__threshold" => msg!("import-test-threshold"),
                        _ => msg!("import-provider-output"),
                    };
                    reader.differs(format!("`{head}`"), true, why, span);
                }
                head if head.starts_with("__") => match threshold_of(head).zip(cell.trim().parse().ok()) {
                    Some(of) => thresholds.push(of),
                    None => {
                        test.is_partial = true;
                        reader.lacks(format!("`{head}`"), msg!("import-key-unused"), span);
                    }
                },
                head => drop(test.vars.insert(head.to_owned(), json!(cell))),
            }
        }
        for (at, threshold) in thresholds {
            if let Some(assertion) = test.assertions.get_mut(at) {
                assertion.fields["threshold"] = json!(threshold);
            }
        }
        found.push(test);
    }
    Ok(())
}

/// Which assertion the threshold in a column `__config:__expected2:threshold` is of.
fn threshold_of(head: &str) -> Option<usize> {
    match head.strip_prefix("__config:__expected")?.strip_suffix(":threshold")? {
        "" => Some(0),
        number => number.parse::<usize>().ok()?.checked_sub(1),
    }
}

/// The short form of an assertion: `type: value`, `type(threshold): value`, or a text that the answer equals.
fn expected(cell: &str) -> Value {
    if let Some(text) = cell.strip_prefix("fn:").or_else(|| cell.strip_prefix("eval:")) {
        return json!({"type": "javascript", "value": text.trim()});
    }
    if let Some(text) = cell.strip_prefix("grade:") {
        return json!({"type": "llm-rubric", "value": text.trim()});
    }
    let (kind, value) = cell.split_once(':').unwrap_or((cell, ""));
    let (kind, threshold) = match kind.split_once('(').and_then(|(kind, rest)| Some((kind, rest.strip_suffix(')')?))) {
        Some((kind, threshold)) => (kind, threshold.trim().parse::<f64>().ok()),
        None => (kind, None),
    };
    let bare = kind.strip_prefix("not-").unwrap_or(kind);
    if !super::assertions::is_known(bare) || (value.is_empty() && !cell.ends_with(':') && !bare.starts_with("is-")) {
        return json!({"type": "equals", "value": cell});
    }
    let mut fields = json!({"type": kind});
    let value = value.trim();
    if bare.ends_with("-any") || bare.ends_with("-all") {
        // Kept as it is where it can't be told apart, so that it is refused as one.
        fields["value"] = super::assertions::separated(value).map_or_else(|| json!(value), |texts| json!(texts));
    } else if !value.is_empty() {
        fields["value"] = json!(value);
    }
    // In a table these have a threshold of their own, and the others have none.
    if let Some((_, usual)) = CSV_THRESHOLDS.iter().find(|(name, _)| name.eq(&bare)) {
        fields["threshold"] = json!(threshold.unwrap_or(*usual));
    }
    fields
}

/// The thresholds of short forms.
const CSV_THRESHOLDS: &[(&str, f64)] = &[
    ("answer-relevance", 0.75),
    ("classifier", 0.75),
    ("context-faithfulness", 0.75),
    ("context-recall", 0.75),
    ("context-relevance", 0.75),
    ("cost", 0.75),
    ("latency", 0.75),
    ("levenshtein", 0.75),
    ("perplexity", 0.75),
    ("perplexity-score", 0.75),
    ("rouge-n", 0.75),
    ("similar", 0.75),
];
