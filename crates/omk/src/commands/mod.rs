//! One file per command.

pub(crate) mod agent_skills;
pub(crate) mod bench;
pub(crate) mod cache;
pub(crate) mod debias;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod failures;
pub(crate) mod gold;
pub(crate) mod init;
pub(crate) mod manual;
pub(crate) mod mocks;
pub(crate) mod power;
mod preview;
pub(crate) mod project;
mod regrade;
pub(crate) mod report;
mod resume;
pub(crate) mod show;
pub(crate) mod stored;
mod stored_run;
pub(crate) mod trend;
mod unmet;
pub(crate) mod verdict;
mod work;
