//! The price table of the user, and suggestions for misspelled executors.

use eval_exec::{BuildError, Prices};
use eval_load as load;
use eval_spec::Context;

use crate::exit::CommandError;

/// The built-in table, with the user's own prices over it.
pub fn prices(context: &Context) -> Result<Prices, CommandError> {
    let own = context.home.join("prices.json");
    match own.is_file() {
        true => {
            Prices::with_file(&own, &context.display(&own)).map_err(|error| CommandError::usage(error.message, None))
        }
        false => Ok(Prices::built_in()),
    }
}

/// The executor with a name close to an unknown one.
pub fn meant(error: &BuildError, name: &str) -> Option<&'static str> {
    let names: Vec<&str> = eval_exec::EXECUTORS.iter().map(|executor| executor.name).collect();
    matches!(error, BuildError::Unknown { .. }).then(|| load::closest(name, &names)).flatten()
}
