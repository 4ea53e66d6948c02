//! Prices.

use eval_exec::{Price, Prices};
use eval_spec::call::Usage;

const USAGE: Usage = Usage { input_tokens: 213, output_tokens: 182, cache_read_tokens: 9000, cache_write_tokens: 2000 };

/// The dollars that `claude` 2.1.330 reported for these tokens (`success.json` of its recordings).
#[test]
fn the_table_agrees_with_what_claude_reports() {
    let usd = Prices::built_in().cost("claude-opus-5-5", &USAGE).unwrap().usd.0;
    assert!((usd - 0.016_292).abs() < 1e-12, "{usd}");
    let haiku = Usage { input_tokens: 13092, output_tokens: 7, ..Usage::default() };
    let usd = Prices::built_in().cost("claude-haiku-5-5", &haiku).unwrap().usd.0;
    assert!((usd - 0.001_312_7).abs() < 1e-12, "{usd}");
}

#[test]
fn dated_and_aliased_names_have_the_same_price() {
    let prices = Prices::built_in();
    let sonnet = prices.price("claude-sonnet-4-5");
    assert!(sonnet.is_some());
    for name in ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5@20250929", "claude-sonnet-4-5-latest"] {
        assert_eq!(prices.price(name), sonnet, "{name}");
    }
    assert_eq!(prices.price("gpt-4o-2024-08-06"), prices.price("gpt-4o"));
    assert_ne!(prices.price("gpt-4o-2024-05-13"), prices.price("gpt-4o"), "a dated id of its own goes first");
    assert_eq!(prices.price("sonnet"), prices.price("claude-sonnet-5-5"));
}

/// Else a run with a budget is refused as it is, without a model that somebody chose.
#[test]
fn default_models_of_the_vendors_have_prices_that_are_dated() {
    let prices = Prices::built_in();
    let vendors = ["claude", "codex", "gemini", "anthropic-api", "openai-api", "gemini-api"];
    for row in eval_exec::EXECUTORS.iter().filter(|row| vendors.contains(&row.name)) {
        for model in [row.default_model, row.default_judge].into_iter().filter(|model| !model.is_empty()) {
            assert!(prices.price(model).is_some(), "{}: {model}", row.name);
        }
    }
    for (model, _) in prices.models() {
        assert!(prices.as_of(model).is_some_and(|day| day.starts_with("2026-")), "{model}");
    }
    for (name, model) in prices.aliases() {
        assert!(prices.price(model).is_some(), "{name}");
    }
}

#[test]
fn an_unknown_model_has_no_price() {
    for name in ["", "qwen", "claude", "gpt-4o-turbo", "-20250929", "gpt-4o-2024-08", "gpt-4o-20240806x", "GPT-4o"] {
        assert_eq!(Prices::built_in().cost(name, &USAGE), None, "{name}");
    }
}

#[test]
fn price_file_of_the_user_overrides_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.json");
    assert!(Prices::with_file(&path, "prices.json").unwrap().price("gpt-4o").is_some(), "no file is no error");
    let file = r#"{"version": 1, "models": {"gpt-4o": {"input": 1, "output": 2}, "mine": {"input": 0, "output": 0}}, "aliases": {"m": "mine"}}"#;
    std::fs::write(&path, file).unwrap();
    let prices = Prices::with_file(&path, "prices.json").unwrap();
    assert_eq!(prices.price("gpt-4o"), Some(&Price { input: 1.0, output: 2.0, cache_read: None, cache_write: None }));
    assert_eq!(prices.cost("m", &USAGE).unwrap().usd.0, 0.0);
    assert_eq!((prices.as_of("gpt-4o"), prices.as_of("gpt-4o-mini")), (None, Some("2026-07-24")));
    assert!(prices.price("claude-opus-5-5").is_some());
}

#[test]
fn invalid_price_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.json");
    let bad = [
        "",
        "[]",
        r#"{"version": 2}"#,
        r#"{"version": 1, "modells": {}}"#,
        r#"{"version": 1, "models": {"m": {"input": -1, "output": 0}}}"#,
        r#"{"version": 1, "models": {"m": {"input": 1}}}"#,
    ];
    for text in bad {
        std::fs::write(&path, text).unwrap();
        let error = Prices::with_file(&path, "prices.json").map(drop).unwrap_err();
        assert!(error.to_string().contains("prices.json"), "{error}");
    }
}
