//! `omk failures`: what goes wrong in a stored report, clustered; names by a model on request.

use std::sync::Arc;
use std::time::Duration;

use eval_exec::{Build, Kind};
use eval_grade::{ClusterName, Judge, Panel};
use eval_report::failures::{CLUSTERS, FailureCluster, Labelling};
use eval_report::{FailureClusters, Failures, failures_text, read_failures};
use eval_run::{Budget, Guard, Guarded, Limits, Outage, Retry, Stop};
use eval_spec::suite::{Settings, Written};
use eval_spec::{Context, Lang, msg};

use super::judges::{Seat, seats};
use super::{project, report, stored};
use crate::cli::FailuresArgs;
use eval_cli::exit::{self, Failure};
use eval_cli::terminal::Terminal;

/// Clusters that a model is asked to name, the largest first: those that a terminal shows.
const NAMED: usize = 10;
const _: () = assert!(NAMED <= CLUSTERS);
/// Requests at once.
const AT_ONCE: usize = 4;

/// Reads, clusters, shows. It exits with 0 once the report was read: what is too much is for the verdict to say.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &FailuresArgs) -> Result<u8, Failure> {
    let path = stored::find(context, &arguments.report, arguments.reports_dir.as_deref())?;
    let unreadable = |error: eval_report::ReportError| Failure::usage(error.message(), msg!("cli-no-report-help"));
    let failures = read_failures(&path).map_err(unreadable)?;
    let variant = arguments.variant.as_deref().map(|name| known_variant(&failures, name)).transpose()?;
    let mut clusters = failures.clusters(variant);
    if arguments.label {
        let (settings, seat) = seat(context, &failures, arguments)?;
        if !clusters.clusters.is_empty() && label(context, terminal, &settings, &seat, &mut clusters)?.is_none() {
            return Ok(exit::INTERRUPTED);
        }
    }
    terminal.json(|| serde_json::to_value(&clusters).unwrap_or_default());
    terminal.text(&failures_text(&clusters, report::show(terminal, super::eval::Style::Eval)));
    Ok(exit::OK)
}

fn known_variant<'f>(failures: &'f Failures, name: &str) -> Result<&'f str, Failure> {
    failures.variant(name).ok_or_else(|| {
        let names: Vec<String> = failures.variants().iter().map(|name| format!("`{name}`")).collect();
        let help = msg!("cli-gold-variants", variants = names.join(", "));
        Failure::usage(msg!("cli-gold-no-variant", variant = name), help)
    })
}

/// Who names clusters: the judge that is asked for, else that of the executor which answered.
fn seat(context: &Context, failures: &Failures, arguments: &FailuresArgs) -> Result<(Settings, Seat), Failure> {
    let written = Written {
        executor: Some(executor(context, failures, arguments)?),
        judge_models: arguments.judge_model.clone().map(|model| vec![model]),
        judge_executor: arguments.judge_executor.clone().map(Some),
        ..Written::default()
    };
    let settings = written.resolve();
    let prices = Arc::new(project::prices(context)?);
    let build = Build { context, settings: &settings, prices };
    let found = seats(&settings, None, &build).map_err(|(name, error)| Failure::Executor {
        place: None,
        meant: project::meant(&error, &name),
        error,
        judging: true,
    })?;
    let seat = found.into_iter().next().ok_or_else(no_judge)?;
    Ok((settings, seat))
}

/// The executor whose judge is asked where none is named. What was replayed can't be asked anything new.
fn executor(context: &Context, failures: &Failures, arguments: &FailuresArgs) -> Result<String, Failure> {
    let of_model = || arguments.judge_model.as_deref()?.split_once(':').map(|(executor, _)| executor);
    let of_model = || of_model().filter(|name| eval_exec::named(name).is_some());
    let named = arguments.judge_executor.as_deref().or_else(of_model).or_else(|| context.var("OMK_EXECUTOR"));
    let named = named.unwrap_or(failures.executor());
    match eval_exec::kind(named) {
        Kind::Recordings => Err(no_judge()),
        Kind::Agent | Kind::Model | Kind::Program => Ok(named.to_owned()),
    }
}

fn no_judge() -> Failure {
    Failure::usage(msg!("cli-failures-no-judge"), msg!("cli-failures-no-judge-help"))
}

/// Asks for names and writes them into the clusters; `None` when it was interrupted.
fn label(
    context: &Context,
    terminal: &Terminal,
    settings: &Settings,
    seat: &Seat,
    clusters: &mut FailureClusters,
) -> Result<Option<()>, Failure> {
    let nowhere = tempfile::tempdir().map_err(Failure::io(msg!("cli-runtime")))?;
    let asked = clusters.clusters.len().min(NAMED);
    terminal.note(&msg!("cli-failures-asking", judge = &seat.label, count = asked));
    let limits = Limits {
        concurrency: AT_ONCE,
        retry: Retry::infrastructure(settings.retry),
        outage: Outage::EndsTheRun,
        rpm: settings.rpm,
        tpm: settings.tpm,
        budget: Budget::default(),
    };
    let guard = Arc::new(Guard::new(limits, Stop::new(), 0, context.clock));
    let guarded = Guarded::new(Arc::clone(&seat.executor), guard, None, seat.kind.is_remote());
    let judge = Judge {
        label: seat.label.clone(),
        executor: Arc::new(guarded),
        model: seat.model.clone(),
        // An agent shall see nothing of the project.
        cwd: (seat.kind == Kind::Agent).then(|| nowhere.path().to_owned()),
    };
    let panel = Panel {
        judges: vec![judge],
        repeat: 1,
        debias_length: settings.debias_length,
        timeout: Duration::from_millis(settings.timeout_ms),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::io(msg!("cli-runtime")))?;
    let named = runtime.block_on(async {
        let all = names(&panel, context.lang, &clusters.clusters[..asked]);
        tokio::select! {
            named = all => Some(named),
            _ = tokio::signal::ctrl_c() => None,
        }
    });
    Ok(named.map(|named| write(clusters, &seat.label, named)))
}

/// How many requests really go at once is for the guard to say.
async fn names(panel: &Panel, lang: Lang, clusters: &[FailureCluster]) -> Vec<ClusterName> {
    let tasks: Vec<_> = clusters
        .iter()
        .map(material)
        .map(|(checks, answers)| {
            let panel = panel.clone();
            tokio::spawn(async move { eval_grade::name_cluster(&panel, lang, &checks, &answers).await })
        })
        .collect();
    let mut named = Vec::with_capacity(tasks.len());
    for task in tasks {
        named.push(task.await.unwrap_or_else(|_| lost()));
    }
    named
}

/// A task that broke named nothing, and what it cost is not known.
fn lost() -> ClusterName {
    ClusterName { name: Err(msg!("cli-runtime")), requests: 0, cost_usd: None }
}

fn material(cluster: &FailureCluster) -> (Vec<String>, Vec<String>) {
    let checks = cluster.checks.iter().map(|check| check.label.clone()).collect();
    let answers = cluster.examples.iter().map(|example| example.output.clone()).collect();
    (checks, answers)
}

fn write(clusters: &mut FailureClusters, judge: &str, named: Vec<ClusterName>) {
    let costs = named.iter().map(|one| one.cost_usd.map(|usd| usd.0));
    clusters.labels = Some(Labelling {
        judge: judge.to_owned(),
        asked: u64::try_from(named.len()).unwrap_or(u64::MAX),
        named: u64::try_from(named.iter().filter(|one| one.name.is_ok()).count()).unwrap_or(u64::MAX),
        cost_usd: costs.sum(),
    });
    for (cluster, one) in clusters.clusters.iter_mut().zip(named) {
        match one.name {
            Ok(name) => cluster.label = Some(name),
            Err(why) => cluster.label_missing = Some(why.into()),
        }
    }
}
