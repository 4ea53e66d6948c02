//! The sandbox of trusted programs that act for a model: an agent's command line, and everything that it starts.
//!
//! This program is started in the place of the other one, restricts itself, and is then replaced by it: the restrictions
//! pass on, process number, group and pipes stay the same, and so it is [contained](crate::contain()) as any other.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::confinement::{Confinement, ConfinementGuards, PrivateFolder};
use crate::guards::{FILE_METADATA, GuardUnavailable, OWN_DEVICES};
use crate::sandbox::{self, SandboxStatus};
use crate::{contained, namespace, network, private};

/// The argument that leads to it.
const ARGUMENT: &str = "__confine";

/// The argument before a folder of its own among those of others, and the beginning of their names.
const PRIVATE: &str = "--private";

/// The beginning of the arguments that close the network: a socket, and the ports that lead out.
const NETWORK: &str = "--network";

/// The argument that asks for nothing but which devices a call can't have for itself.
const DEVICES_ALONE: &str = "--devices";

/// The end of its own arguments.
const PROGRAM: &str = "--";

/// Where programs write beside their folders: what belongs to no file, and their own terminals. Semaphores and shared memory of
/// POSIX are files of `/dev/shm`: it and `/dev/pts` are written only where they are [its own](namespace::own_devices).
const DEVICES: [&str; 6] = ["/dev/full", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];

/// The exit code of a program that could not be found, as that of a shell.
const NOT_STARTED: u8 = 126;

/// See [`confinement_guards`](crate::confinement_guards).
pub(crate) fn guards(temporary: &Path, hidden: &str) -> ConfinementGuards {
    let readable = private::around(temporary, hidden);
    let status = match contained::helper() {
        Some(_) => {
            let restrict = || sandbox::restrict(&[], Some(readable), false);
            std::thread::Builder::new().spawn(restrict).map(std::thread::JoinHandle::join)
        }
        None => return ConfinementGuards::none(&GuardUnavailable::Refused("no helper".to_owned())),
    };
    match status {
        Ok(Ok(status)) => with_devices(of(&status)),
        Ok(Err(_)) | Err(_) => ConfinementGuards::none(&GuardUnavailable::Refused("thread".to_owned())),
    }
}

fn of(status: &SandboxStatus) -> ConfinementGuards {
    let mut guards = ConfinementGuards { enforced: Vec::new(), unavailable: vec![FILE_METADATA] };
    for (name, guard) in status.named() {
        match guard {
            Ok(()) => guards.enforced.push(name),
            Err(why) => guards.unavailable.push((name, why)),
        }
    }
    guards
}

/// The guards with those that only a process of one thread can try.
fn with_devices(mut guards: ConfinementGuards) -> ConfinementGuards {
    let tried = check(DEVICES_ALONE);
    let why = |guard: &str| match &tried {
        Ok(refused) => refused.lines().find_map(|line| line.strip_prefix(guard)?.strip_prefix(": ")).map(str::to_owned),
        Err(why) => Some(why.clone()),
    };
    for guard in OWN_DEVICES {
        match why(guard) {
            None => guards.enforced.push(guard),
            Some(why) => guards.unavailable.push((guard, GuardUnavailable::Refused(why))),
        }
    }
    guards
}

/// What this program prints when it is started to try something.
fn check(what: &str) -> Result<String, String> {
    let Some(helper) = contained::helper() else { return Err("no helper".to_owned()) };
    let checked = Command::new(&helper.program).args(&helper.arguments).args([ARGUMENT, what]).output();
    match checked {
        Ok(ended) if ended.status.success() => Ok(String::from_utf8_lossy(&ended.stdout).into_owned()),
        Ok(ended) => Err(String::from_utf8_lossy(&ended.stderr).trim().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The command line that runs `program` in the sandbox; `None` where this process can't start itself.
pub(crate) fn wrap(
    confinement: &Confinement<'_>,
    program: &Path,
    arguments: &[OsString],
) -> Option<(PathBuf, Vec<OsString>)> {
    let helper = contained::helper()?;
    let guards = confinement.guards.join(",");
    let mut all = helper.arguments.clone();
    all.extend([ARGUMENT.into(), guards.into()]);
    all.extend(confinement.writable.iter().map(|path| path.as_os_str().to_owned()));
    if let Some(PrivateFolder { path, hidden, secret }) = confinement.private {
        all.extend([PRIVATE.into(), path.as_os_str().to_owned(), hidden.into()]);
        all.extend(secret.iter().map(|path| path.as_os_str().to_owned()));
    }
    if let Some(network) = confinement.network {
        all.extend([NETWORK.into(), network.socket.as_os_str().to_owned()]);
        all.extend(network.ports.iter().map(|port| port.to_string().into()));
    }
    all.extend([PROGRAM.into(), program.as_os_str().to_owned()]);
    all.extend_from_slice(arguments);
    Some((helper.program.clone(), all))
}

/// Why no program can have a network namespace of its own.
pub(crate) fn network_error() -> Option<String> {
    check(NETWORK).err()
}

/// Restricts this process and replaces it by a program, if the arguments of this process, its own name first, ask for it.
pub(crate) fn hidden(arguments: &[OsString]) -> Option<ExitCode> {
    if arguments.get(1)? != ARGUMENT {
        return None;
    }
    let why = match &arguments[2..] {
        [check] if check == NETWORK => match namespace::enter() {
            Ok(()) => return Some(ExitCode::SUCCESS),
            Err(error) => error.to_string(),
        },
        [check] if check == DEVICES_ALONE => match tell_devices() {
            Ok(()) => return Some(ExitCode::SUCCESS),
            Err(error) => error.to_string(),
        },
        arguments => enter(arguments),
    };
    let _ = writeln!(std::io::stderr(), "sandbox: {why}");
    Some(ExitCode::from(NOT_STARTED))
}

fn tell_devices() -> io::Result<()> {
    let refused = namespace::own_devices(|_| false).into_iter();
    let lines = refused.filter_map(|of| Some(format!("{}: {}\n", of.guard, of.refused?)));
    io::stdout().write_all(lines.collect::<String>().as_bytes())
}

/// Returns only what went wrong.
fn enter(arguments: &[OsString]) -> String {
    let Some(end) = arguments.iter().position(|argument| argument == OsStr::new(PROGRAM)) else {
        return "no program".to_owned();
    };
    let ([guards, writable @ ..], [_, program, arguments @ ..]) = arguments.split_at(end) else {
        return "no program".to_owned();
    };
    let (writable, network) = match writable.iter().position(|argument| argument == OsStr::new(NETWORK)) {
        Some(at) => (&writable[..at], &writable[at + 1..]),
        None => (writable, &[][..]),
    };
    let (writable, private) = match writable.iter().position(|argument| argument == OsStr::new(PRIVATE)) {
        Some(at) => (&writable[..at], &writable[at + 1..]),
        None => (writable, &[][..]),
    };
    if let Some((socket, ports)) = network.split_first()
        && let Err(error) = close_network(Path::new(socket), ports)
    {
        return format!("network: {error}");
    }
    let used = [program].into_iter().chain(writable);
    let is_needed = |folder: &str| used.clone().any(|path| Path::new(path).starts_with(folder));
    // Where the system refuses it, nothing is written there at all.
    let (own, refused): (Vec<_>, Vec<_>) =
        namespace::own_devices(is_needed).into_iter().partition(|of| of.refused.is_none());
    let devices = DEVICES.into_iter().chain(own.iter().map(|of| of.folder)).map(PathBuf::from);
    let writable: Vec<PathBuf> = writable.iter().map(PathBuf::from).chain(devices).collect();
    let ConfinementGuards { enforced, .. } = of(&sandbox::restrict(&writable, readable(private), false));
    // What was reported must be true.
    let guards = guards.to_string_lossy();
    let is_missing = |guard: &&str| match OWN_DEVICES.contains(guard) {
        true => refused.iter().any(|of| of.guard == *guard),
        false => !guard.is_empty() && !enforced.contains(guard),
    };
    if let Some(missing) = guards.split(',').find(is_missing) {
        return format!("{missing} is not in force");
    }
    let error = Command::new(program).args(arguments).exec();
    format!("{}: {error}", program.display())
}

/// What may be read with a private folder; `None` without one.
fn readable(private: &[OsString]) -> Option<io::Result<Vec<PathBuf>>> {
    let [path, hidden, secret @ ..] = private else { return None };
    let secret: Vec<PathBuf> = secret.iter().map(PathBuf::from).collect();
    Some(private::readable(Path::new(path), &hidden.to_string_lossy(), &secret))
}

/// Enters a network namespace in which nothing but these ports leads anywhere.
fn close_network(socket: &Path, ports: &[OsString]) -> io::Result<()> {
    namespace::enter()?;
    let ports = ports.iter().filter_map(|port| port.to_str()?.parse().ok());
    let listeners = ports.map(network::listen).collect::<io::Result<Vec<_>>>()?;
    network::pass(socket, &listeners)
}
