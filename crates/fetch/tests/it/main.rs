//! Fetches pages from a real server on this machine.

#![expect(clippy::unwrap_used, reason = "tests")]

mod address;
mod bodies;
mod charset;
mod html;
mod login;
mod server_calls;
mod servers;
mod tree;
mod web;

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_fetch::{FetchSetup, PAGE_TIMEOUT, fetch_all};
use eval_message::Lang;
use eval_spec::Context;
use eval_spec::context::Clock;

pub(crate) fn world(variables: &[(&str, &str)]) -> Context {
    Context {
        cwd: PathBuf::from("/"),
        home: PathBuf::from("/nowhere"),
        env: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect::<BTreeMap<_, _>>(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: Default::default(),
    }
}

/// Fetches URLs and returns their texts, or the messages of the refusals.
pub(crate) async fn fetched(context: &Context, allow_private: bool, urls: &[&str]) -> Vec<Result<String, String>> {
    let setup = FetchSetup { context, servers: None, allow_private, timeout: PAGE_TIMEOUT };
    let all = fetch_all(setup, urls).await;
    all.into_iter().map(|answer| answer.map(|page| page.text).map_err(|refusal| refusal.message.to_string())).collect()
}
