//! Schemas of a document → self-contained schemas: the targets of `$ref`s go into `$defs`, once, so that recursive types
//! stay finite; and the dialect of OpenAPI 3.0 is rewritten as JSON Schema.

use std::collections::BTreeMap;

use eval_message::{Message, msg};
use serde_json::{Map, Value, json};

use super::budget::CopyBudget;
use super::media::{SampleBody, file_schema, is_file};
use super::parameters::RequestParameter;

/// The most notes: further ones rarely say something new.
const MAX_NOTES: usize = 100;

/// What was left out or needs a look, each once.
#[derive(Default)]
pub(crate) struct Notes {
    pub(super) list: Vec<Message>,
    unlisted: usize,
}

impl Notes {
    pub(super) fn add(&mut self, note: Message) {
        if self.list.contains(&note) {
        } else if self.list.len() < MAX_NOTES {
            self.list.push(note);
        } else {
            self.unlisted += 1;
        }
    }

    /// The notes, and how many more there were.
    pub(super) fn listed(mut self) -> Vec<Message> {
        self.list.extend((self.unlisted > 0).then(|| msg!("skills-cli-openapi-more", count = self.unlisted)));
        self.list
    }

    pub(super) fn extend(&mut self, notes: impl IntoIterator<Item = Message>) {
        notes.into_iter().for_each(|note| self.add(note));
    }
}

/// `base`, or `base_2`, `base_3`, … if it is taken.
pub(super) fn free_name(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    for number in 2.. {
        if !is_taken(&name) {
            break;
        }
        name = format!("{base}_{number}");
    }
    name
}

#[derive(Clone, Copy)]
pub(super) struct OpenApiDocument<'a> {
    pub(super) root: &'a Value,
    /// 3.0 has a dialect of its own; 3.1 is JSON Schema 2020-12.
    pub(super) is_3_0: bool,
    /// True for 3.2 and newer.
    pub(super) is_3_2: bool,
    /// Whether it was written as Swagger 2.0, whose schemas are 3.0's without `nullable`.
    pub(super) is_2: bool,
}

/// `$ref`s to `$ref`s are followed this far.
const MAX_HOPS: usize = 16;
/// The most definitions in one schema; references to further ones allow anything.
const MAX_DEFINITIONS: usize = 300;
/// The most parts of one schema, its definitions included; further parts are left out.
const MAX_NODES: usize = 20_000;

impl<'a> OpenApiDocument<'a> {
    /// Makes one of a version that begins with `3.`.
    pub(super) fn new(root: &'a Value, version: &str) -> OpenApiDocument<'a> {
        let [is_3_0, is_3_1] = ["3.0", "3.1"].map(|begin| version.starts_with(begin));
        OpenApiDocument { root, is_3_0, is_3_2: !is_3_0 && !is_3_1, is_2: false }
    }

    pub(super) fn swagger(root: &'a Value) -> OpenApiDocument<'a> {
        OpenApiDocument { root, is_3_0: true, is_3_2: false, is_2: true }
    }

    /// The value itself, or the end of its chain of `$ref`s.
    ///
    /// # Errors
    /// The reference that leads out of the document, to nothing, or in a circle.
    pub(super) fn resolved(self, value: &'a Value) -> Result<&'a Value, &'a str> {
        let mut value = value;
        for _ in 0..MAX_HOPS {
            let Some(reference) = reference(value) else { return Ok(value) };
            value = self.target(reference).ok_or(reference)?;
        }
        reference(value).map_or(Ok(value), Err)
    }

    /// The target of a `$ref` within the document; `$ref`s on the way to it are followed.
    pub(super) fn target(self, reference: &str) -> Option<&'a Value> {
        let pointer = unescaped(reference.strip_prefix('#')?);
        if let Some(target) = self.root.pointer(&pointer) {
            return Some(target);
        }
        let mut value = self.root;
        for (hops, part) in pointer.split('/').skip(1).enumerate() {
            let inner = self::reference(value).filter(|inner| *inner != reference && hops < MAX_HOPS);
            let holder = inner.map_or(Some(value), |inner| self.root.pointer(&unescaped(inner.strip_prefix('#')?)))?;
            value = holder.pointer(&format!("/{part}"))?;
        }
        Some(value)
    }
}

fn reference(value: &Value) -> Option<&str> {
    value.get("$ref").and_then(Value::as_str)
}

/// A member's name as a part of a reference.
pub(super) fn escaped(name: &str) -> String {
    name.replace('%', "%25").replace('~', "~0").replace('/', "~1")
}

/// `%7B` → `{`.
pub(super) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match (first, digits.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The keywords of schemas in OpenAPI 3.0, and those of draft 7 that hand-written documents have.
const KEYWORDS: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "default",
    "deprecated",
    "description",
    "else",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
];
/// What 3.1 has in addition.
const KEYWORDS_3_1: &[&str] = &[
    "$defs",
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "contentEncoding",
    "contentMediaType",
    "dependentRequired",
    "dependentSchemas",
    "examples",
    "maxContains",
    "minContains",
    "prefixItems",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Converts one schema, and collects the definitions that it refers to.
pub(super) struct Schemas<'a> {
    pub(super) document: OpenApiDocument<'a>,
    /// Names in `$defs` by pointer.
    names: BTreeMap<String, String>,
    /// Pointers whose schemas are still to be written.
    open: Vec<String>,
    budget: CopyBudget,
    /// Whether binary texts are files of a form.
    has_files: bool,
    pub(super) notes: Notes,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(document: OpenApiDocument<'a>) -> Schemas<'a> {
        let budget = CopyBudget::new(MAX_NODES);
        Schemas {
            document,
            names: BTreeMap::new(),
            open: Vec::new(),
            budget,
            has_files: false,
            notes: Notes::default(),
        }
    }

    /// A converted schema with its dialect and the definitions that it refers to.
    pub(super) fn whole(&mut self, schema: Value) -> Value {
        let mut whole = json!({"$schema": match self.document.is_3_0 {
            true => "http://json-schema.org/draft-07/schema#",
            false => "https://json-schema.org/draft/2020-12/schema",
        }});
        match schema {
            // Draft 7 ignores everything beside a `$ref`.
            Value::Object(map) if self.document.is_3_0 && map.contains_key("$ref") => {
                whole["allOf"] = json!([Value::Object(map)]);
            }
            Value::Object(map) => map.into_iter().for_each(|(key, value)| whole[key] = value),
            other => whole["allOf"] = json!([other]),
        }
        let mut definitions = Map::new();
        while let Some(pointer) = self.open.pop() {
            let name = self.names[&pointer].clone();
            let definition = match self.document.target(&pointer) {
                Some(target) => self.converted(target),
                None => {
                    self.notes.add(msg!("skills-cli-openapi-dangling", reference = pointer.as_str()));
                    json!({})
                }
            };
            definitions.insert(name, definition);
        }
        if !definitions.is_empty() {
            definitions.sort_keys();
            whole["$defs"] = Value::Object(definitions);
        }
        whole
    }

    /// The same schema in JSON Schema's words, with references into `$defs`.
    pub(super) fn converted(&mut self, schema: &Value) -> Value {
        let Value::Object(map) = schema else { return self.copy(schema).unwrap_or_else(|| json!({})) };
        if self.has_files && is_file(schema) {
            return file_schema().clone();
        }
        let mut out = Map::new();
        for (key, value) in map {
            if !self.keeps(key, map) {
                continue;
            }
            if !self.budget.node() {
                self.cut();
                break;
            }
            let value = match (key.as_str(), value) {
                ("$dynamicRef" | "$recursiveRef", value) => {
                    let reference = value.as_str().unwrap_or_default();
                    self.notes.add(msg!("skills-cli-openapi-external", reference = reference));
                    continue;
                }
                ("$ref", Value::String(reference)) => match self.reference(reference) {
                    Some(name) => Value::String(format!("#/$defs/{name}")),
                    None => continue,
                },
                ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(members)) => {
                    // DigitalOcean's document refers to the members as a whole.
                    let target = reference(value).and_then(|reference| self.document.target(reference));
                    let members = target.and_then(Value::as_object).unwrap_or(members);
                    members.iter().map_while(|(name, schema)| Some((name.clone(), self.part(schema)?))).collect()
                }
                ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(items)) => {
                    items.iter().map_while(|item| self.part(item)).collect()
                }
                ("enum" | "const" | "default" | "examples" | "required", value) => match self.copy(value) {
                    Some(value) => value,
                    None => continue,
                },
                (_, value @ Value::Object(_)) => self.converted(value),
                (_, value) => match self.copy(value) {
                    Some(value) => value,
                    None => continue,
                },
            };
            out.insert(key.clone(), value);
        }
        match self.document.is_3_0 {
            true => {
                let is_nullable =
                    ["nullable", "x-nullable"].iter().any(|key| map.get(*key) == Some(&Value::Bool(true)));
                of_3_0(out, is_nullable)
            }
            false => Value::Object(out),
        }
    }

    /// Whether a member of a schema checks something, or tells people something. Others may make the schema unreadable:
    /// words of another draft, extensions, names that change where references lead.
    fn keeps(&mut self, key: &str, map: &Map<String, Value>) -> bool {
        match self.document.is_3_0 {
            // OpenAPI 3.0 ignores everything beside a `$ref`, and so does draft 7.
            true if map.contains_key("$ref") => key == "$ref",
            true => KEYWORDS.contains(&key) || key == "$ref",
            false => KEYWORDS.contains(&key) || KEYWORDS_3_1.contains(&key),
        }
    }

    /// One of many schemas; `None` when there are too many.
    fn part(&mut self, schema: &Value) -> Option<Value> {
        if !self.budget.node() {
            self.cut();
            return None;
        }
        Some(self.converted(schema))
    }

    fn copy(&mut self, value: &Value) -> Option<Value> {
        let copy = self.budget.copy(value);
        if copy.is_none() {
            self.cut();
        }
        copy
    }

    fn cut(&mut self) {
        self.notes.add(msg!("skills-cli-openapi-cut", limit = MAX_NODES));
    }

    /// The name in `$defs` of a reference's target; `None` if the reference can't be kept, and so allows anything.
    fn reference(&mut self, reference: &str) -> Option<String> {
        if !reference.starts_with("#/") {
            self.notes.add(msg!("skills-cli-openapi-external", reference = reference));
            return None;
        }
        if let Some(name) = self.names.get(reference) {
            return Some(name.clone());
        }
        if self.names.len() >= MAX_DEFINITIONS {
            self.notes.add(msg!("skills-cli-openapi-large", limit = MAX_DEFINITIONS));
            return None;
        }
        let last = reference.rsplit(['/', '~']).next().unwrap_or("");
        let last = last.strip_prefix(['0', '1']).filter(|_| reference.ends_with(&format!("~{last}"))).unwrap_or(last);
        let last = [".json", ".yaml", ".yml"].iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
        let plain: String = unescaped(last).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = free_name(&plain, |name| self.names.values().any(|other| other == name));
        self.names.insert(reference.to_owned(), name.clone());
        self.open.push(reference.to_owned());
        Some(name)
    }
}

/// 3.0's `nullable`, and its bounds that are excluded by a flag.
fn of_3_0(mut map: Map<String, Value>, is_nullable: bool) -> Value {
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if let Some(Value::Bool(is_excluded)) = map.get(flag).cloned() {
            map.remove(flag);
            if let Some(value) = is_excluded.then(|| map.remove(bound)).flatten() {
                map.insert(flag.to_owned(), value);
            }
        }
    }
    if !is_nullable {
        return Value::Object(map);
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match map.get("type") {
        Some(Value::String(name)) => {
            let both = json!([name, "null"]);
            map.insert("type".to_owned(), both);
            Value::Object(map)
        }
        _ => json!({"anyOf": [Value::Object(map), {"type": "null"}]}),
    }
}

/// A schema of an input with the same members, of any type.
pub(super) fn untyped(object: &Value) -> Value {
    let members = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    let properties: Map<String, Value> = members.map(|(name, _)| (name.clone(), json!({}))).collect();
    let mut untyped = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if let Some(required) = object.get("required") {
        untyped["required"] = required.clone();
    }
    untyped
}

/// The schema of a skill's input: a member for each parameter, and one for the body.
pub(super) fn object(
    parameters: &[RequestParameter<'_>],
    body: Option<&SampleBody<'_>>,
    schemas: &mut Schemas<'_>,
) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        // A description beside a `$ref` would be ignored.
        let mut schema = match parameter.schema.map(|schema| schemas.converted(schema)) {
            Some(Value::Object(map)) if !map.contains_key("$ref") => Value::Object(map),
            Some(schema) => json!({"allOf": [schema]}),
            None => json!({}),
        };
        if let Some(description) = parameter.description {
            schema["description"] = description.into();
        }
        properties.insert(parameter.field.clone(), schema);
        if parameter.is_required {
            required.push(parameter.field.clone());
        }
    }
    if let Some(body) = body {
        schemas.has_files = body.content_type == "multipart/form-data";
        let schema = body.schema.map_or_else(|| json!({}), |schema| schemas.converted(schema));
        properties.insert(body.field.clone(), schema);
        if body.is_required {
            required.push(body.field.clone());
        }
    }
    let mut object = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        object["required"] = required.into();
    }
    schemas.whole(object)
}
