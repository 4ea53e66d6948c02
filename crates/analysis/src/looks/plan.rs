//! When a run is looked at, and how strictly: fixed before it begins.

use std::collections::HashSet;

use eval_message::number::risk;
use eval_message::{Message, msg};
use eval_spec::Suite;
use eval_spec::plan::Plan;
use eval_spec::record::EarlierLook;
use eval_stats::{PlannedLook, PlannedLooks};

use super::before;
use crate::clusters::{Clusters, TasksInOrder};
use crate::quality::AlikeSamples;
use crate::strictness::Risk;

/// The looks of a run.
#[derive(Clone, Debug)]
pub(crate) struct LookPlan {
    pub(crate) planned: PlannedLooks,
    /// Whether some tasks have several samples.
    is_by_task: bool,
}

impl LookPlan {
    /// `None` where no looks are planned, or there is nothing to compare. Treatments share the risk equally.
    pub(crate) fn of(suite: &Suite, clusters: &Clusters, risk: Risk) -> Option<LookPlan> {
        let looks = suite.settings.planned_looks()?;
        let treatments = suite.variants.len().checked_sub(1).filter(|treatments| *treatments > 0)?;
        let counted: Vec<usize> = (0..suite.samples.len()).filter(|sample| !suite.samples[*sample].tripwire).collect();
        let most = suite.settings.max_samples.and_then(|most| usize::try_from(most).ok());
        let all = clusters.count(counted.iter().copied());
        let tasks = all.min(most.unwrap_or(usize::MAX));
        #[expect(clippy::cast_precision_loss, reason = "a few treatments")]
        let each = risk.alpha / 2.0 / treatments as f64;
        let planned = PlannedLooks::new(tasks, looks, each, risk.unseen)?;
        Some(LookPlan { planned, is_by_task: all < counted.len() })
    }

    /// The last look that so many tasks are enough for; the first one where they are enough for none.
    pub(super) fn reached(&self, tasks: usize) -> PlannedLook {
        let reached = self.planned.all().iter().rev().find(|look| look.samples <= tasks);
        reached.or(self.planned.all().first()).copied().unwrap_or_else(|| self.planned.last())
    }

    pub(super) fn message(&self) -> Message {
        let looks = self.planned.all();
        let list = |of: &dyn Fn(&PlannedLook) -> String| looks.iter().map(of).collect::<Vec<_>>().join(", ");
        msg!(
            "report-stopping-rule",
            looks = looks.len(),
            counts = list(&|look| look.samples.to_string()),
            of = if self.is_by_task { "tasks" } else { "samples" },
            risks = list(&|look| risk(look.tail))
        )
    }
}

/// The text of `--dry-run` about planned looks, after earlier ones.
pub fn outlook(suite: &Suite, alike: &AlikeSamples, earlier: &[EarlierLook]) -> Option<Message> {
    let plan = LookPlan::of(suite, &Clusters::new(suite, &alike.0), Risk::of(before::inputs(earlier)))?;
    Some(plan.message())
}

/// The samples that each look reads beyond those of the look before, in the order of the plan; none where no looks are
/// planned. Tripwires are in none.
pub fn looked_at(suite: &Suite, alike: &AlikeSamples, plan: &Plan) -> Vec<Vec<usize>> {
    let clusters = Clusters::new(suite, &alike.0);
    let Some(looks) = LookPlan::of(suite, &clusters, Risk::default()) else { return Vec::new() };
    let (mut tasks, mut done, mut seen) = (TasksInOrder::new(clusters), 0, HashSet::new());
    let mut of_looks = vec![Vec::new()];
    let in_order = plan.cells.iter().map(|cell| cell.sample);
    let counted = |sample: &usize| !suite.samples[*sample].tripwire && seen.insert(*sample);
    let sizes: Vec<usize> = looks.planned.all().iter().map(|look| look.samples).collect();
    for sample in in_order.filter(counted) {
        if done == sizes[of_looks.len() - 1] {
            if of_looks.len() == sizes.len() {
                break;
            }
            of_looks.push(Vec::new());
        }
        if let Some(look) = of_looks.last_mut() {
            look.push(sample);
        }
        done += usize::from(!tasks.completed_by(sample).is_empty());
    }
    of_looks
}

/// The text of `--dry-run` about earlier looks at the same artifacts; `None` where there are none.
pub fn earlier_looks_note(earlier: &[EarlierLook]) -> Option<Message> {
    let looks = before::inputs(earlier)?;
    let changed = if looks.same_samples < looks.number { "yes" } else { "no" };
    let left_out = risk(Risk::of(Some(looks)).alpha / 2.0);
    Some(msg!("report-why-look", number = looks.number, changed = changed, risk = left_out))
}
