//! An OpenAPI 3 or Swagger 2.0 document → one http skill for each operation, whose `adapter.config.json` says how its input becomes the
//! operation's own request.

mod body;
mod budget;
mod example;
mod files;
mod media;
mod operation;
mod parameters;
mod schema;
mod security;
mod servers;
mod swagger;

use std::collections::BTreeSet;

use body::{ResponseKind, response};
use eval_message::{Message, msg};
pub(crate) use files::bundled;
use schema::{Notes, OpenApiDocument, Schemas, free_name};
use serde_json::{Map, Value, json};

use super::{Draft, id_of, loses_letters};
use operation::Operation;
use security::LineOf;

const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// Members of a path that are operations, too, which no skill can send.
const UNSENT: [&str; 3] = ["trace", "query", "additionalOperations"];

/// Methods that only read, by RFC 9110.
const SAFE: [&str; 3] = ["get", "head", "options"];

/// The most operations of one document, and the most bytes of all generated files.
const MAX_OPERATIONS: usize = 5_000;
const MAX_BYTES: usize = 128 * 1024 * 1024;

/// A skill for each operation of a document that can be called, and notes about the others. `source` is the document's
/// name, `prefix` goes before every id;
/// `line_of` names lines of the document.
///
/// # Errors
/// It is neither OpenAPI 3 nor Swagger 2.0.
pub(crate) fn drafts(
    document: &Value,
    source: &str,
    prefix: Option<&str>,
    description: Option<&str>,
    line_of: LineOf<'_>,
) -> Result<(Vec<Draft>, Vec<Message>), Message> {
    let converted;
    let document = match (version_of(document, "openapi"), version_of(document, "swagger")) {
        (Some(version), _) if version.starts_with("3.") => OpenApiDocument::new(document, &version),
        (None, Some(version)) if version.starts_with('2') => {
            converted = swagger::converted(document);
            OpenApiDocument::swagger(&converted)
        }
        _ => return Err(msg!("skills-cli-openapi-not", path = source)),
    };
    let mut maker =
        SkillMaker { document, source, description, prefix, line_of, notes: Notes::default(), ids: BTreeSet::new() };
    let (mut drafts, mut bytes) = (Vec::new(), 0);
    let operations = operations(document, &mut maker.notes);
    for (at, operation) in operations.iter().enumerate() {
        if at == MAX_OPERATIONS || bytes > MAX_BYTES {
            let operation = operation.name();
            maker.notes.list.push(msg!("skills-cli-openapi-stopped", operation = operation, count = drafts.len()));
            break;
        }
        let draft = maker.draft(at + 1, operation).map_err(|why| maker.notes.add(why)).ok();
        bytes += draft.iter().flat_map(|draft| &draft.files).map(|(_, text)| text.len()).sum::<usize>();
        drafts.extend(draft);
    }
    Ok((drafts, maker.notes.listed()))
}

/// A version, which YAML may take for a number.
fn version_of(document: &Value, key: &str) -> Option<String> {
    let version = document.get(key)?;
    version.as_str().map(str::to_owned).or_else(|| version.is_number().then(|| version.to_string()))
}

/// The operations of a document; paths and operations behind a reference that can't be followed are notes.
fn operations<'a>(document: OpenApiDocument<'a>, notes: &mut Notes) -> Vec<Operation<'a>> {
    let mut operations = Vec::new();
    let resolved = |name: &str, value: &'a Value, notes: &mut Notes| {
        let lost = |reference| msg!("skills-cli-openapi-lost-operation", operation = name, reference = reference);
        document.resolved(value).map_err(|reference| notes.add(lost(reference))).ok()
    };
    let paths = document.root.get("paths").and_then(|paths| resolved("paths", paths, notes)?.as_object());
    for (path, written) in paths.into_iter().flatten().filter(|(path, _)| !path.starts_with("x-")) {
        // A path may have operations beside its reference.
        let target = resolved(path, written, notes).filter(|item| !std::ptr::eq(*item, written));
        let items = || std::iter::once(written).chain(target);
        for method in METHODS {
            let Some(operation) = items().find_map(|item| item.get(method)) else { continue };
            let operation = resolved(&format!("{} {path}", method.to_uppercase()), operation, notes);
            let Some(operation) = operation.filter(|operation| operation.is_object()) else { continue };
            operations.push(Operation { method, path, items: items().collect(), operation });
        }
        for method in UNSENT.into_iter().filter(|method| items().any(|item| item.get(method).is_some())) {
            let operation = format!("{} {path}", method.to_uppercase());
            notes.add(msg!("skills-cli-openapi-skipped-method", operation = operation));
        }
    }
    operations
}

struct SkillMaker<'a> {
    document: OpenApiDocument<'a>,
    source: &'a str,
    description: Option<&'a str>,
    prefix: Option<&'a str>,
    line_of: LineOf<'a>,
    notes: Notes,
    ids: BTreeSet<String>,
}

impl<'a> SkillMaker<'a> {
    /// The skill of an operation, the `at`th of the document.
    fn draft(&mut self, at: usize, of: &Operation<'a>) -> Result<Draft, Message> {
        let mut schemas = Schemas::new(self.document);
        let parameters = parameters::read(of, &mut schemas)?;
        let body = body::read(of, &parameters, &mut schemas)?;
        let input = schema::object(&parameters, body.as_ref(), &mut schemas);
        let input = usable(of, input, &mut schemas.notes).unwrap_or_else(|input| schema::untyped(&input));
        self.notes.extend(schemas.notes.listed());
        let mut outputs = Schemas::new(self.document);
        let response = response(of, &mut outputs);
        let output = response.schema.map(|schema| outputs.converted(schema)).map(|schema| outputs.whole(schema));
        let output = output.and_then(|output| usable(of, output, &mut outputs.notes).ok());
        self.notes.extend(outputs.notes.listed());

        let id = self.id(at, of);
        let mut config = Map::new();
        let (base, note) = servers::base(self.document, of);
        self.notes.extend(note);
        let changes = (!SAFE.contains(&of.method)).then(|| servers::host(&base).to_owned());
        config.insert("baseUrl".to_owned(), base.into());
        let (auth, notes) = security::read(self.document, of, self.line_of);
        self.notes.extend(notes);
        config.extend(auth);
        config.insert("request".to_owned(), request(of, &parameters, body.as_ref()));

        let example = example::input(self.document, &parameters, body.as_ref());
        let starter = starter(&id, of, &example, &expected(output.as_ref(), response.kind), changes.as_deref());
        let manifest = self.manifest(&id, of, input, output);
        let files = vec![
            ("skill.json", text(&manifest)),
            ("adapter.config.json", text(&Value::Object(config))),
            ("tests/basic.eval.json", text(&starter)),
        ];
        Ok(Draft { id, files, changes })
    }

    /// A unique id: made of the operation's id, else of its path, else (where both have letters that no id can have) of its
    /// number in the document.
    fn id(&mut self, at: usize, of: &Operation<'_>) -> String {
        let own = of.text("operationId").map(snake);
        let path = format!("{}_{}", of.method, snake(of.path));
        let readable = own.iter().chain([&path]).filter(|name| !loses_letters(name)).find_map(|name| id_of(name));
        let id = readable.clone().unwrap_or_else(|| format!("{}_{at}", of.method));
        let id = match self.prefix {
            Some(prefix) => format!("{prefix}_{id}"),
            None => id,
        };
        let id = free_name(&id, |id| self.ids.contains(id));
        self.ids.insert(id.clone());
        if readable.is_none() || own.as_deref().is_some_and(loses_letters) {
            let name = of.text("operationId").map_or_else(|| of.name(), str::to_owned);
            self.notes.add(msg!("skills-cli-create-id", name = name, id = &id));
        }
        id
    }

    fn manifest(&self, id: &str, of: &Operation<'_>, input: Value, output: Option<Value>) -> Value {
        let info = self.document.root.get("info");
        let written = |key: &str| info.and_then(|info| info.get(key)).and_then(Value::as_str);
        let name = of.text("summary").map_or_else(|| of.name(), str::to_owned);
        let description = of.text("description").or(of.text("summary")).or(self.description);
        let tags: Vec<&str> = of
            .operation
            .get("tags")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|tag| !tag.trim().is_empty())
            .collect();
        let mut manifest = json!({
            "id": id,
            "name": name,
            "version": version(written("version").unwrap_or("")),
            "description": description.map_or_else(|| of.name(), str::to_owned),
            "tags": tags,
            "inputSchema": input,
        });
        if let Some(output) = output {
            manifest["outputSchema"] = output;
        }
        manifest["adapterType"] = "http".into();
        manifest["entrypoint"] = parameters::entrypoint(of.path).into();
        manifest["metadata"] = json!({"generatedFrom": self.source, "operation": of.name(), "api": written("title")});
        manifest
    }
}

/// `listPets` → `list_pets`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_lower {
            out.push('_');
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c);
    }
    out
}

/// `X.Y.Z` made of an API's version: `1.0` → `1.0.0`; `1.0.0` if it isn't made of numbers.
fn version(written: &str) -> String {
    let numbers: Option<Vec<u64>> = written.trim_start_matches('v').split('.').map(|part| part.parse().ok()).collect();
    match numbers.as_deref() {
        Some([x]) => format!("{x}.0.0"),
        Some([x, y]) => format!("{x}.{y}.0"),
        Some([x, y, z]) => format!("{x}.{y}.{z}"),
        _ => "1.0.0".to_owned(),
    }
}

fn request(
    of: &Operation<'_>,
    parameters: &[parameters::RequestParameter<'_>],
    body: Option<&media::SampleBody<'_>>,
) -> Value {
    let mut request = json!({"method": of.method.to_uppercase()});
    let list: Vec<Value> = parameters.iter().map(parameters::RequestParameter::mapping).collect();
    if !list.is_empty() {
        request["parameters"] = list.into();
    }
    if let Some(body) = body {
        request["body"] = match body.content_type.as_str() {
            "application/json" => json!({"field": body.field}),
            other => json!({"field": body.field, "contentType": other}),
        };
        if !body.encoding.is_empty() {
            request["body"]["encoding"] = Value::Object(body.encoding.clone());
        }
    }
    request
}

/// A schema that checks can be made with.
///
/// # Errors
/// The schema, if it can't be used; a note says why.
fn usable(of: &Operation<'_>, schema: Value, notes: &mut Notes) -> Result<Value, Value> {
    match eval_grade::schema_problem(&schema) {
        None => Ok(schema),
        Some(why) => {
            notes.add(msg!("skills-cli-openapi-schema", operation = of.name(), why = why.to_string()));
            Err(schema)
        }
    }
}

/// The expected output of the starter task; it never accepts every output.
fn expected(output: Option<&Value>, kind: ResponseKind) -> Value {
    let checks = |schema: &&Value| schema.as_object().is_some_and(|members| members.keys().any(|key| key != "$schema"));
    match (output.filter(checks), kind) {
        (Some(schema), _) => json!({"type": "json_schema", "schema": schema}),
        (None, ResponseKind::Empty) => json!({"type": "exact", "value": null}),
        // Anything but a page that tells of an error.
        (None, ResponseKind::Json) => json!({"type": "json_schema", "schema": {"not": {"type": "string"}}}),
        (None, ResponseKind::Other) => json!({"type": "json_schema", "schema": {"type": "string", "minLength": 1}}),
    }
}

fn starter(id: &str, of: &Operation<'_>, input: &Value, expected: &Value, changes: Option<&str>) -> Value {
    let (description, tags) = match changes {
        Some(host) => (
            format!(
                "Sends {} to {host} with made-up values, which changes data there: put a test server in baseUrl, and real values here",
                of.name()
            ),
            json!(["starter", "changes-data"]),
        ),
        None => (format!("Sends {} with made-up values: put real ones here", of.name()), json!(["starter"])),
    };
    json!({
        "id": format!("{id}-basic"),
        "name": format!("{}: starter", of.name()),
        "version": "0.1.0",
        "domain": "general",
        "scoringMethod": "mean",
        "maxLatencyMs": 30000,
        "tasks": [{
            "id": "basic_001",
            "description": description,
            "inputData": input,
            "expectedOutput": expected,
            "tags": tags,
        }],
    })
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}
