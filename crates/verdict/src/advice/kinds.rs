//! What can be advised.

use eval_format::{InsightKind, Severity};

/// What to do next, with the numbers that it rests on; a `limit` is in points on the 1–5 scale.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Advice {
    /// Go on with a run that was interrupted.
    Resume,
    /// Raise the budget of a run that used it up.
    RaiseBudget,
    /// Fix what made the first call fail.
    MendFirstCall,
    /// Make the records that are missing.
    MakeRecords,
    /// Read what came instead of answers.
    ReadNoAnswers,
    /// Fix the failures.
    MendFailures,
    /// Get the opinions of judges that are missing.
    MendJudges {
        /// Whether the run is no valid measurement without them.
        is_invalid: bool,
    },
    /// Take judges that don't go by position.
    ReplaceJudges,
    /// Make the judges agree.
    SettleJudges,
    /// Fix checks that could not be evaluated in every run.
    MendChecks { treatment: String, checks: Vec<String> },
    /// Run again without the cache.
    RunAfresh { treatment: String },
    /// Find out why scores are missing or executions ended differently.
    CheckExcluded { treatment: String },
    /// Raise a layer above the gate.
    RaiseLayer { treatment: String },
    /// Make the judge agree with people, or show that it does.
    MendJudge { treatment: String },
    /// Hold out more samples.
    HoldOutMore,
    /// Tune on other samples.
    TuneLess { treatment: String },
    /// Weigh a small gain against its cost.
    WeighCost { treatment: String },
    /// Fix outcomes that leave no answer of a variant to score.
    MendOutcomes {
        variant: String,
        /// How most of its executions ended.
        outcome: &'static str,
    },
    /// Read the samples that fell most.
    ReadLosses { treatment: String },
    /// Read the checks of a layer that fell.
    ReadLayer { treatment: String },
    /// Add samples.
    AddSamples { treatment: String, plan: SamplePlan },
    /// What narrows the interval most. Each factor is the width that twice as many leave of it.
    NarrowInterval { treatment: String, samples: f64, repeats: Option<f64>, opinions: Option<f64>, best: MoreOf },
    /// Add harder samples: both arms have every point there is.
    AddHarderSamples { treatment: String },
    /// Keep the simpler of the two.
    KeepSimpler { treatment: String, limit: f64 },
    /// Ship the treatment.
    Ship { treatment: String },
    /// Ship the treatment, and read the samples on which it lost.
    ShipAndReadLosses { treatment: String },
    /// Compare a single variant with something.
    AddControl { variant: String },
}

/// How many samples to add. `effect` is the smallest difference that matters: in points, or of preferences from −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SamplePlan {
    /// As many as it takes until the differences can show anything.
    First {
        /// Pairs.
        n: u64,
        /// Pairs from which progress can be seen.
        needed: u64,
    },
    /// As many as the observed spread of scores asks for.
    ForScores {
        /// Pairs.
        n: u64,
        /// Pairs that show `effect`; there are fewer.
        needed: u64,
        /// In points.
        effect: f64,
        /// The difference that was seen, where it would show too.
        observed: Option<ObservedDifference>,
        /// Treatments that are asked at once.
        family: u32,
        /// Whether the run may end early.
        is_early: bool,
    },
    /// As many as the observed spread of preferences asks for.
    ForPreferences {
        /// Pairs.
        n: u64,
        /// Pairs that show `effect`; `None` where that is more than anyone can run.
        needed: Option<u64>,
        /// Pairs to add, which show `effect` or what was seen.
        more: u64,
        /// −1 to 1.
        effect: f64,
        /// The preference that was seen, where it would show too.
        observed: Option<ObservedDifference>,
        /// Treatments that are asked at once.
        family: u32,
    },
    /// Some more, or repeats: the spread can't be planned with.
    Some {
        /// Pairs.
        n: u64,
        /// In points.
        effect: f64,
    },
    /// None: no number that anybody could run shows `effect`. Sharpen the assertions.
    HopelessForScores {
        /// In points.
        effect: f64,
    },
    /// None: no number that anybody could run shows `effect`. Sharpen the rubric.
    HopelessForPreferences {
        /// −1 to 1.
        effect: f64,
    },
}

/// A difference that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedDifference {
    /// Its mean.
    pub mean: f64,
    /// Pairs that show one as large.
    pub pairs: u64,
}

/// What there can be more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum MoreOf {
    Samples,
    Repeats,
    Opinions,
}

impl Advice {
    /// What reports call it.
    #[must_use]
    pub fn kind(&self) -> InsightKind {
        match self {
            Advice::Resume
            | Advice::RaiseBudget
            | Advice::MendFirstCall
            | Advice::MakeRecords
            | Advice::ReadNoAnswers
            | Advice::MendFailures
            | Advice::MendJudges { is_invalid: true } => InsightKind::RepairRun,
            Advice::MendJudges { is_invalid: false } => InsightKind::MendJudges,
            Advice::ReplaceJudges => InsightKind::ReplaceJudges,
            Advice::SettleJudges => InsightKind::SettleJudges,
            Advice::MendChecks { .. } => InsightKind::MendChecks,
            Advice::RunAfresh { .. } => InsightKind::RunAfresh,
            Advice::CheckExcluded { .. } => InsightKind::CheckExcluded,
            Advice::RaiseLayer { .. } => InsightKind::RaiseLayer,
            Advice::MendJudge { .. } => InsightKind::MendJudge,
            Advice::HoldOutMore => InsightKind::HoldOutMore,
            Advice::TuneLess { .. } => InsightKind::TuneLess,
            Advice::WeighCost { .. } => InsightKind::WeighCost,
            Advice::MendOutcomes { .. } => InsightKind::MendOutcomes,
            Advice::ReadLosses { .. } | Advice::ReadLayer { .. } => InsightKind::LookAtLosses,
            Advice::AddSamples { .. } => InsightKind::AddSamples,
            Advice::NarrowInterval { .. } => InsightKind::NarrowInterval,
            Advice::AddHarderSamples { .. } => InsightKind::AddHarderSamples,
            Advice::KeepSimpler { .. } => InsightKind::DropOrKeep,
            Advice::Ship { .. } | Advice::ShipAndReadLosses { .. } => InsightKind::Ship,
            Advice::AddControl { .. } => InsightKind::AddControl,
        }
    }

    /// How pressing it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.kind() {
            InsightKind::RepairRun | InsightKind::MendOutcomes | InsightKind::LookAtLosses => Severity::Error,
            InsightKind::WeighCost
            | InsightKind::NarrowInterval
            | InsightKind::DropOrKeep
            | InsightKind::Ship
            | InsightKind::AddControl => Severity::Info,
            _ => Severity::Warning,
        }
    }
}
