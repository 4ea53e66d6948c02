//! Commands that read files of the artifact.

use std::path::PathBuf;

use eval_exec::internals::reads_only;
use serde_json::json;

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
