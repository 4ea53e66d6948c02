//! What a blind reader judges: all answers to a sample at once, so that none of them is met again, and in which order.

use eval_format::Seal;
use eval_spec::hash::sha256_hex;

use super::OpenComparison;

/// The answers to one sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSet {
    /// The sample's place among the results.
    pub place: usize,
    /// The sample.
    pub sample: String,
    /// The variants that answered, in the order in which their answers are shown.
    pub variants: Vec<String>,
}

/// All of them, in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct AnswerSets {
    /// The sets.
    pub sets: Vec<AnswerSet>,
    /// Samples that fewer than two variants answered: they have nothing to compare.
    pub left_out: usize,
}

impl AnswerSets {
    /// Both orders are drawn from the seal's key, sample by sample.
    #[must_use]
    pub fn of(of: &OpenComparison, seal: &Seal) -> AnswerSets {
        let draw = |what: &str, sample: &str| sha256_hex(format!("{}/{what}/{sample}", seal.key).as_bytes());
        let set = |(place, row): (usize, &eval_render::run_page::SampleRow)| {
            let answered = of.analysis.meta.variants.iter().enumerate().zip(row.answered());
            let mut variants: Vec<(usize, &String)> = answered.filter(|(_, has)| **has).map(|(of, _)| of).collect();
            variants.sort_by_cached_key(|(at, _)| draw(&format!("side/{at}"), &row.id));
            AnswerSet {
                place,
                sample: row.id.clone(),
                variants: variants.into_iter().map(|(_, name)| name.clone()).collect(),
            }
        };
        let all = of.rows.iter().enumerate().map(set);
        let (mut sets, others): (Vec<_>, Vec<_>) = all.partition(|set| set.variants.len() > 1);
        sets.sort_by_cached_key(|set| draw("order", &set.sample));
        AnswerSets { sets, left_out: others.len() }
    }
}
