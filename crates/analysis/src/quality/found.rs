//! The findings of the sample checks, before they are written into a report.

use eval_message::Message;
use eval_spec::{Sample, Suite};

/// The most terminal columns of a quoted text.
pub(super) const EXCERPT: usize = 60;

/// The finding of one check.
pub(super) struct SampleFinding {
    pub(super) affected: usize,
    pub(super) checked: usize,
    /// The gravest first.
    pub(super) items: Vec<Item>,
}

impl SampleFinding {
    /// A finding of which each case affects one of what was checked.
    pub(super) fn each(items: Vec<Item>, checked: usize) -> SampleFinding {
        SampleFinding { affected: items.len(), checked, items }
    }
}

/// One case, by the samples' places.
pub(super) struct Item {
    pub(super) samples: Vec<usize>,
    pub(super) value: Option<f64>,
    pub(super) detail: Message,
}

/// The samples that count, with their places.
pub(super) fn counted(suite: &Suite) -> impl Iterator<Item = (usize, &Sample)> + Clone {
    suite.samples.iter().enumerate().filter(|(_, sample)| !sample.tripwire)
}
