//! How many names a line shows, how long they may be, and ids.

use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::Layer;

use super::layout::glued;

/// The most columns of a name in a line of text.
pub(crate) const NAME: usize = 32;

/// How many samples are listed by name.
pub(crate) const LISTED: usize = 5;

/// A layer's row.
pub(crate) fn layer_name(layer: Layer) -> Message {
    msg!("report-row-layer", layer = layer.name())
}

/// A sample's id as a line of text shows it: cleaned, shortened, and divided by no line break.
pub(crate) fn id(of: &str) -> String {
    whole(of, NAME)
}

/// A commit as Git shortens it; its name may be of others.
pub(crate) fn commit(of: &str) -> String {
    clean(of).chars().take(7).collect()
}

/// Another name, which no backticks hold together.
pub(crate) fn whole(of: &str, width: usize) -> String {
    glued(&clip(of, width))
}
