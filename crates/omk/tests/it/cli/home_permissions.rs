//! File permissions of what a run writes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::fixtures::context::{Finished, TestContext};

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

/// A directory and everything below it.
fn below(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    if path.is_dir() {
        found.extend(std::fs::read_dir(path).unwrap().flat_map(|entry| below(&entry.unwrap().path())));
    }
    found
}

/// Runs under the usual umask, 022.
fn eval(context: &TestContext, more: &str) -> Finished {
    let line = format!(
        "umask 022; exec '{}' eval --control v1 --treatment v2 --executor ./agent --report-only {more}",
        env!("CARGO_BIN_EXE_omk")
    );
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg(line).current_dir(context.root()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("OMK_HOME", context.home()).env("OMK_LANG", "en");
    command.output().unwrap().into()
}

fn project() -> TestContext {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    context
}

#[test]
fn home_is_readable_by_its_owner_only() {
    let context = project();
    eval(&context, "").expect(0);
    let found = below(&context.home());
    let files = found.iter().filter(|path| path.is_file()).count();
    // A journal, a report, and two answers with their names.
    assert!(files >= 5, "{found:#?}");
    for path in found {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(format!("{:o}", mode(&path)), format!("{expected:o}"), "{}", path.display());
    }
}

#[test]
fn chosen_output_directory_follows_the_umask() {
    let context = project();
    eval(&context, "--output-dir out/reports").expect(0);
    let report = below(&context.path("out")).into_iter().find(|path| path.is_file()).unwrap();
    assert_eq!((mode(&context.path("out/reports")), mode(&report)), (0o755, 0o644));
    assert_eq!(mode(&context.home().join("journal")), 0o700);
}

#[test]
fn permissions_of_an_existing_home_are_preserved() {
    let context = project();
    let reports = context.home().join("reports");
    std::fs::create_dir_all(&reports).unwrap();
    for path in [context.home(), reports.clone()] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    eval(&context, "").expect(0);
    assert_eq!((mode(&context.home()), mode(&reports), mode(&context.report_path())), (0o755, 0o755, 0o644));
    assert_eq!(mode(&context.home().join("journal")), 0o700);
}
