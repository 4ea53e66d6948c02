//! Heads among a thousand fair coins and more from one random word.
//!
//! `Binomial(m, ½)` for four sizes of block, by the alias method (Walker 1977; Vose 1991, "A linear algorithm for generating
//! random numbers with a given distribution"); the sum over blocks is the binomial of all coins. Heads further than ten
//! standard deviations from `m/2` are left out: they have a chance of 4e-22. The chances follow from each other by
//! `P(h + 1) = P(h) · (m − h)/(h + 1)`, one multiplication and one division each, which every machine rounds alike.

use std::sync::LazyLock;

/// Coins of the blocks, the largest first, each `4ⁿ`.
const SIZES: [u32; 4] = [1 << 16, 1 << 14, 1 << 12, 1 << 10];

static BLOCKS: LazyLock<Vec<CoinBlock>> = LazyLock::new(|| SIZES.map(CoinBlock::new).into());

/// The blocks that `flips` coins can fill, the largest first.
pub(crate) fn blocks(flips: u32) -> &'static [CoinBlock] {
    match SIZES.iter().position(|&size| size <= flips) {
        Some(first) => &BLOCKS[first..],
        None => &[],
    }
}

/// So many coins, flipped at once.
pub(crate) struct CoinBlock {
    pub(crate) coins: u32,
    /// Bits of a word that choose the column.
    bits: u32,
    columns: Vec<HeadCounts>,
}

/// Two numbers of heads that share a column: the first below the numerator over 2⁶⁴, the second from it on.
#[derive(Clone, Copy)]
struct HeadCounts {
    first_chance: u64,
    heads: [u32; 2],
}

impl CoinBlock {
    fn new(coins: u32) -> CoinBlock {
        let root = coins.isqrt();
        // ten standard deviations to each side, of half a root each
        let (least, chances) = chances(coins, 5 * root);
        let columns = (16 * root) as usize;
        let mut shares: Vec<f64> = chances.iter().map(|chance| chance * columns as f64).collect();
        shares.resize(columns, 0.0);
        CoinBlock { coins, bits: columns.ilog2(), columns: alias(shares, least) }
    }

    /// The number of heads that a random word encodes.
    pub(crate) fn heads(&self, word: u64) -> u32 {
        let column = self.columns[(word >> (64 - self.bits)) as usize];
        column.heads[usize::from(word << self.bits >= column.first_chance)]
    }
}

/// The chances of `coins/2 − reach` to `coins/2 + reach` heads, and the least of these.
fn chances(coins: u32, reach: u32) -> (u32, Vec<f64>) {
    let middle = coins / 2;
    let mut side = vec![1.0];
    for above in 0..reach {
        let ratio = f64::from(middle - above) / f64::from(middle + above + 1);
        side.push(side[above as usize] * ratio);
    }
    let all: Vec<f64> = side.iter().skip(1).rev().chain(&side).copied().collect();
    // the smallest first, so that none is lost
    let total = 2.0 * side.iter().skip(1).rev().sum::<f64>() + 1.0;
    (middle - reach, all.into_iter().map(|chance| chance / total).collect())
}

/// Vose's construction: what one column lacks to 1, another gives.
fn alias(mut shares: Vec<f64>, least: u32) -> Vec<HeadCounts> {
    let own = |column: usize| least + column as u32;
    let mut columns: Vec<HeadCounts> =
        (0..shares.len()).map(|c| HeadCounts { first_chance: u64::MAX, heads: [own(c); 2] }).collect();
    let (mut poor, mut rich): (Vec<usize>, Vec<usize>) = (0..shares.len()).partition(|&c| shares[c] < 1.0);
    while let Some((small, large)) = poor.last().copied().zip(rich.last().copied()) {
        poor.pop();
        columns[small] =
            HeadCounts { first_chance: (shares[small] * 2.0_f64.powi(64)) as u64, heads: [own(small), own(large)] };
        shares[large] = (shares[large] + shares[small]) - 1.0;
        if shares[large] < 1.0 {
            rich.pop();
            poor.push(large);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table gives to each number of heads is its chance: the sum over its columns, against `ln Γ`.
    #[test]
    fn tables_hold_the_binomial() {
        for block in BLOCKS.iter() {
            let mut given = vec![0.0; block.coins as usize + 1];
            for column in &block.columns {
                let first = column.first_chance as f64 / 2.0_f64.powi(64);
                let each = 1.0 / block.columns.len() as f64;
                given[column.heads[0] as usize] += first * each;
                given[column.heads[1] as usize] += (1.0 - first) * each;
            }
            let m = f64::from(block.coins);
            let ln_gamma = statrs::function::gamma::ln_gamma;
            for (h, given) in given.iter().enumerate() {
                let h = h as f64;
                let ln = ln_gamma(m + 1.0) - ln_gamma(h + 1.0) - ln_gamma(m - h + 1.0) - m * std::f64::consts::LN_2;
                assert!((given - ln.exp()).abs() < 1e-9 * ln.exp() + 1e-15, "{h} of {m}: {given} {}", ln.exp());
            }
        }
    }

    #[test]
    fn extreme_words_have_heads() {
        for block in BLOCKS.iter() {
            for word in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63] {
                assert!(block.heads(word) <= block.coins);
            }
        }
    }

    #[test]
    fn blocks_are_those_that_fit() {
        let sizes = |flips| blocks(flips).iter().map(|block| block.coins).collect::<Vec<_>>();
        assert_eq!(sizes(1023), []);
        assert_eq!(sizes(5000), [4096, 1024]);
        assert_eq!(sizes(1_000_000), SIZES);
    }
}
