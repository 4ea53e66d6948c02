use eval_message::msg;
use eval_message::number::percent;

use super::table::reasons;

reasons! {
    /// Why a run is no valid measurement. Limits are shares, 0–1.
    pub enum Invalid {
        /// Somebody stopped the run.
        Interrupted => msg!("report-invalid-interrupted");

        /// The money or time was used up.
        BudgetExhausted => msg!("report-invalid-budget");

        /// The run was given up, because no call could succeed.
        Aborted => msg!("report-invalid-aborted");

        /// The run was given up, because a judge was away or none of its replies was usable.
        JudgeFailed => msg!("report-invalid-judge-failed");

        /// Planned executions have no record.
        RecordsMissing => msg!("report-invalid-records-missing");

        /// More of the executions that ran failed than may.
        Failures { failed: u64, ran: u64, limit: f64 }
            => msg!("report-invalid-failures", failed = *failed, ran = *ran, limit = percent(*limit));

        /// Every execution of a variant failed.
        DeadVariant { variant: String } => msg!("report-invalid-dead", variant = variant);

        /// No execution came back with an answer.
        NoAnswer { executions: u64 } => msg!("report-invalid-no-answer", count = *executions);

        /// No answer of a variant has a score: its checks could not be evaluated.
        UnscoredVariant { variant: String } => msg!("report-invalid-unscored", variant = variant);

        /// Agents of a variant read the artifact of another one: they were no runs of that variant alone.
        ArtifactLeak { variant: String, runs: u64 } => msg!("report-invalid-leak", variant = variant, count = *runs);

        /// No agent of a variant had its artifact on offer.
        NotDelivered { variant: String } => msg!("report-invalid-not-delivered", variant = variant);

        /// More opinions of judges are missing than may.
        Opinions { missing: u64, planned: u64, limit: f64 }
            => msg!("report-invalid-judges", missing = *missing, planned = *planned, limit = percent(*limit));

        /// Of the pairs with both answers, the judges gave no usable verdict on too many.
        Pairs { unjudged: u64, answered: u64, limit: f64 }
            => msg!("report-invalid-pairs", unjudged = *unjudged, answered = *answered, limit = percent(*limit));
    }
}
