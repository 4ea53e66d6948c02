//! `structure`: the files that the entrypoint names exist, there is documentation, and there are no leftovers.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::callable::{AdapterType, CallableSkill, is_address};

use super::files::{SkillFile, listed, text};
use crate::excerpt::{INLINE, excerpt};
use crate::scorer::quality::point::{QualityPoint, unless};

/// File endings of scripts.
const SCRIPTS: [&str; 16] =
    ["py", "js", "mjs", "cjs", "ts", "mts", "sh", "bash", "rb", "pl", "php", "lua", "jar", "wasm", "r", "exe"];

/// Leftovers of editors, systems and tools, by name and by ending.
const CLUTTER: [&str; 5] = [".DS_Store", "Thumbs.db", "desktop.ini", "npm-debug.log", "core"];
const CLUTTER_ENDINGS: [&str; 7] = ["~", ".swp", ".swo", ".orig", ".rej", ".bak", ".tmp"];

/// Keys, by name and by ending.
const SECRETS: [&str; 8] =
    [".env", ".netrc", ".npmrc", ".pypirc", "id_rsa", "id_ed25519", "credentials.json", "service-account.json"];
const SECRET_ENDINGS: [&str; 4] = [".pem", ".p12", ".pfx", ".keystore"];

pub(super) fn points(skill: &CallableSkill) -> Vec<QualityPoint> {
    let entries = listed(&skill.directory);
    vec![
        ("entrypoint", entrypoint(skill)),
        ("documentation", documentation(skill)),
        ("clutter", none_of(&entries, &CLUTTER, &CLUTTER_ENDINGS)),
        ("secrets", none_of(&entries, &SECRETS, &SECRET_ENDINGS)),
        ("links", links(skill, &entries)),
    ]
}

fn entrypoint(skill: &CallableSkill) -> Result<(), Message> {
    let entrypoint = skill.entrypoint.trim();
    match (skill.adapter, skill.address()) {
        (AdapterType::Http, address) => unless(address.as_deref().is_some_and(is_address), || {
            msg!("skills-grade-quality-no-address", entrypoint = entrypoint)
        }),
        (_, Some(_)) => Ok(()),
        (_, None) => command(skill),
    }
}

/// The files that a command line names are there.
fn command(skill: &CallableSkill) -> Result<(), Message> {
    let words = shlex::split(&skill.entrypoint);
    let mut words = words.filter(|words| !words.is_empty()).ok_or_else(|| msg!("skills-grade-quality-no-command"))?;
    if let Some(program) = &skill.config.command {
        words = std::iter::once(program.clone()).chain(words.into_iter().skip(1)).collect();
    }
    if let Some(arguments) = &skill.config.args {
        words.truncate(1);
        words.extend(arguments.iter().cloned());
    }
    let names_a_file = |(at, word): &(usize, &String)| {
        let ending = Path::new(word.as_str()).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_script = *at > 0 && SCRIPTS.contains(&ending.to_ascii_lowercase().as_str());
        let is_path = word.starts_with("./") || word.starts_with("../") || *at == 0 && word.contains('/');
        !word.starts_with('-') && !word.contains("://") && (is_script || is_path)
    };
    let missing = words.iter().enumerate().filter(names_a_file).map(|(_, word)| word);
    match { missing }.find(|word| !skill.directory.join(word).is_file()) {
        Some(word) => Err(msg!("skills-grade-quality-no-file", file = excerpt(word, INLINE))),
        None => Ok(()),
    }
}

fn documentation(skill: &CallableSkill) -> Result<(), Message> {
    const NAMES: [&str; 6] = ["SKILL.md", "README.md", "README", "README.txt", "README.rst", "readme.md"];
    let written = |name: &str| text(&skill.directory.join(name)).is_some_and(|text| !text.trim().is_empty());
    unless(NAMES.iter().any(|name| written(name)), || msg!("skills-grade-quality-undocumented"))
}

fn none_of(entries: &[SkillFile], names: &[&str], endings: &[&str]) -> Result<(), Message> {
    let belongs = |entry: &&SkillFile| {
        let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
        !names.contains(&&*name) && !endings.iter().any(|ending| name.ends_with(ending))
    };
    match entries.iter().find(|entry| !belongs(entry)) {
        Some(SkillFile { path, .. }) => {
            Err(msg!("skills-grade-quality-stray", file = excerpt(&path.to_string_lossy(), INLINE)))
        }
        None => Ok(()),
    }
}

fn links(skill: &CallableSkill, entries: &[SkillFile]) -> Result<(), Message> {
    let root = skill.directory.canonicalize().unwrap_or_else(|_| skill.directory.clone());
    let stays = |entry: &&SkillFile| {
        !entry.is_link || root.join(&entry.path).canonicalize().is_ok_and(|target| target.starts_with(&root))
    };
    match entries.iter().find(|entry| !stays(entry)) {
        Some(SkillFile { path, .. }) => {
            Err(msg!("skills-grade-quality-link", file = excerpt(&path.to_string_lossy(), INLINE)))
        }
        None => Ok(()),
    }
}
