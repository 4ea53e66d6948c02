//! What an outage means to a run.

/// What it means for the run when what answers is out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outage {
    /// One provider answers for all: when it is out the run ends, to be resumed when it is well again.
    #[default]
    EndsTheRun,
    /// Each subject answers for itself, and to be out is its result: the run goes on with the others.
    IsAResult,
}
