//! The pairs of answers that a blind reader compares: in which order they come, and which answer is on which side.

use eval_format::Seal;
use eval_spec::hash::{sha256_hex, short_hash};

use super::OpenComparison;

/// Two answers to one sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPair {
    /// The sample's place among the results.
    pub place: usize,
    /// The sample.
    pub sample: String,
    /// The variants, the one on the left first.
    pub sides: [String; 2],
    /// The treatment among them.
    pub treatment: usize,
}

/// All pairs, in the order in which they are shown. Both are drawn from the seal's key, sample by sample.
#[must_use]
pub fn answer_pairs(of: &OpenComparison, seal: &Seal) -> Vec<DrawnPair> {
    let Some((control, treatments)) = of.analysis.meta.variants.split_first() else { return Vec::new() };
    let drawn =
        |what: &str, sample: &str, at: usize| sha256_hex(format!("{}/{what}/{at}/{sample}", seal.key).as_bytes());
    let mut all: Vec<(String, DrawnPair)> = Vec::new();
    for (place, row) in of.rows.iter().enumerate().filter(|(_, row)| row.is_answered()) {
        for (at, treatment) in treatments.iter().enumerate() {
            let is_left = drawn("side", &row.id, at).as_bytes().first().is_some_and(|digit| *digit < b'8');
            let sides = if is_left { [treatment, control] } else { [control, treatment] };
            let pair = DrawnPair {
                place,
                sample: row.id.clone(),
                sides: sides.map(String::clone),
                treatment: usize::from(!is_left),
            };
            all.push((drawn("order", &row.id, at), pair));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.into_iter().map(|(_, pair)| pair).collect()
}

/// What a page says of the seal that it was made under: answers to it are told from those to another one.
#[must_use]
pub fn round_of(seal: &Seal) -> String {
    short_hash(format!("round/{}", seal.key).as_bytes(), 12)
}
