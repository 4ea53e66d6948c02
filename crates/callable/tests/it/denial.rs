//! Paths in refusals.

use eval_callable::internals::{is_full, paths};

#[test]
fn the_path_of_a_refusal_is_found() {
    for (line, path) in [
        ("PermissionError: [Errno 13] Permission denied: '/data/a b.txt'", "/data/a b.txt"),
        ("Error: EACCES: permission denied, open '/data/x.json'", "/data/x.json"),
        ("sh: 1: cannot create /data/x: Permission denied", "/data/x"),
        ("touch: cannot touch 'out.txt': Permission denied", "out.txt"),
    ] {
        assert!(paths(line).any(|found| found == path), "{line}");
    }
    assert!(!paths("see https://host/x").any(|found| found.contains("host")));
}

#[test]
fn a_disk_is_full_only_where_the_system_says_so() {
    assert!(is_full(Some(0)) && is_full(Some(1 << 20)));
    assert!(!is_full(Some(1 << 30)) && !is_full(None));
}
