//! Two runs side by side: first whether they can be compared, then what changed.

use crate::minus::{points, signed};
use askama::Template;
use eval_format::{CheckRef, gap_notice};
use eval_history::diff::{DiffSide, SampleDelta};
use eval_history::{Diff, DiffError, VariantDiff};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};

use super::frame::{SiteBase, SiteFrame, sample_path};
use super::plots;
use super::words::{minute, verdict_of};
use crate::document::diff::{self as document, differs as setting_change};
use crate::document::text::{check_name, clauses, harmless, or_dash};
use crate::page::{Frame, words};
use crate::voice::unmarked;

/// Samples and checks that are listed.
pub(super) const LISTED: usize = 100;

/// The names of the reports that are compared: their addresses.
#[derive(Clone, Debug)]
pub struct DiffChoice {
    /// The earlier one.
    pub a: String,
    /// The later one.
    pub b: String,
    /// `true` if the samples that both share are compared, even if the test sets differ.
    pub is_forced: bool,
}

#[derive(Template)]
#[template(path = "site/diff.html")]
pub(super) struct DiffHtml {
    pub(super) frame: Frame,
    pub(super) base: SiteBase,
    pub(super) title: String,
    pub(super) words: DiffWords,
    pub(super) sides: Vec<ComparedRun>,
    pub(super) refusal: Option<Refusal>,
    pub(super) facts: Vec<Comparability>,
    pub(super) cautions: Vec<String>,
    pub(super) comparisons: Vec<ComparisonHtml>,
}

words! {
    DiffWords {
        comparable: "site-diff-comparable",
        swap: "site-diff-swap",
        failing: "site-diff-failing",
        passing: "site-diff-passing",
        samples: "site-diff-samples",
        sample: "site-sample",
        difference: "report-trend-difference",
        scores: "report-trend-score",
        left_out: "site-diff-left-out",
        none: "site-none",
    }
    swap_href: String,
}

pub(super) struct ComparedRun {
    pub(super) label: &'static str,
    pub(super) name: String,
    pub(super) href: String,
    pub(super) about: String,
    pub(super) class: &'static str,
    pub(super) verdict: String,
}

pub(super) struct Refusal {
    pub(super) text: String,
    pub(super) help: String,
    pub(super) force: Option<(String, String)>,
}

pub(super) struct Comparability {
    pub(super) is_same: bool,
    pub(super) text: String,
}

pub(super) struct ComparisonHtml {
    pub(super) title: String,
    pub(super) class: &'static str,
    pub(super) sentence: String,
    pub(super) counts: String,
    pub(super) more: Vec<String>,
    pub(super) plot: String,
    pub(super) failing: Vec<String>,
    pub(super) passing: Vec<String>,
    pub(super) samples: Vec<SampleHtml>,
    pub(super) left_out: Vec<String>,
}

pub(super) struct SampleHtml {
    pub(super) id: String,
    pub(super) href: String,
    pub(super) class: &'static str,
    pub(super) mark: &'static str,
    pub(super) difference: String,
    pub(super) scores: String,
}

pub(super) struct DiffParts {
    pub(super) sides: Vec<ComparedRun>,
    pub(super) facts: Vec<Comparability>,
    pub(super) cautions: Vec<String>,
    pub(super) comparisons: Vec<ComparisonHtml>,
}

/// The page.
///
/// # Errors
/// When the template fails.
pub fn diff_page(found: &Result<Diff, DiffError>, choice: &DiffChoice, at: &SiteFrame) -> std::io::Result<String> {
    let parts = |diff| DiffParts {
        sides: sides(diff, choice, at),
        facts: facts(diff, at.lang),
        cautions: cautions(diff, at.lang),
        comparisons: comparisons(diff, choice, at),
    };
    page(found.as_ref().map(parts), choice, at)
}

/// The page of a difference, or of why there is none.
pub(super) fn page(found: Result<DiffParts, &DiffError>, of: &DiffChoice, at: &SiteFrame) -> std::io::Result<String> {
    let refusal = found.as_ref().err().map(|why| refusal(why, of, at));
    let DiffParts { sides, facts, cautions, comparisons } = found.unwrap_or_else(|_| DiffParts {
        sides: unknown_sides(of, at),
        facts: Vec::new(),
        cautions: Vec::new(),
        comparisons: Vec::new(),
    });
    let swapped = [("a", &*of.b), ("b", &*of.a), ("force", if of.is_forced { "1" } else { "" })];
    let swapped = at.link("/diff", &swapped);
    let page = DiffHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-diff").text(at.lang),
        words: DiffWords::of(at.lang, swapped),
        sides,
        refusal,
        facts,
        cautions,
        comparisons,
    };
    page.render().map_err(std::io::Error::other)
}

fn unknown_sides(choice: &DiffChoice, at: &SiteFrame) -> Vec<ComparedRun> {
    let side = |label, name: &str| ComparedRun {
        label,
        name: clip(name, 60),
        href: at.run(name),
        about: String::new(),
        class: "quiet",
        verdict: String::new(),
    };
    vec![side("A", &choice.a), side("B", &choice.b)]
}

fn sides(diff: &Diff, of: &DiffChoice, at: &SiteFrame) -> Vec<ComparedRun> {
    let side = |label, name: &str, of: &DiffSide| {
        let (class, verdict) = verdict_of(of.tier, at.lang);
        let about = format!("{} · {}", minute(&of.timestamp), clip(&of.test_set, 60));
        ComparedRun { label, name: clip(&of.id, 60), href: at.run(name), about, class, verdict }
    };
    vec![side("A", &of.a, &diff.a), side("B", &of.b, &diff.b)]
}

fn refusal(why: &DiffError, of: &DiffChoice, at: &SiteFrame) -> Refusal {
    let plain = |message: Message| unmarked(&message, at.lang);
    let is_forceable = matches!(why, DiffError::OtherSamples(_) | DiffError::Contents { .. }) && !of.is_forced;
    let force = is_forceable.then(|| {
        let href = at.link("/diff", &[("a", &of.a), ("b", &of.b), ("force", "1")]);
        (href, msg!("site-diff-force").text(at.lang))
    });
    let help = if is_forceable { None } else { why.help() };
    Refusal { text: plain(why.message()), help: help.map(plain).unwrap_or_default(), force }
}

/// Returns what is the same in both, and each thing that isn't.
fn facts(diff: &Diff, lang: Lang) -> Vec<Comparability> {
    let samples = clauses(document::sample_sets(&diff.samples)).text(lang);
    let mut all = vec![Comparability { is_same: diff.samples.is_same(), text: samples }];
    match diff.differs.is_empty() {
        true => all.push(Comparability { is_same: true, text: msg!("site-diff-settings-same").text(lang) }),
        false => all.extend(diff.differs.iter().map(|one| Comparability { is_same: false, text: setting_change(one) })),
    }
    all
}

fn cautions(diff: &Diff, lang: Lang) -> Vec<String> {
    let mut sides = vec![&diff.a, &diff.b];
    sides.dedup_by(|b, a| a.id == b.id);
    let replaced = sides.into_iter().filter_map(|side| {
        let text = harmless(&side.replaced.as_ref()?.message_key);
        Some(msg!("report-replaced-of", id = clip(&side.id, 60), text = text))
    });
    replaced.chain(document::cautions(diff)).map(|message| unmarked(&message, lang)).collect()
}

fn comparisons(diff: &Diff, of: &DiffChoice, at: &SiteFrame) -> Vec<ComparisonHtml> {
    let most = diff.comparisons.iter().filter_map(|of| Some([of.diff.mean?, of.diff.ci?.low, of.diff.ci?.high]));
    let most = most.flatten().map(f64::abs).filter(|of| of.is_finite()).fold(1.0, f64::max);
    diff.comparisons.iter().map(|one| comparison(one, diff, most, of, at)).collect()
}

fn comparison(of: &VariantDiff, diff: &Diff, most: f64, choice: &DiffChoice, at: &SiteFrame) -> ComparisonHtml {
    let lang = at.lang;
    let range = of.diff.ci.map(|ci| (ci.low, ci.high));
    let class = match range {
        Some((low, _)) if low > 0.0 => "better",
        Some((_, high)) if high < 0.0 => "worse",
        _ => "quiet",
    };
    let named = |checks: &[CheckRef]| {
        let mut all: Vec<String> =
            checks.iter().take(LISTED).map(|check| clip(&check_name(check).text(lang), 200)).collect();
        if checks.len() > LISTED {
            all.push(format!("… +{}", checks.len() - LISTED));
        }
        all
    };
    let left_out = of
        .excluded
        .iter()
        .take(LISTED)
        .map(|one| format!("{}: {}", clip(&one.sample_id, 60), unmarked(&harmless(&one.why.message_key), lang)));
    ComparisonHtml {
        title: unmarked(&document::pair_title(of, diff), lang),
        class,
        sentence: sentence(of, lang),
        counts: msg!("report-difference-more", wins = of.better, losses = of.worse, ties = of.same).text(lang),
        more: more(of, diff, lang),
        plot: of.diff.mean.map(|mean| plots::around_zero(mean, range, most)).unwrap_or_default(),
        failing: named(&of.checks.newly_failing),
        passing: named(&of.checks.newly_passing),
        samples: samples(of, choice, at),
        left_out: left_out.collect(),
    }
}

fn sentence(pair: &VariantDiff, lang: Lang) -> String {
    let Some(mean) = pair.diff.mean else { return msg!("report-diff-no-mean").text(lang) };
    let (a, b) = (or_dash(pair.mean_a, points), or_dash(pair.mean_b, points));
    let interval = pair.diff.ci.map(|ci| format!(" [{}, {}]", signed(ci.low), signed(ci.high))).unwrap_or_default();
    msg!("site-diff-mean", a = a, b = b, mean = signed(mean) + &interval, pairs = pair.diff.n).text(lang)
}

/// Returns cost, time, the judges' preference, and the gap rates with their warning.
fn more(of: &VariantDiff, diff: &Diff, lang: Lang) -> Vec<String> {
    let preferred = document::preferences(of, diff).filter_map(|preferred| document::preference(preferred, diff));
    let gaps = document::gaps(of);
    let notice = (!gaps.is_empty()).then(gap_notice);
    let all = document::money_and_time(of).into_iter().chain(preferred).chain(gaps).chain(notice);
    all.map(|message| unmarked(&message, lang)).collect()
}

/// The samples that moved, those that fell first. Scores of held-out samples are not shown: tuning on them spoils them.
fn samples(of: &VariantDiff, choice: &DiffChoice, at: &SiteFrame) -> Vec<SampleHtml> {
    let mut moved: Vec<&SampleDelta> = of.samples.iter().filter(|one| one.diff != 0.0 && !one.held_out).collect();
    moved.sort_by(|a, b| a.diff.total_cmp(&b.diff));
    let most = moved.len().saturating_sub(LISTED);
    // of many, both ends
    let middle = (LISTED / 2)..(LISTED / 2 + most);
    let kept = moved.into_iter().enumerate().filter(|(place, _)| !middle.contains(place)).map(|(_, one)| one);
    let html = |one: &SampleDelta| {
        let (class, mark) = if one.diff < 0.0 { ("worse", "▼") } else { ("better", "▲") };
        let path = sample_path(&choice.b, &one.sample_id);
        SampleHtml {
            id: clip(&one.sample_id, 60),
            href: at.link(&path, &[]),
            class,
            mark,
            difference: signed(one.diff),
            scores: format!("{} → {}", points(one.a), points(one.b)),
        }
    };
    kept.map(html).collect()
}
