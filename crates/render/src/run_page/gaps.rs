//! What agents looked for and didn't find: the rates with their test set and interval, each signal with its sample, and what
//! the numbers say nothing of.

use eval_format::{Analysis, GapEntry, VariantGaps, gap_notice};
use eval_message::msg;
use eval_message::plain::clip;

use super::PageFrame;
use crate::quoted::unmarked;
use crate::terminal::gaps::{more, place, rates};
use crate::terminal::names::NAME;

/// Signals of a variant that are listed.
const LISTED: usize = 100;

pub(super) struct GapsView {
    pub(super) title: String,
    pub(super) notice: String,
    pub(super) arms: Vec<ArmGaps>,
}

/// One variant.
pub(super) struct ArmGaps {
    pub(super) rates: Vec<String>,
    pub(super) signals: Vec<GapSignalView>,
    pub(super) more: String,
}

/// A signal, and the page of its sample.
pub(super) struct GapSignalView {
    pub(super) text: String,
    pub(super) link: Option<String>,
}

/// The section; none where no execution has a trace.
pub(super) fn gaps(analysis: &Analysis, page: &PageFrame) -> Option<GapsView> {
    let lang = page.lang;
    let signal = |entry: &GapEntry| GapSignalView {
        text: unmarked(&place(entry), lang),
        link: page.site.as_ref().map(|site| site.sample(&entry.sample_id)),
    };
    let arm = |name: &String, of: &VariantGaps| ArmGaps {
        rates: rates(&clip(name, NAME), of).iter().map(|line| unmarked(line, lang)).collect(),
        signals: of.inventory().iter().take(LISTED).map(signal).collect(),
        more: more(of, LISTED).map(|more| unmarked(&more, lang)).unwrap_or_default(),
    };
    let all = &analysis.analysis.gap;
    let in_order = analysis.meta.variants.iter().filter_map(|name| Some((name, all.get(name)?)));
    (!all.is_empty()).then(|| GapsView {
        title: msg!("gaps-title").text(lang),
        notice: gap_notice().text(lang),
        arms: in_order.map(|(name, of)| arm(name, of)).collect(),
    })
}
