//! Texts of ours inside a report.

use eval_message::Message;
use serde::{Deserialize, Serialize};

/// A text of the program: in English, and by key for programs that show it in another language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The English text.
    pub message: String,
    /// Its key and arguments; the key is stable and may be matched on.
    pub message_key: Message,
}

impl From<Message> for Note {
    fn from(message: Message) -> Note {
        Note { message: message.to_string(), message_key: message }
    }
}
