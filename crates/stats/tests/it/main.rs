//! The crate seen from outside: against other people's software, and against what must hold for any input.

mod oracle;
mod properties;
mod reproducible;
