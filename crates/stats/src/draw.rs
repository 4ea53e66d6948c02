//! Resampling with replacement, one random stream per resample.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::multinomial::{Coins, Multinomial};

/// Average count per value from which drawing counts is faster than drawing values (measured).
const COUNTS_PAY_OFF: usize = 64;

/// Families of random streams: the same seed gives a bootstrap and a permutation test unrelated draws.
pub struct Streams(ChaCha8Rng);

impl Streams {
    pub fn bootstrap(seed: u64) -> Self {
        Self::new(seed, b"eval-stats: bootstrap v1")
    }

    pub fn joint_bootstrap(seed: u64) -> Self {
        Self::new(seed, b"eval-stats: joint boot 1")
    }

    pub(crate) fn sign_flips(seed: u64) -> Self {
        Self::new(seed, b"eval-stats: sign flips 1")
    }

    pub(crate) fn shuffle(seed: u64) -> Self {
        Self::new(seed, b"eval-stats: shuffling v1")
    }

    /// The ChaCha key is the seed in little-endian bytes, then the purpose.
    fn new(seed: u64, purpose: &[u8; 24]) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(purpose);
        Self(ChaCha8Rng::from_seed(key))
    }

    pub fn stream(&self, number: u64) -> ChaCha8Rng {
        let mut rng = self.0.clone();
        rng.set_stream(number);
        rng
    }
}

/// A population to draw from.
pub enum Urn {
    /// Draws each ball by itself.
    Balls(u32),
    /// Draws only the number of balls of each colour; for few colours.
    Colours(Multinomial),
}

/// One resample, in the form its [`Urn`] gives.
pub enum Draw<'a> {
    /// Positions of the drawn balls.
    Balls(&'a [u32]),
    /// Number of balls of each colour.
    Colours(&'a [u32]),
}

impl Urn {
    /// Returns an urn with `counts[c]` balls of colour `c`, and `true` if it draws colours. If not, ball positions
    /// count through the colours in order: the first `counts[0]` balls have colour 0, and so on.
    ///
    /// `None` if there are no balls or more than `u32::MAX`.
    pub fn new(counts: &[u32]) -> Option<(Self, bool)> {
        let total: u64 = counts.iter().map(|&c| u64::from(c)).sum();
        let n = u32::try_from(total).ok().filter(|&n| n > 0)?;
        let by_colour = counts.len().saturating_mul(COUNTS_PAY_OFF) <= n as usize;
        Some(if by_colour { (Self::Colours(Multinomial::new(counts)), true) } else { (Self::Balls(n), false) })
    }

    /// `statistic` of each of `resamples` resamples; resample *i* reads stream *i* and is written to position *i*.
    pub fn replicates<T, F>(&self, streams: &Streams, resamples: u32, statistic: F) -> Vec<T>
    where
        T: Send,
        F: Fn(Draw<'_>) -> T + Sync,
    {
        (0..resamples)
            .into_par_iter()
            .with_min_len(64)
            .map_init(
                || vec![0; self.width()],
                |drawn, i| {
                    let rng = streams.stream(u64::from(i));
                    statistic(self.draw(rng, drawn))
                },
            )
            .collect()
    }

    fn width(&self) -> usize {
        match self {
            Self::Balls(n) => *n as usize,
            Self::Colours(colours) => colours.len(),
        }
    }

    fn draw<'a>(&self, mut rng: ChaCha8Rng, drawn: &'a mut [u32]) -> Draw<'a> {
        match self {
            Self::Balls(n) => {
                draw_indexes(&mut rng, *n, drawn);
                Draw::Balls(drawn)
            }
            Self::Colours(colours) => {
                colours.draw(&mut Coins::new(rng), drawn);
                Draw::Colours(drawn)
            }
        }
    }
}

/// Fills `out` with indexes below `n`: the upper half of the 64-bit product of a random 32-bit word and `n`
/// (Lemire 2019, "Fast random integer generation in an interval") without its rejection step. An index is then more
/// or less likely than 1/n by at most n/2³² of that, 1.2e-5 at 50,000 values: far below what 10,000 resamples show.
pub fn draw_indexes(rng: &mut ChaCha8Rng, n: u32, out: &mut [u32]) {
    let mut bytes = [0; 1024];
    for chunk in out.chunks_mut(bytes.len() / 4) {
        let words = &mut bytes[..chunk.len() * 4];
        rng.fill_bytes(words);
        for (index, word) in chunk.iter_mut().zip(words.as_chunks::<4>().0) {
            *index = ((u64::from(u32::from_le_bytes(*word)) * u64::from(n)) >> 32) as u32;
        }
    }
}

impl Draw<'_> {
    /// Number of drawn balls.
    pub(crate) fn count(&self) -> f64 {
        match self {
            Self::Balls(indexes) => indexes.len() as f64,
            Self::Colours(counts) => counts.iter().map(|&count| f64::from(count)).sum(),
        }
    }

    /// Calls `take` with each drawn ball or colour and its count; a ball drawn twice comes twice.
    pub(crate) fn each(&self, mut take: impl FnMut(usize, f64)) {
        match self {
            Self::Balls(indexes) => indexes.iter().for_each(|&ball| take(ball as usize, 1.0)),
            Self::Colours(counts) => {
                let drawn = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                drawn.for_each(|(colour, &count)| take(colour, f64::from(count)));
            }
        }
    }

    /// Sum of the drawn values. `values` has one entry per ball or per colour, as the urn says; the order of the
    /// additions is fixed (four interleaved sums for balls, which is what keeps the processor busy).
    pub(crate) fn sum(&self, values: &[f64]) -> f64 {
        match self {
            Self::Colours(counts) => weighted(counts, values),
            Self::Balls(indexes) => gathered(indexes, values),
        }
    }
}

fn weighted(counts: &[u32], values: &[f64]) -> f64 {
    counts.iter().zip(values).map(|(&c, v)| f64::from(c) * v).sum()
}

fn gathered(indexes: &[u32], values: &[f64]) -> f64 {
    let (fours, rest) = indexes.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        for (lane, &i) in lanes.iter_mut().zip(four) {
            *lane += values[i as usize];
        }
    }
    let tail: f64 = rest.iter().map(|&i| values[i as usize]).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + tail
}
