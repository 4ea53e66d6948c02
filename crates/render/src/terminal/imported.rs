//! That results are another tool's: how they were read, and what its files don't tell.

use eval_format::{ImportedResults, PairedBy, Report, ScoreMapping};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::names::{LISTED, NAME, id};

/// Files that are named.
const FILES: usize = 2;

/// Where the results come from and what isn't known of them; how scores and cases were read; what has no pair.
pub(crate) fn imported<R>(report: &Report<R>, lang: Lang) -> Vec<Message> {
    let Some(of) = &report.meta.imported else { return Vec::new() };
    let all = [Some(origin(of, lang)), Some(reading(of)), unpaired(of, lang), models(of, lang)];
    all.into_iter().flatten().collect()
}

fn origin(of: &ImportedResults, lang: Lang) -> Message {
    let version = of.tool_version.as_ref().map(|version| format!(" {}", clip(version, NAME))).unwrap_or_default();
    let tool = of.tool.as_ref().map_or_else(|| of.format.clone(), |tool| format!("{}{version}", clip(tool, NAME)));
    let name = |path: &str| path.rsplit(['/', '\\']).next().map(|name| clip(name, NAME));
    let names: Vec<String> = of.files.iter().take(FILES).filter_map(|file| name(&file.name)).collect();
    let files = names.join(separator(lang));
    let facts = of.unknown.iter().map(|fact| msg!("imported-fact", fact = fact.name()).text(lang));
    let unknown = facts.collect::<Vec<_>>().join(separator(lang));
    match unknown.is_empty() {
        true => msg!("imported-origin", tool = tool, files = files),
        false => msg!("imported-origin-unknown", tool = tool, files = files, unknown = unknown),
    }
}

fn reading(of: &ImportedResults) -> Message {
    let score = clip(&of.score, NAME);
    let paired = match of.paired_by {
        PairedBy::Id => "id",
        PairedBy::Input => "input",
    };
    match of.mapping {
        ScoreMapping::AsIs => msg!("imported-as-is", score = score, paired = paired),
        ScoreMapping::PassFail => msg!("imported-pass-fail", score = score, paired = paired),
        ScoreMapping::Scale { worst, best } => {
            msg!("imported-scale", score = score, worst = worst.to_string(), best = best.to_string(), paired = paired)
        }
    }
}

fn unpaired(of: &ImportedResults, lang: Lang) -> Option<Message> {
    let named: Vec<String> = of.unpaired.iter().take(LISTED).map(|case| id(&case.case)).collect();
    let list = named.join(separator(lang));
    let more = of.unpaired_cases.saturating_sub(u64::try_from(named.len()).unwrap_or(u64::MAX));
    let list = if more > 0 { msg!("report-and-more", list = list, more = more).text(lang) } else { list };
    let are_out = if of.paired_only { "yes" } else { "no" };
    (of.unpaired_cases > 0).then(|| msg!("imported-unpaired", count = of.unpaired_cases, list = list, out = are_out))
}

/// That the arms were answered by different models.
fn models(of: &ImportedResults, lang: Lang) -> Option<Message> {
    let mut known = of.models.values();
    let first = known.next()?;
    let differ = known.any(|models| models != first);
    let each = of.models.iter().map(|(arm, models)| {
        let models = models.iter().take(FILES).map(|model| clip(model, NAME)).collect::<Vec<_>>().join(" + ");
        msg!("imported-model", arm = clip(arm, NAME), models = models).text(lang)
    });
    let list = || each.collect::<Vec<_>>().join(separator(lang));
    (differ && !of.by_model).then(|| msg!("imported-models-differ", list = list()))
}

fn separator(lang: Lang) -> &'static str {
    if lang == Lang::Zh { "、" } else { ", " }
}
