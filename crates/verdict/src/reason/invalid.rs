/// Why a run is no valid measurement.
#[derive(Clone, Debug, PartialEq)]
pub enum Invalid {
    /// Somebody stopped the run.
    Interrupted,
    /// The money or time was used up.
    BudgetExhausted,
    /// The run was given up, because no call could succeed.
    Aborted,
    /// Planned executions have no record.
    RecordsMissing,
    /// More executions failed than may.
    Failures {
        /// Executions that failed.
        failed: u64,
        /// Executions that ran.
        ran: u64,
        /// The share that may fail.
        limit: f64,
    },
    /// Every execution of a variant failed.
    DeadVariant {
        /// The variant.
        variant: String,
    },
    /// No execution came back with an answer.
    NoAnswer {
        /// Executions that came back.
        executions: u64,
    },
    /// More opinions of judges are missing than may.
    Opinions {
        /// Opinions that are missing.
        missing: u64,
        /// Opinions asked for.
        planned: u64,
        /// The share that may be missing.
        limit: f64,
    },
    /// The judges gave no usable verdict on too many pairs of answers.
    Pairs {
        /// Pairs of answers without a usable verdict.
        unjudged: u64,
        /// Pairs with both answers.
        answered: u64,
        /// The share that may be missing.
        limit: f64,
    },
}
