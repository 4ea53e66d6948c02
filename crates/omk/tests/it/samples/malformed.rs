//! Malformed files: nothing panics, every error has a position, and the exit code is 2.
//!
//! A thousand go through the loader in this process, and a tenth of them through the binary.
//! `OMK_TEST_ALL=1 cargo test --workspace --test it samples::malformed -- --nocapture` runs ten thousand through both,
//! takes minutes and prints a count.
#![expect(clippy::print_stderr, reason = "the count is for people")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use eval_load as load;
use eval_message::Lang;
use eval_spec::context::Clock;
use eval_spec::{Context, Diagnostics};
use testkit::malformed::{KINDS, Malformed};

use crate::fixtures::context::{TestContext, tree};

/// Whether as many files as anyone wants to wait for are tried.
fn tries_all() -> bool {
    std::env::var_os("OMK_TEST_ALL").is_some()
}

/// The directory of all files: their paths are relative to it, and the files that they name exist.
fn project() -> TestContext {
    let context = TestContext::new();
    context.write("skills/v1.md", "one\n");
    context.write("skills/v2.md", "two\n");
    context.write("eval-samples.json", r#"[{"sample_id": "s1", "prompt": "p"}]"#);
    for arguments in [
        &["init", "-q"][..],
        &["add", "skills"],
        &["commit", "-q", "-m", "first"],
        &["commit", "-q", "--allow-empty", "-m", "second"],
    ] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]);
        git.args(arguments).current_dir(context.root()).env("HOME", context.root()).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.output().unwrap().status.success());
    }
    context
}

fn surroundings(context: &TestContext) -> Context {
    Context {
        cwd: context.root().to_owned(),
        home: context.home(),
        env: BTreeMap::new(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: std::collections::BTreeSet::new(),
    }
}

/// `eval.yaml` and so on, or `17-eval.yaml`.
fn file_name(file: &Malformed) -> String {
    format!("{}-{}", file.seed, file.name)
}

fn load_one(context: &Context, path: &Path, name: &str) -> Result<(), Diagnostics> {
    match name {
        "eval.yaml" => load::eval_file(context, path).map(drop),
        _ => load::samples(context, path, &eval_grade::type_specs()).map(drop),
    }
}

/// Whether the loader refuses the file; it must not panic, and every diagnostic must have a position inside the file
/// and a text in both languages.
fn is_refused(context: &Context, file: &Malformed) -> bool {
    let path = context.cwd.join(file_name(file));
    std::fs::write(&path, &file.bytes).unwrap();
    let result = load_one(context, &path, file.name);
    std::fs::remove_file(&path).unwrap();
    let Err(diagnostics) = result else { return false };
    assert!(diagnostics.has_errors(), "{file:?}");
    for diagnostic in &diagnostics.0 {
        let place =
            diagnostic.place.as_ref().unwrap_or_else(|| panic!("no position: {}\n{file:?}", diagnostic.message));
        assert_eq!(place.file.name, file_name(file));
        assert!(place.span.start + place.span.len <= place.file.text.len(), "{file:?}");
        let (line, column) = place.line_column();
        let lines = place.file.text.split('\n').count();
        assert!((1..=lines).contains(&line) && column >= 1, "{line}:{column} of {lines} lines\n{file:?}");
        for lang in [Lang::En, Lang::Zh] {
            assert!(!diagnostic.message.text(lang).starts_with("load-"), "{}", diagnostic.message.id);
        }
    }
    true
}

/// Applies `work` to each of `items` on a few threads.
fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// The first files that the loader refuses, and the valid ones between them.
fn all(context: &Context) -> (Vec<Malformed>, Vec<Malformed>) {
    let enough = if tries_all() { 10_000 } else { 1_000 };
    let (mut broken, mut valid) = (Vec::new(), Vec::new());
    for file in (1..).map(Malformed::generate) {
        if broken.len() == enough {
            return (broken, valid);
        }
        if is_refused(context, &file) { broken.push(file) } else { valid.push(file) }
    }
    unreachable!("the seeds don't end")
}

/// Runs the binary on the file and expects exit code 2 with a drawing at line and column for each error; a file that
/// `may_be_valid` may also yield a plan.
fn check_binary(context: &TestContext, file: &Malformed, may_be_valid: bool) {
    let name = file_name(file);
    std::fs::write(context.path(&name), &file.bytes).unwrap();
    let samples = ["eval", "--control", "baseline", "--no-judge", "--dry-run", "--samples", &name];
    let settings = ["eval", &name, "--dry-run"];
    let run = context.run(if file.name == "eval.yaml" { &settings } else { &samples });
    let shown = || format!("{run:#?}\n{file:?}");
    assert!(!run.stderr.contains("panicked"), "{}", shown());
    if may_be_valid && run.code == 0 {
        return;
    }
    assert_eq!(run.code, 2, "{}", shown());
    assert!(run.stdout.is_empty(), "{}", shown());
    // A drawn error begins with `×`, followed by its position.
    assert!(!run.stderr.lines().any(|line| line.starts_with("error:")), "an error without a position\n{}", shown());
    let drawings: Vec<&str> = run.stderr.split("  × ").skip(1).collect();
    assert!(!drawings.is_empty(), "{}", shown());
    for drawing in drawings {
        let place = drawing.lines().find_map(|line| line.trim_start().strip_prefix("╭─[")).unwrap_or_default();
        let mut parts = place.trim_end_matches(']').rsplitn(3, ':');
        let (column, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        assert!(line.parse::<usize>().is_ok() && column.parse::<usize>().is_ok(), "`{place}` is no place\n{}", shown());
    }
    let count = run.stderr.lines().last().unwrap();
    assert!(count.contains("in the input; nothing was executed"), "{}", shown());
}

#[test]
fn malformed_files_are_refused_with_a_position() {
    let project = project();
    let context = surroundings(&project);
    for (name, text) in KINDS {
        let path = context.cwd.join(format!("valid-{name}"));
        std::fs::write(&path, text).unwrap();
        load_one(&context, &path, name).map_err(|errors| errors.to_string()).unwrap();
        let file = Malformed { seed: 0, name, bytes: text.as_bytes().to_vec() };
        check_binary(&project, &file, true);
    }
    let (broken, valid) = all(&context);
    let (malformed, total) = (broken.len(), broken.len() + valid.len());
    let share = |kind: &str, files: &[Malformed]| files.iter().filter(|file| file.name == kind).count();
    for (kind, _) in KINDS {
        assert!(share(kind, &broken) > broken.len() / 5, "too few of {kind}");
    }
    assert!(valid.len() * 4 < total, "{} of {total} are still valid: the mutations do too little", valid.len());

    let every = if tries_all() { 1 } else { 10 };
    let some = |files: &[Malformed]| -> Vec<Malformed> { files.iter().step_by(every).cloned().collect() };
    let (broken, valid) = (some(&broken), some(&valid));
    let before = tree(&project.path("skills"));
    in_parallel(&broken, |file| check_binary(&project, file, false));
    in_parallel(&valid, |file| check_binary(&project, file, true));
    assert_eq!(tree(&project.path("skills")), before);
    assert!(!project.home().exists(), "a dry run writes nothing");
    eprintln!(
        "{malformed} of {total} files are malformed; {} of them and {} valid ones went through the binary",
        broken.len(),
        valid.len()
    );
}
