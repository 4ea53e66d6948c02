//! Files → the parts of a [`Suite`](eval_spec::Suite), or diagnostics.
//!
//! In come paths: samples, `eval.yaml`, skills, benchmarks, gold. Out come values, or diagnostics that name file, line
//! and column. A file becomes a tree of values with their places, and the tree is decoded by hand, so that all problems
//! of a file are reported at once.
//!
//! This crate never runs or grades a sample. It starts no program but `git`, for variants out of history.

mod agent_evals;
mod alike_ids;
mod artifact;
mod assertion;
mod benchmark;
mod callable;
mod cases;
mod controls;
mod data;
mod decode;
mod directory;
mod document;
mod file;
mod fingerprint;
mod git;
mod gold;
mod import;
mod json;
mod knowledge;
mod lint;
mod loaded;
mod lookalike;
mod mcp_config;
mod mock;
mod placebo;
mod problems;
mod sample_keys;
mod samples;
mod settings;
mod skill;
mod skills_config;
mod strategy;
mod tree;
mod triggers;
mod urls;
mod variant;
mod yaml;

pub use agent_evals::evals_skill;
pub use artifact::discover;
pub use benchmark::{
    BUILT_IN_BENCHMARKS, any_benchmark, benchmark, benchmark_file, benchmarks, is_benchmark_path, tasks_file,
};
pub use callable::{SkillLint, callable_skills, file_hash, lint_folder, lint_skills, scan_skills, skill_folders};
pub use cases::{
    CASE_FORMATS, CarriedChecks, CarriedTests, CaseFormat, CheckProbe, ImportDifference, ImportedCases, ProjectFile,
    RowColumns, import_benchmark, import_cases,
};
pub use controls::resolved_control;
pub use data::{DataPlaces, data_file};
pub use decode::closest;
pub use fingerprint::{ChangedPath, changed_since, cwd_fingerprint, skill_files};
pub use git::{artifact_commit, files_changed_since, git_command, git_on_files, plain_environment};
pub use gold::gold;
pub use import::{DataSet, import};
pub use knowledge::{knowledge_base, knowledge_texts};
pub use lint::lint_skill;
pub use loaded::Loaded;
pub use mcp_config::url_servers;
pub use sample_keys::{ENVIRONMENT_KEYS, MATCH_KEYS, MOCK_KEYS, SAMPLE_KEYS, SampleKey};
pub use samples::{SampleFile, SampleSet, find_samples, samples};
pub use settings::{SETTING_KEYS, SettingKey, SettingShape, eval_file, is_eval_file, setting_place};
pub use skills_config::{PROJECT_CONFIG, closest_config_key, config_with, skills_config, user_config};
pub use strategy::strategy;
pub use triggers::is_triggers;
pub use urls::{UrlInText, urls_in, with_pages, without_urls};
pub use variant::{variant, variant_name, variants};

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::callable::address::{EntrypointAddress, kind, problem, secret_parameter};
    pub use crate::git::output_within;
    pub use crate::import::toolbench::function_name;
    pub use crate::lint::{is_at, references};
    pub use crate::lookalike::is_csv;
    pub use crate::mcp_config::{encoded, expanded};
    pub use crate::placebo::{Language, Neutral};
}
