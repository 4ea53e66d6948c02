//! Properties of the repository itself: crate graph, messages, documents.

mod architecture;
mod circles;
pub(crate) mod docs;
mod names;
