//! What doesn't decide, folded: enough samples, judges, sample quality, what else was noticed, artifacts, provenance.

use eval_format::{Analysis, ArtifactMeta};
use eval_message::plain::{clip, visible};
use eval_message::{Lang, Message, msg};

use super::difference::{TextPiece, differences, whole};
use super::plots::{RunPlot, saturation};
use super::text::plain;
use crate::terminal::{Show, circumstances, sections};

/// A folded part.
pub(super) struct Extra {
    pub(super) title: String,
    pub(super) lines: Vec<ExtraLine>,
    pub(super) plots: Vec<RunPlot>,
    pub(super) artifacts: Vec<ArtifactView>,
}

/// A line of a list, or a table as it is in a terminal.
pub(super) enum ExtraLine {
    Item(String),
    Table(String),
}

/// A file of the artifacts, beside the control's file of the same path.
pub(super) struct ArtifactView {
    pub(super) name: String,
    pub(super) sides: Vec<(String, Vec<TextPiece>)>,
}

pub(super) fn extras(analysis: &Analysis, lang: Lang) -> Vec<Extra> {
    let show = Show { width: 400, ..Show::file(lang) };
    let said = |title: Message, text: String| Extra {
        title: title.text(lang),
        lines: lines(&text),
        plots: Vec::new(),
        artifacts: Vec::new(),
    };
    let enough =
        Extra { plots: curves(analysis, lang), ..said(msg!("page-extra-enough"), sections::enough(analysis, show)) };
    let all = [
        said(msg!("page-extra-moved"), sections::differences(analysis, show)),
        enough,
        said(msg!("page-extra-judges"), sections::judges(analysis, show)),
        said(msg!("page-extra-noticed"), sections::noticed(analysis, show)),
        said(msg!("page-extra-quality"), sections::quality(analysis, show)),
        Extra { artifacts: artifacts(analysis, lang), ..said(msg!("page-extra-artifacts"), String::new()) },
        said(msg!("page-extra-urls"), sections::urls(analysis, show)),
        said(msg!("page-extra-method"), provenance(analysis, lang)),
    ];
    all.into_iter().filter(|of| !(of.lines.is_empty() && of.plots.is_empty() && of.artifacts.is_empty())).collect()
}

/// The lines of a section; what is laid out in columns stays so.
fn lines(text: &str) -> Vec<ExtraLine> {
    let mut all: Vec<ExtraLine> = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()) {
        let is_table = line.trim_start().contains("  ");
        match (all.last_mut(), is_table) {
            (Some(ExtraLine::Table(table)), true) => {
                table.push('\n');
                table.push_str(line);
            }
            (_, true) => all.push(ExtraLine::Table(line.to_owned())),
            (_, false) => all.push(ExtraLine::Item(plain(line.trim().trim_start_matches("- ")))),
        }
    }
    all
}

fn curves(analysis: &Analysis, lang: Lang) -> Vec<RunPlot> {
    let known = |of: &eval_format::Saturation| {
        let windows = of.windows.iter().filter_map(|window| Some((window.n, window.width?, window.expected)));
        saturation(&windows.collect::<Vec<_>>(), lang)
    };
    analysis.analysis.saturation.iter().take(4).filter_map(known).collect()
}

/// Every file that differs between control and treatment, or the only variant's.
fn artifacts(analysis: &Analysis, lang: Lang) -> Vec<ArtifactView> {
    let Some(all) = &analysis.meta.artifacts else { return Vec::new() };
    let names = &analysis.meta.variants;
    let of = |name| all.get_key_value::<String>(name);
    let Some((control, treatments)) = names.split_first() else { return Vec::new() };
    let control = of(control);
    let pairs = treatments.iter().filter_map(of).flat_map(|treated| compared(control, treated, lang));
    let alone = control.into_iter().filter(|_| treatments.is_empty()).flat_map(|of| compared(None, of, lang));
    pairs.chain(alone).take(50).collect()
}

type NamedArtifact<'r> = (&'r String, &'r ArtifactMeta);

fn compared(control: Option<NamedArtifact<'_>>, (name, treated): NamedArtifact<'_>, lang: Lang) -> Vec<ArtifactView> {
    let file = |file: &eval_format::ArtifactFileMeta| {
        let is_single = treated.files.len() == 1 && control.is_none_or(|(_, of)| of.files.len() <= 1);
        let before = control.and_then(|(_, of)| {
            of.files.iter().find(|other| other.path == file.path).or_else(|| of.files.first().filter(|_| is_single))
        });
        if before.is_some_and(|before| before.hash == file.hash) {
            return None;
        }
        let text = |of: &eval_format::ArtifactFileMeta| {
            of.text.as_deref().map_or_else(|| msg!("page-no-text", bytes = of.bytes).text(lang), visible)
        };
        let after = text(file);
        let sides = match (before, control) {
            (Some(before), Some((control, _))) => {
                let [before, after] = differences(&text(before), &after);
                vec![(clip(control, 40), before), (clip(name, 40), after)]
            }
            _ => vec![(clip(name, 40), whole(&after))],
        };
        Some(ArtifactView { name: clip(&file.path, 80), sides })
    };
    treated.files.iter().filter_map(file).collect()
}

/// What is needed to run it again.
fn provenance(analysis: &Analysis, lang: Lang) -> String {
    let meta = &analysis.meta;
    let runtime = &meta.executor_runtime;
    let judges = meta.judge_models.iter().map(|judge| clip(judge, 40)).collect::<Vec<_>>().join(", ");
    let hashes = meta.skill_hashes.iter().map(|(name, hash)| format!("{} {}", clip(name, 30), clip(hash, 12)));
    let mut lines = vec![
        msg!("page-method-test-set", id = clip(&meta.test_set.id, 80), samples = meta.test_set.sample_count),
        msg!(
            "page-method-executor",
            executor = clip(&runtime.executor, 40),
            version = runtime.version.as_ref().map_or_else(|| "–".to_owned(), |of| clip(of, 40)),
            model = if meta.model.is_empty() { "–".to_owned() } else { clip(&meta.model, 40) }
        ),
        msg!("page-method-artifacts", list = hashes.collect::<Vec<_>>().join(", ")),
        msg!("page-method-seed", seed = meta.seed.to_string(), interval = clip(&meta.settings.ci, 20)),
    ];
    if !judges.is_empty() {
        let template = meta.judge_template.as_deref().unwrap_or("–");
        let hash = meta.judge_prompt_hash.as_deref().unwrap_or("–");
        lines.push(msg!("page-method-judges", judges = judges, template = clip(template, 40), hash = clip(hash, 12)));
    }
    lines.extend(circumstances(analysis, |each| each.join(if lang == Lang::Zh { "、" } else { ", " })));
    lines.push(msg!("page-method-again", id = clip(&analysis.id, 80)));
    lines.iter().map(|line| line.text(lang) + "\n").collect()
}
