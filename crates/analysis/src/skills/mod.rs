//! Records of callable skills → task results, rates and the evaluation.

mod consistent;
pub mod evaluate;
pub mod rates;
pub mod read;
mod summary;
mod task;

pub use evaluate::{EvaluationInputs, SkillResults, evaluate, meta};
pub use read::read;
pub use task::task_result;
