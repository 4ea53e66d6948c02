//! The price table of the user, and suggestions for misspelled executors.

use eval_exec::{BuildError, ExecutorType, Prices, Probe};
use eval_load as load;
use eval_spec::Context;

use crate::exit::CommandError;

/// Reads the built-in price table with the user's own prices added.
pub fn prices(context: &Context) -> Result<Prices, CommandError> {
    let file = context.home.join("prices.json");
    match file.is_file() {
        true => {
            Prices::with_file(&file, &context.display(&file)).map_err(|error| CommandError::usage(error.message, None))
        }
        false => Ok(Prices::built_in()),
    }
}

/// Suggests an executor with a name close to an unknown one, preferably one that can run here.
pub fn meant(context: &Context, error: &BuildError, name: &str) -> Option<&'static str> {
    let is_ready = |executor: &&ExecutorType| matches!((executor.probe)(context), Probe::Ready);
    let near = |executors: Vec<&'static ExecutorType>| {
        let names: Vec<&'static str> = executors.into_iter().map(|executor| executor.name).collect();
        load::closest(name, &names)
    };
    let all = eval_exec::EXECUTORS;
    let closest = || near(all.iter().filter(is_ready).collect()).or_else(|| near(all.iter().collect()));
    matches!(error, BuildError::Unknown { .. }).then(closest).flatten()
}
