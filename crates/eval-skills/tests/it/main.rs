//! The built binary, as its users run it.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

// On once all parts are merged: mod seed_commands;
