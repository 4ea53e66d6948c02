//! The samples that are left out of a comparison, and why.

use eval_format::{Comparison, Excluded};

/// Runs of samples, of the first `most`, that are left out for the same reason.
pub(crate) fn excluded_groups(of: &Comparison, most: usize) -> impl Iterator<Item = &[Excluded]> {
    let listed = &of.excluded[..of.excluded.len().min(most)];
    listed.chunk_by(|a, b| a.variants == b.variants && a.why_keys == b.why_keys)
}
