//! Callable skills through the crate's door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod everything;
mod mcp;
mod skills;

use std::collections::BTreeMap;
use std::time::Duration;

use eval_message::Lang;
use eval_spec::call::Generation;
use eval_spec::context::Clock;
use eval_spec::{Call, CellKey, Context, ExecError, Executor, Output};

/// A world with nothing in it but `PATH` and these variables.
pub(crate) fn world(env: &[(&str, &str)]) -> Context {
    let mut variables = BTreeMap::from([("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())]);
    variables.extend(env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    Context {
        cwd: std::env::temp_dir(),
        home: std::env::temp_dir().join("omk-home"),
        env: variables,
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        clock: Clock::System,
    }
}

/// The cell `s001/v1/0`, asking `prompt`.
pub(crate) fn call(prompt: &str) -> Call {
    Call {
        key: CellKey { sample: "s001".into(), subject: "v1".into(), repeat: 0 },
        model: "test-model".to_owned(),
        effort: None,
        system: Some("be brief".into()),
        prompt: prompt.into(),
        cwd: None,
        cwd_fingerprint: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(20),
    }
}

pub(crate) fn run(executor: &dyn Executor, call: &Call) -> Result<Output, ExecError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(executor.call(call))
}

/// Everything an error says, in every language, as JSON and as text.
pub(crate) fn all_words(error: &ExecError) -> String {
    let texts = [Lang::En, Lang::Zh].map(|lang| error.message.text(lang));
    format!("{error} {error:?} {} {}", texts.join(" "), serde_json::to_string(error).unwrap())
}
