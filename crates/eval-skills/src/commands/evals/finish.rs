//! From the journal to the files of the workspace, what a person reads, and the exit code.

use std::io::Write;
use std::path::Path;

use eval_analysis::analyse;
use eval_analysis::{Cells, JudgeMeta, Meta};
use eval_cli::{Failure, Terminal, ending, exit, origin};
use eval_format::{Analysis, ReadError, ReportError, write_whole};
use eval_history::JudgeRequests;
use eval_message::{Message, msg};
use eval_render::agent_skills::{
    BenchmarkInputs, BenchmarkMetadata, Configuration, EvalRun, Finding, benchmark, benchmark_markdown, benchmark_text,
    timing,
};
use eval_run::{Journal, RunEnd};
use eval_spec::Context;
use eval_spec::record::{Executed, Record};
use eval_verdict::decide;
use serde::Serialize;
use serde_json::json;

use super::folder::names;
use super::suite::EvalSuite;
use crate::commands::select::show;
use crate::files::put;
use crate::told;

const REPORT: &str = "report.json";

/// Makes sure that the folder can be written to.
pub(super) fn prepare(context: &Context, suite: &EvalSuite) -> Result<(), Failure> {
    let folder = &suite.ask.folder;
    let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    tried.map(drop).map_err(Failure::io(msg!("cli-cannot-write", path = context.display(folder))))
}

/// `--dry-run`.
pub(super) fn show_plan(context: &Context, terminal: &Terminal, suite: &EvalSuite) {
    let executor = eval_exec::masked(context, &suite.suite.settings.executor);
    let mut preview = eval_history::preview(&suite.suite, &suite.plan, &executor, None, None, None);
    let questions = suite.plan.cells.iter().map(|cell| suite.grading.questions(cell.sample)).sum::<usize>();
    preview.judge_requests = JudgeRequests { scores: u64::try_from(questions).unwrap_or(u64::MAX), comparisons: 0 };
    terminal.json(|| serde_json::to_value(&preview).unwrap_or_default());
    terminal.text(&eval_render::plan_text(&preview, show(terminal)));
}

/// Writes all files, shows the result, and gives the exit code.
pub(super) fn report(
    context: &Context,
    terminal: &Terminal,
    suite: &EvalSuite,
    journal: &Journal,
    end: &RunEnd,
) -> Result<u8, Failure> {
    let read = |cell: usize| journal.record(&suite.plan.cells[cell]).map_err(|error| Box::new(error) as ReadError);
    let cells = Cells { plan: &suite.plan, read: &read, pair: &|_| Ok(None) };
    let analysis =
        analyse(&suite.suite, &cells, meta(context, suite, journal), ending::status(&end.ended)).map(decide)?;
    let folder = &suite.ask.folder;
    put_report(context, &folder.join(REPORT), |file| {
        eval_analysis::report_json(&analysis, &suite.suite, &cells, file)
    })?;
    let findings = write_runs(context, suite, journal)?;
    let inputs = BenchmarkInputs {
        metadata: metadata(context, suite, journal),
        analysis: &analysis,
        report: REPORT.to_owned(),
        notes: notes(suite),
        lang: context.lang,
    };
    let whole = benchmark(inputs, &findings);
    put_json(context, &folder.join("benchmark.json"), &whole)?;
    put(context, &folder.join("benchmark.md"), benchmark_markdown(&whole, context.lang).as_bytes())?;
    terminal.json(|| serde_json::to_value(&whole).unwrap_or_default());
    terminal.text(&benchmark_text(&whole, &analysis, show(terminal)));
    terminal.note(&msg!("skills-evals-written", path = context.display(folder)));
    Ok(code(&analysis, &findings))
}

/// Whether the harness did its work: what the skill is worth stands in the files.
fn code(analysis: &Analysis, findings: &[Finding]) -> u8 {
    let answered = findings.iter().filter(|of| of.is_answered());
    let (missing, planned) = answered.fold((0, 0), |(missing, planned), of| {
        let summary = of.grading().summary;
        (missing + summary.unscored, planned + summary.unscored + summary.total)
    });
    match analysis.verdict.valid && missing * 20 <= planned && planned > 0 {
        true => exit::OK,
        false => exit::INVALID,
    }
}

/// Writes what came of each run: evals in their order, with the skill first.
fn write_runs(context: &Context, suite: &EvalSuite, journal: &Journal) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::with_capacity(suite.plan.cells.len());
    for ((at, eval), name) in suite.evals.iter().enumerate().zip(names(&suite.evals)) {
        let folder = suite.ask.folder.join(name);
        let about = json!({
            "eval_id": eval.id,
            "eval_name": eval.name,
            "prompt": suite.suite.samples.get(at).map(|sample| &sample.prompt),
            "assertions": eval.expectations,
        });
        put_json(context, &folder.join("eval_metadata.json"), &about)?;
        for configuration in Configuration::ALL {
            for repeat in 0..suite.ask.runs {
                let record = record_of(suite, journal, at, configuration, repeat)?;
                let run = EvalRun {
                    id: &eval.id,
                    name: eval.name.as_deref(),
                    expectations: &eval.expectations,
                    configuration,
                    number: repeat + 1,
                    record: record.as_ref(),
                };
                let finding = Finding::of(&run, context.lang);
                let place = folder.join(configuration.name()).join(format!("run-{}", repeat + 1));
                write_run(context, &place, &finding, record.as_ref())?;
                findings.push(finding);
            }
        }
    }
    Ok(findings)
}

fn record_of(
    suite: &EvalSuite,
    journal: &Journal,
    sample: usize,
    configuration: Configuration,
    repeat: u32,
) -> Result<Option<Record>, Failure> {
    let cell =
        suite.plan.cells.iter().find(|cell| {
            cell.sample == sample && cell.key.repeat == repeat && &*cell.key.subject == configuration.name()
        });
    Ok(cell.map(|cell| journal.record(cell)).transpose()?.flatten())
}

fn write_run(context: &Context, place: &Path, finding: &Finding, record: Option<&Record>) -> Result<(), Failure> {
    put_json(context, &place.join("grading.json"), finding.grading())?;
    let Some(record) = record else { return Ok(()) };
    put_json(context, &place.join("timing.json"), &timing(record))?;
    match &record.execution.result {
        Executed::Output(output) => put(context, &place.join("outputs").join("answer.md"), output.text.as_bytes()),
        Executed::Failed(_) => Ok(()),
    }
}

/// Writes the report as its results come; what can't be read of them is told as such.
fn put_report(
    context: &Context,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ReportError>,
) -> Result<(), Failure> {
    let mut unread = None;
    let fill = |file: &mut dyn Write| {
        write(file).map_err(|error| match error {
            ReportError::Output { source } => source,
            other => {
                unread = Some(other);
                std::io::ErrorKind::InvalidData.into()
            }
        })
    };
    let written = write_whole(path, fill).map_err(|error| told::file(context, &error.into()));
    unread.map_or(written, |error| Err(error.into()))
}

fn put_json(context: &Context, path: &Path, document: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(document)
        .map_err(|error| Failure::io(msg!("cli-cannot-write", path = context.display(path)))(error.into()))?;
    text.push(b'\n');
    put(context, path, &text)
}

fn metadata(context: &Context, suite: &EvalSuite, journal: &Journal) -> BenchmarkMetadata {
    let settings = &suite.suite.settings;
    BenchmarkMetadata {
        skill_name: suite.skill.clone(),
        skill_path: context.display(&suite.ask.skill),
        executor_model: match settings.model.is_empty() {
            true => eval_exec::masked(context, &settings.executor),
            false => settings.model.clone(),
        },
        grader_model: suite.judges.first().map(|seat| seat.label.clone()),
        timestamp: journal.header().started_at.to_string(),
        evals_run: suite.evals.iter().map(|eval| eval.id.clone()).collect(),
        runs_per_configuration: suite.ask.runs,
    }
}

/// What the files can't show.
fn notes(suite: &EvalSuite) -> Vec<Message> {
    let with_files = suite.evals.iter().filter(|eval| !eval.files.is_empty()).count();
    (with_files > 0).then(|| msg!("skills-evals-note-files", count = with_files)).into_iter().collect()
}

fn meta(context: &Context, suite: &EvalSuite, journal: &Journal) -> Meta {
    let settings = &suite.suite.settings;
    let header = journal.header();
    let channels = origin::channels(settings);
    Meta {
        id: header.id.clone(),
        timestamp: header.started_at,
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        node_version: None,
        seed: suite.seed,
        test_set_path: suite.sample_file.test_set.path.clone(),
        test_set_id: suite.sample_file.test_set.id.clone(),
        project: origin::project_mark(context, &settings.samples),
        sample_hashes: suite.sample_file.hashes.iter().cloned().collect(),
        executor: suite.executor.as_ref().map(|executor| executor.identity().clone()).unwrap_or_default(),
        judge: judge_meta(suite, journal),
        regrade_of: None,
        skill_isolation: suite.suite.variants.iter().map(|v| (v.name.clone(), channels.clone())).collect(),
        gold: None,
        git: origin::git_info(context, &suite.ask.skill),
    }
}

fn judge_meta(suite: &EvalSuite, journal: &Journal) -> Option<JudgeMeta> {
    suite.judges.first()?;
    let spent = journal.spent_on_judges();
    let questions = (0..suite.evals.len()).map(|sample| suite.grading.questions(sample));
    Some(JudgeMeta {
        models: suite.judges.iter().map(|seat| seat.label.clone()).collect(),
        template: eval_grade::EXPECTATION_TEMPLATE.to_owned(),
        prompt_hash: eval_grade::expectation_template_hash(),
        cost: spent.total().map(|usd| usd.0),
        known_cost: spent.known.0,
        requests: questions.map(|count| u64::try_from(count).unwrap_or(u64::MAX)).collect(),
        runtimes: suite.judges.iter().map(|seat| seat.executor.identity().clone()).collect(),
        pairwise: None,
    })
}
