//! Folded parts, which don't decide: enough samples, judges, sample quality, what else was noticed, artifacts, provenance.

use eval_format::{Analysis, ArtifactMeta};
use eval_message::plain::{clip, visible};
use eval_message::{Lang, Message, msg};

use super::difference::{TextPiece, differences, whole};
use super::plots::{RunPlot, saturation};
use crate::document::{Block, Depth, Topic, circumstances, line, sections};
use crate::voice::Voice;

pub(super) struct Extra {
    pub(super) title: String,
    pub(super) blocks: Vec<PageBlock>,
    pub(super) plots: Vec<RunPlot>,
    pub(super) artifacts: Vec<ArtifactView>,
}

/// Block as the template writes it.
pub(super) enum PageBlock {
    Title(String),
    List(Vec<String>),
    Table(Vec<Vec<String>>),
}

/// A file of the artifacts, beside the control's file of the same path.
pub(super) struct ArtifactView {
    pub(super) name: String,
    pub(super) sides: Vec<(String, Vec<TextPiece>)>,
}

/// Treatments and gap signals of the document; the page has parts of its own for most of it.
const DEPTH: Depth =
    Depth { treatments: usize::MAX, signals: 0, with_filtered: false, with_counts: true, with_exit: false };

pub(super) fn extras(analysis: &Analysis, lang: Lang) -> Vec<Extra> {
    let all = sections(analysis, lang, DEPTH);
    let part = |title: Message, topics: &[Topic]| {
        let title = title.text(lang);
        let blocks = all.iter().filter(|(topic, _)| topics.contains(topic)).flat_map(|(_, blocks)| blocks);
        let mut blocks = page_blocks(blocks, lang);
        // a part of one section has its title already
        blocks.retain(|block| !matches!(block, PageBlock::Title(text) if *text == title));
        Extra { title, blocks, plots: Vec::new(), artifacts: Vec::new() }
    };
    let parts = [
        part(msg!("gaps-coverage-title"), &[Topic::Coverage]),
        part(msg!("page-extra-moved"), &[Topic::Differences, Topic::Triggers]),
        Extra { plots: curves(analysis, lang), ..part(msg!("page-extra-enough"), &[Topic::Enough]) },
        part(msg!("page-extra-judges"), &[Topic::Judges]),
        part(msg!("page-extra-noticed"), &[Topic::Missing, Topic::Noticed]),
        part(msg!("page-extra-quality"), &[Topic::Quality]),
        Extra { artifacts: artifacts(analysis, lang), ..part(msg!("page-extra-artifacts"), &[]) },
        part(msg!("page-extra-urls"), &[Topic::Urls]),
        Extra { blocks: page_blocks(&provenance(analysis), lang), ..part(msg!("page-extra-method"), &[]) },
    ];
    let is_empty = |of: &Extra| of.blocks.is_empty() && of.plots.is_empty() && of.artifacts.is_empty();
    parts.into_iter().filter(|part| !is_empty(part)).collect()
}

/// Returns blocks for the template; lines and items that follow each other are one list.
fn page_blocks<'b>(blocks: impl IntoIterator<Item = &'b Block>, lang: Lang) -> Vec<PageBlock> {
    let voice = Voice::plain(lang);
    let mut all: Vec<PageBlock> = Vec::new();
    for block in blocks {
        match block {
            Block::Title(_, text) => all.push(PageBlock::Title(voice.say(text))),
            Block::Table(table) => {
                let rows = std::iter::once(&table.heads).chain(&table.rows);
                let rows = rows.map(|cells| cells.iter().map(|cell| voice.say(cell)).collect());
                all.push(PageBlock::Table(rows.collect()));
            }
            Block::Fold(_, blocks) => all.extend(page_blocks(blocks, lang)),
            Block::Line(_, text) | Block::Item(text) | Block::Advice(text, _) | Block::Tagged { text, .. } => {
                match all.last_mut() {
                    Some(PageBlock::List(items)) => items.push(voice.say(text)),
                    _ => all.push(PageBlock::List(vec![voice.say(text)])),
                }
            }
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

/// Returns what it takes to run it again.
fn provenance(analysis: &Analysis) -> Vec<Block> {
    let meta = &analysis.meta;
    let runtime = &meta.executor_runtime;
    let judges: Vec<String> = meta.judge_models.iter().map(|judge| clip(judge, 40)).collect();
    let hashes = meta.skill_hashes.iter().map(|(name, hash)| format!("{} {}", clip(name, 30), clip(hash, 12)));
    let mut lines = vec![
        msg!("page-method-test-set", id = clip(&meta.test_set.id, 80), samples = meta.test_set.sample_count),
        msg!(
            "page-method-executor",
            executor = clip(&runtime.executor, 40),
            version = runtime.version.as_ref().map_or_else(|| "–".to_owned(), |of| clip(of, 40)),
            model = if meta.model.is_empty() { "–".to_owned() } else { clip(&meta.model, 40) }
        ),
        msg!("page-method-artifacts", list = hashes.collect::<Vec<_>>()),
        msg!("page-method-seed", seed = meta.seed.to_string(), interval = clip(&meta.settings.ci, 20)),
    ];
    if !judges.is_empty() {
        let template = meta.judge_template.as_deref().unwrap_or("–");
        let hash = meta.judge_prompt_hash.as_deref().unwrap_or("–");
        lines.push(msg!("page-method-judges", judges = judges, template = clip(template, 40), hash = clip(hash, 12)));
    }
    lines.extend(circumstances(analysis));
    lines.push(msg!("page-method-again", id = clip(&analysis.id, 80)));
    lines.into_iter().map(|text| line(0, text)).collect()
}
