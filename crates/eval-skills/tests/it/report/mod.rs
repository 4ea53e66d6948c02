//! Stored reports: comparing, converting, validating.

mod compare;
mod server;
mod stored;
