//! Patterns and variables of `mcp.json`.

use eval_load::internals::{encoded, expanded};

#[test]
fn patterns_are_written_as_urls_are() {
    for (pattern, meant) in [
        ("docs.example.com", "docs.example.com"),
        ("例え.jp", "xn--r8jz45g.jp"),
        ("*.例え.jp:8080", "*.xn--r8jz45g.jp:8080"),
        ("https://例え.jp/规则*", "https://xn--r8jz45g.jp/%E8%A7%84%E5%88%99*"),
        ("docs.example.com/规则", "docs.example.com/%E8%A7%84%E5%88%99"),
        ("no host/规则", "no host/规则"),
    ] {
        assert_eq!(encoded(pattern.to_owned()), meant);
    }
}

#[test]
fn variables_have_their_value_or_default() {
    let value = |name: &str| ["A", "EMPTY"].contains(&name).then(|| if name == "A" { "1" } else { "" }.to_owned());
    let of = |text: &str| expanded(text, value);
    assert_eq!(of("x-${A}-${B:-two}-${EMPTY:-z}"), Ok("x-1-two-".to_owned()));
    assert_eq!(of("$A ${} ${1} ${A"), Ok("$A ${} ${1} ${A".to_owned()));
    assert_eq!(of("${EMPTY}${B:-}"), Ok(String::new()));
    assert_eq!(of("Bearer ${TOKEN}"), Err("TOKEN".to_owned()));
    // A value is not expanded again.
    assert_eq!(expanded("${A}", |_| Some("${B}".to_owned())), Ok("${B}".to_owned()));
}
