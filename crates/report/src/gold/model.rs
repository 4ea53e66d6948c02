//! Whether two names mean the same model.

/// Whether `annotator` is the model of `judge`, which is `executor:model` or a model. Vendors' prefixes, date suffixes,
/// case and punctuation don't count; a bare family (`haiku`) is any model of that family, since it names the newest.
pub(super) fn same_model(annotator: &str, judge: &str) -> bool {
    let [a, b] = [annotator, judge].map(parts);
    let family = |one: &[String], other: &[String]| matches!(one, [word] if FAMILIES.contains(&word.as_str()) && other.contains(word));
    !a.is_empty() && (a == b || family(&a, &b) || family(&b, &a))
}

const FAMILIES: [&str; 3] = ["haiku", "sonnet", "opus"];
/// What stands before a model's name: vendors, clouds, regions.
const PREFIXES: [&str; 11] =
    ["us", "eu", "apac", "global", "anthropic", "openai", "google", "bedrock", "vertex", "models", "publishers"];

/// The words of a model's name that tell it from others.
fn parts(name: &str) -> Vec<String> {
    let lower = name.trim().to_lowercase();
    // `executor:model`, `vendor/model`, `anthropic.model-v1:0`: the longest part with a letter that is no version
    let tail = lower.rsplit('/').next().unwrap_or_default();
    let is_version = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let tail = tail.split(':').rfind(|part| !part.is_empty() && !is_version(part)).unwrap_or(tail);
    let words = tail.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    while words.len() > 1 && PREFIXES.contains(&words[0].as_str()) {
        words.remove(0);
    }
    strip_suffixes(&mut words);
    words
}

/// `-20241022`, `-2024-10-22`, `-latest`, `-v1`, in any order.
fn strip_suffixes(words: &mut Vec<String>) {
    let digits = |word: &str, n: usize| word.len() == n && word.bytes().all(|byte| byte.is_ascii_digit());
    loop {
        let n = words.len();
        let last = words.last().map(String::as_str).unwrap_or_default();
        let is_version = last.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if n > 1 && (digits(last, 8) || last == "latest" || (is_version && n > 2)) {
            words.pop();
        } else if n > 3 && digits(last, 2) && digits(&words[n - 2], 2) && digits(&words[n - 3], 4) {
            words.truncate(n - 3);
        } else {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_dates_and_case_are_folded() {
        let same = [
            ("claude-3.5-sonnet", "anthropic-api:claude-3-5-sonnet-20241022"),
            ("Claude-3-5-Sonnet-latest", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"),
            ("anthropic/claude-haiku-4-5", "claude:haiku"),
            ("gpt-4o", "openai-api:gpt-4o-2024-08-06"),
            ("openai/GPT-4o-mini", "gpt-4o-mini"),
            ("claude:haiku", "haiku"),
            ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ];
        for (a, b) in same {
            assert!(same_model(a, b) && same_model(b, a), "{a} {b}: {:?} {:?}", parts(a), parts(b));
        }
        let other = [
            ("ann", "claude:haiku"),
            ("", "haiku"),
            ("gpt-4o", "openai-api:gpt-4o-mini"),
            ("claude-3-5-sonnet", "claude-3-7-sonnet"),
            ("claude", "claude:haiku"),
            ("sonnet", "claude:haiku"),
            ("o3", "openai-api:o3-mini"),
        ];
        for (a, b) in other {
            assert!(!same_model(a, b) && !same_model(b, a), "{a} {b}");
        }
    }
}
