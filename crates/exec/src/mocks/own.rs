//! Calls that read the files of an artifact and nothing else: an agent that is offered one loads it so.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

/// Programs that print files, and do nothing else with the arguments that [`is_plain`] lets through.
const PRINTING: [&str; 5] = ["cat", "head", "tail", "nl", "sed"];

/// Whether a call reads what lies in these folders, and nothing else.
pub(super) fn reads_only(tool: &str, input: &Value, own: &[PathBuf]) -> bool {
    match tool {
        "Read" | "read_file" => {
            let path = ["file_path", "absolute_path"].iter().find_map(|key| input[*key].as_str());
            path.is_some_and(|path| is_below(path, own))
        }
        "Bash" => input["command"].as_str().is_some_and(|command| prints_only(command, own)),
        _ => false,
    }
}

fn is_below(path: &str, own: &[PathBuf]) -> bool {
    let path = Path::new(path);
    path.components().all(|part| part != Component::ParentDir) && own.iter().any(|own| path.starts_with(own))
}

/// One simple command: a program that prints files, options, and files of these folders.
fn prints_only(command: &str, own: &[PathBuf]) -> bool {
    let is_simple = !command.contains([';', '|', '&', '<', '>', '$', '`', '(', ')', '\n', '\\', '*', '?', '[', '{']);
    let Some(words) = shlex::split(command).filter(|_| is_simple) else { return false };
    let Some((program, arguments)) = words.split_first() else { return false };
    let (plain, files): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|word| is_plain(word));
    PRINTING.contains(&program.as_str())
        && !files.is_empty()
        && files.iter().all(|file| is_below(file, own))
        // Of the programs only this one takes a script, and it prints nothing but lines without another.
        && (program != "sed" || plain.iter().filter(|word| word.ends_with('p')).count() == 1)
}

/// `-n`, `-20`, `80`, or lines to print: `1,200p`.
fn is_plain(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_lines = || word.strip_suffix('p').is_some_and(|lines| lines.split(',').all(digits));
    word == "-n" || digits(word) || word.strip_prefix('-').is_some_and(digits) || is_lines()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_commands_that_print_files_of_the_artifact_are_its_own() {
        let own = [PathBuf::from("/run/home/skills")];
        let reads = |command: &str| reads_only("Bash", &json!({"command": command}), &own);
        for command in [
            "cat /run/home/skills/a/SKILL.md",
            "sed -n '1,200p' /run/home/skills/a/SKILL.md",
            "head -n 40 '/run/home/skills/a/b c.md' /run/home/skills/a/d.md",
        ] {
            assert!(reads(command), "{command}");
        }
        for command in [
            "cat /etc/passwd",
            "cat notes.md",
            "cat",
            "cat /run/home/skills/../auth.json",
            "cat /run/home/skills/a/SKILL.md; deploy",
            "cat /run/home/skills/a/SKILL.md > /tmp/x",
            "cat /run/home/skills/a/$(deploy)",
            "sed -n 'w /tmp/x' /run/home/skills/a/SKILL.md",
            "sed -i 1p /run/home/skills/a/SKILL.md",
            "bash /run/home/skills/a/deploy.sh",
            "/run/home/skills/a/deploy.sh",
        ] {
            assert!(!reads(command), "{command}");
        }
        assert!(reads_only("read_file", &json!({"file_path": "/run/home/skills/a/SKILL.md"}), &own));
        assert!(!reads_only("Write", &json!({"file_path": "/run/home/skills/a/SKILL.md"}), &own));
    }
}
