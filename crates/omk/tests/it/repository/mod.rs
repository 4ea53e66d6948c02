//! Properties of the repository itself: crate graph, messages, documents.

mod architecture;
mod docs;
mod names;
