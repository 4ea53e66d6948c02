//! Stored reports.

mod stored;
