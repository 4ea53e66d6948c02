//! Stored messages, made harmless.

use eval_message::Message;
use eval_message::plain::clip;

/// A stored message holds names of others.
pub(crate) fn harmless(message: &Message) -> Message {
    let mut message = message.clone();
    for value in message.args.values_mut() {
        if let eval_message::Arg::Text(text) = value {
            *text = clip(text, 200);
        }
    }
    message
}
