//! Families of models.

use eval_analysis::internals::family;

#[test]
fn names_tell_families() {
    let table = [
        ("haiku", "anthropic"),
        ("claude-sonnet-4-5", "anthropic"),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", "anthropic"),
        ("anthropic/claude-3-opus", "anthropic"),
        ("GPT-4o-mini", "openai"),
        ("openai/o3", "openai"),
        ("o4-mini", "openai"),
        ("models/gemini-2.5-pro", "google"),
        ("qwen2.5:7b", "qwen"),
        ("Qwen/Qwen3-8B", "qwen"),
        ("olmo-2", "olmo"),
        ("o1x", "o"),
        ("o1-pro", "openai"),
        ("ft:gpt-4o:acme::abc", "openai"),
        ("openai-api:ft:gpt-4o-mini:acme", "openai"),
        ("gpt4o", "openai"),
        ("gpt-oss:20b", "openai"),
        ("gemma3:4b", "google"),
        ("google/gemma-2-9b-it", "google"),
        ("mistral:latest", "mistral"),
        ("mixtral:8x7b", "mistral"),
        ("mistralai/Ministral-8B-Instruct", "mistral"),
        ("codestral-2405", "mistral"),
        ("mistral.mistral-large-2407-v1:0", "mistral"),
        ("meta-llama/Llama-3.2-3B", "llama"),
        ("qwq:32b", "qwen"),
        ("日本-2", "日本"),
        ("judge-1", "judge"),
    ];
    for (model, expected) in table {
        assert_eq!(family(model).as_deref(), Some(expected), "{model}");
    }
    assert_eq!(family(" "), None);
}
