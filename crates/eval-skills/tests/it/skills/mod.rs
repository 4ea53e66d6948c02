//! Files of skills: checking, creating, finding, selecting.

mod create;
mod find;
mod lint;
mod openapi;
mod select;
