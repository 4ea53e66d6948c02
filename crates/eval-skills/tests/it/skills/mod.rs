//! Files of skills: checking, creating, finding, selecting.

mod agent_skills_evals;
mod create;
mod find;
mod lint;
mod openapi;
mod search;
mod select;
