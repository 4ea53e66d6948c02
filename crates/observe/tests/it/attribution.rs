//! Counting segments to skills.

use eval_format::Attribution;
use serde_json::json;

use super::{ClaudeFile, call, misses, observed, read, text};

fn loads(file: ClaudeFile, id: &str, skill: &str) -> ClaudeFile {
    file.says(&format!("m-{id}"), None, &[call(id, "Skill", json!({"skill": skill}))])
        .result(id, &format!("Launching skill: {skill}"), false)
        .skill(skill)
}

#[test]
fn work_after_loading_belongs_to_the_skill_but_a_later_prompt_does_not() {
    let file = loads(ClaudeFile::new("s").prompt("Which domain?"), "l", "review");
    let file = misses(file, "a", None, "revenue_schema").says("end", None, &[text("Done.")]);
    let file = misses(file.prompt("What else?"), "b", None, "other").says("end2", None, &[text("Nothing.")]);
    let segments = read(&file.text(), &[]).segments;
    let skill_of = |i: usize| (segments[i].skill.as_deref(), segments[i].attribution, segments[i].carried.as_deref());
    assert_eq!(segments.len(), 2);
    assert_eq!(skill_of(0), (Some("review"), Some(Attribution::Loaded), None));
    assert_eq!(skill_of(1), (None, None, Some("review")));
    assert!(segments[0].skill_chars > 20);
    let all = observed(&[&file]);
    let review = &all.skills[0];
    assert_eq!((review.skill.as_deref(), review.segments, review.carried), (Some("review"), 1, 1));
    assert_eq!(review.gaps.inventory().len(), 1, "the second search is not the skill's");
}

#[test]
fn later_prompt_that_uses_a_file_of_the_skill_belongs_to_it() {
    let file = loads(ClaudeFile::new("s").prompt("First"), "l", "review").says("e", None, &[text("Done.")]);
    let path = "/srv/demo/.claude/skills/review/references/rules.md";
    let file = file
        .prompt("Second")
        .says("r", None, &[call("r", "Read", json!({"file_path": path}))])
        .result("r", "1\trules", false)
        .says("e2", None, &[text("Done.")]);
    let segments = read(&file.text(), &[]).segments;
    assert_eq!((segments[1].skill.as_deref(), segments[1].attribution), (Some("review"), Some(Attribution::Used)));
}

#[test]
fn reading_the_text_of_a_skill_loads_it() {
    let path = "/srv/demo/.claude/skills/review/SKILL.md";
    let loaded = |is_error: bool| {
        let file = ClaudeFile::new("s").prompt("Do").says("r", None, &[call("r", "Read", json!({"file_path": path}))]);
        let file = file.result("r", "Do it well.", is_error).says("e", None, &[text("Done.")]);
        read(&file.text(), &[]).segments[0].skill.clone()
    };
    assert_eq!((loaded(false).as_deref(), loaded(true)), (Some("review"), None));
}

#[test]
fn two_skills_for_one_prompt_are_two_segments() {
    let file = loads(ClaudeFile::new("s").prompt("Both"), "a", "first");
    let file = misses(file, "x", None, "alpha_table");
    let file = misses(loads(file, "b", "second"), "y", None, "beta_table").says("e", None, &[text("Done.")]);
    let segments = read(&file.text(), &[]).segments;
    let subject = |index: usize| segments[index].signals[0].signal.subject.as_str();
    let skills: Vec<_> = segments.iter().map(|segment| segment.skill.as_deref()).collect();
    assert_eq!(skills, [Some("first"), Some("second")]);
    assert_eq!([subject(0), subject(1)], ["alpha_table", "beta_table"]);
    assert_eq!(segments[0].key, segments[1].key, "one prompt");
}

#[test]
fn recorded_attribution_wins() {
    let file = loads(ClaudeFile::new("s").prompt("Do"), "l", "review").says("m", Some("review"), &[text("Done.")]);
    assert_eq!(read(&file.text(), &[]).segments[0].attribution, Some(Attribution::Recorded));
    let command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>now</command-args>";
    let file = ClaudeFile::new("t").prompt(command).skill("review").says("m", None, &[text("Done.")]);
    let segment = &read(&file.text(), &[]).segments[0];
    assert_eq!((segment.skill.as_deref(), segment.attribution), (Some("review"), Some(Attribution::Loaded)));
}

#[test]
fn compacted_skill_is_not_carried() {
    let file = loads(ClaudeFile::new("s").prompt("First"), "l", "review").says("e", None, &[text("Done.")]);
    let file = file.push("user", json!({"role": "user", "content": "Summary"}), json!({"isCompactSummary": true}));
    let file = file.prompt("Second").says("e2", None, &[text("Done.")]);
    assert_eq!(read(&file.text(), &[]).segments[1].carried, None);
}

#[test]
fn work_of_a_sub_agent_belongs_to_the_segment_that_started_it() {
    let file = ClaudeFile::new("s")
        .prompt("First")
        .says("a", None, &[call("task", "Agent", json!({"prompt": "look"}))])
        .result("task", "not found", false)
        .prompt("Second")
        .says("b", None, &[text("Done.")]);
    let agent = misses(ClaudeFile::new("s").prompt("look"), "inner", None, "revenue_schema");
    let segments = read(&file.text(), &[("task", &agent.text())]).segments;
    let signal = &segments[0].signals[0];
    assert_eq!(signal.signal.thread.as_deref(), Some("task"));
    assert_eq!((signal.anchor.file.as_deref(), signal.anchor.line), (Some("agent-task.jsonl"), 2));
    assert_eq!((segments[0].turns, segments[0].usage.unwrap().output_tokens), (2, 20));
    assert!(segments[1].signals.is_empty());
}

#[test]
fn offered_skills_that_were_never_loaded_are_named() {
    let listing = json!({"type": "skill_listing", "content": "", "names": ["review", "plugin:unused", "other"]});
    let file = ClaudeFile::new("s").prompt("Do").push("attachment", json!(null), json!({"attachment": listing}));
    let file = loads(file, "l", "review").says("m", None, &[text("Done.")]);
    let names: Vec<String> = observed(&[&file]).never_loaded.into_iter().map(|skill| skill.name).collect();
    assert_eq!(names, ["other", "plugin:unused"]);
}
