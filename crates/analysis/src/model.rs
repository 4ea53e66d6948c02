//! The names of models: which of them mean the same one.
//!
//! One model has many names: `claude-haiku-4-5`, `us.anthropic.claude-haiku-4-5-20251001-v1:0`, `openai-api:gpt-4o`,
//! `gpt-4o-2024-08-06`, `hf.co/Qwen/Qwen2.5-7B-Instruct`, `qwen2.5:7b`. Vendors, dates, case and punctuation are ignored;
//! everything else distinguishes models.

use eval_spec::vendor::{self, VENDORS};

/// A model's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName {
    /// The first word whole: `o3`, where the tokens say `o`, `3`.
    pub(crate) head: String,
    /// The parts that identify the model: runs of letters or of digits, such as `gpt`, `4`, `o`.
    tokens: Vec<String>,
    /// The same of the part after the first colon (`7b` in `qwen2.5:7b`); empty for `latest`.
    tag: Vec<String>,
}

/// Prefixes of model names besides the vendors' namespaces: clouds, regions and catalogues.
const PREFIXES: [&str; 11] =
    ["us", "eu", "apac", "global", "amazon", "cohere", "azure", "bedrock", "vertex", "models", "publishers"];

/// Model series with dates of four digits, `gpt-4-0613` by month and day or `mistral-large-2407` by year and month.
const DATED_BY_FOUR: [&str; 14] = [
    "gpt",
    "gemini",
    "deepseek",
    "kimi",
    "glm",
    "grok",
    "qwen",
    "mistral",
    "mixtral",
    "ministral",
    "magistral",
    "codestral",
    "devstral",
    "pixtral",
];

impl ModelName {
    /// Takes `executor:model`, or a model's name alone, apart.
    pub fn of(name: &str) -> ModelName {
        let lower = name.trim().to_lowercase();
        let model = without_executor(&lower);
        // A fine-tuned model is named after its base: `ft:gpt-4o:acme::id`.
        let model = model.strip_prefix("ft:").unwrap_or(model);
        let last = model.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let (base, tag) = last.split_once(':').unwrap_or((last, ""));
        let mut words = without_dates(&without_prefixes(words(base)));
        strip_suffixes(&mut words, tag);
        let is_tag = |word: &&str| !is_number(word) && *word != "latest";
        ModelName {
            head: words.first().copied().unwrap_or_default().to_owned(),
            tokens: words.iter().flat_map(|word| runs(word)).collect(),
            tag: self::words(tag).into_iter().filter(is_tag).flat_map(runs).collect(),
        }
    }

    /// Whether two names can mean the same model. A name without a tag is any of its tags, and a bare series (`haiku`)
    /// any model of that series: both name what is newest.
    pub fn is_same(&self, other: &ModelName) -> bool {
        let is_any = |one: &ModelName, of: &ModelName| one.series().is_some_and(|series| of.tokens.contains(series));
        if self.tokens.is_empty() || other.tokens.is_empty() {
            return false;
        }
        if self.tokens == other.tokens {
            return self.tag.starts_with(&other.tag) || other.tag.starts_with(&self.tag);
        }
        let is_tagged_once = self.tag.is_empty() != other.tag.is_empty();
        is_any(self, other) || is_any(other, self) || (is_tagged_once && self.weights() == other.weights())
    }

    /// The canonical name without the tag.
    pub(crate) fn folded(&self) -> String {
        self.tokens.join("-")
    }

    /// The first run of letters or digits: whose model it is, mostly.
    pub(crate) fn first(&self) -> Option<&str> {
        self.tokens.first().map(String::as_str)
    }

    /// The series, if the name says no more than that.
    fn series(&self) -> Option<&String> {
        let (last, before) = self.tokens.split_last()?;
        let is_bare = before.is_empty() || before == ["claude"];
        Some(last).filter(|last| is_bare && is_alias(last))
    }

    /// Name and tag joined, as other catalogues write them: `qwen2.5:7b` is `Qwen2.5-7B-Instruct`.
    fn weights(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.tokens.iter().chain(&self.tag).map(String::as_str).collect();
        while all.len() > 1 && all.last().is_some_and(|last| ["instruct", "chat", "it", "gguf"].contains(last)) {
            all.pop();
        }
        all
    }
}

/// A model's name without vendor, date, tag, case and punctuation: equal for names of the same model.
pub fn normalised(model: &str) -> String {
    ModelName::of(model).folded()
}

/// What follows the executor in `executor:model`. A program is one too; no model's name begins like a path or has a
/// space in it.
fn without_executor(name: &str) -> &str {
    let is_executor =
        |word: &str| vendor::is_executor(word) || word.starts_with(['.', '/']) || word.contains(char::is_whitespace);
    match name.split_once(':') {
        Some((before, after)) if is_executor(before.trim()) => after.trim(),
        _ => name,
    }
}

fn is_prefix(word: &str) -> bool {
    PREFIXES.contains(&word) || VENDORS.iter().any(|vendor| vendor.namespaces.contains(&word))
}

/// Whether the bare name of a series means its newest model.
fn is_alias(series: &str) -> bool {
    VENDORS.iter().any(|vendor| vendor.aliases.contains(&series))
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn without_prefixes(mut words: Vec<&str>) -> Vec<&str> {
    while words.len() > 1 && is_prefix(words[0]) {
        words.remove(0);
    }
    // `mistral.mixtral-8x7b`: the vendor is called like its first model
    if matches!(words[..], ["mistral", next, ..] if DATED_BY_FOUR.contains(&next)) {
        words.remove(0);
    }
    words
}

/// Without `-20251001`, `-2024-08-06`, `-240615`, `-0613` and their like. What comes first is never a date.
fn without_dates<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut kept: Vec<&str> = Vec::with_capacity(words.len());
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let length = if kept.is_empty() { 0 } else { date(&kept, rest) };
        if length == 0 {
            kept.push(word);
            rest = after;
        } else {
            rest = &rest[length..];
        }
    }
    kept
}

/// How many words the date takes that `rest` begins with; 0 if it begins with none.
fn date(before: &[&str], rest: &[&str]) -> usize {
    let month_day = |month, day| (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_year = |year| (2015..=2039).contains(&year);
    let number =
        |word: &str, digits: usize| (word.len() == digits && is_number(word)).then(|| word.parse::<u32>().ok())?;
    if let [year, month, day, ..] = rest
        && let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
        && is_year(year)
        && month_day(month, day)
    {
        return 3;
    }
    // `command-r-08-2024`, `gemini-2.5-pro-preview-05-06`
    if let [month, last] = rest
        && let Some(month) = number(month, 2)
    {
        let is_preview = before.last().is_some_and(|word| ["preview", "exp"].contains(word));
        let is_year = number(last, 4).is_some_and(|year| is_year(year) && month_day(month, 1));
        let is_day = number(last, 2).is_some_and(|day| is_preview && month_day(month, day));
        return if is_year || is_day { 2 } else { 0 };
    }
    let Some(word) = rest.first() else { return 0 };
    let is_date = match (number(word, 4), number(word, 6), number(word, 8)) {
        // A year (`-2025`) is none of the two.
        (Some(n), _, _) => {
            let series = before.first().and_then(|word| runs(word).next()).unwrap_or_default();
            let is_month_of_year = (23..=39).contains(&(n / 100)) && month_day(n % 100, 1);
            DATED_BY_FOUR.contains(&series.as_str()) && (month_day(n / 100, n % 100) || is_month_of_year)
        }
        (_, Some(n), _) => {
            let is_short = (20..=39).contains(&(n / 10_000)) && month_day(n / 100 % 100, n % 100);
            is_short || (is_year(n / 100) && month_day(n % 100, 1))
        }
        (_, _, Some(n)) => is_year(n / 10_000) && month_day(n / 100 % 100, n % 100),
        _ => false,
    };
    usize::from(is_date)
}

/// `-latest`, and what some clouds put behind a model's name: `-v1:0`, `@default`, `-002`.
fn strip_suffixes(words: &mut Vec<&str>, tag: &str) {
    let is_version = |word: &str| word.strip_prefix('v').is_some_and(is_number);
    while let [first, .., last] = words[..] {
        let is_cloud = first == "claude" || (!tag.is_empty() && is_number(tag));
        let is_revision = is_version(last) && is_cloud && words.len() > 2;
        let is_gemini = first == "gemini" && last.len() == 3 && last.starts_with("00") && is_number(last);
        if !(is_revision || is_gemini || ["latest", "default"].contains(&last)) {
            return;
        }
        words.pop();
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `gpt4o` is `gpt`, `4`, `o`, the same as `gpt-4o`.
fn runs(word: &str) -> impl Iterator<Item = String> + use<> {
    let mut runs: Vec<String> = Vec::new();
    let mut was_digit = None;
    for c in word.chars() {
        let is_digit = c.is_ascii_digit();
        match runs.last_mut() {
            Some(run) if was_digit == Some(is_digit) => run.push(c),
            _ => runs.push(c.to_string()),
        }
        was_digit = Some(is_digit);
    }
    runs.into_iter()
}
