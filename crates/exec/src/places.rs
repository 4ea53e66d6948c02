//! The names of the folders that agents work in: agents make them, and recordings of their calls know them by these names.

/// The beginning of the names of the folders of runs.
pub(crate) const RUN_PREFIX: &str = "omk-run-";
/// The beginning of the names of the folders of their calls, which lie in them.
pub(crate) const CALL_PREFIX: &str = "omk-call-";
/// The name of a call's own copy of its working directory.
pub(crate) const WORKSPACE: &str = "work";
