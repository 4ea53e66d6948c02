//! From answers to scores.

mod assertions;
