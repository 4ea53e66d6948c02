//! The report of a run: its directory and its metadata.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use eval_analysis::{Cells, EarlierRates, ForeignArtifacts, GapHistory, JudgeMeta, JudgeTemplate, Meta, RunStatus};
use eval_cli::{CommandError, Terminal, origin};
use eval_format::{
    Analysis, EarlierGaps, EarlierReading, IncompleteReason, ReadError, ReportError, Status, TestSet, draw_labels,
};
use eval_history::GuardedRun;
use eval_load::plain_environment;
use eval_message::msg;
use eval_run::{Journal, RunError};
use eval_spec::record::EarlierLook;
use eval_spec::suite::Settings;
use eval_spec::variant::ArtifactCommit;
use eval_spec::{Context, Pair, Suite, Variant};

use super::again;
use super::project::Project;
use super::stored::{directory, started_in};
use super::work::ProjectWork;

/// How a command shows its result and what its exit code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `omk eval`: a summary (or the report with `--json`); the verdict decides.
    Eval,
    /// `omk bench run`: the report on standard output; 0 once it is measured.
    BenchRun,
    /// `omk bench ci`: a summary; every variant must reach the threshold.
    BenchCi,
}

/// Checks, before anything is paid for, that the report can be written. The directory in the home is closed to others.
pub(crate) fn prepare(context: &Context, settings: &Settings) -> Result<(), CommandError> {
    let directory = directory(context, settings);
    let failed = |error| CommandError::io(msg!("cli-cannot-write", path = context.display(&directory)))(error);
    if directory.starts_with(&context.home) {
        eval_run::private_folder(&directory).map_err(failed)?;
    }
    std::fs::create_dir_all(&directory).and_then(|()| tempfile::tempfile_in(&directory)).map(drop).map_err(failed)
}

impl ProjectWork {
    /// Calls `make` with the results in a journal as the cells that reports are made of.
    pub(crate) fn with_cells<T>(&self, journal: &Journal, make: impl FnOnce(&Cells) -> T) -> T {
        let (plan, project) = (&self.plan, &self.project);
        let reports = directory(&self.context, &project.suite.settings);
        let foreign = ForeignArtifacts::of(&project.suite, self.labels(journal), &[&self.context.home, &reports]);
        let taken = again::taken_over(&self.context, &self.project, &self.plan, journal);
        let redrawn = again::redrawn(plan, taken);
        let read = |cell: usize| {
            let record = journal.record(&plan.cells[cell]).map_err(|error| Box::new(error) as ReadError)?;
            Ok(record.map(|mut record| {
                let first = redrawn.get(&cell).filter(|first| !record.failures_before().contains(first));
                record.replaced_failures.extend(first);
                foreign.mark(plan.cells[cell].subject, &mut record);
                record
            }))
        };
        let replaced = |cell: usize| {
            let record = journal.replaced(&plan.cells[cell]);
            record.map_err(|error| Box::new(error) as ReadError)
        };
        let pair = |[earlier, later]: [usize; 2]| -> Result<Option<Pair>, ReadError> {
            let (earlier, later) = (&plan.cells[earlier].key, &plan.cells[later].key);
            let pair = journal.pair(&earlier.sample, earlier.repeat, [&earlier.subject, &later.subject]);
            pair.map_err(|error| Box::new(error) as ReadError)
        };
        let secrets = eval_exec::Redact::new(&self.context);
        let mask = |text: &str| secrets.clean(text).into_owned();
        let texts = project.suite.settings.texts;
        make(&Cells { plan, read: &read, replaced: &replaced, pair: &pair, texts: texts.then_some(&mask) })
    }
}

impl ProjectWork {
    /// The names that the report shows: the variants' own, or labels that are drawn once.
    fn labels(&self, journal: &Journal) -> &[String] {
        self.labels.get_or_init(|| {
            let suite = &self.project.suite;
            let names: Vec<String> = suite.variants.iter().map(|variant| variant.name.clone()).collect();
            let path = eval_format::report_path(&journal.header().id, &directory(&self.context, &suite.settings));
            match path.ok().filter(|_| suite.settings.blind) {
                Some(path) => draw_labels(&path, &names),
                None => names,
            }
        })
    }

    /// Whether all of a control from the cache is to be asked again, by what a run shows so far.
    pub(super) fn asks_control_again(&self, terminal: &Terminal, journal: &Journal) -> Result<bool, RunError> {
        let (suite, alike, meta) = (&self.project.suite, self.project.alike(), meta(terminal, self, journal));
        let analyse = |cells: &Cells| eval_analysis::analyse_with(alike, suite, cells, meta, RunStatus::Complete);
        let failed = |error: ReportError| RunError::Open { path: journal.path().to_owned(), why: error.to_string() };
        self.with_cells(journal, analyse).map(|of| eval_verdict::asks_all_again(&of.verdict)).map_err(failed)
    }
}

/// Writes the report of a run; its path.
pub(crate) fn write(work: &ProjectWork, analysis: &Analysis, cells: &Cells) -> Result<PathBuf, CommandError> {
    let suite = &work.project.suite;
    Ok(eval_analysis::write(analysis, suite, cells, &directory(&work.context, &suite.settings))?)
}

/// The stored report of the same run, if it is complete and this one isn't: less must never replace it.
pub(crate) fn complete_one(work: &ProjectWork, analysis: &Analysis) -> Option<PathBuf> {
    let ended_early = analysis.incomplete_reason.is_some_and(|reason| match reason {
        IncompleteReason::Interrupted
        | IncompleteReason::BudgetExhausted
        | IncompleteReason::Aborted
        | IncompleteReason::JudgeFailed => true,
        // the answers are there, and are read by other limits
        IncompleteReason::TooManyFailures | IncompleteReason::RecordsMissing => false,
    });
    let directory = directory(&work.context, &work.project.suite.settings);
    let path = eval_format::report_path(&analysis.id, &directory).ok().filter(|_| ended_early)?;
    let stored = eval_history::read_analysis(&path).ok()?;
    (stored.status == Status::Complete).then_some(path)
}

/// Prints the report as JSON. A reader that went away, as in `omk … | head`, is no failure.
pub(crate) fn print(work: &ProjectWork, analysis: &Analysis, cells: &Cells) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    match eval_analysis::report_json(analysis, &work.project.suite, cells, &mut out) {
        Err(ReportError::Output { source }) if source.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

/// The facts about a run that its report states beside numbers.
pub(crate) fn meta(terminal: &Terminal, work: &ProjectWork, journal: &Journal) -> Meta {
    let (context, project) = (&work.context, &work.project);
    let settings = &project.suite.settings;
    let header = journal.header();
    let channels = origin::channels(settings);
    let project_mark = origin::project_mark(terminal, context, &Path::new(&header.cwd).join(&settings.samples));
    Meta {
        id: header.id.clone(),
        labels: work.labels(journal).to_vec(),
        timestamp: header.started_at,
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        node_version: node_version(terminal, context, project),
        seed: project.seed,
        test_set_path: project.sample_file.test_set.path.clone(),
        test_set_id: project.sample_file.test_set.id.clone(),
        gap_history: GapHistory {
            earlier: earlier_gaps(work, journal, project_mark.clone()),
            decisions: project.gap_decisions.gaps.clone(),
        },
        project: project_mark,
        sample_hashes: project.sample_file.hashes.iter().cloned().collect(),
        not_read: project.not_read(&work.plan),
        urls: project.urls.clone(),
        executor: project.executor.identity().clone(),
        judge: judge_meta(project, journal),
        hedging: None,
        earlier_looks: earlier_looks(work, journal),
        earlier_readings: earlier_readings(work, journal),
        imported: None,
        lost_calls: u64::from(journal.lost_calls()),
        // An id has the variants' names in it.
        regrade_of: header.regrade_of.clone().filter(|_| !settings.blind),
        skill_isolation: project.suite.variants.iter().map(|v| (v.name.clone(), channels.clone())).collect(),
        uncopied: project.uncopied().to_vec(),
        gold: project.gold.clone(),
        git: origin::git_info(terminal, context, Path::new(&header.cwd)),
        artifact_commits: artifact_commits(work),
    }
}

/// The version of each variant's artifact; none in a blind report, which it would reveal.
fn artifact_commits(work: &ProjectWork) -> BTreeMap<String, ArtifactCommit> {
    let Suite { variants, settings, .. } = &work.project.suite;
    let commit = |variant: &Variant| {
        let commit = eval_load::artifact_commit(&work.context, &settings.skill_dir, &variant.artifact)?;
        Some((variant.name.clone(), commit))
    };
    variants.iter().filter(|_| !settings.blind).filter_map(commit).collect()
}

/// The gap rates of earlier reports, which guards compare this run's with.
fn earlier_gaps(work: &ProjectWork, journal: &Journal, project: Option<String>) -> Vec<EarlierRates> {
    let (context, suite, header) = (&work.context, &work.project.suite, journal.header());
    let reports = directory(context, &suite.settings);
    let variants: Vec<String> = suite.variants.iter().map(|variant| variant.name.clone()).collect();
    let test_set = &work.project.sample_file.test_set;
    let test_set = TestSet {
        path: test_set.path.clone(),
        id: test_set.id.clone(),
        sample_count: 0,
        project,
        llm_generated: suite.is_llm_generated(),
    };
    let ids: Vec<&str> = std::iter::once(&*header.id).chain(header.regrade_of.as_deref()).collect();
    let timestamp = format!("{:.3}", header.started_at);
    let run = GuardedRun { ids: &ids, timestamp: &timestamp, test_set: &test_set, variants: &variants };
    // Reports in the home are of all projects, and without a remote nothing in them tells of which.
    let is_shared = reports == context.home.join("reports") && test_set.project.is_none();
    let started_here = |path: &Path| started_in(context, path).as_deref() == Some(Path::new(&header.cwd));
    let earlier = eval_history::earlier_gaps(&reports, run, |path| !is_shared || started_here(path));
    match suite.settings.blind {
        true => {
            let nameless = |of: EarlierRates| EarlierRates {
                last: of.last.map(EarlierGaps::without_report),
                beside: of.beside.map(EarlierGaps::without_report),
                ..of
            };
            earlier.into_iter().map(nameless).collect()
        }
        false => earlier,
    }
}

/// The looks at these artifacts that came before a run. In a blind report their ids would tell the names.
fn earlier_looks(work: &ProjectWork, journal: &Journal) -> Vec<EarlierLook> {
    let looks = work.project.earlier_looks(&work.context, &work.plan, Some(&journal.header().id));
    let taken = if looks.iter().any(|look| look.alone) {
        again::taken_over(&work.context, &work.project, &work.plan, journal)
    } else {
        Vec::new()
    };
    let mut looks = again::with_choices(looks, &taken);
    if work.project.suite.settings.blind {
        looks.iter_mut().for_each(|look| look.report.clear());
    }
    looks
}

/// How earlier reports read scores of these artifacts.
fn earlier_readings(work: &ProjectWork, journal: &Journal) -> Vec<EarlierReading> {
    let mut readings = work.project.earlier_readings(&work.context, &work.plan, &journal.header().id);
    if work.project.suite.settings.blind {
        readings.iter_mut().for_each(|reading| reading.report.clear());
    }
    readings
}

/// The judges, their templates and their cost.
fn judge_meta(project: &Project, journal: &Journal) -> Option<JudgeMeta> {
    project.judges.first()?;
    let spent = journal.spent_on_judges();
    let debias = project.suite.settings.debias_length;
    let [prompt_hash, pairwise_hash] = project.judge_prompts();
    let template = match project.has_expectations() {
        true => eval_grade::EXPECTATION_TEMPLATE,
        false => eval_grade::template_name(debias),
    };
    Some(JudgeMeta {
        models: project.judges.iter().map(|seat| seat.label.clone()).collect(),
        template: template.to_owned(),
        prompt_hash: prompt_hash.unwrap_or_default(),
        runtimes: project.judges.iter().map(|seat| seat.executor.identity().clone()).collect(),
        pairwise: pairwise_hash
            .map(|hash| JudgeTemplate { name: eval_grade::pairwise_template_name(debias).to_owned(), hash }),
        cost: spent.total().map(|usd| usd.0),
        known_cost: spent.known.0,
        requests: (0..project.suite.samples.len())
            .map(|sample| count(project.grading.questions(sample)).saturating_mul(opinions(&project.suite.settings)))
            .collect(),
    })
}

/// The version of Node, if custom assertions ran in it.
fn node_version(terminal: &Terminal, context: &Context, project: &Project) -> Option<String> {
    let has_custom =
        project.suite.samples.iter().flat_map(|s| &s.assertions).any(|assertion| assertion.kind == "custom");
    if project.suite.settings.custom_runtime != "node" || !has_custom {
        return None;
    }
    let mut node = Command::new("node");
    node.arg("--version").env_clear().envs(plain_environment(context));
    origin::line_of(terminal, node)
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Opinions of all judges on one question.
pub(super) fn opinions(settings: &Settings) -> u64 {
    let judges = u64::try_from(settings.judge_models.len().max(1)).unwrap_or(u64::MAX);
    judges.saturating_mul(u64::from(settings.judge_repeat))
}
