//! What a run may do: how often it tries again, what an outage means, how much it may use at once.

use eval_spec::Failure;

use crate::budget::Budget;
use crate::outage::Outage;

/// How fast and how far a run may go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunLimits {
    /// Cells under way at once, and calls at once, judges' included; 0 counts as 1.
    pub concurrency: usize,
    /// Attempts after the first.
    pub retry: Retry,
    /// What it means for the run when what answers is out.
    pub outage: Outage,
    /// Requests a minute, at most, per provider.
    pub rpm: Option<u32>,
    /// Tokens a minute, at most, per provider; before a call they are guessed.
    pub tpm: Option<u64>,
    /// Money and time.
    pub budget: Budget,
}

/// Attempts after the first, by what the one before failed with. With 0 there is none, whatever happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retry {
    /// On a failure that says nothing of what was asked: too many requests, a server in trouble, a connection that
    /// broke or couldn't be made.
    pub transient: u32,
    /// On a time limit that passed, or an answer that couldn't be read.
    pub unanswered: u32,
    /// On an error of a callable skill itself. A wrong answer is never asked for again.
    pub failed: u32,
}

impl Retry {
    /// As often for every infrastructure failure that may pass: for models and agents.
    #[must_use]
    pub fn infrastructure(times: u32) -> Retry {
        Retry { transient: times, unanswered: times, failed: 0 }
    }

    /// How often a failure of this class may be followed by another attempt.
    pub(crate) fn after(self, failure: Failure) -> u32 {
        match failure {
            Failure::RateLimited | Failure::Server | Failure::Dropped | Failure::Unreachable | Failure::Killed => {
                self.transient
            }
            Failure::Timeout | Failure::Malformed => self.unanswered,
            Failure::Skill | Failure::Crashed => self.failed,
            Failure::Auth
            | Failure::NoCredit
            | Failure::Rejected
            | Failure::Spawn
            | Failure::NoRecording
            | Failure::Mock
            | Failure::Limit
            | Failure::Interrupted
            | Failure::Budget
            | Failure::Recorded
            | Failure::Absent
            | Failure::Replaced => 0,
        }
    }
}
