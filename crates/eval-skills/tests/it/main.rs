//! The built binary, as its users run it.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

// On once the HTML page is merged, the only part it still lacks: mod seed_commands;
