//! Draws the heads of a thousand or more fair coins from one random word.
//!
//! `Binomial(m, ½)` for four sizes of block, by the alias method (Walker 1977; Vose 1991, "A linear algorithm for generating
//! random numbers with a given distribution"); the sum over blocks is the binomial of all coins. Heads further than ten
//! standard deviations from `m/2` are left out: they have a chance of 4e-22. The chances follow from each other by
//! `P(h + 1) = P(h) · (m − h)/(h + 1)`, one multiplication and one division each, which every machine rounds alike.

use std::sync::LazyLock;

/// Block sizes in coins, the largest first, each `4ⁿ`.
pub const SIZES: [u32; 4] = [1 << 16, 1 << 14, 1 << 12, 1 << 10];

pub static BLOCKS: LazyLock<Vec<CoinBlock>> = LazyLock::new(|| SIZES.map(CoinBlock::new).into());

/// Returns the blocks that `flips` coins can fill, the largest first.
pub fn blocks(flips: u32) -> &'static [CoinBlock] {
    match SIZES.iter().position(|&size| size <= flips) {
        Some(first) => &BLOCKS[first..],
        None => &[],
    }
}

/// A block of coins that are flipped at once.
pub struct CoinBlock {
    pub coins: u32,
    /// Number of bits of a word that choose the column.
    bits: u32,
    pub columns: Vec<HeadCounts>,
}

/// Two numbers of heads that share a column: the first if the rest of the word is below `first_chance`, else the
/// second.
#[derive(Clone, Copy)]
pub struct HeadCounts {
    pub first_chance: u64,
    pub heads: [u32; 2],
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

    /// Decodes a random word to a number of heads.
    pub fn heads(&self, word: u64) -> u32 {
        let column = self.columns[(word >> (64 - self.bits)) as usize];
        column.heads[usize::from(word << self.bits >= column.first_chance)]
    }
}

/// Returns the least number of heads and the chances of `coins/2 − reach` to `coins/2 + reach` heads.
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
    let heads_of = |column: usize| least + column as u32;
    let mut columns: Vec<HeadCounts> =
        (0..shares.len()).map(|c| HeadCounts { first_chance: u64::MAX, heads: [heads_of(c); 2] }).collect();
    let (mut poor, mut rich): (Vec<usize>, Vec<usize>) = (0..shares.len()).partition(|&c| shares[c] < 1.0);
    while let Some((small, large)) = poor.last().copied().zip(rich.last().copied()) {
        poor.pop();
        columns[small] = HeadCounts {
            first_chance: (shares[small] * 2.0_f64.powi(64)) as u64,
            heads: [heads_of(small), heads_of(large)],
        };
        shares[large] = (shares[large] + shares[small]) - 1.0;
        if shares[large] < 1.0 {
            rich.pop();
            poor.push(large);
        }
    }
    columns
}
