//! The verdict in sentences: one table for terminal, pages, comment and JUnit, so that all of them say the same.
//!
//! A sentence has the tier's figures in it. Below it come what to do next, the gate, what was left out, and the doubts.

use crate::minus::{bound, level, p_text, points, signed};
use eval_format::{Comparison, DiffInputs, Note, Report, Tier, TreatmentInputs, TreatmentVerdict, Verdict};
use eval_message::plain::clip;
use eval_message::{Arg, Lang, Message, msg};
use eval_spec::suite::GateTier;
use eval_verdict::reason::Evidence;
use eval_verdict::{Decision, Reason, TreatmentDecision, decision};

use super::block::Tone;
use super::noticed::with_samples;
use super::text::{NAME, harmless};
use crate::voice::unmarked;

/// Verdict on a treatment, on the only variant, or on a run that is no valid measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Story {
    /// The treatment; `None` where this is about the whole run.
    pub(crate) treatment: Option<String>,
    /// `None`: there is no verdict, or the sentence is about the goal.
    pub(crate) tier: Option<Tier>,
    /// `true` if the treatment reaches the goal that the sentence is about.
    pub(crate) goal: Option<bool>,
    /// The tier's name, or what takes its place.
    pub(crate) tag: String,
    /// Sentence with the figures.
    pub(crate) sentence: Message,
    /// First advice.
    pub(crate) next: Option<Message>,
    /// Gate with the exit code.
    pub(crate) gate: Message,
    /// How many samples were compared, where not all were, and why.
    pub(crate) left_out: Option<Message>,
    /// Doubts that the sentence doesn't say.
    pub(crate) doubts: Vec<Message>,
}

impl Story {
    pub(crate) fn is_of_invalid_run(&self) -> bool {
        self.tier.is_none() && self.goal.is_none()
    }

    pub(crate) fn tone(&self) -> Tone {
        match (self.tier, self.goal) {
            (Some(Tier::Progress), _) | (None, Some(true)) => Tone::Better,
            (Some(Tier::Regress), _) | (None, None) => Tone::Worse,
            (Some(Tier::Cautious | Tier::Underpowered), _) | (None, Some(false)) => Tone::Doubtful,
            (Some(Tier::Noise), _) => Tone::Equal,
            (Some(Tier::Solo), _) => Tone::Plain,
        }
    }
}

/// The whole run where it is no valid measurement, or its only variant; else each treatment, that it reaches the goal first.
pub(crate) fn story<R>(report: &Report<R>, lang: Lang) -> Vec<Story> {
    let teller = Teller { report, decision: decision(&report.verdict.inputs), lang };
    match teller.whole() {
        Some(whole) => vec![whole],
        None => teller.treatments().collect(),
    }
}

/// All that [`story`] returns, and the treatments of a run that is no valid measurement after it.
pub(crate) fn whole_story<R>(report: &Report<R>, lang: Lang) -> Vec<Story> {
    let teller = Teller { report, decision: decision(&report.verdict.inputs), lang };
    teller.whole().into_iter().chain(teller.treatments()).collect()
}

/// The treatments that stories are about, each once: a goal is a story of its own.
pub(crate) fn treatments_of(stories: &[Story]) -> Vec<&String> {
    let mut names = Vec::new();
    for name in stories.iter().filter_map(|of| of.treatment.as_ref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// An advice whose commands are about the last run, about the run of this id: who copies them may have made others since. An
/// id that a shell could read as something else, which only an edited report has, is no part of a command.
pub(crate) fn of_this_run(advice: &str, id: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    if id.is_empty() || id.starts_with(['.', '-']) || !id.chars().all(is_plain) {
        return advice.to_owned();
    }
    let named = |text: String, flag: &str| text.replace(&format!("{flag} latest"), &format!("{flag} {id}"));
    ["--resume", "--regrade"].into_iter().fold(advice.to_owned(), named)
}

struct Teller<'r, R> {
    report: &'r Report<R>,
    decision: Decision,
    lang: Lang,
}

impl<R> Teller<'_, R> {
    fn whole(&self) -> Option<Story> {
        let verdict = &self.report.verdict;
        let reasons: Vec<Message> = verdict.reasons.iter().map(told).collect();
        match (verdict.valid, verdict.tier) {
            (false, _) => {
                let why = reasons.first().map_or_else(|| msg!("report-unknown").text(self.lang), |why| self.inner(why));
                let doubts = reasons.into_iter().skip(1).chain(self.details()).collect();
                Some(self.about(None, None, msg!("story-invalid", why = why), doubts))
            }
            (true, Tier::Solo) => Some(self.about(None, Some(Tier::Solo), self.of_solo(), self.doubts_of_solo())),
            (true, _) => None,
        }
    }

    /// Returns why the run is incomplete, in more words.
    fn details(&self) -> impl Iterator<Item = Message> {
        self.report.incomplete_detail.iter().map(told)
    }

    fn treatments(&self) -> impl Iterator<Item = Story> {
        let each = &self.report.verdict.per_treatment;
        each.iter().filter_map(|of| self.goal(of)).chain(each.iter().map(|of| self.treatment(of)))
    }

    fn treatment(&self, verdict: &TreatmentVerdict) -> Story {
        let (sentence, doubts) = self.of_tier(verdict);
        self.about(Some(&verdict.treatment), Some(verdict.tier), sentence, doubts)
    }

    fn about(&self, treatment: Option<&str>, tier: Option<Tier>, sentence: Message, doubts: Vec<Message>) -> Story {
        let comparison = self.report.comparisons.iter().find(|one| Some(&*one.treatment) == treatment);
        Story {
            treatment: treatment.map(str::to_owned),
            tier,
            goal: None,
            tag: tier.map_or_else(|| msg!("report-no-verdict").text(self.lang), |tier| tier.name().to_owned()),
            sentence,
            next: self.next(treatment),
            gate: gate(&self.report.verdict),
            left_out: comparison.and_then(|one| self.left_out(one)),
            doubts,
        }
    }

    /// Returns whether a treatment is not worse by more than the margin, where that is the goal, and at which share
    /// of the cost.
    fn goal(&self, verdict: &TreatmentVerdict) -> Option<Story> {
        let (goal, margin) = (verdict.goal.as_ref()?, self.report.verdict.inputs.limits.margin?);
        let (treatment, control, margin) = (name(&verdict.treatment), self.control(), points(margin));
        let sentence = match (goal.reached, self.cost_share(&verdict.treatment)) {
            (true, Some(share)) => {
                msg!("story-not-worse-cost", treatment = treatment, control = control, margin = margin, share = share)
            }
            (true, None) => msg!("story-not-worse", treatment = treatment, control = control, margin = margin),
            (false, _) => msg!("story-may-be-worse", treatment = treatment, control = control, margin = margin),
        };
        let tag = if goal.reached { msg!("report-goal-reached") } else { msg!("report-goal-missed") };
        let story = self.about(Some(&verdict.treatment), None, sentence, goal.reasons.iter().map(told).collect());
        Some(Story { goal: Some(goal.reached), tag: tag.text(self.lang), ..story })
    }

    fn cost_share(&self, treatment: &str) -> Option<String> {
        let cost = |name: &str| self.report.summary.get(name)?.avg_cost_usd.filter(|cost| *cost > 0.0);
        Some(points(cost(treatment)? / cost(&self.report.verdict.inputs.control.name)?))
    }

    /// The sentence of a treatment's tier, and the doubts that it leaves to say.
    fn of_tier(&self, of: &TreatmentVerdict) -> (Message, Vec<Message>) {
        let decided = self.decision.on(&of.treatment).filter(|decided| decided.tier == of.tier);
        let figures = decided.into_iter().flat_map(|decided| &decided.reasons).filter(|why| is_figure(why));
        let figures: Vec<Message> = figures.map(Message::from).collect();
        // of a report whose numbers these rules read otherwise, the first reason is the one with the figures
        let skipped = usize::from(decided.is_none());
        let doubts = of.reasons.iter().skip(skipped).map(|why| &why.message_key).filter(|why| !figures.contains(why));
        let mut doubts: Vec<Message> = doubts.cloned().collect();
        let inputs = self.report.verdict.inputs.treatments.iter().find(|one| one.arm.name == of.treatment);
        let Some(inputs) = inputs else { return (self.unknown(of), doubts.iter().map(harmless).collect()) };
        let figures = Figures::new(self, inputs);
        let (treatment, control) = (name(&of.treatment), self.control());
        // the first doubt is said in the sentence
        let doubted = matches!(of.tier, Tier::Cautious) || figures.is_inside(of.tier);
        let doubt = (doubted && !doubts.is_empty()).then(|| self.inner(&harmless(&doubts.remove(0))));
        let doubts = doubts.iter().map(harmless).collect();
        let sentence = match (of.tier, doubt) {
            (Tier::Progress, _) => {
                msg!("story-progress", treatment = treatment, control = control, figures = figures.whole())
            }
            (Tier::Cautious, Some(doubt)) => {
                let lies = figures.lies();
                msg!(
                    "story-cautious",
                    treatment = treatment,
                    control = control,
                    lies = lies,
                    figures = figures.short(),
                    doubt = doubt
                )
            }
            (Tier::Noise, _) => {
                let range = if figures.diff.degenerate { figures.whole().into() } else { figures.range() };
                let limit = figures.limit();
                msg!("story-noise", treatment = treatment, control = control, range = range, limit = limit)
            }
            (Tier::Regress, _) => match decided.and_then(fallen_layer) {
                Some((layer, fell)) => {
                    msg!("story-regress-layer", treatment = treatment, control = control, layer = layer, fell = fell)
                }
                None => msg!("story-regress", treatment = treatment, control = control, figures = figures.whole()),
            },
            (Tier::Underpowered, _) if decided.is_some_and(TreatmentDecision::is_unscored) => {
                msg!("story-unscored", treatment = treatment, control = control)
            }
            (Tier::Underpowered, Some(doubt)) => {
                msg!("story-underpowered-doubt", treatment = treatment, control = control, doubt = doubt)
            }
            (Tier::Underpowered, None) if figures.diff.low.is_none() || figures.is_few() => {
                let (n, needed) = (figures.n(), self.report.verdict.inputs.limits.min_pairs);
                msg!("story-underpowered-few", treatment = treatment, control = control, n = n, needed = needed)
            }
            (Tier::Underpowered, None) if figures.diff.degenerate => {
                let figures = figures.whole();
                msg!("story-underpowered-equal", treatment = treatment, control = control, figures = figures)
            }
            (Tier::Underpowered, None) => {
                msg!("story-underpowered", treatment = treatment, control = control, range = figures.range())
            }
            (Tier::Cautious | Tier::Solo, _) => self.unknown(of),
        };
        (sentence, doubts)
    }

    /// A tier whose numbers the report lacks.
    fn unknown(&self, verdict: &TreatmentVerdict) -> Message {
        msg!(
            "story-numberless",
            treatment = name(&verdict.treatment),
            control = self.control(),
            tier = verdict.tier.name()
        )
    }

    fn of_solo(&self) -> Message {
        let inputs = &self.report.verdict.inputs;
        let variant = self.control();
        let Some(mean) = inputs.control.mean.filter(|_| inputs.control.planned_scores > 0) else {
            return msg!("story-solo-unscored", variant = variant);
        };
        let interval = self.report.summary.get(&inputs.control.name).and_then(|of| of.ci).filter(|ci| !ci.degenerate);
        let score = match interval {
            Some(ci) => {
                let range = msg!("report-range", low = points(ci.low), high = points(ci.high));
                msg!("story-score", mean = points(mean), range = range).into()
            }
            None => Arg::Text(points(mean)),
        };
        let reaches = if mean < inputs.limits.threshold { "under" } else { "reached" };
        let threshold = points(inputs.limits.threshold);
        let against = self.doubts_of_solo().first().map(|why| self.inner(why));
        match against.filter(|_| reaches == "reached" && !self.decision.reaches_solo_gate()) {
            Some(doubt) => {
                msg!("story-solo-doubt", variant = variant, score = score, threshold = threshold, doubt = doubt)
            }
            None => msg!("story-solo", variant = variant, score = score, threshold = threshold, reaches = reaches),
        }
    }

    fn doubts_of_solo(&self) -> Vec<Message> {
        self.decision.reasons.iter().filter(|why| !is_figure(why)).map(|why| harmless(&why.into())).collect()
    }

    /// The first suggestion about a treatment, or about the whole.
    fn next(&self, treatment: Option<&str>) -> Option<Message> {
        let all = &self.report.analysis.suggestions;
        let names = |message: &Message| match message.args.get("treatment") {
            Some(Arg::Text(name)) => Some(&**name) == treatment || treatment.is_none(),
            Some(_) | None => true,
        };
        let found = all.iter().find(|one| names(&one.message_key))?;
        Some(with_samples(found))
    }

    fn left_out(&self, comparison: &Comparison) -> Option<Message> {
        if comparison.excluded.is_empty() {
            return None;
        }
        let mut classes: Vec<(Arg, usize)> = Vec::new();
        for sample in &comparison.excluded {
            let why = sample.why_keys.first().map_or_else(|| clip(&sample.why, 80).into(), |why| harmless(why).into());
            match classes.iter_mut().find(|(class, _)| *class == why) {
                Some((_, count)) => *count += 1,
                None => classes.push((why, 1)),
            }
        }
        classes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let rest: usize = classes.iter().skip(CLASSES).map(|(_, count)| count).sum();
        let named = classes.into_iter().take(CLASSES);
        let named = named.map(|(why, count)| msg!("story-left-out-class", count = count, why = why));
        let rest = (rest > 0).then(|| msg!("story-left-out-rest", count = rest));
        let planned = comparison.n + u64::try_from(comparison.excluded.len()).unwrap_or(u64::MAX);
        let why: Vec<Message> = named.chain(rest).collect();
        Some(msg!("story-left-out", n = comparison.n, planned = planned, why = why))
    }

    fn control(&self) -> String {
        name(&self.report.verdict.inputs.control.name)
    }

    /// A text inside of another one: marks of code in an argument would be shown as they are.
    fn inner(&self, message: &Message) -> String {
        unmarked(message, self.lang)
    }
}

/// Reasons for leaving samples out that are named.
const CLASSES: usize = 3;

/// The figures of a difference, or of a preference where that decides.
struct Figures<'r> {
    diff: DiffInputs,
    /// Points, or preferences of −1 to 1.
    scale: f64,
    is_preference: bool,
    is_by_task: bool,
    limits: eval_format::Limits,
    level: String,
    why: Option<&'r TreatmentDecision>,
}

impl<'r> Figures<'r> {
    fn new<R>(of: &'r Teller<'_, R>, inputs: &TreatmentInputs) -> Figures<'r> {
        let all = &of.report.verdict.inputs;
        let by_preference = inputs.pairwise.filter(|_| eval_verdict::is_by_preference(all, inputs));
        let comparison = of.report.comparisons.iter().find(|one| one.treatment == inputs.arm.name);
        let limits = if by_preference.is_some() { all.limits.of_preferences() } else { all.limits };
        Figures {
            diff: by_preference.map_or(inputs.diff, |of| of.diff),
            scale: if by_preference.is_some() { eval_format::POINTS } else { 1.0 },
            is_preference: by_preference.is_some(),
            is_by_task: all.tasks.tasks < all.tasks.samples,
            limits,
            level: level(comparison.iter().filter_map(|one| one.diff.ci.as_ref())),
            why: of.decision.on(&inputs.arm.name),
        }
    }

    fn n(&self) -> u64 {
        self.diff.n
    }

    fn is_few(&self) -> bool {
        self.diff.n < self.limits.min_pairs
    }

    /// Returns `true` if the interval is narrow enough, so that something else leaves the difference undecided.
    fn is_inside(&self, tier: Tier) -> bool {
        tier == Tier::Underpowered && eval_verdict::side(&self.limits, &self.diff) == eval_verdict::Side::Inside
    }

    /// Returns where the difference of a CAUTIOUS treatment lies.
    fn lies(&self) -> &'static str {
        let has = |is_it: fn(&Evidence) -> bool| {
            self.why.is_some_and(|of| of.reasons.iter().any(|why| matches!(why, Reason::Evidence(why) if is_it(why))))
        };
        match () {
            () if has(|why| matches!(why, Evidence::Inside { .. })) => "inside",
            () if self.is_preference => "preferred",
            () if !has(|why| matches!(why, Evidence::Above { .. })) => "preferred",
            () => "above",
        }
    }

    fn counted(&self) -> &'static str {
        if self.is_by_task { "tasks" } else { "samples" }
    }

    fn value(&self, value: f64, text: fn(f64) -> String) -> String {
        text(value / self.scale)
    }

    fn mean(&self) -> Arg {
        self.diff.mean.map_or_else(|| msg!("report-unknown").into(), |mean| self.value(mean, signed).into())
    }

    /// Low to high.
    fn range(&self) -> Arg {
        let Some((low, high)) = self.diff.low.zip(self.diff.high) else { return self.mean() };
        msg!("report-range", low = self.value(low, bound), high = self.value(high, bound)).into()
    }

    fn limit(&self) -> String {
        points(self.limits.min_effect / self.scale)
    }

    /// `+0.42, +0.05 to +0.79`.
    fn short(&self) -> Arg {
        let mean = self.mean();
        match (self.diff.degenerate, self.diff.low) {
            (true, _) => msg!("story-figures-short-equal", mean = mean, of = self.counted()).into(),
            (false, None) => mean,
            (false, Some(_)) => msg!("story-figures-short", mean = mean, range = self.range()).into(),
        }
    }

    /// `+0.42 points (95 % interval +0.18 to +0.66, 48 samples)`.
    fn whole(&self) -> Message {
        let unit = if self.is_preference { "preference" } else { "points" };
        let (of, mean, n) = (self.counted(), self.mean(), self.n());
        if !self.diff.degenerate {
            let (level, range) = (&self.level, self.range());
            return msg!("story-figures", mean = mean, unit = unit, level = level, range = range, n = n, of = of);
        }
        let p = self.diff.p.map_or_else(|| msg!("report-unknown").into(), |p| Arg::Text(p_text(p)));
        msg!("story-figures-equal", mean = mean, unit = unit, n = n, of = of, p = p)
    }
}

/// The layer that decided, and by how much it fell.
fn fallen_layer(of: &TreatmentDecision) -> Option<(&'static str, String)> {
    of.reasons.iter().find_map(|why| match why {
        Reason::Evidence(Evidence::LayerBelow { layer, fell_by: Some(fell), .. }) => {
            Some((layer.name(), points(fell.abs())))
        }
        _ => None,
    })
}

/// Returns `true` for what the figures of a sentence say.
fn is_figure(why: &Reason) -> bool {
    matches!(
        why,
        Reason::Evidence(
            Evidence::Above { .. }
                | Evidence::Below { .. }
                | Evidence::Inside { .. }
                | Evidence::Wide { .. }
                | Evidence::FewPairs { .. }
                | Evidence::SoloReached { .. }
                | Evidence::SoloUnder { .. }
                | Evidence::SoloUnscored { .. }
                | Evidence::MoreSamplesHelp { .. }
        )
    )
}

/// Returns whether the gate passes, with the exit code.
pub(crate) fn gate(verdict: &Verdict) -> Message {
    let ships = verdict.tier == Tier::Progress || decision(&verdict.inputs).reaches_solo_gate();
    let is_false_alarm = matches!(verdict.tier, Tier::Progress | Tier::Regress);
    match verdict.exit_code {
        0 if verdict.inputs.limits.aa && !is_false_alarm => msg!("report-exit-aa"),
        0 if verdict.inputs.limits.aa => msg!("report-exit-off"),
        1 if verdict.inputs.limits.aa => msg!("report-exit-aa-alarm"),
        0 | 1 if verdict.inputs.limits.margin.is_some() && verdict.tier != Tier::Solo => gate_of_goal(verdict),
        0 if ships => msg!("report-exit-ship"),
        0 if verdict.tier == Tier::Cautious && verdict.inputs.limits.gate == GateTier::Cautious => {
            msg!("report-exit-cautious")
        }
        0 => msg!("report-exit-off"),
        1 => msg!("report-exit-refused"),
        130 => msg!("report-exit-interrupted"),
        _ => msg!("report-exit-invalid"),
    }
}

fn gate_of_goal(verdict: &Verdict) -> Message {
    let is_reached = verdict.per_treatment.iter().all(|of| of.goal.as_ref().is_some_and(|goal| goal.reached));
    match (is_reached, verdict.exit_code) {
        (true, _) => msg!("report-exit-goal"),
        (false, 0) => msg!("report-exit-off"),
        (false, _) => msg!("report-exit-goal-missed"),
    }
}

fn name(of: &str) -> String {
    clip(of, NAME)
}

fn told(note: &Note) -> Message {
    harmless(&note.message_key)
}
