//! Which work is whose.

use eval_format::Attribution;
use serde_json::json;

use super::{ClaudeFile, call, misses, observed, read, text};

fn loads(file: ClaudeFile, id: &str, skill: &str) -> ClaudeFile {
    file.says(&format!("m-{id}"), None, &[call(id, "Skill", json!({"skill": skill}))])
        .result(id, &format!("Launching skill: {skill}"), false)
        .skill(skill)
}

#[test]
fn work_after_a_load_is_the_skills_and_a_later_prompt_is_not() {
    let file = loads(ClaudeFile::new("s").prompt("Which domain?"), "l", "review");
    let file = misses(file, "a", None, "revenue_schema").says("end", None, &[text("Done.")]);
    let file = misses(file.prompt("What else?"), "b", None, "other").says("end2", None, &[text("Nothing.")]);
    let segments = read(&file.text(), &[]).segments;
    let of = |at: usize| (segments[at].skill.as_deref(), segments[at].attribution, segments[at].carried.as_deref());
    assert_eq!(segments.len(), 2);
    assert_eq!(of(0), (Some("review"), Some(Attribution::Loaded), None));
    assert_eq!(of(1), (None, None, Some("review")));
    assert!(segments[0].skill_chars > 20);
    let all = observed(&[&file]);
    let review = &all.skills[0];
    assert_eq!((review.skill.as_deref(), review.segments, review.carried), (Some("review"), 1, 1));
    assert_eq!(review.gaps.inventory().len(), 1, "the second search is not the skill's");
}

#[test]
fn later_prompt_that_uses_a_file_of_the_skill_is_its_work() {
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
fn skill_whose_text_is_read_as_a_file_is_loaded_too() {
    let path = "/srv/demo/.claude/skills/review/SKILL.md";
    let of = |is_error: bool| {
        let file = ClaudeFile::new("s").prompt("Do").says("r", None, &[call("r", "Read", json!({"file_path": path}))]);
        let file = file.result("r", "Do it well.", is_error).says("e", None, &[text("Done.")]);
        read(&file.text(), &[]).segments[0].skill.clone()
    };
    assert_eq!((of(false).as_deref(), of(true)), (Some("review"), None));
}

#[test]
fn two_skills_for_one_prompt_are_two_segments() {
    let file = loads(ClaudeFile::new("s").prompt("Both"), "a", "first");
    let file = misses(file, "x", None, "alpha_table");
    let file = misses(loads(file, "b", "second"), "y", None, "beta_table").says("e", None, &[text("Done.")]);
    let segments = read(&file.text(), &[]).segments;
    let of: Vec<_> = segments.iter().map(|of| (of.skill.as_deref(), of.signals[0].signal.subject.as_str())).collect();
    assert_eq!(of, [(Some("first"), "alpha_table"), (Some("second"), "beta_table")]);
    assert_eq!(segments[0].key, segments[1].key, "one prompt");
}

#[test]
fn what_the_agent_records_is_believed_first() {
    let file = loads(ClaudeFile::new("s").prompt("Do"), "l", "review").says("m", Some("review"), &[text("Done.")]);
    assert_eq!(read(&file.text(), &[]).segments[0].attribution, Some(Attribution::Recorded));
    let command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>now</command-args>";
    let file = ClaudeFile::new("t").prompt(command).skill("review").says("m", None, &[text("Done.")]);
    let of = &read(&file.text(), &[]).segments[0];
    assert_eq!((of.skill.as_deref(), of.attribution), (Some("review"), Some(Attribution::Loaded)));
}

#[test]
fn skill_that_was_summed_up_is_not_carried() {
    let file = loads(ClaudeFile::new("s").prompt("First"), "l", "review").says("e", None, &[text("Done.")]);
    let file = file.push("user", json!({"role": "user", "content": "Summary"}), json!({"isCompactSummary": true}));
    let file = file.prompt("Second").says("e2", None, &[text("Done.")]);
    assert_eq!(read(&file.text(), &[]).segments[1].carried, None);
}

#[test]
fn work_of_a_sub_agent_is_that_of_the_segment_which_started_it() {
    let file = ClaudeFile::new("s")
        .prompt("First")
        .says("a", None, &[call("task", "Agent", json!({"prompt": "look"}))])
        .result("task", "not found", false)
        .prompt("Second")
        .says("b", None, &[text("Done.")]);
    let agent = misses(ClaudeFile::new("s").prompt("look"), "inner", None, "revenue_schema");
    let segments = read(&file.text(), &[("task", &agent.text())]).segments;
    let found = &segments[0].signals[0];
    assert_eq!(found.signal.thread.as_deref(), Some("task"));
    assert_eq!((found.anchor.file.as_deref(), found.anchor.line), (Some("agent-task.jsonl"), 2));
    assert_eq!((segments[0].turns, segments[0].usage.unwrap().output_tokens), (2, 20));
    assert!(segments[1].signals.is_empty());
}

#[test]
fn skills_that_are_offered_and_never_loaded_are_named() {
    let listing = json!({"type": "skill_listing", "content": "", "names": ["review", "plugin:unused", "other"]});
    let file = ClaudeFile::new("s").prompt("Do").push("attachment", json!(null), json!({"attachment": listing}));
    let file = loads(file, "l", "review").says("m", None, &[text("Done.")]);
    let names: Vec<String> = observed(&[&file]).never_loaded.into_iter().map(|of| of.name).collect();
    assert_eq!(names, ["other", "plugin:unused"]);
}
