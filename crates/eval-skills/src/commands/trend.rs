//! `eval-skills trend`: a skill's completion rate over time, from the store (K11).

use eval_cli::Terminal;
use eval_cli::exit::{self, Failure};
use eval_report::skills::{skill_trend_text, trend};
use eval_serve::Store;
use eval_spec::Context;

use super::select::{show, store_path};
use crate::cli::{Global, TrendArgs};
use crate::told;

pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &Global,
    arguments: &TrendArgs,
) -> Result<u8, Failure> {
    let path = store_path(context, global, arguments.store.as_deref())?;
    let no_store = |error| told::store(context, &error);
    let store = Store::open_existing(&path).map_err(no_store)?;
    let history = store.history(&arguments.skill, arguments.benchmark.as_deref()).map_err(no_store)?;
    let found = trend(&arguments.skill, history);
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&skill_trend_text(&found, show(terminal)));
    Ok(exit::OK)
}
