//! Schemas as tables of their fields.

use serde_json::json;
use testkit::pages::{SchemaWords, schema_fields};

#[test]
fn every_definition_follows_the_first_reference_to_it() {
    let schema = json!({
        "description": "A\ndocument.",
        "properties": {
            "b": {"type": "array", "items": {"$ref": "#/$defs/B"}, "description": "All, see [`B`]."},
            "c": {"anyOf": [{"$ref": "#/$defs/C"}, {"type": "null"}]},
        },
        "required": ["b"],
        "$defs": {
            "B": {"properties": {"d": {"type": ["string", "null"]}, "m": {"type": "object", "additionalProperties": {"type": "string"}}}},
            "C": {"oneOf": [{"const": "x|y", "description": "Either."}]},
            "Unused": {"type": "string"},
        },
    });
    let expected = "A document.\n\n| field | type | meaning |\n|---|---|---|\n\
        | `b` | list of [B](#b) | All, see `B`. |\n\
        | `c` | [C](#c) or `null`, may be absent |  |\n\
        \n## B\n\n| field | type | meaning |\n|---|---|---|\n\
        | `d` | text or `null`, may be absent |  |\n\
        | `m` | object of text, may be absent |  |\n\
        \n## C\n\n| value | meaning |\n|---|---|\n| `\"x\\|y\"` | Either. |\n";
    assert_eq!(schema_fields(&schema, &SchemaWords::ENGLISH), expected);
}
