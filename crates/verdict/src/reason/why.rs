use eval_spec::Layer;

/// What the numbers show.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// There are too few pairs to say anything.
    FewPairs {
        /// Pairs.
        n: u64,
        /// Pairs needed.
        needed: u64,
    },
    /// Nothing of a variant could be scored.
    Unscored {
        /// The variant.
        variant: String,
        /// How most of its executions ended.
        outcome: &'static str,
        /// Executions that ended so.
        count: u64,
        /// All executions.
        total: u64,
    },
    /// The difference lies below 0.
    Below(DifferenceRange),
    /// The difference lies above 0.
    Above(DifferenceRange),
    /// A difference that matters is excluded.
    Inside {
        /// Where the difference lies.
        range: DifferenceRange,
        /// The smallest difference that matters, in points.
        limit: f64,
    },
    /// Neither chance nor a difference that matters is excluded.
    Wide {
        /// Where the difference lies.
        range: DifferenceRange,
        /// The smallest difference that matters, in points.
        limit: f64,
    },
    /// A layer fell, and its mean is under the gate.
    LayerBelow {
        /// The layer.
        layer: Layer,
        /// By how many points it fell.
        fell_by: Option<f64>,
        /// The treatment's mean in it, in points.
        mean: f64,
        /// The gate, in points.
        threshold: f64,
    },
    /// More samples would narrow the interval to the smallest difference that matters.
    MoreSamplesHelp {
        /// The smallest difference that matters, in points.
        limit: f64,
        /// Pairs that it takes.
        needed: u64,
        /// Pairs.
        n: u64,
    },
    /// The interval is narrow enough, but lies across the border.
    AcrossBorder {
        /// The smallest difference that matters, in points.
        limit: f64,
    },
    /// More samples than anybody can pay for would be needed.
    Hopeless {
        /// The smallest difference that matters, in points.
        limit: f64,
    },
    /// The interval has stopped narrowing.
    Saturated,
    /// What judges prefer, −1 to 1.
    Preference {
        /// The mean preference.
        preference: Option<f64>,
        /// The interval's lower bound.
        low: Option<f64>,
        /// The interval's upper bound.
        high: Option<f64>,
        /// Samples.
        n: u64,
    },
    /// The difference is a preference, read as points.
    PreferenceAsPoints {
        /// The mean preference, −1 to 1.
        preference: f64,
    },
    /// The preference decides, since too few samples have scores.
    PreferenceDecides {
        /// Samples with scores.
        n: u64,
        /// Samples needed.
        needed: u64,
    },
    /// Without a treatment: nothing of the variant could be scored.
    SoloUnscored {
        /// The variant.
        variant: String,
    },
    /// Without a treatment: the mean is under the gate.
    SoloUnder {
        /// The variant.
        variant: String,
        /// Its mean, in points.
        mean: f64,
        /// The gate, in points.
        threshold: f64,
    },
    /// Without a treatment: the mean reaches the gate, and nothing forbids to rely on it.
    SoloReached {
        /// The variant.
        variant: String,
        /// Its mean, in points.
        mean: f64,
        /// The gate, in points.
        threshold: f64,
    },
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
