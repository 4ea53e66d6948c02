//! JUnit XML: a suite for each skill, a case for each task in each run.
//!
//! A wrong answer is a failure, an error or a timeout of the skill an error, and so is what went wrong on our side; an
//! answer that could not be scored is skipped, since it neither passed nor failed. What was planned and not run is
//! skipped too; that an evaluation is incomplete or unsound is an error, and a skill that the gate refuses a failure.

use eval_message::plain::shortened;
use std::io::Write;
use std::time::Duration;

use eval_format::skills::{EvaluationStatus, SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::{Lang, Message, msg};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::show::{self, EvaluationDoubt};
use eval_message::plain::clean;

/// Characters of a text that are kept: what reads these files shows them in a table.
const KEPT: usize = 20_000;

/// Writes the document. Characters that XML can't hold are left out.
pub(crate) fn junit(of: &SkillEvaluation, lang: Lang, to: &mut dyn Write) -> std::io::Result<()> {
    let mut report = Report::new(text(&of.benchmark.name));
    report.add_test_suites(whole(of, lang));
    report.add_test_suites(of.skills.iter().map(|skill| suite(of, skill, lang)));
    report.serialize(to).map_err(std::io::Error::other)
}

/// What stands above the tasks: whether everything was run and could be counted, where it wasn't, and the gate for each
/// skill. Without it a build would be green of which half was never run.
fn whole(of: &SkillEvaluation, lang: Lang) -> Option<TestSuite> {
    let mut suite = TestSuite::new("eval-skills");
    let said = |message: &Message| text(&message.text(lang));
    for doubt in EvaluationDoubt::of(of) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(said(&doubt.message(clean)));
        status.set_type(match doubt {
            EvaluationDoubt::Interrupted { .. } => "incomplete",
            EvaluationDoubt::Unsound => "unsound",
        });
        suite.add_test_case(TestCase::new("evaluation", status));
    }
    if let Some(gate) = &of.gate {
        let refused = show::gate(of, 10, clean, lang).iter().map(said).collect::<Vec<_>>().join("\n");
        for skill in &of.skills {
            let fails = gate.failing.contains(&skill.skill_id);
            let mut status = match fails {
                true => TestCaseStatus::non_success(NonSuccessKind::Failure),
                false => TestCaseStatus::success(),
            };
            if fails {
                status.set_message(refused.clone());
                status.set_type("gate");
            }
            let mut case = TestCase::new(text(&format!("gate: {}", skill.skill_id)), status);
            case.set_classname("gate");
            suite.add_test_case(case);
        }
    }
    (!suite.test_cases.is_empty()).then_some(suite)
}

/// What was planned and not run, as one case: which tasks these are, the report doesn't say.
fn not_run(skill: &SkillCompletionReport, lang: Lang) -> Option<TestCase> {
    let count = skill.counts.total.saturating_sub(skill.task_results.len());
    let mut status = TestCaseStatus::skipped();
    status.set_message(text(&msg!("skills-report-not-run", count = count, total = skill.counts.total).text(lang)));
    status.set_type("not_run");
    let mut case = TestCase::new("not run", status);
    case.set_classname(text(&skill.skill_id));
    (count > 0).then_some(case)
}

fn suite(of: &SkillEvaluation, skill: &SkillCompletionReport, lang: Lang) -> TestSuite {
    let mut suite = TestSuite::new(text(&skill.skill_id));
    let summary = &skill.summary;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for (name, value) in [
        ("evaluation", of.id.clone()),
        ("benchmark", of.benchmark.id.clone()),
        ("benchmarkHash", of.benchmark.hash.clone()),
        ("skillVersion", skill.skill_version.clone()),
        ("completionRate", number(summary.completion_rate)),
        ("errorRate", number(summary.error_rate)),
        ("compositeScore", number(summary.composite_score)),
        ("complete", (of.status == EvaluationStatus::Complete).to_string()),
        ("unsound", skill.counts.is_unsound().to_string()),
    ] {
        suite.add_property((name, text(&value).as_str()));
    }
    let is_repeated = of.settings.runs > 1;
    suite.add_test_cases(skill.task_results.iter().map(|result| case(skill, result, is_repeated, lang)));
    suite.add_test_cases(not_run(skill, lang));
    suite
}

fn case(skill: &SkillCompletionReport, of: &TaskResult, is_repeated: bool, lang: Lang) -> TestCase {
    let name = if is_repeated { format!("{} [{}]", of.task_id, of.run) } else { of.task_id.clone() };
    let mut case = TestCase::new(text(&name), status(of, lang));
    case.set_classname(text(&skill.skill_id));
    if let Some(time) = of.latency_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok()) {
        case.set_time(time);
    }
    if let Some(stderr) = &of.stderr {
        case.set_system_err(text(stderr));
    }
    case
}

fn status(of: &TaskResult, lang: Lang) -> TestCaseStatus {
    let mut status = match of.status {
        TaskStatus::Pass => return TestCaseStatus::success(),
        TaskStatus::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        TaskStatus::Error | TaskStatus::Timeout | TaskStatus::HarnessError => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
        TaskStatus::Unscored => TestCaseStatus::skipped(),
    };
    status.set_message(text(&shortened(&show::why(of, lang), 1000)));
    status.set_type(of.status.name());
    status.set_description(text(&details(of)));
    status
}

fn details(of: &TaskResult) -> String {
    let mut lines = vec![format!("input: {}", of.input), format!("expected: {}", of.expected)];
    lines.extend(of.output.as_ref().map(|output| format!("output: {output}")));
    lines.join("\n")
}

/// XML 1.0 has no way to write most control characters, lone surrogates' neighbours and the last two code points.
fn text(of: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\u{20}'..='\u{7e}' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    shortened(of, KEPT).chars().filter(is_allowed).collect()
}
