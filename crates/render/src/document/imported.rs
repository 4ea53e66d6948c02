//! Results of another tool: how they were read, and what its files don't tell.

use eval_format::{ImportedResults, PairedBy, Report, ScoreMapping};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::text::{LISTED, NAME, and_more, id};

/// Files that are named.
const FILES: usize = 2;

/// Returns where the results come from and what isn't known of them, how scores and cases were read, what has no pair.
pub(crate) fn imported<R>(report: &Report<R>) -> Vec<Message> {
    let Some(results) = &report.meta.imported else { return Vec::new() };
    let all = [Some(origin(results)), Some(reading(results)), unpaired(results), models(results)];
    all.into_iter().flatten().collect()
}

fn origin(results: &ImportedResults) -> Message {
    let version = results.tool_version.as_ref().map(|version| format!(" {}", clip(version, NAME))).unwrap_or_default();
    let tool = results.tool.as_ref().map(|tool| format!("{}{version}", clip(tool, NAME)));
    let tool = tool.unwrap_or_else(|| results.format.clone());
    let name = |path: &str| path.rsplit(['/', '\\']).next().map(|name| clip(name, NAME));
    let files: Vec<String> = results.files.iter().take(FILES).filter_map(|file| name(&file.name)).collect();
    let unknown: Vec<Message> = results.unknown.iter().map(|fact| msg!("imported-fact", fact = fact.name())).collect();
    match unknown.is_empty() {
        true => msg!("imported-origin", tool = tool, files = files),
        false => msg!("imported-origin-unknown", tool = tool, files = files, unknown = unknown),
    }
}

fn reading(results: &ImportedResults) -> Message {
    let score = clip(&results.score, NAME);
    let paired = match results.paired_by {
        PairedBy::Id => "id",
        PairedBy::Input => "input",
    };
    match results.mapping {
        ScoreMapping::AsIs => msg!("imported-as-is", score = score, paired = paired),
        ScoreMapping::PassFail => msg!("imported-pass-fail", score = score, paired = paired),
        ScoreMapping::Scale { worst, best } => {
            msg!("imported-scale", score = score, worst = worst.to_string(), best = best.to_string(), paired = paired)
        }
    }
}

fn unpaired(results: &ImportedResults) -> Option<Message> {
    let named = results.unpaired.iter().take(LISTED).map(|case| id(&case.case));
    let more = usize::try_from(results.unpaired_cases).unwrap_or(usize::MAX).saturating_sub(named.len());
    let (count, left_out) = (results.unpaired_cases, if results.paired_only { "yes" } else { "no" });
    (count > 0).then(|| msg!("imported-unpaired", count = count, list = and_more(named, more), out = left_out))
}

/// Returns that the arms were answered by different models.
fn models(results: &ImportedResults) -> Option<Message> {
    let mut all = results.models.values();
    let first = all.next()?;
    let differ = all.any(|models| models != first);
    let each = results.models.iter().map(|(arm, models)| {
        let models = models.iter().take(FILES).map(|model| clip(model, NAME)).collect::<Vec<_>>().join(" + ");
        msg!("imported-model", arm = clip(arm, NAME), models = models)
    });
    (differ && !results.by_model).then(|| msg!("imported-models-differ", list = each.collect::<Vec<_>>()))
}
