//! Gaps: the rates with their test set, each signal with its sample, and what the numbers say nothing of.

use eval_format::{Analysis, GapEntry, VariantGaps, gap_notice};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::PageFrame;
use crate::document::gaps::{more, rates, signals as listed, warnings};
use crate::document::text::NAME;
use crate::voice::unmarked;

/// Lines of a variant's signals in a file, and on the page of a sample.
const LISTED: usize = 100;
/// On the server's page of the run, where the pages of samples have the others.
const LISTED_FIRST: usize = 40;

/// A folded part.
pub(super) struct GapsView {
    pub(super) title: String,
    pub(super) notice: String,
    /// `true` if a variant has something to warn of.
    pub(super) is_open: bool,
    pub(super) arms: Vec<ArmGaps>,
}

pub(super) struct ArmGaps {
    pub(super) rates: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) signals: Vec<GapSignalView>,
    pub(super) more: String,
}

/// A signal; the first one of each sample leads to its page.
pub(super) struct GapSignalView {
    pub(super) text: String,
    pub(super) link: Option<String>,
}

/// Returns the part; `None` where no execution has a trace.
pub(super) fn gaps(analysis: &Analysis, page: &PageFrame) -> Option<GapsView> {
    let all = &analysis.analysis.gap;
    let arms = analysis.meta.variants.iter().filter_map(|name| Some(signals(name, all.get(name)?, page)));
    let arms: Vec<ArmGaps> = arms.collect();
    (!arms.is_empty()).then(|| GapsView {
        title: msg!("gaps-title").text(page.lang),
        notice: gap_notice().text(page.lang),
        is_open: arms.iter().any(|arm| !arm.warnings.is_empty()),
        arms,
    })
}

fn signals(name: &str, of: &VariantGaps, page: &PageFrame) -> ArmGaps {
    let site = page.site.as_ref();
    let (lines, left) = listed(of.inventory().iter().chain(of.filtered()), site.map_or(LISTED, |_| LISTED_FIRST));
    let more = match site {
        None => more(left),
        Some(_) => (left > 0).then(|| msg!("gaps-more-samples", more = left)),
    };
    let leads = |at: usize| at == 0 || lines[at - 1].0.sample_id != lines[at].0.sample_id;
    let signal = |(at, (entry, line)): (usize, &(&GapEntry, Message))| GapSignalView {
        text: unmarked(line, page.lang),
        link: site.filter(|_| leads(at)).map(|site| site.sample(&entry.sample_id)),
    };
    ArmGaps {
        rates: texts(&rates(&clip(name, NAME), of), page.lang),
        warnings: texts(&warnings(of), page.lang),
        signals: lines.iter().enumerate().map(signal).collect(),
        more: more.map(|more| unmarked(&more, page.lang)).unwrap_or_default(),
    }
}

pub(super) fn of_sample(analysis: &Analysis, sample: &str, lang: Lang) -> Vec<(String, Vec<String>)> {
    let one = |name: &String| {
        let of = analysis.analysis.gap.get(name)?;
        let all = of.inventory().iter().chain(of.filtered());
        let (lines, _) = listed(all.filter(|entry| entry.sample_id.as_str().eq(sample)), LISTED);
        let text = |(_, line): &(&GapEntry, Message)| unmarked(line, lang);
        (!lines.is_empty()).then(|| (clip(name, NAME), lines.iter().map(text).collect()))
    };
    analysis.meta.variants.iter().filter_map(one).collect()
}

fn texts(of: &[Message], lang: Lang) -> Vec<String> {
    of.iter().map(|line| unmarked(line, lang)).collect()
}
