//! The keys of sample files, as tables: the loader and the docs read them.

/// One key of a sample file.
#[derive(Clone, Copy, Debug)]
pub struct SampleKey {
    /// The key.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it holds and does: a message key.
    pub doc: &'static str,
}

const fn required(name: &'static str, doc: &'static str) -> SampleKey {
    SampleKey { name, required: true, doc }
}

const fn optional(name: &'static str, doc: &'static str) -> SampleKey {
    SampleKey { name, required: false, doc }
}

/// The keys of a sample, in the order of diagnostics and docs.
pub const SAMPLE_KEYS: &[SampleKey] = &[
    required("sample_id", "load-sample-id"),
    required("prompt", "load-sample-prompt"),
    optional("context", "load-sample-context"),
    optional("cwd", "load-sample-cwd"),
    optional("rubric", "load-sample-rubric"),
    optional("assertions", "load-sample-assertions"),
    optional("dimensions", "load-sample-dimensions"),
    optional("capability", "load-sample-capability"),
    optional("difficulty", "load-sample-difficulty"),
    optional("construct", "load-sample-construct"),
    optional("provenance", "load-sample-provenance"),
    optional("mocks", "load-sample-mocks"),
    optional("mocksStrict", "load-sample-mocks-strict"),
    optional("tripwire", "load-sample-tripwire"),
    optional("judge", "load-sample-judge"),
    optional("environment", "load-sample-environment"),
];

/// The keys of a sample's `environment`.
pub const ENVIRONMENT_KEYS: &[SampleKey] = &[
    optional("cli_available", "load-sample-environment-cli"),
    optional("files_available", "load-sample-environment-files"),
    optional("notes", "load-sample-environment-notes"),
];

/// The keys of one of a sample's `mocks`.
pub const MOCK_KEYS: &[SampleKey] = &[
    required("tool", "load-sample-mock-tool"),
    optional("match", "load-sample-mock-match"),
    optional("return", "load-sample-mock-return"),
    optional("return_file", "load-sample-mock-return-file"),
    optional("return_seq", "load-sample-mock-return-seq"),
];

/// The keys of a mock's `match`.
pub const MATCH_KEYS: &[SampleKey] = &[
    optional("file_path", "load-sample-match-file-path"),
    optional("file_path_endswith", "load-sample-match-file-path-endswith"),
    optional("url", "load-sample-match-url"),
    optional("url_glob", "load-sample-match-url-glob"),
    optional("command_glob", "load-sample-match-command-glob"),
    optional("input", "load-sample-match-input"),
    optional("input_contains", "load-sample-match-input-contains"),
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
