//! Sets for blind judging: all answers to a sample at once, so that none is seen twice, in random order.

use eval_format::Seal;
use eval_spec::hash::sha256_hex;

use super::OpenComparison;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSet {
    /// Index of the sample.
    pub place: usize,
    /// Id of the sample.
    pub sample: String,
    /// Variants that answered, in the order in which their answers are shown.
    pub variants: Vec<String>,
}

/// All sets, in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct AnswerSets {
    pub sets: Vec<AnswerSet>,
    /// Number of samples that fewer than two variants answered, which have nothing to compare.
    pub left_out: usize,
}

impl AnswerSets {
    /// Draws both orders from the seal's key.
    #[must_use]
    pub fn draw(comparison: &OpenComparison, seal: &Seal) -> AnswerSets {
        let hash = |what: &str, sample: &str| sha256_hex(format!("{}/{what}/{sample}", seal.key).as_bytes());
        let set = |(place, row): (usize, &eval_render::run_page::SampleRow)| {
            let answered = comparison.analysis.meta.variants.iter().enumerate().zip(row.answered());
            let mut variants: Vec<(usize, &String)> =
                answered.filter(|(_, has)| **has).map(|(variant, _)| variant).collect();
            variants.sort_by_cached_key(|(index, _)| hash(&format!("side/{index}"), &row.id));
            AnswerSet {
                place,
                sample: row.id.clone(),
                variants: variants.into_iter().map(|(_, name)| name.clone()).collect(),
            }
        };
        let all = comparison.rows.iter().enumerate().map(set);
        let (mut sets, others): (Vec<_>, Vec<_>) = all.partition(|set| set.variants.len() > 1);
        sets.sort_by_cached_key(|set| hash("order", &set.sample));
        AnswerSets { sets, left_out: others.len() }
    }
}
