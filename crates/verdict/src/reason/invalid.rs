/// Why a run is no valid measurement. A `limit` is the share that may fail or be missing, 0 to 1.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Invalid {
    /// The run was interrupted.
    Interrupted,
    /// The money or time was used up.
    BudgetExhausted,
    /// The run was given up, because no call could succeed.
    Aborted,
    /// Planned executions have no record.
    RecordsMissing,
    /// More executions failed than may.
    Failures { failed: u64, ran: u64, limit: f64 },
    /// Every execution of a variant failed.
    DeadVariant { variant: String },
    /// No execution came back with an answer.
    NoAnswer { executions: u64 },
    /// More opinions of judges are missing than may.
    Opinions { missing: u64, planned: u64, limit: f64 },
    /// The judges gave no usable verdict on too many pairs of answers.
    Pairs { unjudged: u64, answered: u64, limit: f64 },
}
