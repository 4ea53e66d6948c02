//! The clusters of failures, for a terminal.

use crate::minus::percent;
use eval_history::FailureClusters;
use eval_history::failures::{ClusteredBy, FailingCheck, FailureCluster};
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::units::Usd;
use owo_colors::Style;

use super::TerminalPage;
use crate::document::text::{LISTED, NAME, and_more, harmless, id, name, tied};
use crate::show::Show;

/// Clusters and checks that are shown.
const CLUSTERS: usize = 10;
const CHECKS: usize = 3;
/// Columns of an answer.
const OUTPUT: usize = 200;

/// Returns the failures, how often they occur, and for which variant.
#[must_use]
pub fn failures_text(clusters: &FailureClusters, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    page.title(&headline(clusters));
    page.line(2, &msg!("failures-rule", threshold = clusters.threshold.to_string()));
    for message in aside(clusters) {
        page.line(2, &message);
    }
    for (number, cluster) in clusters.clusters.iter().take(CLUSTERS).enumerate() {
        page.gap();
        one(&mut page, number + 1, cluster);
    }
    let more = usize::try_from(clusters.total_clusters).unwrap_or(usize::MAX).saturating_sub(CLUSTERS);
    if more > 0 {
        page.gap();
        page.line(0, &msg!("failures-more", count = more));
    }
    if let Some(labels) = &clusters.labels {
        page.gap();
        let cost = match labels.cost_usd {
            Some(usd) => Usd(usd).to_string(),
            None => show.text(&msg!("failures-cost-unknown")),
        };
        let judge = clip(&labels.judge, NAME);
        page.line(0, &msg!("failures-labels", judge = judge, named = labels.named, asked = labels.asked, cost = cost));
    }
    page.text
}

fn headline(clusters: &FailureClusters) -> Message {
    match (&clusters.variant, clusters.failed) {
        (None, 0) => msg!("failures-none", results = clusters.results),
        (Some(variant), 0) => msg!("failures-none-of", results = clusters.results, variant = clip(variant, NAME)),
        (None, failed) => msg!("failures-title", failed = failed, results = clusters.results),
        (Some(variant), failed) => {
            msg!("failures-title-of", failed = failed, results = clusters.results, variant = clip(variant, NAME))
        }
    }
}

/// Returns what is in no cluster.
fn aside(of: &FailureClusters) -> impl Iterator<Item = Message> {
    [
        (of.unscored > 0).then(|| msg!("failures-unscored", count = of.unscored)),
        (of.not_run > 0).then(|| msg!("failures-not-run", count = of.not_run)),
        (of.not_needed > 0).then(|| msg!("failures-not-needed", count = of.not_needed)),
        (of.tripwires > 0).then(|| msg!("failures-tripwires", count = of.tripwires)),
        (of.held_out > 0).then(|| msg!("failures-held-out", count = of.held_out)),
        (of.beyond > 0).then(|| msg!("failures-beyond", count = of.beyond)),
    ]
    .into_iter()
    .flatten()
}

fn one(page: &mut TerminalPage, number: usize, cluster: &FailureCluster) {
    let show = page.show;
    let what = match cluster.by {
        ClusteredBy::Failure => msg!("failures-by-failure"),
        ClusteredBy::Checks => msg!("failures-by-checks"),
        ClusteredBy::Outputs => msg!("failures-by-outputs"),
        ClusteredBy::Check => msg!("failures-by-check"),
        ClusteredBy::Types => {
            let types: Vec<String> = cluster.types.iter().take(LISTED).map(|kind| clip(kind, NAME)).collect();
            msg!("failures-by-types", types = types)
        }
    };
    let head =
        msg!("failures-cluster", number = number, count = cluster.count, share = percent(cluster.share), what = what);
    let head = match &cluster.label {
        Some(label) => msg!("failures-labelled", head = head, label = clip(label, 60)),
        None => head,
    };
    page.raw(0, &show.painted(&show.text(&head), Style::new().bold()));
    for check in cluster.checks.iter().take(CHECKS) {
        page.raw(3, &check_text(show, check, cluster));
    }
    let more = usize::try_from(cluster.total_checks).unwrap_or(usize::MAX).saturating_sub(CHECKS);
    if more > 0 {
        page.line(3, &msg!("failures-more-checks", count = more));
    }
    by_variant(page, cluster);
    let ids = cluster.sample_ids.iter().take(LISTED).map(|sample| id(sample));
    let more = usize::try_from(cluster.samples).unwrap_or(usize::MAX).saturating_sub(ids.len());
    page.line(3, &msg!("failures-samples", count = cluster.samples, list = and_more(ids, more)));
    example(page, cluster);
    if let Some(why) = &cluster.label_missing {
        page.line(3, &msg!("failures-no-label", why = harmless(&why.message_key)));
    }
}

/// A check, with how often it failed where that isn't always.
fn check_text(show: Show, check: &FailingCheck, cluster: &FailureCluster) -> String {
    let label = clip(&check.label, 70);
    match check.count == cluster.count {
        true => format!("- {label}"),
        false => format!("- {}", show.text(&msg!("failures-check", check = label, count = check.count))),
    }
}

/// Which variant has it, and what a treatment changes: that is what can be acted on.
fn by_variant(page: &mut TerminalPage, cluster: &FailureCluster) {
    if cluster.variants.len() > 1 {
        let each = cluster.variants.iter().map(|(variant, count)| tied(name(variant, NAME), count.to_string()));
        page.line(3, &msg!("failures-variants", list = each.collect::<Vec<_>>()));
    }
    for moved in &cluster.compared {
        let (new, fixed) = (moved.new, moved.fixed);
        let (common, treatment) = (moved.common, clip(&moved.treatment, NAME));
        let message = match () {
            () if new > fixed => {
                msg!("failures-new", treatment = treatment, new = new, fixed = fixed, common = common)
            }
            () if new < fixed => {
                msg!("failures-fixed", treatment = treatment, new = new, fixed = fixed, common = common)
            }
            () => msg!("failures-common", treatment = treatment, new = new, fixed = fixed, common = common),
        };
        page.line(3, &message);
    }
}

fn example(page: &mut TerminalPage, cluster: &FailureCluster) {
    let Some(example) = cluster.examples.first() else { return };
    let (sample, variant) = (id(&example.sample_id), clip(&example.variant, NAME));
    let output = clip(&example.output, OUTPUT);
    let output = if output.is_empty() { page.show.text(&msg!("failures-empty")) } else { output };
    let message = match cluster.alike {
        0 => msg!("failures-example", sample = sample, variant = variant, output = output),
        alike => {
            msg!("failures-example-alike", sample = sample, variant = variant, alike = alike, output = output)
        }
    };
    page.line(3, &message);
}
