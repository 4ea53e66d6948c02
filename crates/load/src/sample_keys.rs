//! The keys of sample files, as tables: the loader and the docs read them.

use eval_message::{MessageKey, key};

/// One key of a sample file.
#[derive(Clone, Copy, Debug)]
pub struct SampleKey {
    /// The key.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Its description: a message key.
    pub doc: MessageKey,
}

const fn required(name: &'static str, doc: MessageKey) -> SampleKey {
    SampleKey { name, required: true, doc }
}

const fn optional(name: &'static str, doc: MessageKey) -> SampleKey {
    SampleKey { name, required: false, doc }
}

/// The keys of a sample, in the order of diagnostics and docs.
pub const SAMPLE_KEYS: &[SampleKey] = &[
    required("sample_id", key!("load-sample-id")),
    required("prompt", key!("load-sample-prompt")),
    optional("context", key!("load-sample-context")),
    optional("urlFetch", key!("load-sample-url-fetch")),
    optional("agentMarkup", key!("load-sample-agent-markup")),
    optional("cwd", key!("load-sample-cwd")),
    optional("rubric", key!("load-sample-rubric")),
    optional("assertions", key!("load-sample-assertions")),
    optional("dimensions", key!("load-sample-dimensions")),
    optional("capability", key!("load-sample-capability")),
    optional("cluster", key!("load-sample-cluster")),
    optional("difficulty", key!("load-sample-difficulty")),
    optional("construct", key!("load-sample-construct")),
    optional("provenance", key!("load-sample-provenance")),
    optional("mocks", key!("load-sample-mocks")),
    optional("mocksStrict", key!("load-sample-mocks-strict")),
    optional("tripwire", key!("load-sample-tripwire")),
    optional("judge", key!("load-sample-judge")),
    optional("environment", key!("load-sample-environment")),
];

/// The keys of a sample's `environment`.
pub const ENVIRONMENT_KEYS: &[SampleKey] = &[
    optional("cli_available", key!("load-sample-environment-cli")),
    optional("files_available", key!("load-sample-environment-files")),
    optional("notes", key!("load-sample-environment-notes")),
];

/// The keys of one of a sample's `mocks`.
pub const MOCK_KEYS: &[SampleKey] = &[
    required("tool", key!("load-sample-mock-tool")),
    optional("match", key!("load-sample-mock-match")),
    optional("return", key!("load-sample-mock-return")),
    optional("return_file", key!("load-sample-mock-return-file")),
    optional("return_seq", key!("load-sample-mock-return-seq")),
    optional("description", key!("load-sample-mock-description")),
    optional("input_schema", key!("load-sample-mock-input-schema")),
];

/// The keys of a mock's `match`.
pub const MATCH_KEYS: &[SampleKey] = &[
    optional("file_path", key!("load-sample-match-file-path")),
    optional("file_path_endswith", key!("load-sample-match-file-path-endswith")),
    optional("url", key!("load-sample-match-url")),
    optional("url_glob", key!("load-sample-match-url-glob")),
    optional("command_glob", key!("load-sample-match-command-glob")),
    optional("input", key!("load-sample-match-input")),
    optional("input_contains", key!("load-sample-match-input-contains")),
];

/// The names of a table, for the decoder.
pub(super) const fn names<const N: usize>(keys: &[SampleKey]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = keys[i].name;
        i += 1;
    }
    names
}
