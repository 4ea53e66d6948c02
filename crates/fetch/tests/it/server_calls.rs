//! Patterns, arguments and answers of servers' tools.

use eval_callable::ToolAnswer;
use eval_fetch::internals::{arguments, matches, text};
use eval_spec::url_server::FetchTool;
use serde_json::Value;
use serde_json::json;
use url::Url;

#[test]
fn patterns_match_hosts_and_the_starts_of_paths() {
    let fits = |pattern: &str, url: &str| matches(pattern, &Url::parse(url).unwrap());
    for (pattern, url) in [
        ("docs.example.com", "https://docs.example.com/a/b"),
        ("docs.example.com", "http://docs.example.com:8080/"),
        ("example.com", "https://docs.example.com/a"),
        ("docs.example.com/team", "https://docs.example.com/team/x"),
        ("https://docs.example.com/", "https://docs.example.com/team"),
        ("*.example.com/wiki/*/page", "https://a.b.example.com/wiki/x/y/page?z"),
        ("localhost:8080", "http://localhost:8080/x"),
        ("Docs.Example.com", "https://docs.example.com/"),
    ] {
        assert!(fits(pattern, url), "{pattern} {url}");
    }
    for (pattern, url) in [
        ("docs.example.com", "https://evil.example/docs.example.com"),
        ("docs.example.com", "https://docs.example.com.evil.example/"),
        ("docs.example.com", "https://evildocs.example.com/"),
        ("docs.example.com", "https://example.com/?docs.example.com"),
        ("docs.example.com/team", "https://docs.example.com/other"),
        ("https://docs.example.com", "http://docs.example.com/"),
        ("localhost:8080", "http://localhost:9090/x"),
    ] {
        assert!(!fits(pattern, url), "{pattern} {url}");
    }
}

#[test]
fn parameters_are_filled_from_the_groups_of_the_expression() {
    let tool = FetchTool {
        name: "fetch_doc".to_owned(),
        regex: Some(r"docs\.example\.com/([^/]+/[^/]+)/([^/?#]+)".to_owned()),
        params: [("namespace", "$1"), ("slug", "x_$2_y"), ("cost", "$")]
            .map(|(name, template)| (name.to_owned(), template.to_owned()))
            .into(),
        ..FetchTool::default()
    };
    let given = arguments(&tool, "https://docs.example.com/team/space/page-1?x").map(Value::Object);
    assert_eq!(given, Some(json!({"cost": "$", "namespace": "team/space", "slug": "x_page-1_y"})));
    assert_eq!(arguments(&tool, "https://docs.example.com/team"), None);
    let named = FetchTool {
        regex: Some(r"/(?<space>[^/]+)/(?<slug>[^/]+)$".to_owned()),
        params: [("a", "$<space>-${slug}"), ("b", "$&"), ("c", "$$1 $x $")]
            .map(|(name, template)| (name.to_owned(), template.to_owned()))
            .into(),
        ..FetchTool::default()
    };
    let given = arguments(&named, "https://docs.example.com/team/page-1").map(Value::Object);
    assert_eq!(given, Some(json!({"a": "team-page-1", "b": "/team/page-1", "c": "$1 $x $"})));
    let plain = arguments(&FetchTool::default(), "https://a.example/").map(Value::Object);
    assert_eq!(plain, Some(json!({"url": "https://a.example/"})));
}

#[test]
fn content_is_read_at_its_path() {
    let tool = |path: &str| FetchTool {
        name: "t".to_owned(),
        content_path: path.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        ..FetchTool::default()
    };
    let answer = |text: &str, structured: Option<Value>| ToolAnswer {
        texts: if text.is_empty() { Vec::new() } else { vec![text.to_owned()] },
        structured,
    };
    let json = r#"{"data": {"body": "Rules", "parts": [{"text": "one"}]}}"#;
    let content = |path: &str, texts: &str, structured| {
        text(&tool(path), answer(texts, structured)).map_err(|text| text.to_string())
    };
    assert_eq!(content("data.body", json, None), Ok("Rules".to_owned()));
    assert_eq!(content("data.parts.0.text", json, None), Ok("one".to_owned()));
    assert_eq!(content("", "as it is", Some(json!({"content": "other"}))), Ok("as it is".to_owned()));
    assert_eq!(content("", "", Some(json!("structured"))), Ok("structured".to_owned()));
    assert_eq!(content("content", "not JSON", Some(json!({"content": "in it"}))), Ok("in it".to_owned()));
    assert!(content("data.text", json, None).unwrap_err().contains("`data`"));
    assert!(content("data", "not JSON", None).unwrap_err().contains("JSON"));
}
