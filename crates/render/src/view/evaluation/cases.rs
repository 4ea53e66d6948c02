//! A suite for each skill, a case for each task in each run.
//!
//! A wrong answer is a failure, an error or a timeout of the skill an error, and so is what went wrong on our side; an
//! answer that could not be scored is skipped, since it neither passed nor failed. What was planned and not run is
//! skipped too; that an evaluation is incomplete or unsound is an error, and a skill that the gate refuses a failure.

use eval_format::skills::{EvaluationStatus, SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::plain::{clean, shortened};
use eval_message::{Lang, msg};

use crate::skills::show::{self, EvaluationDoubt};
use crate::view::cases::{CaseDetail, CaseEnd, CaseList, CaseSuite, ListedCase};

/// The whole evaluation first, then each skill.
pub(crate) fn cases(of: &SkillEvaluation, lang: Lang) -> CaseList {
    let skills = of.skills.iter().map(|skill| suite(of, skill, lang));
    CaseList { name: of.benchmark.name.clone(), suites: whole(of, lang).into_iter().chain(skills).collect() }
}

/// Whether everything was run and could be counted, where it wasn't, and the gate for each skill. Without it a build
/// would be green of which half was never run.
fn whole(of: &SkillEvaluation, lang: Lang) -> Option<CaseSuite> {
    let mut cases: Vec<ListedCase> = EvaluationDoubt::of(of)
        .into_iter()
        .map(|doubt| {
            let kind = match doubt {
                EvaluationDoubt::Interrupted { .. } => "incomplete",
                EvaluationDoubt::Unsound => "unsound",
            };
            ListedCase::new("evaluation", None, CaseEnd::Broken(why(kind, doubt.message(clean).text(lang))))
        })
        .collect();
    if let Some(gate) = &of.gate {
        let refused = show::gate(of, 10, clean, lang).iter().map(|one| one.text(lang)).collect::<Vec<_>>().join("\n");
        cases.extend(of.skills.iter().map(|skill| {
            let end = match gate.failing.contains(&skill.skill_id) {
                true => CaseEnd::Failed(why("gate", refused.clone())),
                false => CaseEnd::Passed,
            };
            ListedCase::new(format!("gate: {}", skill.skill_id), Some("gate"), end)
        }));
    }
    (!cases.is_empty()).then(|| CaseSuite { name: "eval-skills".to_owned(), properties: Vec::new(), cases })
}

fn why(kind: &str, message: String) -> CaseDetail {
    CaseDetail { kind: kind.to_owned(), message, details: None }
}

/// Returns what was planned and not run, as one case: which tasks these are, the report doesn't say.
fn not_run(skill: &SkillCompletionReport, lang: Lang) -> Option<ListedCase> {
    let count = skill.counts.total.saturating_sub(skill.task_results.len());
    let message = msg!("skills-report-not-run", count = count, total = skill.counts.total).text(lang);
    let case = ListedCase::new("not run", Some(&skill.skill_id), CaseEnd::Skipped(why("not_run", message)));
    (count > 0).then_some(case)
}

fn suite(of: &SkillEvaluation, skill: &SkillCompletionReport, lang: Lang) -> CaseSuite {
    let summary = &skill.summary;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let properties = vec![
        ("evaluation", of.id.clone()),
        ("benchmark", of.benchmark.id.clone()),
        ("benchmarkHash", of.benchmark.hash.clone()),
        ("skillVersion", skill.skill_version.clone()),
        ("completionRate", number(summary.completion_rate)),
        ("errorRate", number(summary.error_rate)),
        ("compositeScore", number(summary.composite_score)),
        ("complete", (of.status == EvaluationStatus::Complete).to_string()),
        ("unsound", skill.counts.is_unsound().to_string()),
    ];
    let is_repeated = of.settings.runs > 1;
    let results = skill.task_results.iter().map(|result| case(skill, result, is_repeated, lang));
    let cases = results.chain(not_run(skill, lang)).collect();
    CaseSuite { name: skill.skill_id.clone(), properties, cases }
}

fn case(skill: &SkillCompletionReport, of: &TaskResult, is_repeated: bool, lang: Lang) -> ListedCase {
    let name = if is_repeated { format!("{} [{}]", of.task_id, of.run) } else { of.task_id.clone() };
    ListedCase {
        time_ms: of.latency_ms,
        stderr: of.stderr.clone(),
        ..ListedCase::new(name, Some(&skill.skill_id), end(of, lang))
    }
}

fn end(of: &TaskResult, lang: Lang) -> CaseEnd {
    let why = CaseDetail {
        kind: of.status.name().to_owned(),
        message: shortened(&show::why(of, lang), 1000),
        details: Some(details(of)),
    };
    match of.status {
        TaskStatus::Pass => CaseEnd::Passed,
        TaskStatus::Fail => CaseEnd::Failed(why),
        TaskStatus::Error | TaskStatus::Timeout | TaskStatus::HarnessError => CaseEnd::Broken(why),
        TaskStatus::Unscored => CaseEnd::Skipped(why),
    }
}

fn details(of: &TaskResult) -> String {
    let mut lines = vec![format!("input: {}", of.input), format!("expected: {}", of.expected)];
    lines.extend(of.output.as_ref().map(|output| format!("output: {output}")));
    lines.join("\n")
}
