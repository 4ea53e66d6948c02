//! Checks whose result can't depend on the answer: found by trying them before anything is paid.

use std::time::{Duration, Instant};

use eval_message::msg;
use eval_spec::{Assertion, CheckOutcome, Diagnostic, Output, Sample};
use serde_json::Value;

use crate::answer::GradedAnswer;
use crate::assertion::compile::CompiledAssertion;

/// Types whose own text is an answer on which they must come out otherwise than on none.
const WITH_TEXT: &[&str] = &[
    "bleu_min",
    "contains",
    "contains_all",
    "contains_any",
    "ends_with",
    "equals",
    "levenshtein_max",
    "not_contains",
    "not_equals",
    "rouge_n_min",
    "starts_with",
];
/// Types that read the answer's text, and of which it isn't known which answer would pass.
const OF_TEXT: &[&str] = &["min_length", "regex", "word_count_min"];
/// Fields that hold a check's own text.
const OWN: &[&str] = &["value", "values", "reference"];
/// Signs that patterns are seldom written for, and how often they are repeated: lengths are seldom written for so many.
const ODD: (&str, usize) = ("\u{a7} {\"\u{e9}\": [0]} \u{4f60} ", 100);
/// Findings that are named one by one.
const NAMED: usize = 10;
/// All tries together take no longer.
const LONGEST: Duration = Duration::from_secs(2);

/// A check that always comes out the same.
struct IdleCheck<'a> {
    sample: &'a Sample,
    assertion: &'a Assertion,
    passes: bool,
}

/// Warnings for the checks of these samples that pass, or fail, whatever is answered.
pub(crate) fn warnings<'a>(samples: impl Iterator<Item = (&'a Sample, &'a [CompiledAssertion])>) -> Vec<Diagnostic> {
    let began = Instant::now();
    let checks = samples.flat_map(|(sample, plans)| sample.assertions.iter().zip(plans).map(move |of| (sample, of)));
    let idle: Vec<IdleCheck> = checks
        .take_while(|_| began.elapsed() < LONGEST)
        .filter_map(|(sample, (assertion, plan))| {
            Some(IdleCheck { sample, assertion, passes: always(sample, assertion, plan)? })
        })
        .collect();
    let more = idle.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| Diagnostic::warning(msg!("grade-idle-more", count = more), None));
    idle.iter().take(NAMED).map(warning).chain(more).collect()
}

fn warning(of: &IdleCheck) -> Diagnostic {
    let passes = if of.passes { "yes" } else { "no" };
    let message = msg!("grade-idle", kind = &of.assertion.kind, sample = &of.sample.id, passes = passes);
    Diagnostic::warning(message, of.assertion.place.clone()).help(msg!("grade-idle-help", passes = passes))
}

/// How a check comes out on an empty answer, on the prompt and on its own text, if that is always the same.
fn always(sample: &Sample, assertion: &Assertion, plan: &CompiledAssertion) -> Option<bool> {
    let leaves = leaves(assertion);
    let has_text = |of: &&Assertion| WITH_TEXT.contains(&&*of.kind);
    let is_known = |of: &&Assertion| has_text(of) || OF_TEXT.contains(&&*of.kind);
    if !leaves.iter().all(is_known) || assertion.children.iter().any(hides_text) {
        return None;
    }
    let texts: Vec<String> = leaves.iter().copied().filter(has_text).map(own_text).collect();
    // What passes every check of a set has the texts of all of them.
    let reversed = texts.iter().rev().map(String::as_str).collect::<Vec<_>>().join("\n");
    let all = (texts.len() > 1).then(|| [texts.join("\n"), reversed]).into_iter().flatten();
    let tries = [String::new(), sample.prompt.clone(), ODD.0.repeat(ODD.1)].into_iter().chain(texts).chain(all);
    let results: Vec<bool> = tries.map(|text| passes(plan, &text)).collect::<Option<_>>()?;
    let first = *results.first()?;
    let is_same = results.iter().all(|passes| *passes == first);
    // Without a text of its own, the check may look for something that was not tried; a set may, too, with several texts.
    let finds_all = first != assertion.not;
    let knows_text = assertion.children.is_empty() && leaves.iter().all(has_text);
    (is_same && (knows_text || finds_all)).then_some(first)
}

/// Whether a check within a set may fail only on a text that isn't tried.
fn hides_text(inside: &Assertion) -> bool {
    match inside.children.is_empty() {
        true => inside.not && OF_TEXT.contains(&&*inside.kind),
        false => inside.not || inside.children.iter().any(hides_text),
    }
}

/// Returns the checks of a set, and of the sets within it; another check is its only one.
fn leaves(assertion: &Assertion) -> Vec<&Assertion> {
    match assertion.children.is_empty() {
        true => vec![assertion],
        false => assertion.children.iter().flat_map(leaves).collect(),
    }
}

fn own_text(assertion: &Assertion) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    };
    let texts = OWN.iter().filter_map(|field| assertion.field(field)).filter(|value| !value.is_number());
    let texts: Vec<String> = texts.map(text).collect();
    match texts.is_empty() {
        true => assertion.field("value").map(text).unwrap_or_default(),
        false => texts.join("\n"),
    }
}

fn passes(plan: &CompiledAssertion, text: &str) -> Option<bool> {
    let output = Output::text(text);
    match plan.check(&GradedAnswer::new(&output, &[])).outcome {
        CheckOutcome::Passed => Some(true),
        CheckOutcome::Failed => Some(false),
        _ => None,
    }
}
