//! Styles and scripts of pages.

use eval_render::internals::{PageKind, base64, kinds};

#[test]
fn base64_of_rfc_4648() {
    for (text, encoded) in
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
    {
        assert_eq!(base64(text.as_bytes()), encoded);
    }
}

#[test]
fn style_and_script_of_every_page_end_nothing_early_and_are_small() {
    for PageKind { style, script } in kinds() {
        assert!(!style.contains("</") && !script.contains("</") && !style.contains("url("));
        assert!(!script.contains("innerHTML") && !script.contains("eval("));
        assert!(style.len() <= 14 << 10 && script.len() <= 10 << 10, "{} {}", style.len(), script.len());
    }
}
