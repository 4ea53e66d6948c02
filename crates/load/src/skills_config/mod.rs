//! The configuration files of `eval-skills`: the project's over the user's, key by key.

mod edit;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_message::msg;
use eval_spec::callable::config::ALIASES;
use eval_spec::callable::{CONFIG_KEYS, ConfigKey, ConfigShape, ConfigSource, Setting, SkillsConfig, Sourced};
use eval_spec::source::SourceFile;
use eval_spec::{Context, Diagnostics};

use super::benchmark::is_benchmark_path;
use super::decode::{self, Keys};
use super::problems::Problems;
use super::tree::{self, Format, Node, NodeData};
use super::{Loaded, file};

pub use edit::config_with;

/// The project's file, in the working directory.
pub const PROJECT_CONFIG: &str = "eval-skills.config.yaml";

/// The user's file.
#[must_use]
pub fn user_config(context: &Context) -> PathBuf {
    context.home.join("config.yaml")
}

/// The project's file, if there is one; `given` is the one that a flag names, there or not.
fn project_config(context: &Context, given: Option<&Path>) -> Option<PathBuf> {
    let found = context.cwd.join(PROJECT_CONFIG);
    given.map(|path| context.absolute(path)).or_else(|| is_there(&found).then_some(found))
}

/// Whether there is a file, or an error other than its absence, which reading it will report.
fn is_there(path: &Path) -> bool {
    !path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// The files' keys, merged one by one; `given` replaces the file in the working directory. `formats` are the names of the
/// formats that reports can have.
///
/// # Errors
/// Everything that is wrong with either file, unknown keys included; a given file that isn't there.
pub fn skills_config(
    context: &Context,
    given: Option<&Path>,
    formats: &[&str],
) -> Result<Loaded<SkillsConfig>, Diagnostics> {
    let user = user_config(context);
    let project = project_config(context, given).map(|path| {
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        (path, base)
    });
    let user = is_there(&user).then(|| (user, context.cwd.clone()));
    let (mut config, mut warnings, mut errors) = (SkillsConfig::default(), Vec::new(), Vec::new());
    for (path, base) in project.into_iter().chain(user) {
        match config_file(context, &path, &base, formats) {
            Ok(layer) => {
                config = config.over(layer.value);
                warnings.extend(layer.warnings);
            }
            Err(Diagnostics(found)) => errors.extend(found),
        }
    }
    match errors.is_empty() {
        true => Ok(Loaded { value: config, warnings }),
        false => Err(Diagnostics(errors)),
    }
}

/// One file; paths in it are read against `base`.
fn config_file(
    context: &Context,
    path: &Path,
    base: &Path,
    formats: &[&str],
) -> Result<Loaded<SkillsConfig>, Diagnostics> {
    let source = file::read(context, path)?;
    config_text(context, &source, (path, base), formats)
}

fn config_text(
    context: &Context,
    source: &Arc<SourceFile>,
    (path, base): (&Path, &Path),
    formats: &[&str],
) -> Result<Loaded<SkillsConfig>, Diagnostics> {
    let mut problems = Problems::new(context, source);
    let mut config = SkillsConfig::default();
    // `init` writes a file of comments where nothing is set.
    let root = tree::parse(Format::Yaml, &source.text, 0, &mut problems);
    if let Some(root) = root.filter(|root| !matches!(root.data, NodeData::Null)) {
        let mut reader = ConfigReader { path, base, formats, problems: &mut problems, config: &mut config };
        reader.group(&root, "");
    }
    problems.finish(config)
}

struct ConfigReader<'a> {
    path: &'a Path,
    base: &'a Path,
    formats: &'a [&'a str],
    problems: &'a mut Problems,
    config: &'a mut SkillsConfig,
}

/// The names one level below `prefix`, each once; other names of keys last.
fn names_below(prefix: &str) -> Vec<&'static str> {
    let all = CONFIG_KEYS.iter().map(|key| key.name).chain(ALIASES.iter().map(|(alias, _)| *alias));
    let mut names: Vec<&str> =
        all.filter_map(|name| name.strip_prefix(prefix)).filter_map(|rest| rest.split('.').next()).collect();
    names.dedup();
    names
}

/// What other tools and our flags call the keys.
const FOREIGN: &[(&str, &str)] = &[
    ("timeout", "timeoutMs"),
    ("scorer", "evaluator"),
    ("output", "outputDir"),
    ("reportsDir", "outputDir"),
    ("threshold", "minCompletion"),
    ("parallel", "concurrency"),
    ("repeat", "runs"),
    ("retry", "retries"),
    ("database", "store"),
    ("db", "store"),
];

impl ConfigReader<'_> {
    fn group(&mut self, node: &Node, prefix: &str) {
        let known = names_below(prefix);
        let foreign = if prefix.is_empty() { FOREIGN } else { &[] };
        let Some(fields) = decode::object(node, Keys { known: &known, foreign }, self.problems) else { return };
        let mut formats = None;
        for entry in fields.entries.iter().filter(|entry| known.contains(&entry.key.as_str())) {
            let name = format!("{prefix}{}", entry.key);
            match ConfigKey::of(&name) {
                Some(key) => {
                    if matches!(key.shape, ConfigShape::Formats(_))
                        && let Some(first) = formats.replace(entry.key_span)
                    {
                        self.problems.duplicate_key(&entry.key, entry.key_span, first);
                    }
                    self.set(key, &entry.value);
                }
                // `llm:` may be empty.
                None if matches!(entry.value.data, NodeData::Null) => {}
                None => self.group(&entry.value, &format!("{name}.")),
            }
        }
    }

    fn set(&mut self, key: &ConfigKey, node: &Node) {
        let problems = &mut *self.problems;
        let source = ConfigSource::File { path: self.path.to_owned(), place: problems.head(node.span) };
        match key.shape {
            ConfigShape::Whole(low, high, field) => {
                put(field(self.config), decode::whole(node, low..=high, problems), source);
            }
            ConfigShape::Number(low, high, field) => {
                put(field(self.config), decode::number(node, low..=high, problems), source);
            }
            ConfigShape::Flag(field) => put(field(self.config), decode::flag(node, problems), source),
            ConfigShape::Text(field) => put(field(self.config), decode::filled_text(node, problems), source),
            ConfigShape::Reference(field) => {
                let reference = decode::path_text(node, problems).map(|text| reference(text, self.base));
                put(field(self.config), reference, source);
            }
            ConfigShape::Path(field) => {
                let path = decode::path_text(node, problems);
                let path = path.map(|path| self.base.join(Path::new(&path).strip_prefix(".").unwrap_or(path.as_ref())));
                put(field(self.config), path, source);
            }
            ConfigShape::Scorer(field) => put(field(self.config), decode::scorer_type(node, problems), source),
            ConfigShape::Formats(field) => put(field(self.config), formats(node, self.formats, problems), source),
            ConfigShape::Command(field) => {
                let command = command(node, problems).map(|words| based(words, self.base));
                put(field(self.config), command, source);
            }
        }
    }
}

fn put<T>(field: &mut Setting<T>, value: Option<T>, source: ConfigSource) {
    if let Some(value) = value {
        *field = Some(Sourced { value, source });
    }
}

fn reference(text: String, base: &Path) -> String {
    match is_benchmark_path(&text) {
        true => base.join(text.strip_prefix("./").unwrap_or(&text)).to_string_lossy().into_owned(),
        false => text,
    }
}

fn formats(node: &Node, known: &[&str], problems: &mut Problems) -> Option<Vec<String>> {
    let items = match &node.data {
        NodeData::Text(_) => std::slice::from_ref(node),
        NodeData::List(items) if items.is_empty() => {
            problems.error(node.span, msg!("skills-load-config-no-format"));
            return None;
        }
        _ => decode::list(node, "list-of-texts", problems)?,
    };
    let mut formats = Vec::new();
    for item in items {
        let format = decode::one_of(item, known, problems)?.to_owned();
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    Some(formats)
}

fn command(node: &Node, problems: &mut Problems) -> Option<Vec<String>> {
    let words = decode::texts(node, problems)?;
    if words.is_empty() {
        problems.error(node.span, msg!("skills-load-config-no-command"));
        return None;
    }
    if words.iter().any(|word| word.contains('\0')) {
        return decode::unexpected(node, "path", problems);
    }
    Some(words)
}

/// A program with a `/` in its name is resolved against the file, not the working directory.
fn based(mut words: Vec<String>, base: &Path) -> Vec<String> {
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        let path = Path::new(program.as_str());
        *program = base.join(path.strip_prefix(".").unwrap_or(path)).to_string_lossy().into_owned();
    }
    words
}

/// The key that was probably meant.
#[must_use]
pub fn closest_config_key(written: &str) -> Option<&'static str> {
    let names: Vec<&str> = CONFIG_KEYS.iter().map(|key| key.name).collect();
    let foreign = FOREIGN.iter().find(|(theirs, _)| *theirs == written).map(|(_, ours)| *ours);
    foreign.or_else(|| decode::closest(written, &names))
}
