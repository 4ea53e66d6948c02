//! A project as the driver runs it: limits, cache, recordings, judges.

use std::fs::File;
use std::io::ErrorKind;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use eval_analysis::EarlierFacts;
use eval_cli::driver::{Afterwards, Evaluation, JournalStart, Parts, RunSetup};
use eval_cli::judges::{Shared, panel};
use eval_cli::terminal::progress;
use eval_cli::{CommandError, Terminal};
use eval_exec::{ExecutorKind, Recorder};
use eval_message::{Lang, Message, msg};
use eval_run::{Budget, Cache, Compare, Executors, Guarded, Journal, Outage, Retry, RunError, RunLimits, Watch};
use eval_spec::plan::Plan;
use eval_spec::record::Header;
use eval_spec::suite::Settings;
use eval_spec::units::Usd;
use eval_spec::{BoxFuture, Call, Cell, CellKey, Context, Diagnostic, Grader, Suite};
use jiff::Timestamp;

use super::again;
use super::hedging::HedgingRun;
use super::project::{Chosen, Project};
use super::regrade::{self, Answers};
use super::stored;
use crate::commands::project::purpose::{Purpose, is_replay};

/// A project with its plan, ready to be run.
pub(crate) struct ProjectWork {
    pub(crate) context: Context,
    pub(crate) project: Project,
    pub(crate) plan: Plan,
    /// The earlier answers of a regraded run.
    pub(crate) answers: Option<Answers>,
    /// Whether nothing is executed; also true when a regraded run is resumed, without `answers`.
    pub(crate) is_regrade: bool,
    /// The names that the report shows, once they are drawn.
    pub(super) labels: OnceLock<Vec<String>>,
    /// Held from the count of earlier reports until this one is written.
    pub(super) report_lock: OnceLock<Option<File>>,
}

impl ProjectWork {
    /// Loads and plans what the settings name.
    pub(crate) fn load(context: &Context, chosen: Chosen, purpose: Purpose) -> Result<ProjectWork, CommandError> {
        let is_regrade = matches!(purpose, Purpose::Regrade(_));
        let project = Project::load(context, chosen, purpose)?;
        let plan = project.plan();
        Ok(ProjectWork {
            context: context.clone(),
            project,
            plan,
            answers: None,
            is_regrade,
            labels: OnceLock::new(),
            report_lock: OnceLock::new(),
        })
    }

    fn settings(&self) -> &Settings {
        &self.project.suite.settings
    }
}

/// The keys of a result take more bytes than this.
const LEAST_RESULT: usize = 300;

/// Longer than any report takes.
const LONGEST_REPORT: Duration = Duration::from_secs(30);

impl ProjectWork {
    /// Waits until no other run is between counting earlier reports and writing its own, so that of runs that end at once each
    /// counts those that ended before it. The lock is the home, because writing a report locks the directory of reports. Where
    /// the home can't be locked, runs count what they find.
    pub(super) fn waits_for_other_reports(&self) {
        self.report_lock.get_or_init(|| {
            let file = File::open(&self.context.home).ok()?;
            let began = Instant::now();
            while file.try_lock().is_err() && began.elapsed() < LONGEST_REPORT {
                std::thread::sleep(Duration::from_millis(20));
            }
            Some(file)
        });
    }
}

impl Evaluation for ProjectWork {
    type Running = Option<HedgingRun>;

    fn context(&self) -> &Context {
        &self.context
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.project.suite.warnings
    }

    /// Refuses a money budget with a model (or judge) without a price. Answers that are graded anew cost nothing.
    fn check(&self) -> Result<(), CommandError> {
        let (project, settings) = (&self.project, self.settings());
        let has_budget = settings.budget_usd.is_some() || settings.budget_per_sample_usd.is_some();
        if !has_budget || settings.allow_unknown_cost {
            return Ok(());
        }
        let answering = (!self.is_regrade).then_some((settings.executor.as_str(), &settings.model));
        let paid = project.judges.iter().filter(|seat| seat.kind != ExecutorKind::Recordings);
        let judging = paid.chain(self.project.classifier.iter().filter(|seat| seat.kind != ExecutorKind::Recordings));
        let judging = judging.map(|seat| (seat.executor.identity().executor.as_str(), &seat.model));
        let is_unknown = |(executor, model): &(&str, &String)| {
            !eval_exec::may_report_cost(executor) && project.prices.price(model).is_none()
        };
        let Some((_, model)) = answering.into_iter().chain(judging).find(is_unknown) else { return Ok(()) };
        let own = self.context.display(&self.context.home.join("prices.json"));
        Err(CommandError::usage(
            msg!("cli-budget-unknown-price", model = model),
            msg!("cli-budget-unknown-price-help", path = own),
        ))
    }

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn least_report_bytes(&self) -> u64 {
        let suite = &self.project.suite;
        let prompts = suite.samples.iter().map(|sample| sample.prompt_text().len());
        let files = suite.variants.iter().flat_map(|variant| &variant.artifact.files).map(|file| file.bytes.len());
        let texts: usize = if suite.settings.texts { prompts.chain(files).sum() } else { 0 };
        (texts + self.plan.cells.len() * LEAST_RESULT) as u64
    }

    fn runnable(&self, journal: &Journal) -> Result<Option<Plan>, CommandError> {
        match regrade::answered(&self.project, &self.plan, journal)? {
            Some(answered) => Ok(Some(answered)),
            None => Ok(self.project.up_to_last_look(&self.plan)),
        }
    }

    /// A regraded run belongs to the directory of the run that it grades.
    fn beginning(&self) -> Result<JournalStart, CommandError> {
        let graded: Option<&Header> = self.answers.as_ref().map(|answers| answers.journal.header());
        Ok(JournalStart {
            settings: serde_json::to_value(self.settings()).unwrap_or_default(),
            inputs: self.project.inputs(),
            cwd: graded.map_or_else(|| self.context.cwd.display().to_string(), |graded| graded.cwd.clone()),
            regrade_of: graded.map(|graded| graded.id.clone()),
            order_seed: self.project.order_seed,
            asked_again: if self.is_regrade {
                Vec::new()
            } else {
                again::samples(&self.context, &self.project, &self.plan)?
            },
            looks: self.project.looks(&self.plan),
            urls: self.project.urls.clone(),
        })
    }

    /// The report has the same id.
    fn fresh_id(&self, at: Timestamp, taken: &dyn Fn(&str) -> bool) -> String {
        let settings = self.settings();
        let names: Vec<&str> = match settings.blind {
            true => vec!["blind"],
            false => self.project.suite.variants.iter().map(|variant| variant.name.as_str()).collect(),
        };
        let reports = stored::directory(&self.context, settings);
        eval_format::report_id(at, &names, |id| taken(id) || reports.join(format!("{id}.json")).exists())
    }

    fn adopt(&self, journal: &Journal) -> Result<(), CommandError> {
        self.answers.as_ref().map_or(Ok(()), |answers| answers.adopt_into(journal, &self.plan))
    }

    fn limits(&self) -> RunLimits {
        let settings = self.settings();
        let is_replay =
            is_replay(settings) && self.project.judges.iter().all(|seat| seat.kind == ExecutorKind::Recordings);
        RunLimits {
            concurrency: settings.concurrency,
            // A recorded failure would be replayed again.
            retry: Retry::infrastructure(if is_replay { 0 } else { settings.retry }),
            outage: Outage::EndsTheRun,
            rpm: settings.rpm,
            tpm: settings.tpm,
            // Replayed answers were paid for when they were recorded.
            budget: if is_replay { Budget::default() } else { budget(settings) },
        }
    }

    fn seed(&self) -> u64 {
        self.project.seed
    }

    fn call(&self, cell: &Cell) -> Call {
        self.project.call(cell)
    }

    fn start(&self, setup: &RunSetup<'_>) -> Result<(Parts, Option<HedgingRun>), CommandError> {
        let (project, settings) = (&self.project, self.settings());
        let recorder = recorder(&self.context, settings)?;
        let executor = match &recorder {
            Some(recorder) => Recorder::wrap(Arc::clone(&project.executor), Arc::clone(recorder)),
            None => Arc::clone(&project.executor),
        };
        let cache = cache(&self.context, settings)?;
        // Replayed executions are on disk already.
        let own_cache = cache.clone().filter(|_| !is_replay(settings));
        let is_remote = eval_exec::kind(&settings.executor).is_remote();
        let executor = Guarded::new(executor, Arc::clone(setup.guard), own_cache, is_remote);
        let shared =
            Shared { guard: setup.guard, journal: setup.journal, cache: cache.as_ref(), recorder: recorder.as_ref() };
        let panel = panel(&project.judges, settings, &shared, setup.nowhere);
        let grading = Arc::clone(&project.grading);
        let grader: Arc<dyn Grader> = match project.judges.is_empty() {
            true => grading,
            false => Arc::new(eval_grade::JudgedGrading::new(grading, panel.clone())),
        };
        let compare = comparison(Arc::clone(&project.grading), panel);
        let hedging = HedgingRun::new(self, &shared, setup.nowhere);
        Ok((Parts { executors: Executors::one(Arc::new(executor)), grader, compare, recorder }, hedging))
    }

    fn afterwards<'a>(
        &'a self,
        running: &'a Option<HedgingRun>,
        setup: &'a Afterwards<'a>,
    ) -> BoxFuture<'a, (bool, Option<Message>)> {
        Box::pin(async move {
            match running {
                Some(hedging) => hedging.ask(self, setup).await,
                None => (true, None),
            }
        })
    }

    fn pairs(&self) -> Vec<[&Cell; 2]> {
        self.project.pairs(&self.plan)
    }

    fn may_end_early(&self) -> bool {
        self.settings().planned_looks().is_some()
    }

    fn watch<'a>(&'a self, journal: &'a Journal) -> Watch<'a> {
        let Header { id, regrade_of, .. } = journal.header();
        decider(&self.project.suite, &self.project, &self.plan, move || {
            let taken = again::taken_over(&self.context, &self.project, &self.plan, journal);
            let looks = self.project.earlier_looks(&self.context, &self.plan, Some(id));
            let mut looks = again::with_choices(looks, &taken);
            // the answers that are graded anew are no look of their own
            looks.truncate(looks.iter().position(|of| Some(&of.report) == regrade_of.as_ref()).unwrap_or(looks.len()));
            EarlierFacts { looks, redrawn: again::redrawn(&self.plan, taken) }
        })
    }

    fn is_asked_again(&self, journal: &Journal, cell: &Cell) -> bool {
        again::is_checked(journal, cell)
    }

    fn asked_again_after(&self, terminal: &Terminal, journal: &Journal) -> Result<Vec<usize>, RunError> {
        again::rest(&self.plan, journal, || self.asks_control_again(terminal, journal))
    }

    /// A blind run names no variant.
    fn cell_name(&self) -> fn(&CellKey, Lang) -> String {
        if self.settings().blind { progress::blind } else { progress::plain }
    }
}

/// Ends a run with the look that decides it, or with the last.
pub(super) fn decider<'s>(
    suite: &'s Suite,
    project: &Project,
    plan: &'s Plan,
    earlier: impl Fn() -> EarlierFacts + Send + 's,
) -> Watch<'s> {
    let executor = &project.executor.identity().executor;
    let mut decider = eval_analysis::Decider::new(suite, project.alike(), plan, (project.seed, executor), earlier);
    Box::new(move |sample, records| decider.as_mut().is_some_and(|decider| decider.finished(sample, &records)))
}

fn comparison(grading: Arc<eval_grade::Grading>, panel: eval_grade::Panel) -> Box<Compare<'static>> {
    Box::new(move |[(earlier, first), (later, second)]: [(Cell, String); 2]| {
        let (grading, panel) = (Arc::clone(&grading), panel.clone());
        Box::pin(async move {
            let cells = (&*earlier.key.subject, &later.key);
            grading.compare(&panel, earlier.sample, cells, [&first, &second]).await
        })
    })
}

fn budget(settings: &Settings) -> Budget {
    Budget {
        total_usd: settings.budget_usd.map(Usd),
        per_sample_usd: settings.budget_per_sample_usd.map(Usd),
        per_sample_ms: settings.budget_per_sample_ms,
        allow_unknown_cost: settings.allow_unknown_cost,
    }
}

fn recorder(context: &Context, settings: &Settings) -> Result<Option<Arc<Recorder>>, CommandError> {
    let Some(directory) = &settings.record else { return Ok(None) };
    let path = context.display(directory);
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::WouldBlock => {
            CommandError::usage(msg!("cli-record-in-use", path = path), msg!("cli-record-in-use-help"))
        }
        _ => CommandError::io(msg!("cli-cannot-write", path = path))(error),
    };
    Ok(Some(Arc::new(Recorder::create(directory).map_err(failed)?)))
}

/// The cache; none for a run that records, since answers from the cache are not recorded.
fn cache(context: &Context, settings: &Settings) -> Result<Option<Arc<Cache>>, CommandError> {
    if !settings.cache || settings.record.is_some() {
        return Ok(None);
    }
    Ok(Some(Arc::new(open_cache(context)?)))
}

pub(crate) fn open_cache(context: &Context) -> Result<Cache, CommandError> {
    Ok(Cache::open(&context.home.join("cache"))?)
}
