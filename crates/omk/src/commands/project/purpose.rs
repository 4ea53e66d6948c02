//! What a project is loaded for.

use eval_exec::ExecutorKind;
use eval_spec::Identity;
use eval_spec::suite::Settings;

/// What the inputs are loaded for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be run: everything must be there.
    Run,
    /// To be shown: the executor may still be missing a key or a program.
    Preview,
    /// To grade what this executor answered in an earlier run; it is not asked again, and may be gone.
    Regrade(Identity),
}

/// Whether nothing is called, since the answers are there.
pub(crate) fn is_replay(settings: &Settings) -> bool {
    eval_exec::kind(&settings.executor) == ExecutorKind::Recordings
}
