//! Which channels to other artifacts an executor cuts.

use eval_spec::suite::Settings;

use crate::channels::unverified;
use crate::executors::named;

/// The state of each channel of the executor with this name or command line: `cut` (this program
/// closes it), `open` (the settings ask for it), `unverified` (it may be open), `none` (there is no such channel).
#[must_use]
pub fn isolation(executor_name: &str, settings: &Settings) -> Vec<(&'static str, &'static str)> {
    match named(executor_name) {
        Some(executor) => (executor.channels)(settings),
        None => unverified(settings),
    }
}
