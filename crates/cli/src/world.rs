//! Reads environment, working directory, clock, terminals and language, once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use eval_message::{Lang, msg};
use eval_spec::Context;
use eval_spec::context::Clock;

use crate::terminal::Terminal;

/// Makes the context of this process. The language must be known before the arguments are parsed, since help and errors
/// are translated too.
pub fn context(arguments: &[OsString], home: &Home) -> Context {
    let mut env: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    if cfg!(windows) {
        env = windows_names(env);
    }
    let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    Context {
        home: directory(home, &env, &cwd),
        lang: language(arguments, &env),
        cwd,
        stdout_is_terminal: std::io::stdout().is_terminal(),
        stderr_is_terminal: std::io::stderr().is_terminal(),
        outputs: outputs(),
        clock: clock(&env),
        in_inputs: BTreeSet::new(),
        env,
    }
}

/// Renames the variables of Windows, where case makes no difference and some have other names.
fn windows_names(env: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut env: BTreeMap<String, String> =
        env.into_iter().map(|(name, value)| (name.to_ascii_uppercase(), value)).collect();
    for (name, windows) in [("HOME", "USERPROFILE"), ("TMPDIR", "TEMP")] {
        if let Some(value) = env.get(windows).filter(|_| !env.contains_key(name)).cloned() {
            env.insert(name.to_owned(), value);
        }
    }
    env
}

/// Returns the files that standard output and standard error go to, if the system names them.
fn outputs() -> Vec<PathBuf> {
    let named = ["/proc/self/fd/1", "/proc/self/fd/2"].iter().filter_map(|link| std::fs::read_link(link).ok());
    // A journal stores these paths. Pipes, terminals and deleted files are left out.
    let mut files: Vec<PathBuf> = named.filter(|path| path.is_file() && path.to_str().is_some()).collect();
    files.dedup();
    files
}

/// Home directory of a program.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    /// Variable that names the directory.
    pub variable: &'static str,
    /// Default name in the user's home.
    pub name: &'static str,
}

fn directory(home: &Home, env: &BTreeMap<String, String>, cwd: &Path) -> PathBuf {
    match env.get(home.variable).filter(|home| !home.is_empty()) {
        Some(path) => cwd.join(path),
        None => etcetera::home_dir().unwrap_or_else(|_| cwd.to_path_buf()).join(home.name),
    }
}

/// Returns the language: `--lang`, then `OMK_LANG`, then the locale, then English.
fn language(arguments: &[OsString], env: &BTreeMap<String, String>) -> Lang {
    let flag = arguments.iter().enumerate().find_map(|(i, argument)| {
        let text = argument.to_str()?;
        match text.strip_prefix("--lang=") {
            Some(tag) => Some(tag.to_owned()),
            None if text == "--lang" => arguments.get(i + 1)?.to_str().map(str::to_owned),
            None => None,
        }
    });
    let variables = ["OMK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
    let tags =
        flag.into_iter().chain(variables.iter().filter_map(|name| env.get(*name).filter(|v| !v.is_empty()).cloned()));
    tags.into_iter().find_map(|tag| Lang::from_tag(&tag)).unwrap_or_default()
}

/// Warns if `OMK_LANG` names no supported language. An unknown locale is no mistake: it gets English.
pub fn check_language(context: &Context, terminal: &Terminal) {
    let unknown = context.env.get("OMK_LANG").filter(|tag| !tag.is_empty() && Lang::from_tag(tag).is_none());
    unknown.into_iter().for_each(|tag| terminal.warn(&msg!("cli-unknown-language", tag = tag)));
}

/// Turns `help COMMAND` into `COMMAND --help`; other command lines stay unchanged.
#[must_use]
pub fn help_as_flag(mut arguments: Vec<OsString>) -> Vec<OsString> {
    const WITH_VALUE: [&str; 3] = ["--lang", "--config", "-c"];
    let mut index = 1;
    while let Some(argument) = arguments.get(index).and_then(|argument| argument.to_str()) {
        match argument {
            "help" => {
                arguments.remove(index);
                arguments.push("--help".into());
                break;
            }
            flag if WITH_VALUE.contains(&flag) => index += 2,
            flag if flag.starts_with('-') => index += 1,
            _ => break,
        }
    }
    arguments
}

/// Returns the clock, which `OMK_FIXED_TIME` pins for tests and reproducible reports.
fn clock(env: &BTreeMap<String, String>) -> Clock {
    match env.get("OMK_FIXED_TIME").and_then(|instant| instant.parse().ok()) {
        Some(instant) => Clock::Fixed(instant),
        None => Clock::System,
    }
}
