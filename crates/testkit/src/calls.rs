//! Calls executors without an engine.

use std::collections::BTreeMap;
use std::time::Duration;

use eval_message::Lang;
use eval_spec::call::Generation;
use eval_spec::context::Clock;
use eval_spec::{Call, CellKey, Context, ExecError, Executor, Output};

/// Returns a context with `PATH` and these variables only.
pub fn world(env: &[(&str, &str)]) -> Context {
    let mut variables = BTreeMap::from([("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())]);
    variables.extend(env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    Context {
        cwd: std::env::temp_dir(),
        home: std::env::temp_dir().join("omk-home"),
        env: variables,
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: std::collections::BTreeSet::new(),
    }
}

/// Returns the call of the cell `s001/v1/0` with this prompt.
pub fn call(prompt: &str) -> Call {
    Call {
        key: CellKey { sample: "s001".into(), subject: "v1".into(), repeat: 0 },
        model: "test-model".to_owned(),
        effort: None,
        system: Some("be brief".into()),
        prompt: prompt.into(),
        cwd: None,
        cwd_fingerprint: None,
        surroundings: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout: Duration::from_secs(20),
    }
}

/// Calls an executor and waits for the result.
pub fn run(executor: &dyn Executor, call: &Call) -> Result<Output, ExecError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap_or_else(|error| panic!("no runtime: {error}")).block_on(executor.call(call))
}

/// Returns all texts of an error, in every language, and its JSON.
pub fn all_words(error: &ExecError) -> String {
    let texts = [Lang::En, Lang::Zh].map(|lang| error.message.text(lang));
    format!("{error} {error:?} {} {}", texts.join(" "), serde_json::to_string(error).unwrap_or_default())
}
