//! The parts of a report that don't follow from its results alone, checked by rules between the parts.
//!
//! | part | taken as stored | by rule |
//! |---|---|---|
//! | `meta` | what was run, how, by whom | counts, names, sums of what was paid |
//! | `gold` | people's scores | counts, intervals around their estimates, what judges alone say |
//! | `analysis.sampleQuality` | cases that rest on texts | severities, weights, points, score |
//! | `analysis.gap`, `analysis.coverage` | what traces tell | |
//! | `incompleteDetail`, texts | keys and arguments | the English text beside each key |

use eval_analysis::measure::snap;
use eval_analysis::recomputing::{self, Beside, Grid, Paid};
use eval_analysis::sample_quality;
use eval_format::{Analysis, MeasureSettings, ReportMeta, Spent, TestSet, VariantSummary};

/// Prompts of this program by name, and whether they tell judges that length is no quality.
const TEMPLATES: [(&str, bool); 4] =
    [("v3-cot-length", true), ("v3-pairwise-length", true), ("v2-cot", false), ("v2-pairwise", false)];

/// The parts that depend on more than results (the samples' texts, people's scores), recomputed from what is stored of
/// them.
pub(super) fn beside(stored: &Analysis, grid: &Grid, labels: &[String]) -> Beside {
    let judges = stored.meta.judge_models.as_slice();
    Beside {
        gold: stored.gold.as_ref().map(|of| recomputing::gold(of, grid, labels, judges)),
        quality: sample_quality::again(&stored.analysis.sample_quality, grid),
        cached: stored.cached_control.clone(),
        gaps: stored.analysis.gap.clone(),
        coverage: stored.analysis.coverage.clone(),
    }
}

/// Completes the recomputed report with parts that depend on stored values. `ids` are those of the results.
pub(super) fn settle(stored: &Analysis, again: &mut Analysis, ids: &[String]) {
    again.meta = meta(stored, again, ids);
    again.incomplete_detail.clone_from(&stored.incomplete_detail);
    let quality = &mut again.analysis.sample_quality;
    let samples = stored.summary.values().next().map_or(quality.samples, |summary| summary.total_samples);
    // the samples that no look read are samples all the same
    quality.samples = stored.stopping.as_ref().map_or(samples, |of| of.samples_planned + of.samples_left);
    sample_quality::settle(quality);
}

fn meta(stored: &Analysis, again: &Analysis, ids: &[String]) -> ReportMeta {
    let (was, is) = (&stored.meta, &again.meta);
    let hash = |id: &String| (id.clone(), was.sample_hashes.get(id).unwrap_or(id).clone());
    let has_labels = was.variants.iter().all(|name| name.starts_with("Variant "));
    let whole = whole(stored);
    ReportMeta {
        variants: is.variants.clone(),
        judge_model: is.judge_model.clone(),
        sample_count: is.sample_count,
        earlier_comparisons: is.earlier_comparisons,
        scores_hashes: is.scores_hashes.clone(),
        task_count: is.task_count,
        total_cost_usd: whole.total_usd,
        known_cost_usd: whole.known_usd,
        judge_cost: was.judge_cost.or_else(|| (!was.judge_models.is_empty()).then_some(UNKNOWN)).map(total),
        sample_hashes: ids.iter().map(hash).collect(),
        test_set: TestSet { sample_count: is.test_set.sample_count, ..was.test_set.clone() },
        settings: MeasureSettings {
            blind: was.settings.blind && has_labels,
            debias_length: debias_length(stored),
            ..was.settings.clone()
        },
        ..was.clone()
    }
}

/// As the prompts' names tell, where they are this program's.
fn debias_length(stored: &Analysis) -> bool {
    let asked = stored.meta.settings.debias_length;
    let templates = stored.meta.judge_template.iter().chain(stored.pairwise.iter().map(|of| &of.template));
    let first = templates.into_iter().find(|name| !name.is_empty());
    let known = first.and_then(|name| TEMPLATES.iter().find(|(known, _)| known == name));
    known.map_or(asked, |(_, is_told)| *is_told)
}

/// What the whole run cost: the sum of the variants' and the judges'.
fn whole(stored: &Analysis) -> Spent {
    let meta = &stored.meta;
    let paid = |of: &VariantSummary| Paid { known: of.known_cost_usd, complete: of.total_cost_usd.is_some() };
    let variants = stored.summary.values().map(paid).fold(Paid::NOTHING, Paid::plus);
    let asked = [meta.judge_cost, meta.hedging_classifier.as_ref().map(|of| of.cost)];
    let sum = asked.into_iter().flatten().fold(variants, |sum, cost| sum.plus(cost.into()));
    Spent { total_usd: sum.total(), known_usd: snap(sum.known) }
}

/// A cost of which nothing is known.
pub(super) const UNKNOWN: Spent = Spent { total_usd: None, known_usd: 0.0 };

/// A total is unknown, or the known part is all of it.
pub(super) fn total(of: Spent) -> Spent {
    Spent { total_usd: of.total_usd.map(|_| of.known_usd), ..of }
}
