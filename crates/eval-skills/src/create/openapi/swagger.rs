//! A Swagger 2.0 document → the same document with the paths, servers and security schemes of OpenAPI 3.0.
//!
//! Schemas stay in their places (`#/definitions/…`), since references lead to any place of a document.

use serde_json::{Map, Value, json};

use super::METHODS;
use super::budget::CopyBudget;
use super::schema::OpenApiDocument;

/// The most nodes that are copied from behind references: a small document may refer to a large part many times.
const MAX_COPIED: usize = 10_000_000;

/// The document in 3.0's shape.
pub(super) fn converted(document: &Value) -> Value {
    let source = OpenApiDocument::swagger(document);
    let mut converter = Converter { source, budget: CopyBudget::new(MAX_COPIED) };
    let paths = document.get("paths").and_then(|paths| source.resolved(paths).ok()).and_then(Value::as_object);
    let paths: Map<String, Value> =
        paths.into_iter().flatten().map(|(path, item)| (path.clone(), converter.item(item))).collect();
    let mut out = document.as_object().cloned().unwrap_or_default();
    out.insert("openapi".to_owned(), "3.0.3".into());
    out.insert("servers".to_owned(), servers(document, document.get("schemes")));
    out.insert("components".to_owned(), json!({"securitySchemes": schemes(document)}));
    out.insert("paths".to_owned(), Value::Object(paths));
    Value::Object(out)
}

/// The address of `host`, `basePath` and `schemes`; encrypted where there is a choice, without a scheme where there is none.
fn servers(document: &Value, schemes: Option<&Value>) -> Value {
    let text = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or("").trim();
    let path = match text("basePath") {
        "" | "/" => String::new(),
        path => format!("/{}", path.trim_start_matches('/')),
    };
    let has = |scheme: &str| {
        let mut schemes = schemes.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        schemes.any(|other| other.eq_ignore_ascii_case(scheme))
    };
    let scheme = ["https", "http"].into_iter().find(|scheme| has(scheme)).map(|scheme| format!("{scheme}:"));
    let url = match text("host") {
        "" => path,
        host => format!("{}//{host}{path}", scheme.unwrap_or_default()),
    };
    json!([{"url": url}])
}

/// `securityDefinitions`: only `basic` has another form.
fn schemes(document: &Value) -> Value {
    let schemes = document.get("securityDefinitions").and_then(Value::as_object);
    let schemes = schemes.into_iter().flatten().map(|(name, scheme)| {
        let is_basic = scheme.get("type").is_some_and(|kind| kind == "basic");
        (name.clone(), if is_basic { json!({"type": "http", "scheme": "basic"}) } else { scheme.clone() })
    });
    Value::Object(schemes.collect())
}

struct Converter<'a> {
    source: OpenApiDocument<'a>,
    budget: CopyBudget,
}

impl<'a> Converter<'a> {
    /// A path with its operations; those beside a reference win over those behind it.
    fn item(&mut self, written: &'a Value) -> Value {
        let target = self.source.resolved(written);
        let items: Vec<&Value> = match target {
            Ok(target) if std::ptr::eq(target, written) => vec![written],
            Ok(target) => vec![written, target],
            Err(_) => vec![written],
        };
        let mut out = Map::new();
        if let Err(reference) = target {
            out.insert("$ref".to_owned(), reference.into());
        }
        for key in METHODS.iter().chain(&super::UNSENT) {
            let Some(operation) = items.iter().find_map(|item| item.get(key)) else { continue };
            out.insert((*key).to_owned(), self.operation(&items, operation));
        }
        Value::Object(out)
    }

    fn operation(&mut self, items: &[&'a Value], written: &'a Value) -> Value {
        // A reference that can't be followed stays, and is named by who reads the result.
        let Ok(Value::Object(operation)) = self.source.resolved(written) else {
            return written.clone();
        };
        let mut out = Map::new();
        for key in ["operationId", "summary", "description", "tags", "security", "deprecated"] {
            out.extend(operation.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        if let Some(schemes) = operation.get("schemes") {
            out.insert("servers".to_owned(), servers(self.source.root, Some(schemes)));
        }
        let types = |key: &str| {
            let written = operation.get(key).or_else(|| self.source.root.get(key));
            let types = written.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            types.map(str::to_owned).collect::<Vec<_>>()
        };
        let (consumes, produces) = (types("consumes"), types("produces"));
        let parameters = self.parameters(items, operation);
        let place = |parameter: &Value| parameter.get("in").and_then(Value::as_str).unwrap_or("").to_owned();
        let (bodies, others): (Vec<&Value>, Vec<&Value>) =
            parameters.into_iter().partition(|parameter| matches!(&*place(parameter), "body" | "formData"));
        let (fields, bodies): (Vec<&Value>, Vec<&Value>) =
            bodies.into_iter().partition(|parameter| place(parameter) == "formData");
        let others: Vec<Value> = others.into_iter().map(|parameter| self.parameter(parameter)).collect();
        out.insert("parameters".to_owned(), others.into());
        let body = bodies.last().map(|body| self.body(body, &consumes));
        let body = body.or_else(|| (!fields.is_empty()).then(|| self.form(&fields, &consumes)));
        out.extend(body.map(|body| ("requestBody".to_owned(), body)));
        if let Some(responses) = operation.get("responses").and_then(Value::as_object) {
            let responses =
                responses.iter().map(|(status, written)| (status.clone(), self.response(written, &produces)));
            out.insert("responses".to_owned(), Value::Object(responses.collect()));
        }
        Value::Object(out)
    }

    /// The parameters of an operation and of its path, the operation's in the place of the path's of the same name. References
    /// that can't be followed stay.
    fn parameters(&self, items: &[&'a Value], operation: &'a Map<String, Value>) -> Vec<&'a Value> {
        let of_items = items.iter().rev().map(|item| item.get("parameters"));
        let lists = of_items.chain([operation.get("parameters")]).flatten().filter_map(Value::as_array);
        let mut parameters: Vec<&Value> = Vec::new();
        for written in lists.flatten() {
            let parameter = self.source.resolved(written).unwrap_or(written);
            let is_same = |other: &&Value| ["name", "in"].iter().all(|key| other.get(key) == parameter.get(key));
            if parameter.get("$ref").is_none() {
                parameters.retain(|other| !is_same(other));
            }
            parameters.push(parameter);
        }
        parameters
    }

    fn parameter(&mut self, parameter: &Value) -> Value {
        if parameter.get("$ref").is_some() {
            return parameter.clone();
        }
        let mut out = Map::new();
        for key in ["name", "in", "required", "description"] {
            out.extend(parameter.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        out.extend(style(parameter));
        out.extend(example(parameter));
        out.insert("schema".to_owned(), self.schema(parameter));
        Value::Object(out)
    }

    /// The schema that stands in a parameter itself.
    fn schema(&mut self, parameter: &Value) -> Value {
        const OTHERS: [&str; 8] =
            ["name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "schema", "x-example"];
        let mut schema = Map::new();
        for (key, value) in parameter.as_object().into_iter().flatten() {
            if !OTHERS.contains(&key.as_str()) {
                // Without its largest parts a schema allows more.
                schema.extend(self.budget.copy(value).map(|value| (key.clone(), value)));
            }
        }
        if schema.get("type").is_some_and(|kind| kind == "file") {
            schema.insert("type".to_owned(), "string".into());
            schema.insert("format".to_owned(), "binary".into());
        }
        // Documents of other versions have it here.
        match parameter.get("schema") {
            Some(written) if schema.get("type").is_none() => self.budget.copy(written).unwrap_or_else(|| json!({})),
            _ => Value::Object(schema),
        }
    }

    fn body(&mut self, body: &Value, consumes: &[String]) -> Value {
        let schema = body.get("schema").and_then(|schema| self.budget.copy(schema)).unwrap_or_else(|| json!({}));
        let mut media = json!({"schema": schema});
        if let (Value::Object(media), Some((key, value))) = (&mut media, example(body)) {
            media.insert(key, value);
        }
        let is_form = |kind: &str| kind.contains("form-data") || kind.contains("form-urlencoded");
        // A body that isn't made of fields is no form, whatever the whole document consumes.
        let kinds: Vec<&str> = consumes.iter().map(String::as_str).filter(|kind| !is_form(kind)).collect();
        let kinds = if kinds.is_empty() { vec!["application/json"] } else { kinds };
        json!({"required": body.get("required"), "content": content(&kinds, &media)})
    }

    /// The fields of a form as one body.
    fn form(&mut self, fields: &[&Value], consumes: &[String]) -> Value {
        let (mut properties, mut required, mut encoding) = (Map::new(), Vec::new(), Map::new());
        let mut has_file = false;
        for field in fields {
            let name = field.get("name").and_then(Value::as_str).unwrap_or("").to_owned();
            has_file |= field.get("type").is_some_and(|kind| kind == "file");
            if field.get("required") == Some(&Value::Bool(true)) {
                required.push(Value::from(name.as_str()));
            }
            if field.get("type").is_some_and(|kind| kind == "array") {
                encoding.insert(name.clone(), Value::Object(style(field).collect()));
            }
            let mut schema = self.schema(field);
            if let (Value::Object(schema), Some(description)) = (&mut schema, field.get("description")) {
                schema.insert("description".to_owned(), description.clone());
            }
            properties.insert(name, schema);
        }
        let is_multipart = has_file || consumes.iter().any(|kind| kind.contains("form-data"));
        let is_form = consumes.iter().any(|kind| kind.contains("form-urlencoded")) && !has_file;
        let kind = if is_form || !is_multipart { "application/x-www-form-urlencoded" } else { "multipart/form-data" };
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = required.clone().into();
        }
        let media = json!({"schema": schema, "encoding": encoding});
        json!({"required": !required.is_empty(), "content": content(&[kind], &media)})
    }

    fn response(&mut self, written: &Value, produces: &[String]) -> Value {
        let response = match self.source.resolved(written) {
            Ok(response) => response,
            Err(_) => return written.clone(),
        };
        let Some(schema) = response.get("schema") else {
            return json!({"description": response.get("description")});
        };
        let is_file = schema.get("type").is_some_and(|kind| kind == "file");
        let kinds: Vec<&str> = match (is_file, produces) {
            (true, _) => vec!["application/octet-stream"],
            (false, []) => vec!["application/json"],
            (false, produces) => produces.iter().map(String::as_str).collect(),
        };
        let media = json!({"schema": self.budget.copy(schema).unwrap_or_else(|| json!({}))});
        json!({"description": response.get("description"), "content": content(&kinds, &media)})
    }
}

/// The same media type object under the first of these names that can be read or sent, JSON before others.
fn content(kinds: &[&str], media: &Value) -> Value {
    let is_json = |kind: &&&str| kind.to_ascii_lowercase().contains("json");
    let first = kinds.iter().find(is_json).or_else(|| kinds.first());
    let content = first.map(|kind| ((*kind).to_owned(), media.clone()));
    Value::Object(content.into_iter().collect())
}

/// `collectionFormat` as a style; `csv` is the default, which the style of a place is, too.
fn style(parameter: &Value) -> impl Iterator<Item = (String, Value)> {
    let is_list = parameter.get("type").is_some_and(|kind| kind == "array");
    let in_query = parameter.get("in").is_some_and(|place| place == "query" || place == "formData");
    let format = parameter.get("collectionFormat").and_then(Value::as_str).unwrap_or("csv");
    let (style, explode) = match format {
        _ if !is_list => (None, None),
        "csv" => (None, in_query.then_some(false)),
        "multi" => (None, in_query.then_some(true)),
        "ssv" => (Some("spaceDelimited"), Some(false)),
        "pipes" => (Some("pipeDelimited"), Some(false)),
        // Nobody knows it, so that the parameter is named.
        other => (Some(other), None),
    };
    let style = style.map(|style| ("style".to_owned(), style.into()));
    style.into_iter().chain(explode.map(|explode| ("explode".to_owned(), explode.into())))
}

/// `x-example`, which test tools read.
fn example(holder: &Value) -> Option<(String, Value)> {
    holder.get("x-example").map(|example| ("example".to_owned(), example.clone()))
}
