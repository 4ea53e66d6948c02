//! Reads the arguments of a catalogue's messages, and checks that both languages agree on them.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement, Resource};
use fluent_syntax::parser;

/// The file that exists in Chinese only: the English help is in the commands' doc comments.
pub(crate) const HELP: &str = "help";

pub(crate) struct Catalogue {
    /// File name without extension, the same in both languages.
    pub(crate) name: String,
    /// Path, for errors.
    pub(crate) place: String,
    pub(crate) source: String,
}

/// A message's key and arguments.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Signature {
    pub(crate) key: String,
    pub(crate) arguments: Vec<String>,
}

/// Returns the signatures of all messages, sorted by key, or all problems of the catalogues.
pub(crate) fn signatures(english: &[Catalogue], chinese: &[Catalogue]) -> Result<Vec<Signature>, Vec<String>> {
    let names =
        |catalogues: &[Catalogue]| catalogues.iter().map(|catalogue| catalogue.name.clone()).collect::<BTreeSet<_>>();
    if names(english) != names(chinese) {
        return Err(vec!["messages/en and messages/zh contain different files".to_owned()]);
    }
    let (english, chinese) = (Language::read(english), Language::read(chinese));
    let mut problems: Vec<String> = english.problems.iter().chain(&chinese.problems).cloned().collect();
    problems.extend(english.lacks(&chinese));
    problems.extend(chinese.lacks(&english));
    let mut signatures = Vec::new();
    for (key, entry) in english.entries.iter().filter(|(key, _)| !key.starts_with('-')) {
        let arguments = english.arguments(key);
        match chinese.entries.get(key) {
            Some(other) if chinese.arguments(key) != arguments => problems.push(format!(
                "{}: `{key}` has the arguments {:?}, in {} {:?}",
                entry.place,
                arguments,
                other.place,
                chinese.arguments(key)
            )),
            _ => signatures.push(Signature { key: key.clone(), arguments: arguments.into_iter().collect() }),
        }
    }
    if problems.is_empty() { Ok(signatures) } else { Err(problems) }
}

/// A message; or a term, whose key begins with `-`.
#[derive(Default)]
struct Text {
    place: String,
    is_help: bool,
    variables: BTreeSet<String>,
    references: BTreeSet<String>,
}

/// Entries of one language's files, by key.
#[derive(Default)]
struct Language {
    entries: BTreeMap<String, Text>,
    problems: Vec<String>,
}

impl Language {
    fn read(files: &[Catalogue]) -> Language {
        let mut language = Language::default();
        for file in files {
            match parser::parse(file.source.as_str()) {
                Ok(resource) => language.add(file, &resource),
                Err((resource, errors)) => {
                    let line = |offset: usize| file.source[..offset].lines().count().max(1);
                    let said = errors.iter().map(|e| format!("{}:{}: {}", file.place, line(e.pos.start), e.kind));
                    language.problems.extend(said);
                    language.add(file, &resource);
                }
            }
        }
        let missing = language.entries.values().flat_map(|text| text.references.iter().map(move |key| (text, key)));
        let missing = missing.filter(|(_, key)| !language.entries.contains_key(*key));
        let missing: Vec<_> = missing.map(|(text, key)| format!("{}: no `{key}` to refer to", text.place)).collect();
        language.problems.extend(missing);
        language
    }

    fn add(&mut self, file: &Catalogue, resource: &Resource<&str>) {
        for entry in &resource.body {
            let (key, value) = match entry {
                Entry::Message(message) => (message.id.name.to_owned(), message.value.as_ref()),
                Entry::Term(term) => (format!("-{}", term.id.name), Some(&term.value)),
                _ => continue,
            };
            let mut text = Text { place: file.place.clone(), is_help: file.name == HELP, ..Text::default() };
            match value {
                Some(pattern) => text.pattern(pattern),
                None => self.problems.push(format!("{}: `{key}` has no text", file.place)),
            }
            if let Some(first) = self.entries.insert(key.clone(), text) {
                self.problems.push(format!("{}: `{key}` is defined twice, first in {}", file.place, first.place));
            }
        }
    }

    /// Lists the messages of `self` that `other` lacks.
    fn lacks<'a>(&'a self, other: &'a Language) -> impl Iterator<Item = String> + 'a {
        let ours = self.entries.iter().filter(|(key, text)| !text.is_help && !key.starts_with('-'));
        let missing = ours.filter(|(key, _)| !other.entries.contains_key(*key));
        missing.map(|(key, text)| format!("{}: the other language has no `{key}`", text.place))
    }

    /// Collects the arguments of a message, including those of the messages it refers to.
    fn arguments(&self, key: &str) -> BTreeSet<String> {
        let (mut arguments, mut seen, mut next) = (BTreeSet::new(), BTreeSet::new(), vec![key]);
        while let Some(key) = next.pop() {
            let Some(text) = self.entries.get(key).filter(|_| seen.insert(key)) else { continue };
            // a term gets its variables from the placeable that refers to it
            if !key.starts_with('-') {
                arguments.extend(text.variables.iter().cloned());
            }
            next.extend(text.references.iter().map(String::as_str));
        }
        arguments
    }
}

impl Text {
    fn pattern(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                self.expression(expression);
            }
        }
    }

    fn expression(&mut self, expression: &Expression<&str>) {
        match expression {
            Expression::Inline(inline) => self.inline(inline),
            Expression::Select { selector, variants } => {
                self.inline(selector);
                variants.iter().for_each(|variant| self.pattern(&variant.value));
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) {
        match inline {
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            InlineExpression::VariableReference { id } => {
                self.variables.insert(id.name.to_owned());
            }
            InlineExpression::MessageReference { id, .. } => {
                self.references.insert(id.name.to_owned());
            }
            InlineExpression::TermReference { id, arguments, .. } => {
                self.references.insert(format!("-{}", id.name));
                arguments.iter().for_each(|arguments| self.call(arguments));
            }
            InlineExpression::FunctionReference { arguments, .. } => self.call(arguments),
            InlineExpression::Placeable { expression } => self.expression(expression),
        }
    }

    fn call(&mut self, arguments: &CallArguments<&str>) {
        arguments.positional.iter().for_each(|argument| self.inline(argument));
        arguments.named.iter().for_each(|argument| self.inline(&argument.value));
    }
}
