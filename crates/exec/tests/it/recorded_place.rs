//! The directory of a recorded call.

use std::path::Path;

use eval_exec::internals::RecordedPlace;
use eval_spec::mock::MockAnswer;

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
        ("ls /home/d.v/a+b.old /home/d.v/a+b-2 /home/dxv/a+b", "ls /home/d.v/a+b.old /home/d.v/a+b-2 /home/dxv/a+b"),
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
