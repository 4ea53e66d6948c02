//! How many names a line shows, and how long they may be.

use eval_message::{Message, msg};
use eval_spec::Layer;

/// The most columns of a name in a line of text.
pub(crate) const NAME: usize = 32;

/// How many samples are listed by name.
pub(crate) const LISTED: usize = 5;

/// A layer's row.
pub(crate) fn layer_name(layer: Layer) -> Message {
    msg!("report-row-layer", layer = layer.name())
}
