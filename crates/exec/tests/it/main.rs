//! `eval-exec` through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod claude;
mod commands;
mod door;
mod http;
mod openai_cli;
mod prices;
mod recordings;

use std::sync::Arc;

use eval_exec::{Build, Prices};
use eval_spec::suite::{Settings, Written};
use eval_spec::{Context, Executor};

pub(crate) use testkit::calls::{all_words, call, run, world};

pub(crate) fn settings() -> Settings {
    Written::default().resolve()
}

pub(crate) fn executor(name: &str, context: &Context) -> Arc<dyn Executor> {
    let settings = settings();
    let b = Build { context, settings: &settings, prices: Arc::new(Prices::built_in()) };
    eval_exec::build(name, &b).unwrap_or_else(|error| panic!("{error} {:?}", error.help()))
}
