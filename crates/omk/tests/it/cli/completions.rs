//! Shell completions and manual pages.

use std::process::Command;

use crate::cli::languages::commands;
use crate::fixtures::context::{TestContext, files};

#[test]
fn completion_scripts_complete_commands_and_flags() {
    let context = TestContext::new();
    for (shell, mark) in [("bash", "complete -F _omk"), ("zsh", "#compdef omk"), ("fish", "complete -c omk")] {
        let script = context.run(&["completions", shell]).expect(0).stdout;
        for word in [mark, "eval", "bench", "treatment", "dry-run", "max-failure-rate"] {
            assert!(script.contains(word), "{shell}: no `{word}`");
        }
    }
    let script = context.write("omk.bash", &context.run(&["completions", "bash"]).expect(0).stdout);
    let complete =
        "source omk.bash; COMP_WORDS=(omk eval --treat); COMP_CWORD=2; _omk omk --treat eval; echo \"${COMPREPLY[*]}\"";
    let bash = Command::new("bash").arg("-c").arg(complete).current_dir(script.parent().unwrap()).output().unwrap();
    let reply = String::from_utf8(bash.stdout).unwrap();
    assert!(reply.split_whitespace().any(|word| word == "--treatment"), "{reply} {:?}", String::from_utf8(bash.stderr));
}

#[test]
fn manual_pages_exist_for_every_command() {
    let mut context = TestContext::new();
    let root = context.run(&["man"]).expect(0).stdout;
    assert!(root.contains(".TH omk 1") && root.contains(".SH SYNOPSIS"), "{root}");
    context.run(&["man", "--output-dir", "man"]).expect(0);
    let names: Vec<_> =
        files(&context.path("man")).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let mut paths = Vec::new();
    commands(&context, &[], &mut paths);
    let page_of = |path: Vec<String>| ["omk".to_owned()].into_iter().chain(path).collect::<Vec<_>>().join("-") + ".1";
    let mut expected: Vec<String> = paths.into_iter().map(page_of).collect();
    expected.sort();
    assert!(expected.contains(&"omk-cache-explain.1".to_owned()), "{expected:?}");
    assert_eq!(names, expected);
    let page = std::fs::read_to_string(context.path("man/omk-eval.1")).unwrap();
    for word in ["treatment", "max\\-failure\\-rate", "Exit codes", "omk eval \\-\\-control v1"] {
        assert!(page.contains(word), "no `{word}` in\n{page}");
    }
    // A line that begins with a space starts a new line in the page instead of being filled into the paragraph.
    assert!(page.contains(".SH EXAMPLES\n") && page.contains("\n      omk eval\n"), "{page}");
    context.env("OMK_LANG", "zh");
    let page = context.run(&["man"]).expect(0).stdout;
    assert!(page.contains(".SH 概要") && !page.contains(".SH SY") && page.contains("这份知识资产"), "{page}");
}
