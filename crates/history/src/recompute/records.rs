//! From stored results back to records: findings of graders and judges are taken over, computed values are not.

use eval_analysis::recomputing::{CellNumbers, Paid};
use eval_format::{
    AssertionDetail, Ending, ErrorResult, KnownMessage, Missing, MissingPart, SampleResult, VariantResult,
};
use eval_message::{Message, msg};
use eval_spec::call::{Cost, CostSource, Step, Trace, Usage};
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::units::{Ratio, Usd};
use eval_spec::{
    CellKey, Check, CheckOutcome, ExecError, Failure, Grade, HOLDS_FROM, Judged, Layer, Opinion, Outcome, Output,
    PairJudged, PairOpinion,
};
use jiff::Timestamp;
use serde_json::json;

use super::expected::{UNKNOWN, total};

/// The record of one execution; `None` if it was never run. `opinions` were asked of each judge.
pub(super) fn record(run: &VariantResult, key: &CellKey, opinions: u32) -> Option<Record> {
    let result = result(run)?;
    let started_at = run.started_at.as_deref().and_then(|text| text.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    let execution = Execution {
        key: key.clone(),
        fingerprint: String::new(),
        started_at,
        finished_at: started_at,
        failed_attempts: Vec::new(),
        result,
        cached: run.cached,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    let graded =
        run.outcome == Ending::Answered && matches!(execution.result, Executed::Output(_)) && !is_ungraded(run);
    let artifacts_read = run.artifacts_read.clone();
    let replaced_failures = run.failures_before.clone();
    Some(Record { execution, grade: graded.then(|| grade(run, opinions)), artifacts_read, replaced_failures })
}

/// Whether an attempt failed, so that the report must have its cost beside the price of the answer.
fn must_tell_attempts(run: &VariantResult) -> bool {
    match result(run) {
        Some(Executed::Output(_)) => run.attempts > 1,
        Some(Executed::Failed(_)) => true,
        None => false,
    }
}

fn result(run: &VariantResult) -> Option<Executed> {
    if let Some(error) = &run.error {
        return Some(Executed::Failed(failure(error)));
    }
    let outcome = match run.outcome {
        Ending::Answered => Outcome::Answered,
        Ending::Refused => Outcome::Refused,
        Ending::Truncated => Outcome::Truncated,
        Ending::LimitHit => Outcome::LimitHit,
        Ending::Empty => Outcome::Empty,
        Ending::Failed | Ending::OverBudget | Ending::NotRun | Ending::NotNeeded | Ending::Mixed => return None,
    };
    Some(Executed::Output(Box::new(output(run, outcome))))
}

fn failure(error: &ErrorResult) -> ExecError {
    ExecError {
        detail: error.detail.clone(),
        status: error.status,
        partial: error.partial_output.clone().map(|text| Box::new(Output::text(text))),
        ..ExecError::new(error.failure, error.message_key.clone())
    }
}

fn output(run: &VariantResult, outcome: Outcome) -> Output {
    let (read, written) = (run.cache_read_tokens.unwrap_or(0), run.cache_write_tokens.unwrap_or(0));
    let usage = run.input_tokens.zip(run.output_tokens).map(|(input, output_tokens)| Usage {
        input_tokens: input.saturating_sub(read).saturating_sub(written),
        output_tokens,
        cache_read_tokens: read,
        cache_write_tokens: written,
    });
    let source = run.cost_source.unwrap_or(CostSource::Reported);
    Output {
        outcome,
        trace: Trace { turns: run.turns, cwd: None, steps: run.tool_calls.iter().cloned().map(Step::Tool).collect() },
        usage,
        cost: run.cost_usd.map(|usd| Cost { usd: Usd(usd), source }),
        latency_ms: run.duration_ms,
        delivered: run.delivered.clone(),
        stop_reason: run.stop_reason.clone(),
        request_id: run.request_id.clone(),
        model: run.model.clone(),
        runtime: run.runtime.clone(),
        ..Output::text(run.full_output.clone().unwrap_or_default())
    }
}

/// Whether the answer was never graded, by the reason of its missing composite.
fn is_ungraded(run: &VariantResult) -> bool {
    let is_ungraded = |of: &Missing| KnownMessage::of(&of.why_key) == Some(KnownMessage::Ungraded);
    run.missing.iter().any(|of| of.what == MissingPart::Composite && is_ungraded(of))
}

fn grade(run: &VariantResult, opinions: u32) -> Grade {
    let why = |index: usize| {
        let of = |missing: &&Missing| {
            missing.what == MissingPart::Assertion && missing.index.is_some_and(|at| usize::try_from(at) == Ok(index))
        };
        run.missing.iter().find(of).map(|missing| missing.why_key.clone())
    };
    let mut asked = JudgeCalls { opinions, before: Vec::new() };
    let details = run.assertions.details.iter().enumerate();
    let mut checks: Vec<Check> = details.map(|(index, detail)| check(detail, why(index), &mut asked)).collect();
    checks.extend(run.judged.iter().map(|judged| rating(judged, opinions)));
    if run.judged.is_empty() {
        checks.extend(unasked(run));
    }
    Grade { checks }
}

/// The questions that assertions asked judges, by type: one that was asked before has no opinions of its own.
struct JudgeCalls {
    /// How many were asked of each judge.
    opinions: u32,
    before: Vec<(String, Option<f64>)>,
}

impl JudgeCalls {
    /// The opinions on an assertion with their recomputed score.
    fn settle(&mut self, kind: &str, stored: &Judged) -> Judged {
        if !stored.opinions.is_empty() {
            let judged = recomputed(stored, self.opinions);
            self.before.push((kind.to_owned(), judged.score));
            return judged;
        }
        let before: Vec<Option<f64>> =
            self.before.iter().filter(|(of, _)| of == kind).map(|(_, score)| *score).collect();
        let score = match before.contains(&stored.score) {
            true => stored.score,
            false => before.last().copied().unwrap_or(stored.score),
        };
        Judged { score, ..stored.clone() }
    }
}

/// A rubric that no judge was asked about.
fn unasked(run: &VariantResult) -> Option<Check> {
    let missing = run.missing.iter().find(|missing| missing.what == MissingPart::Judge)?;
    Some(rubric("rubric", CheckOutcome::Unscored { why: missing.why_key.clone() }, None))
}

/// The check that a rubric or a dimension is.
fn rating(stored: &Judged, opinions: u32) -> Check {
    let judged = recomputed(stored, opinions);
    let ratio = judged.score.and_then(|score| Ratio::new((score - 1.0) / 4.0));
    let why = || judged.why().cloned().unwrap_or_else(|| msg!("grade-judging-off"));
    let outcome = ratio.map_or_else(|| CheckOutcome::Unscored { why: why() }, |ratio| CheckOutcome::Rated { ratio });
    rubric(if judged.dimension.is_some() { "dimension" } else { "rubric" }, outcome, Some(judged))
}

fn rubric(kind: &str, outcome: CheckOutcome, judged: Option<Judged>) -> Check {
    Check {
        kind: kind.to_owned(),
        layer: Layer::Judge,
        weight: 1.0,
        not: false,
        outcome,
        actual: None,
        message: None,
        score: None,
        children: Vec::new(),
        judged: judged.map(Box::new),
    }
}

/// A comparison's opinions with their numbers: `asked` of each judge.
pub(super) fn numbered(stored: &PairJudged, asked: u32) -> PairJudged {
    let numbers = numbers(stored.opinions.len(), asked);
    let opinion = |(place, of): (usize, &PairOpinion)| PairOpinion {
        repeat: numbers.get(place).copied().unwrap_or(of.repeat),
        ..of.clone()
    };
    PairJudged { opinions: stored.opinions.iter().enumerate().map(opinion).collect(), ..stored.clone() }
}

/// Opinions stand judge by judge, each judge's in their order; none where that can't be all of them.
fn numbers(count: usize, asked: u32) -> Vec<u32> {
    let is_whole = usize::try_from(asked).is_ok_and(|asked| asked > 0 && count.is_multiple_of(asked));
    if is_whole { (0..asked).cycle().take(count).collect() } else { Vec::new() }
}

/// The score that the opinions come to, and each opinion's from its statements.
fn recomputed(stored: &Judged, asked: u32) -> Judged {
    let numbers = numbers(stored.opinions.len(), asked);
    let opinion = |(place, of): (usize, &Opinion)| Opinion {
        score: score(of),
        repeat: numbers.get(place).copied().unwrap_or(of.repeat),
        ..of.clone()
    };
    let opinions: Vec<Opinion> = stored.opinions.iter().enumerate().map(opinion).collect();
    Judged { score: Judged::score_of(&opinions), opinions, ..stored.clone() }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of statements")]
fn score(opinion: &Opinion) -> Option<f64> {
    let supported = opinion.claims.iter().filter(|claim| claim.supported).count() as f64;
    let share = supported / opinion.claims.len() as f64;
    opinion.score.map(|score| if opinion.claims.is_empty() { score } else { 1.0 + 4.0 * share })
}

/// An assertion's result; those of judged assertions and sets are recomputed.
fn check(detail: &AssertionDetail, why: Option<Message>, asked: &mut JudgeCalls) -> Check {
    let judged = detail.judged.as_ref().map(|judged| asked.settle(&detail.kind, judged));
    let is_graded = |child: &&AssertionDetail| child.layer.is_some();
    let children: Vec<Check> =
        detail.children.iter().filter(is_graded).map(|child| check(child, None, asked)).collect();
    let found = match &judged {
        Some(judged) => judged.score.map(|score| score >= threshold(detail)),
        None => of_set(detail, &children).unwrap_or(detail.passed.map(|passed| passed != detail.not)),
    };
    let why = || why.or_else(|| detail.message_key.clone()).unwrap_or_else(|| msg!("report-missing-ungraded"));
    let rating = detail.rating.and_then(Ratio::new);
    let outcome = match found {
        None if rating.is_some() => rating.map_or(CheckOutcome::Failed, |ratio| CheckOutcome::Rated { ratio }),
        Some(holds) if holds != detail.not => CheckOutcome::Passed,
        Some(_) => CheckOutcome::Failed,
        None => CheckOutcome::Unscored { why: why() },
    };
    let set = of_set(detail, &children).map(|_| counted(&children));
    let seen = judged.as_ref().and_then(|judged| judged.score).map(|score| json!(score)).or(set);
    let statement = detail.message_key.clone().filter(|_| !outcome.is_unscored());
    Check {
        kind: detail.kind.clone(),
        layer: detail.layer.unwrap_or(Layer::Behavior),
        weight: detail.weight,
        not: detail.not,
        message: statement.map(|said| restated(said, &children)),
        outcome,
        actual: seen.or_else(|| detail.actual.clone()),
        score: None,
        children,
        judged: judged.map(Box::new),
    }
}

fn threshold(detail: &AssertionDetail) -> f64 {
    detail.written.get("threshold").and_then(serde_json::Value::as_f64).unwrap_or(HOLDS_FROM)
}

/// The result of a set by its children: `None` if it is no set, or failed before they were checked.
fn of_set(detail: &AssertionDetail, children: &[Check]) -> Option<Option<bool>> {
    if children.is_empty() {
        return None;
    }
    let any = |wanted: Option<bool>| children.iter().any(|child| child.outcome.passed() == wanted);
    let settled = match detail.written.get("mode")?.as_str()? {
        "any" => (true, false),
        "all" => (false, true),
        _ => return None,
    };
    let (at_once, otherwise) = settled;
    Some(match (any(Some(at_once)), any(None)) {
        (true, _) => Some(at_once),
        (false, true) => None,
        (false, false) => Some(otherwise),
    })
}

/// A set's `actual`: how its checks ended.
fn counted(children: &[Check]) -> serde_json::Value {
    let count = |outcome: Option<bool>| children.iter().filter(|child| child.outcome.passed() == outcome).count();
    json!({ "passed": count(Some(true)), "failed": count(Some(false)), "unscored": count(None) })
}

/// A set's message, with the counts recomputed.
fn restated(said: Message, children: &[Check]) -> Message {
    let passed = children.iter().filter(|child| child.outcome.passed() == Some(true)).count();
    match KnownMessage::of(&said) {
        Some(KnownMessage::SetResult) => msg!("grade-set", passed = passed, count = children.len()),
        _ => said,
    }
}

/// Failed attempts are known by their number and their cost only.
pub(super) fn with_attempts(mut numbers: CellNumbers, run: Option<&&VariantResult>) -> CellNumbers {
    numbers.retried = run.map_or(0, |run| run.attempts.saturating_sub(last_attempts(run)));
    let Some((run, failed)) = run.and_then(|run| Some((run, run.failed_attempts_cost?))) else { return numbers };
    // a failure's record has no cost of its own
    let answer = if run.error.is_some() { Paid::NOTHING } else { numbers.paid };
    numbers.paid = answer.plus(failed.into());
    numbers
}

/// 1 if the last attempt made a request, else 0.
fn last_attempts(run: &VariantResult) -> u32 {
    let none = match &run.error {
        Some(error) => error.failure == Failure::Budget,
        None => matches!(
            run.outcome,
            Ending::Failed | Ending::OverBudget | Ending::NotRun | Ending::NotNeeded | Ending::Mixed
        ),
    };
    u32::from(!none && !run.cached)
}

/// Copies the values that are stored in results only.
pub(super) fn pass_on(stored: &SampleResult, again: &mut SampleResult) {
    again.questions.clone_from(&stored.questions);
    again.eval.clone_from(&stored.eval);
    again.texts.clone_from(&stored.texts);
    for (name, again) in &mut again.variants {
        let Some(stored) = stored.variants.get(name) else { continue };
        pass_on_run(stored, again, stored.runs.is_none());
        if let (Some(stored), Some(runs)) = (&stored.runs, &mut again.runs) {
            stored.iter().zip(runs.iter_mut()).for_each(|(stored, again)| pass_on_run(stored, again, true));
            again.attempts = runs.iter().map(|run| run.attempts).fold(0, u32::saturating_add);
        }
    }
}

/// Results of other tools have neither times nor the source of a price.
fn pass_on_run(stored: &VariantResult, again: &mut VariantResult, tells_attempts: bool) {
    again.attempts = stored.attempts;
    let unknown = (tells_attempts && must_tell_attempts(stored)).then_some(UNKNOWN);
    again.failed_attempts_cost = stored.failed_attempts_cost.map(total).or(unknown);
    if stored.started_at.is_none() {
        again.started_at = None;
    }
    if stored.cost_source.is_none() {
        again.cost_source = None;
    }
}
