//! References to artifacts, their front matter and their hashes.

use std::fs;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{SKILL, echoing, git, injected, run};
use crate::fixtures::context::TestContext;

fn short_sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// An [`echoing`] project with skills of every kind, old ones in the history of a repository.
fn with_skills() -> TestContext {
    let context = echoing();
    context.write("skills/one.md", "ONE as it was\n");
    context.write("skills/gone/SKILL.md", "---\nname: gone\ndescription: Was here.\n---\nGONE body\n");
    git(&context, &["init", "-q", "-b", "main"]);
    git(&context, &["add", "skills"]);
    git(&context, &["commit", "-q", "-m", "first"]);
    git(&context, &["tag", "first"]);
    context.write("skills/one.md", "ONE as committed\n");
    context.write("skills/two/SKILL.md", SKILL);
    context.write("skills/two/more/table.csv", "a,b\n");
    fs::remove_dir_all(context.path("skills/gone")).unwrap();
    git(&context, &["add", "-A", "skills"]);
    git(&context, &["commit", "-q", "-m", "second"]);
    context.write("skills/one.md", "ONE\n");
    context.write("docs/three.md", "---\ntitle: x\n---\nTHREE\n");
    context.write("docs/four/SKILL.md", "---\nname: four\ndescription: d\n---\nFOUR\n");
    context.write("docs/five.txt", "FIVE\n");
    context
}

#[test]
fn name_cannot_refer_to_a_file_outside_the_skill_directory() {
    use std::os::unix::fs::symlink;
    let context = echoing();
    context.write("skills/one.md", "ONE\n");
    context.write("elsewhere/secret.md", "SECRET\n");
    symlink(context.path("elsewhere/secret.md"), context.path("skills/out.md")).unwrap();
    symlink("one.md", context.path("skills/in.md")).unwrap();
    let refused = run(&context, &["--variants", "one,out"]).expect(2);
    assert!(refused.stderr.contains("the link `skills/out.md` leads out of the skill directory"), "{refused:?}");
    // A link within the directory is resolved; an explicit path is not restricted.
    run(&context, &["--variants", "one,in,./skills/out.md"]).expect(0);
    let injected = injected(&context);
    assert_eq!((injected["in"].as_str(), injected["out"].as_str()), ("ONE", "SECRET"));
    // The skill directory itself may be a link.
    symlink("skills", context.path("linked")).unwrap();
    run(&context, &["--skill-dir", "linked", "--variants", "one,in"]).expect(0);
}

#[test]
fn every_kind_of_reference_is_resolved() {
    let context = with_skills();
    let references =
        "baseline,one,two,docs/three.md,docs/four,./docs/five.txt,git:one,git:first:one,git:HEAD~1:gone,git:main:two";
    run(&context, &["--variants", references]).expect(0);
    let expected = [
        ("baseline", ""),
        ("one", "ONE"),
        ("two", "TWO body"),
        ("three", "---\ntitle: x\n---\nTHREE"),
        ("four", "FOUR"),
        ("five", "FIVE"),
        ("git:one", "ONE as committed"),
        ("git:first:one", "ONE as it was"),
        ("git:HEAD~1:gone", "GONE body"),
        ("git:main:two", "TWO body"),
    ];
    let found = injected(&context);
    for (name, text) in expected {
        // Front matter of a plain Markdown file may or may not be part of the text.
        let system = found.get(name).unwrap_or_else(|| panic!("no `{name}` in {found:?}"));
        assert!(system == text || (name == "three" && system == "THREE"), "{name}: {system:?}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn skill_directory_is_configurable() {
    let context = echoing();
    context.write("mine/x.md", "X\n");
    run(&context, &["--variants", "baseline,x", "--skill-dir", "mine"]).expect(0);
    assert_eq!(injected(&context)["x"], "X");
}

#[test]
fn unknown_reference_is_an_error_that_lists_what_exists() {
    let context = with_skills();
    context.write("skills/empty/README.md", "no skill\n");
    context.write("skills/twice.md", "x\n");
    context.write("skills/twice/SKILL.md", SKILL);
    for (reference, expected) in [
        ("onee", &["no skill `onee` in `skills`", "did you mean `one`?", "`two`", "`baseline`"][..]),
        ("zzz", &["there are `one`, `twice`, `two`, `baseline`"]),
        ("empty", &["no `SKILL.md` in `skills/empty`"]),
        ("twice", &["both `skills/twice.md` and `skills/twice/SKILL.md`"]),
        ("docs/none.md", &["there is no file `docs/none.md`"]),
        ("git:three", &["at `HEAD` there is no skill `three`", "`one`, `two`"]),
        ("git:first:two", &["at `first` there is no skill `two`", "`gone`, `one`"]),
        ("git:nowhere:one", &["no commit `nowhere`"]),
        ("git:one:first", &["the commit comes first: write `git:first:one`"]),
        ("git:one:HEAD~1", &["write `git:HEAD~1:one`"]),
        ("git:--help:one", &["`--help` cannot be a git reference"]),
        ("git:HEAD:../one", &["is in no git repository"]),
        ("../one", &["there is no file `../one`"]),
    ] {
        let wrong = run(&context, &["--control", "baseline", "--treatment", reference]).expect(2);
        for part in expected {
            assert!(wrong.stderr.contains(part), "{reference}: no `{part}` in\n{}", wrong.stderr);
        }
    }
    let bare = echoing();
    bare.write("skills/one.md", "ONE\n");
    let wrong = run(&bare, &["--variants", "baseline,git:one"]).expect(2);
    assert!(wrong.stderr.contains("`skills` is in no git repository"), "{wrong:?}");
    let twice = run(&context, &["--variants", "one,one"]).expect(2);
    assert!(twice.stderr.contains("two variants are named `one`"), "{twice:?}");
}

#[test]
fn invalid_front_matter_is_only_a_warning() {
    let context = echoing();
    let long = "x".repeat(1025);
    context.write("skills/s/SKILL.md", &format!("---\nname: Bad_Name\ndescription: {long}\nversion: 1\n---\nBODY\n"));
    context.write("skills/t/SKILL.md", "no front matter\n");
    let ran = run(&context, &["--variants", "s,t"]).expect(0);
    for part in [
        "[skills/s/SKILL.md:2:7]",
        "the name `Bad_Name` should have only",
        "[skills/s/SKILL.md:3:14]",
        "`description` has 1,025 characters",
        "[skills/s/SKILL.md:4:1]",
        "[skills/t/SKILL.md:1:1]",
    ] {
        assert!(ran.stderr.replace("1025", "1,025").contains(part), "no `{part}` in\n{}", ran.stderr);
    }
    assert_eq!(injected(&context)["s"], "BODY");
    assert_eq!(injected(&context)["t"], "no front matter");
}

#[test]
fn skill_hashes_match_an_independent_computation() {
    let context = with_skills();
    context.write("skills/two/.dot", "");
    let hashes = |variants: &str| {
        run(&context, &["--variants", variants]).expect(0);
        context.report()["meta"]["skillHashes"].clone()
    };
    let skill = SKILL.len();
    let directory = format!(".dot\0{}\0SKILL.md\0{skill}\0{SKILL}more/table.csv\0{}\0a,b\n", 0, 4);
    let committed = format!("SKILL.md\0{skill}\0{SKILL}more/table.csv\0{}\0a,b\n", 4);
    assert_eq!(
        hashes("baseline,one,two,git:one,git:two"),
        json!({
            "baseline": short_sha256(b""),
            "one": short_sha256(b"ONE\n"),
            "two": short_sha256(directory.as_bytes()),
            "git:one": short_sha256(b"ONE as committed\n"),
            "git:two": short_sha256(committed.as_bytes()),
        })
    );
    // The full content counts: front matter, and every file.
    let before = hashes("two");
    context.write("skills/two/more/table.csv", "a,c\n");
    assert_ne!(hashes("two"), before);
    context.write("skills/two/more/table.csv", "a,b\n");
    assert_eq!(hashes("two"), before);
    context.write("skills/two/SKILL.md", &SKILL.replace("second", "last"));
    assert_ne!(hashes("two"), before);
}
