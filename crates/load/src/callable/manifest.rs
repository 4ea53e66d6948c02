//! `skill.json`: its fields and their rules.

use std::path::Path;

use eval_message::msg;
use eval_spec::callable::AdapterType;
use eval_spec::source::Place;
use eval_spec::{Context, Diagnostics};
use serde_json::{Map, Value};

use super::super::decode::{self, Keys};
use super::super::document::decode_text;
use super::super::problems::Problems;
use super::super::strategy::adapter;
use super::super::tree::{self, Format, Node, NodeData};
use super::super::{Loaded, file};
use super::address::{self, EntrypointAddress};

/// The content of a `skill.json`.
pub(super) struct Manifest {
    pub(super) id: String,
    /// The place of the id.
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: String,
    pub(super) tags: Vec<String>,
    pub(super) input_schema: Option<Value>,
    pub(super) output_schema: Option<Value>,
    pub(super) adapter: AdapterType,
    pub(super) entrypoint: Entrypoint,
    pub(super) metadata: Map<String, Value>,
    pub(super) sandbox: SandboxRequest,
}

/// What a skill asks for beyond the sandbox.
#[derive(Default)]
pub(super) struct SandboxRequest {
    /// What it may write, as it is written.
    pub(super) write: Vec<String>,
    /// Whether it may use sockets that are files.
    pub(super) sockets: bool,
}

/// An entrypoint and its place; whether it fits depends on the adapter's configuration too.
pub(super) struct Entrypoint {
    pub(super) text: String,
    pub(super) place: Place,
}

const KEYS: Keys<'_> = Keys {
    known: &[
        "$schema",
        "id",
        "name",
        "version",
        "description",
        "tags",
        "inputSchema",
        "outputSchema",
        "adapterType",
        "entrypoint",
        "metadata",
        "sandbox",
    ],
    foreign: &[
        ("adapter", "adapterType"),
        ("type", "adapterType"),
        ("input", "inputSchema"),
        ("output", "outputSchema"),
        ("parameters", "inputSchema"),
        ("command", "entrypoint"),
        ("url", "entrypoint"),
        ("author", "metadata"),
        ("license", "metadata"),
        ("keywords", "tags"),
        ("permissions", "sandbox"),
    ],
};

const SANDBOX: Keys<'_> = Keys {
    known: &["write", "sockets"],
    foreign: &[("writable", "write"), ("paths", "write"), ("fileSockets", "sockets"), ("unixSockets", "sockets")],
};

/// Reads a `skill.json`.
pub(super) fn read(context: &Context, path: &Path) -> Result<Loaded<Manifest>, Diagnostics> {
    decode_text(context, &file::read(context, path)?, Format::Json, msg!("skills-load-skill-empty"), manifest)
}

fn manifest(root: &Node, problems: &mut Problems) -> Option<Manifest> {
    let fields = decode::object(root, KEYS, problems)?;
    let id_node = fields.require("id", problems);
    let id = id_node.and_then(|node| id(node, problems));
    let place = problems.head(id_node.map_or(root.span, |node| node.span));
    let version = fields.require("version", problems).and_then(|node| version(node, problems));
    let adapter = fields.require("adapterType", problems).and_then(|node| adapter(node, problems));
    let entrypoint = fields.require("entrypoint", problems).and_then(|node| {
        let text = entrypoint(node, adapter, problems)?;
        Some(Entrypoint { text, place: problems.head(node.span) })
    });
    let name = fields.get("name").map(|node| decode::filled_text(node, problems));
    let description = fields.decoded("description", decode::text, problems);
    let tags = fields.decoded("tags", decode::texts, problems);
    let input_schema = fields.decoded("inputSchema", schema, problems);
    let output_schema = fields.decoded("outputSchema", schema, problems);
    let metadata = fields.decoded("metadata", decode::any_object, problems);
    let sandbox = fields.decoded("sandbox", sandbox, problems);
    let id = id?;
    Some(Manifest {
        name: name.flatten().unwrap_or_else(|| id.clone()),
        id,
        place,
        version: version?,
        description: description.unwrap_or_default(),
        tags: tags.unwrap_or_default(),
        input_schema,
        output_schema,
        adapter: adapter?,
        entrypoint: entrypoint?,
        metadata: metadata.map(|fields| tree::map(fields.entries)).unwrap_or_default(),
        sandbox: sandbox.unwrap_or_default(),
    })
}

fn sandbox(node: &Node, problems: &mut Problems) -> Option<SandboxRequest> {
    let fields = decode::object(node, SANDBOX, problems)?;
    let paths = |node: &Node, problems: &mut Problems| {
        let items = decode::list(node, "list-of-texts", problems)?;
        let paths: Vec<_> = items.iter().map(|item| decode::path_text(item, problems)).collect();
        paths.into_iter().collect()
    };
    let write = fields.decoded("write", paths, problems).unwrap_or_default();
    let sockets = fields.decoded("sockets", decode::flag, problems).unwrap_or_default();
    Some(SandboxRequest { write, sockets })
}

/// Whether `id` is one: lowercase letters, digits, `_` and `-`, at least one of them.
fn is_skill_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

fn id(node: &Node, problems: &mut Problems) -> Option<String> {
    let id = decode::text(node, problems)?;
    if !is_skill_id(&id) {
        let help = Some(msg!("skills-load-skill-id-help"));
        problems.error_with_help(node.span, msg!("skills-load-skill-id", id = decode::short(&id)), help);
        return None;
    }
    Some(id)
}

fn version(node: &Node, problems: &mut Problems) -> Option<String> {
    let version = decode::text(node, problems)?;
    if semver::Version::parse(&version).is_err() {
        let help = Some(msg!("skills-load-skill-version-help"));
        let message = msg!("skills-load-skill-version", version = decode::short(&version));
        problems.error_with_help(node.span, message, help);
        return None;
    }
    Some(version)
}

/// Checks an entrypoint as far as possible without the adapter's configuration.
fn entrypoint(node: &Node, adapter: Option<AdapterType>, problems: &mut Problems) -> Option<String> {
    let text = decode::path_text(node, problems)?;
    if matches!(adapter, Some(AdapterType::Http | AdapterType::Mcp))
        && let EntrypointAddress::Absolute = address::kind(&text)
    {
        address::check(&text, node.span, problems).then_some(text)
    } else {
        Some(text)
    }
}

/// A schema's shape; whether it compiles is found out when it is compiled.
fn schema(node: &Node, problems: &mut Problems) -> Option<Value> {
    match &node.data {
        NodeData::Object(_) => Some(node.value()),
        _ => decode::unexpected(node, "object", problems),
    }
}
