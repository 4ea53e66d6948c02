//! Whose model it is, as far as its name tells: a judge tends to like what its own kin writes.

/// The vendor or family of a model, from its name: `claude-haiku-4-5`, `us.anthropic.claude-sonnet-4`, `openai/gpt-4o`,
/// `qwen2.5:7b`. `None` for an empty name.
pub(crate) fn family(model: &str) -> Option<String> {
    let name = normalised(model);
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let is_series =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    let vendor = if begins(&["claude", "haiku", "sonnet", "opus"]) {
        "anthropic"
    } else if begins(&["gpt", "chatgpt", "codex"]) || ["o1", "o3", "o4"].iter().any(|series| is_series(series)) {
        "openai"
    } else if begins(&["gemini"]) {
        "google"
    } else {
        // `qwen2.5:7b` and `qwen3-8b` are one family
        let word: String = name.chars().take_while(|c| c.is_alphabetic()).collect();
        let first = name.split(['-', '_', ':', '.', ' ']).next().unwrap_or_default().to_owned();
        let family = if word.is_empty() { first } else { word };
        return (!family.is_empty()).then_some(family);
    };
    Some(vendor.to_owned())
}

/// The vendor that an executor asks when it is given no model.
pub(crate) fn family_of_executor(executor: &str) -> Option<&'static str> {
    match executor {
        "claude" | "anthropic-api" => Some("anthropic"),
        "codex" | "openai" | "openai-api" => Some("openai"),
        "gemini" | "gemini-api" => Some("google"),
        _ => None,
    }
}

/// A model's name without its vendor's prefix and its date: `anthropic/claude-haiku-4-5@20251001` and
/// `claude-haiku-4-5-20251001` are `claude-haiku-4-5`.
pub(crate) fn normalised(model: &str) -> String {
    let lower = model.trim().to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    const DOTTED: [&str; 3] = ["anthropic.", "openai.", "google."];
    let name = DOTTED.iter().find_map(|vendor| Some(name.split_once(vendor)?.1)).unwrap_or(name);
    let name = name.split('@').next().unwrap_or_default();
    without_date(name.strip_suffix("-latest").unwrap_or(name)).to_owned()
}

/// Cuts `-20251001`, `-2024-08-06`, and what follows a date, such as Bedrock's `-v1:0`.
fn without_date(name: &str) -> &str {
    let is_date = |rest: &str| {
        let digits: String =
            rest.chars().take_while(|c| c.is_ascii_digit() || *c == '-').filter(|c| *c != '-').collect();
        digits.len() >= 8 && digits.starts_with("20")
    };
    let dashes = name.match_indices('-').map(|(at, _)| at);
    dashes.into_iter().find(|&at| is_date(&name[at + 1..])).map_or(name, |at| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("judge-1", "judge"),
        ];
        for (model, expected) in table {
            assert_eq!(family(model).as_deref(), Some(expected), "{model}");
        }
        assert_eq!(family(" "), None);
    }

    #[test]
    fn prefixes_and_dates_are_folded() {
        for same in [
            "claude-haiku-4-5",
            "claude-haiku-4-5-20251001",
            "anthropic/claude-haiku-4-5@20251001",
            "us.anthropic.claude-haiku-4-5-20251001-v1:0",
            "Claude-Haiku-4-5-latest",
        ] {
            assert_eq!(normalised(same), "claude-haiku-4-5", "{same}");
        }
        assert_eq!(normalised("gpt-4o-2024-08-06"), "gpt-4o");
        assert_eq!(normalised("gpt-4o"), "gpt-4o");
        assert_eq!(normalised("日本-2"), "日本-2");
    }
}
