//! Counts as the limiter's numbers.

#[expect(clippy::cast_precision_loss, reason = "rates and counts are far below 2^53")]
pub(crate) fn to_f64(number: u64) -> f64 {
    number as f64
}
