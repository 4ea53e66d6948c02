//! Counts of a resample without drawing it value by value.
//!
//! Scores lie on a few levels. Drawing `n` of them with replacement and counting gives
//! `Multinomial(n; c₁/n, …, c_k/n)`; that vector is drawn directly, by splitting `n` down a binary tree of levels with
//! one binomial per branch. A binomial is `n` comparisons of a random binary fraction with `p`, done digit by digit for
//! all `n` at once: half of the comparisons are decided by each digit, so `2n` coin flips are enough, 64 to a word, and
//! from 1024 on whole blocks of them at once (see [`half`](crate::half)), which makes a draw of 100,000 values cost some
//! hundred words. Nothing but integers takes part in a draw, so the counts are the same on every machine; the
//! probabilities are exact to 2⁻⁶⁴, those of whole blocks to 1e-12.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::half::blocks;

/// A multinomial distribution over colours, ready to draw from.
pub struct Multinomial {
    balls: u32,
    colours: usize,
    tree: CountTree,
}

enum CountTree {
    Colour(usize),
    Split {
        /// Chance of the left side: numerator over 2⁶⁴.
        left_chance: u64,
        left: Box<CountTree>,
        right: Box<CountTree>,
    },
}

impl Multinomial {
    /// The number of balls is the sum of the counts, which must fit in `u32` and not be 0.
    pub fn new(counts: &[u32]) -> Self {
        let upto: Vec<u64> = std::iter::once(0)
            .chain(counts.iter().scan(0, |sum, &c| {
                *sum += u64::from(c);
                Some(*sum)
            }))
            .collect();
        Self { balls: upto[counts.len()] as u32, colours: counts.len(), tree: CountTree::over(0, counts.len(), &upto) }
    }

    pub(crate) fn len(&self) -> usize {
        self.colours
    }

    /// Draws the count of each colour.
    pub fn draw(&self, coins: &mut Coins, counts: &mut [u32]) {
        counts.fill(0);
        self.tree.deal(self.balls, coins, counts);
    }
}

impl CountTree {
    /// Builds the tree for colours `from..to`, where `upto[c]` balls come before colour `c`; splits nearest to half of
    /// the balls, because coins are spent per ball and level.
    fn over(from: usize, to: usize, upto: &[u64]) -> Self {
        if to - from == 1 {
            return Self::Colour(from);
        }
        let (first, last) = (upto[from], upto[to]);
        let middle = first + (last - first) / 2;
        let after = upto.partition_point(|&b| b < middle);
        let nearest = if after > 0 && upto[after] - middle > middle - upto[after - 1] { after - 1 } else { after };
        let cut = nearest.clamp(from + 1, to - 1);
        Self::Split {
            left_chance: chance(upto[cut] - first, last - first),
            left: Box::new(Self::over(from, cut, upto)),
            right: Box::new(Self::over(cut, to, upto)),
        }
    }

    fn deal(&self, balls: u32, coins: &mut Coins, counts: &mut [u32]) {
        if balls == 0 {
            return;
        }
        match self {
            Self::Colour(c) => counts[*c] = balls,
            Self::Split { left_chance, left, right } => {
                let to_left = coins.binomial(balls, *left_chance);
                left.deal(to_left, coins, counts);
                right.deal(balls - to_left, coins, counts);
            }
        }
    }
}

/// Returns `part / whole` as a numerator over 2⁶⁴, rounded down. Both sides of a split have balls, so it is below 1.
fn chance(part: u64, whole: u64) -> u64 {
    let scaled = (u128::from(part) << 64) / u128::from(whole.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// A source of fair coins that wastes few of them.
pub struct Coins {
    rng: ChaCha8Rng,
    purse: u64,
    left: u32,
}

impl Coins {
    pub fn new(rng: ChaCha8Rng) -> Self {
        Self { rng, purse: 0, left: 0 }
    }

    /// Counts the `trials` whose random binary fraction is below `p / 2⁶⁴`.
    fn binomial(&mut self, trials: u32, p: u64) -> u32 {
        let (mut open, mut below, mut digits) = (trials, 0, p);
        while open > 0 && digits != 0 {
            let ones = self.heads(open);
            if digits >> 63 == 1 {
                below += open - ones; // digit 0 against 1: decided, below
                open = ones;
            } else {
                open -= ones; // digit 1 against 0: decided, not below
            }
            digits <<= 1;
        }
        below
    }

    /// Counts heads among `flips` coins.
    pub(crate) fn heads(&mut self, flips: u32) -> u32 {
        let (mut left, mut heads) = (flips, 0);
        for block in blocks(flips) {
            while left >= block.coins {
                heads += block.heads(self.rng.next_u64());
                left -= block.coins;
            }
        }
        let whole: u32 = (0..left / 64).map(|_| self.rng.next_u64().count_ones()).sum();
        heads + whole + self.few_heads(left % 64)
    }

    fn few_heads(&mut self, flips: u32) -> u32 {
        if flips > self.left {
            self.purse = self.rng.next_u64();
            self.left = 64;
        }
        let flipped = self.purse & ((1 << flips) - 1);
        self.purse >>= flips;
        self.left -= flips;
        flipped.count_ones()
    }
}
