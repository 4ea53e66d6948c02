//! Skills out of a repository's history, read by the user's own `git`.
//!
//! No shell is involved, nothing is checked out, and a reference can't become an option: it is passed after
//! `--end-of-options`, and all later calls use object ids.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use eval_message::{Message, msg};
use eval_spec::Context;
use eval_spec::credentials::masked_address;
use eval_spec::files::odd_git_file;
use eval_spec::variant::{Artifact, ArtifactCommit, ArtifactFile, ArtifactKind};

use super::artifact::names;
use super::decode::{closest, listed};
use super::directory;

/// How long one call of git may take. All calls read local objects, which takes milliseconds; one that takes minutes
/// waits for a dead network drive or a broken file system.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How many branches and tags are named where a reference isn't there.
const MAX_REFERENCES: usize = 10;

/// How many commits that changed a skill are looked at.
const MAX_CHANGES: usize = 1000;

/// Characters of a commit's subject that are kept.
const LONGEST_SUBJECT: usize = 200;

/// How a file begins that stands for one which Git LFS keeps elsewhere.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// A skill as it was at a commit.
pub(super) struct SkillAtCommit {
    pub(super) kind: ArtifactKind,
    pub(super) files: Vec<ArtifactFile>,
}

/// A skill in a repository's history.
pub(super) struct GitReference<'r> {
    /// A commit, branch or tag.
    pub(super) revision: &'r str,
    /// What stands after the revision, as written.
    pub(super) written: &'r str,
    /// The directory that it lies in.
    directory: PathBuf,
    /// Its name there; of a path the whole name of the file or folder.
    pub(super) name: String,
    is_path: bool,
}

impl<'r> GitReference<'r> {
    /// `name` or `REF:name` in `skill_dir`, `REF:path` (it has a `/`) against the working directory; the latest commit
    /// without a `REF`. `None` for what is no such reference.
    pub(super) fn parse(context: &Context, skill_dir: &Path, written: &'r str) -> Option<GitReference<'r>> {
        let (revision, written) = written.rsplit_once(':').unwrap_or(("HEAD", written));
        let reference = GitReference::new(context, skill_dir, revision, written);
        let name = &reference.name;
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '\0']);
        (plain && !revision.contains('\0')).then_some(reference)
    }

    /// What `written` is as a reference to files, as of `revision`.
    pub(super) fn new(context: &Context, skill_dir: &Path, revision: &'r str, written: &'r str) -> GitReference<'r> {
        let is_path = written.contains('/');
        let (directory, name) = match is_path {
            true => {
                let path = context.absolute(Path::new(written.trim_end_matches('/').trim_end_matches("/SKILL.md")));
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                (path.parent().unwrap_or(&path).to_owned(), name)
            }
            false => (skill_dir.to_owned(), written.to_owned()),
        };
        GitReference { revision, written, directory, name, is_path }
    }

    /// The file that it would be.
    fn file(&self) -> String {
        if self.is_path { self.name.clone() } else { format!("{}.md", self.name) }
    }
}

/// Reads a skill as it was.
pub(super) fn read(context: &Context, reference: &GitReference) -> Result<SkillAtCommit, Message> {
    let GitReference { revision, name, .. } = reference;
    if revision.is_empty() || revision.starts_with('-') {
        return Err(msg!("load-git-reference", reference = *revision));
    }
    let repository = Repository::open(context, &reference.directory)?;
    let commit = repository.commit(revision).map_err(|error| repository.swapped(reference).unwrap_or(error))?;
    let (file, folder) = (repository.path(&reference.file()), repository.path(name));
    let entries = repository.list(&commit, &[&file, &format!("{folder}/")])?;
    let entries = entries.into_iter().collect::<Result<Vec<_>, _>>()?;
    let has = |path: &str| entries.iter().any(|entry| entry.path == path);
    let is_folder = has(&format!("{folder}/SKILL.md"));
    match (has(&file), is_folder) {
        (true, true) => Err(msg!("load-skill-both", file = file, folder = format!("{folder}/SKILL.md"))),
        (true, false) => {
            let entries = entries.into_iter().filter(|entry| entry.path == file).collect();
            let files = repository.files(entries, &repository.prefix)?;
            Ok(SkillAtCommit { kind: ArtifactKind::File, files })
        }
        (false, true) => {
            let inside = format!("{folder}/");
            let entries = entries.into_iter().filter(|entry| entry.path.starts_with(&inside)).collect();
            Ok(SkillAtCommit { kind: ArtifactKind::Directory, files: repository.files(entries, &inside)? })
        }
        (false, false) => Err(repository.not_there(&commit, revision, name)),
    }
}

/// The commits up to `reference` that changed its files, the latest first; of a merge only that it merged.
pub(super) fn changes(context: &Context, reference: &GitReference) -> Result<Changes, Message> {
    let repository = Repository::open(context, &reference.directory)?;
    let commit = repository.commit(reference.revision)?;
    let (file, folder) = (repository.top(&reference.file()), repository.top(&reference.name));
    let count = format!("--max-count={MAX_CHANGES}");
    let log = ["log", "--first-parent", "--format=%H", &count, &commit, "--", &file, &folder];
    let commits = repository.run(&log)?.map_err(failed)?;
    Ok(Changes {
        commits: String::from_utf8_lossy(&commits).lines().map(str::to_owned).collect(),
        is_shallow: repository.is_shallow()?,
    })
}

/// The last commit that touched the artifact; `None` outside of a repository, before its first commit, and where a shallow clone
/// lacks that commit. Names of artifacts are looked for in `skill_dir`.
#[must_use]
pub fn artifact_commit(context: &Context, skill_dir: &Path, artifact: &Artifact) -> Option<ArtifactCommit> {
    let skill_dir = context.absolute(skill_dir);
    let path = artifact.path.as_ref().map(|path| path.to_str().map(str::to_owned));
    let reference = match &path {
        Some(path) => GitReference::new(context, &skill_dir, "HEAD", path.as_deref()?),
        None => GitReference::parse(context, &skill_dir, artifact.reference.strip_prefix("git:")?)?,
    };
    let repository = Repository::open(context, &reference.directory).ok()?;
    let commit = repository.commit(reference.revision).ok()?;
    let (file, folder) = (repository.top(&reference.file()), repository.top(&reference.name));
    let form = ["--no-show-signature", "--encoding=UTF-8", "--format=%H%x00%P%x00%s"];
    let log = [&["log", "--max-count=1"][..], &form, &[&commit, "--", &file, &folder]].concat();
    let found = repository.run(&log).ok()?.ok()?;
    let found = String::from_utf8_lossy(&found);
    let [hash, parents, subject] = found.trim_end_matches('\n').splitn(3, '\0').collect::<Vec<_>>().try_into().ok()?;
    // The first commit of a shallow clone seems to have made every file.
    if parents.is_empty() && repository.is_shallow().ok()? {
        return None;
    }
    let there = || read(context, &reference).map(|found| found.files).unwrap_or_default();
    Some(ArtifactCommit {
        hash: hash.to_owned(),
        subject: Some(subject.chars().take(LONGEST_SUBJECT).collect()),
        dirty: path.is_some() && !same_files(&there(), &artifact.files),
    })
}

/// Whether two versions are the same but for the ends of lines, which git may write into the work tree in the system's way.
pub(super) fn same_files(one: &[ArtifactFile], other: &[ArtifactFile]) -> bool {
    let same = |(one, other): (&ArtifactFile, &ArtifactFile)| {
        one.path == other.path
            && one.executable == other.executable
            && (one.bytes == other.bytes || with_unix_ends(&one.bytes) == with_unix_ends(&other.bytes))
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// What git stores of a text; a binary file is left as it is.
fn with_unix_ends(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.contains(&0) || !bytes.contains(&b'\r') {
        return Cow::Borrowed(bytes);
    }
    let is_kept = |at: &usize| bytes[*at] != b'\r' || bytes.get(at + 1) != Some(&b'\n');
    Cow::Owned((0..bytes.len()).filter(is_kept).map(|at| bytes[at]).collect())
}

/// The files that differ from `reference`, of the whole repository around `directory`: changed, new or gone since that commit,
/// committed or not. Absolute paths; what git ignores is left out.
///
/// # Errors
/// There is no repository or no such commit, or git fails.
pub fn files_changed_since(context: &Context, directory: &Path, reference: &str) -> Result<Vec<PathBuf>, Message> {
    if reference.is_empty() || reference.starts_with('-') {
        return Err(msg!("load-git-reference", reference = reference));
    }
    let repository = Repository::open(context, directory)?;
    let commit = repository.commit(reference)?;
    let top = repository.run(&["rev-parse", "--show-toplevel"])?.map_err(failed)?;
    let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches(['\n', '\r']));
    // What is changed in a submodule isn't looked for: it has a configuration of its own.
    let submodules = "--ignore-submodules=dirty";
    let tracked = ["diff", "--name-only", "--no-renames", "--no-ext-diff", submodules, "-z", &commit, "--"];
    let new = ["ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/"];
    let mut files = Vec::new();
    let by_filters = git_on_files(context, &repository.inside).map_err(|error| failed(error.to_string()))?;
    for listed in [repository.output(by_filters, &tracked, Vec::new())?, repository.run(&new)?] {
        let listed = listed.map_err(failed)?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        files.extend(names.map(|name| top.join(String::from_utf8_lossy(name).as_ref())));
    }
    Ok(files)
}

/// The commits that changed a skill.
pub(super) struct Changes {
    pub(super) commits: Vec<String>,
    /// Whether the repository lacks its earlier commits.
    pub(super) is_shallow: bool,
}

/// The user's own `git`, to read the repository that `directory` is in.
///
/// The repository may be untrusted, and its configuration names programs: git gets no secrets in its environment, starts
/// no file monitor, runs no hooks, checks no signatures, reads no order of files and fetches nothing. Variables that point at another repository, as
/// inside a hook, are not passed on either. For what reads the files of the work tree, see [`git_on_files`].
pub fn git_command(context: &Context, directory: &Path) -> Command {
    let mut command = Command::new("git");
    let off =
        ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "diff.orderFile=/dev/null"];
    command.args(off.iter().flat_map(|setting| ["-c", *setting])).current_dir(directory);
    command.env_clear().envs(plain_environment(context));
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    command.env("GIT_NO_LAZY_FETCH", "1");
    command
}

/// [`git_command`] for what compares files of the work tree with the repository: git passes them through the filters that
/// the configuration names, which are programs. Those that the repository brings along are off; the user's own are not.
///
/// # Errors
/// Git can't say which filters there are.
pub fn git_on_files(context: &Context, directory: &Path) -> std::io::Result<Command> {
    let mut list = git_command(context, directory);
    list.args(["config", "--show-scope", "--null", "--name-only", "--get-regexp", "^filter\\."]);
    let listed = output_within(&mut list, Vec::new(), TIME_LIMIT)?.ok_or(std::io::ErrorKind::TimedOut)?;
    // 1: there is none.
    if !listed.status.success() && listed.status.code() != Some(1) {
        return Err(std::io::Error::other(masked_address(String::from_utf8_lossy(&listed.stderr).trim())));
    }
    let mut fields = listed.stdout.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut command = git_command(context, directory);
    let mut count = 0;
    while let (Some(scope), Some(key)) = (fields.next(), fields.next()) {
        let Some((filter, _)) = key.rsplit_once('.').filter(|_| !matches!(&*scope, "system" | "global")) else {
            continue;
        };
        for (name, value) in [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")] {
            // Not as `-c name=value`: a filter's name may have a `=` in it.
            command.env(format!("GIT_CONFIG_KEY_{count}"), format!("{filter}.{name}"));
            command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
    }
    command.env("GIT_CONFIG_COUNT", count.to_string());
    Ok(command)
}

/// The environment variables for finding programs, folders and git's configuration; no others, since they may be secrets.
pub fn plain_environment(context: &Context) -> impl Iterator<Item = (&str, &str)> {
    const KEPT: &[&str] = &[
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "TMPDIR",
        "TEMP",
        "TMP",
        "XDG_CONFIG_HOME",
        "SystemRoot",
        "SYSTEMROOT",
        "USERPROFILE",
        "APPDATA",
        "ProgramData",
        "PATHEXT",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    ];
    let kept = |(name, _): &(&str, &str)| KEPT.contains(name);
    context.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).filter(kept)
}

struct Repository<'a> {
    context: &'a Context,
    /// An existing directory inside the work tree.
    inside: PathBuf,
    /// The skill directory relative to the repository's root: empty, or with a `/` at the end.
    prefix: String,
}

struct TreeEntry {
    mode: String,
    object: String,
    size: u64,
    path: String,
}

impl<'a> Repository<'a> {
    fn open(context: &'a Context, skill_dir: &Path) -> Result<Repository<'a>, Message> {
        // The skill directory may be gone from the work tree: history is the point.
        let inside = skill_dir.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("/")).to_owned();
        let gone = skill_dir.strip_prefix(&inside).unwrap_or(Path::new(""));
        if let Some(odd) = odd_git_file(&inside) {
            return Err(msg!("load-git-odd-file", path = context.display(&odd)));
        }
        let mut repository = Repository { context, inside, prefix: String::new() };
        let missing =
            |detail: String| msg!("load-git-no-repository", path = context.display(skill_dir), detail = detail);
        let output = repository.run(&["rev-parse", "--show-prefix"])?.map_err(missing)?;
        repository.prefix = String::from_utf8_lossy(&output).trim_end_matches(['\n', '\r']).to_owned();
        for part in gone.components() {
            repository.prefix.push_str(&part.as_os_str().to_string_lossy());
            repository.prefix.push('/');
        }
        Ok(repository)
    }

    fn path(&self, relative: &str) -> String {
        format!("{}{relative}", self.prefix)
    }

    /// The same as a literal path for git.
    fn top(&self, relative: &str) -> String {
        format!(":(top,literal){}", self.path(relative))
    }

    /// Whether it lacks its earlier commits.
    fn is_shallow(&self) -> Result<bool, Message> {
        let said = self.run(&["rev-parse", "--is-shallow-repository"])?.map_err(failed)?;
        Ok(said.starts_with(b"true"))
    }

    fn commit(&self, reference: &str) -> Result<String, Message> {
        let wanted = format!("{reference}^{{commit}}");
        let output = self
            .run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])?
            .map_err(|_| self.no_commit(reference))?;
        let commit = String::from_utf8_lossy(&output).trim().to_owned();
        match !commit.is_empty() && commit.bytes().all(|b| b.is_ascii_hexdigit()) {
            true => Ok(commit),
            false => Err(self.no_commit(reference)),
        }
    }

    /// The error for `git:name:REF`, where the commit comes last.
    fn swapped(&self, GitReference { revision, written, .. }: &GitReference) -> Option<Message> {
        let is_commit = !written.starts_with('-') && self.commit(written).is_ok();
        is_commit.then(|| msg!("load-git-order", revision = *written, name = *revision))
    }

    /// The error for a reference that isn't there, with the branches and tags that are: the latest first.
    fn no_commit(&self, reference: &str) -> Message {
        let wanted = ["for-each-ref", "--sort=-creatordate", "--count=1000", "--format=%(refname:short)"];
        let output = self.run(&[&wanted[..], &["refs/heads", "refs/tags", "refs/remotes"]].concat());
        let output = output.ok().and_then(Result::ok).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let names: Vec<&str> = output.lines().filter(|name| !name.is_empty()).collect();
        let listed = listed(&names[..names.len().min(MAX_REFERENCES)]);
        match (closest(reference, &names), names.is_empty()) {
            (Some(near), _) => {
                msg!("load-git-no-commit-meant", reference = reference, suggestion = near, names = listed)
            }
            (None, false) => msg!("load-git-no-commit-there", reference = reference, names = listed),
            (None, true) => msg!("load-git-no-commit", reference = reference),
        }
    }

    /// The files below `paths` at a commit; an error for each whose name is no text.
    fn list(&self, commit: &str, paths: &[&str]) -> Result<Vec<Result<TreeEntry, Message>>, Message> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", commit];
        arguments.extend(paths.iter().filter(|path| !path.is_empty()));
        let output = self.run(&arguments)?.map_err(failed)?;
        Ok(output.split(|b| *b == 0).filter(|line| !line.is_empty()).map(entry).collect())
    }

    fn files(&self, entries: Vec<TreeEntry>, root: &str) -> Result<Vec<ArtifactFile>, Message> {
        let total: u64 = entries.iter().map(|entry| entry.size).sum();
        let largest = entries.iter().map(|entry| entry.size).max().unwrap_or(0);
        if entries.len() > directory::MAX_FILES
            || total > directory::MAX_TOTAL_BYTES
            || largest > directory::MAX_FILE_BYTES
        {
            return Err(directory::too_large(root));
        }
        if let Some(submodule) = entries.iter().find(|entry| entry.mode == "160000") {
            return Err(msg!("load-git-submodule", path = submodule.path.as_str()));
        }
        let contents = self.contents(&entries)?;
        if let Some(stub) = contents.iter().position(|content| content.starts_with(LFS_POINTER)) {
            return Err(msg!("load-git-lfs", path = entries[stub].path.as_str()));
        }
        let mut files = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let target = if entry.mode == "120000" { linked(index, &entries, &contents, root)? } else { index };
            files.push(ArtifactFile {
                path: entry.path.strip_prefix(root).unwrap_or(&entry.path).to_owned(),
                bytes: contents[target].clone(),
                executable: entries[target].mode == "100755",
            });
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The contents of `entries`, in their order.
    fn contents(&self, entries: &[TreeEntry]) -> Result<Vec<Vec<u8>>, Message> {
        let wanted: String = entries.iter().map(|entry| format!("{}\n", entry.object)).collect();
        let output = self.run_with_input(&["cat-file", "--batch"], wanted.into_bytes())?.map_err(failed)?;
        let mut rest = output.as_slice();
        let mut contents = Vec::with_capacity(entries.len());
        for _ in entries {
            let (content, after) = batch_object(rest).ok_or_else(|| failed("cat-file".to_owned()))?;
            contents.push(content.to_vec());
            rest = after;
        }
        Ok(contents)
    }

    /// The error for a name that isn't there, with the names that are.
    fn not_there(&self, commit: &str, reference: &str, name: &str) -> Message {
        let entries: Vec<_> = self.list(commit, &[&self.prefix]).into_iter().flatten().flatten().collect();
        let names = names(entries.iter().filter_map(|entry| entry.path.strip_prefix(&self.prefix)));
        let directory = if self.prefix.is_empty() { "." } else { self.prefix.trim_end_matches('/') };
        match names.is_empty() {
            true => msg!("load-git-nothing-there", reference = reference, directory = directory, name = name),
            false => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let listed = listed(&names);
                msg!("load-git-not-there", reference = reference, directory = directory, name = name, names = listed)
            }
        }
    }

    fn run(&self, arguments: &[&str]) -> Result<Result<Vec<u8>, String>, Message> {
        self.run_with_input(arguments, Vec::new())
    }

    fn run_with_input(&self, arguments: &[&str], input: Vec<u8>) -> Result<Result<Vec<u8>, String>, Message> {
        self.output(git_command(self.context, &self.inside), arguments, input)
    }

    /// Standard output, or git's error message; the outer error is that git can't be run or doesn't end.
    fn output(
        &self,
        mut command: Command,
        arguments: &[&str],
        input: Vec<u8>,
    ) -> Result<Result<Vec<u8>, String>, Message> {
        let output = output_within(command.args(arguments), input, TIME_LIMIT)
            .map_err(|error| msg!("load-git-cannot-run", detail = error.to_string()))?;
        let Some(output) = output else {
            let path = self.context.display(&self.inside);
            return Err(msg!("load-git-timeout", path = path, seconds = TIME_LIMIT.as_secs()));
        };
        match output.status.success() {
            true => Ok(Ok(output.stdout)),
            false => {
                let complaint = String::from_utf8_lossy(&output.stderr);
                // A remote's address may have a password in it.
                Ok(Err(masked_address(complaint.lines().next().unwrap_or("").trim_start_matches("fatal: "))))
            }
        }
    }
}

/// Runs `command` with `input` on standard input. `None` when its output has not ended within `limit`: then it is
/// killed.
pub fn output_within(command: &mut Command, input: Vec<u8>, limit: Duration) -> std::io::Result<Option<Output>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // git writes answers before it has read the whole input, so both happen at once.
    let stdin = child.stdin.take();
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let threads = || {
        thread::Builder::new().spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)))?;
        Ok((read_all(output)?, read_all(errors)?))
    };
    let (stdout, stderr) = match threads() {
        Ok(pipes) => pipes,
        Err(error) => {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
    };
    let started = Instant::now();
    let wait = |pipe: Receiver<_>| pipe.recv_timeout(limit.saturating_sub(started.elapsed()));
    match (wait(stdout), wait(stderr)) {
        (Ok(stdout), Ok(stderr)) => Ok(Some(Output { status: child.wait()?, stdout: stdout?, stderr: stderr? })),
        _ => {
            child.kill()?;
            child.wait()?;
            Ok(None)
        }
    }
}

/// Reads a pipe to its end on another thread. After a timeout the thread is abandoned: a child of the program may keep
/// the pipe open.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> std::io::Result<Receiver<std::io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        let _ = sender.send(read.map(|_| bytes));
    })?;
    Ok(receiver)
}

fn failed(detail: String) -> Message {
    msg!("load-git-failed", detail = detail)
}

/// One line of `ls-tree -l`: `mode type object size TAB path`.
fn entry(line: &[u8]) -> Result<TreeEntry, Message> {
    let line = std::str::from_utf8(line)
        .map_err(|_| msg!("load-name-not-utf8", path = String::from_utf8_lossy(line).into_owned()))?;
    let parsed = line.split_once('\t').and_then(|(head, path)| {
        let mut parts = head.split_ascii_whitespace();
        let (mode, _, object, size) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let size = size.parse().unwrap_or(0);
        Some(TreeEntry { mode: mode.to_owned(), object: object.to_owned(), size, path: path.to_owned() })
    });
    parsed.ok_or_else(|| failed("ls-tree".to_owned()))
}

/// One answer of `cat-file --batch`, and what follows it.
fn batch_object(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let newline = bytes.iter().position(|b| *b == b'\n')?;
    let head = std::str::from_utf8(&bytes[..newline]).ok()?;
    let size: usize = head.split(' ').nth(2)?.parse().ok()?;
    let start = newline + 1;
    let content = bytes.get(start..start.checked_add(size)?)?;
    Some((content, bytes.get(start + size + 1..)?))
}

/// The entry that a link points at: a file inside the skill, or the link is refused.
fn linked(index: usize, entries: &[TreeEntry], contents: &[Vec<u8>], root: &str) -> Result<usize, Message> {
    let link = &entries[index];
    let target = std::str::from_utf8(&contents[index]).ok().and_then(|target| resolve(&link.path, target));
    target
        .filter(|path| path.starts_with(root))
        .and_then(|path| entries.iter().position(|entry| entry.path == path && entry.mode != "120000"))
        .ok_or_else(|| msg!("load-skill-link", path = link.path.as_str()))
}

/// The path a relative link at `from` points at; `None` when it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
