//! The crate seen from outside: against other people's software, and against what must hold for any input.

mod confidence_sequence;
mod judge_coverage;
mod judge_oracle;
mod judge_properties;
mod oracle;
mod pages;
mod properties;
#[path = "../../examples/random/mod.rs"]
mod random;
mod redraw;
mod reproducible;
