//! Two runs side by side: first whether they can be compared, then what changed.

use crate::minus::{points, signed};
use askama::Template;
use eval_format::{CheckRef, gap_notice};
use eval_history::diff::{DiffSide, SampleDelta};
use eval_history::{Diff, DiffError, PreferenceDiff, SampleSets, VariantDiff};
use eval_message::plain::clip;
use eval_message::{Lang, Message, msg};
use eval_spec::units::Usd;

use super::frame::{SiteBase, SiteFrame, sample_path};
use super::plots;
use super::words::{minute, verdict_of};
use crate::page::Frame;
use crate::terminal::check_name;
use crate::terminal::diff::{differs as setting_change, gaps};

/// Samples and checks that are listed.
pub(super) const LISTED: usize = 100;

/// The names of the reports that are compared: their addresses.
#[derive(Clone, Debug)]
pub struct DiffChoice {
    /// The earlier one.
    pub a: String,
    /// The later one.
    pub b: String,
    /// Whether the samples that both share are compared, even if the test sets differ.
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

pub(super) struct DiffWords {
    pub(super) comparable: String,
    pub(super) swap: String,
    pub(super) swap_href: String,
    pub(super) failing: String,
    pub(super) passing: String,
    pub(super) samples: String,
    pub(super) sample: String,
    pub(super) difference: String,
    pub(super) scores: String,
    pub(super) left_out: String,
    pub(super) none: String,
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

/// Something that is the same in both, or isn't.
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

/// What is shown of a difference that could be found.
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
pub fn diff_page(found: &Result<Diff, DiffError>, of: &DiffChoice, at: &SiteFrame) -> std::io::Result<String> {
    let parts = |diff| DiffParts {
        sides: sides(diff, of, at),
        facts: facts(diff, at.lang),
        cautions: cautions(diff, at.lang),
        comparisons: comparisons(diff, of, at),
    };
    page(found.as_ref().map(parts), of, at)
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
    let page = DiffHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-diff").text(at.lang),
        words: words(of, at),
        sides,
        refusal,
        facts,
        cautions,
        comparisons,
    };
    page.render().map_err(std::io::Error::other)
}

fn words(of: &DiffChoice, at: &SiteFrame) -> DiffWords {
    let text = |message: Message| message.text(at.lang);
    DiffWords {
        comparable: text(msg!("site-diff-comparable")),
        swap: text(msg!("site-diff-swap")),
        swap_href: at.link("/diff", &[("a", &of.b), ("b", &of.a), ("force", if of.is_forced { "1" } else { "" })]),
        failing: text(msg!("site-diff-failing")),
        passing: text(msg!("site-diff-passing")),
        samples: text(msg!("site-diff-samples")),
        sample: text(msg!("site-sample")),
        difference: text(msg!("report-trend-difference")),
        scores: text(msg!("report-trend-score")),
        left_out: text(msg!("site-diff-left-out")),
        none: text(msg!("site-none")),
    }
}

fn unknown_sides(of: &DiffChoice, at: &SiteFrame) -> Vec<ComparedRun> {
    let side = |label, name: &str| ComparedRun {
        label,
        name: clip(name, 60),
        href: at.run(name),
        about: String::new(),
        class: "quiet",
        verdict: String::new(),
    };
    vec![side("A", &of.a), side("B", &of.b)]
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
    let plain = |message: Message| message.text(at.lang).replace('`', "");
    let is_forceable = matches!(why, DiffError::OtherSamples(_) | DiffError::Contents { .. }) && !of.is_forced;
    let force = is_forceable.then(|| {
        let href = at.link("/diff", &[("a", &of.a), ("b", &of.b), ("force", "1")]);
        (href, msg!("site-diff-force").text(at.lang))
    });
    let help = if is_forceable { None } else { why.help() };
    Refusal { text: plain(why.message()), help: help.map(plain).unwrap_or_default(), force }
}

/// What is the same in both, and each thing that isn't.
fn facts(diff: &Diff, lang: Lang) -> Vec<Comparability> {
    let mut all = vec![Comparability { is_same: diff.samples.is_same(), text: sample_fact(&diff.samples, lang) }];
    match diff.differs.is_empty() {
        true => all.push(Comparability { is_same: true, text: msg!("site-diff-settings-same").text(lang) }),
        false => all.extend(diff.differs.iter().map(|one| Comparability { is_same: false, text: setting_change(one) })),
    }
    all
}

fn sample_fact(of: &SampleSets, lang: Lang) -> String {
    let listed = |ids: &[String]| {
        let some: Vec<String> = ids.iter().take(5).map(|id| clip(id, 40)).collect();
        let more = if ids.len() > 5 { "…" } else { "" };
        some.join(if lang == Lang::Zh { "、" } else { ", " }) + more
    };
    let mut parts = vec![msg!("report-diff-common", count = of.common)];
    if !of.changed.is_empty() {
        parts.push(msg!("report-diff-changed", count = of.changed.len(), list = listed(&of.changed)));
    }
    if !of.added.is_empty() {
        parts.push(msg!("report-diff-added", count = of.added.len(), list = listed(&of.added)));
    }
    if !of.removed.is_empty() {
        parts.push(msg!("report-diff-removed", count = of.removed.len(), list = listed(&of.removed)));
    }
    let texts: Vec<String> = parts.iter().map(|part| part.text(lang)).collect();
    texts.join(if lang == Lang::Zh { "；" } else { "; " })
}

fn cautions(diff: &Diff, lang: Lang) -> Vec<String> {
    let caution = diff.caution.as_ref().map(|note| crate::terminal::harmless(&note.message_key));
    let held_out = (!diff.held_out.is_empty()).then(|| msg!("report-diff-held-out", count = diff.held_out.len()));
    let mut sides = vec![&diff.a, &diff.b];
    sides.dedup_by(|b, a| a.id == b.id);
    let replaced = sides.into_iter().filter_map(|of| {
        let text = crate::terminal::harmless(&of.replaced.as_ref()?.message_key).text(lang);
        Some(msg!("report-replaced-of", id = clip(&of.id, 60), text = text))
    });
    let uncontrolled = diff.uncontrolled.iter().map(|note| crate::terminal::harmless(&note.message_key));
    replaced
        .chain([caution, held_out].into_iter().flatten())
        .chain(uncontrolled)
        .map(|message| message.text(lang).replace('`', ""))
        .collect()
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
        let mut all: Vec<String> = checks.iter().take(LISTED).map(|check| clip(&check_name(check), 200)).collect();
        if checks.len() > LISTED {
            all.push(format!("… +{}", checks.len() - LISTED));
        }
        all
    };
    let left_out = of.excluded.iter().take(LISTED).map(|one| {
        let why = crate::terminal::harmless(&one.why.message_key).text(lang);
        format!("{}: {}", clip(&one.sample_id, 60), why.replace('`', ""))
    });
    ComparisonHtml {
        title: title(of, diff, lang),
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

fn title(of: &VariantDiff, diff: &Diff, lang: Lang) -> String {
    let (a, b) = (clip(&of.a, 40), clip(&of.b, 40));
    let message = match of.same_artifact.filter(|_| diff.a.id != diff.b.id) {
        Some(true) => msg!("report-diff-same-artifact", a = a, b = b),
        Some(false) => msg!("report-diff-other-artifact", a = a, b = b),
        None => msg!("report-diff-pair", a = a, b = b),
    };
    message.text(lang).replace('`', "")
}

fn sentence(of: &VariantDiff, lang: Lang) -> String {
    let Some(mean) = of.diff.mean else { return msg!("report-diff-no-mean").text(lang) };
    let score = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), points);
    let interval = of.diff.ci.map(|ci| format!(" [{}, {}]", signed(ci.low), signed(ci.high))).unwrap_or_default();
    msg!(
        "site-diff-mean",
        a = score(of.mean_a),
        b = score(of.mean_b),
        mean = signed(mean) + &interval,
        pairs = of.diff.n
    )
    .text(lang)
}

/// Cost, time, the judges' preference, and the gap rates with their warning.
fn more(of: &VariantDiff, diff: &Diff, lang: Lang) -> Vec<String> {
    let cost = of.cost_usd.a.zip(of.cost_usd.b);
    let cost = cost.map(|(a, b)| msg!("report-diff-cost", a = Usd(a).to_string(), b = Usd(b).to_string()));
    let time = of.duration_ms.a.zip(of.duration_ms.b);
    let shown = |ms: f64| eval_message::figures::time(Some(ms));
    let time = time.map(|(a, b)| msg!("report-diff-time", a = shown(a), b = shown(b)));
    let preferred = diff.preferences.iter().filter(|one| one.b.treatment == of.b).filter_map(preference);
    let gaps = gaps(of);
    let notice = (!gaps.is_empty()).then(gap_notice);
    let gaps = gaps.iter().map(crate::terminal::harmless).chain(notice);
    [cost, time]
        .into_iter()
        .flatten()
        .chain(preferred)
        .chain(gaps)
        .map(|message| message.text(lang).replace('`', ""))
        .collect()
}

fn preference(of: &PreferenceDiff) -> Option<Message> {
    let mean = of.diff.mean?;
    let interval = of.diff.ci.map_or_else(|| "–".to_owned(), |ci| format!("[{}, {}]", signed(ci.low), signed(ci.high)));
    let share = crate::minus::percent(f64::midpoint(1.0, mean));
    let control = clip(&of.b.control, 40);
    let samples = of.diff.n;
    Some(msg!(
        "report-diff-preferred",
        control = control,
        mean = signed(mean),
        share = share,
        interval = interval,
        samples = samples
    ))
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
