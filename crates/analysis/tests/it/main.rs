//! The crate through its public interface.

mod holdout;
mod likeness;
