//! The samples that two reports have in common, and their scores side by side.

use std::collections::{BTreeMap, BTreeSet};

use eval_analysis::measure::{Counting, snap};
use eval_message::{Message, msg};
use eval_spec::Layer;

use super::same::SampleSets;
use super::sides::{Slim, SlimReport, SlimSample, alike};

/// Whether the sample is held out in one of the reports.
pub(super) fn is_held_out((a, b): &CommonSample) -> bool {
    a.holdout || b.holdout
}

/// The same sample in both reports.
pub(super) type CommonSample<'r> = (&'r SlimSample, &'r SlimSample);

/// The samples that are the same in both and count, in the order of B; and those that were only under way when a run was
/// decided.
pub(super) fn common<'r>(
    a: &'r SlimReport,
    b: &'r SlimReport,
    sets: &SampleSets,
) -> (Vec<CommonSample<'r>>, Vec<String>) {
    let left_out: BTreeSet<&str> = sets.changed.iter().chain(&sets.added).map(String::as_str).collect();
    let of_a: BTreeMap<&str, &SlimSample> = a.results.iter().map(|of| (of.sample_id.as_str(), of)).collect();
    let counting = [Counting::of(a), Counting::of(b)];
    let both = b.results.iter().filter(|of| !left_out.contains(of.sample_id.as_str()));
    let both = both.filter_map(|of| Some((*of_a.get(of.sample_id.as_str())?, of)));
    let both = both.filter(|(a, b)| !a.tripwire && !b.tripwire);
    let is_beyond = |(_, of): &CommonSample| counting.iter().any(|counting| counting.is_beyond(&of.sample_id));
    let (beyond, common): (Vec<CommonSample>, Vec<CommonSample>) = both.partition(is_beyond);
    (common, beyond.into_iter().map(|(_, of)| of.sample_id.clone()).collect())
}

/// B − A, one place per common sample; empty where the sample is no pair.
pub(super) struct Columns {
    pub(super) composite: Vec<Option<f64>>,
    pub(super) layers: [Vec<Option<f64>>; 3],
    pub(super) why: Vec<Option<Message>>,
}

impl Columns {
    pub(super) fn of(common: &[CommonSample], a: &str, b: &str) -> Columns {
        let mut columns = Columns { composite: Vec::new(), layers: Default::default(), why: Vec::new() };
        for (of_a, of_b) in common {
            let both = of_a.variants.get(a).zip(of_b.variants.get(b));
            let pair = both.ok_or_else(|| msg!("report-missing-not-run")).and_then(|(a, b)| pair(a, b));
            columns.composite.push(pair.as_ref().ok().copied());
            columns.why.push(pair.err());
            for (layer, column) in Layer::ALL.into_iter().zip(&mut columns.layers) {
                let both = both.filter(|(a, b)| alike(a, b, Some(layer)));
                column.push(both.and_then(|(a, b)| Some(snap(b.layer(layer)? - a.layer(layer)?))));
            }
        }
        columns
    }
}

/// B − A of the composite, or why there is none.
fn pair(a: &Slim, b: &Slim) -> Result<f64, Message> {
    let (of_a, of_b) = (a.composite().ok_or_else(|| a.why())?, b.composite().ok_or_else(|| b.why())?);
    match alike(a, b, None) {
        true => Ok(snap(of_b - of_a)),
        false => Err(msg!("report-diff-unlike")),
    }
}
