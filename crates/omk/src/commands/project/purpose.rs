//! The purpose that a project is loaded for.

use eval_exec::ExecutorKind;
use eval_spec::Identity;
use eval_spec::suite::Settings;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To run: everything must be available.
    Run,
    /// To show the plan: a key or program may still be missing.
    Preview,
    /// To find out what is missing: whoever asks says it, and no file of a check is run.
    Checkup,
    /// To run for the sake of the tool calls alone: no mock answers them, and nothing is graded.
    Record,
    /// To grade the answers of this executor in an earlier run; it is not called, and may be unavailable.
    Regrade(Box<Identity>),
}

impl Purpose {
    /// Whether nothing is asked, so that a key or program may be missing.
    pub(super) fn asks_nothing(&self) -> bool {
        matches!(self, Purpose::Preview | Purpose::Checkup)
    }
}

/// Whether answers are replayed from recordings.
pub(crate) fn is_replay(settings: &Settings) -> bool {
    eval_exec::kind(&settings.executor) == ExecutorKind::Recordings
}
