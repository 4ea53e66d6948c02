//! `omk failures`: what goes wrong in a stored report, clustered; names by a model on request.

use std::sync::Arc;

use eval_cli::signals::Signals;
use eval_cli::{CommandError, Terminal, exit};
use eval_grade::{ClusterName, Panel};
use eval_history::failures::{CLUSTERS, FailureCluster, Labelling};
use eval_history::{FailureClusters, Failures, read_failures};
use eval_message::{Lang, Message, msg};
use eval_render::failures_text;
use eval_run::{Guard, Stop};
use eval_spec::Context;
use eval_spec::units::Usd;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::one_judge::{AT_ONCE, OneJudge, OneJudgeChoice, code, runtime};
use crate::cli::FailuresArgs;

/// Clusters that a model is asked to name, the largest first: those that a terminal shows.
const NAMED: usize = 10;
const _: () = assert!(NAMED <= CLUSTERS);

/// Reads, clusters, shows. It exits with 0 once the report is read: only the verdict judges how many failures are too many.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &FailuresArgs) -> Result<u8, CommandError> {
    let path = arguments.stored.find(terminal, context)?;
    let unreadable = |error: eval_format::ReportError| CommandError::usage(error.message(), msg!("cli-no-report-help"));
    let failures = read_failures(&path).map_err(unreadable)?;
    let variant = arguments.variant.as_deref().map(|name| known_variant(&failures, name)).transpose()?;
    let (mut clusters, mut ended) = (failures.clusters(variant), exit::OK);
    if arguments.label {
        let judge = OneJudge::new(
            context,
            &OneJudgeChoice {
                executor: Some(failures.executor()),
                judge_model: arguments.judge_model.as_deref(),
                judge_executor: arguments.judge_executor.as_deref(),
                budget_usd: arguments.budget_usd,
                no_cache: arguments.no_cache,
            },
        )?;
        if !clusters.clusters.is_empty() {
            ended = label(context, terminal, &judge, &mut clusters)?;
        }
    }
    terminal.json(|| serde_json::to_value(&clusters).unwrap_or_default());
    terminal.text(&failures_text(&clusters, terminal.show()));
    Ok(ended)
}

fn known_variant<'f>(failures: &'f Failures, name: &str) -> Result<&'f str, CommandError> {
    failures.variant(name).ok_or_else(|| {
        let names: Vec<String> = failures.variants().iter().map(|name| format!("`{name}`")).collect();
        let help = msg!("cli-gold-variants", variants = names.join(", "));
        CommandError::usage(msg!("cli-gold-no-variant", variant = name), help)
    })
}

/// Asks for names and writes them into the clusters until done or interrupted; returns the exit code. Each name is cached
/// as it arrives: a second call doesn't pay for it again.
fn label(
    context: &Context,
    terminal: &Terminal,
    judge: &OneJudge,
    clusters: &mut FailureClusters,
) -> Result<u8, CommandError> {
    let asked = clusters.clusters.len().min(NAMED);
    terminal.note(&msg!("cli-failures-asking", judge = judge.label(), count = asked));
    let stop = Stop::new();
    let through = judge.panel(context, &stop, eval_grade::is_usable_name)?;
    let asking = names(&through.panel, context.lang, &clusters.clusters[..asked], &stop);
    let (named, interrupted) = runtime()?.block_on(asking)?;
    write(clusters, judge.label(), named, &through.guard);
    if interrupted {
        terminal.error(&msg!("cli-failures-interrupted"), None);
    }
    Ok(code(interrupted))
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
