//! Long texts, cut: a session holds gigabytes, and what a signal is told by stands at the ends.

use serde_json::Value;

/// How much of an output is kept at each end, in bytes.
const OUTPUT: usize = 8 << 10;
/// How much of an argument is kept.
const ARGUMENT: usize = 16 << 10;

/// Cuts the middle out of a long text.
pub(crate) fn clip_output(text: &mut String) {
    if text.len() <= 2 * OUTPUT {
        return;
    }
    let (head, tail) = (text.floor_char_boundary(OUTPUT), text.ceil_char_boundary(text.len() - OUTPUT));
    *text = format!("{}\n…\n{}", &text[..head], &text[tail..]);
}

/// Cuts long texts in arguments, such as the content of a file that is written.
pub(crate) fn clip_arguments(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > ARGUMENT => {
            text.truncate(text.floor_char_boundary(ARGUMENT));
            text.shrink_to_fit();
        }
        Value::Array(all) => all.iter_mut().for_each(clip_arguments),
        Value::Object(all) => all.values_mut().for_each(clip_arguments),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
