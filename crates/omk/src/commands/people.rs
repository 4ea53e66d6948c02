//! `omk gold import`, `disputes`, `settle`: what people said on a report's pages, as gold and beside the judges.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_analysis::{PersonRating, gold_disputes, gold_questions, people};
use eval_cli::{CommandError, Terminal, exit};
use eval_format::{Feedback, Report, Settled, reader_name, settle_feedback};
use eval_load as load;
use eval_message::msg;
use eval_message::plain::clip;
use eval_render::{gold_disputes_text, people_text};
use eval_spec::Context;
use eval_spec::gold::{GOLD_VERSION, GoldEntry, GoldFile, GoldScores, file_name};
use eval_spec::hash::sha256_hex;
use serde_json::{Value, json};

use super::gold::{AnnotatorTexts, existing, put, texts};
use super::stored::{read, unreadable};
use crate::cli::{GoldDisputesArgs, GoldImportArgs, GoldSettleArgs};

/// Answers that a message names.
const LISTED: usize = 5;

/// What became of the ratings.
#[derive(Default)]
struct ImportCounts {
    written: usize,
    kept: usize,
    removed: usize,
}

/// Writes the ratings of a report into gold files. What was imported from the same report before is replaced; what somebody
/// else wrote stays.
pub(crate) fn import(context: &Context, terminal: &Terminal, arguments: &GoldImportArgs) -> Result<u8, CommandError> {
    let report = arguments.stored.read(terminal, context)?;
    let found = people(&report).map_err(unreadable)?;
    let ratings: Vec<&PersonRating> = found.ratings.iter().filter(|of| of.given.blind || !arguments.blind).collect();
    let is_wanted = |of: &&Feedback| of.blind || !arguments.blind;
    let without_score: Vec<&Feedback> = found.without_score.iter().filter(is_wanted).collect();
    if ratings.is_empty() && !without_score.is_empty() {
        let answers: BTreeSet<String> =
            without_score.iter().map(|of| format!("{} {}", clip(&of.sample_id, 40), clip(&of.variant, 40))).collect();
        let more = if answers.len() > LISTED { ", …" } else { "" };
        let list = answers.into_iter().take(LISTED).collect::<Vec<_>>().join(", ") + more;
        let why = msg!("cli-import-unscored", count = without_score.len(), list = list);
        return Err(CommandError::usage(why, msg!("cli-import-unscored-help", id = &report.id)));
    }
    if ratings.is_empty() {
        let help = if arguments.blind { msg!("cli-import-none-blind") } else { msg!("cli-import-none-help") };
        return Err(CommandError::usage(msg!("cli-import-none"), help));
    }
    let directory = context.absolute(&arguments.gold_dir);
    let shown = context.display(&directory);
    std::fs::create_dir_all(&directory).map_err(CommandError::io(msg!("cli-cannot-write", path = &shown)))?;
    // what is there must be readable, or scores could be lost
    load::gold(context, &directory, None)?;
    let texts = texts(context, &report).unwrap_or_default();
    let mut by_sample: BTreeMap<&str, Vec<&PersonRating>> = BTreeMap::new();
    ratings.iter().for_each(|of| by_sample.entry(&of.given.sample_id).or_default().push(of));
    let mut counts = ImportCounts::default();
    for (sample, ratings) in by_sample {
        let path = directory.join(file_name(sample));
        imported(context, &path, &report, texts.get(sample), &ratings, &mut counts)?;
    }
    terminal.json(|| {
        json!({
            "goldDir": &shown,
            "written": counts.written,
            "kept": counts.kept,
            "removed": counts.removed,
            "unjudged": found.unjudged,
        })
    });
    terminal.say(&msg!("cli-import-done", written = counts.written, dir = &shown));
    if counts.kept > 0 {
        terminal.say(&msg!("cli-import-kept", count = counts.kept));
    }
    if counts.removed > 0 {
        terminal.say(&msg!("cli-import-removed", count = counts.removed));
    }
    if found.unjudged > 0 {
        terminal.say(&msg!("people-unjudged", count = found.unjudged));
    }
    Ok(exit::OK)
}

/// The ratings of one sample in its file.
fn imported(
    context: &Context,
    path: &Path,
    report: &Report,
    texts: Option<&AnnotatorTexts>,
    ratings: &[&PersonRating],
    counts: &mut ImportCounts,
) -> Result<(), CommandError> {
    let shown = context.display(path);
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(CommandError::usage(msg!("cli-gold-link", path = shown), None));
    }
    let known = existing(path).map_err(CommandError::io(msg!("cli-cannot-read", path = &shown)))?;
    let new = || GoldFile {
        version: Some(GOLD_VERSION),
        sample_id: ratings.first().map(|of| of.given.sample_id.clone()),
        prompt: texts.map(|texts| texts.prompt.clone()),
        criteria: texts.map(|texts| texts.criteria.clone()).unwrap_or_default(),
        annotations: Vec::new(),
    };
    let is_new = known.is_none();
    let mut file = known.unwrap_or_else(|| serde_json::to_value(new()).unwrap_or_default());
    let before = file.clone();
    let Some(Value::Array(annotations)) = file.get_mut("annotations") else {
        // one annotation at the top level: somebody else's
        counts.kept += ratings.len();
        return Ok(());
    };
    let source = format!("feedback of {}", report.id);
    for rating in ratings {
        let is_same = |entry: &Value| {
            let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
            text("annotator") == rating.annotator && text("outputSha256").eq_ignore_ascii_case(&rating.output_sha256)
        };
        let at = annotations.iter().position(is_same);
        let is_ours = at.is_some_and(|at| annotations[at]["source"] == source.as_str());
        match (at, rating.counts()) {
            (Some(at), false) if is_ours => {
                annotations.remove(at);
                counts.removed += 1;
            }
            (Some(at), true) if is_ours => annotations[at] = entry(rating, report, &source),
            (Some(_), true) => counts.kept += 1,
            (None, true) => {
                annotations.push(entry(rating, report, &source));
                counts.written += 1;
            }
            (_, false) => {}
        }
    }
    let is_empty = annotations.is_empty();
    if file == before || (is_new && is_empty) {
        return Ok(());
    }
    put(path, &file).map_err(CommandError::io(msg!("cli-cannot-write", path = &shown)))
}

/// A rating as gold. One that was given blind doesn't name the variant: the annotator didn't know it.
fn entry(of: &PersonRating, report: &Report, source: &str) -> Value {
    let output = report.results.iter().find(|result| result.sample_id == of.given.sample_id);
    let runs = output.and_then(|result| result.variants.get(&of.given.variant)).map(|of| of.executions());
    let text = runs.and_then(|runs| {
        (0..)
            .zip(runs)
            .find(|(at, run)| run.repeat.unwrap_or(*at) == of.repeat)
            .and_then(|(_, run)| run.full_output.clone())
    });
    let is_known = !of.given.blind;
    let entry = GoldEntry {
        annotator: of.annotator.clone(),
        variant: is_known.then(|| of.given.variant.clone()),
        repeat: is_known.then_some(of.repeat),
        output_sha256: Some(of.output_sha256.clone()),
        scores: GoldScores([(of.question.clone(), json!(of.given.rating))].into_iter().collect()),
        output: text,
        source: Some(source.to_owned()),
        at: Some(of.given.at.clone()),
        note: of.given.comment.clone(),
        blind: Some(of.given.blind),
        settled: of.given.settled,
    };
    serde_json::to_value(entry).unwrap_or_default()
}

/// What people said, and where they and the judge disagree.
pub(crate) fn disputes(
    context: &Context,
    terminal: &Terminal,
    arguments: &GoldDisputesArgs,
) -> Result<u8, CommandError> {
    let stored = &arguments.stored;
    let report = stored.read(terminal, context)?;
    if let Some(directory) = &arguments.gold_dir {
        let gold = terminal.loaded(load::gold(context, directory, Some(&gold_questions(&report)))?);
        let all = gold_disputes(&report, &gold);
        terminal.json(|| json!({ "disputes": &all }));
        terminal.text(&gold_disputes_text(&all, &stored.report, &gold.directory, terminal.show()));
        return Ok(exit::OK);
    }
    if report.feedback.is_empty() {
        return Err(CommandError::usage(msg!("cli-disputes-none"), msg!("cli-import-none-help")));
    }
    let found = people(&report).map_err(unreadable)?;
    terminal.json(|| {
        let disputed: Vec<Value> = found
            .ratings
            .iter()
            .filter(|of| of.is_disputed())
            .map(|of| serde_json::to_value(of).unwrap_or_default())
            .collect();
        json!({ "people": &found, "disputes": disputed })
    });
    terminal.text(&people_text(&found, &stored.report, terminal.show()));
    Ok(exit::OK)
}

/// Settles who is wrong about one answer.
pub(crate) fn settle(context: &Context, terminal: &Terminal, arguments: &GoldSettleArgs) -> Result<u8, CommandError> {
    let path = arguments.stored.find(terminal, context)?;
    read(&path)?;
    let settled = if arguments.wrong == "gold" { Settled::GoldWrong } else { Settled::JudgeWrong };
    let about = (arguments.sample.as_str(), arguments.variant.as_str());
    if let Some(directory) = &arguments.gold_dir {
        let count = settle_gold(context, terminal, arguments, directory, settled)?;
        return settled_text(terminal, arguments, settled, count);
    }
    let now = context.clock.now().to_string();
    let count = settle_feedback(&path, about, arguments.by.as_deref(), settled, &now).map_err(unreadable)?;
    if count == 0 {
        let command = format!("omk gold disputes {}", arguments.stored.report);
        return Err(CommandError::usage(msg!("site-settle-none"), msg!("cli-settle-none-help", command = command)));
    }
    settled_text(terminal, arguments, settled, count)
}

/// Settles scores in the gold file of a sample: those of the variant's answers in the report.
fn settle_gold(
    context: &Context,
    terminal: &Terminal,
    arguments: &GoldSettleArgs,
    directory: &Path,
    settled: Settled,
) -> Result<usize, CommandError> {
    let report = arguments.stored.read(terminal, context)?;
    let sample = report.results.iter().find(|of| of.sample_id == arguments.sample);
    let answers = sample.and_then(|of| of.variants.get(&arguments.variant)).map(|of| of.executions());
    let texts = answers.into_iter().flatten().filter_map(|run| run.full_output.as_deref());
    let hashes: Vec<String> = texts.map(|text| sha256_hex(text.as_bytes())).collect();
    // what is there must be readable, or scores could be lost
    load::gold(context, directory, None)?;
    let path = context.absolute(directory).join(file_name(&arguments.sample));
    let shown = context.display(&path);
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(CommandError::usage(msg!("cli-gold-link", path = shown), None));
    }
    let known = existing(&path).map_err(CommandError::io(msg!("cli-cannot-read", path = &shown)))?;
    let none = || CommandError::usage(msg!("site-settle-none"), msg!("cli-settle-none-gold", path = &shown));
    let mut file = known.ok_or_else(none)?;
    let entries: Vec<&mut Value> = match file.get_mut("annotations") {
        Some(Value::Array(all)) => all.iter_mut().collect(),
        _ => vec![&mut file],
    };
    let mut count = 0;
    for entry in entries {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let written = text("outputSha256").map(str::to_lowercase);
        let hash = written.or_else(|| text("output").map(|output| sha256_hex(output.as_bytes())));
        let is_meant = match hash {
            Some(hash) => hashes.contains(&hash),
            None => text("variant") == Some(arguments.variant.as_str()),
        };
        let is_theirs =
            arguments.by.as_deref().is_none_or(|by| text("annotator").and_then(reader_name) == reader_name(by));
        if is_meant && is_theirs {
            entry["settled"] = json!(settled);
            count += 1;
        }
    }
    if count == 0 {
        return Err(none());
    }
    put(&path, &file).map_err(CommandError::io(msg!("cli-cannot-write", path = &shown)))?;
    Ok(count)
}

fn settled_text(
    terminal: &Terminal,
    arguments: &GoldSettleArgs,
    settled: Settled,
    count: usize,
) -> Result<u8, CommandError> {
    terminal.json(|| json!({ "settled": count, "wrong": &arguments.wrong }));
    terminal.say(&match settled {
        Settled::GoldWrong => msg!("cli-settled-gold", count = count),
        Settled::JudgeWrong => msg!("cli-settled-judge", count = count),
    });
    Ok(exit::OK)
}
