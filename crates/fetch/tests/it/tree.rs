//! Limits of page trees.

use std::cell::Cell;

use eval_fetch::internals::parsed;

fn is_read(html: &str) -> bool {
    parsed(html, &|| false).is_some()
}

#[test]
fn pages_beyond_the_limits_are_rejected() {
    let formats: String = (0..300).map(|n| format!("<b id={n}>")).collect();
    let many: String = (0..150_000).map(|n| format!("a{n}=1 ")).collect();
    assert!(!is_read(&"<div>".repeat(200_000)));
    assert!(!is_read(&"<b><i>".repeat(2_000)));
    assert!(!is_read(&format!("<p>{formats}{}", "<p>x".repeat(200_000))));
    assert!(!is_read(&format!("<p {many}>x")));
    assert!(!is_read(&format!("</p {many}>x")));
    for comment in ["<!-->", "<!--->", "<!-- --!>", "<xmp><!--</xmp>"] {
        assert!(!is_read(&format!("{comment}<p {many}>x")));
    }
}

#[test]
fn large_pages_are_read() {
    for html in [
        "<ul>".to_owned() + &"<li>x".repeat(190_000),
        "<select>".to_owned() + &"<option>x".repeat(190_000),
        // The parser moves each before the table, like browsers.
        "<table>".to_owned() + &"<hr>".repeat(390_000),
        "<p>".to_owned() + &"<a href=x>y</a>".repeat(130_000),
        "<p ".to_owned() + &"title='a b c' ".repeat(200) + ">" + &"text ".repeat(200_000),
        "<script>".to_owned() + &"if (i<n && n<b) ".repeat(100_000) + "</script><p>x",
        "<p>x<!-- if a <b and ".to_owned() + &"word ".repeat(300) + " --><p>y",
    ] {
        assert!(is_read(&html), "{}", &html[..40]);
    }
}

#[test]
fn an_abandoned_page_is_dropped() {
    let calls = Cell::new(0);
    let is_abandoned = || {
        calls.set(calls.get() + 1);
        calls.get() > 3
    };
    assert!(parsed(&"<p>x".repeat(10_000), &is_abandoned).is_none());
    assert_eq!(calls.get(), 4);
}
