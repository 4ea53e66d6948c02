//! The summary for a terminal: verdict first, then why, then the numbers, then what to do next.
//!
//! It reads nothing but the report, so a stored one gives the same text. Colour marks only what words say too.

mod diff;
mod enough;
mod failures;
mod gold;
mod holdout;
mod judges;
pub mod layout;
pub mod length_shift;
mod pairwise;
mod plan;
mod power;
mod quality;
mod recomputed;
mod stopping;
mod table;
mod trend;

use eval_format::{
    CheckRef, Ci, Comparison, Difference, Insight, Layers, Method, OutcomeCounts, Report, SampleDifference, Severity,
    Tier, TreatmentVerdict, VariantSummary, Verdict,
};
use eval_message::number::{bound, p_text, percent, points, signed};
use eval_message::plain::{clean, clip};
use eval_message::{Lang, Message, msg};
use eval_spec::units::Usd;
use eval_spec::{Failure, Layer};
use owo_colors::{OwoColorize, Style};

pub use diff::diff_text;
pub use failures::failures_text;
pub use gold::gold_text;
pub use layout::{columns, wrap};
pub use plan::plan_text;
pub use power::power_text;
pub use recomputed::recomputed_text;
pub use trend::trend_text;

/// How many columns a name of somebody else's may take in a line of text.
pub(crate) const NAME: usize = 32;
/// How many samples are listed by name.
const LISTED: usize = 5;

/// How to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The reader's language.
    pub lang: Lang,
    /// Columns of the terminal; at least 40 are used.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
    /// Whether the exit code is explained: yes for `omk eval`, no where another gate decides (`bench ci`).
    pub exit_code: bool,
}

impl Show {
    pub(crate) fn text(self, message: &Message) -> String {
        message.text(self.lang)
    }

    pub(crate) fn columns(self) -> usize {
        self.width.max(40)
    }

    /// What stands between clauses.
    fn semicolon(self) -> &'static str {
        if self.lang == Lang::Zh { "；" } else { "; " }
    }

    /// Several things in one line.
    pub(crate) fn list(self, each: &[String]) -> String {
        each.join(if self.lang == Lang::Zh { "、" } else { ", " })
    }

    pub(crate) fn painted(self, text: &str, style: Style) -> String {
        if self.color { text.style(style).to_string() } else { text.to_owned() }
    }
}

/// The summary of a report; `path` is where it lies, as it should be shown.
#[must_use]
pub fn summary_text<R>(report: &Report<R>, show: Show, path: Option<&str>) -> String {
    let mut page = Page { show, text: String::new() };
    headline(&mut page, report);
    page.gap();
    page.line(0, &about(report));
    if let Some(of) = &report.stopping {
        stopping::lines(&mut page, of);
    }
    page.text.push_str(&table::variants(report, show));
    page.gap();
    // Where judges only compare, there are no scores to differ.
    let is_scored = report.summary.values().any(|of| of.planned_scores > 0);
    for comparison in report.comparisons.iter().filter(|_| is_scored || report.pairwise.is_none()) {
        differences(&mut page, comparison, report);
    }
    if let Some(of) = &report.pairwise {
        pairwise::pairwise(&mut page, of);
    }
    enough::repeats(&mut page, report);
    if let Some(of) = &report.holdout {
        holdout::holdout(&mut page, of);
    }
    judges::judges(&mut page, report);
    judges::tripwires(&mut page, report);
    if let Some(gold) = &report.gold {
        gold::lines(&mut page, gold);
        page.gap();
    }
    noticed(&mut page, report);
    if let Some(of) = &report.analysis.sample_quality {
        quality::summary(&mut page, of);
    }
    next(&mut page, report);
    page.gap();
    cost(&mut page, report);
    if let Some(path) = path {
        page.line(0, &msg!("report-path", path = clean(path)));
    }
    page.text
}

/// Text as it grows.
pub(crate) struct Page {
    pub(crate) show: Show,
    pub(crate) text: String,
}

impl Page {
    /// A wrapped line, its continuation two columns further in.
    pub(crate) fn line(&mut self, indent: usize, message: &Message) {
        let text = self.show.text(message);
        self.raw(indent, &text);
    }

    pub(crate) fn raw(&mut self, indent: usize, text: &str) {
        let lines = wrap(text, self.show.columns() - indent, 2);
        for line in lines.lines() {
            self.text.push_str(&" ".repeat(indent));
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    pub(crate) fn bullet(&mut self, text: &str) {
        self.raw(2, &format!("- {text}"));
    }

    pub(crate) fn title(&mut self, message: &Message) {
        let text = self.show.text(message);
        self.text.push_str(&self.show.painted(&text, Style::new().bold()));
        self.text.push('\n');
    }

    /// An empty line, but never two.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

pub(crate) fn headline<R>(page: &mut Page, report: &Report<R>) {
    let verdict = &report.verdict;
    let bold_red = Style::new().red().bold();
    if !verdict.valid {
        tagged(page, &page.show.text(&msg!("report-no-verdict")), bold_red, &msg!("report-headline-invalid"));
        verdict.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
        if let Some(detail) = &report.incomplete_detail {
            reason_line(page, &detail.message_key);
        }
        exit_line(page, verdict.exit_code, report);
        if !verdict.per_treatment.is_empty() {
            page.line(2, &msg!("report-numbers-would-say"));
        }
    } else if verdict.tier == Tier::Solo {
        solo(page, report);
    }
    for treatment in &verdict.per_treatment {
        tagged(page, treatment.tier.name(), style(treatment.tier), &headline_of(report, treatment));
        treatment.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
    }
    if verdict.valid {
        exit_line(page, verdict.exit_code, report);
    }
}

fn solo<R>(page: &mut Page, report: &Report<R>) {
    let name = clip(&report.verdict.inputs.control.name, NAME);
    let reached = report.verdict.reasons.iter().any(|reason| reason.message_key.id == "report-solo-reached");
    let message = match reached {
        true => msg!("report-headline-solo-reached", variant = name),
        false => msg!("report-headline-solo-under", variant = name),
    };
    tagged(page, Tier::Solo.name(), style(Tier::Solo), &message);
    report.verdict.reasons.iter().for_each(|reason| reason_line(page, &reason.message_key));
}

/// `TIER  what it means`.
fn tagged(page: &mut Page, tag: &str, style: Style, message: &Message) {
    let text = format!("{tag}  {}", page.show.text(message));
    let wrapped = wrap(&text, page.show.columns(), 2);
    let painted = wrapped.replacen(tag, &page.show.painted(tag, style), 1);
    page.text.push_str(&painted);
    page.text.push('\n');
}

fn reason_line(page: &mut Page, reason: &Message) {
    let text = page.show.text(&harmless(reason));
    page.bullet(&text);
}

/// A stored message holds names of others.
fn harmless(message: &Message) -> Message {
    let mut message = message.clone();
    for value in message.args.values_mut() {
        if let eval_message::Arg::Text(text) = value {
            *text = clip(text, 200);
        }
    }
    message
}

fn exit_line<R>(page: &mut Page, exit_code: u8, report: &Report<R>) {
    if page.show.exit_code {
        page.line(0, &exit_text(&report.verdict, exit_code));
    }
}

/// What an exit code of `omk eval` means.
fn exit_text(verdict: &Verdict, exit_code: u8) -> Message {
    let ships = verdict.tier == Tier::Progress
        || verdict.reasons.iter().any(|reason| reason.message_key.id == "report-solo-reached");
    match exit_code {
        0 if ships => msg!("report-exit-ship"),
        0 => msg!("report-exit-off"),
        1 => msg!("report-exit-refused"),
        130 => msg!("report-exit-interrupted"),
        _ => msg!("report-exit-invalid"),
    }
}

fn style(tier: Tier) -> Style {
    match tier {
        Tier::Progress => Style::new().green().bold(),
        Tier::Regress => Style::new().red().bold(),
        Tier::Cautious | Tier::Underpowered | Tier::Noise => Style::new().yellow().bold(),
        Tier::Solo => Style::new().bold(),
    }
}

fn headline_of<R>(report: &Report<R>, of: &TreatmentVerdict) -> Message {
    let layer = of.reasons.iter().any(|reason| reason.message_key.id == "report-why-layer-below");
    let unscored = of.reasons.iter().any(|reason| reason.message_key.id == "report-why-unscored");
    let message = match of.tier {
        Tier::Underpowered if unscored => msg!("report-headline-unscored"),
        Tier::Progress => msg!("report-headline-progress"),
        Tier::Regress if layer => msg!("report-headline-regress-layer"),
        Tier::Regress => msg!("report-headline-regress"),
        Tier::Cautious => msg!("report-headline-cautious"),
        Tier::Noise => msg!("report-headline-noise"),
        Tier::Underpowered | Tier::Solo => msg!("report-headline-underpowered"),
    };
    let control = clip(&report.verdict.inputs.control.name, NAME);
    message.with("treatment", clip(&of.treatment, NAME)).with("control", control)
}

fn about<R>(report: &Report<R>) -> Message {
    let meta = &report.meta;
    msg!(
        "report-about",
        samples = meta.sample_count,
        repeat = meta.repeat,
        executor = clip(&meta.executor, NAME),
        model = if meta.model.is_empty() { "none".to_owned() } else { clip(&meta.model, NAME) }
    )
}

fn differences<R>(page: &mut Page, comparison: &Comparison, report: &Report<R>) {
    page.title(&msg!("report-difference-title"));
    page.raw(2, &difference(page.show, comparison));
    if comparison.n > 0 {
        page.raw(2, &more_of_difference(page.show, comparison));
    }
    let at_equal_length = judges::equal_length(comparison.equal_length.as_ref());
    let at_equal_length = at_equal_length.filter(|_| report.judging.is_some() && comparison.n > 0);
    let reach = enough::reach(report, &comparison.treatment);
    for message in at_equal_length.iter().chain(&reach) {
        page.line(2, message);
    }
    by_layer(page, &comparison.layers);
    moved(page, comparison);
    if !comparison.checks.is_empty() {
        page.line(2, &msg!("report-checks-title"));
        for moved in &comparison.checks {
            let message = msg!(
                "report-check-moved",
                check = check_name(&moved.check),
                control = percent(moved.control_rate),
                treatment = percent(moved.treatment_rate)
            );
            page.line(4, &message);
        }
    }
    if !comparison.excluded.is_empty() {
        excluded(page, comparison);
    }
    page.gap();
}

fn difference(show: Show, comparison: &Comparison) -> String {
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    let Some(mean) = comparison.diff.mean else {
        return show.text(&msg!("report-difference-none", control = control, treatment = treatment));
    };
    show.text(&msg!(
        "report-difference",
        control = control,
        treatment = treatment,
        mean = signed(mean),
        interval = interval_of(show, &comparison.diff),
        pairs = comparison.n
    ))
}

/// Where it is looked at after each sample, there is none before the first look.
fn interval_of(show: Show, diff: &Difference) -> String {
    match (&diff.ci, &diff.p_value_why) {
        (None, Some(_)) => show.text(&msg!("report-interval-not-yet")),
        (ci, _) => interval(show, ci.as_ref()),
    }
}

fn interval(show: Show, ci: Option<&Ci>) -> String {
    show.text(&match ci {
        None => msg!("report-interval-point"),
        Some(ci) if ci.degenerate => msg!("report-interval-point"),
        Some(ci) if ci.family > 1 => {
            msg!("report-interval-family", low = bound(ci.low), high = bound(ci.high), family = ci.family)
        }
        Some(ci) => msg!("report-interval-of", low = bound(ci.low), high = bound(ci.high)),
    })
}

fn more_of_difference(show: Show, comparison: &Comparison) -> String {
    let counts =
        msg!("report-difference-more", wins = comparison.wins, losses = comparison.losses, ties = comparison.ties);
    let parts = [Some(counts), p_value(&comparison.diff), effect(&comparison.diff)];
    let comma = if show.lang == Lang::Zh { "，" } else { ", " };
    parts.into_iter().flatten().map(|part| show.text(&part)).collect::<Vec<_>>().join(comma)
}

fn p_value(diff: &Difference) -> Option<Message> {
    let p = p_text(diff.p_value_adjusted?);
    let asked_with_others = diff.ci.is_some_and(|ci| ci.family > 1 && ci.method != Method::ConfidenceSequence);
    Some(if asked_with_others { msg!("report-p-holm", p = p) } else { msg!("report-p", p = p) })
}

fn effect(diff: &Difference) -> Option<Message> {
    let dz = diff.effect?.cohen_dz?.estimate;
    Some(msg!("report-effect", dz = points(dz)))
}

/// A composite that rises can hide a layer that falls.
fn by_layer(page: &mut Page, layers: &Layers<Difference>) {
    let of = |layer: Layer| {
        let diff = layers.get(layer)?;
        let message = match diff.ci.filter(|ci| !ci.degenerate) {
            Some(ci) => msg!("report-layer-difference", low = signed(ci.low), high = signed(ci.high)),
            None => msg!("report-layer-difference-point"),
        };
        Some(page.show.text(&message.with("layer", layer.name()).with("mean", signed(diff.mean?))))
    };
    let layers: Vec<String> = Layer::ALL.into_iter().filter_map(of).collect();
    if layers.len() > 1 {
        let list = page.show.list(&layers);
        page.line(2, &msg!("report-by-layer", list = list));
    }
}

fn moved(page: &mut Page, comparison: &Comparison) {
    let show = page.show;
    let list = |moved: &[SampleDifference]| {
        let each = moved.iter().map(|one| format!("{} {}", clip(&one.sample_id, NAME), signed(one.diff)));
        show.list(&each.collect::<Vec<_>>())
    };
    let sides = &comparison.moved;
    if sides.better.is_empty() && sides.worse.is_empty() {
        return;
    }
    page.line(2, &msg!("report-moved-title"));
    if !sides.better.is_empty() {
        page.line(4, &msg!("report-moved-better", list = list(&sides.better)));
    }
    if !sides.worse.is_empty() {
        page.line(4, &msg!("report-moved-worse", list = list(&sides.worse)));
    }
}

fn check_name(check: &CheckRef) -> String {
    format!("{} #{} {}", clip(&check.sample_id, NAME), check.index + 1, clip(&check.label, 40))
}

/// Samples left out for the same reason stand together.
fn excluded(page: &mut Page, comparison: &Comparison) {
    let mut groups: Vec<(Vec<String>, &eval_format::Excluded)> = Vec::new();
    for one in comparison.excluded.iter().take(LISTED) {
        let id = clip(&one.sample_id, NAME);
        match groups.last_mut() {
            Some((ids, last)) if last.variants == one.variants && last.why_keys == one.why_keys => ids.push(id),
            _ => groups.push((vec![id], one)),
        }
    }
    let named: Vec<String> = groups.iter().map(|(ids, one)| why_excluded(page.show, ids, one)).collect();
    let named = vec![named.join(page.show.semicolon())];
    let left = comparison.excluded.len().saturating_sub(LISTED);
    let message = msg!(
        "report-excluded",
        count = comparison.excluded.len(),
        treatment = clip(&comparison.treatment, NAME),
        list = shortened(page.show, named, left)
    );
    page.line(2, &message);
}

fn why_excluded(show: Show, ids: &[String], one: &eval_format::Excluded) -> String {
    let arms = one.variants.iter().zip(&one.why_keys);
    let why = arms.map(|(variant, why)| {
        show.text(&msg!("report-lost", variant = clip(variant, NAME), list = show.text(&harmless(why))))
    });
    let why = why.collect::<Vec<_>>();
    show.text(&msg!("report-excluded-why", samples = show.list(ids), why = show.list(&why)))
}

/// A list of which only the first are named; `more` of them are not.
fn shortened(show: Show, named: Vec<String>, more: usize) -> String {
    let list = show.list(&named);
    if more == 0 { list } else { show.text(&msg!("report-and-more", list = list, more = more)) }
}

/// Insights, and what was not measured.
fn noticed<R>(page: &mut Page, report: &Report<R>) {
    let lost: Vec<Message> = report.meta.variants.iter().filter_map(|name| lost(page.show, report, name)).collect();
    if !lost.is_empty() {
        page.title(&msg!("report-lost-title"));
        lost.iter().for_each(|message| page.bullet(&page.show.text(message)));
        page.gap();
    }
    // what judges and tripwires have a section of their own for isn't said again
    let elsewhere = ["self_preference", "judge_agreement", "tripwire_passed"];
    let insights: Vec<&Insight> =
        report.analysis.insights.iter().filter(|insight| !elsewhere.contains(&insight.kind.as_str())).collect();
    if insights.is_empty() {
        return;
    }
    page.title(&msg!("report-noticed-title"));
    for insight in insights {
        let text = insight_text(page.show, insight);
        page.bullet(&text);
    }
    page.gap();
}

fn lost<R>(show: Show, report: &Report<R>, name: &str) -> Option<Message> {
    let of = report.summary.get(name)?;
    let classes = failures(of).into_iter().chain(endings(&of.outcomes));
    let classes =
        classes.map(|(count, why)| show.text(&msg!("report-lost-class", count = count, why = show.text(&why))));
    let checks = of.unscored.iter().map(|checks| {
        let why = show.text(&harmless(&checks.why_key));
        show.text(&msg!("report-lost-checks", count = checks.count, check = clip(&checks.kind, NAME), why = why))
    });
    let each: Vec<String> = classes.chain(checks).collect();
    let variant = clip(name, NAME);
    (!each.is_empty()).then(|| msg!("report-lost", variant = variant, list = show.list(&each)))
}

fn failures(of: &VariantSummary) -> Vec<(u64, Message)> {
    let class = |(failure, count): (&Failure, &u64)| (*count, eval_analysis::numbers::why_failed(*failure));
    of.failures.iter().map(class).collect()
}

/// What ended without an answer and without a failure, which [`failures`] names.
fn endings(outcomes: &OutcomeCounts) -> impl Iterator<Item = (u64, Message)> {
    let not_run = outcomes.not_run;
    [
        (outcomes.refused, msg!("report-missing-refused")),
        (outcomes.truncated, msg!("report-missing-truncated")),
        (outcomes.limit_hit, msg!("report-missing-limit-hit")),
        (outcomes.empty, msg!("report-missing-empty")),
        (not_run, msg!("report-missing-not-run")),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
}

fn insight_text(show: Show, insight: &Insight) -> String {
    let text = show.text(&harmless(&insight.message_key));
    // what always passes is seldom worth reading about one by one
    let named: Vec<String> = match insight.severity {
        Severity::Info => Vec::new(),
        Severity::Warning | Severity::Error if insight.kind == "low_discrimination" => Vec::new(),
        Severity::Warning | Severity::Error => insight.checks.iter().take(3).map(check_name).collect(),
    };
    match named.is_empty() {
        true => text,
        false => {
            let more = insight.checks.len() - named.len();
            show.text(&msg!("report-in-samples", text = text, list = shortened(show, named, more)))
        }
    }
}

fn next<R>(page: &mut Page, report: &Report<R>) {
    if report.analysis.suggestions.is_empty() {
        return;
    }
    page.title(&msg!("report-next-title"));
    for suggestion in &report.analysis.suggestions {
        let text = page.show.text(&harmless(&suggestion.message_key));
        let ids: Vec<String> = suggestion.sample_ids.iter().take(LISTED).map(|id| clip(id, NAME)).collect();
        match ids.is_empty() {
            true => page.bullet(&text),
            false => {
                let more = suggestion.sample_ids.len() - ids.len();
                let list = shortened(page.show, ids, more);
                page.bullet(&page.show.text(&msg!("report-in-samples", text = text, list = list)));
            }
        }
    }
}

fn cost<R>(page: &mut Page, report: &Report<R>) {
    let known = report.meta.known_cost_usd;
    let message = match report.meta.total_cost_usd {
        Some(usd) => msg!("report-cost", usd = Usd(usd).to_string()),
        None if known > 0.0 => msg!("report-cost-unknown", usd = Usd(known).to_string()),
        None => msg!("report-cost-unknown-all"),
    };
    let sum = |value: fn(&VariantSummary) -> u64| report.summary.values().map(value).sum::<u64>();
    let (cached, retried) = (sum(|of| of.cached), sum(|of| of.retried));
    let parts = [
        Some(message),
        (cached > 0).then(|| msg!("report-cached", count = cached)),
        (retried > 0).then(|| msg!("report-retried", count = retried)),
    ];
    let text: Vec<String> = parts.iter().flatten().map(|part| page.show.text(part)).collect();
    page.raw(0, &text.join(page.show.semicolon()));
}

/// A layer's row.
fn layer_name(layer: Layer) -> Message {
    msg!("report-row-layer", layer = layer.name())
}
