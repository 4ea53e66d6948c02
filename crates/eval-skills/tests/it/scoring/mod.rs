//! From answers to numbers.

mod scorers;
