//! The exit codes of both commands.

/// The gate allows shipping, or there was nothing to refuse.
pub const OK: u8 = 0;
/// The gate refuses.
pub const REFUSED: u8 = 1;
/// Usage, configuration or input error; nothing was executed.
pub const USAGE: u8 = 2;
/// The run is not a valid measurement, or a result could not be written.
pub const INVALID: u8 = 3;
/// Interrupted; the run can be resumed from its journal.
pub const INTERRUPTED: u8 = 130;
