//! `--dry-run`: what would run, and what it would cost.

use eval_cli::{CommandError, Terminal};
use eval_format::report::Note;
use eval_history::{CostEstimate, JudgeRequests, PlanPreview, PlannedClassifier, PlannedPower};
use eval_load::SampleFile;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::plan::Plan;

use super::project::Project;
use super::report::opinions;
use super::stored::directory;
use super::{again, own_prompt};
use crate::commands::project::purpose::is_replay;

/// Tokens of a short answer, for an estimate's lower end.
const SHORT_ANSWER: f64 = 100.0;
/// Tokens of a long answer, for an estimate's upper end, unless `--max-tokens` says less.
const LONG_ANSWER: f64 = 1500.0;
/// Requests of an agent's long run, for an estimate's upper end, unless `--max-turns` says less.
const LONG_RUN: f64 = 8.0;
/// Tokens that a call of a tool and its result add to the conversation.
const TURN: f64 = 1000.0;
/// Tokens of an answer that calls a tool.
const TOOL_CALL: f64 = 300.0;
/// Tokens of a judge's long reply.
const LONG_REPLY: f64 = 500.0;
/// Bytes of a judge's instructions.
const JUDGE_TEXTS: usize = 2500;
/// Bytes of a sentence with those around it.
const SENTENCE_BYTES: usize = 600;
/// Bytes a token stands for, in English and Chinese alike, as a rule of thumb.
const BYTES_PER_TOKEN: f64 = 4.0;

pub(crate) fn show(context: &Context, terminal: &Terminal, project: &Project, plan: &Plan) -> Result<(), CommandError> {
    let preview = of(context, terminal, project, plan)?;
    terminal.json(|| serde_json::to_value(&preview).unwrap_or_default());
    terminal.text(&eval_render::plan_text(&preview, terminal.show()));
    Ok(())
}

/// What a run of `plan` would do, and what it would cost.
pub(crate) fn of(
    context: &Context,
    terminal: &Terminal,
    project: &Project,
    plan: &Plan,
) -> Result<PlanPreview, CommandError> {
    let cut = project.up_to_last_look(plan);
    let plan = cut.as_ref().unwrap_or(plan);
    let hits = again::hits(context, project, plan)?;
    let is_hit = |of: &Vec<bool>| of.iter().filter(|hit| **hit).count();
    let cached = hits.as_ref().map(is_hit);
    let executor = eval_exec::masked(context, &project.suite.settings.executor);
    let power = earlier(context, terminal, project);
    let mut preview =
        eval_history::preview(&project.suite, plan, &executor, cached, estimate(context, project, plan), power);
    preview.asked_again = asked_again(context, project, plan, hits.as_deref())?;
    preview.urls.clone_from(&project.planned_urls);
    preview.uncopied = project.uncopied().to_vec();
    preview.differs = project.differences();
    let mut earlier = project.earlier_looks(context, plan, None);
    // nothing new would be read
    if preview.cached == Some(preview.calls) && earlier.last().is_some_and(|look| look.same_samples) {
        earlier.pop();
    }
    preview.earlier_looks = eval_analysis::earlier_looks_note(&earlier).map(Note::from);
    preview.stopping = eval_analysis::outlook(&project.suite, project.alike(), &earlier).map(Note::from);
    preview.sandbox.clone_from(&project.executor.identity().sandbox);
    preview.judge_requests = requests(project, plan);
    preview.judged_samples = judged_samples(project);
    preview.judge_cost = judge_estimate(project, plan);
    preview.hedging = classifier(project);
    Ok(preview)
}

/// Calls of the control that are made though the cache would answer them, at least: where these have moved, all are.
fn asked_again(
    context: &Context,
    project: &Project,
    plan: &Plan,
    hits: Option<&[bool]>,
) -> Result<Option<u64>, CommandError> {
    let Some(hits) = hits else { return Ok(None) };
    let samples = again::samples(context, project, plan)?;
    let is_of = |cell: &eval_spec::Cell| cell.subject == 0 && samples.iter().any(|name| **name == *cell.key.sample);
    let calls = plan.cells.iter().zip(hits).filter(|(cell, hit)| **hit && is_of(cell)).count();
    Ok(u64::try_from(calls).ok().filter(|calls| *calls > 0))
}

/// The power to expect from an earlier report; one that can't be read is skipped with a warning.
fn earlier(context: &Context, terminal: &Terminal, project: &Project) -> Option<PlannedPower> {
    let SampleFile { test_set, hashes, .. } = &project.sample_file;
    let directory = directory(context, &project.suite.settings);
    let hashes = hashes.iter().cloned().collect();
    let (power, broken) = eval_history::planned_power(&directory, &project.suite, &test_set.id, &hashes);
    if let Some(path) = broken {
        terminal.warn(&msg!("cli-dry-run-broken-report", path = context.display(&path)));
    }
    power
}

/// What the calls would cost by the price table; `None` when it does not know the model.
fn estimate(context: &Context, project: &Project, plan: &Plan) -> Option<CostEstimate> {
    let settings = &project.suite.settings;
    if is_replay(settings) {
        return None;
    }
    let price = project.prices.price(&settings.model)?;
    let bytes = |cell| {
        let call = project.call(cell);
        call.prompt.len() + call.system.map_or(0, |system| system.len())
    };
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let (input, calls) =
        (plan.cells.iter().map(bytes).sum::<usize>() as f64 / BYTES_PER_TOKEN, plan.cells.len() as f64);
    let long = settings.generation.max_tokens.map_or(LONG_ANSWER, |limit| f64::from(limit).min(LONG_ANSWER));
    let short = SHORT_ANSWER.min(long);
    let Some(assumed) = eval_exec::named(&settings.executor).map(|row| row.own_tokens).filter(|own| *own > 0) else {
        let cost = |answer: f64| (input * price.input + calls * answer * price.output) / 1e6;
        return Some(CostEstimate::new(
            cost(short),
            cost(long),
            msg!("cli-estimate-basis", short = short, long = long),
        ));
    };
    let measured = own_prompt::tokens(context, project);
    let own = measured.unwrap_or(assumed);
    let most = match &settings.allowed_tools {
        Some(tools) if tools.is_empty() => 1.0,
        _ => settings.generation.max_turns.map_or(LONG_RUN, |turns| f64::from(turns).min(LONG_RUN)),
    };
    let first = input + calls * f64::from(own);
    let cost = |requests: f64, answer: f64| {
        let later = requests - 1.0;
        let written = price.cache_write.filter(|_| later > 0.0).unwrap_or(price.input);
        let new = first + calls * TURN * later;
        let again = later * first + calls * TURN * later * (later - 1.0) / 2.0;
        let output = calls * (answer + later * TOOL_CALL);
        (new * written + again * price.cache_read.unwrap_or(price.input) + output * price.output) / 1e6
    };
    let answers = long + (most - 1.0) * TOOL_CALL;
    let basis = match measured {
        Some(_) => {
            msg!("cli-estimate-basis-measured", own = own, short = short, most = most, turn = TURN, answers = answers)
        }
        None => {
            msg!("cli-estimate-basis-assumed", own = own, short = short, most = most, turn = TURN, answers = answers)
        }
    };
    Some(CostEstimate::new(cost(1.0, short), cost(most, long), basis))
}

/// Samples that a judge is asked about, also by a judged assertion alone.
fn judged_samples(project: &Project) -> u64 {
    let is_asked = |sample: &usize| project.grading.questions(*sample) + project.grading.compared(*sample) > 0;
    let asked = (0..project.suite.samples.len()).filter(|sample| project.suite.settings.judge && is_asked(sample));
    u64::try_from(asked.count()).unwrap_or(u64::MAX)
}

fn requests(project: &Project, plan: &Plan) -> JudgeRequests {
    let sum = |counts: &mut dyn Iterator<Item = usize>| u64::try_from(counts.sum::<usize>()).unwrap_or(u64::MAX);
    let scores = sum(&mut plan.cells.iter().map(|cell| project.grading.questions(cell.sample)));
    let pairs = sum(&mut project.pairs(plan).iter().map(|[earlier, _]| 2 * project.grading.compared(earlier.sample)));
    let opinions = opinions(&project.suite.settings);
    JudgeRequests { scores: scores.saturating_mul(opinions), comparisons: pairs.saturating_mul(opinions) }
}

/// The classifier of hedging; how many sentences there will be, nobody knows, so its cost begins at nothing.
fn classifier(project: &Project) -> Option<PlannedClassifier> {
    let seat = project.classifier.as_ref()?;
    let requests = project.suite.settings.hedging_classifier.max_candidates;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let tokens = (eval_grade::hedging_prompt_bytes() + SENTENCE_BYTES) as f64 / BYTES_PER_TOKEN;
    let cost = |price: &eval_exec::Price| {
        let most = f64::from(requests) * (tokens * price.input + SHORT_ANSWER * price.output) / 1e6;
        CostEstimate::new(0.0, most, msg!("cli-estimate-classifier", most = requests))
    };
    let is_paid = seat.kind != eval_exec::ExecutorKind::Recordings;
    let cost = is_paid.then(|| project.prices.price(&seat.model)).flatten().map(cost);
    Some(PlannedClassifier { model: seat.label.clone(), requests: requests.into(), cost })
}

/// What the judges would cost by the price table; `None` when it does not know one of them, or none is asked.
fn judge_estimate(project: &Project, plan: &Plan) -> Option<CostEstimate> {
    let settings = &project.suite.settings;
    if project.judges.is_empty() || project.judges.iter().any(|seat| seat.kind == eval_exec::ExecutorKind::Recordings) {
        return None;
    }
    let prices: Option<Vec<_>> = project.judges.iter().map(|seat| project.prices.price(&seat.model)).collect();
    let long = settings.generation.max_tokens.map_or(LONG_ANSWER, |limit| f64::from(limit).min(LONG_ANSWER));
    let short = SHORT_ANSWER.min(long);
    let shown = |sample: usize| {
        let sample = &project.suite.samples[sample];
        let criteria: usize = sample.dimensions.iter().map(|(_, text)| text.len()).sum();
        let criteria = criteria / sample.dimensions.len().max(1) + sample.rubric.as_ref().map_or(0, String::len);
        JUDGE_TEXTS + sample.prompt_text().len() + criteria
    };
    // Requests, their tokens beside answers, and the answers in them.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let asked = |sample: usize, requests: usize, answers: f64| {
        let requests = requests as f64;
        (requests, requests * shown(sample) as f64 / BYTES_PER_TOKEN, requests * answers)
    };
    let scores = plan.cells.iter().map(|cell| asked(cell.sample, project.grading.questions(cell.sample), 1.0));
    let pairs = project.pairs(plan);
    let pairs = pairs.iter().map(|[cell, _]| asked(cell.sample, 2 * project.grading.compared(cell.sample), 2.0));
    let add = |sum: (f64, f64, f64), one: (f64, f64, f64)| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2);
    let (requests, input, answers) = scores.chain(pairs).fold((0.0, 0.0, 0.0), add);
    let prices = prices?;
    let cost = |answer: f64, reply: f64| {
        let of = |price: &&eval_exec::Price| (input + answers * answer) * price.input + requests * reply * price.output;
        prices.iter().map(of).sum::<f64>() * f64::from(settings.judge_repeat) / 1e6
    };
    let basis = msg!("cli-estimate-basis", short = short, long = long);
    (requests > 0.0).then(|| CostEstimate::new(cost(short, SHORT_ANSWER), cost(long, LONG_REPLY), basis))
}
