//! `omk show`, and the commands that a run's summary names.

use crate::cli::{assert_chinese, eval, project};

#[test]
fn sample_is_shown_with_both_answers_and_every_check() {
    let context = project(4);
    eval(&context, &["--report-only"]).expect(0);
    let shown = context.run(&["show", "s001"]).expect(0).stdout;
    for expected in ["`s001` in ", "`v1` 1.00 → `v2` 5.00 (+4.00)", "contains better  failed  passed", "│ better"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let one = context.run(&["show", "s001", "latest", "--variant", "v1"]).expect(0).stdout;
    assert!(one.contains("`v1`: 1.00") && !one.contains("better\n"), "{one}");
    assert_chinese(&context.run(&["show", "s001", "--lang", "zh", "--variant", "v1"]).expect(0).stdout);
    let document = context.run(&["show", "s001", "--json"]).expect(0).json();
    assert_eq!(document, context.report()["results"][0]);
    let by_path = context.report_path();
    assert_eq!(context.run(&["show", "s001", by_path.to_str().unwrap()]).expect(0).stdout, shown);
}

#[test]
fn unknown_sample_or_variant_names_those_that_there_are() {
    let context = project(12);
    eval(&context, &["--report-only"]).expect(0);
    let unknown = context.run(&["show", "s01"]).expect(2);
    assert!(unknown.stderr.contains("there is no sample `s01`"), "{unknown:?}");
    assert!(unknown.stderr.contains("the samples are: `s010`, `s011`, `s012`, `s001`"), "{unknown:?}");
    let unknown = context.run(&["show", "s001", "--variant", "v9"]).expect(2);
    assert!(unknown.stderr.contains("`v1`, `v2`"), "{unknown:?}");
    assert!(context.run(&["show"]).expect(2).stderr.contains("<SAMPLE>"));
    let none = context.run(&["show", "s001", "no-report"]).expect(2);
    assert!(none.stdout.is_empty() && none.stderr.contains("no-report"), "{none:?}");
}

#[test]
fn every_command_that_a_summary_names_works() {
    let context = project(12);
    for more in [&["--report-only"][..], &["--report-only", "--output-dir", "my reports"]] {
        let text = eval(&context, more).expect(0).stdout;
        let end = text.find("next: ").unwrap();
        let commands: Vec<&str> =
            text[end..].split(['\n', '`']).map(str::trim).filter(|line| line.starts_with("omk ")).collect();
        let named = |word: &str| commands.iter().filter(|command| command.contains(word)).count();
        assert_eq!((named("omk show "), named("omk failures "), named("omk diff ")), (1, 1, 1), "{text}");
        for command in commands {
            // what follows behind two spaces explains it
            let command = command.split("  ").next().unwrap();
            let words = shlex::split(command).unwrap();
            let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            context.run(&words).expect(0);
        }
        let last = text.trim_end().lines().last().unwrap();
        let path = last.strip_prefix("report: ").unwrap();
        assert!(context.path(path).is_file(), "{last}");
    }
}

#[test]
fn details_print_what_the_stored_report_prints() {
    let context = project(12);
    let details = eval(&context, &["--report-only", "--details"]).expect(0).stdout;
    let stored = context.run(&["report", "export", "latest", "--format", "terminal"]).expect(0).stdout;
    assert!(details.starts_with(stored.trim_end()), "{details}\n{stored}");
    let brief = eval(&context, &["--report-only"]).expect(0).stdout;
    assert!(brief.lines().count() <= 23 && brief.lines().count() < details.lines().count(), "{brief}");
}
