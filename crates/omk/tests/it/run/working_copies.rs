//! What the copies of working directories have, and what is refused before anything is asked.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use serde_json::json;
use testkit::Finished;
use testkit::tools::tool;

use super::isolation::with_claude;
use super::{eval_with, says, says_better};
use crate::fixtures::context::TestContext;

/// A project whose `claude` logs `body`'s output, with one sample in `cwd`.
fn in_directory(cwd: &str, body: &str) -> TestContext {
    let context = with_claude(&format!("{{ {body}; }} >> \"$LOG\""));
    ask(&context, "question", cwd);
    context
}

fn ask(context: &TestContext, prompt: &str, cwd: &str) {
    let sample = json!([{"sample_id": "s", "prompt": prompt, "cwd": cwd, "assertions": says_better()}]);
    context.write("eval-samples.json", &sample.to_string());
}

fn git(context: &TestContext, arguments: &[&str]) {
    let run = Command::new("git").args(arguments).current_dir(context.path("")).output().unwrap();
    assert!(run.status.success(), "{run:?}");
}

fn eval_v1(more: &[&'static str]) -> Vec<&'static str> {
    [&["eval", "--control", "v1", "--executor", "claude", "--no-sandbox", "--report-only"], more].concat()
}

#[test]
fn git_decides_what_is_copied() {
    let context = in_directory("sub", "find . -type f -not -path './.git/*' | sort | tr '\\n' ' '; git status --short");
    context.write(".gitignore", "/sub/build\n*.log\ncalls\n");
    for file in ["sub/a.txt", "sub/build/made.txt", "sub/ignored.log", "sub/logs/kept.log", "sub/own/skipped.txt"] {
        context.write(file, "text\n");
    }
    context.write("sub/own/.gitignore", "skipped.txt\n");
    // Another repository's rules end at its own root.
    context.write("sub/inner/.git/HEAD", "ref: refs/heads/main\n");
    context.write("sub/inner/own.log", "text\n");
    git(&context, &["init", "--quiet"]);
    git(&context, &["add", "--force", "sub/logs/kept.log"]);
    context.run(&eval_v1(&[])).expect(0);
    assert_eq!(context.read("calls"), "./a.txt ./inner/own.log ./logs/kept.log ./own/.gitignore ");
    // What is copied is what the answers in the cache were given beside.
    let answers = |from: &str, expected: usize| {
        drop(fs::remove_file(context.path("calls")));
        context.run(&eval_v1(&[])).expect(0);
        let asked = fs::read_to_string(context.path("calls")).unwrap_or_default();
        assert_eq!(asked.matches("a.txt").count(), expected, "{from}");
    };
    answers("nothing changed", 0);
    context.write("sub/build/made.txt", "other\n");
    context.write("sub/ignored.log", "other\n");
    answers("what is ignored", 0);
    context.write("sub/logs/kept.log", "other\n");
    answers("what is tracked", 1);
}

#[test]
fn pipes_are_passed_over_and_never_waited_for() {
    let context = in_directory("sub", "ls -A sub . | tr '\\n' ' '");
    context.write("sub/a.txt", "text\n");
    assert!(Command::new("mkfifo").arg(context.path("sub/pipe")).status().unwrap().success());
    context.run(&eval_v1(&[])).expect(0);
    assert!(context.read("calls").contains("a.txt") && !context.read("calls").contains("pipe"));
    fs::create_dir(context.path("sub/deep")).unwrap();
    assert!(Command::new("mkfifo").arg(context.path("sub/deep/.gitignore")).status().unwrap().success());
    for more in [&[][..], &["--no-strict-baseline"]] {
        let refused = context.run(&eval_v1(more)).expect(2);
        assert!(says(&refused, "sub/deep/.gitignore` is a pipe"), "{refused:#?}");
    }
}

#[test]
fn directory_that_is_too_large_to_copy_is_refused_before_anything_is_asked() {
    let context = in_directory("sub", "echo asked");
    fs::create_dir(context.path("sub")).unwrap();
    for number in 0..50_001 {
        fs::write(context.path(&format!("sub/file-{number}")), "").unwrap();
    }
    for more in [&["--no-cache"][..], &["--dry-run"]] {
        let refused = context.run(&eval_v1(more)).expect(2);
        for text in ["sub` can't be copied", "more than 50000 files", ".gitignore", "--no-strict-baseline"] {
            assert!(says(&refused, text), "{text}: {refused:#?}");
        }
    }
    assert!(!context.path("calls").exists());
    context.write("sub/.gitignore", "file-*\n");
    context.run(&eval_v1(&[])).expect(0);
}

#[test]
fn directory_that_is_an_artifact_itself_is_refused() {
    let context = in_directory("skills/v3", "ls -A");
    context.write("skills/v3/SKILL.md", "---\nname: v3\ndescription: d\n---\nANSWER better\n");
    symlink("skills/v3", context.path("link")).unwrap();
    let treated = ["eval", "--control", "v3", "--executor", "claude", "--report-only"];
    for cwd in ["skills/v3", "link", "skills"] {
        ask(&context, "question", cwd);
        let refused = context.run(&treated).expect(2);
        assert!(says(&refused, "would be empty") && says(&refused, "set `cwd`"), "{refused:#?}");
        assert!(says(&refused, "eval-samples.json"), "{refused:#?}");
    }
    assert!(!context.path("calls").exists());
}

#[test]
fn project_that_is_an_artifact_itself_is_said_to_be_empty() {
    let context = with_claude("ls -A >> \"$LOG\"");
    context.write("SKILL.md", "---\nname: whole\ndescription: d\n---\nANSWER better\n");
    let finished =
        context.run(&["eval", "--control", "./", "--executor", "claude", "--no-sandbox", "--report-only"]).expect(0);
    assert!(says(&finished, "agents work in an empty directory"), "{finished:#?}");
    assert_eq!(fs::read_to_string(context.path("calls")).unwrap_or_default(), "");
}

#[test]
fn files_that_the_copy_lacks_unasked_are_named() {
    let context = in_directory(".", "ls");
    let said = |name: &str| {
        let finished = context.run(&[&eval_v1(&[])[..], &["--dry-run"]].concat()).expect(0);
        says(&finished, "agents don't find") && says(&finished, name)
    };
    assert!(!said("notes"));
    context.write("notes/copy.md", &context.read("skills/v1.md"));
    assert!(said("notes/copy.md"));
}

#[test]
fn files_that_git_ignores_are_named_before_the_run_and_in_the_report() {
    let context = in_directory(".", "ls");
    context.write(".gitignore", "build\n*.log\ncalls\n.env\n");
    for name in ["build/deep/made.txt", "build/more.txt", "one.log", "sub/two.log", "sub/kept.txt", ".env"] {
        context.write(name, "text");
    }
    git(&context, &["init", "--quiet"]);
    git(&context, &["add", "--force", ".env"]);
    let plan = context.run(&[&eval_v1(&[])[..], &["--dry-run", "--json"]].concat()).expect(0);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).unwrap();
    let first = json!(["build", "one.log", "sub/two.log"]);
    assert_eq!(plan["uncopied"], json!([{"directory": ".", "why": "ignored", "count": 3, "first": first}]), "{plan:#}");
    let is_told = |arguments: &[&str]| {
        let finished = context.run(arguments).expect(0);
        let words: Vec<&str> = finished.stdout.split_whitespace().collect();
        assert!(words.join(" ").contains("lack 3 paths that Git ignores: build, one.log"), "{finished:#?}");
    };
    is_told(&[&eval_v1(&[])[..], &["--dry-run"]].concat());
    is_told(&eval_v1(&[]));
    assert_eq!(context.report()["meta"]["uncopied"], plan["uncopied"]);
    is_told(&["show", "s"]);
}

/// Runs omk as somebody whom the permissions of files bind; `None` where root can't give up its privilege.
fn as_owner(context: &TestContext, is_root: bool) -> Option<impl Fn(&[&str]) -> Finished> {
    let setpriv = if is_root { Some(tool(&["setpriv"])?) } else { None };
    Some(move |arguments: &[&str]| {
        let omk = context.command(arguments);
        let Some(setpriv) = &setpriv else { return context.run(arguments) };
        let mut command = Command::new(setpriv);
        command.arg("--bounding-set=-dac_override,-dac_read_search").arg(omk.get_program()).args(omk.get_args());
        command.env_clear().envs(omk.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(omk.get_current_dir().unwrap()).output().unwrap().into()
    })
}

#[test]
fn file_that_cannot_be_read_is_named_with_the_reason() {
    let context = in_directory(".", "ls");
    context.write("secret.txt", "text");
    fs::set_permissions(context.path("secret.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::create_dir(context.path("closed")).unwrap();
    fs::set_permissions(context.path("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything, unless it gives up the privilege.
    let is_root = fs::read(context.path("secret.txt")).is_ok();
    let Some(run) = as_owner(&context, is_root) else { return };
    for arguments in [[&eval_v1(&[])[..], &["--dry-run"]].concat(), eval_v1(&[])] {
        let finished = run(&arguments).expect(0);
        let words: Vec<&str> = finished.stdout.split_whitespace().collect();
        assert!(words.join(" ").contains("lack 2 paths that could not be read: closed, secret.txt"), "{finished:#?}");
    }
    let uncopied = json!([{"directory": ".", "why": "unreadable", "count": 2, "first": ["closed", "secret.txt"]}]);
    assert_eq!(context.report()["meta"]["uncopied"], uncopied);
    assert!(!fs::read_to_string(context.path("calls")).unwrap().contains("secret.txt"));
    fs::set_permissions(context.path("closed"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn agent_is_told_the_path_of_its_copy() {
    let context = with_claude("pwd >> \"$LOG\"");
    let stdin = context.read("bin/claude").replace("cat > /dev/null", "cat >> \"$LOG\"; echo >> \"$LOG\"");
    context.script("bin/claude", stdin.trim_start_matches("#!/bin/sh\n"));
    context.write("sub/a.txt", "text\n");
    let whole = context.path("sub").display().to_string();
    ask(&context, &format!("Read {whole}/a.txt, not {whole}-other/a.txt"), "sub");
    context.write("skills/v1.md", &format!("ANSWER plain of {whole}\n"));
    let finished = context.run(&eval_v1(&[])).expect(0);
    assert!(says(&finished, "names the working directory"), "{finished:#?}");
    let calls = context.read("calls");
    let (prompt, copy) = calls.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(prompt, format!("Read {copy}/a.txt, not {whole}-other/a.txt"));
    assert_ne!(copy, whole);
}

#[test]
fn prompt_that_says_where_an_artifact_lies_is_refused() {
    let context = in_directory("sub", "echo asked");
    context.write("sub/a.txt", "text\n");
    ask(&context, &format!("Follow {}.", context.path("skills/v1.md").display()), "sub");
    let refused = context.run(&eval_v1(&[])).expect(2);
    assert!(says(&refused, "says where an artifact lies") && says(&refused, "skills/v1.md"), "{refused:#?}");
    assert!(!context.path("calls").exists());
    // Without isolation nothing is withheld from anybody.
    context.run(&eval_v1(&["--no-strict-baseline"])).expect(0);
}

#[test]
fn agent_without_a_login_is_refused_before_anything_is_asked() {
    for (agent, variable, login) in [
        ("claude", "ANTHROPIC_API_KEY", ".claude/.credentials.json"),
        ("codex", "OPENAI_API_KEY", ".codex/auth.json"),
        ("gemini", "GEMINI_API_KEY", ".gemini/oauth_creds.json"),
    ] {
        let mut context = TestContext::with_agent();
        context.samples(2, &says_better());
        let body = "[ \"$1\" = --version ] && { echo 2.1.330; exit; }\necho asked >> \"$LOG\"; exit 1";
        context.script(&format!("bin/{agent}"), body);
        context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
        context.env("LOG", &context.path("calls").display().to_string());
        let refused = context.run(&eval_with(agent, &["--no-sandbox", "--report-only"])).expect(2);
        for text in [&format!("`{agent}` is not logged in"), variable, login, "log in"] {
            assert!(says(&refused, text), "{text}: {refused:#?}");
        }
        assert!(!context.path("calls").exists(), "{agent}");
        context.run(&eval_with(agent, &["--dry-run"])).expect(0);
        context.write(login, "{}");
        context.run(&eval_with(agent, &["--no-sandbox", "--report-only"])).expect(3);
        assert!(context.path("calls").exists(), "{agent}");
    }
}

#[test]
fn recordings_and_the_eval_file_are_withheld_wherever_they_lie() {
    let context = with_claude("find . -type f | sort | tr '\\n' ' ' >> \"$LOG\"");
    let recorded = |line: &str| format!("# {line}\n- sample_id: \"s\"\n  mocks: []\n");
    let english = recorded("Recorded by `omk mocks record`: variant v2, claude 2.1.0.");
    let chinese = recorded("由 `omk mocks record` 录制：变体 v2，claude 2.1.0。");
    context.write("notes/first.yaml", &english);
    context.write("notes/first.files/s-1.txt", "what the treatment did\n");
    context.write("second.yml", &chinese);
    context.write("mocks.files/s-1.txt", "what the treatment did\n");
    // These only look like it.
    context.write("notes/kept.yaml", "answer: 1\n# Recorded by `omk mocks record`\n");
    context.write("notes/kept.files/a.txt", "kept\n");
    context.write(".gitignore", "calls\nagent\nbin\n");
    context.write("checks.yaml", "samples: eval-samples.json\ncontrol: v1\ntreatments: [v2]\n");
    let run = ["eval", "checks.yaml", "--executor", "claude", "--report-only", "--no-sandbox"];
    context.run(&run).expect(0);
    assert_eq!(context.read("calls"), "./.gitignore ./notes/kept.files/a.txt ./notes/kept.yaml ".repeat(4));
    // A run that goes on knows it as well, and what is withheld decides no answer.
    context.write("second.yml", &english);
    context.run(&["eval", "checks.yaml", "--executor", "claude", "--report-only", "--no-sandbox"]).expect(0);
    assert_eq!(context.read("calls").matches("kept.yaml").count(), 4);
}
