//! Page for people: `benchmark.md`.

use eval_analysis::agent_skills::{BenchmarkSpread, Configuration, RateEstimate};
use eval_message::{Arg, Lang, Message, msg};
use serde_json::Value;

use super::benchmark::{BenchmarkFile, BenchmarkRun, shown};
use crate::document::{Block, Table, item};
use crate::markdown::laid_out;
use crate::minus::minus;

/// `benchmark.md`: the verdict, both pass rates with their intervals, their difference, time and cost, and each run.
pub(super) fn benchmark_markdown(of: &BenchmarkFile, lang: Lang) -> String {
    let title = msg!("skills-evals-title", skill = &of.metadata.skill_name);
    let verdict = msg!("skills-evals-verdict", verdict = of.omk.verdict.name(), valid = yes(of.omk.valid));
    let mut blocks = vec![Block::Title(1, title.into())];
    blocks.extend(lines(of).into_iter().chain([verdict]).map(item));
    blocks.push(Block::Table(runs(of)));
    if !of.notes.is_empty() {
        blocks.push(Block::Title(2, msg!("skills-evals-notes").into()));
        blocks.extend(of.notes.iter().map(item));
    }
    laid_out(&blocks, lang)
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

fn lines(of: &BenchmarkFile) -> Vec<Message> {
    let (meta, omk) = (&of.metadata, &of.omk);
    let mut lines = vec![
        msg!(
            "skills-evals-about",
            skill = &meta.skill_name,
            evals = meta.evals_run.len(),
            runs = meta.runs_per_configuration,
            model = &meta.executor_model
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
        lines.push(msg!(
            "skills-evals-ungraded",
            count = of.ungraded_runs.len(),
            all = of.runs.len() + of.ungraded_runs.len()
        ));
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
    minus(&format!("{points:+.0}"))
}

/// A row for each run of each eval, with what passed in both configurations.
fn runs(of: &BenchmarkFile) -> Table {
    let cell = |id: &Value, number: u32, configuration: Configuration| {
        let is_wanted =
            |run: &&BenchmarkRun| (&run.eval_id, run.run_number, run.configuration) == (id, number, configuration);
        let run = of.runs.iter().find(is_wanted);
        run.map_or_else(|| "–".to_owned(), |run| format!("{}/{}", run.result.passed, run.result.total))
    };
    let row = |id: &Value, number: u32| {
        let [with_skill, without_skill] = Configuration::ALL.map(|configuration| cell(id, number, configuration));
        [shown(id), number.to_string(), with_skill, without_skill].map(Arg::from).into()
    };
    let numbers = 1..=of.metadata.runs_per_configuration;
    let heads = [msg!("skills-evals-column-eval"), msg!("skills-evals-column-run")].map(Arg::from);
    let configurations = Configuration::ALL.map(|configuration| Arg::from(configuration.name()));
    Table {
        heads: heads.into_iter().chain(configurations).collect(),
        texts: &[0, 1, 2, 3],
        indent: 0,
        rows: of.metadata.evals_run.iter().flat_map(|id| numbers.clone().map(move |number| row(id, number))).collect(),
    }
}
