//! The verdict as the page says it: the sentences of all surfaces, with the classes of this one.

use eval_format::{Analysis, Comparison};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_verdict::replacement;

use super::arms::difference;
use crate::document::Tone;
use crate::document::story::{Story, of_this_run, whole_story};
use crate::document::text::harmless;
use crate::voice::unmarked;

pub(super) struct PageStory {
    pub(super) class: &'static str,
    pub(super) tag: String,
    pub(super) sentence: String,
    pub(super) next: Vec<String>,
    pub(super) doubts: Vec<String>,
    pub(super) brief: Option<BriefStory>,
}

/// Story on one line: the treatment, its difference, and the plot that shows it.
pub(super) struct BriefStory {
    pub(super) name: String,
    pub(super) figures: String,
    pub(super) plot: Option<String>,
}

/// Returns what decides first and whole; the others are folded to a line each, or they would fill the first screen.
pub(super) fn stories(analysis: &Analysis, lang: Lang) -> Vec<PageStory> {
    let mut all = whole_story(analysis, lang);
    all.sort_by_key(|of| (of.treatment.is_some(), of.goal.is_none(), of.goal, of.tier));
    let brief = |(at, of)| if at == 0 { None } else { brief(analysis, of) };
    let page = |of| page_story(analysis, of, lang);
    let mut stories: Vec<PageStory> =
        all.iter().enumerate().map(|(at, of)| PageStory { brief: brief((at, of)), ..page(of) }).collect();
    if let (Some(said), Some(first)) = (replacement(&analysis.verdict), stories.first_mut()) {
        first.next.insert(0, unmarked(&harmless(&said), lang));
    }
    stories
}

fn brief(analysis: &Analysis, of: &Story) -> Option<BriefStory> {
    let (at, compared) =
        analysis.comparisons.iter().enumerate().find(|(_, one)| Some(&one.treatment) == of.treatment.as_ref())?;
    let plot = (!compared.pairs.is_empty()).then(|| plot_anchor(at));
    Some(BriefStory { name: clip(&compared.treatment, 40), figures: difference(&compared.diff), plot })
}

/// The id of the plot of a comparison, by its place in the report.
pub(super) fn plot_anchor(at: usize) -> String {
    format!("differences-{}", at + 1)
}

/// The comparisons in the order of their stories, with their places in the report.
pub(super) fn worst_first(analysis: &Analysis) -> Vec<(usize, &Comparison)> {
    let tier = |of: &Comparison| {
        analysis.verdict.per_treatment.iter().find(|one| one.treatment == of.treatment).map(|one| one.tier)
    };
    let mut all: Vec<(usize, &Comparison)> = analysis.comparisons.iter().enumerate().collect();
    all.sort_by_key(|(_, of)| (tier(of).is_none(), tier(of)));
    all
}

fn page_story(analysis: &Analysis, of: &Story, lang: Lang) -> PageStory {
    let say = |message: &Message| unmarked(message, lang);
    let advice = |next: &Message| of_this_run(&say(next), &analysis.id);
    let next = of.next.iter().map(|next| say(&msg!("report-brief-next", text = advice(next))));
    PageStory {
        class: class(of),
        tag: of.tag.clone(),
        sentence: say(&of.sentence),
        next: next.chain(std::iter::once(&of.gate).chain(&of.left_out).map(say)).collect(),
        doubts: of.doubts.iter().map(say).collect(),
        brief: None,
    }
}

fn class(story: &Story) -> &'static str {
    match story.tone() {
        Tone::Better => "better",
        Tone::Worse => "worse",
        Tone::Doubtful => "doubt",
        Tone::Equal | Tone::Plain => "quiet",
    }
}
