//! A suite for the verdict and one for each treatment, with a case for each sample.
//!
//! A sample is a failure when the treatment scores under the threshold on it (`--threshold`), or falls behind the control
//! by the smallest difference that matters (`--min-effect`). An execution that infrastructure failed is an error. What
//! can't be compared, and what is meant to fail, is skipped. The verdict is a failure when the gate refuses, and an error
//! when the run is no valid measurement.

use std::collections::BTreeMap;

use crate::minus::{points, signed};
use eval_format::{Comparison, ErrorResult, Excluded, Report, SampleResult, VariantResult, gap_notice};
use eval_message::plain::{clean, clip, shortened};
use eval_message::{Lang, Message, msg};
use eval_verdict::replacement;

use super::rows::{score, word};
use crate::document::difference::excluded_reasons;
use crate::document::of_this_run;
use crate::document::story::story;
use crate::document::text::harmless;
use crate::view::cases::{CaseDetail, CaseEnd, CaseList, CaseSuite, ListedCase};

/// Failed checks that a case names.
const CHECKS: usize = 20;

/// The verdict, then each treatment; a variant alone is the one that is tested.
pub(crate) fn cases(report: &Report, lang: Lang) -> CaseList {
    let mut suites = vec![verdict(report, lang)];
    match (report.comparisons.is_empty(), report.meta.variants.first()) {
        (false, _) => suites.extend(report.comparisons.iter().map(|one| Arms::of(report, one, lang).suite())),
        (true, Some(only)) => suites.push(Arms::alone(report, only, lang).suite()),
        (true, None) => {}
    }
    CaseList { name: report.meta.test_set.id.clone(), suites }
}

fn verdict(report: &Report, lang: Lang) -> CaseSuite {
    let verdict = &report.verdict;
    let stories = story(report, lang);
    let heads: Vec<String> = stories.iter().map(|of| format!("{} {}", of.tag, of.sentence.text(lang))).collect();
    let replaced = replacement(verdict).map(|said| harmless(&said).text(lang));
    let mut details: Vec<String> = replaced.into_iter().collect();
    for of in &stories {
        let parts = of.next.iter().chain([&of.gate]).chain(&of.left_out).chain(&of.doubts);
        let text = |part: &Message| of_this_run(&part.text(lang), &report.id);
        let new: Vec<String> = parts.map(text).filter(|part| !details.contains(part)).collect();
        details.extend(new);
    }
    let kind = if verdict.valid { verdict.tier.name() } else { "INVALID" };
    let why = CaseDetail {
        kind: kind.to_owned(),
        message: heads.join("\n"),
        details: Some(details.join("\n")).filter(|details| !details.is_empty()),
    };
    let end = match verdict.exit_code {
        0 => CaseEnd::Passed,
        1 => CaseEnd::Failed(why),
        _ => CaseEnd::Broken(why),
    };
    let mut properties = vec![
        ("report", report.id.clone()),
        ("valid", verdict.valid.to_string()),
        ("exitCode", verdict.exit_code.to_string()),
    ];
    let replaced = verdict.replaced.as_ref();
    properties.extend(replaced.map(|of| ("storedTier", of.tier.name().to_owned())));
    // what isn't measured has no tier
    properties.extend(verdict.valid.then(|| ("tier", verdict.tier.name().to_owned())));
    CaseSuite { name: "verdict".to_owned(), properties, cases: vec![ListedCase::new("verdict", Some("verdict"), end)] }
}

/// A treatment beside its control; or a variant alone.
struct Arms<'r> {
    report: &'r Report,
    comparison: Option<&'r Comparison>,
    treatment: &'r str,
    excluded: BTreeMap<&'r str, &'r Excluded>,
    lang: Lang,
}

impl<'r> Arms<'r> {
    fn of(report: &'r Report, comparison: &'r Comparison, lang: Lang) -> Arms<'r> {
        let excluded = comparison.excluded.iter().map(|one| (one.sample_id.as_str(), one)).collect();
        Arms { report, comparison: Some(comparison), treatment: &comparison.treatment, excluded, lang }
    }

    fn alone(report: &'r Report, treatment: &'r str, lang: Lang) -> Arms<'r> {
        Arms { report, comparison: None, treatment, excluded: BTreeMap::new(), lang }
    }

    fn suite(&self) -> CaseSuite {
        let cases = self.report.results.iter().map(|sample| self.case(sample)).collect();
        CaseSuite { name: self.treatment.to_owned(), properties: self.properties(), cases }
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        let mut properties = vec![("threshold", self.report.verdict.inputs.limits.threshold.to_string())];
        let verdict = &self.report.verdict;
        let decided = verdict.per_treatment.iter().find(|of| verdict.valid && of.treatment == self.treatment);
        properties.extend(decided.map(|of| ("tier", of.tier.name().to_owned())));
        properties.extend(self.gaps());
        let Some(comparison) = self.comparison else { return properties };
        let diff = &comparison.diff;
        properties.push(("control", comparison.control.clone()));
        properties.push(("pairs", comparison.n.to_string()));
        let ci = diff.ci.filter(|ci| !ci.degenerate);
        let numbers = [("difference", diff.mean), ("low", ci.map(|ci| ci.low)), ("high", ci.map(|ci| ci.high))];
        properties.extend(numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))));
        properties
    }

    /// The gap rate with its test set and the warning; nothing without a trace.
    fn gaps(&self) -> Vec<(&'static str, String)> {
        let Some(of) = self.report.analysis.gap.get(self.treatment) else { return Vec::new() };
        let line = of.sentence(self.treatment).text(self.lang);
        vec![("gapRate", line), ("gapNotice", gap_notice().text(self.lang))]
    }

    fn case(&self, sample: &SampleResult) -> ListedCase {
        let time = sample.variants.get(self.treatment).and_then(|of| of.duration_ms);
        #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
        let time_ms = time.map(|ms| ms as f64);
        ListedCase { time_ms, ..ListedCase::new(&sample.sample_id, Some(self.treatment), self.end(sample)) }
    }

    fn end(&self, sample: &SampleResult) -> CaseEnd {
        if sample.tripwire {
            return self.skipped("tripwire", &msg!("report-case-tripwire"));
        }
        let Some(result) = sample.variants.get(self.treatment) else {
            return self.skipped("not-run", &msg!("report-missing-not-run"));
        };
        let control = self.comparison.and_then(|of| sample.variants.get(&of.control));
        let preference = self.preference(sample);
        let is_measured = |of: &VariantResult| score(of).is_some() || preference.is_some();
        let arms = [Some(result), control].into_iter().flatten();
        if let Some(error) = arms.filter(|of| !is_measured(of)).find_map(infrastructure) {
            return self.broken(error);
        }
        if let Some(excluded) = self.excluded.get(sample.sample_id.as_str()) {
            return CaseEnd::Skipped(self.why("excluded", &self.excluded_text(excluded)));
        }
        match (score(result), preference) {
            (Some(score_of_it), _) => self.scored(result, score_of_it, control.and_then(score)),
            (None, Some(preference)) if preference < 0.0 => {
                self.failed("regression", &msg!("report-case-preferred", preference = signed(preference)), result)
            }
            (None, Some(_)) => CaseEnd::Passed,
            (None, None) => match result.missing.first() {
                Some(missing) => self.skipped("unscored", &harmless(&missing.why_key)),
                None if sample.pairwise => self.skipped("unscored", &msg!("report-case-unjudged")),
                None => self.skipped("unscored", &msg!("report-missing-not-planned")),
            },
        }
    }

    fn scored(&self, result: &VariantResult, score: f64, control: Option<f64>) -> CaseEnd {
        let limits = &self.report.verdict.inputs.limits;
        let is_under = score < limits.threshold;
        match control {
            Some(control) if control - score >= limits.min_effect && control > score => {
                let message = msg!("report-case-regressed", score = points(score), control = points(control));
                self.failed("regression", &message, result)
            }
            _ if is_under => {
                let (mean, threshold) = (points(score), points(limits.threshold));
                let variant = clip(self.treatment, 80);
                let message = msg!("report-solo-under", variant = variant, mean = mean, threshold = threshold);
                self.failed("threshold", &message, result)
            }
            _ => CaseEnd::Passed,
        }
    }

    /// How much judges prefer the treatment's answers to a sample, −1 to 1; `None` without a verdict.
    fn preference(&self, sample: &SampleResult) -> Option<f64> {
        let control = &self.comparison?.control;
        let pairs = self.report.pairwise.as_ref()?.pairs.iter().filter(|pair| pair.sample_id == sample.sample_id);
        let preferences: Vec<f64> = pairs
            .filter_map(|pair| match (pair.earlier.as_str(), pair.later.as_str()) {
                (earlier, later) if (earlier, later) == (control, self.treatment) => pair.preference,
                (earlier, later) if (later, earlier) == (control, self.treatment) => pair.preference.map(|of| -of),
                _ => None,
            })
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a few repeats")]
        let mean = preferences.iter().sum::<f64>() / preferences.len() as f64;
        (!preferences.is_empty()).then_some(mean)
    }

    fn excluded_text(&self, of: &Excluded) -> String {
        excluded_reasons(of).iter().map(|reason| reason.text(self.lang)).collect::<Vec<_>>().join("\n")
    }

    fn why(&self, kind: &str, message: &str) -> CaseDetail {
        CaseDetail { kind: kind.to_owned(), message: shortened(message, 1000), details: None }
    }

    fn skipped(&self, kind: &str, message: &Message) -> CaseEnd {
        CaseEnd::Skipped(self.why(kind, &message.text(self.lang)))
    }

    fn failed(&self, kind: &str, message: &Message, result: &VariantResult) -> CaseEnd {
        let details = Some(details(result)).filter(|details| !details.is_empty());
        CaseEnd::Failed(CaseDetail { details, ..self.why(kind, &message.text(self.lang)) })
    }

    fn broken(&self, error: &ErrorResult) -> CaseEnd {
        let message = harmless(&error.message_key).text(self.lang);
        CaseEnd::Broken(CaseDetail { details: error.detail.clone(), ..self.why(&word(&error.failure), &message) })
    }
}

/// The failure of infrastructure that one of the executions ended with.
fn infrastructure(of: &VariantResult) -> Option<&ErrorResult> {
    of.executions().iter().find_map(|one| one.error.as_ref()).or(of.error.as_ref())
}

/// The checks that failed, and how the answer begins.
fn details(of: &VariantResult) -> String {
    let failed = of.assertions.details.iter().filter(|check| check.passed == Some(false));
    let mut lines: Vec<String> = failed
        .take(CHECKS)
        .map(|check| {
            let written = serde_json::to_string(&check.written).unwrap_or_default();
            shortened(&format!("- {} {written}", check.kind), 300)
        })
        .collect();
    lines.extend(of.llm_reason.as_ref().map(|reason| format!("judge: {}", clean(reason))));
    lines.extend(Some(&of.output_preview).filter(|text| !text.is_empty()).map(|text| format!("answer: {text}")));
    lines.join("\n")
}
