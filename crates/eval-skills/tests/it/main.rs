//! The built binary in directories of its own: what is typed in, what is printed, written and exited with out.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod agent_skills_evals;
mod context;
mod guide;
mod hostile;
mod k10_find;
mod k3_benchmarks;
mod k5_config;
mod k9_create;
mod k9_openapi;
mod k_rows;
mod l1_skills;
mod l_rows;
mod m_rows;
mod outputs;
mod place;
mod resume;
mod seed_commands;
mod stored;
mod usage;
