/// What removes a doubt or an alarm. Several reasons share one, so that the advice is given once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Fix checks that could not be evaluated in every run.
    MendChecks,
    /// Have one and the same agent answer in both arms.
    MendRuntime,
    /// Run again what was lost.
    RepeatLost,
    /// Run both variants again, so that no answer has to be asked for twice.
    RunBothAgain,
    /// Run again without the cache.
    RunAfresh,
    /// Get the opinions that are missing.
    MendJudges,
    /// Take judges that don't go by position.
    ReplaceJudges,
    /// Make the judges agree.
    SettleJudges,
    /// Find out why scores are missing or executions ended differently.
    CheckExcluded,
    /// Make agents load the skill.
    MendDescription,
    /// Raise a layer above the gate.
    RaiseLayer,
    /// Mend what fell: a capability.
    RaisePart,
    /// Look at what the clusters hide.
    ReadClusters,
    /// Make the judge agree with people, or show that it does.
    MendJudge,
    /// Hold out more samples.
    HoldOutMore,
    /// Tune less on the samples.
    TuneLess,
    /// Add samples.
    MorePairs,
    /// Add samples on which the variants do well.
    EasierSamples,
    /// Weigh a small gain against its cost.
    WeighCost,
}

impl Remedy {
    /// All of them, the most pressing first: the order in which they are suggested.
    pub const ALL: [Remedy; 19] = [
        Remedy::MendChecks,
        Remedy::MendRuntime,
        Remedy::RepeatLost,
        Remedy::RunBothAgain,
        Remedy::RunAfresh,
        Remedy::MendJudges,
        Remedy::ReplaceJudges,
        Remedy::SettleJudges,
        Remedy::CheckExcluded,
        Remedy::MendDescription,
        Remedy::RaiseLayer,
        Remedy::RaisePart,
        Remedy::ReadClusters,
        Remedy::MendJudge,
        Remedy::HoldOutMore,
        Remedy::TuneLess,
        Remedy::MorePairs,
        Remedy::EasierSamples,
        Remedy::WeighCost,
    ];
}
