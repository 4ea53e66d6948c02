//! JUnit XML, which CI systems show as test results.

use std::io::Write;
use std::time::Duration;

use eval_message::msg;
use eval_message::plain::{shortened, visible};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::formats::spec::FormatSpec;
use crate::view::cases::{CaseDetail, CaseEnd, CaseList, CaseSuite, ListedCase};
use crate::view::{comparison, evaluation};

/// Characters of a text that are written: what reads these files shows them in a table.
const LONGEST: usize = 20_000;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "junit",
    extension: "xml",
    about: || msg!("report-format-junit"),
    comparison: Some(|of, show, to| write(comparison::cases(of, show.lang), to)),
    evaluation: Some(|of, show, to| write(evaluation::cases(of, show.lang), to)),
};

/// Writes the document. CI systems show its texts, so what can't be seen in them is made visible; that leaves out nearly all that
/// XML can't hold.
fn write(of: CaseList, to: &mut dyn Write) -> std::io::Result<()> {
    let mut report = Report::new(text(&of.name));
    report.add_test_suites(of.suites.into_iter().map(suite));
    report.serialize(to).map_err(std::io::Error::other)
}

fn suite(of: CaseSuite) -> TestSuite {
    let mut suite = TestSuite::new(text(&of.name));
    for (name, value) in of.properties {
        suite.add_property((name, text(&value).as_str()));
    }
    suite.add_test_cases(of.cases.into_iter().map(case));
    suite
}

fn case(of: ListedCase) -> TestCase {
    let mut case = TestCase::new(text(&of.name), status(of.end));
    if let Some(class) = of.class {
        case.set_classname(text(&class));
    }
    if let Some(time) = of.time_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok()) {
        case.set_time(time);
    }
    if let Some(stderr) = of.stderr {
        case.set_system_err(text(&stderr));
    }
    case
}

fn status(of: CaseEnd) -> TestCaseStatus {
    let explained = |mut status: TestCaseStatus, why: CaseDetail| {
        status.set_message(text(&why.message));
        status.set_type(text(&why.kind));
        if let Some(details) = why.details {
            status.set_description(text(&details));
        }
        status
    };
    match of {
        CaseEnd::Passed => TestCaseStatus::success(),
        CaseEnd::Failed(why) => explained(TestCaseStatus::non_success(NonSuccessKind::Failure), why),
        CaseEnd::Broken(why) => explained(TestCaseStatus::non_success(NonSuccessKind::Error), why),
        CaseEnd::Skipped(why) => explained(TestCaseStatus::skipped(), why),
    }
}

/// XML 1.0 has no way to write most control characters, lone surrogates' neighbours and the last two code points.
fn text(of: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\u{20}'..='\u{7e}' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    shortened(&visible(of), LONGEST).chars().filter(is_allowed).collect()
}
