//! Bytes → file → loader → checks: what the fuzz targets share.
//!
//! `cargo +nightly fuzz run samples_yaml` (or `samples_json`, `eval_yaml`). A crash is a panic in
//! the loader, or a failure without an error or without a position.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use eval_load as load;
use eval_message::Lang;
use eval_spec::context::Clock;
use eval_spec::types::{FieldProblem, FieldSpec, FieldShape, TypeSpec};
use eval_spec::{Assertion, Context, Diagnostics, Layer};

/// Types with a field of each shape.
const TYPES: &[TypeSpec] = &[
    spec("contains", &[field("value", FieldShape::TextLike)]),
    spec("contains_all", &[field("values", FieldShape::Texts)]),
    spec("regex", &[field("pattern", FieldShape::NonEmptyText)]),
    spec("min_length", &[field("value", FieldShape::WholeNumber(0))]),
    spec("cost_max", &[field("value", FieldShape::Number(0.0, f64::INFINITY))]),
    spec("json_schema", &[field("schema", FieldShape::Schema)]),
    spec("assert-set", &[field("mode", FieldShape::OneOf(&["any", "all"])), field("children", FieldShape::Assertions)]),
];

const fn spec(name: &'static str, fields: &'static [FieldSpec]) -> TypeSpec {
    TypeSpec { name, layer: Layer::Fact, summary: "help-test", fields, judged: false, validate: always }
}

const fn field(name: &'static str, shape: FieldShape) -> FieldSpec {
    FieldSpec { name, shape, required: true }
}

fn always(_: &Assertion) -> Result<(), FieldProblem> {
    Ok(())
}

fn context() -> &'static Context {
    static CONTEXT: OnceLock<(tempfile::TempDir, Context)> = OnceLock::new();
    let (_, context) = CONTEXT.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let context = Context {
            cwd: dir.path().to_owned(),
            home: dir.path().to_owned(),
            env: BTreeMap::new(),
            lang: Lang::En,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
            clock: Clock::System,
        };
        (dir, context)
    });
    context
}

/// Loads `bytes` as a file called `name`: settings if it begins with `eval.`, else samples.
pub fn load(name: &str, bytes: &[u8]) {
    let context = context();
    let path = context.cwd.join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    let result = match name.starts_with("eval.") {
        true => load::eval_file(context, &path).map(drop),
        false => load::samples(context, &path, TYPES).map(drop),
    };
    if let Err(diagnostics) = result {
        check(&diagnostics);
    }
}

fn check(diagnostics: &Diagnostics) {
    assert!(diagnostics.has_errors());
    for diagnostic in &diagnostics.0 {
        let place = diagnostic.place.as_ref().expect("a position");
        assert!(place.line_column() >= (1, 1));
        assert!(place.span.start + place.span.len <= place.file.text.len());
        assert!(!diagnostic.message.text(Lang::Zh).starts_with("load-"));
    }
}
