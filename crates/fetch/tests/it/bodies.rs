//! Kinds of bodies.

use eval_fetch::internals::{BodyKind, kind, media_type};

#[test]
fn the_kind_of_a_body_is_its_media_type_unless_the_bytes_contradict() {
    for (essence, bytes, expected) in [
        (Some("text/html"), &b"<p>x"[..], BodyKind::Html),
        (None, b"<!DOCTYPE html><p>x", BodyKind::Html),
        (None, b"# Rules", BodyKind::Text),
        (Some("application/octet-stream"), b"# Rules", BodyKind::Text),
        (Some("application/octet-stream"), b"\xff\x00\x10", BodyKind::Binary),
        (Some("text/plain"), b"a\0b", BodyKind::Binary),
        (Some("text/plain"), b"%PDF-1.7", BodyKind::Pdf),
        (Some("application/vnd.api+json"), b"{}", BodyKind::Text),
        (Some("image/svg+xml"), b"<svg/>", BodyKind::Binary),
        (Some("image/png"), b"x", BodyKind::Binary),
        (Some("application/zip"), b"PK\x03\x04\x14\0", BodyKind::Binary),
        (Some("application/x-tar"), b"\xff\xfa", BodyKind::Binary),
        (Some("application/vnd.oai.openapi"), b"openapi: 3.1.0", BodyKind::Text),
        (Some("application/vnd.oai.openapi+yaml"), b"openapi: \xe9", BodyKind::Text),
        (None, b"<!-- built <now> -->\n<!DOCTYPE html><p>x", BodyKind::Html),
        (None, b"<!-- a comment -->\n# Rules", BodyKind::Text),
    ] {
        assert_eq!(kind(essence, bytes, false), expected, "{essence:?}");
    }
    assert_eq!(kind(Some("text/plain"), b"a\0", true), BodyKind::Text);
    let (essence, charset) = media_type(Some("Text/HTML; foo=1; Charset=\"GBK\""));
    assert_eq!((essence.as_deref(), charset.as_deref()), (Some("text/html"), Some("GBK")));
}
