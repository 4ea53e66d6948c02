//! Stored messages with untrusted arguments cleaned.

use eval_message::Message;
use eval_message::plain::clip;

use crate::minus::minus_of_number;

/// Cleans and shortens the key and the arguments of a stored message, which may be untrusted: a key that the catalogue
/// hasn't stands for its text. Negative numbers get a true minus, also those that were stored with a hyphen.
pub(crate) fn harmless(message: &Message) -> Message {
    let mut message = message.clone();
    message.id = clip(&message.id, 200).into();
    for value in message.args.values_mut() {
        if let eval_message::Arg::Text(text) = value {
            *text = minus_of_number(&clip(text, 200));
        }
    }
    message
}
