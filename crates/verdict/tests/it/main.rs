//! The crate's behaviour through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod gate;
mod gold;
mod holdout;
mod keys;
mod made;
mod preference;
mod properties;
mod tier_oracle;
mod tiers;
mod words;
