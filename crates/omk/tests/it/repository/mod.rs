//! Properties of the repository itself: crate graph, messages, documents.

mod architecture;
mod circles;
mod dependencies;
pub(crate) mod docs;
mod names;
mod platforms;
mod words;
