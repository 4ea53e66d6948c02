//! What agents looked for and didn't find, and which files of the knowledge base they read: the rates with their test set,
//! each signal with its sample, and what the numbers say nothing of.

use std::collections::BTreeMap;

use eval_format::{Analysis, GapEntry, VariantCoverage, VariantGaps, gap_notice};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::PageFrame;
use crate::quoted::unmarked;
use crate::terminal::coverage::{files, share};
use crate::terminal::gaps::{rates, signals as listed, warnings};
use crate::terminal::names::NAME;

/// Signals of a variant that are listed.
const LISTED: usize = 100;

/// A folded part: gaps, or coverage.
pub(super) struct GapsView {
    pub(super) title: String,
    pub(super) notice: String,
    /// Whether a variant has something to warn of.
    pub(super) is_open: bool,
    pub(super) arms: Vec<ArmGaps>,
}

/// One variant.
pub(super) struct ArmGaps {
    pub(super) rates: Vec<String>,
    /// What came back, and that the samples may have become too easy.
    pub(super) warnings: Vec<String>,
    pub(super) signals: Vec<GapSignalView>,
    pub(super) more: String,
}

/// A signal with the page of its sample, or a file.
pub(super) struct GapSignalView {
    pub(super) text: String,
    pub(super) link: Option<String>,
}

/// The parts; none where no execution has a trace.
pub(super) fn gaps(analysis: &Analysis, page: &PageFrame) -> Vec<GapsView> {
    let found = &analysis.analysis;
    let gaps = part(analysis, &found.gap, &msg!("gaps-title"), page.lang, |name, of| signals(name, of, page));
    let coverage = &found.coverage;
    let title = msg!("gaps-coverage-title");
    gaps.into_iter()
        .chain(part(analysis, coverage, &title, page.lang, |name, of| covered(name, of, page.lang)))
        .collect()
}

fn part<T>(
    analysis: &Analysis,
    all: &BTreeMap<String, T>,
    title: &Message,
    lang: Lang,
    arm: impl Fn(&str, &T) -> ArmGaps,
) -> Option<GapsView> {
    let in_order = analysis.meta.variants.iter().filter_map(|name| Some(arm(name, all.get(name)?)));
    let arms: Vec<ArmGaps> = in_order.collect();
    (!arms.is_empty()).then(|| GapsView {
        title: title.text(lang),
        notice: gap_notice().text(lang),
        is_open: arms.iter().any(|arm| !arm.warnings.is_empty()),
        arms,
    })
}

fn signals(name: &str, of: &VariantGaps, page: &PageFrame) -> ArmGaps {
    let (listed, more) = listed(of, LISTED);
    let signal = |(entry, line): (&GapEntry, Message)| GapSignalView {
        text: unmarked(&line, page.lang),
        link: page.site.as_ref().map(|site| site.sample(&entry.sample_id)),
    };
    ArmGaps {
        rates: texts(&rates(&clip(name, NAME), of), page.lang),
        warnings: texts(&warnings(of), page.lang),
        signals: listed.into_iter().map(signal).collect(),
        more: more.map(|more| unmarked(&more, page.lang)).unwrap_or_default(),
    }
}

fn covered(name: &str, of: &VariantCoverage, lang: Lang) -> ArmGaps {
    let file = |text: String| GapSignalView { text, link: None };
    ArmGaps {
        rates: texts(&[share(name, of)], lang),
        warnings: Vec::new(),
        signals: texts(&files(of), lang).into_iter().map(file).collect(),
        more: String::new(),
    }
}

fn texts(of: &[Message], lang: Lang) -> Vec<String> {
    of.iter().map(|line| unmarked(line, lang)).collect()
}
