//! JSON-RPC 2.0 with a skill: one request out, its answer found in whatever the skill prints.

use std::collections::HashMap;

use eval_spec::callable::{compact, read_exactly};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value, json};

/// An answer of a skill.
#[derive(Debug, PartialEq)]
pub enum RpcAnswer {
    /// A result.
    Result {
        /// As JSON, its numbers as the skill wrote them.
        json: String,
        /// The tokens that it says it used.
        tokens: Option<u64>,
    },
    /// An error.
    Error {
        /// Its text.
        message: String,
    },
}

/// The best match for an answer in a text.
#[derive(Debug, PartialEq)]
pub enum RpcMatch {
    /// The answer to our request.
    Answer(RpcAnswer),
    /// Possibly an answer, possibly a line of a log: it is no JSON-RPC 2.0, or doesn't begin its line.
    Likely(RpcAnswer),
    /// No answer to it, but one to another request: its id, `null` if it has none.
    OtherId(Value),
    /// It begins like an answer and can't be parsed.
    Malformed(MalformedAnswer),
    /// An answer with bytes in it that are no UTF-8.
    NotUtf8,
    /// No answer.
    Nothing,
}

/// An answer that can't be parsed.
#[derive(Debug, PartialEq)]
pub struct MalformedAnswer {
    /// The parser's error, and where in the answer.
    pub why: String,
    /// Whether the text ended in the middle of it: there may be more.
    pub is_cut: bool,
}

impl MalformedAnswer {
    fn of(error: &serde_json::Error) -> MalformedAnswer {
        MalformedAnswer { why: error.to_string(), is_cut: error.is_eof() }
    }
}

/// A request in a line; `input` is JSON.
pub fn request(id: u64, input: &str) -> String {
    let input = serde_json::from_str(input).unwrap_or_else(|_| Value::String(input.to_owned()));
    let params = if input.is_object() || input.is_array() { input } else { json!({ "input": input }) };
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": "execute", "params": params });
    format!("{request}\n")
}

/// As [`find`], in bytes. Lines around the answer may be in any encoding.
pub(super) fn find_bytes(bytes: &[u8], id: u64) -> RpcMatch {
    let text = String::from_utf8_lossy(bytes);
    let was_replaced = matches!(text, std::borrow::Cow::Owned(_));
    let has_mark = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
    match find(&text, id) {
        RpcMatch::Answer(RpcAnswer::Result { json, .. }) | RpcMatch::Likely(RpcAnswer::Result { json, .. })
            if was_replaced && has_mark(&json) =>
        {
            RpcMatch::NotUtf8
        }
        found => found,
    }
}

/// The answer to request `id` in everything that a program printed, on one line or many, whatever else was printed: the
/// first JSON-RPC 2.0 that begins a line; else the first that may be meant.
///
/// An answer may begin at the beginning of a line, or anywhere with `{"jsonrpc"`.
pub fn find(text: &str, id: u64) -> RpcMatch {
    // Text that was made to be read again from everywhere is not.
    let mut budget = text.len().saturating_mul(2).saturating_add(1 << 16);
    let (mut likely, mut unreadable, mut other) = (None, None, None);
    // Whether there was nothing but space since the line began.
    let (mut at, mut blank) = (if text.starts_with(MARK) { MARK.len_utf8() } else { 0 }, true);
    while let Some(&byte) = text.as_bytes().get(at) {
        let is_begin = byte == b'{' && (blank || text.as_bytes()[at..].starts_with(b"{\"jsonrpc\""));
        if !is_begin {
            blank = byte == b'\n' || (blank && byte.is_ascii_whitespace());
            at += 1;
            continue;
        }
        let (value, read) = read_value(&text[at..]);
        // What was read as JSON has no answer inside; what wasn't may begin with a brace of a log line.
        let next = at + if value.is_ok() { read } else { 1 };
        match value.and_then(|json| response(json, id)) {
            Ok(RpcMatch::Answer(answer)) if blank => return RpcMatch::Answer(answer),
            Ok(RpcMatch::Answer(answer) | RpcMatch::Likely(answer)) => likely = likely.or(Some(answer)),
            Ok(RpcMatch::OtherId(id)) => other = other.or(Some(id)),
            Err(why) if blank && names_itself(&text[at..], read) => unreadable = Some(why),
            Ok(_) | Err(_) => {}
        }
        (at, blank) = (next, false);
        budget = match budget.checked_sub(read) {
            Some(rest) => rest,
            None => break,
        };
    }
    match (unreadable, likely, other) {
        (Some(why), ..) => RpcMatch::Malformed(why),
        (None, Some(answer), _) => RpcMatch::Likely(answer),
        (None, None, Some(id)) => RpcMatch::OtherId(id),
        (None, None, None) => RpcMatch::Nothing,
    }
}

/// A byte order mark.
const MARK: char = '\u{feff}';

/// The JSON that a text begins with, and how much of the text was read for it, or in vain.
fn read_value(text: &str) -> (Result<&str, MalformedAnswer>, usize) {
    let mut values = Deserializer::from_str(text).into_iter::<&RawValue>();
    match values.next() {
        Some(Ok(value)) => (Ok(value.get()), values.byte_offset().max(1)),
        Some(Err(error)) => {
            let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            (Err(MalformedAnswer::of(&error)), before + error.column())
        }
        None => (Err(MalformedAnswer { why: String::new(), is_cut: true }), 1),
    }
}

/// Whether the object that a text begins with, which could be read so far or not at all, means to be JSON-RPC. No more
/// of the text is looked at than was read, and the rest of the line.
fn names_itself(text: &str, read: usize) -> bool {
    let read = text.ceil_char_boundary(read);
    let end = text[read..].find('\n').map_or(text.len(), |end| read + end);
    text[..end].contains("\"jsonrpc\"")
}

fn response(json: &str, id: u64) -> Result<RpcMatch, MalformedAnswer> {
    let value = read_exactly(json).map_err(|error| MalformedAnswer::of(&error))?;
    let Value::Object(mut object) = value else { return Ok(RpcMatch::Nothing) };
    let error = object.remove("error").filter(|error| !error.is_null());
    let result = object.remove("result");
    let answer = match (error, result) {
        (Some(error), _) => RpcAnswer::Error { message: words(&error) },
        (None, Some(value)) => RpcAnswer::Result { tokens: tokens(&object, &value), json: written(json, &value) },
        // A request that was printed for the log has an id as well.
        (None, None) if object.contains_key("jsonrpc") && !object.contains_key("method") && has_id(&object, id) => {
            let why = "neither `result` nor `error`".to_owned();
            return Err(MalformedAnswer { why, is_cut: false });
        }
        (None, None) => return Ok(RpcMatch::Nothing),
    };
    let is_ours = has_id(&object, id);
    let own = object.get("id").cloned().unwrap_or(Value::Null);
    // A request that could not be read has no id to answer to.
    let has_no_id = own.is_null() && matches!(answer, RpcAnswer::Error { .. }) && object.contains_key("jsonrpc");
    let is_rpc = object.get("jsonrpc").is_some_and(|version| version == "2.0");
    Ok(match is_ours || has_no_id {
        true if is_rpc => RpcMatch::Answer(answer),
        true => RpcMatch::Likely(answer),
        false if object.contains_key("jsonrpc") => RpcMatch::OtherId(own),
        false => RpcMatch::Nothing,
    })
}

/// The result as it is written in a response, on one line.
fn written(response: &str, result: &Value) -> String {
    let members = serde_json::from_str::<HashMap<String, &RawValue>>(response).ok();
    let own = members.and_then(|members| compact(members.get("result")?.get()));
    own.unwrap_or_else(|| result.to_string())
}

fn has_id(object: &Map<String, Value>, id: u64) -> bool {
    let own = object.get("id");
    own.and_then(Value::as_u64) == Some(id) || own.and_then(Value::as_f64).is_some_and(|own| is(own, id))
}

#[expect(clippy::cast_precision_loss, reason = "ids are small")]
fn is(number: f64, id: u64) -> bool {
    (number - id as f64).abs() < f64::EPSILON
}

fn words(error: &Value) -> String {
    let message = error.get("message").unwrap_or(error);
    let text = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
    match error.get("code") {
        Some(code) if code.is_number() => format!("{text} ({code})"),
        _ => text,
    }
}

/// `usage` beside the result, or in it.
fn tokens(object: &Map<String, Value>, result: &Value) -> Option<u64> {
    [object.get("usage"), result.get("usage")].into_iter().flatten().find_map(usage_tokens)
}

/// The tokens of a `usage`: `totalTokens`, or the sum of `inputTokens` and `outputTokens`.
pub(super) fn usage_tokens(usage: &Value) -> Option<u64> {
    let number = |names: [&str; 2]| names.iter().find_map(|name| usage.get(name)?.as_u64());
    let sum = || number(["inputTokens", "input_tokens"])?.checked_add(number(["outputTokens", "output_tokens"])?);
    number(["totalTokens", "total_tokens"]).or_else(sum)
}
