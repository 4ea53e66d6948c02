//! Evals of an Agent Skill: `lint` checks them, `omk eval` runs them.

use std::fs;

use crate::fixtures::shell::ShellProject;

fn with_evals(text: &str) -> ShellProject {
    let place = ShellProject::new();
    let folder = place.path("greet");
    fs::create_dir_all(folder.join("evals")).unwrap();
    fs::write(folder.join("SKILL.md"), "---\nname: greet\ndescription: Greets people by name.\n---\nSay hello.\n")
        .unwrap();
    fs::write(folder.join("evals/evals.json"), text).unwrap();
    place
}

#[test]
fn lint_checks_the_evals_of_a_skill() {
    let sound = with_evals(r#"{"skill_name": "greet", "evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}]}"#);
    let ended = sound.shell("eval-skills lint greet");
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("2 files"), "{}", ended.stdout);
    let broken = with_evals("{\"evals\": [\n{\"id\": 1, \"prompt\": 3, \"expectations\": [\"e\"]}]}");
    let ended = broken.shell("eval-skills lint greet");
    assert_eq!(ended.code, 2, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("greet/evals/evals.json:2:"), "{}", ended.stderr);
}

#[test]
fn the_former_command_names_the_one_that_runs_evals() {
    let place = with_evals("{}");
    let ended = place.shell("eval-skills evals greet --runs 3");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("omk eval --samples greet/evals/evals.json"), "{}", ended.stderr);
    assert!(!place.shell("eval-skills --help").stdout.contains("evals"), "hidden");
}
