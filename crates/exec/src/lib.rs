//! Executors: a call goes in, an output or a typed failure comes out.
//!
//! In come [`Settings`](eval_spec::suite::Settings) and the [`Context`](eval_spec::Context) (keys, base URLs, `PATH`),
//! then one [`Call`](eval_spec::Call) at a time. Out come an [`Output`](eval_spec::Output) with text,
//! trace, usage, cost and latency, or an [`ExecError`](eval_spec::ExecError) with its class.
//!
//! This crate never retries, queues, caches or grades, never starts a shell, and lets no key into an
//! error text or into a program that doesn't need it.

mod access;
mod agents;
mod anthropic_api;
mod channels;
mod command;
mod executor_type;
mod executors;
mod gemini_api;
pub mod http;
mod mocks;
mod model_api;
mod openai_api;
mod openai_cli;
mod places;
mod prices;
mod program_error;
mod record;
mod recordings;
mod replay;
pub mod secrets;
mod token_limit;

pub use access::{Access, Credential, reach, version_of};
pub use agents::{CopyError, Survey, loads_by_name, names_path, survey, without_attachments, without_mentions};
pub use executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe, ProgramVersion};
pub use executors::{
    EXECUTORS, build, can_mock, choices, default_judge, default_model, for_model, gives_success, isolation, kind,
    may_report_cost, mocked_tools, named, recorded_mocks, recording_executors, refused_mock, refuses_mocks,
};
pub use mocks::{AgentMocks, CallDenial, RecordedMock, RecordedMocks, RecordedRun, covers, stands_for};
pub use prices::{Price, Prices, PricesError};
pub use program_error::signal;
pub use record::Recorder;
pub use recordings::{OpenError, RECORDINGS_FILE, RECORDINGS_VERSION, Recordings};
pub use secrets::{Redact, has_mask, in_inputs, is_secret, known_secrets, masked};
