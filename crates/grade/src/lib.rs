//! Grading: outputs and their traces are checked against assertions and put to judges.
//!
//! In come samples (with their assertions, as loaded) and outputs; out go [`Grade`](eval_spec::Grade)s:
//! per assertion passed, failed, or unscored with the reason, and what was measured. One file and one
//! line of [`TYPES`] make an assertion type; validation, `--help` and the docs read the same table.
//!
//! For callable skills [`scorer::Scoring`] does the same with the tasks of a benchmark: one scorer each.
//!
//! Judges are executors that the caller builds: this crate never touches the network, and never turns "could not be
//! checked" into a pass or a failure. The only foreign code that it runs are the scripts of `custom`, in an engine without
//! files, network or processes (or in Node, with `--custom-runtime node`).

mod answer;
mod assertion;
mod excerpt;
mod fenced;
mod fields;
mod finding;
mod fold;
mod foreign;
mod grading;
mod idle;
mod json;
mod judge;
mod meter;
mod pattern;
mod regexp;
mod schema_keywords;
pub mod scorer;
mod script;
mod setup;
mod tokens;

pub use assertion::json_schema::schema_problem;
pub use assertion::kind::AssertionType;
pub use assertion::{TYPES, is_judged, layer_of, type_specs};
pub use grading::{Grading, JudgedGrading};
pub use judge::{
    ClusterName, EXPECTATION_TEMPLATE, HedgingSilence, Judge, MergeAnswer, Panel, ProbeAnswer, ProbeQuestion,
    SameThings, check_hedging, check_reply, expectation_template_hash, hedging_prompt_bytes, hedging_prompt_hash,
    hedging_question, is_usable_merge, is_usable_name, is_usable_probe, judge_hedging, merge_things, name_cluster,
    pairwise_template_hash, pairwise_template_name, probe_questions, template_hash, template_name,
};
pub use script::parse_function;
pub use setup::{CustomRuntime, GraderSetup, GradingLimits};

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::judge::hedging::request as hedging_request;
    pub use crate::judge::pair_texts::{CHINESE as CHINESE_PAIRS, ENGLISH as ENGLISH_PAIRS};
    pub use crate::judge::pairwise::written as pair_written;
    pub use crate::judge::question::{Asks, JudgeRequest, Material, Question, RequestPlace, language};
    pub use crate::judge::reply::{JudgeReply, ReplyForm, read};
    pub use crate::judge::texts::{CHINESE, ENGLISH};
    pub use crate::scorer::shown::shown;
    pub use crate::script::read_reply;
    pub use crate::tokens::rouge_tokens;
}
