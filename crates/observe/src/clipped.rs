//! Cuts long texts: sessions hold gigabytes, and the signs of a signal are at the ends of an output.

use serde_json::Value;

/// Bytes to keep at each end of an output.
const OUTPUT_END: usize = 8 << 10;
/// Bytes to keep of an argument.
const MAX_ARGUMENT: usize = 16 << 10;

/// Cuts the middle out of a long output.
pub(crate) fn clip_output(text: &mut String) {
    if text.len() <= 2 * OUTPUT_END {
        return;
    }
    let (head, tail) = (text.floor_char_boundary(OUTPUT_END), text.ceil_char_boundary(text.len() - OUTPUT_END));
    *text = format!("{}\n…\n{}", &text[..head], &text[tail..]);
}

/// Cuts long texts in arguments, such as the content of a written file.
pub(crate) fn clip_arguments(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > MAX_ARGUMENT => {
            text.truncate(text.floor_char_boundary(MAX_ARGUMENT));
            text.shrink_to_fit();
        }
        Value::Array(all) => all.iter_mut().for_each(clip_arguments),
        Value::Object(all) => all.values_mut().for_each(clip_arguments),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
