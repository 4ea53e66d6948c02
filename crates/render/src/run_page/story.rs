//! The verdict as the page says it: the sentences of all surfaces, with the classes of this one.

use eval_format::{Analysis, Tier};
use eval_message::{Lang, Message, msg};

use crate::quoted::unmarked;
use crate::sentence::{Story, whole_story};

/// What is said of one treatment, or of the run.
pub(super) struct PageStory {
    pub(super) class: &'static str,
    pub(super) tag: String,
    pub(super) sentence: String,
    pub(super) next: Vec<String>,
    pub(super) doubts: Vec<String>,
}

pub(super) fn stories(analysis: &Analysis, lang: Lang) -> Vec<PageStory> {
    whole_story(analysis, lang).iter().map(|of| page_story(of, lang)).collect()
}

fn page_story(of: &Story, lang: Lang) -> PageStory {
    let say = |message: &Message| unmarked(message, lang);
    let next = of.next.iter().map(|next| say(&msg!("report-brief-next", text = say(next))));
    PageStory {
        class: class(of),
        tag: of.tag.clone(),
        sentence: say(&of.sentence),
        next: next.chain(std::iter::once(&of.gate).chain(&of.left_out).map(say)).collect(),
        doubts: of.doubts.iter().map(say).collect(),
    }
}

fn class(of: &Story) -> &'static str {
    match (of.tier, of.goal) {
        (Some(Tier::Progress), _) | (None, Some(true)) => "better",
        (Some(Tier::Regress), _) | (None, None) => "worse",
        (Some(Tier::Cautious | Tier::Underpowered), _) | (None, Some(false)) => "doubt",
        (Some(Tier::Noise | Tier::Solo), _) => "quiet",
    }
}
