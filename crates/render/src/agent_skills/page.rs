//! What people read: `benchmark.md`.

use eval_message::{Lang, Message, msg};

use super::benchmark::{BenchmarkFile, BenchmarkSpread, RateEstimate, shown};
use crate::skills::inline;

/// `benchmark.md`: the verdict, both pass rates with their intervals, their difference, time and cost, and each run.
pub(super) fn benchmark_markdown(of: &BenchmarkFile, lang: Lang) -> String {
    let text = |message: &Message| message.text(lang);
    let mut page = format!("# {}\n\n", text(&msg!("skills-evals-title", skill = inline(&of.metadata.skill_name))));
    for message in lines(of) {
        page.push_str(&format!("- {}\n", text(&message)));
    }
    page.push_str(&format!(
        "- {}\n\n",
        text(&msg!("skills-evals-verdict", verdict = of.omk.verdict.name(), valid = yes(of.omk.valid)))
    ));
    page.push_str(&table(of, lang));
    if !of.notes.is_empty() {
        page.push_str(&format!("\n## {}\n\n", text(&msg!("skills-evals-notes"))));
        of.notes.iter().for_each(|note| page.push_str(&format!("- {}\n", inline(note))));
    }
    page
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

fn lines(of: &BenchmarkFile) -> Vec<Message> {
    let (meta, omk) = (&of.metadata, &of.omk);
    let mut lines = vec![
        msg!(
            "skills-evals-about",
            skill = inline(&meta.skill_name),
            evals = meta.evals_run.len(),
            runs = meta.runs_per_configuration,
            model = inline(&meta.executor_model)
        ),
        msg!("skills-evals-rate-with", rate = share(omk.with_skill)),
        msg!("skills-evals-rate-without", rate = share(omk.without_skill)),
    ];
    lines.push(match (omk.difference.mean, omk.difference.ci) {
        (Some(mean), Some([low, high])) => msg!(
            "skills-evals-difference",
            points = points(mean),
            low = points(low),
            high = points(high),
            evals = omk.difference.evals,
            p = omk.p_value.map_or_else(|| "–".to_owned(), |p| format!("{p:.3}"))
        ),
        (Some(mean), None) => msg!("skills-evals-difference-alone", points = points(mean)),
        (None, _) => msg!("skills-evals-difference-none"),
    });
    let mean = |of: Option<BenchmarkSpread>| of.map(|spread| format!("{:.1} s", spread.mean));
    if let (Some(with), Some(without)) =
        (mean(of.run_summary.with_skill.time_seconds), mean(of.run_summary.without_skill.time_seconds))
    {
        lines.push(msg!("skills-evals-time", with = with, without = without));
    }
    lines.push(match omk.cost_usd {
        Some(cost) => msg!("skills-evals-cost", cost = format!("{cost:.4}")),
        None => msg!("skills-evals-cost-unknown"),
    });
    if !of.ungraded_runs.is_empty() {
        lines.push(msg!("skills-evals-ungraded", count = of.ungraded_runs.len(), all = of.all_runs()));
    }
    lines
}

fn share(of: RateEstimate) -> String {
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    match (of.mean, of.ci) {
        (Some(mean), Some([low, high])) => format!("{} [{}, {}]", percent(mean), percent(low), percent(high)),
        (Some(mean), None) => percent(mean),
        (None, _) => "–".to_owned(),
    }
}

/// A difference of shares in percentage points, with its sign.
fn points(difference: f64) -> String {
    let points = (difference * 100.0).round() + 0.0;
    format!("{points:+.0}")
}

fn table(of: &BenchmarkFile, lang: Lang) -> String {
    let mut table = format!(
        "| {} | {} | {} | {} |\n|---|---|---|---|\n",
        msg!("skills-evals-column-eval").text(lang),
        msg!("skills-evals-column-run").text(lang),
        "with_skill",
        "without_skill"
    );
    let runs = of.metadata.runs_per_configuration;
    for id in &of.metadata.evals_run {
        for number in 1..=runs {
            let cell = |configuration: &str| {
                let run = of
                    .runs
                    .iter()
                    .find(|run| run.eval_id == *id && run.run_number == number && run.configuration == configuration);
                run.map_or_else(|| "–".to_owned(), |run| format!("{}/{}", run.result.passed, run.result.total))
            };
            table.push_str(&format!(
                "| {} | {number} | {} | {} |\n",
                inline(&shown(id)),
                cell("with_skill"),
                cell("without_skill")
            ));
        }
    }
    table
}
