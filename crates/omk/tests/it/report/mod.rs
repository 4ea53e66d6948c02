//! What is written, and what the commands on stored reports make of it.

mod contract;
mod failure_clusters;
mod history;
mod malformed;
