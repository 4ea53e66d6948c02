//! What can be advised, a table: what an advice means, its values, its kind in reports, its message.

use eval_format::InsightKind::{
    AddControl, AddEasierSamples, AddHarderSamples, AddSamples, CheckExcluded, DropOrKeep, HoldOutMore, LookAtLosses,
    MendChecks, MendDescription, MendJudge, MendJudges, MendOutcomes, NarrowInterval, RaiseLayer, RepairRun,
    ReplaceJudges, RunAfresh, SettleJudges, Ship, TuneLess, WeighCost,
};
use eval_format::{InsightKind, RepeatPlan, Severity};
use eval_message::number::{points, signed};
use eval_message::{Message, msg};

use crate::reason::GainPlan;

/// Declares the advice: each entry a variant with its values, then `=>`, its kind in reports and its message.
macro_rules! advice {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$meaning:meta])* $variant:ident $({ $($value:ident: $type:ty),* })? => $kind:expr, $text:expr;)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "a variant says what its values are")]
        pub enum $name {
            $($(#[$meaning])* $variant $({ $($value: $type),* })?,)*
        }

        impl $name {
            /// What reports call it.
            #[must_use]
            #[expect(unused_variables, reason = "one kind only depends on a value")]
            pub fn kind(&self) -> InsightKind {
                match self {
                    $($name::$variant $({ $($value),* })? => $kind,)*
                }
            }
        }

        impl From<&$name> for Message {
            #[expect(unused_variables, reason = "a message need not show every value")]
            fn from(advice: &$name) -> Message {
                match advice {
                    $($name::$variant $({ $($value),* })? => $text,)*
                }
            }
        }
    };
}

advice! {
    /// What to do next, with the numbers that it rests on.
    pub enum Advice {
        /// Go on with a run that was interrupted.
        Resume => RepairRun, msg!("report-next-resume");

        /// Raise the budget of a run that used it up.
        RaiseBudget => RepairRun, msg!("report-next-budget");

        /// Let the agents work where the other artifacts are not.
        SeparateArtifacts => RepairRun, msg!("report-next-separate");

        /// Mend why agents don't get the artifact.
        MendDelivery => RepairRun, msg!("report-next-delivery");

        /// Mend what made the first call fail.
        MendFirstCall => RepairRun, msg!("report-next-aborted");

        /// Mend the judge that ended the run.
        MendFailedJudge => RepairRun, msg!("report-next-judge-failed");

        /// Make the records that are missing.
        MakeRecords => RepairRun, msg!("report-next-records");

        /// Read what came instead of answers.
        ReadNoAnswers => RepairRun, msg!("report-next-no-answer");

        /// Mend what failed too often.
        MendFailures => RepairRun, msg!("report-next-failures");

        /// Get the missing opinions of judges; without them the run may be no valid measurement.
        MendJudges { is_invalid: bool } => if *is_invalid { RepairRun } else { MendJudges }, msg!("report-next-judges");

        /// Take judges that don't prefer a position.
        ReplaceJudges => ReplaceJudges, msg!("report-next-position");

        /// Make the judges agree.
        SettleJudges => SettleJudges, msg!("report-next-agreement");

        /// Mend checks of these types, which could be evaluated in one arm only.
        MendChecks { treatment: String, checks: Vec<String> }
            => MendChecks, msg!("report-next-checks", treatment = treatment, checks = checks.join(", "));

        /// Run both again, so that no answer has to be asked for twice.
        RunBothAgain { treatment: String } => RepairRun, msg!("report-next-both-again", treatment = treatment);

        /// Run again without the cache.
        RunAfresh { treatment: String } => RunAfresh, msg!("report-next-afresh", treatment = treatment);

        /// Have one and the same agent answer in both arms.
        MendRuntime { treatment: String } => RunAfresh, msg!("report-next-runtime", treatment = treatment);

        /// Have the tool that wrote the results repeat what is missing of them.
        RepeatElsewhere { tool: String } => RepairRun, msg!("report-next-imported", tool = tool);

        /// Run again what was lost.
        RepeatLost { treatment: String } => RepairRun, msg!("report-next-lost", treatment = treatment);

        /// Mend the artifact for the capability in which it fell.
        RaisePart { treatment: String } => LookAtLosses, msg!("report-next-part", treatment = treatment);

        /// Look at the samples of a cluster one by one: the difference over them is another than over clusters.
        ReadClusters { treatment: String } => LookAtLosses, msg!("report-next-clusters", treatment = treatment);

        /// Find out why scores are missing or executions ended differently.
        CheckExcluded { treatment: String } => CheckExcluded, msg!("report-next-alarm", treatment = treatment);

        /// Raise a layer above the gate.
        RaiseLayer { treatment: String } => RaiseLayer, msg!("report-next-layer", treatment = treatment);

        /// Make the judge agree with people, or show that it does.
        MendJudge { treatment: String } => MendJudge, msg!("report-next-gold", treatment = treatment);

        /// Hold out more samples.
        HoldOutMore => HoldOutMore, msg!("report-next-holdout-few");

        /// Make agents load the skill.
        MendDescription { treatment: String } => MendDescription, msg!("report-next-description", treatment = treatment);

        /// Tune on other samples.
        TuneLess { treatment: String } => TuneLess, msg!("report-next-holdout", treatment = treatment);

        /// Weigh a small gain against its cost.
        WeighCost { treatment: String } => WeighCost, msg!("report-next-trivial", treatment = treatment);

        /// Mend what leaves nothing of a variant to score: most of its executions ended so.
        MendOutcomes { variant: String, outcome: &'static str }
            => MendOutcomes, msg!("report-next-unscored", variant = variant, outcome = *outcome);

        /// Read the samples that fell most; `doubted` where a kind of sample that came up nowhere could make up for them.
        ReadLosses { treatment: String, doubted: bool } => LookAtLosses, match doubted {
            false => msg!("report-next-regress", treatment = treatment),
            true => msg!("report-next-regress-yet", treatment = treatment),
        };

        /// Read the checks of a layer that fell.
        ReadLayer { treatment: String } => LookAtLosses, msg!("report-next-regress-layer", treatment = treatment);

        /// Add samples.
        AddSamples { treatment: String, plan: SamplePlan } => AddSamples, of_samples(treatment, *plan);

        /// Repeat each sample more often, in place of more samples, or beside fewer of them.
        Repeat { treatment: String, n: u64, needed: u64, runs: u64, plan: RepeatPlan } => AddSamples, msg!(
            "report-next-repeats",
            same = if plan.samples <= *n { "yes" } else { "no" },
            treatment = treatment,
            n = *n,
            needed = *needed,
            runs = *runs,
            samples = plan.samples,
            repeat = plan.repeat
        );

        /// Repeat each sample: a single run of each can't tell what repeats would bring.
        TryRepeats => AddSamples, msg!("report-next-try-repeats");

        /// Do what narrows the interval most: the share of its width that is left with twice the samples, repeats, opinions of
        /// judges.
        NarrowInterval { treatment: String, samples: f64, repeats: Option<f64>, opinions: Option<f64>, best: MoreOf }
            => NarrowInterval, msg!(
            "report-next-twice",
            treatment = treatment,
            samples = points(*samples),
            repeats = or_none(*repeats, points),
            opinions = or_none(*opinions, points),
            best = name(*best)
        );

        /// Add harder samples: both arms have every point there is.
        AddHarderSamples { treatment: String } => AddHarderSamples, msg!("report-next-ceiling", treatment = treatment);

        /// Add samples on which the variants do well: on these they have nothing to lose.
        AddEasierSamples { treatment: String } => AddEasierSamples, msg!("report-next-floor", treatment = treatment);

        /// Keep the simpler of the two; `limit` is the smallest difference that matters, in points.
        KeepSimpler { treatment: String, limit: f64 }
            => DropOrKeep, msg!("report-next-noise", treatment = treatment, limit = points(*limit));

        /// Ship the treatment.
        Ship { treatment: String } => Ship, msg!("report-next-ship", treatment = treatment);

        /// Ship the treatment, and read the samples on which it lost.
        ShipAndReadLosses { treatment: String } => Ship, msg!("report-next-ship-but", treatment = treatment);

        /// Ship the treatment if it is cheaper or shorter: it is not worse by more than the margin, in points.
        ShipNotWorse { treatment: String, margin: f64 }
            => Ship, msg!("report-next-not-worse", treatment = treatment, margin = points(*margin));

        /// Compare a single variant with something.
        AddControl { variant: String } => AddControl, msg!("report-next-solo", variant = variant);
    }
}

/// How many samples to add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SamplePlan {
    /// As many as it takes until the differences can show anything.
    First {
        /// Pairs.
        n: u64,
        /// Pairs that progress needs.
        needed: u64,
    },
    /// As many as settle it, with the spread seen so far.
    Settle {
        /// Pairs.
        n: u64,
        /// Pairs that settle it; there are fewer.
        needed: u64,
        /// The smallest difference that matters, in points.
        limit: f64,
        /// Pairs that are enough if the gain is as seen; there are fewer.
        plan: Option<GainPlan>,
    },
    /// As many as it takes for the gain that was seen to be progress: to settle it is out of reach.
    ForGain {
        /// Pairs.
        n: u64,
        /// Pairs that it takes; there are fewer.
        plan: GainPlan,
    },
    /// Some more, or repeats: there are as many as decide in most cases, or the spread can't be planned with.
    Some {
        /// Pairs.
        n: u64,
    },
    /// None: no number that anybody could run decides.
    Hopeless,
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

/// What the message says in place of a number that there is none of.
const NONE: &str = "none";

fn of_samples(treatment: &str, plan: SamplePlan) -> Message {
    match plan {
        SamplePlan::First { n, needed } => {
            msg!("report-next-first-samples", treatment = treatment, n = n, needed = needed)
        }
        SamplePlan::Settle { n, needed, limit, plan: None } => {
            msg!("report-next-more-samples", treatment = treatment, more = needed - n, limit = points(limit),)
        }
        SamplePlan::Settle { n, needed, limit, plan: Some(plan) } => msg!(
            "report-next-two-numbers",
            treatment = treatment,
            enough = plan.needed - n,
            gain = signed(plan.gain),
            more = needed - n,
            limit = points(limit),
        ),
        SamplePlan::ForGain { n, plan } => {
            msg!("report-next-gain-samples", treatment = treatment, more = plan.needed - n, gain = signed(plan.gain))
        }
        SamplePlan::Some { n } => msg!("report-next-some-samples", n = n),
        SamplePlan::Hopeless => msg!("report-next-hopeless"),
    }
}

fn or_none(value: Option<f64>, text: fn(f64) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), text)
}

fn name(of: MoreOf) -> &'static str {
    match of {
        MoreOf::Samples => "samples",
        MoreOf::Repeats => "repeats",
        MoreOf::Opinions => "opinions",
    }
}
