//! Where an agent worked, as the texts of its calls name it.

use std::path::Path;

use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::mock::MockAnswer;
use regex::{Captures, Regex};

use crate::places::{CALL_PREFIX, RUN_PREFIX, WORKSPACE};

/// The temporary folder of a call; that of every machine stands for it.
const TEMPORARY: (&str, &str) = ("tmp", "/tmp");

/// What of a path can stand before the folder of a run: nothing that ends a word of a shell or of JSON.
const BEFORE: &str = r#"[^\s'"=:;&|<>()`$,{}\[\]\\]*"#;

/// Where an agent worked.
pub(super) struct RecordedPlace {
    /// The working directory, and what follows it.
    work: Option<Regex>,
    /// The name of what lies in the folder of a call, which is gone.
    of_call: Option<Regex>,
    is_gone: bool,
}

impl RecordedPlace {
    /// That of an agent that worked in `cwd`, or in a copy of a directory where there is none.
    pub(super) fn new(cwd: Option<&Path>) -> RecordedPlace {
        let call = format!(r"{BEFORE}/{RUN_PREFIX}\w+/{CALL_PREFIX}\w+");
        let work = match cwd {
            // Beside it may lie others whose names go on.
            Some(cwd) => format!(r"{}(/|[^\w.-]|$)", regex::escape(&cwd.display().to_string())),
            None => format!(r"{call}/{WORKSPACE}(/|[^\w-]|$)"),
        };
        let of_call = Regex::new(&format!(r"{call}(?:/(\w+))?"));
        RecordedPlace { work: Regex::new(&work).ok(), of_call: of_call.ok(), is_gone: cwd.is_none() }
    }

    /// Whether a text names a file of an artifact, or another one that belongs to the call itself.
    pub(super) fn is_own(&self, text: &str) -> bool {
        let mut named = self.of_call.iter().flat_map(|own| own.captures_iter(text));
        named.any(|found| found.get(1).is_some_and(|name| name.as_str() != WORKSPACE))
    }

    /// A text with something else in the place of the working directory.
    pub(super) fn without(&self, text: &str, with: &str) -> String {
        let replaced = |found: &Captures<'_>| format!("{with}{}", &found[1]);
        self.work.as_ref().map_or_else(|| text.to_owned(), |work| work.replace_all(text, replaced).into_owned())
    }

    /// An answer whose paths mean the same in another run: those of a copy that is gone are relative.
    pub(super) fn answer(&self, answer: MockAnswer) -> MockAnswer {
        match String::from_utf8(answer.stdout) {
            Ok(stdout) if self.is_gone => MockAnswer {
                stdout: self.lasting(&stdout).into_bytes(),
                stderr: self.lasting(&answer.stderr),
                exit: answer.exit,
            },
            Ok(stdout) => MockAnswer { stdout: stdout.into_bytes(), ..answer },
            Err(bytes) => MockAnswer { stdout: bytes.into_bytes(), ..answer },
        }
    }

    /// A call for a note, whose paths are those of an answer.
    pub(super) fn call(&self, call: &ToolCall) -> ToolCall {
        let mut call = call.clone();
        if self.is_gone {
            let input = serde_json::from_str(&self.lasting(&call.input.to_string()));
            call.input = input.unwrap_or(call.input);
            call.output = call.output.map(|of| ToolOutput { text: self.lasting(&of.text), ..of });
        }
        call
    }

    fn lasting(&self, text: &str) -> String {
        let relative = |found: &Captures<'_>| match &found[1] {
            "/" => String::new(),
            // The end of a sentence: two of them name the folder above.
            "." => "./.".to_owned(),
            end => format!(".{end}"),
        };
        let rest = |found: &Captures<'_>| match found.get(1).map(|name| name.as_str()) {
            Some(name) if name == TEMPORARY.0 => TEMPORARY.1.to_owned(),
            Some(name) => format!("/{name}"),
            None => "/".to_owned(),
        };
        let text = self.work.as_ref().map_or_else(|| text.to_owned(), |work| work.replace_all(text, relative).into());
        self.of_call.as_ref().map_or_else(|| text.clone(), |call| call.replace_all(&text, rest).into())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_found_beside_every_sign_of_a_shell() {
        let place = RecordedPlace::new(None);
        let work = "/tmp/omk-run-x1/omk-call-y2/work";
        for (text, expected) in [
            ("cat WORK/a.txt", "cat */a.txt"),
            ("cd WORK&&ls", "cd *&&ls"),
            ("ls WORK|wc", "ls *|wc"),
            ("cat<WORK/a>WORK/b", "cat<*/a>*/b"),
            ("echo `ls WORK`", "echo `ls *`"),
            ("cd x;ls>WORK", "cd x;ls>*"),
            ("ls $(echo WORK)", "ls $(echo *)"),
            ("ls {WORK,WORK/a}", "ls {*,*/a}"),
            ("git -C=\"WORK\" st", "git -C=\"*\" st"),
            ("ls WORK WORK", "ls * *"),
            ("ls WORK.", "ls *."),
            ("ls WORK-2", "ls WORK-2"),
            ("ls /home/work", "ls /home/work"),
        ] {
            assert_eq!(place.without(&text.replace("WORK", work), "*"), expected.replace("WORK", work), "{text}");
        }
        let named = RecordedPlace::new(Some(Path::new("/home/d.v/a+b")));
        for (text, expected) in [
            ("cat</home/d.v/a+b/x&", "cat<*/x&"),
            ("ls /home/d.v/a+b|wc", "ls *|wc"),
            (
                "ls /home/d.v/a+b.old /home/d.v/a+b-2 /home/dxv/a+b",
                "ls /home/d.v/a+b.old /home/d.v/a+b-2 /home/dxv/a+b",
            ),
        ] {
            assert_eq!(named.without(text, "*"), expected);
        }
    }

    #[test]
    fn answers_name_nothing_that_is_gone() {
        let answer = |text: &str| MockAnswer { stdout: text.into(), stderr: text.to_owned(), exit: 1 };
        let place = RecordedPlace::new(None);
        let work = "/var/t/omk-run-x1/omk-call-y2";
        for (text, expected) in [
            ("CALL/work\n", ".\n"),
            ("CALL/work/src/a.rs:3: x", "src/a.rs:3: x"),
            ("[CALL/work] `CALL/work/a`", "[.] `a`"),
            ("Your current working directory is CALL/work.", "Your current working directory is ./."),
            ("{\"at\":\"CALL/work/a\"}", "{\"at\":\"a\"}"),
            ("CALL/tmp/tmp.Xy CALL/home/x", "/tmp/tmp.Xy /home/x"),
            ("/var/t/work/a", "/var/t/work/a"),
        ] {
            let made = place.answer(answer(&text.replace("CALL", work)));
            assert_eq!((String::from_utf8(made.stdout).unwrap(), made.stderr), (expected.into(), expected.into()));
        }
        // A directory that is still there.
        let here = "/home/dev/a/x";
        assert_eq!(RecordedPlace::new(Some(Path::new("/home/dev/a"))).answer(answer(here)), answer(here));
        let bytes = MockAnswer { stdout: vec![0xff, 0xfe], ..MockAnswer::default() };
        assert_eq!(place.answer(bytes.clone()), bytes);
    }
}
