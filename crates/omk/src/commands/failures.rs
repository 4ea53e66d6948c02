//! `omk failures`: what goes wrong in a stored report, clustered; names by a model on request.

use std::sync::Arc;
use std::time::Duration;

use eval_cli::judges::{Seat, only_seat};
use eval_cli::prices::prices;
use eval_cli::signals::Signals;
use eval_cli::{CommandError, Terminal, exit};
use eval_exec::{Build, ExecutorKind};
use eval_grade::{ClusterName, Judge, Panel};
use eval_history::failures::{CLUSTERS, FailureCluster, Labelling};
use eval_history::{FailureClusters, Failures, read_failures};
use eval_message::{Lang, Message, msg};
use eval_render::failures_text;
use eval_run::{Budget, Guard, Guarded, Outage, Retry, RunLimits, Stop};
use eval_spec::Context;
use eval_spec::suite::{Settings, Written};
use eval_spec::units::Usd;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::work::open_cache;
use crate::cli::FailuresArgs;

/// Clusters that a model is asked to name, the largest first: those that a terminal shows.
const NAMED: usize = 10;
const _: () = assert!(NAMED <= CLUSTERS);
const AT_ONCE: usize = 4;

/// Reads, clusters, shows. It exits with 0 once the report is read: only the verdict judges how many failures are too many.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &FailuresArgs) -> Result<u8, CommandError> {
    let path = arguments.stored.find(terminal, context)?;
    let unreadable = |error: eval_format::ReportError| CommandError::usage(error.message(), msg!("cli-no-report-help"));
    let failures = read_failures(&path).map_err(unreadable)?;
    let variant = arguments.variant.as_deref().map(|name| known_variant(&failures, name)).transpose()?;
    let (mut clusters, mut code) = (failures.clusters(variant), exit::OK);
    if arguments.label {
        let (settings, seat) = seat(context, &failures, arguments)?;
        refuse_unknown_price(context, arguments, &seat)?;
        if !clusters.clusters.is_empty() {
            code = label(context, terminal, &settings, &seat, &mut clusters)?;
        }
    }
    terminal.json(|| serde_json::to_value(&clusters).unwrap_or_default());
    terminal.text(&failures_text(&clusters, terminal.show()));
    Ok(code)
}

/// A budget can't be enforced for a model without a price.
fn refuse_unknown_price(context: &Context, arguments: &FailuresArgs, seat: &Seat) -> Result<(), CommandError> {
    let reports = eval_exec::may_report_cost(&seat.executor.identity().executor);
    if arguments.budget_usd.is_none() || reports || prices(context)?.price(&seat.model).is_some() {
        return Ok(());
    }
    let own = context.display(&context.home.join("prices.json"));
    let help = msg!("cli-budget-unknown-price-help", path = own);
    Err(CommandError::usage(msg!("cli-budget-unknown-price", model = &seat.model), help))
}

fn known_variant<'f>(failures: &'f Failures, name: &str) -> Result<&'f str, CommandError> {
    failures.variant(name).ok_or_else(|| {
        let names: Vec<String> = failures.variants().iter().map(|name| format!("`{name}`")).collect();
        let help = msg!("cli-gold-variants", variants = names.join(", "));
        CommandError::usage(msg!("cli-gold-no-variant", variant = name), help)
    })
}

/// The judge that names clusters: that of the flags, else that of the executor which answered.
fn seat(context: &Context, failures: &Failures, arguments: &FailuresArgs) -> Result<(Settings, Seat), CommandError> {
    let written = Written {
        executor: Some(executor(context, failures, arguments)?),
        judge_models: arguments.judge_model.clone().map(|model| vec![model]),
        judge_executor: arguments.judge_executor.clone().map(Some),
        budget_usd: arguments.budget_usd.map(Some),
        cache: arguments.no_cache.then_some(false),
        ..Written::default()
    };
    let settings = written.resolve();
    let build = Build { context, settings: &settings, prices: Arc::new(prices(context)?) };
    let seat = only_seat(&settings, &build)?.ok_or_else(no_judge)?;
    Ok((settings, seat))
}

/// The executor whose judge is asked where none is named. Recordings can't answer new questions.
fn executor(context: &Context, failures: &Failures, arguments: &FailuresArgs) -> Result<String, CommandError> {
    let of_model = || arguments.judge_model.as_deref()?.split_once(':').map(|(executor, _)| executor);
    let of_model = || of_model().filter(|name| eval_exec::named(name).is_some());
    let named = arguments.judge_executor.as_deref().or_else(of_model).or_else(|| context.var("OMK_EXECUTOR"));
    let named = named.unwrap_or(failures.executor());
    match eval_exec::kind(named) {
        ExecutorKind::Recordings => Err(no_judge()),
        ExecutorKind::Agent | ExecutorKind::Model | ExecutorKind::Program => Ok(named.to_owned()),
    }
}

fn no_judge() -> CommandError {
    CommandError::usage(msg!("cli-failures-no-judge"), msg!("cli-failures-no-judge-help"))
}

/// Asks for names and writes them into the clusters until done or interrupted; returns the exit code. Each name is cached
/// as it arrives: a second call doesn't pay for it again.
fn label(
    context: &Context,
    terminal: &Terminal,
    settings: &Settings,
    seat: &Seat,
    clusters: &mut FailureClusters,
) -> Result<u8, CommandError> {
    let nowhere = tempfile::tempdir().map_err(CommandError::temporary(context))?;
    let asked = clusters.clusters.len().min(NAMED);
    terminal.note(&msg!("cli-failures-asking", judge = &seat.label, count = asked));
    let limits = RunLimits {
        concurrency: AT_ONCE,
        retry: Retry::infrastructure(settings.retry),
        outage: Outage::EndsTheRun,
        rpm: settings.rpm,
        tpm: settings.tpm,
        budget: Budget { total_usd: settings.budget_usd.map(Usd), ..Budget::default() },
    };
    let stop = Stop::new();
    let guard = Arc::new(Guard::new(limits, stop.clone(), 0, context.clock));
    let cache = settings.cache.then(|| open_cache(context).map(Arc::new)).transpose()?;
    let guarded = Guarded::new(Arc::clone(&seat.executor), Arc::clone(&guard), cache, seat.kind.is_remote());
    let judge = Judge {
        label: seat.label.clone(),
        executor: Arc::new(guarded.keeping(eval_grade::is_usable_name)),
        model: seat.model.clone(),
        // An agent shall see nothing of the project.
        cwd: (seat.kind == ExecutorKind::Agent).then(|| nowhere.path().to_owned()),
    };
    let panel = Panel {
        judges: vec![judge],
        repeat: 1,
        debias_length: settings.debias_length,
        timeout: Duration::from_millis(settings.timeout_ms),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CommandError::io(msg!("cli-runtime")))?;
    let (named, interrupted) = runtime.block_on(names(&panel, context.lang, &clusters.clusters[..asked], &stop))?;
    write(clusters, &seat.label, named, &guard);
    if interrupted {
        terminal.error(&msg!("cli-failures-interrupted"), None);
    }
    Ok(if interrupted { exit::INTERRUPTED } else { exit::OK })
}

/// The names in the clusters' order, and whether it was interrupted. The first interrupt lets requests in progress end,
/// since they are paid for; the second one ends them.
async fn names(
    panel: &Panel,
    lang: Lang,
    clusters: &[FailureCluster],
    stop: &Stop,
) -> Result<(Vec<ClusterName>, bool), CommandError> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = JoinSet::new();
    for (at, (checks, answers)) in clusters.iter().map(material).enumerate() {
        let (panel, places) = (panel.clone(), Arc::clone(&places));
        tasks.spawn(async move {
            // Closed by the first interrupt.
            let Ok(_place) = places.acquire().await else { return (at, unnamed(msg!("run-interrupted"))) };
            (at, eval_grade::name_cluster(&panel, lang, &checks, &answers).await)
        });
    }
    // The cost of a task that panicked is unknown.
    let broken = ClusterName { cost_usd: None, ..unnamed(msg!("cli-runtime")) };
    let (mut named, mut interrupted) = (vec![broken; clusters.len()], false);
    let mut signals = Signals::new().map_err(CommandError::io(msg!("cli-runtime")))?;
    loop {
        tokio::select! {
            done = tasks.join_next() => match done {
                Some(Ok((at, name))) => named[at] = name,
                Some(Err(_)) => {}
                None => return Ok((named, interrupted)),
            },
            hard = signals.next() => {
                interrupted = true;
                places.close();
                if hard { stop.kill() }
            }
        }
    }
}

fn unnamed(why: Message) -> ClusterName {
    ClusterName { name: Err(why), requests: 0, cost_usd: Some(Usd(0.0)) }
}

fn material(cluster: &FailureCluster) -> (Vec<String>, Vec<String>) {
    let checks = cluster.checks.iter().map(|check| check.label.clone()).collect();
    let answers = cluster.examples.iter().map(|example| example.output.clone()).collect();
    (checks, answers)
}

fn write(clusters: &mut FailureClusters, judge: &str, named: Vec<ClusterName>, guard: &Guard) {
    // Names from the cache cost nothing now.
    let is_known = named.iter().all(|one| one.cost_usd.is_some());
    clusters.labels = Some(Labelling {
        judge: judge.to_owned(),
        asked: u64::try_from(named.len()).unwrap_or(u64::MAX),
        named: u64::try_from(named.iter().filter(|one| one.name.is_ok()).count()).unwrap_or(u64::MAX),
        cost_usd: guard.spent().filter(|_| is_known).map(|usd| usd.0),
    });
    for (cluster, one) in clusters.clusters.iter_mut().zip(named) {
        match one.name {
            Ok(name) => cluster.label = Some(name),
            Err(why) => cluster.label_missing = Some(why.into()),
        }
    }
}
