//! Starting a skill's program under the host's supervisor.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_exec::BuildError;
use eval_message::{Message, msg};
use eval_process::programs::{find, in_folder};
use eval_process::{ResourceLimits, SupervisedProcess, TreeLimit, command};
use eval_spec::callable::{AdapterConfig, CallableSkill, Protocol, SkillRun};
use eval_spec::{Context, Failure};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::Instant;

use super::host::{DEFAULT_LIMITS, SkillHost};

/// A skill's program, ready to be started.
#[derive(Clone, Debug)]
pub(super) struct SkillProgram {
    /// Absolute.
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    /// The whole environment but `TMPDIR`, which [`launch`] adds; see [`environment`].
    pub(super) environment: Vec<(OsString, OsString)>,
    /// The skill's directory.
    pub(super) cwd: PathBuf,
    /// See [`limits`].
    pub(super) limits: ResourceLimits,
    /// Where it may write besides folders of its own.
    pub(super) writable: Vec<PathBuf>,
    pub(super) may_use_sockets: bool,
    /// The user's home, for a program without a sandbox.
    pub(super) users_home: Option<OsString>,
}

/// A program that runs. Dropped, it and everything that it has started is killed at once, also processes that left
/// its group; that needs no runtime.
pub(super) struct SkillProcess {
    limits: ResourceLimits,
    /// With its pipes until they are taken ([`SkillProcess::pipes`]); wait for its end with `child.wait()`.
    pub(super) supervised: SupervisedProcess,
    // The supervisor must outlive its programs.
    _host: Arc<SkillHost>,
}

/// Standard input, output and error of a program.
pub(super) type ProcessPipes = (ChildStdin, ChildStdout, ChildStderr);

/// Starts a program under the host's supervisor, with a new folder of its own, and returns once it runs.
///
/// Must be called in the runtime that will read from it.
///
/// # Errors
/// It can't be started.
pub(super) async fn launch(host: &Arc<SkillHost>, program: &SkillProgram) -> io::Result<SkillProcess> {
    let SkillProgram { program, arguments, environment, cwd, limits, writable, may_use_sockets, users_home } = program;
    let supervisor = host.supervisor()?;
    let mut environment = environment.clone();
    if !host.is_confined() {
        // Without a sandbox its home is the user's: nothing is kept from it.
        environment.extend(users_home.iter().map(|home| (OsString::from("HOME"), home.clone())));
    }
    let command = command(program, arguments, &environment, cwd);
    let supervised = supervisor.spawn(command, *limits, writable, *may_use_sockets).await?;
    Ok(SkillProcess { limits: *limits, supervised, _host: Arc::clone(host) })
}

impl SkillProgram {
    /// The program and its arguments as one text, for the identity.
    pub(super) fn line(&self) -> String {
        let words = std::iter::once(self.program.display().to_string());
        words.chain(self.arguments.iter().map(|word| format!("{word:?}"))).collect::<Vec<_>>().join(" ")
    }
}

impl SkillProcess {
    /// Why it was killed, if that was for what its whole tree may not exceed.
    pub(super) fn over_limit(&self) -> Option<(Failure, Message)> {
        let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        let message = match self.supervised.tree.exceeded_limit()? {
            TreeLimit::Processes => msg!("skills-exec-crowded", processes = most(self.limits.processes)),
            TreeLimit::ScratchSize => msg!("skills-exec-scratch-size", mib = most(self.limits.scratch_bytes) >> 20),
        };
        Some((Failure::Skill, message))
    }

    /// When it began to run.
    pub(super) fn running_since(&self) -> Instant {
        self.supervised.running_since.into()
    }

    /// Its pipes; they can be taken once. Standard error must be read, or the program may block.
    pub(super) fn pipes(&mut self) -> io::Result<ProcessPipes> {
        let child = &mut self.supervised.child;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok((stdin, stdout, stderr)),
            _ => Err(io::Error::other("the pipes of a program were taken already")),
        }
    }

    /// The record of a call: standard error, guards, and the start-up time if the program was started for it.
    pub(super) fn run(&self, stderr: String, is_new: bool) -> SkillRun {
        let run = SkillRun { stderr, ..SkillRun::default() }.started_in(is_new.then_some(self.supervised.start));
        let enforced = self.supervised.enforced.iter().map(|name| (*name).to_owned()).collect();
        SkillRun { enforced, ..run }
    }
}

/// The program of a skill: `words` (of its entrypoint, or of a command of the configuration), unless the skill's
/// `command` and `args` say otherwise. It is looked up in `PATH`, and then in the skill's directory; with a slash
/// in it, only there.
///
/// # Errors
/// There are no words, or there is no such program.
pub(super) fn program(
    words: Vec<String>,
    skill: &CallableSkill,
    context: &Context,
) -> Result<SkillProgram, BuildError> {
    let mut words = words.into_iter();
    let first = words.next();
    let name = skill.config.command.clone().or(first).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Err(BuildError::invalid(msg!("skills-exec-empty", skill = &*skill.id)));
    };
    let arguments = skill.config.args.clone().unwrap_or_else(|| words.collect());
    let own = || in_folder(&skill.directory, &name);
    let found = if name.contains(std::path::is_separator) { own() } else { find(&name, context).or_else(own) };
    let Some(program) = found else {
        let message = match name.contains(std::path::is_separator) {
            true => msg!("skills-exec-no-program-file", skill = &*skill.id, name = name),
            false => msg!("skills-exec-no-program", skill = &*skill.id, name = name),
        };
        return Err(BuildError::missing(message));
    };
    Ok(SkillProgram {
        program,
        arguments: arguments.into_iter().map(OsString::from).collect(),
        environment: environment(context, &skill.config),
        cwd: skill.directory.clone(),
        limits: limits(&skill.config),
        writable: skill.config.writable.clone(),
        may_use_sockets: skill.config.may_use_sockets,
        users_home: context.var("HOME").map(OsString::from),
    })
}

/// The program that the configuration names for skills of this one's type: it gets the skill's directory and its
/// entrypoint as its last arguments, and runs where we were started, as relative paths in its command line are meant.
///
/// # Errors
/// The configuration names none, or there is no such program.
pub(super) fn bridge(
    command: Option<&[String]>,
    skill: &CallableSkill,
    context: &Context,
) -> Result<SkillProgram, BuildError> {
    let kind = skill.adapter.name();
    let none = || BuildError::Missing {
        message: msg!("skills-exec-no-bridge", skill = &*skill.id, kind = kind),
        help: vec![msg!("skills-exec-bridge-help", kind = kind)],
    };
    let (name, arguments) = command.and_then(<[String]>::split_first).ok_or_else(none)?;
    let no_program = || BuildError::missing(msg!("skills-exec-no-bridge-program", name = name, kind = kind));
    let own = [skill.directory.clone().into_os_string(), OsString::from(&skill.entrypoint)];
    Ok(SkillProgram {
        program: find(name, context).ok_or_else(no_program)?,
        arguments: arguments.iter().map(OsString::from).chain(own).collect(),
        environment: environment(context, &skill.config),
        cwd: context.cwd.clone(),
        limits: limits(&skill.config),
        writable: skill.config.writable.clone(),
        may_use_sockets: skill.config.may_use_sockets,
        users_home: context.var("HOME").map(OsString::from),
    })
}

/// The words of a command line, split as a shell would; no shell reads it.
///
/// # Errors
/// A quote isn't closed.
pub(super) fn words(line: &str, skill: &CallableSkill) -> Result<Vec<String>, BuildError> {
    let failed = || BuildError::invalid(msg!("skills-exec-quotes", skill = &*skill.id, line = line));
    shlex::split(line).ok_or_else(failed)
}

/// The variables that every skill's program gets; `HOME` is its own in the sandbox, unless the skill names it.
pub(super) const ALWAYS: [&str; 4] = ["PATH", "HOME", "LANG", "TZ"];

/// The environment of a skill's program: `PATH`, `LANG`, `TZ` and what the skill names.
pub(super) fn environment(context: &Context, config: &AdapterConfig) -> Vec<(OsString, OsString)> {
    let always = ALWAYS.into_iter().filter(|name| *name != "HOME");
    let names = always.chain(config.env.iter().map(String::as_str));
    let mut environment: Vec<(OsString, OsString)> =
        names.filter_map(|name| Some((name.into(), context.env.get(name)?.into()))).collect();
    // What `pip install --user` has installed is found by way of the home.
    let packages = context.var("HOME").map(|home| Path::new(home).join(".local")).filter(|path| path.is_dir());
    let is_named = |wanted: &str| config.env.iter().any(|name| name == wanted);
    if let Some(packages) = packages.filter(|_| !is_named("HOME") && !is_named("PYTHONUSERBASE")) {
        environment.push(("PYTHONUSERBASE".into(), packages.into()));
    }
    environment
}

/// The limits of a skill's program: its own, else [`DEFAULT_LIMITS`].
pub(super) fn limits(config: &AdapterConfig) -> ResourceLimits {
    const PERSISTENT_CPU_SECONDS: u64 = 3600;
    let (own, default) = (&config.limits, DEFAULT_LIMITS);
    let cpu = match config.protocol {
        Protocol::JsonRpc => default.cpu_seconds,
        Protocol::JsonRpcLines => Some(PERSISTENT_CPU_SECONDS),
    };
    let bytes = |mib: u64| mib.saturating_mul(1 << 20);
    ResourceLimits {
        cpu_seconds: own.cpu_seconds.or(cpu),
        memory_bytes: own.memory_mb.or(default.memory_mb).map(bytes),
        file_bytes: own.file_size_mb.or(default.file_size_mb).map(bytes),
        processes: own.processes.or(default.processes),
        scratch_bytes: own.scratch_mb.or(default.scratch_mb).map(bytes),
    }
}
