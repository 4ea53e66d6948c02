//! Stored reports.

mod compare;
mod stored;
