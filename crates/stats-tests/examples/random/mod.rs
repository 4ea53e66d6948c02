//! Seeded uniform and normal numbers, one stream per data set, and scores made of them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64, data_set: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(data_set);
        Self(rng)
    }

    /// Above 0 and below 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub(crate) fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }
}

/// The nearest whole score in 1..=5.
pub(crate) fn likert(x: f64) -> f64 {
    x.round().clamp(1.0, 5.0)
}
