//! Calls that not every system has.

use super::circles::sources;

/// Modules of calls that not every system has.
const CALLS: [&str; 6] = ["std::os::", "rustix::", "libc::", "landlock::", "seccompiler::", "signal::unix"];

/// The files and folders that may use it, below `crates`: each says what it does elsewhere.
const PLACES: [&str; 7] = [
    "callable/src/buffered.rs",
    "cli/src/signals.rs",
    "exec/src/agents/folder.rs",
    "exec/src/program_error.rs",
    "format/src/whole.rs",
    "process/src/",
    "spec/src/files.rs",
];

#[test]
fn calls_that_not_every_system_has_are_in_few_files() {
    for source in sources().values() {
        let path = source.path.display().to_string();
        let path = path.replace('\\', "/");
        let (_, path) = path.rsplit_once("/crates/").unwrap();
        let is_test = path.starts_with("testkit/") || path.ends_with("/tests.rs");
        let found = CALLS.iter().find(|call| source.code.contains(**call));
        let is_place = PLACES.iter().any(|place| path.starts_with(place));
        assert!(is_test || is_place || found.is_none(), "{path} uses {found:?}: see `eval_spec::files`");
    }
}
