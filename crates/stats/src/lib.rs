//! Input: slices of numbers — scores, paired differences, counts, p-values — and settings as plain values
//! (a seed, a level, a number of resamples).
//!
//! Output: estimates, intervals, p-values and sample sizes as plain structs.
//!
//! This crate never reads a file, a clock or the environment, keeps state, prints, decides what a number means for a
//! release, or panics. The only randomness is the seed that the caller passes.
//!
//! # Conventions
//!
//! * The unit is the **sample**: average repeats first ([`mean`]), then compare variants **paired**
//!   (differences treatment − control), then ask for the interval ([`mean_interval`]).
//! * `None` means that the question has no answer: too few values, a NaN or an infinity among them, a sum that
//!   overflows, a level outside (0, 1). Where a reader needs the reason, it is an error: [`Undefined`], [`NoStrengths`].
//!   No function returns NaN.
//! * Values are in the caller's unit (score points, seconds, …), and means and interval bounds keep it.
//! * Random draws come from ChaCha8. Resample *i* reads its own stream *i*, indexes are 32 bits wide, and
//!   reductions run in a fixed order: one seed gives one answer, on every platform and any number of threads.
//!   Values are sorted before they are drawn, so the order of the samples doesn't matter either.
//! * Paired differences with the opposite signs (the arms exchanged) have the opposite means, intervals and effect sizes and
//!   the same p-values, to the last bit; only a probability of superiority `p` becomes `1 − p` up to rounding.
//! * Quantiles of resampled statistics and of data are Hyndman & Fan's definition 6 (see [`quantile`]).

mod agreement;
mod bootstrap;
mod bounds;
pub mod bradley_terry;
mod components;
mod decisive;
mod describe;
mod distribution;
mod draw;
mod effect;
mod equal_length;
mod half;
mod interval;
mod item_total;
mod looks;
mod multinomial;
mod multiple;
mod noncentral;
mod oriented;
mod outliers;
mod permutation;
mod power;
mod ppi;
mod rate;
pub mod saturation;
mod simultaneous;
mod spread;
mod stratified;
mod student;
mod undefined;
mod unseen;
pub mod welch;

pub use agreement::{
    Alpha, AlphaInterval, Bias, Labelled, alpha_interval, alpha_interval_clustered, alpha_interval_stratified,
    krippendorff_alpha_ordinal, mean_absolute_difference, pearson, signed_bias, weighted_kappa_quadratic,
};
pub use bootstrap::bootstrap_replicates;
pub use bounds::{Statistic, acceleration, replicate_interval};
pub use bradley_terry::{
    BradleyTerry, Contrast, NoStrengths, PairComparison, PairOutcome, PositionBiasEstimate, StrengthBounds,
    StrengthEstimate, Weighing, bradley_terry, position_bias,
};
pub use components::{Component, VarianceComponents, variance_components};
pub use decisive::{Pilot, PlannedReading};
pub use describe::{mean, median, quantile, sd};
pub use effect::{Effect, cohen_dz, probability_of_superiority};
pub use equal_length::{EqualLengthEstimate, LengthPair, difference_at_equal_length};
pub use interval::{Interval, IntervalMethod, Resampling, mean_interval, t_interval};
pub use item_total::{ItemTotal, LEAST_ROWS, corrected_item_total_correlations};
pub use looks::{PlannedLook, PlannedLooks, look_interval, look_tails, spent_risk};
pub use multiple::holm;
pub use outliers::{HighOutliers, OUTLIER_DEVIATIONS, high_outliers};
pub use permutation::{PermutationTest, sign_flip_test};
pub use power::{minimum_detectable_difference, pairs_needed, power_of_paired_t};
pub use ppi::{PredictionPowered, Tuning, ppi_mean, split_by_label};
pub use rate::{WilsonInterval, mcnemar_exact, wilson, wilson_of_share};
pub use saturation::{
    FLAT_WINDOWS, LEAST_SHRINK, SaturationCurve, WINDOW_GROWTH, Window, pairs_for_half_width, saturation, shuffled,
};
pub use simultaneous::{
    Simultaneous, simultaneous_mean_intervals, simultaneous_means, simultaneous_sparse_means,
    simultaneous_sparse_means_up_to,
};
pub use spread::{sd_bound, sd_interval};
pub use stratified::{Stratum, fewer_successes};
pub use undefined::Undefined;
pub use unseen::{SeenDifferences, UnseenPlan};
pub use welch::{Welch, welch, welch_interval};

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::bounds::expanded;
    pub use crate::distribution::{fewest, fewest_near, t_tail, where_reached};
    pub use crate::draw::{Draw, Streams, Urn, draw_indexes};
    pub use crate::half::{BLOCKS, SIZES, blocks};
    pub use crate::multinomial::{Coins, Multinomial};
    pub use crate::noncentral::{NoncentralT, tail_by_simpson};
    pub use crate::permutation::monte_carlo;
    pub use crate::simultaneous::{TableColumn, TaskRow, compare, means_by_column, means_by_value};
    pub use crate::stratified::{Telling, approximate, exact};
}
