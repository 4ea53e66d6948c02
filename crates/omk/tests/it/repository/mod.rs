//! Properties of the repository itself: crate graph, messages, documents.

mod architecture;
mod circles;
mod dependencies;
mod docs;
mod names;
mod platforms;
