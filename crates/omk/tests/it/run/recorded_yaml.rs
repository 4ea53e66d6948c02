//! Recorded mocks as YAML, read again by the loader.

#[path = "../../../src/commands/mocks/yaml.rs"]
mod yaml;

use std::collections::{BTreeMap, BTreeSet};

use eval_exec::RecordedMock;
use eval_message::Lang;
use eval_spec::Context;
use eval_spec::context::Clock;
use eval_spec::mock::MockAnswer;
use proptest::prelude::*;
use serde_json::{Value, json};
use yaml::{comment, is_printed, sample};

/// Characters that some version of YAML takes for something else, and any other.
fn text() -> impl Strategy<Value = String> {
    let odd: Vec<char> = "\n\n\t\r \"'\\#:-|>%@`&*!?{}[],~\0\u{7}\u{1b}\u{7f}\u{80}\u{85}\u{9f}\u{a0}\u{2028}\u{2029}\
                          \u{feff}\u{fffd}\u{fffe}\u{ffff}\u{1f600}\u{10ffff}aé中"
        .chars()
        .collect();
    let one = prop_oneof![4 => prop::sample::select(odd), 1 => any::<char>()];
    prop::collection::vec(one, 0..24).prop_map(|all| all.into_iter().collect())
}

fn context(cwd: std::path::PathBuf) -> Context {
    Context {
        home: cwd.join("home"),
        cwd,
        env: BTreeMap::new(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: BTreeSet::new(),
    }
}

/// The mocks of a recording as the loader reads them.
fn loaded(recorded: &str) -> Vec<eval_spec::mock::Mock> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.yaml");
    std::fs::write(&path, format!("{}{recorded}  prompt: x\n", comment(0, "header"))).unwrap();
    let read = eval_load::samples(&context(folder.path().to_owned()), &path, &[]);
    read.map_err(|problems| format!("{problems}\n{recorded}")).unwrap().value.samples.remove(0).mocks
}

proptest! {
    #[test]
    fn any_text_is_read_as_it_was_recorded(
        stdout in text(), stderr in text(), key in text(), value in text(), note in text(),
    ) {
        let said = |stdout: &str, stderr: &str| MockAnswer {
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.to_owned(),
            exit: u8::from(!stderr.is_empty()),
        };
        let input = json!({key: {"in": value, "list": [value, {"deep": value}]}});
        let answers = vec![said(&stdout, &stderr), said(&value, ""), said(&stdout, "")];
        let conditions = [("input".to_owned(), input.clone())].into_iter().collect();
        let mock = RecordedMock { tool: "Bash".to_owned(), conditions, answers: answers.clone() };
        let made = sample("s1", &[mock], &[note], "mocks.files").text;
        let unprinted = |c: char| c != '\n' && !is_printed(c) && c != '\t';
        prop_assert!(!made.contains(unprinted), "{made:?}");
        let read = loaded(&made).remove(0);
        prop_assert_eq!(read.conditions.input.map(Value::Object), Some(input));
        prop_assert_eq!(&read.sequence[..], &answers[..2]);
        prop_assert_eq!(read.always.as_ref(), answers.last());
    }
}
