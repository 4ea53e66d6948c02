//! `replay`: recorded executions, offline: text, trace, usage, cost and the recorded latency, without waiting.

use std::sync::Arc;

use eval_message::msg;
use eval_spec::record::Executed;
use eval_spec::{BoxFuture, Call, CallPrice, Context, ExecError, Executor, Failure, Identity, Output, vendor};

use crate::channels;
use crate::executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe};
use crate::recordings::Recordings;

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: vendor::REPLAY,
    summary: eval_message::key!("exec-replay"),
    default_model: "",
    default_judge: "",
    model_prefixes: &[],
    kind: ExecutorKind::Recordings,
    reports_cost: false,
    own_tokens: 0,
    bytes_per_token: 4,
    probe,
    version: None,
    access: |_| Ok(None),
    build,
    channels: channels::unverified,
    mention: None,
    attaches: false,
    mocks: || None,
};

struct Replay {
    recordings: Recordings,
    identity: Identity,
}

fn probe(_: &Context) -> Probe {
    Probe::Ready
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    let Some(path) = &b.settings.recordings else {
        return Err(BuildError::missing(msg!("exec-replay-no-folder")));
    };
    let recordings = Recordings::open(&b.context.absolute(path))
        .map_err(|error| BuildError::Invalid { message: error.message, help: vec![msg!("exec-replay-help")] })?;
    if recordings.is_empty() {
        return Err(BuildError::invalid(msg!("exec-replay-empty", file = recordings.name())));
    }
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: None,
        provider: TYPE.name.to_owned(),
        base_url: None,
        details: Some(recordings.hash().to_owned()),
        program: None,
        sandbox: None,
    };
    Ok(Arc::new(Replay { recordings, identity }))
}

impl Executor for Replay {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            match self.recordings.find(call) {
                Ok(Executed::Output(output)) => Ok(*output),
                // A replayed failure needs no waiting time.
                Ok(Executed::Failed(error)) => Err(ExecError { retry_after_ms: None, ..error }),
                Err(message) => Err(ExecError::new(Failure::NoRecording, message)),
            }
        })
    }

    fn failures_before(&self, call: &Call) -> Vec<Failure> {
        self.recordings.failures_before(call)
    }
}
