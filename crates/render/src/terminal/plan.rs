//! The plan for a terminal: `--dry-run`.

use crate::minus::{points, signed};
use eval_history::preview::PlannedVariant;
use eval_history::{JudgeRequests, PlanPreview, PlannedTreatment};
use eval_message::plain::clip;
use eval_message::{Arg, Message, msg};
use eval_spec::sandbox::ProgramSandbox;
use eval_spec::units::Usd;
use eval_verdict::AFFORDABLE;

use super::TerminalPage;
use super::layout::{columns, pad, widest, wrap};
use crate::document::text::{LISTED, NAME, ids, name};
use crate::document::urls::planned_lines;
use crate::document::{modes, quality, uncopied};
use crate::show::Show;

/// Returns what a run would do.
#[must_use]
pub fn plan_text(plan: &PlanPreview, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&msg!("report-plan-title", calls = plan.calls));
    let grid = msg!(
        "report-plan-grid",
        samples = plan.samples,
        all = plan.samples + plan.samples_left,
        left = plan.samples_left,
        variants = plan.variants.len(),
        repeat = plan.repeat
    );
    page.line(2, &grid);
    page.gap();
    let rows = rows(plan, show);
    let labels: Vec<String> = rows.iter().map(|(label, _)| show.text(label)).collect();
    let width = widest(&labels);
    for (label, (_, lines)) in labels.iter().zip(&rows) {
        for (i, line) in lines.iter().enumerate() {
            row(&mut page, if i == 0 { label } else { "" }, width, line);
        }
    }
    page.text
}

fn row(page: &mut TerminalPage, label: &str, width: usize, line: &str) {
    let indent = 2 + width + 2;
    let wrapped = wrap(line, page.show.columns().saturating_sub(indent), 0);
    for (i, part) in wrapped.lines().enumerate() {
        let head = if i == 0 { pad(label, width) } else { pad("", width) };
        page.text.push_str(format!("  {head}  {part}").trim_end());
        page.text.push('\n');
    }
}

fn rows(plan: &PlanPreview, show: Show) -> Vec<(Message, Vec<String>)> {
    let mut rows = vec![
        (msg!("report-plan-row-variants"), variants(plan, show)),
        (msg!("report-plan-row-executor"), vec![show.text(&executor(plan))]),
        (msg!("report-plan-row-grading"), grading(plan, show)),
        (msg!("report-plan-row-cost"), cost(plan, show)),
    ];
    if plan.variants.len() > 1 {
        rows.insert(1, (msg!("report-plan-row-differs"), vec![show.text(&differs(plan))]));
    }
    if let Some(sandbox) = &plan.sandbox {
        rows.insert(rows.len() - 2, (msg!("report-plan-row-sandbox"), sandboxed(sandbox, show)));
    }
    if !plan.permissions.is_empty() {
        let list = show.list(&modes(&plan.permissions));
        rows.insert(rows.len() - 2, (msg!("report-plan-row-permissions"), vec![list]));
    }
    if !plan.uncopied.is_empty() {
        let lines = plan.uncopied.iter().map(|files| show.text(&uncopied(files))).collect();
        rows.insert(rows.len() - 2, (msg!("report-plan-row-uncopied"), lines));
    }
    if !plan.urls.is_empty() {
        let lines = planned_lines(&plan.urls).iter().map(|line| show.text(line)).collect();
        rows.insert(rows.len() - 2, (msg!("report-plan-row-urls"), lines));
    }
    if let Some(cached) = plan.cached {
        let text = show.text(&msg!("report-plan-cached", cached = cached, calls = plan.calls));
        let again = plan.asked_again.map(|count| show.text(&msg!("report-plan-asked-again", count = count)));
        rows.push((msg!("report-plan-row-cached"), std::iter::once(text).chain(again).collect()));
    }
    rows.push((msg!("quality-row"), quality::plan(&plan.sample_quality).iter().map(|line| show.text(line)).collect()));
    rows.push((msg!("report-plan-row-order"), vec![order(plan, show)]));
    let looks: Vec<String> =
        plan.earlier_looks.iter().chain(&plan.stopping).map(|note| show.text(&note.message_key)).collect();
    if !looks.is_empty() {
        rows.push((msg!("report-plan-row-stopping"), looks));
    }
    let power = power(plan, show);
    if !power.is_empty() {
        rows.push((msg!("report-plan-row-power"), power));
    }
    rows
}

fn variants(plan: &PlanPreview, show: Show) -> Vec<String> {
    let name = |(i, name): (usize, String)| match (i, plan.variants.len()) {
        (0, 2..) => show.text(&msg!("report-control", name = name)),
        _ => name,
    };
    let names: Vec<String> = plan.variants.iter().map(|of| clip(&of.name, NAME)).enumerate().map(name).collect();
    let row = |(name, of): (String, &PlannedVariant)| [name, clip(&of.reference, NAME), of.hash.clone()];
    columns(&names.into_iter().zip(&plan.variants).map(row).collect::<Vec<_>>())
}

fn differs(plan: &PlanPreview) -> Message {
    let parts = plan.differs.iter().map(|part| part.word()).collect::<Vec<_>>().join(", ");
    match plan.differs.is_empty() {
        true => msg!("report-plan-differs-nothing"),
        false => msg!("report-plan-differs", parts = parts),
    }
}

fn executor(plan: &PlanPreview) -> Message {
    msg!(
        "report-plan-executor",
        executor = clip(&plan.executor, 60),
        model = if plan.model.is_empty() { "none".to_owned() } else { clip(&plan.model, NAME) },
        concurrency = plan.concurrency
    )
}

/// The guards in force, and those that the system lacks.
fn sandboxed(sandbox: &ProgramSandbox, show: Show) -> Vec<String> {
    let enforced = match sandbox.enforced.is_empty() {
        true => msg!("report-plan-sandbox-none"),
        false => msg!("report-plan-sandbox", guards = sandbox.enforced.join(", ")),
    };
    let missing = sandbox.not_enforced.iter().filter_map(|of| of.why.message(&of.guard));
    std::iter::once(enforced).chain(missing).map(|message| show.text(&message)).collect()
}

fn grading(plan: &PlanPreview, show: Show) -> Vec<String> {
    let counts = msg!("report-plan-grading", assertions = plan.assertions, judged = plan.judged_samples);
    let mut lines = vec![show.text(&counts)];
    let JudgeRequests { scores, comparisons } = plan.judge_requests;
    if scores + comparisons > 0 {
        lines.push(show.text(&msg!("report-plan-requests", scores = scores, comparisons = comparisons)));
    }
    if let Some(of) = &plan.hedging {
        let model = clip(&of.model, 60);
        lines.push(show.text(&match &of.cost {
            None => msg!("report-plan-classifier", model = model, most = of.requests),
            Some(cost) => {
                msg!(
                    "report-plan-classifier-cost",
                    model = model,
                    most = of.requests,
                    high = Usd(cost.high).to_string()
                )
            }
        }));
    }
    if !plan.unscored_samples.is_empty() {
        let (count, list) = (plan.unscored_samples.len(), ids(&plan.unscored_samples));
        lines.push(show.text(&msg!("report-plan-unscored", count = count, list = list)));
    }
    lines
}

fn cost(plan: &PlanPreview, show: Show) -> Vec<String> {
    let estimate = match &plan.cost {
        None => msg!("report-plan-cost-unknown"),
        Some(cost) => msg!(
            "report-plan-cost",
            low = Usd(cost.low).to_string(),
            high = Usd(cost.high).to_string(),
            basis = cost.basis.message_key.clone()
        ),
    };
    let pages = plan.urls.len();
    let without = (pages > 0).then(|| msg!("report-plan-cost-urls", count = pages));
    let limit = plan.budget_usd.map(|usd| msg!("report-plan-budget", usd = Usd(usd).to_string()));
    let judges = plan
        .judge_cost
        .as_ref()
        .map(|cost| msg!("report-plan-judge-cost", low = Usd(cost.low).to_string(), high = Usd(cost.high).to_string()));
    std::iter::once(estimate).chain(judges).chain(without).chain(limit).map(|message| show.text(&message)).collect()
}

fn order(plan: &PlanPreview, show: Show) -> String {
    let list = Arg::from(plan.order.iter().map(|key| name(key, 60)).collect::<Vec<_>>());
    let are_all = u64::try_from(plan.order.len()).unwrap_or(u64::MAX) >= plan.calls;
    if are_all { show.say(&list) } else { show.text(&msg!("report-plan-order", list = list)) }
}

/// Returns what an earlier report lets expect: which report that is, then each treatment.
fn power(plan: &PlanPreview, show: Show) -> Vec<String> {
    let Some(power) = &plan.power else {
        return Vec::new();
    };
    let report = clip(&power.report, 60);
    let from = match power.unchanged_samples {
        None => msg!("report-plan-earlier", report = report),
        Some(same) => {
            let samples = plan.samples + plan.samples_left;
            msg!("report-plan-earlier-changed", report = report, same = same, samples = samples)
        }
    };
    let repeats = (power.repeat != plan.repeat)
        .then(|| msg!("report-plan-earlier-repeat", then = power.repeat, now = plan.repeat));
    let mut lines: Vec<Message> = std::iter::once(from).chain(repeats).collect();
    for of in power.treatments.iter().take(LISTED) {
        lines.push(expectation(of, plan));
        lines.extend(mean_samples(of, plan));
    }
    let more = power.treatments.len().saturating_sub(LISTED);
    let mut lines: Vec<String> = lines.iter().map(|message| show.text(message)).collect();
    if more > 0 {
        lines.push(show.text(&msg!("report-plan-earlier-more", more = more)));
    }
    lines
}

/// How many calls a run with looks takes on average.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a number of samples"
)]
fn mean_samples(treatment: &PlannedTreatment, plan: &PlanPreview) -> Option<Message> {
    let samples = treatment.mean_samples?.round() as u64;
    let calls = (plan.calls as f64 * treatment.mean_samples? / treatment.samples.max(1) as f64).round() as u64;
    let observed = signed(treatment.observed?);
    Some(msg!(
        "report-plan-mean-samples",
        observed = observed,
        samples = samples,
        planned = treatment.samples,
        calls = calls
    ))
}

/// Infeasible numbers of needed samples are not shown.
fn expectation(of: &PlannedTreatment, plan: &PlanPreview) -> Message {
    let told = |needed: Option<u64>| needed.filter(|needed| *needed <= AFFORDABLE).unwrap_or(0);
    let observed = of.observed.filter(|_| told(of.needed_for_observed) > 0);
    msg!(
        "report-plan-expected",
        treatment = clip(&of.treatment, NAME),
        known = if of.known { "yes" } else { "no" },
        samples = of.samples,
        detectable = of.minimum_detectable.map_or_else(|| "none".to_owned(), points),
        effect = points(plan.min_effect),
        needed = told(of.needed_for_min_effect),
        observed = observed.map_or_else(|| "none".to_owned(), signed),
        shows = told(of.needed_for_observed)
    )
}
