//! One model that is asked outside of a run, as judges are: with limits, a budget and the cache.

use std::sync::Arc;
use std::time::Duration;

use eval_cli::judges::{Seat, only_seat};
use eval_cli::prices::prices;
use eval_cli::signals::Signals;
use eval_cli::{CommandError, exit};
use eval_exec::{Build, ExecutorKind};
use eval_grade::{Judge, Panel};
use eval_message::msg;
use eval_run::{Budget, Guard, Guarded, Outage, Retry, RunLimits, Stop};
use eval_spec::suite::{Settings, Written};
use eval_spec::units::Usd;
use eval_spec::{Call, Context, Output};
use tempfile::TempDir;

use super::work::open_cache;

/// Requests at the same time.
pub(super) const AT_ONCE: usize = 4;

/// Which model is asked.
pub(super) struct OneJudgeChoice<'a> {
    /// The executor of what was evaluated, if anything was.
    pub(super) executor: Option<&'a str>,
    /// The flags.
    pub(super) judge_model: Option<&'a str>,
    pub(super) judge_executor: Option<&'a str>,
    pub(super) budget_usd: Option<f64>,
    pub(super) no_cache: bool,
}

impl OneJudgeChoice<'_> {
    /// The executor that is asked where none is named. Recordings can't answer new questions.
    fn source(&self, context: &Context) -> Result<Option<String>, CommandError> {
        let of_model = || self.judge_model?.split_once(':').map(|(executor, _)| executor);
        let of_model = || of_model().filter(|name| eval_exec::named(name).is_some());
        let named = self.judge_executor.or_else(of_model).or_else(|| context.var("OMK_EXECUTOR"));
        match named.or(self.executor) {
            Some(name) if eval_exec::kind(name) == ExecutorKind::Recordings => Err(no_judge()),
            name => Ok(name.map(str::to_owned)),
        }
    }
}

/// The model, not yet asked.
pub(super) struct OneJudge {
    settings: Settings,
    seat: Seat,
}

/// What it is asked through.
pub(super) struct OneJudgePanel {
    pub(super) panel: Panel,
    pub(super) guard: Arc<Guard>,
    /// An agent sees nothing of the project.
    _nowhere: TempDir,
}

impl OneJudge {
    pub(super) fn new(context: &Context, of: &OneJudgeChoice<'_>) -> Result<OneJudge, CommandError> {
        let written = Written {
            executor: of.source(context)?,
            judge_models: of.judge_model.map(|model| vec![model.to_owned()]),
            judge_executor: of.judge_executor.map(|name| Some(name.to_owned())),
            budget_usd: of.budget_usd.map(Some),
            cache: of.no_cache.then_some(false),
            ..Written::default()
        };
        let settings = written.resolve();
        let build = Build { context, settings: &settings, prices: Arc::new(prices(context)?) };
        let seat = only_seat(&settings, &build)?.ok_or_else(no_judge)?;
        refuse_unknown_price(context, &settings, &seat)?;
        Ok(OneJudge { settings, seat })
    }

    /// `executor:model`.
    pub(super) fn label(&self) -> &str {
        &self.seat.label
    }

    /// With limits, budget and cache; what `is_usable` is kept, so that a second call doesn't pay for it again.
    pub(super) fn panel(
        &self,
        context: &Context,
        stop: &Stop,
        is_usable: fn(&Call, &Output) -> bool,
    ) -> Result<OneJudgePanel, CommandError> {
        let (settings, seat) = (&self.settings, &self.seat);
        let nowhere = tempfile::tempdir().map_err(CommandError::temporary(context))?;
        let limits = RunLimits {
            concurrency: AT_ONCE,
            retry: Retry::infrastructure(settings.retry),
            outage: Outage::EndsTheRun,
            rpm: settings.rpm,
            tpm: settings.tpm,
            budget: Budget { total_usd: settings.budget_usd.map(Usd), ..Budget::default() },
        };
        let guard = Arc::new(Guard::new(limits, stop.clone(), 0, context.clock));
        let cache = settings.cache.then(|| open_cache(context).map(Arc::new)).transpose()?;
        let guarded = Guarded::new(Arc::clone(&seat.executor), Arc::clone(&guard), cache, seat.kind.is_remote());
        let judge = Judge {
            label: seat.label.clone(),
            executor: Arc::new(guarded.keeping(is_usable)),
            model: seat.model.clone(),
            cwd: (seat.kind == ExecutorKind::Agent).then(|| nowhere.path().to_owned()),
        };
        let panel = Panel {
            judges: vec![judge],
            repeat: 1,
            debias_length: settings.debias_length,
            timeout: Duration::from_millis(settings.timeout_ms),
        };
        Ok(OneJudgePanel { panel, guard, _nowhere: nowhere })
    }
}

/// What asks on several threads.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    eval_cli::threads::runtime().map_err(CommandError::io(msg!("cli-runtime")))
}

/// The answer, and whether it was interrupted: the first interrupt lets the request end, since it is paid for.
pub(super) async fn interruptible<T>(asking: impl Future<Output = T>, stop: &Stop) -> Result<(T, bool), CommandError> {
    let mut signals = Signals::new().map_err(CommandError::io(msg!("cli-runtime")))?;
    let mut interrupted = false;
    tokio::pin!(asking);
    loop {
        tokio::select! {
            answer = &mut asking => return Ok((answer, interrupted)),
            hard = signals.next() => {
                interrupted = true;
                if hard { stop.kill() }
            }
        }
    }
}

/// The exit code of a command that asks.
pub(super) fn code(interrupted: bool) -> u8 {
    if interrupted { exit::INTERRUPTED } else { exit::OK }
}

/// A budget can't be enforced for a model without a price.
fn refuse_unknown_price(context: &Context, settings: &Settings, seat: &Seat) -> Result<(), CommandError> {
    let reports = eval_exec::may_report_cost(&seat.executor.identity().executor);
    if settings.budget_usd.is_none() || reports || prices(context)?.price(&seat.model).is_some() {
        return Ok(());
    }
    let own = context.display(&context.home.join("prices.json"));
    let help = msg!("cli-budget-unknown-price-help", path = own);
    Err(CommandError::usage(msg!("cli-budget-unknown-price", model = &seat.model), help))
}

fn no_judge() -> CommandError {
    CommandError::usage(msg!("cli-failures-no-judge"), msg!("cli-failures-no-judge-help"))
}
