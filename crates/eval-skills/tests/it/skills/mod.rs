//! Files of skills: reading, checking, creating, finding.

mod create;
mod find;
mod lint;
mod openapi;
mod select;
