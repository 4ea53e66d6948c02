//! Reasons of undefined results.

/// Why a coefficient, an estimate or its interval has no value. A constant judge and a judge without comparisons are
/// different findings, and neither is an agreement of 0 or of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// Fewer values, pairs or units than the method needs; for an agreement: no unit has two ratings.
    TooFew,
    /// A column that must vary holds one value only, so there is nothing to compare variation with.
    NoVariance,
    /// One sample alone sets the slope: all the others have the same explanatory value.
    OneSampleDecides,
    /// The estimate would be an extrapolation beyond the data.
    OutsideTheData,
    /// A value is a NaN or an infinity, or sums of the values overflow.
    NotFinite,
    /// The level isn't between 0 and 1.
    Level,
}
