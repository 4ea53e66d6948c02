//! The samples that two reports have in common, and their scores side by side.

use eval_analysis::measure::{Clusters, Counting, average, snap};
use eval_message::{Message, msg};
use eval_spec::Layer;

use super::same::CommonSample;
use super::sides::{Slim, SlimReport, same_checks};

/// Whether the sample is held out in one of the reports.
pub(super) fn is_held_out((a, b): &CommonSample) -> bool {
    a.holdout || b.holdout
}

/// The samples that count in both reports, and the ids of those that only a run beyond its decision reached.
pub(super) fn counting<'r>(
    a: &SlimReport,
    b: &SlimReport,
    common: Vec<CommonSample<'r>>,
) -> (Vec<CommonSample<'r>>, Vec<String>) {
    let counting = [Counting::of(a), Counting::of(b)];
    let is_beyond = |(_, of): &CommonSample| counting.iter().any(|counting| counting.is_beyond(&of.sample_id));
    let measured = common.into_iter().filter(|(a, b)| !a.tripwire && !b.tripwire);
    let (beyond, common): (Vec<CommonSample>, Vec<CommonSample>) = measured.partition(is_beyond);
    (common, beyond.into_iter().map(|(_, of)| of.sample_id.clone()).collect())
}

/// The tasks among the common samples: samples that are in one cluster in both reports are one.
pub(super) fn tasks(common: &[CommonSample]) -> Clusters {
    Clusters::named(common.iter().map(|(a, b)| a.cluster.as_deref().zip(b.cluster.as_deref())))
}

/// The mean over the tasks that have a value.
pub(super) fn task_average(tasks: &Clusters, column: &[Option<f64>]) -> Option<f64> {
    average(&tasks.tasks(column).into_iter().flatten().collect::<Vec<_>>())
}

/// B − A of each common sample; `None` where one side has no score, or the scores rest on different checks.
pub(super) struct Columns {
    pub(super) composite: Vec<Option<f64>>,
    pub(super) layers: [Vec<Option<f64>>; 3],
    pub(super) why: Vec<Option<Message>>,
}

impl Columns {
    /// The differences task by task.
    pub(super) fn of_tasks(&self, tasks: &Clusters) -> Columns {
        Columns {
            composite: tasks.tasks(&self.composite),
            layers: self.layers.each_ref().map(|layer| tasks.tasks(layer)),
            why: Vec::new(),
        }
    }

    pub(super) fn of(common: &[CommonSample], a: &str, b: &str) -> Columns {
        let mut columns = Columns { composite: Vec::new(), layers: Default::default(), why: Vec::new() };
        for (of_a, of_b) in common {
            let both = of_a.variants.get(a).zip(of_b.variants.get(b));
            let pair = both.ok_or_else(|| msg!("report-missing-not-run")).and_then(|(a, b)| pair(a, b));
            columns.composite.push(pair.as_ref().ok().copied());
            columns.why.push(pair.err());
            for (layer, column) in Layer::ALL.into_iter().zip(&mut columns.layers) {
                let both = both.filter(|(a, b)| same_checks(a, b, Some(layer)));
                column.push(both.and_then(|(a, b)| Some(snap(b.layer(layer)? - a.layer(layer)?))));
            }
        }
        columns
    }
}

/// B − A of the composite, or why there is none.
fn pair(a: &Slim, b: &Slim) -> Result<f64, Message> {
    let (of_a, of_b) = (a.composite().ok_or_else(|| a.why())?, b.composite().ok_or_else(|| b.why())?);
    match same_checks(a, b, None) {
        true => Ok(snap(of_b - of_a)),
        false => Err(msg!("report-diff-unlike")),
    }
}
