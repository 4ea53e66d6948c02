//! Parameters of requests, and the texts that OpenAPI's styles make of their values (RFC 6570).

use serde_json::Value;

/// One member of the input that becomes a part of the request. A member that the input lacks is left out; for a
/// parameter of the path that is an error of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// `name` in the request.
    pub name: String,
    /// `in`.
    pub place: ParameterPlace,
    /// `field`: the input's member; the name, unless given.
    pub field: String,
    /// `style`.
    pub style: ParameterStyle,
    /// `explode`: whether each item of a list, or member of an object, is written by itself (`a=1&a=2`). True for
    /// [`ParameterStyle::Form`] unless the file says otherwise, as in OpenAPI.
    pub explode: bool,
    /// `allowReserved`: whether reserved characters of a value stay as they are, where it is percent-encoded: anywhere but in a
    /// header; see [`ValueEncoding::Reserved`].
    pub allow_reserved: bool,
}

/// How the characters of values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueEncoding {
    /// Everything but RFC 3986's unreserved characters percent-encoded.
    #[default]
    Percent,
    /// Reserved characters and percent-encoded triples stay (OpenAPI's `allowReserved`), but for those that mean something
    /// where the value goes: in a query or form `#`, `[`, `]`, `&` and `+`, in a path `/`, `?`, `#`, `[`, `]` and an encoded
    /// dot, in a cookie `,` and `;`.
    Reserved(ParameterPlace),
    /// As they are, delimiters included: in a multipart body, or a header.
    Plain,
}

impl ValueEncoding {
    /// Chooses the encoding of percent-encoded values, with or without OpenAPI's `allowReserved`; a form's is that of a query.
    #[must_use]
    pub fn percent(place: ParameterPlace, allow_reserved: bool) -> ValueEncoding {
        if allow_reserved { ValueEncoding::Reserved(place) } else { ValueEncoding::Percent }
    }

    fn encode(self, text: &str) -> String {
        match self {
            ValueEncoding::Percent => percent_encoded(text),
            ValueEncoding::Reserved(place) => with_reserved(text, place),
            ValueEncoding::Plain => text.to_owned(),
        }
    }

    /// A name, whose reserved characters are encoded in any query.
    fn name(self, text: &str) -> String {
        match self {
            ValueEncoding::Plain => text.to_owned(),
            _ => percent_encoded(text),
        }
    }
}

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterPlace {
    /// In place of `{name}` of the entrypoint, percent-encoded, `/` included.
    Path,
    /// Into the query, percent-encoded.
    Query,
    /// Into a header of this name.
    Header,
    /// Into the `Cookie` header.
    Cookie,
}

/// How lists and objects are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterStyle {
    /// `a=1,2`, or exploded `a=1&a=2`.
    Form,
    /// `1,2`.
    Simple,
    /// `.1.2`.
    Label,
    /// `;a=1,2`.
    Matrix,
    /// `a=1%202`.
    SpaceDelimited,
    /// `a=1%7C2`.
    PipeDelimited,
    /// `a[b]=1`.
    DeepObject,
    /// The JSON of the value: OpenAPI's `content`.
    Json,
}

impl ParameterPlace {
    /// The style of a parameter that names none.
    #[must_use]
    pub fn default_style(self) -> ParameterStyle {
        match self {
            ParameterPlace::Path | ParameterPlace::Header => ParameterStyle::Simple,
            ParameterPlace::Query | ParameterPlace::Cookie => ParameterStyle::Form,
        }
    }

    /// Whether a style can be used there.
    #[must_use]
    pub fn allows(self, style: ParameterStyle) -> bool {
        use ParameterStyle::{DeepObject, Form, Json, Label, Matrix, PipeDelimited, Simple, SpaceDelimited};
        match self {
            ParameterPlace::Path => matches!(style, Simple | Label | Matrix | Json),
            ParameterPlace::Query => matches!(style, Form | SpaceDelimited | PipeDelimited | DeepObject | Json),
            ParameterPlace::Header => matches!(style, Simple | Json),
            ParameterPlace::Cookie => matches!(style, Form | Json),
        }
    }
}

impl ParameterStyle {
    /// All of them with their names; all but the last are OpenAPI's.
    pub const NAMES: [(&'static str, ParameterStyle); 8] = [
        ("form", ParameterStyle::Form),
        ("simple", ParameterStyle::Simple),
        ("label", ParameterStyle::Label),
        ("matrix", ParameterStyle::Matrix),
        ("spaceDelimited", ParameterStyle::SpaceDelimited),
        ("pipeDelimited", ParameterStyle::PipeDelimited),
        ("deepObject", ParameterStyle::DeepObject),
        ("json", ParameterStyle::Json),
    ];

    /// The name in `adapter.config.json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ParameterStyle::NAMES.iter().find(|(_, style)| *style == self).map_or("", |(name, _)| name)
    }
}

impl Parameter {
    /// The text of a parameter of the path or of a header; `None` when the input lacks it, or has `null` or nothing there.
    #[must_use]
    pub fn text(&self, input: &Value) -> Option<String> {
        let value = present(input.get(&self.field)?)?;
        let encode = match self.place {
            ParameterPlace::Header => ValueEncoding::Plain,
            place => ValueEncoding::percent(place, self.allow_reserved),
        };
        let name = percent_encoded(&self.name);
        match self.style {
            ParameterStyle::Json => Some(encode.encode(&value.to_string())),
            ParameterStyle::Label => {
                let delimiter = if self.explode { "." } else { "," };
                Some(format!(".{}", joined(value, self.explode, delimiter, encode)?))
            }
            ParameterStyle::Matrix => {
                let pairs = match self.explode {
                    true => exploded(&name, value, encode)?,
                    false => vec![(name, joined(value, false, ",", encode)?)],
                };
                let pair = |(name, value): (String, String)| match value.is_empty() {
                    true => format!(";{name}"),
                    false => format!(";{name}={value}"),
                };
                Some(pairs.into_iter().map(pair).collect())
            }
            _ => joined(value, self.explode, ",", encode),
        }
    }

    /// The percent-encoded names and values of a parameter of the query or of a cookie; none when the input lacks it.
    #[must_use]
    pub fn pairs(&self, input: &Value) -> Vec<(String, String)> {
        let value = input.get(&self.field).and_then(present);
        let encode = ValueEncoding::percent(self.place, self.allow_reserved);
        value.map_or_else(Vec::new, |value| pairs(&self.name, value, (self.style, self.explode), encode))
    }
}

/// The pairs of a value in a query or a form, as `style` and `explode` have it.
#[must_use]
pub fn pairs(
    name: &str,
    value: &Value,
    (style, explode): (ParameterStyle, bool),
    encode: ValueEncoding,
) -> Vec<(String, String)> {
    let encoded = encode.name(name);
    let is_plain = encode == ValueEncoding::Plain;
    let delimiter = match style {
        ParameterStyle::Json => return vec![(encoded, encode.encode(&value.to_string()))],
        ParameterStyle::DeepObject => {
            let mut pairs = Vec::new();
            deep(name.to_owned(), value, encode, &mut pairs);
            return pairs;
        }
        _ if explode => return exploded(&encoded, value, encode).unwrap_or_default(),
        ParameterStyle::SpaceDelimited => {
            if is_plain {
                " "
            } else {
                "%20"
            }
        }
        ParameterStyle::PipeDelimited => {
            if is_plain {
                "|"
            } else {
                "%7C"
            }
        }
        _ => ",",
    };
    joined(value, false, delimiter, encode).map(|value| (encoded, value)).into_iter().collect()
}

/// A value that isn't `null`.
fn present(value: &Value) -> Option<&Value> {
    (!value.is_null()).then_some(value)
}

/// A pair for each item or member.
fn exploded(name: &str, value: &Value, encode: ValueEncoding) -> Option<Vec<(String, String)>> {
    let encoded = |value: &Value| encode.encode(&scalar(value));
    let pairs: Vec<_> = match value {
        Value::Array(items) => items.iter().filter_map(present).map(|item| (name.to_owned(), encoded(item))).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members.map(|(name, value)| (encode.name(name), encoded(value))).collect()
        }
        value => vec![(name.to_owned(), encoded(value))],
    };
    (!pairs.is_empty()).then_some(pairs)
}

/// The items of a list, or the names and values of an object, in one text; `None` if there are none.
fn joined(value: &Value, explode: bool, delimiter: &str, encode: ValueEncoding) -> Option<String> {
    let encode = |text: &str| encode.encode(text);
    let parts: Vec<String> = match value {
        Value::Array(items) => items.iter().filter_map(present).map(|item| encode(&scalar(item))).collect(),
        Value::Object(members) => {
            let equals = if explode { "=" } else { delimiter };
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members.map(|(name, value)| format!("{}{equals}{}", encode(name), encode(&scalar(value)))).collect()
        }
        value => return Some(encode(&scalar(value))),
    };
    (!parts.is_empty()).then(|| parts.join(delimiter))
}

/// `a[b][c]=1`; lists of scalars as `a[]=1`, other lists as `a[0][b]=1`. OpenAPI defines one level of objects; the rest is
/// what PHP, Rails and `qs` read.
fn deep(name: String, value: &Value, encode: ValueEncoding, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| deep(format!("{name}[{key}]"), value, encode, pairs));
        }
        Value::Array(items) => {
            let is_flat = !items.iter().any(|item| item.is_object() || item.is_array());
            for (i, item) in items.iter().enumerate() {
                let index = if is_flat { String::new() } else { i.to_string() };
                deep(format!("{name}[{index}]"), item, encode, pairs);
            }
        }
        value => pairs.push((encode.name(&name), encode.encode(&scalar(value)))),
    }
}

/// The text of a scalar; the JSON of anything else.
fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Encodes a text but for the reserved characters that [`ValueEncoding::Reserved`] leaves in this place.
fn with_reserved(text: &str, place: ParameterPlace) -> String {
    let left = match place {
        ParameterPlace::Path => ":@!$&'()*+,;=",
        ParameterPlace::Query => ":/?@!$'()*,;=",
        ParameterPlace::Cookie => ":/?#[]@!$&'()*+=",
        // It isn't percent-encoded.
        ParameterPlace::Header => "",
    };
    let is_triple = |rest: &str| {
        let digits = rest.as_bytes().get(1..3);
        // As a dot it could lead to another path.
        let is_dot = place == ParameterPlace::Path && digits.is_some_and(|digits| digits.eq_ignore_ascii_case(b"2e"));
        !is_dot && digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let encoded = |(start, c): (usize, char)| match c {
        c if left.contains(c) => c.to_string(),
        '%' if is_triple(&text[start..]) => c.to_string(),
        c => percent_encoded(c.encode_utf8(&mut [0; 4])),
    };
    text.char_indices().map(encoded).collect()
}

/// Everything but RFC 3986's unreserved characters encoded.
fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}
