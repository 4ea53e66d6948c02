//! Names of models.

use eval_analysis::internals::{ModelName, judge_of, normalised};

fn is_same(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(ModelName::of);
    assert_eq!(a.is_same(&b), b.is_same(&a), "{a:?} {b:?}");
    a.is_same(&b)
}

#[test]
fn names_of_one_model() {
    let same = [
        // vendors, clouds, regions, case
        ("claude-3.5-sonnet", "anthropic-api:claude-3-5-sonnet-20241022"),
        ("Claude-3-5-Sonnet-latest", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"),
        ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"),
        ("anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4@20250514"),
        ("publishers/anthropic/models/claude-opus-4-1@default", "claude:claude-opus-4-1-20250805"),
        ("openai/GPT-4o-mini", "openai-api:gpt-4o-mini"),
        ("azure/gpt-4o", "gpt-4o"),
        ("meta.llama3-8b-instruct-v1:0", "meta-llama/Llama-3-8B-Instruct"),
        ("mistral.mixtral-8x7b-instruct-v0:1", "Mixtral-8x7B-Instruct"),
        ("models/gemini-2.5-pro", "google/gemini-2.5-pro"),
        // dates
        ("gpt-4o", "openai-api:gpt-4o-2024-08-06"),
        ("gpt-4", "openai-api:gpt-4-0613"),
        ("gpt-4-32k", "gpt-4-32k-0314"),
        ("gpt-3.5-turbo", "openai-api:gpt-3.5-turbo-0125"),
        ("gpt-4-preview", "gpt-4-1106-preview"),
        ("deepseek-v3", "deepseek-ai/DeepSeek-V3-0324"),
        ("mistral-large-latest", "mistral-large-2407"),
        ("codestral", "codestral-2405"),
        ("qwen3-235b-a22b", "qwen3-235b-a22b-2507"),
        ("command-r", "command-r-08-2024"),
        ("doubao-pro-32k", "doubao-pro-32k-240615"),
        ("somebody-1", "somebody-1-202405"),
        ("o1", "o1-2024-12-17"),
        ("gemini-2.5-pro-preview", "gemini-2.5-pro-preview-05-06"),
        ("gemini-1.5-pro", "gemini-1.5-pro-002"),
        // punctuation
        ("gpt4o", "gpt-4o"),
        ("llama-3.2", "llama3.2"),
        ("Gemma 2 9B", "gemma2-9b"),
        ("claude_haiku_4_5", "claude-haiku-4.5"),
        // tags
        ("llama3.2", "openai-api:llama3.2:latest"),
        ("llama3.2:latest", "openai-api:llama3.2"),
        ("qwen2.5:7b", "openai-api:qwen2.5:7b"),
        ("qwen2.5", "openai-api:qwen2.5:7b"),
        ("qwen2.5:7b", "openai-api:qwen2.5:7b-instruct-q4_K_M"),
        ("Qwen/Qwen2.5-7B-Instruct", "openai-api:qwen2.5:7b"),
        ("hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M", "bartowski/Llama-3.2-3B-Instruct-GGUF"),
        ("gemma-2-9b-it", "gemma2:9b"),
        ("meta-llama/llama-3.2-3b-instruct:free", "llama-3.2-3b-instruct"),
        ("gpt-oss:20b", "openai/gpt-oss-20b"),
        // fine-tuned
        ("ft:gpt-4o:acme::abc", "openai-api:ft:gpt-4o:acme::abc"),
        ("gpt-4o-mini", "openai-api:ft:gpt-4o-mini-2024-07-18:acme:suffix:7p4l"),
        // bare series
        ("anthropic/claude-haiku-4-5", "claude:haiku"),
        ("claude:haiku", "haiku"),
        ("claude-haiku", "claude-3-5-haiku-20241022"),
        // programs
        ("haiku", "./my judge --strict:haiku"),
        ("llama3.2", "/usr/bin/judge:llama3.2:latest"),
    ];
    for (a, b) in same {
        assert!(is_same(a, b), "{a} {b}: {:?} {:?}", ModelName::of(a), ModelName::of(b));
    }
}

#[test]
fn names_of_different_models() {
    let other = [
        ("ann", "claude:haiku"),
        ("", "haiku"),
        ("", ""),
        (":", "openai-api:"),
        ("claude", "claude:haiku"),
        ("sonnet", "claude:haiku"),
        ("claude-3-5-sonnet", "claude-3-7-sonnet"),
        ("claude-sonnet-4", "claude-sonnet-4-5"),
        ("claude-3-haiku", "claude-3-5-haiku"),
        ("gpt-4o", "openai-api:gpt-4o-mini"),
        ("gpt-4", "gpt-4o"),
        ("gpt-4", "gpt-4-turbo"),
        ("gpt-4.1", "gpt-41"),
        ("gpt-4-0613", "gpt-4-32k-0613"),
        ("o3", "openai-api:o3-mini"),
        ("o1", "o3"),
        // tags are no models
        ("mistral:latest", "openai-api:llama3.2:latest"),
        ("latest", "openai-api:llama3.2:latest"),
        ("7b", "openai-api:qwen2.5:7b"),
        ("llama2:7b", "openai-api:qwen2.5:7b"),
        ("qwen2.5:14b", "openai-api:qwen2.5:7b"),
        ("qwen2.5:7b-text", "openai-api:qwen2.5:7b-instruct"),
        ("Qwen2-57B", "qwen2.5:7b"),
        ("Qwen2-57B", "qwen2.5-7b"),
        ("llama3.2", "llama3.1:latest"),
        // no executor, no prefix
        ("model", "nosuch:model"),
        ("7b", "mistral:7b"),
        // numbers that are no dates
        ("judge", "judge-2025"),
        ("gpt-4", "gpt-4-2025"),
        ("judge", "judge-0613"),
        ("judge", "judge-1024"),
        ("model", "model-128000"),
        ("model", "model-131072"),
        ("model", "model-20251345"),
        ("model", "model-12345678"),
        ("gpt-4", "gpt-4-1332"),
        ("gemini-1", "gemini-1-05-06"),
        ("x", "x0613"),
        ("20251001", "20240601"),
        // versions that are models
        ("deepseek-v2", "deepseek-v3"),
        ("deepseek-coder", "deepseek-coder-v2"),
        ("deepseek-v3", "deepseek-r1"),
        ("text-davinci-002", "text-davinci-003"),
        ("ft:gpt-4o:acme::abc", "ft:gpt-4o:other::xyz"),
        ("mistral-7b", "mixtral-8x7b"),
    ];
    for (a, b) in other {
        assert!(!is_same(a, b), "{a} {b}: {:?} {:?}", ModelName::of(a), ModelName::of(b));
    }
}

#[test]
fn folded_names_are_equal_where_models_are() {
    for same in [
        "claude-haiku-4-5",
        "claude-haiku-4-5-20251001",
        "anthropic/claude-haiku-4-5@20251001",
        "us.anthropic.claude-haiku-4-5-20251001-v1:0",
        "Claude-Haiku-4-5-latest",
        "anthropic-api:claude-haiku-4.5",
    ] {
        assert_eq!(normalised(same), "claude-haiku-4-5", "{same}");
    }
    for (one, other) in [("gpt-4o-2024-08-06", "GPT4o"), ("ft:gpt-4o:acme", "gpt-4o"), ("llama3.2:3b", "llama-3.2")] {
        assert_eq!(normalised(one), normalised(other));
    }
    assert_ne!(normalised("gpt-4o"), normalised("gpt-4"));
    assert_eq!(normalised("日本-2"), "日本-2");
    assert_eq!(normalised(" "), "");
}

#[test]
fn annotators_are_judges_in_whatever_spelling() {
    let judges = ["openai-api:gpt-4o-2024-08-06", "claude:claude-sonnet-4-5-20250929"].map(str::to_owned);
    for (name, judge) in [
        ("GPT-4o", 0),
        ("gpt4o judge", 0),
        ("judge:gpt-4o", 0),
        ("GPT‑4o", 0),
        ("ｇｐｔ－４ｏ", 0),
        ("the gpt-4o grader", 0),
        ("ann (gpt-4o)", 0),
        ("gpt-4o@openai", 0),
        ("Sonnet 4.5", 1),
        ("claude-4.5-sonnet", 1),
        ("Claude Sonnet 4.5 (LLM judge)", 1),
    ] {
        assert_eq!(judge_of(name, &judges).as_ref(), Some(&judges[judge]), "{name}");
    }
    for name in [
        "ann",
        "judge",
        "ai reviewer",
        "gpt-4o-mini",
        "Claude",
        "claude monet",
        "model",
        "gpt",
        "Sonnet 4",
        "Judge Judy",
    ] {
        assert_eq!(judge_of(name, &judges), None, "{name}");
    }
}
