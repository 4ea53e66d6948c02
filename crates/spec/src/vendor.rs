//! Vendors of models: whose model a name stands for, and which executors ask which vendor.
//!
//! Pure data for every crate. How an executor works is a row of the table `EXECUTORS` of `eval-exec`; an executor
//! that a vendor lists here and that table lacks is reserved: no program can be called so.

/// A vendor, or a family of open models.
#[derive(Debug, PartialEq, Eq)]
pub struct Vendor {
    /// Its name in reports.
    pub name: &'static str,
    /// Its series of models, by the letters that their names begin with.
    pub series: &'static [&'static str],
    /// Its models that are known by their whole first word, such as `o3`.
    pub words: &'static [&'static str],
    /// The series whose bare name means its newest model.
    pub aliases: &'static [&'static str],
    /// The words that catalogues put before the names of its models.
    pub namespaces: &'static [&'static str],
    /// The executors that ask it when they are given no model.
    pub executors: &'static [&'static str],
}

/// All vendors.
pub static VENDORS: &[Vendor] = &[
    Vendor {
        name: "anthropic",
        series: &["claude", "haiku", "sonnet", "opus"],
        words: &[],
        aliases: &["haiku", "sonnet", "opus"],
        namespaces: &["anthropic"],
        executors: &["claude", "anthropic-api"],
    },
    Vendor {
        name: "openai",
        series: &["gpt", "chatgpt", "codex"],
        words: &["o1", "o3", "o4"],
        aliases: &[],
        namespaces: &["openai"],
        executors: &["codex", "openai", "openai-api"],
    },
    Vendor {
        name: "google",
        series: &["gemini", "gemma", "codegemma", "medgemma", "paligemma", "shieldgemma"],
        words: &[],
        aliases: &[],
        namespaces: &["google"],
        executors: &["gemini", "gemini-api"],
    },
    Vendor {
        name: "mistral",
        series: &[
            "mistral",
            "mixtral",
            "ministral",
            "magistral",
            "mathstral",
            "codestral",
            "devstral",
            "pixtral",
            "voxtral",
        ],
        words: &[],
        aliases: &[],
        namespaces: &["mistralai"],
        executors: &[],
    },
    Vendor {
        name: "qwen",
        series: &["qwen", "qwq", "qvq", "codeqwen"],
        words: &[],
        aliases: &[],
        namespaces: &[],
        executors: &[],
    },
    Vendor {
        name: "llama",
        series: &["llama", "codellama"],
        words: &[],
        aliases: &[],
        namespaces: &["meta"],
        executors: &[],
    },
];

/// The executor that serves recordings; it has no vendor.
pub const REPLAY: &str = "replay";

/// The vendor of a model, from the letters that its name begins with and its whole first word.
#[must_use]
pub fn of_model(letters: &str, word: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| vendor.series.contains(&letters) || vendor.words.contains(&word))
}

/// The vendor that an executor asks.
#[must_use]
pub fn of_executor(executor: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| vendor.executors.contains(&executor))
}

/// Whether a model's API answers directly, and no program or agent stands between.
#[must_use]
pub fn is_model_api(executor: &str) -> bool {
    executor.ends_with("-api")
}

/// Whether this names an executor, also a reserved one.
#[must_use]
pub fn is_executor(name: &str) -> bool {
    name == REPLAY || of_executor(name).is_some()
}
