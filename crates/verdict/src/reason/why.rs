use eval_spec::Layer;

/// What the numbers show.
///
/// Means, limits and thresholds are in points on the 1–5 scale; a `limit` is the smallest difference that matters. A
/// preference and its bounds are −1 to 1. Counts are of pairs or samples; `needed` is how many it takes.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Evidence {
    /// There are too few pairs to say anything.
    FewPairs { n: u64, needed: u64 },
    /// Nothing of a variant could be scored.
    Unscored {
        variant: String,
        /// How most of its executions ended.
        outcome: &'static str,
        count: u64,
        total: u64,
    },
    /// The difference lies below 0.
    Below(DifferenceRange),
    /// The difference lies above 0.
    Above(DifferenceRange),
    /// A difference that matters is excluded.
    Inside { range: DifferenceRange, limit: f64 },
    /// Neither chance nor a difference that matters is excluded.
    Wide { range: DifferenceRange, limit: f64 },
    /// A layer fell, and its mean is under the gate.
    LayerBelow { layer: Layer, fell_by: Option<f64>, mean: f64, threshold: f64 },
    /// More samples would narrow the interval to the smallest difference that matters.
    MoreSamplesHelp { limit: f64, needed: u64, n: u64 },
    /// The interval is narrow enough, but lies across the border.
    AcrossBorder { limit: f64 },
    /// More samples than anyone can run would be needed.
    Hopeless { limit: f64 },
    /// The interval has stopped narrowing.
    Saturated,
    /// What judges prefer, −1 to 1.
    Preference { preference: Option<f64>, low: Option<f64>, high: Option<f64>, n: u64 },
    /// The difference is a preference, read as points.
    PreferenceAsPoints { preference: f64 },
    /// The preference decides, since too few samples have scores.
    PreferenceDecides { n: u64, needed: u64 },
    /// Without a treatment: nothing of the variant could be scored.
    SoloUnscored { variant: String },
    /// Without a treatment: the mean is under the gate.
    SoloUnder { variant: String, mean: f64, threshold: f64 },
    /// Without a treatment: the mean reaches the gate, and nothing forbids to rely on it.
    SoloReached { variant: String, mean: f64, threshold: f64 },
}

impl Evidence {
    /// Whether it says what more samples would do.
    #[must_use]
    pub fn is_about_more_samples(&self) -> bool {
        matches!(
            self,
            Evidence::MoreSamplesHelp { .. }
                | Evidence::AcrossBorder { .. }
                | Evidence::Hopeless { .. }
                | Evidence::Saturated
        )
    }
}

/// Where a difference lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DifferenceRange {
    /// In an interval, in points.
    Interval {
        /// The lower bound.
        low: Option<f64>,
        /// The upper bound.
        high: Option<f64>,
    },
    /// All differences have one value, so that the p-value is read in place of the interval.
    AllEqual {
        /// Pairs.
        n: u64,
        /// The value, in points.
        value: Option<f64>,
        /// The p-value.
        p: Option<f64>,
    },
}
