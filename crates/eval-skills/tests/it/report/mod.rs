//! Stored reports: comparing, converting, validating.

mod compare;
mod lists;
mod server;
mod stored;
