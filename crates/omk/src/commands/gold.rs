//! `omk gold`: templates to score by hand, their validation, and the comparison with judges.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_analysis::{GoldItem, compare_gold, gold_items, gold_questions};
use eval_cli::{CommandError, Terminal, exit};
use eval_format::{Report, write_bounded};
use eval_load as load;
use eval_message::msg;
use eval_render::gold_text;
use eval_spec::gold::{GOLD_VERSION, GoldEntry, GoldFile, GoldScores, file_name};
use eval_spec::hash::sha256_hex;
use eval_spec::{Context, files};
use serde_json::{Map, Value, json};

use super::project::urls::as_asked;
use super::stored::read;
use crate::cli::{GoldCompareArgs, GoldInitArgs, GoldValidateArgs};

pub(crate) fn init(context: &Context, terminal: &Terminal, arguments: &GoldInitArgs) -> Result<u8, CommandError> {
    let report = arguments.stored.read(terminal, context)?;
    let items = drawn(&report, gold_items(&report), arguments.samples);
    if items.is_empty() {
        return Err(CommandError::usage(msg!("cli-gold-nothing"), msg!("cli-gold-nothing-help")));
    }
    let directory = context.absolute(&arguments.gold_dir);
    let shown = context.display(&directory);
    std::fs::create_dir_all(&directory).map_err(CommandError::io(msg!("cli-cannot-write", path = &shown)))?;
    // Existing files must be readable, or scores could be lost.
    load::gold(context, &directory, None)?;
    let annotator = annotator(context, arguments);
    let texts = texts(context, &report);
    if texts.is_none() {
        terminal.note(&msg!("cli-gold-no-prompts", path = &report.meta.test_set.path));
    }
    let template =
        AnnotationTemplate { annotator: &annotator, blind: arguments.blind, seed: report.meta.seed, texts: &texts };
    let (mut new, mut kept, mut files) = (0, 0, Vec::new());
    for items in items.chunk_by(|a, b| a.sample_id == b.sample_id) {
        let path = directory.join(file_name(&items[0].sample_id));
        let added = template.write(context, &path, items)?;
        new += added;
        kept += items.len() - added;
        files.extend((added > 0).then(|| context.display(&path)));
    }
    terminal
        .json(|| json!({"goldDir": &shown, "annotator": &annotator, "outputs": new, "kept": kept, "files": &files}));
    terminal.say(&msg!("cli-gold-written", outputs = new, dir = &shown, samples = files.len()));
    if kept > 0 {
        terminal.say(&msg!("cli-gold-kept", count = kept));
    }
    if new > 0 {
        terminal.say(&msg!("cli-gold-fill-in"));
        let report = &arguments.stored.report;
        terminal.say(&msg!("cli-gold-command", report = report, dir = &shown));
    }
    Ok(exit::OK)
}

pub(crate) fn validate(
    context: &Context,
    terminal: &Terminal,
    arguments: &GoldValidateArgs,
) -> Result<u8, CommandError> {
    let report = arguments.report.as_ref();
    let report = report.map(|report| read(&arguments.reports.find(terminal, context, report)?)).transpose()?;
    let gold = load::gold(context, &arguments.gold_dir, report.as_ref().map(gold_questions).as_ref())?;
    let gold = terminal.loaded(gold);
    let compared = report.as_ref().map(|report| compare_gold(report, &gold, None)).transpose()?;
    let scores: usize = gold.annotations.iter().map(|annotation| annotation.scores.len()).sum();
    let open: usize = gold.annotations.iter().map(|annotation| annotation.open).sum();
    let annotators: BTreeSet<&str> = gold.annotations.iter().map(|annotation| annotation.annotator.as_str()).collect();
    terminal.json(|| {
        json!({
            "goldDir": &gold.directory,
            "files": gold.files,
            "annotations": gold.annotations.len(),
            "annotators": &annotators,
            "scores": scores,
            "open": open,
            "counts": compared.as_ref().map(|of| of.counts),
            "leftOut": compared.as_ref().map(|of| &of.left_out),
        })
    });
    terminal.say(&msg!(
        "cli-gold-valid",
        dir = &gold.directory,
        files = gold.files,
        annotations = gold.annotations.len(),
        scores = scores,
        open = open
    ));
    if let Some(compared) = compared {
        let counts = compared.counts;
        terminal.say(&msg!("cli-gold-fits", used = counts.used, annotations = counts.annotations));
        for warning in &compared.warnings {
            terminal.warn(&warning.message_key);
        }
    }
    Ok(exit::OK)
}

pub(crate) fn compare(context: &Context, terminal: &Terminal, arguments: &GoldCompareArgs) -> Result<u8, CommandError> {
    let report = arguments.stored.read(terminal, context)?;
    if let Some(variant) = &arguments.variant {
        known_variant(&report, variant)?;
    }
    let gold = terminal.loaded(load::gold(context, &arguments.gold_dir, Some(&gold_questions(&report)))?);
    let compared = compare_gold(&report, &gold, arguments.variant.as_deref())?;
    terminal.json(|| serde_json::to_value(&compared).unwrap_or_default());
    terminal.text(&gold_text(&compared, terminal.show()));
    Ok(exit::OK)
}

fn known_variant(report: &Report, variant: &str) -> Result<(), CommandError> {
    if report.meta.variants.iter().any(|known| known == variant) {
        return Ok(());
    }
    let names: Vec<String> = report.meta.variants.iter().map(|name| format!("`{name}`")).collect();
    Err(CommandError::usage(
        msg!("cli-gold-no-variant", variant = variant),
        msg!("cli-gold-variants", variants = names.join(", ")),
    ))
}

fn annotator(context: &Context, arguments: &GoldInitArgs) -> String {
    let named = arguments.annotator.as_deref().map(str::trim).filter(|name| !name.is_empty());
    named.or_else(|| context.var("USER")).or_else(|| context.var("LOGNAME")).unwrap_or("annotator").to_owned()
}

/// The outputs of `n` samples, in the report's order. A sample is drawn with all its variants, since only samples scored
/// on both sides show a difference. A larger draw contains the smaller ones.
fn drawn(report: &Report, items: Vec<GoldItem>, n: Option<u32>) -> Vec<GoldItem> {
    let Some(n) = n else { return items };
    let ids: BTreeSet<&str> = items.iter().map(|item| item.sample_id.as_str()).collect();
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_by_key(|id| sha256_hex(format!("{}/gold/{id}", report.meta.seed).as_bytes()));
    let chosen: BTreeSet<String> = ids.into_iter().take(n as usize).map(str::to_owned).collect();
    items.into_iter().filter(|item| chosen.contains(&item.sample_id)).collect()
}

/// The texts that an annotator reads beside the output.
pub(super) struct AnnotatorTexts {
    pub(super) prompt: String,
    pub(super) criteria: Map<String, Value>,
}

/// The prompts and criteria of the report's samples that are unchanged in its sample file.
pub(super) fn texts(context: &Context, report: &Report) -> Option<BTreeMap<String, AnnotatorTexts>> {
    let path = context.absolute(Path::new(&report.meta.test_set.path));
    let file = load::samples(context, &path, &eval_grade::type_specs()).ok()?.value;
    let file = as_asked(context, report, file);
    let same: BTreeSet<&String> = file
        .hashes
        .iter()
        .filter(|(id, hash)| report.meta.sample_hashes.get(id) == Some(hash))
        .map(|of| &of.0)
        .collect();
    let text = |sample: &eval_spec::Sample| {
        let dimensions = sample.dimensions.iter().map(|(name, text)| (name.clone(), json!(text)));
        let mut criteria: Map<String, Value> = dimensions.collect();
        if let (true, Some(rubric)) = (criteria.is_empty(), &sample.rubric) {
            criteria.insert("rubric".to_owned(), json!(rubric));
        }
        (sample.id.clone(), AnnotatorTexts { prompt: sample.prompt_text(), criteria })
    };
    let texts: BTreeMap<_, _> = file.samples.iter().filter(|sample| same.contains(&sample.id)).map(text).collect();
    (!texts.is_empty()).then_some(texts)
}

/// How templates are written.
struct AnnotationTemplate<'a> {
    annotator: &'a str,
    blind: bool,
    seed: u64,
    texts: &'a Option<BTreeMap<String, AnnotatorTexts>>,
}

impl AnnotationTemplate<'_> {
    /// Adds the outputs of one sample that the file lacks for this annotator; returns how many it added.
    fn write(&self, context: &Context, path: &Path, items: &[GoldItem]) -> Result<usize, CommandError> {
        let shown = context.display(path);
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(CommandError::usage(msg!("cli-gold-link", path = shown), None));
        }
        let existing = existing(path).map_err(CommandError::io(msg!("cli-cannot-read", path = &shown)))?;
        let entries = self.entries(items);
        let written = || msg!("cli-cannot-write", path = &shown);
        match existing {
            None => {
                let count = entries.len();
                let file = serde_json::to_value(self.file(items, entries)).unwrap_or_default();
                put(path, &file).map_err(CommandError::io(written()))?;
                Ok(count)
            }
            Some(mut file) => {
                let added = add(&mut file, self.annotator, entries);
                if added > 0 {
                    put(path, &file).map_err(CommandError::io(written()))?;
                }
                Ok(added)
            }
        }
    }

    fn file(&self, items: &[GoldItem], annotations: Vec<GoldEntry>) -> GoldFile {
        let sample_id = items[0].sample_id.clone();
        let texts = self.texts.as_ref().and_then(|texts| texts.get(&sample_id));
        GoldFile {
            version: Some(GOLD_VERSION),
            prompt: texts.map(|texts| texts.prompt.clone()),
            criteria: texts.map(|texts| texts.criteria.clone()).unwrap_or_default(),
            sample_id: Some(sample_id),
            annotations,
        }
    }

    /// A blind template has no variant names, and a shuffled order.
    fn entries(&self, items: &[GoldItem]) -> Vec<GoldEntry> {
        let mut items: Vec<&GoldItem> = items.iter().collect();
        if self.blind {
            items
                .sort_by_key(|item| sha256_hex(format!("{}/{}/{}", self.seed, item.sample_id, item.sha256).as_bytes()));
        }
        let entry = |item: &GoldItem| GoldEntry {
            annotator: self.annotator.to_owned(),
            variant: (!self.blind).then(|| item.variant.clone()),
            repeat: (!self.blind).then_some(item.repeat),
            output_sha256: Some(item.sha256.clone()),
            scores: GoldScores(item.questions.iter().map(|question| (question.clone(), Value::Null)).collect()),
            output: Some(item.output.clone()),
            ..GoldEntry::default()
        };
        items.into_iter().map(entry).collect()
    }
}

/// The document in a gold file, if the file exists; it was validated before.
pub(super) fn existing(path: &Path) -> std::io::Result<Option<Value>> {
    match files::read_regular(path, files::LARGEST_TEXT) {
        Ok(bytes) => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            Ok(Some(serde_json::from_slice(bytes)?))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Adds the entries that the file lacks for this annotator, and returns how many. A file with one annotation at its top
/// level is left unchanged.
fn add(file: &mut Value, annotator: &str, entries: Vec<GoldEntry>) -> usize {
    let Some(Value::Array(annotations)) = file.get_mut("annotations") else { return 0 };
    let hash = |entry: &Value| {
        let is_theirs = entry.get("annotator").and_then(Value::as_str).map(str::trim) == Some(annotator);
        let written = entry.get("outputSha256").and_then(Value::as_str).map(str::to_lowercase);
        let shown = || Some(sha256_hex(entry.get("output")?.as_str()?.as_bytes()));
        written.or_else(shown).filter(|_| is_theirs)
    };
    let there: BTreeSet<String> = annotations.iter().filter_map(hash).collect();
    let new = entries.into_iter().filter(|entry| !entry.output_sha256.as_ref().is_some_and(|h| there.contains(h)));
    let new: Vec<Value> = new.map(|entry| serde_json::to_value(entry).unwrap_or_default()).collect();
    let count = new.len();
    annotations.extend(new);
    count
}

pub(super) fn put(path: &Path, content: &Value) -> std::io::Result<()> {
    write_bounded(path, files::LARGEST_TEXT, |file| writeln!(file, "{content:#}")).map_err(|error| error.source)
}
