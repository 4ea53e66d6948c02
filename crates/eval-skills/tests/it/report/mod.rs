//! Stored reports: comparing, converting, validating.

mod compare;
mod stored;
