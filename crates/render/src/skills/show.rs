//! Numbers and statuses as people read them, the same in every format.

use eval_format::skills::{
    EvaluationSettings, EvaluationStatus, GateReason, RateInterval, RateMethod, SkillCompletionReport, SkillEvaluation,
    TaskResult, TaskStatus, UNCOUNTED_LIMIT,
};
pub(crate) use eval_message::figures::{NONE, more, percent, percent_to, score, time};
use eval_message::plain::shortened;
use eval_message::{Lang, Message, msg};
use serde_json::Value;

/// The bounds of an interval, in per cent.
pub(crate) fn bounds(of: Option<&RateInterval>) -> String {
    of.map_or_else(String::new, |of| format!("[{:.1}, {:.1}]", of.low * 100.0, of.high * 100.0))
}

/// A share with its interval.
pub(crate) fn with_bounds(share: Option<f64>, of: Option<&RateInterval>) -> String {
    match of {
        Some(_) => format!("{} {}", percent(share), bounds(of)),
        None => percent(share),
    }
}

/// A status in a word.
pub(crate) fn status(of: TaskStatus) -> Message {
    match of {
        TaskStatus::Pass => msg!("skills-report-status-pass"),
        TaskStatus::Fail => msg!("skills-report-status-fail"),
        TaskStatus::Error => msg!("skills-report-status-error"),
        TaskStatus::Timeout => msg!("skills-report-status-timeout"),
        TaskStatus::Unscored => msg!("skills-report-status-unscored"),
        TaskStatus::HarnessError => msg!("skills-report-status-harness"),
    }
}

/// How an interval was computed.
pub(crate) fn method(of: RateMethod) -> Message {
    match of {
        RateMethod::Wilson => msg!("skills-report-method-wilson"),
        RateMethod::ClusteredBootstrap => msg!("skills-report-method-bootstrap"),
        RateMethod::ClusteredWilson => msg!("skills-report-method-clustered-wilson"),
    }
}

/// Why a task ended as it did: the error, else the scorer's reason, else what was expected and what came.
pub(crate) fn why(of: &TaskResult, lang: Lang) -> String {
    let said = of.error.as_deref().or(of.reason.as_deref()).filter(|text| !text.trim().is_empty());
    match said {
        Some(text) => text.to_owned(),
        None => match &of.output {
            Some(output) => msg!("skills-report-returned", output = shortened(&compact(output), 200)).text(lang),
            None => String::new(),
        },
    }
}

/// A JSON value on one line; a text as it is.
pub(crate) fn compact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Several things in one line.
pub(crate) fn list(each: &[String], lang: Lang) -> String {
    each.join(if lang == Lang::Zh { "、" } else { ", " })
}

/// Why the numbers of an evaluation may say little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationDoubt<'e> {
    /// Not everything was run.
    Interrupted {
        /// Why not; untrusted text.
        why: &'e str,
    },
    /// Too much could not be counted.
    Unsound,
}

impl EvaluationDoubt<'_> {
    /// Every doubt about an evaluation.
    pub(crate) fn of(evaluation: &SkillEvaluation) -> Vec<EvaluationDoubt<'_>> {
        let why = evaluation.incomplete_reason.as_deref().unwrap_or_default();
        let is_interrupted = evaluation.status == EvaluationStatus::Interrupted;
        let interrupted = is_interrupted.then_some(EvaluationDoubt::Interrupted { why });
        let unsound = evaluation.is_unsound().then_some(EvaluationDoubt::Unsound);
        interrupted.into_iter().chain(unsound).collect()
    }

    /// Its text; `shown` cleans untrusted text.
    pub(crate) fn message(self, shown: impl Fn(&str) -> String) -> Message {
        match self {
            EvaluationDoubt::Interrupted { why } => msg!("skills-report-interrupted", why = shown(why)),
            EvaluationDoubt::Unsound => {
                msg!("skills-report-next-unsound", limit = percent(Some(UNCOUNTED_LIMIT)))
            }
        }
    }
}

/// The texts of every doubt about an evaluation.
pub(crate) fn doubts(of: &SkillEvaluation, shown: impl Fn(&str) -> String) -> Vec<Message> {
    EvaluationDoubt::of(of).into_iter().map(|doubt| doubt.message(&shown)).collect()
}

/// The result of the gate, where there is one: passed, or each reason with its skills, `most` of them by name. `shown`
/// cleans ids.
pub(crate) fn gate(whole: &SkillEvaluation, most: usize, shown: impl Fn(&str) -> String, lang: Lang) -> Vec<Message> {
    let Some(of) = &whole.gate else { return Vec::new() };
    let rate = |id: &str| whole.skill(id).and_then(|skill| skill.summary.completion_rate);
    let below = of.failing.iter().filter_map(|id| rate(id).filter(|rate| *rate < of.min_completion));
    // two thirds are below 0.6667, and both are 66.7 %
    let decimals = below.map(|rate| more(rate, of.min_completion, percent_to)).max().unwrap_or(0);
    let least = percent_to(of.min_completion, decimals);
    let shown = |id: &str| match rate(id).filter(|_| decimals > 0) {
        Some(rate) => format!("{} ({})", shown(id), percent_to(rate, decimals)),
        None => shown(id),
    };
    if of.passed {
        return vec![msg!("skills-report-gate-passed", least = least)];
    }
    let one = |wanted: GateReason| {
        let failing = of.failing.iter().zip(&of.reasons).filter(|(_, reason)| **reason == wanted);
        let ids: Vec<String> = failing.map(|(id, _)| shown(id)).collect();
        let (count, skills) = (ids.len(), list(&ids[..ids.len().min(most)], lang));
        (count > 0).then(|| match wanted {
            GateReason::Below => {
                msg!("skills-report-gate-failed", least = &least, count = count, skills = skills)
            }
            GateReason::Uncounted => {
                let limit = percent(Some(UNCOUNTED_LIMIT));
                msg!("skills-report-gate-uncounted", limit = limit, count = count, skills = skills)
            }
            GateReason::Unknown => msg!("skills-report-gate-unknown", count = count, skills = skills),
            GateReason::Incomplete => msg!("skills-report-gate-incomplete"),
        })
    };
    let all = [GateReason::Below, GateReason::Uncounted, GateReason::Unknown, GateReason::Incomplete];
    let told: Vec<Message> = all.into_iter().filter_map(one).collect();
    match told.is_empty() {
        // no skill at all
        true => vec![msg!("skills-report-gate-failed", least = least, count = 0, skills = "")],
        false => told,
    }
}

/// How the interval was computed, and which sandbox guards were in force and which weren't. `shown` cleans names.
pub(crate) fn facts(of: &SkillCompletionReport, shown: impl Fn(&str) -> String, lang: Lang) -> Vec<Message> {
    let guards = |names: &[String]| list(&names.iter().map(|name| shown(name)).collect::<Vec<_>>(), lang);
    let interval = of.summary.completion_interval.as_ref();
    let by = interval.map(|of| msg!("skills-report-by-method", method = method(of.method).text(lang)));
    let held = (!of.enforced.is_empty()).then(|| msg!("skills-report-page-enforced", guards = guards(&of.enforced)));
    let not = (!of.not_enforced.is_empty())
        .then(|| msg!("skills-report-page-not-enforced", guards = guards(&of.not_enforced)));
    [by, tokens(of), held, not].into_iter().flatten().collect()
}

/// The sum of the tokens that the skill says it used, and over how many results; none where it says nothing.
fn tokens(of: &SkillCompletionReport) -> Option<Message> {
    let reported: Vec<u64> = of.task_results.iter().filter_map(|result| result.tokens).collect();
    let total = reported.iter().fold(0_u64, |sum, tokens| sum.saturating_add(*tokens));
    (!reported.is_empty()).then(|| msg!("skills-report-tokens", total = total, count = reported.len()))
}

/// A version behind an id; a file of tasks has none.
pub(crate) fn version(of: &str) -> String {
    if of.is_empty() { String::new() } else { format!(" {of}") }
}

/// Concurrency, time limit and attempts.
pub(crate) fn settings(of: &EvaluationSettings) -> Message {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let timeout = match of.timeout_ms {
        // A setting, not a measurement: it has no decimals that nobody typed.
        whole if whole >= 1000 && whole % 1000 == 0 => format!("{} s", whole / 1000),
        other => time(Some(other as f64)),
    };
    msg!(
        "skills-report-about-settings",
        concurrency = of.concurrency,
        timeout = timeout,
        retries = of.retries,
        transport = of.transport_retries.saturating_sub(of.retries)
    )
}
