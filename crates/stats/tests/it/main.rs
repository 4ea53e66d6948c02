//! The crate seen from outside: against other people's software, and against what must hold for any input.

mod agreement;
mod bounds;
mod bradley_terry;
mod components;
mod confidence_sequence;
mod decisive;
mod describe;
mod effect;
mod equal_length;
mod interval;
mod item_total;
mod judge_coverage;
mod judge_oracle;
mod judge_properties;
mod mirror;
mod multiple;
mod oracle;
mod outliers;
mod pages;
mod permutation;
mod power;
mod ppi;
mod properties;
#[path = "../../examples/random/mod.rs"]
mod random;
mod rate;
mod redraw;
mod reproducible;
mod saturation;
mod simultaneous;
mod spread;
mod stratified;
mod unseen;
mod welch;
