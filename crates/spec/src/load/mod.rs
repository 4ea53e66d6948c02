//! Files → the pieces of a [`Suite`](crate::Suite), or everything that is wrong with them.
//!
//! A file becomes a tree of values that know where they stand, and the tree is decoded by hand, so
//! that all problems of a file are reported at once, each with its line and column. Nothing here
//! runs a program except `git`, for variants out of history.

mod agent_evals;
mod assertion;
mod decode;
mod directory;
mod file;
mod fingerprint;
mod git;
mod gold;
mod import;
mod json;
mod mock;
mod problems;
mod samples;
mod settings;
mod skill;
mod tree;
mod variant;
mod yaml;

use crate::Diagnostic;

pub use decode::closest;
pub use fingerprint::cwd_fingerprint;
pub use git::{git_command, plain_environment};
pub use gold::{GoldQuestions, gold};
pub use import::{DataSet, import};
pub use samples::{SampleFile, TestSet, find_samples, samples};
pub use settings::{SETTING_KEYS, SettingKey, SettingShape, eval_file, setting_place};
pub use variant::{discover, variant, variants};

/// Something that was read, and what was wrong but not wrong enough.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// What was read.
    pub value: T,
    /// What a person should look at, in file order.
    pub warnings: Vec<Diagnostic>,
}
