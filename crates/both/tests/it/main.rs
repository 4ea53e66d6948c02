//! One program under two names.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

#[test]
fn the_name_that_it_is_started_by_chooses_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        ("omk", "omk"),
        ("omk-0.3.0", "omk"),
        ("renamed", "omk"),
        ("eval-skills", "eval-skills"),
        ("Eval-Skills.exe", "eval-skills"),
        ("eval-skills-v0.3.0", "eval-skills"),
        ("-eval-skills", "eval-skills"),
    ];
    for (name, program) in names {
        let path = folder.path().join(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_omk-both"), &path).unwrap();
        let output = Command::new(&path).arg("--version").env_clear().env("HOME", folder.path()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed, format!("{program} {}\n", env!("CARGO_PKG_VERSION")), "{name}");
    }
}
