//! Damaged and large files.

use eval_trace::SkippedRecords;
use proptest::prelude::*;

use super::{ClaudeFile, call, misses, read, text};

#[test]
fn damaged_line_loses_only_its_own_record() {
    let file = misses(ClaudeFile::new("s").prompt("Do"), "a", None, "alpha_table");
    let file = misses(file, "b", None, "beta_table").says("m", None, &[text("Done.")]);
    let mut lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    lines[1].truncate(40);
    let session = read(&lines.join("\n"), &[]);
    assert_eq!(session.skipped, SkippedRecords { unreadable: 1, unknown: 0 });
    let subjects: Vec<_> = session.segments[0].signals.iter().map(|entry| entry.signal.subject.as_str()).collect();
    assert_eq!(subjects, ["beta_table"], "only the call of the damaged line is lost");
}

#[test]
fn long_outputs_keep_their_ends() {
    let long = format!("{}\ncat: docs/refund.md: No such file or directory", "line of output\n".repeat(40_000));
    let file = ClaudeFile::new("s")
        .prompt("Do")
        .says("m", None, &[call("a", "Bash", serde_json::json!({"command": "make; cat docs/refund.md"}))])
        .result("a", &long, true);
    let session = read(&file.text(), &[]);
    let subjects: Vec<_> = session.segments[0].signals.iter().map(|entry| entry.signal.subject.as_str()).collect();
    assert_eq!(subjects, ["docs/refund.md"]);
}

proptest! {
    #[test]
    fn damaged_files_never_panic(index in 0_usize..4000, byte: u8, cut in 0_usize..4000) {
        let file = misses(ClaudeFile::new("s").prompt("做吧"), "a", Some("技能"), "alpha_table");
        let file = file.says("m", None, &[text("【推断】完成。")]);
        let mut bytes = file.text().into_bytes();
        let length = bytes.len();
        bytes[index % length] = byte;
        bytes.truncate(length - cut % length);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if eval_trace::sessions::session_format("s.jsonl", &text).is_some() {
            let session = read(&text, &[]);
            prop_assert!(session.segments.len() <= 2);
        }
    }
}
