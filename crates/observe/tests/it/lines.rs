//! Files as they are found: torn, damaged, large.

use eval_trace::SkippedRecords;
use proptest::prelude::*;

use super::{ClaudeFile, call, misses, read, text};

#[test]
fn damaged_line_in_the_middle_costs_only_itself() {
    let file = misses(ClaudeFile::new("s").prompt("Do"), "a", None, "alpha_table");
    let file = misses(file, "b", None, "beta_table").says("m", None, &[text("Done.")]);
    let mut lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    lines[1].truncate(40);
    let of = read(&lines.join("\n"), &[]);
    assert_eq!(of.skipped, SkippedRecords { unreadable: 1, unknown: 0 });
    let subjects: Vec<_> = of.segments[0].signals.iter().map(|of| of.signal.subject.as_str()).collect();
    assert_eq!(subjects, ["beta_table"], "the call of the damaged line is lost, and nothing else");
}

#[test]
fn long_outputs_keep_their_ends() {
    let long = format!("{}\nfind: 'x': No such file or directory", "line of output\n".repeat(40_000));
    let file = ClaudeFile::new("s")
        .prompt("Do")
        .says("m", None, &[call("a", "Bash", serde_json::json!({"command": "make 2>&1"}))])
        .result("a", &long, false);
    let of = read(&file.text(), &[]);
    assert_eq!(of.segments[0].tools.ok, 1);
}

proptest! {
    #[test]
    fn any_damage_is_read(at in 0_usize..4000, byte: u8, cut in 0_usize..4000) {
        let file = misses(ClaudeFile::new("s").prompt("做吧"), "a", Some("技能"), "alpha_table");
        let file = file.says("m", None, &[text("【推断】完成。")]);
        let mut bytes = file.text().into_bytes();
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes.truncate(length - cut % length);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if eval_trace::sessions::session_format("s.jsonl", &text).is_some() {
            let of = read(&text, &[]);
            prop_assert!(of.segments.len() <= 2);
        }
    }
}
