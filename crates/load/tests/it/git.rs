//! `git:` variants against a real repository.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use eval_load as load;
use eval_load::internals::output_within;
use eval_spec::suite::VariantRef;
use eval_spec::variant::ArtifactKind;
use eval_spec::{Diagnostics, Variant};

use crate::world::{World, draw, errors};

fn git(world: &World, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(&world.context.cwd).env_clear().envs(&world.context.env);
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(world: &World) {
    git(world, &["add", "-A"]);
    git(world, &["commit", "-q", "-m", "x"]);
}

/// Two commits: `v1` changes, `v2` appears as a directory, `gone` disappears; then uncommitted edits.
fn repository() -> World {
    let world = World::new();
    git(&world, &["init", "-q"]);
    world.write("my skills/v1.md", "first\n");
    world.write("my skills/gone.md", "was here\n");
    commit(&world);
    git(&world, &["tag", "old"]);
    world.write("my skills/v1.md", "---\ntitle: x\n---\nsecond\n");
    world.write("my skills/v2/SKILL.md", "---\nname: v2\ndescription: d\n---\nbody\n");
    world.write("my skills/v2/scripts/run.sh", "#!/bin/sh\n");
    world.write("my skills/v2/data.bin", b"\0\xff\n\n");
    std::fs::remove_file(world.path("my skills/gone.md")).unwrap();
    executable(&world.path("my skills/v2/scripts/run.sh"));
    commit(&world);
    world.write("my skills/v1.md", "not committed\n");
    world
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn executable(_path: &Path) {}

fn read(world: &World, artifact: &str) -> Result<Variant, Diagnostics> {
    load::variant(&world.context, Path::new("my skills"), &VariantRef::new(artifact)).map(|loaded| loaded.value)
}

fn failure(world: &World, artifact: &str) -> String {
    draw(&errors(read(world, artifact)).0)
}

#[test]
fn history_is_read_as_it_was() {
    let world = repository();
    let body = |artifact: &str| read(&world, artifact).map_err(|e| e.to_string()).unwrap().artifact.body.unwrap();
    assert_eq!(body("v1"), "not committed\n");
    assert_eq!(body("git:v1"), "second\n");
    assert_eq!(body("git:HEAD:v1"), "second\n");
    assert_eq!(body("git:old:v1"), "first\n");
    assert_eq!(body("git:HEAD~1:gone"), "was here\n");
    assert_eq!(body("git:main@{0}:v2"), "body\n");
}

#[test]
fn a_directory_out_of_history_equals_the_one_on_disk() {
    let world = repository();
    let (old, disk) = (read(&world, "git:v2").unwrap().artifact, read(&world, "v2").unwrap().artifact);
    assert_eq!(old.kind, ArtifactKind::Directory);
    assert_eq!(old.files, disk.files);
    assert_eq!(old.hash(), disk.hash());
    assert_eq!(old.files.iter().filter(|file| file.executable).count(), 1);
    assert_eq!(old.front_matter, disk.front_matter);
}

#[test]
fn history_outlives_the_skill_directory_and_a_subdirectory_will_do() {
    let mut world = repository();
    std::fs::remove_dir_all(world.path("my skills")).unwrap();
    assert_eq!(read(&world, "git:old:v1").unwrap().artifact.body.as_deref(), Some("first\n"));
    world.write("sub/x", "x");
    world.context.cwd = world.path("sub");
    let variant = load::variant(&world.context, Path::new("../my skills"), &VariantRef::new("git:v1")).unwrap();
    assert_eq!(variant.value.artifact.body.as_deref(), Some("second\n"));
}

#[cfg(unix)]
#[test]
fn a_repository_s_programs_get_no_secrets_and_watch_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let mut world = repository();
    world.write("watch.sh", "#!/bin/sh\nenv > \"$0.ran\"\n");
    let script = world.context.cwd.join("watch.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    git(&world, &["config", "core.fsmonitor", script.to_str().unwrap()]);
    for (name, value) in [("OPENAI_API_KEY", "sk-0123456789"), ("GIT_DIR", "/nowhere"), ("GIT_ASKPASS", "/bin/evil")] {
        world.context.env.insert(name.to_owned(), value.to_owned());
    }
    let run = |arguments: &[&str]| {
        let output = load::git_command(&world.context, &world.context.cwd).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["status", "--porcelain"]).contains("watch.sh"));
    assert!(!script.with_file_name("watch.sh.ran").exists());
    let seen = run(&["-c", "alias.seen=!env", "seen"]);
    assert!(seen.contains("PATH=") && !seen.contains("sk-0123456789") && !seen.contains("evil"), "{seen}");
}

#[cfg(unix)]
#[test]
fn no_program_of_a_repository_runs_to_read_its_history_or_its_files() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    git(&world, &["init", "-q"]);
    world.write("my skills/v1.md", "first\n");
    commit(&world);
    let script = world.context.cwd.join(".git/evil.sh");
    std::fs::write(&script, "#!/bin/sh\ntouch \"$0.ran\"\ncat\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A commit with a signature, which `log.showSignature` would have checked by `gpg.program`.
    let head = std::fs::read_to_string(world.path(".git/refs/heads/main")).unwrap();
    let tree = "cat-file commit HEAD | sed 's/^committer .*/&\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP \
                SIGNATURE-----/' | git hash-object -t commit -w --stdin > .git/signed";
    let shell = Command::new("sh").args(["-c", &format!("git {tree}")]).current_dir(&world.context.cwd).status();
    assert!(shell.unwrap().success());
    let signed = std::fs::read_to_string(world.path(".git/signed")).unwrap();
    assert_ne!(signed, head);
    std::fs::write(world.path(".git/refs/heads/main"), signed).unwrap();
    world.write(".git/info/attributes", "*.md filter=a=b.c\n");
    let program = script.to_str().unwrap();
    for (key, value) in [
        ("log.showSignature", "true"),
        ("gpg.program", program),
        ("filter.a=b.c.clean", program),
        ("filter.a=b.c.process", program),
        ("filter.a=b.c.required", "true"),
    ] {
        git(&world, &["config", key, value]);
    }
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let touched = std::fs::File::options().write(true).open(world.path("my skills/v1.md")).unwrap();
    touched.set_times(std::fs::FileTimes::new().set_modified(later)).unwrap();
    let cwd = &world.context.cwd;

    let artifact = read(&world, "git:v1").unwrap().artifact;
    assert!(load::artifact_commit(&world.context, Path::new("my skills"), &artifact).is_some());
    previous(&world, "v1").unwrap_err();
    assert_eq!(load::files_changed_since(&world.context, cwd, "HEAD"), Ok(Vec::new()));
    let status = load::git_on_files(&world.context, cwd).unwrap().args(["status", "--porcelain"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "");
    assert!(!script.with_file_name("evil.sh.ran").exists());
    // They would have run.
    git(&world, &["config", "--unset", "filter.a=b.c.process"]);
    git(&world, &["update-index", "-q", "--really-refresh"]);
    assert!(script.with_file_name("evil.sh.ran").exists());
}

#[test]
#[cfg(unix)]
fn pipes_in_a_repository_are_named_instead_of_waited_for() {
    let world = repository();
    let pipe = |path: &str| {
        let _ = std::fs::remove_file(world.path(path));
        assert!(Command::new("mkfifo").arg(world.path(path)).status().unwrap().success());
    };
    pipe("order");
    git(&world, &["config", "diff.orderFile", &world.path("order").display().to_string()]);
    let changed = load::files_changed_since(&world.context, &world.context.cwd, "HEAD").unwrap();
    assert!(changed.contains(&world.path("my skills/v1.md")), "{changed:?}");
    std::fs::create_dir_all(world.path(".git/objects/aa")).unwrap();
    for path in [".git/objects/aa/odd", ".git/refs/heads/odd", ".git/info/exclude", ".git/config"] {
        pipe(path);
        let said = failure(&world, "git:v1");
        assert!(said.contains(&format!("`{path}` is no file, such as a pipe")), "{said}");
    }
}

#[test]
fn ends_of_lines_make_no_other_version() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    for text in ["one\n", "two\n"] {
        world.write("my skills/v1.md", text);
        commit(&world);
    }
    world.write("my skills/v1.md", "two\r\n");
    let first = previous(&world, "v1").unwrap();
    let artifact = read(&world, first.trim_start_matches("previous ")).unwrap().artifact;
    assert_eq!(artifact.body.as_deref(), Some("one\n"));
    let dirty = || {
        let artifact = read(&world, "v1").unwrap().artifact;
        load::artifact_commit(&world.context, Path::new("my skills"), &artifact).unwrap().dirty
    };
    assert!(!dirty());
    world.write("my skills/v1.md", "two\r\nthree\n");
    assert!(dirty());
}

#[test]
fn a_pointer_of_git_lfs_is_no_artifact() {
    let world = World::new();
    git(&world, &["init", "-q"]);
    world.write("my skills/v1.md", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    commit(&world);
    insta::assert_snapshot!(failure(&world, "git:v1"), @"error: `my skills/v1.md` is kept in Git LFS, this repository has only a pointer to it: check it out and name the file");
}

#[test]
fn a_hook_s_repository_is_not_ours() {
    let mut world = repository();
    world.context.env.insert("GIT_DIR".to_owned(), "/nowhere".to_owned());
    assert_eq!(read(&world, "git:old:v1").unwrap().artifact.body.as_deref(), Some("first\n"));
}

#[test]
fn errors_say_what_is_there() {
    let world = repository();
    insta::assert_snapshot!(failure(&world, "git:old:v2"), @"error: at `old` there is no skill `v2` in `my skills`, there are `gone`, `v1`");
    insta::assert_snapshot!(failure(&world, "git:nope:v1"), @"error: git knows no commit `nope` here; there are `main`, `old`");
    insta::assert_snapshot!(failure(&world, "git:mian:v1"), @"error: git knows no commit `mian` here; did you mean `main`? There are `main`, `old`");
    insta::assert_snapshot!(failure(&world, "git:HEAD:"), @"error: `git:HEAD:` is not `git:name`, `git:REF:name` or `git:REF:path`");
    insta::assert_snapshot!(failure(&world, "git::v1"), @"error: `` cannot be a git reference");
    insta::assert_snapshot!(failure(&world, "git:../.v1"), @"error: `git:../.v1` is not `git:name`, `git:REF:name` or `git:REF:path`");
    insta::assert_snapshot!(failure(&world, "git:my skills/v9.md"), @"error: at `HEAD` there is no skill `v9.md` in `my skills`, there are `v1`, `v2`");
    let elsewhere = load::variant(&world.context, Path::new("other"), &VariantRef::new("git:v1"));
    insta::assert_snapshot!(draw(&errors(elsewhere).0), @"error: at `HEAD` there is no skill `v1`, nor any other in `other`");
}

#[test]
fn a_path_is_read_from_history_too() {
    let world = repository();
    let body = |artifact: &str| read(&world, artifact).unwrap().artifact.body;
    assert_eq!(body("git:old:my skills/v1.md").as_deref(), Some("first\n"));
    assert_eq!(body("git:my skills/v2").as_deref(), Some("body\n"));
    assert_eq!(body("git:my skills/v2/SKILL.md").as_deref(), Some("body\n"));
    assert_eq!(read(&world, "git:my skills/v2").unwrap().artifact.files.len(), 3);
    let text = failure(&world, "git:my skills/v1.txt");
    assert!(text.contains("there is no skill `v1.txt`"), "{text}");
}

/// The control `previous` as a reference.
fn previous(world: &World, treatment: &str) -> Result<String, String> {
    let control = VariantRef::new("previous");
    load::resolved_control(&world.context, Path::new("my skills"), control, &[VariantRef::new(treatment)])
        .map(|control| format!("{} {}", control.name.unwrap_or_default(), control.artifact))
        .map_err(|errors| draw(&errors.0))
}

fn commit_id(world: &World, reference: &str) -> String {
    let mut command = Command::new("git");
    command.args(["rev-parse", "--short=12", reference]).current_dir(&world.context.cwd);
    String::from_utf8(command.env_clear().envs(&world.context.env).output().unwrap().stdout).unwrap().trim().to_owned()
}

#[test]
fn previous_is_the_latest_version_that_differs() {
    let world = repository();
    let (first, second) = (commit_id(&world, "HEAD~1"), commit_id(&world, "HEAD"));
    // The edit that isn't committed is the present version.
    assert_eq!(previous(&world, "v1").unwrap(), format!("previous git:{second}:v1"));
    assert_eq!(previous(&world, "./my skills/v1.md").unwrap(), format!("previous git:{second}:./my skills/v1.md"));
    git(&world, &["checkout", "-q", "--", "my skills/v1.md"]);
    assert_eq!(previous(&world, "v1").unwrap(), format!("previous git:{first}:v1"));
    assert_eq!(previous(&world, "git:v1").unwrap(), format!("previous git:{first}:v1"));
    // A commit elsewhere changes nothing, nor does one that removes the skill for a while.
    world.write("other.md", "x");
    commit(&world);
    std::fs::remove_file(world.path("my skills/v1.md")).unwrap();
    commit(&world);
    git(&world, &["checkout", "-q", &second, "--", "my skills/v1.md"]);
    commit(&world);
    assert_eq!(previous(&world, "v1").unwrap(), format!("previous git:{first}:v1"));
    // One other file of a directory makes another version.
    let version = commit_id(&world, "HEAD");
    world.write("my skills/v2/scripts/run.sh", "#!/bin/sh\nexit\n");
    assert_eq!(previous(&world, "my skills/v2").unwrap(), format!("previous git:{second}:my skills/v2"));
    assert_ne!(version, second);
    let earlier = previous(&world, "my skills/v2").unwrap();
    let body = read(&world, earlier.trim_start_matches("previous ")).unwrap().artifact.body;
    assert_eq!(body.as_deref(), Some("body\n"));
}

#[test]
fn previous_that_is_not_there_is_an_error_with_its_remedy() {
    let world = repository();
    world.write("my skills/new.md", "not committed\n");
    insta::assert_snapshot!(previous(&world, "new").unwrap_err(), @r"
    error: git has no earlier version of `new` to compare with
      help: commit the earlier version, or name one: `--control git:BRANCH:NAME`
    ");
    git(&world, &["checkout", "-q", "--", "."]);
    insta::assert_snapshot!(previous(&world, "v2").unwrap_err(), @r"
    error: git has no earlier version of `v2` to compare with
      help: commit the earlier version, or name one: `--control git:BRANCH:NAME`
    ");
    insta::assert_snapshot!(previous(&world, "baseline").unwrap_err(), @r"
    error: `previous` is made from one other artifact, and there are 0
      help: name one artifact to make it from, such as `--control previous --treatment NAME`
    ");
    let many = [VariantRef::new("v1"), VariantRef::new("v2")];
    let control = VariantRef::new("previous");
    let failed = load::resolved_control(&world.context, Path::new("my skills"), control, &many).unwrap_err();
    insta::assert_snapshot!(draw(&failed.0), @r"
    error: `previous` is made from one other artifact, and there are 2
      help: name one artifact to make it from, such as `--control previous --treatment NAME`
    ");
    // A clone without its history.
    let url = format!("file://{}", world.context.cwd.display());
    git(&world, &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let mut shallow = World::new();
    shallow.context.cwd = world.path("shallow");
    insta::assert_snapshot!(previous(&shallow, "v1").unwrap_err(), @r"
    error: git has no earlier version of `v1` to compare with
      help: this clone lacks the earlier commits: fetch them (`git fetch --unshallow`; in a workflow `fetch-depth: 0`)
    ");
    // A skill of that name is itself.
    world.write("my skills/previous.md", "a skill\n");
    assert_eq!(previous(&world, "v1").unwrap(), " previous");
}

#[test]
fn references_never_become_options() {
    let world = repository();
    for artifact in ["git:--output=leak:v1", "git:--all:v1", "git:-p:v1", "git:HEAD --help:v1", "git:$(touch leak):v1"]
    {
        let text = failure(&world, artifact);
        assert!(text.contains("cannot be a git reference") || text.contains("git knows no commit"), "{text}");
    }
    assert!(!world.path("leak").exists());
    // A name that looks like an option or a pattern is only a name.
    world.write("my skills/-r.md", "dash\n");
    world.write("my skills/a*.md", "star\n");
    commit(&world);
    assert_eq!(read(&world, "git:-r").unwrap().artifact.body.as_deref(), Some("dash\n"));
    assert_eq!(read(&world, "git:a*").unwrap().artifact.body.as_deref(), Some("star\n"));
    assert!(failure(&world, "git:v*").contains("there is no skill `v*`"));
}

#[test]
fn without_a_repository_the_error_says_so() {
    let world = World::new();
    world.write("my skills/v1.md", "x");
    let text = failure(&world, "git:v1");
    assert!(text.starts_with("error: `my skills` is in no git repository: not a git repository"), "{text}");
}

#[test]
fn without_git_the_error_says_so() {
    let mut world = repository();
    world.context.env.insert("PATH".to_owned(), "/nowhere".to_owned());
    assert!(failure(&world, "git:v1").starts_with("error: cannot run `git`: "), "{}", failure(&world, "git:v1"));
}

#[cfg(unix)]
#[test]
fn links_and_submodules_out_of_history() {
    use std::os::unix::fs::symlink;
    let world = repository();
    symlink("../data.bin", world.path("my skills/v2/scripts/link")).unwrap();
    commit(&world);
    let files = read(&world, "git:v2").unwrap().artifact.files;
    assert_eq!(files, read(&world, "v2").unwrap().artifact.files);
    symlink("../../v1.md", world.path("my skills/v2/scripts/out")).unwrap();
    commit(&world);
    assert!(failure(&world, "git:v2").contains("does not lead to a file inside the skill"));
    std::fs::remove_file(world.path("my skills/v2/scripts/out")).unwrap();
    let object = "0123456789012345678901234567890123456789";
    git(&world, &["update-index", "--add", "--cacheinfo", &format!("160000,{object},my skills/v2/module")]);
    git(&world, &["commit", "-q", "-m", "x"]);
    assert!(failure(&world, "git:v2").contains("is a submodule"));
}

#[test]
fn many_files_are_read_without_a_deadlock() {
    let world = repository();
    for i in 0..3000 {
        world.write(&format!("my skills/v2/f{i:04}.txt"), "x".repeat(100));
    }
    commit(&world);
    assert_eq!(read(&world, "git:v2").unwrap().artifact.files.len(), 3003);
}

fn commit_as(world: &World, subject: &str) {
    git(world, &["add", "-A"]);
    git(world, &["commit", "-q", "--allow-empty", "-m", subject]);
}

/// The subject of the last commit that touched an artifact, and whether it is another one.
fn version(world: &World, artifact: &str) -> Option<(String, bool)> {
    let read = read(world, artifact).unwrap().artifact;
    let found = load::artifact_commit(&world.context, Path::new("my skills"), &read)?;
    let head = load::git_command(&world.context, &world.context.cwd).args(["rev-parse", &found.hash]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&head.stdout).trim(), found.hash, "a whole id");
    Some((found.subject.unwrap(), found.dirty))
}

#[test]
fn an_artifact_has_the_last_commit_that_touched_it() {
    let world = World::new();
    world.write("my skills/v1.md", "first\n");
    assert_eq!(version(&world, "v1"), None, "no repository");
    git(&world, &["init", "-q"]);
    assert_eq!(version(&world, "v1"), None, "no commit");
    commit_as(&world, "Begin");
    world.write("my skills/v2/SKILL.md", "---\nname: v2\ndescription: d\n---\nbody\n");
    world.write("my skills/v2/a.md", "a\n");
    commit_as(&world, "Add v2");
    world.write("other.md", "x\n");
    commit_as(&world, "Something else");
    let of = |artifact: &str| version(&world, artifact);
    let clean = |subject: &str| Some((subject.to_owned(), false));
    assert_eq!([of("v1"), of("v2"), of("./my skills/v2")], [clean("Begin"), clean("Add v2"), clean("Add v2")]);
    assert_eq!(of("baseline"), None);
    world.write("my skills/v1.md", "second\n");
    world.write("my skills/v2/new.md", "not committed\n");
    let changed = |subject: &str| Some((subject.to_owned(), true));
    assert_eq!([of("v1"), of("v2")], [changed("Begin"), changed("Add v2")]);
    commit_as(&world, "Say more");
    assert_eq!([of("v1"), of("v2"), of("git:HEAD~1:v1")], [clean("Say more"), clean("Say more"), clean("Begin")]);
    world.write("my skills/v3.md", "never committed\n");
    assert_eq!(of("v3"), None);
}

/// Its first commit seems to have made every file.
#[test]
fn a_shallow_clone_tells_no_commit_that_it_does_not_have() {
    let mut world = World::new();
    git(&world, &["init", "-q"]);
    world.write("my skills/v1.md", "first\n");
    commit_as(&world, "Begin");
    world.write("my skills/v2.md", "second\n");
    commit_as(&world, "Something else");
    commit_as(&world, "The last");
    let url = format!("file://{}", world.context.cwd.display());
    git(&world, &["clone", "-q", "--depth", "2", &url, "shallow"]);
    world.context.cwd = world.path("shallow");
    assert_eq!(version(&world, "v1"), None);
    world.write("my skills/v1.md", "x\n");
    commit_as(&world, "Here");
    assert_eq!(version(&world, "v1"), Some(("Here".to_owned(), false)));
}

fn shell(script: &str, limit: Duration) -> Option<Output> {
    output_within(Command::new("sh").args(["-c", script]), b"asked".to_vec(), limit).unwrap()
}

#[test]
fn a_program_that_ends_in_time_is_read_whole() {
    let output = shell("cat; echo why >&2; exit 3", Duration::from_secs(60)).unwrap();
    assert_eq!((&*output.stdout, &*output.stderr, output.status.code()), (&b"asked"[..], &b"why\n"[..], Some(3)));
}

#[test]
fn a_program_without_end_is_killed_also_when_its_child_keeps_the_pipe_open() {
    assert!(shell("exec sleep 60", Duration::from_millis(50)).is_none());
    assert!(shell("sleep 5 & exit 0", Duration::from_millis(50)).is_none());
}

/// Git quotes values of its configuration, such as the address of a remote.
#[test]
fn credentials_in_addresses_that_git_quotes_are_masked() {
    let world = repository();
    let config = std::fs::read_to_string(world.path(".git/config")).unwrap();
    for key in ["bigFileThreshold", "filemode"] {
        world.write(".git/config", format!("{config}[core]\n\t{key} = https://user:sekrit@host.example/x\n"));
        let failure = failure(&world, "git:v1");
        assert!(failure.contains("@host.example/x") && !failure.contains("sekrit"), "{key}: {failure}");
    }
}
