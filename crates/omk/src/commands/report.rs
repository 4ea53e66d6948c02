//! From the journal to what a person and a pipeline see: the report, the summary, the exit code.

use std::path::{Path, PathBuf};
use std::process::Command;

use eval_analysis::analyse;
use eval_analysis::{Cells, JudgeMeta, Meta, RunStatus, Template};
use eval_cli::{Failure, Terminal, ending, exit, origin};
use eval_format::{Analysis, ReadError};
use eval_history::{CostEstimate, JudgeRequests, PlannedPower};
use eval_load::{SampleFile, plain_environment};
use eval_message::msg;
use eval_render::Show;
use eval_run::cache::{CacheKey, observations};
use eval_run::{Cache, Ended, Journal};
use eval_spec::Context;
use eval_spec::plan::Plan;
use eval_spec::suite::Settings;
use eval_verdict::decide;

use super::eval::Style;
use super::project::{Project, is_replay};

/// Tokens of a short answer, for an estimate's lower end.
const SHORT_ANSWER: f64 = 100.0;
/// Tokens of a long answer, for an estimate's upper end, unless `--max-tokens` says less.
const LONG_ANSWER: f64 = 1500.0;
/// Tokens of a judge's long reply.
const LONG_REPLY: f64 = 500.0;
/// Bytes of what a judge is told.
const JUDGE_TEXTS: usize = 2500;
/// Bytes a token stands for, in English and Chinese alike, as a rule of thumb.
const BYTES_PER_TOKEN: f64 = 4.0;

/// Where reports go: `--output-dir`, else our home's.
pub(crate) fn directory(context: &Context, settings: &Settings) -> PathBuf {
    settings.output_dir.clone().unwrap_or_else(|| context.home.join("reports"))
}

/// Makes sure, before anything is paid for, that the report can be written.
pub(crate) fn prepare(context: &Context, settings: &Settings) -> Result<(), Failure> {
    let directory = directory(context, settings);
    let tried = std::fs::create_dir_all(&directory).and_then(|()| tempfile::tempfile_in(&directory));
    tried.map(drop).map_err(Failure::io(msg!("cli-cannot-write", path = context.display(&directory))))
}

/// Writes the report of a run, shows it in the command's style, and gives the exit code.
pub(crate) fn finish(
    context: &Context,
    terminal: &Terminal,
    project: &Project,
    plan: &Plan,
    journal: &Journal,
    ended: &Ended,
    style: Style,
) -> Result<u8, Failure> {
    let read = |cell: usize| journal.record(&plan.cells[cell]).map_err(|error| Box::new(error) as ReadError);
    let pair = pairs(journal, plan);
    let cells = Cells { plan, read: &read, pair: &pair };
    let analysis = analyse(&project.suite, &cells, meta(context, project, journal), status(ended, project, journal))
        .map(decide)?;
    let path = match write(context, project, &analysis, &cells) {
        Ok(path) => path,
        Err(error) => {
            // What was paid for is in the journal: say what it says, and how to get the report.
            terminal.text(&eval_render::summary_text(&analysis, show(terminal, style), None));
            let command = format!("omk eval --resume {} --output-dir DIR", analysis.id);
            terminal.note(&msg!("cli-resume-with", command = command));
            return Err(error);
        }
    };
    let shown = context.display(&path);
    if terminal.is_json() || style == Style::BenchRun {
        let out = std::io::BufWriter::new(std::io::stdout().lock());
        ignore_closed_pipe(eval_analysis::report_json(&analysis, &project.suite, &cells, out))?;
        terminal.note(&msg!("cli-report-saved", path = shown));
    } else {
        terminal.text(&eval_render::summary_text(&analysis, show(terminal, style), Some(&shown)));
    }
    Ok(exit_code(terminal, &analysis, style))
}

/// Reads what judges said of two cells that they compared.
fn pairs<'a>(
    journal: &'a Journal,
    plan: &'a Plan,
) -> impl Fn([usize; 2]) -> Result<Option<eval_spec::Pair>, ReadError> + Sync + 'a {
    move |[earlier, later]| {
        let (earlier, later) = (&plan.cells[earlier].key, &plan.cells[later].key);
        let pair = journal.pair(&earlier.sample, earlier.repeat, [&earlier.subject, &later.subject]);
        pair.map_err(|error| Box::new(error) as ReadError)
    }
}

/// Writes the report of a run and says nothing; where it lies.
pub(crate) fn store(
    context: &Context,
    project: &Project,
    plan: &Plan,
    journal: &Journal,
    ended: &Ended,
) -> Result<PathBuf, Failure> {
    let read = |cell: usize| journal.record(&plan.cells[cell]).map_err(|error| Box::new(error) as ReadError);
    let pair = pairs(journal, plan);
    let cells = Cells { plan, read: &read, pair: &pair };
    let analysis = analyse(&project.suite, &cells, meta(context, project, journal), status(ended, project, journal))
        .map(decide)?;
    write(context, project, &analysis, &cells)
}

fn write(context: &Context, project: &Project, analysis: &Analysis, cells: &Cells) -> Result<PathBuf, Failure> {
    let directory = directory(context, &project.suite.settings);
    Ok(eval_analysis::write(analysis, &project.suite, cells, &directory)?)
}

/// A reader that went away, as in `omk … | head`, is no failure.
fn ignore_closed_pipe(written: Result<(), eval_format::ReportError>) -> Result<(), Failure> {
    match written {
        Err(eval_format::ReportError::Output { source }) if source.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

pub(super) fn show(terminal: &Terminal, style: Style) -> Show {
    Show { lang: terminal.lang(), width: terminal.width, color: terminal.color, exit_code: style == Style::Eval }
}

fn exit_code(terminal: &Terminal, analysis: &Analysis, style: Style) -> u8 {
    match style {
        Style::Eval => analysis.verdict.exit_code,
        Style::BenchRun if analysis.verdict.valid => exit::OK,
        Style::BenchRun => exit::INVALID,
        Style::BenchCi => {
            let gate = eval_verdict::threshold_gate(&analysis.verdict.inputs);
            let threshold = format!("{:.2}", analysis.verdict.inputs.limits.threshold);
            for (variant, mean) in &gate.below {
                terminal.say(&match mean.map(|mean| format!("{mean:.2}")) {
                    Some(mean) => msg!("cli-bench-below", variant = variant, mean = mean, threshold = &threshold),
                    None => msg!("cli-bench-unscored", variant = variant, threshold = &threshold),
                });
            }
            gate.unmeasured.iter().for_each(|why| terminal.say(&why.into()));
            if gate.exit_code == exit::OK {
                terminal.say(&msg!("cli-bench-passed", threshold = threshold));
            }
            gate.exit_code
        }
    }
}

fn status(ended: &Ended, project: &Project, journal: &Journal) -> RunStatus {
    let is_regrade = journal.header().regrade_of.is_some();
    match ended {
        // The earlier run may have ended as decided: then it has no more answers.
        Ended::Complete if is_regrade && project.suite.settings.stop_when_decided => RunStatus::AnswersEnd,
        ended => ending::status(ended),
    }
}

fn meta(context: &Context, project: &Project, journal: &Journal) -> Meta {
    let settings = &project.suite.settings;
    let header = journal.header();
    let channels = origin::channels(settings);
    Meta {
        id: header.id.clone(),
        timestamp: header.started_at,
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        node_version: node_version(context, project),
        seed: project.seed,
        test_set_path: project.sample_file.test_set.path.clone(),
        test_set_id: project.sample_file.test_set.id.clone(),
        project: origin::project_mark(context, &Path::new(&header.cwd).join(&settings.samples)),
        sample_hashes: project.sample_file.hashes.iter().cloned().collect(),
        executor: project.executor.identity().clone(),
        judge: judge_meta(project, journal),
        // An id has the variants' names in it.
        regrade_of: header.regrade_of.clone().filter(|_| !settings.blind),
        skill_isolation: project.suite.variants.iter().map(|v| (v.name.clone(), channels.clone())).collect(),
        gold: project.gold.clone(),
        git: origin::git_info(context, Path::new(&header.cwd)),
    }
}

/// Who judged, with what, and what it cost.
fn judge_meta(project: &Project, journal: &Journal) -> Option<JudgeMeta> {
    project.judges.first()?;
    let spent = journal.spent_on_judges();
    let debias = project.suite.settings.debias_length;
    Some(JudgeMeta {
        models: project.judges.iter().map(|seat| seat.label.clone()).collect(),
        template: eval_grade::template_name(debias).to_owned(),
        prompt_hash: eval_grade::template_hash(debias),
        runtimes: project.judges.iter().map(|seat| seat.executor.identity().clone()).collect(),
        pairwise: project.is_pairwise().then(|| Template {
            name: eval_grade::pairwise_template_name(debias).to_owned(),
            hash: eval_grade::pairwise_template_hash(debias),
        }),
        cost: spent.total().map(|usd| usd.0),
        known_cost: spent.known.0,
        requests: (0..project.suite.samples.len())
            .map(|sample| count(project.grading.questions(sample)).saturating_mul(opinions(&project.suite.settings)))
            .collect(),
    })
}

/// The version of Node, if custom assertions ran in it.
fn node_version(context: &Context, project: &Project) -> Option<String> {
    let has_custom =
        project.suite.samples.iter().flat_map(|s| &s.assertions).any(|assertion| assertion.kind == "custom");
    if project.suite.settings.custom_runtime != "node" || !has_custom {
        return None;
    }
    origin::line_of(Command::new("node").arg("--version").env_clear().envs(plain_environment(context)))
}

/// `--dry-run`: what would run and what it would cost. Nothing is run or written.
pub(crate) fn show_plan(context: &Context, terminal: &Terminal, project: &Project, plan: &Plan) -> Result<u8, Failure> {
    let cached = cached(context, project, plan)?;
    let executor = eval_exec::masked(context, &project.suite.settings.executor);
    let power = earlier(context, terminal, project);
    let mut preview = eval_history::preview(&project.suite, plan, &executor, cached, estimate(project, plan), power);
    preview.judge_requests = requests(project, plan);
    preview.judge_cost = judge_estimate(project, plan);
    terminal.json(|| serde_json::to_value(&preview).unwrap_or_default());
    terminal.text(&eval_render::plan_text(&preview, show(terminal, Style::Eval)));
    Ok(exit::OK)
}

/// What an earlier report lets expect; one that can't be read is told once and passed over.
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

/// Cells that the cache would answer; `None` when it is off.
fn cached(context: &Context, project: &Project, plan: &Plan) -> Result<Option<usize>, Failure> {
    let settings = &project.suite.settings;
    let directory = context.home.join("cache");
    if !settings.cache || is_replay(settings) || settings.record.is_some() {
        return Ok(None);
    }
    if !directory.is_dir() {
        return Ok(Some(0));
    }
    let cache = Cache::open(&directory)?;
    let identity = project.executor.identity();
    let is_kept = |(cell, observation)| {
        let key = CacheKey::of(&project.call(cell), identity, observation);
        cache.get(&key.fingerprint).is_some()
    };
    Ok(Some(plan.cells.iter().zip(observations(plan)).filter(|cell| is_kept(*cell)).count()))
}

/// What the calls would cost by the price table; `None` when it does not know the model.
fn estimate(project: &Project, plan: &Plan) -> Option<CostEstimate> {
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
    let cost = |answer: f64| (input * price.input + calls * answer * price.output) / 1e6;
    let basis = msg!("cli-estimate-basis", short = SHORT_ANSWER.min(long), long = long);
    Some(CostEstimate::new(cost(SHORT_ANSWER.min(long)), cost(long), basis))
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Opinions of all judges on one question.
fn opinions(settings: &Settings) -> u64 {
    let judges = u64::try_from(settings.judge_models.len().max(1)).unwrap_or(u64::MAX);
    judges.saturating_mul(u64::from(settings.judge_repeat))
}

/// What judges would be asked.
fn requests(project: &Project, plan: &Plan) -> JudgeRequests {
    let sum = |counts: &mut dyn Iterator<Item = usize>| u64::try_from(counts.sum::<usize>()).unwrap_or(u64::MAX);
    let scores = sum(&mut plan.cells.iter().map(|cell| project.grading.questions(cell.sample)));
    let pairs = sum(&mut project.pairs(plan).iter().map(|[earlier, _]| 2 * project.grading.compared(earlier.sample)));
    let opinions = opinions(&project.suite.settings);
    JudgeRequests { scores: scores.saturating_mul(opinions), comparisons: pairs.saturating_mul(opinions) }
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
    // Requests, the tokens of what they show beside answers, and the answers they show.
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
