//! Variants: references, working directories, fingerprints; and what the working directory's fingerprint sees.

use std::path::Path;

use eval_load as load;
use eval_spec::suite::{Delivery, VariantRef};
use eval_spec::variant::ArtifactKind;
use eval_spec::{Diagnostics, Variant};

use crate::world::{World, draw, errors};

fn read(world: &World, artifact: &str) -> Result<(Variant, String), Diagnostics> {
    let loaded = load::variant(&world.context, Path::new("skills"), &VariantRef::new(artifact))?;
    Ok((loaded.value, draw(&loaded.warnings)))
}

/// The variant, which has no warning but the one about files that only an agent with a skill gets.
fn clean(world: &World, artifact: &str) -> Variant {
    let (variant, warnings) = read(world, artifact).map_err(|e| e.to_string()).unwrap();
    let expected = match variant.artifact.files.len() {
        0 | 1 => String::new(),
        2 => format!("warning: only the text of `{}` reaches the model, not its other file\n", variant.name) + HELP,
        more => {
            let others = more - 1;
            format!("warning: only the text of `{}` reaches the model, not its {others} other files\n", variant.name)
                + HELP
        }
    };
    assert_eq!(warnings, expected);
    variant
}

const HELP: &str = "  help: `--delivery skill` gives an agent all files of a skill\n";

fn failure(world: &World, artifact: &str) -> String {
    draw(&errors(read(world, artifact)).0)
}

const SKILL: &str = "---\nname: v2\ndescription: Reviews code.\n---\n\n# Review\n";

fn skills() -> World {
    let world = World::new();
    world.write("skills/v1.md", "You review code.\n");
    world.write("skills/v2/SKILL.md", SKILL);
    world.write("skills/v2/references/owasp.md", "injection");
    world.write("skills/v2/.git/config", "not part of it");
    world.write("skills/README.md", "about the skills");
    world.write("skills/notes/todo.txt", "no skill");
    world
}

#[test]
fn a_name_is_a_file_or_a_directory() {
    let world = skills();
    let v1 = clean(&world, "v1");
    assert_eq!((v1.name.as_str(), v1.artifact.kind), ("v1", ArtifactKind::File));
    assert_eq!(v1.artifact.body.as_deref(), Some("You review code.\n"));
    assert_eq!(v1.artifact.origin.as_deref(), Some("skills/v1.md"));
    let v2 = clean(&world, "v2");
    assert_eq!((v2.name.as_str(), v2.artifact.kind), ("v2", ArtifactKind::Directory));
    assert_eq!(v2.artifact.body.as_deref(), Some("# Review\n"));
    assert_eq!(v2.artifact.front_matter.as_ref().unwrap()["description"], "Reviews code.");
    let paths: Vec<&str> = v2.artifact.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["SKILL.md", "references/owasp.md"]);
}

#[test]
fn a_path_is_a_file_or_a_directory_too() {
    let world = skills();
    world.write("prompts/plain.txt", "---\nall of this\n---\n");
    assert_eq!(clean(&world, "./prompts/plain.txt").artifact.body.as_deref(), Some("---\nall of this\n---\n"));
    for (path, name) in
        [("skills/v2", "v2"), ("skills/v2/", "v2"), ("./skills/v2/SKILL.md", "v2"), ("skills/v1.md", "v1")]
    {
        assert_eq!(clean(&world, path).name, name);
    }
    assert_eq!(clean(&world, "skills/v2/SKILL.md").artifact.hash(), clean(&world, "v2").artifact.hash());
    let absolute = world.path("skills/v1.md");
    assert_eq!(clean(&world, absolute.to_str().unwrap()).artifact.hash(), clean(&world, "v1").artifact.hash());
}

#[test]
fn the_baseline_is_nothing() {
    let world = World::new();
    let baseline = clean(&world, "baseline");
    assert_eq!((baseline.artifact.kind, baseline.artifact.body), (ArtifactKind::Baseline, None));
    world.write("skills/baseline.md", "x");
    let (_, warnings) = read(&world, "baseline").unwrap();
    assert_eq!(warnings, "warning: `skills/baseline.md` is not used: `baseline` means that nothing is injected\n");
}

#[test]
fn names_that_lead_nowhere_list_what_there_is() {
    let world = skills();
    insta::assert_snapshot!(failure(&world, "v3"), @"
    error: there is no skill `v3` in `skills`
      help: did you mean `v1`? There are `v1`, `v2`, `baseline`; a path needs a `/`
    ");
    insta::assert_snapshot!(failure(&world, "reviewer"), @"
    error: there is no skill `reviewer` in `skills`
      help: there are `v1`, `v2`, `baseline`; a path needs a `/`
    ");
    insta::assert_snapshot!(failure(&world, "notes"), @"error: there is no `SKILL.md` in `skills/notes`");
    insta::assert_snapshot!(failure(&world, ".."), @"
    error: there is no skill `..` in `skills`
      help: there are `v1`, `v2`, `baseline`; a path needs a `/`
    ");
    insta::assert_snapshot!(failure(&world, "./v1.md"), @"error: there is no file `v1.md`");
    insta::assert_snapshot!(failure(&World::new(), "v1"), @"
    error: there is no skill `v1`, because there is no directory `skills`
      help: name the directory with `--skill-dir`, or write a path with a `/`
    ");
    world.write("skills/v2.md", "twice");
    insta::assert_snapshot!(failure(&world, "v2"), @"error: both `skills/v2.md` and `skills/v2/SKILL.md` exist, remove one or use its path");
}

#[test]
fn skills_are_discovered() {
    let world = skills();
    world.write("skills/.hidden.md", "x");
    world.write("skills/baseline.md", "x");
    world.write("skills/alpha.md", "x");
    assert_eq!(load::discover(&world.context, Path::new("skills")), ["alpha", "v1", "v2"]);
    assert!(load::discover(&world.context, Path::new("nowhere")).is_empty());
}

#[test]
fn front_matter_of_a_plain_markdown_file_is_not_injected() {
    let world = World::new();
    world.write("skills/v1.md", "\u{feff}---\r\ntitle: x\r\nversion: 1.10\r\n---\r\n\r\nBody\r\n");
    let v1 = clean(&world, "v1");
    assert_eq!(v1.artifact.body.as_deref(), Some("Body\r\n"));
    assert_eq!(v1.artifact.front_matter.unwrap()["title"], "x");
}

#[test]
fn what_the_specification_wants_is_a_warning() {
    let world = World::new();
    let text = "---\nname: Code--Review\ndescription: ''\nlicence: MIT\ncompatibility: 3\n\
                metadata: { version: 1.0 }\nallowed-tools: { a: b }\n---\nBody\n";
    world.write("skills/code-review/SKILL.md", text);
    let (variant, warnings) = read(&world, "code-review").unwrap();
    assert_eq!(variant.artifact.body.as_deref(), Some("Body\n"));
    insta::assert_snapshot!(warnings);
    world.write("skills/bare/SKILL.md", "Just do it.\n");
    let (_, warnings) = read(&world, "bare").unwrap();
    insta::assert_snapshot!(warnings, @"
    warning: a SKILL.md should begin with front matter that has `name` and `description`
      SKILL.md:1:1
        | Just do it.
        | ^
      help: begin the file with a line `---`, the keys, and another line `---`
    ");
    world.write("skills/empty/SKILL.md", "---\n---\nBody\n");
    let (variant, warnings) = read(&world, "empty").unwrap();
    assert_eq!(variant.artifact.body.as_deref(), Some("Body\n"));
    assert_eq!(warnings.matches("warning: the front matter should have").count(), 2, "{warnings}");
}

#[test]
fn the_limits_of_the_specification_are_exact() {
    let world = World::new();
    let warnings = |name: &str, description: usize| {
        let text = format!("---\nname: {name}\ndescription: {}\n---\nx\n", "d".repeat(description));
        world.write(&format!("skills/{name}/SKILL.md"), text);
        read(&world, name).unwrap().1
    };
    assert_eq!(warnings(&"a".repeat(64), 1024), "");
    assert!(warnings(&"a".repeat(65), 1).contains("`name` has 65 characters, the specification wants 1 to 64"));
    assert!(warnings("ok", 1025).contains("`description` has 1025 characters, the specification wants 1 to 1024"));
}

#[test]
fn front_matter_that_is_not_yaml_is_an_error() {
    let world = World::new();
    let failure = |text: &str| {
        world.write("skills/v1/SKILL.md", text);
        failure(&world, "v1")
    };
    insta::assert_snapshot!(failure("---\nname: v1\ndescription: Use when: asked\n---\nBody\n"), @"
    error: a `:` must not stand here
      SKILL.md:3:22
        | description: Use when: asked
        |                      ^
      help: if this is part of a text, put the text in quotes; if it is a key, check its indentation
    ");
    insta::assert_snapshot!(failure("---\nname: v1\n\nBody\n"), @"
    error: the front matter that begins here has no closing `---`
      SKILL.md:1:1
        | ---
        | ^^^
      help: close it with a line `---`; if `---` is a rule in the text, put an empty line before it
    ");
    insta::assert_snapshot!(failure("---\njust a sentence\n---\nBody\n"), @"
    error: expected keys and values between the two lines `---`
      SKILL.md:2:1
        | just a sentence
        | ^^^^^^^^^^^^^^^
      help: if `---` is a rule in the text, put an empty line before it
    ");
    insta::assert_snapshot!(failure("---\nname: v1\nname: v2\n---\n"), @"
    error: key `name` is there twice
      SKILL.md:3:1
        | name: v2
        | ^^^^
      SKILL.md:2:1
        | name: v1
        | ^^^^ first here
    ");
}

#[test]
fn nothing_to_inject_is_an_error() {
    let world = World::new();
    world.write("skills/v1.md", "---\nname: v1\n---\n \n");
    insta::assert_snapshot!(failure(&world, "v1"), @"
    error: there is nothing to inject
      v1.md:5:1
        | 
        | ^
      help: write the skill's text, or use `baseline` to inject nothing
    ");
}

#[test]
fn a_skill_that_is_not_text_is_an_error() {
    let world = World::new();
    world.write("skills/v1.md", b"caf\xe9");
    assert_eq!(errors(read(&world, "v1")).to_string(), "skills/v1.md:1:4: not UTF-8 text");
}

#[cfg(unix)]
#[test]
fn links_stay_inside_the_skill() {
    use std::os::unix::fs::symlink;
    let world = skills();
    world.write("secret.txt", "secret");
    symlink("owasp.md", world.path("skills/v2/references/alias.md")).unwrap();
    let files = clean(&world, "v2").artifact.files;
    assert_eq!(files.iter().find(|f| f.path == "references/alias.md").unwrap().bytes, b"injection");
    // The skill itself may be a link.
    symlink("skills/v2", world.path("linked")).unwrap();
    assert_eq!(clean(&world, "./skills/v2").artifact.hash(), read(&world, "./linked").unwrap().0.artifact.hash());
    symlink("../../secret.txt", world.path("skills/v2/leak.txt")).unwrap();
    symlink("..", world.path("skills/v2/loop")).unwrap();
    symlink("nowhere", world.path("skills/v2/dangling")).unwrap();
    let failure = failure(&world, "v2");
    assert_eq!(failure.matches("does not lead to a file inside the skill").count(), 3, "{failure}");
}

#[test]
fn every_file_counts_for_the_hash() {
    let world = skills();
    let before = clean(&world, "v2").artifact.hash();
    assert_eq!(before.len(), 12);
    assert_eq!(clean(&world, "v2").artifact.hash(), before);
    world.write("skills/v2/references/owasp.md", "injection!");
    assert_ne!(clean(&world, "v2").artifact.hash(), before);
}

fn names(world: &World, refs: &[VariantRef]) -> Result<Vec<String>, String> {
    let loaded = load::variants(&world.context, Path::new("skills"), refs).map_err(|errors| draw(&errors.0))?;
    Ok(loaded.value.into_iter().map(|variant| variant.name).collect())
}

#[test]
fn names_are_unique() {
    let world = skills();
    world.write("old/review.md", "old");
    world.write("new/review.md", "new");
    let refs = ["old/review.md", "new/review.md", "v1"].map(VariantRef::new);
    assert_eq!(names(&world, &refs).unwrap(), ["old/review.md", "new/review.md", "v1"]);
    let twice = ["v1", "v1"].map(VariantRef::new);
    insta::assert_snapshot!(names(&world, &twice).unwrap_err(), @"
    error: two variants are named `v1`
      help: give one of them another `name`
    ");
    let named = [VariantRef::new("v1"), VariantRef { name: Some("again".to_owned()), ..VariantRef::new("v1") }];
    assert_eq!(names(&world, &named).unwrap(), ["v1", "again"]);
}

/// As many as a report may have: one more would be paid for and never read.
#[test]
fn more_variants_than_a_report_can_have_are_refused() {
    let world = skills();
    let refs = |count: usize| -> Vec<VariantRef> {
        (0..count).map(|i| VariantRef { name: Some(format!("n{i}")), ..VariantRef::new("v1") }).collect()
    };
    assert_eq!(names(&world, &refs(500)).unwrap().len(), 500);
    let told = names(&world, &refs(501)).unwrap_err();
    assert!(told.contains("there are 501 variants; a run compares at most 500"), "{told}");
}

#[test]
fn names_that_look_the_same_are_named_as_a_pair() {
    let world = skills();
    let named = |name: &str| VariantRef { name: Some(name.to_owned()), ..VariantRef::new("v1") };
    let load = |names: [&str; 2]| load::variants(&world.context, Path::new("skills"), &names.map(named));
    let warnings = draw(&load(["café", "cafe\u{301}"]).unwrap().warnings);
    assert!(warnings.contains("warning: the ids `cafe⟦U+0301⟧` and `caf⟦U+00E9⟧` differ only by"), "{warnings}");
    let errors = draw(&load(["plain", "plain "]).unwrap_err().0);
    assert!(errors.contains("error: the ids `plain⟦U+0020⟧` and `plain` differ only by"), "{errors}");
    assert!(load(["plain", "other"]).unwrap().warnings.is_empty());
}

#[test]
fn all_variants_are_checked_at_once() {
    let world = skills();
    let settings = world
        .settings("control: v7\ntreatments:\n  - { name: a, artifact: './x.md' }\n  - { name: a, artifact: v1 }\n");
    let settings = settings.unwrap().value;
    let mut refs = vec![settings.control.unwrap().unwrap()];
    refs.extend(settings.treatments.unwrap());
    insta::assert_snapshot!(names(&world, &refs).unwrap_err());
}

#[test]
fn the_working_directory_of_a_variant_exists() {
    let world = skills();
    let mut reference = VariantRef { cwd: Some("work".into()), ..VariantRef::new("v1") };
    let failed = load::variant(&world.context, Path::new("skills"), &reference).unwrap_err().to_string();
    assert_eq!(failed, "`work` is not a directory");
    std::fs::create_dir(world.path("work")).unwrap();
    let variant = load::variant(&world.context, Path::new("skills"), &reference).unwrap().value;
    assert_eq!(variant.cwd, Some(world.path("work")));
    reference.name = Some("a\nb".to_owned());
    assert!(load::variant(&world.context, Path::new("skills"), &reference).is_err());
}

fn fingerprint(world: &World) -> String {
    load::cwd_fingerprint(&world.path("work"), &[], &[]).unwrap()
}

#[test]
fn the_fingerprint_sees_what_an_agent_can_see() {
    let world = World::new();
    world.write("work/a.txt", "a");
    world.write("work/sub/b.txt", "b");
    let mut seen = vec![fingerprint(&world)];
    assert_eq!(fingerprint(&world), seen[0]);
    world.write("work/a.txt", "b");
    seen.push(fingerprint(&world));
    std::fs::rename(world.path("work/a.txt"), world.path("work/c.txt")).unwrap();
    seen.push(fingerprint(&world));
    world.write("work/.env", "hidden files count");
    seen.push(fingerprint(&world));
    std::fs::create_dir(world.path("work/empty")).unwrap();
    seen.push(fingerprint(&world));
    world.write("work/.gitignore", "ignored.txt\n");
    seen.push(fingerprint(&world));
    world.write("work/large.bin", vec![0; 2 * 1024 * 1024]);
    seen.push(fingerprint(&world));
    world.write("work/large.bin", vec![0; 2 * 1024 * 1024 + 1]);
    seen.push(fingerprint(&world));
    // What git ignores and git itself don't count.
    world.write("work/ignored.txt", "x");
    world.write("work/.git/HEAD", "x");
    assert_eq!(fingerprint(&world), *seen.last().unwrap());
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count);
    assert!(seen.iter().all(|hash| hash.len() == 64));
    assert!(load::cwd_fingerprint(&world.path("nowhere"), &[], &[]).is_err());
    assert!(load::cwd_fingerprint(&world.path("work/c.txt"), &[], &[]).is_err());
}

#[test]
fn rules_of_the_repository_around_the_tree_count_and_those_above_it_do_not() {
    let world = World::new();
    world.write("work/a.txt", "a");
    let before = fingerprint(&world);
    // No repository, no rules.
    world.write(".gitignore", "*\n");
    assert_eq!(fingerprint(&world), before);
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    assert_ne!(fingerprint(&world), before);
    world.write("work/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(fingerprint(&world), before);
}

#[test]
fn files_of_a_project_have_a_name_in_the_skill_directory_too() {
    let world = skills();
    world.write("skills/setup/CLAUDE.md", "Answer in verse.\n");
    let setup = |delivery| VariantRef { delivery, ..VariantRef::new("setup") };
    let loaded = load::variant(&world.context, Path::new("skills"), &setup(Some(Delivery::Project))).unwrap();
    let files: Vec<&str> = loaded.value.artifact.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["CLAUDE.md"]);
    assert!(load::variant(&world.context, Path::new("skills"), &setup(Some(Delivery::Skill))).is_err());
}
