//! Versions of stored files: each file names its own, and only the current one is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// Returns the number in a top-level field of a JSON object; `None` where the text is no object or has no such number.
pub(crate) fn version_in(text: &[u8], field: &str) -> Option<u32> {
    let fields: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(text).ok()?;
    serde_json::from_str(fields.get(field)?.get()).ok()
}
