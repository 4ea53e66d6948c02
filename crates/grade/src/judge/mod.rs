//! LLM judges: questions about an answer, put to every judge, and strict reading of the replies.
//!
//! A judge sees the task, the criteria and the answer, and nothing else: no metadata, no mocks, no name of a variant, no
//! answer of another variant. A reply is used only if it has exactly the requested form.

pub(crate) mod hedging;
mod label;
mod merging;
pub(crate) mod pair_texts;
pub(crate) mod pairwise;
mod panel;
mod probe;
pub(crate) mod question;
pub(crate) mod reply;
pub(crate) mod texts;

pub use hedging::{
    HedgingSilence, check_hedging, hedging_prompt_bytes, hedging_prompt_hash, hedging_question, judge_hedging,
};
pub use label::{ClusterName, is_usable_name, name_cluster};
pub use merging::{MergeAnswer, is_usable_merge, merge_things};
pub use pair_texts::{pairwise_template_hash, pairwise_template_name};
pub use panel::{Judge, Panel, check_reply};
pub use probe::{ProbeAnswer, is_usable_probe, probe_questions};
pub use reply::{ProbeQuestion, SameThings};
pub use texts::{EXPECTATION_TEMPLATE, expectation_template_hash, template_hash, template_name};

pub(crate) use question::Question;
