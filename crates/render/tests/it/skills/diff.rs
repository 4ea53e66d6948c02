//! Two evaluations side by side: what moved, what flipped, and whether it is more than chance.

use eval_format::skills::{SkillEvaluation, TaskStatus};
use eval_history::DiffError;
use eval_history::skills::{SkillDiff, SkillStanding, diff_skills};
use eval_message::Lang;
use eval_render::Show;
use eval_render::skills::{diff_markdown, skill_diff_text};
use eval_spec::callable::McpServerInfo;

use super::made::{ERROR, Ended, FAIL, Made, PASS, UNSCORED, one, several};

fn diff(a: &SkillEvaluation, b: &SkillEvaluation) -> SkillDiff {
    diff_skills(a, b, ["v1", "v2"], false).unwrap()
}

/// Twenty tasks, the first `failing` of which fail.
fn run(failing: usize) -> Vec<Ended> {
    (0..20).map(|i| if i < failing { FAIL } else { PASS }).collect()
}

fn standing(a: Vec<Vec<Ended>>, b: Vec<Vec<Ended>>) -> SkillStanding {
    diff(&several(a), &several(b)).skills[0].standing
}

#[test]
fn deltas_say_better_and_worse() {
    let slow: Vec<Ended> = (0..20)
        .map(|i| (if i < 2 { ERROR } else { PASS }).0)
        .map(|s| (s, Some(f64::from(u8::from(s == TaskStatus::Pass))), Some(400.0)))
        .collect();
    let found = diff(&one(run(4)), &one(slow));
    let of = &found.skills[0];
    let close = |delta: &eval_history::skills::NumberChange, diff: f64| (delta.diff.unwrap() - diff).abs() < 1e-12;
    assert!(close(&of.completion_rate, 0.1) && of.completion_rate.better == Some(true));
    assert!(close(&of.error_rate, 0.1) && of.error_rate.better == Some(false));
    assert!(close(&of.p95_latency_ms, 300.0) && of.p95_latency_ms.better == Some(false));
    // 0.5·0.1 − 0.2·0.3 − 0.3·0.1
    assert!(close(&of.composite_score, -0.04) && of.composite_score.better == Some(false));
    let flips =
        |tasks: &[eval_history::skills::FlippedTask]| tasks.iter().map(|of| of.task.clone()).collect::<Vec<_>>();
    assert_eq!(flips(&of.newly_passing), ["task_003", "task_004"]);
    assert!(of.newly_failing.is_empty());
    assert!((of.mcnemar_p - 0.5).abs() < 1e-12, "two of two in one direction: 2 · ½²");
    assert_eq!(of.standing, SkillStanding::Higher);
}

/// An MCP server with another version is no longer "the same files", whatever the skill's folder holds.
#[test]
fn servers_that_changed_are_named() {
    let by = |versions: &[&str]| {
        let mut evaluation = one(run(4));
        let server = |version: &&str| McpServerInfo {
            name: "adder".to_owned(),
            version: (*version).to_owned(),
            protocol: "2025-06-18".to_owned(),
        };
        evaluation.skills[0].skill_hash = "ab".to_owned();
        evaluation.skills[0].servers = versions.iter().map(server).collect();
        evaluation
    };
    let same = |a: &[&str], b: &[&str]| diff(&by(a), &by(b)).skills[0].same_files;
    assert_eq!(same(&[], &[]), Some(true));
    assert_eq!(same(&["1"], &["1"]), Some(true));
    assert_eq!(same(&["1"], &["2"]), Some(false));
    assert_eq!(same(&["1"], &["1", "2"]), Some(false));
    assert_eq!(same(&[], &["2"]), None, "one of them says nothing of its server");
    let text = skill_diff_text(&diff(&by(&["1"]), &by(&["2"])), Show::file(Lang::En));
    assert!(text.contains("its server changed: adder 1 (MCP 2025-06-18) → adder 2 (MCP 2025-06-18)"), "{text}");
}

#[test]
fn a_regression_is_more_than_chance() {
    // one run: five tasks and no other way round, P = ½⁵ = 0.031
    assert_eq!(standing(vec![run(0)], vec![run(4)]), SkillStanding::Lower);
    assert_eq!(standing(vec![run(0)], vec![run(5)]), SkillStanding::Regressed);
    // three runs: one task that broke for good, P = 1/20; in two of three runs, P = 4/20, it may be chance
    assert_eq!(standing(vec![run(0); 3], vec![run(1); 3]), SkillStanding::Regressed);
    assert_eq!(standing(vec![run(0); 3], vec![run(0), run(1), run(1)]), SkillStanding::Lower);
    assert_eq!(standing(vec![run(2)], vec![run(2)]), SkillStanding::Same);
    assert_eq!(standing(vec![run(9)], vec![run(2)]), SkillStanding::Higher);
    assert_eq!(standing(vec![run(0)], vec![vec![UNSCORED; 20]]), SkillStanding::Unmeasured);
    // errors are failures too
    assert_eq!(standing(vec![run(0)], vec![vec![ERROR; 20]]), SkillStanding::Regressed);
}

#[test]
fn flaky_tasks_are_noise() {
    // each task passes two runs of three, another one each time
    let flaky = |shift: usize| -> Vec<Vec<Ended>> {
        (0..3)
            .map(|run| (0..20).map(|i| if (i + run + shift).is_multiple_of(3) { FAIL } else { PASS }).collect())
            .collect()
    };
    let mut fewer = flaky(1);
    fewer[0][0] = FAIL;
    assert_eq!(standing(flaky(0), flaky(1)), SkillStanding::Same);
    assert_eq!(standing(flaky(0), fewer), SkillStanding::Lower);
}

fn names(tasks: &[eval_history::skills::FlippedTask]) -> Vec<String> {
    tasks.iter().map(|of| format!("{} {}/{} {}/{}", of.task, of.passed_a, of.runs_a, of.passed_b, of.runs_b)).collect()
}

/// A task that ran more often has more chances to fail.
#[test]
fn with_other_numbers_of_runs_the_first_ones_decide_what_flipped() {
    let a = several(vec![vec![PASS, PASS, FAIL]]);
    let b = several(vec![vec![PASS, FAIL, PASS], vec![FAIL, PASS, FAIL], vec![FAIL, PASS, FAIL]]);
    let found = diff(&a, &b);
    let of = &found.skills[0];
    assert_eq!(names(&of.newly_failing), ["task_002 1/1 0/1"]);
    assert_eq!(names(&of.newly_passing), ["task_003 0/1 1/1"]);
    assert_eq!((of.uneven, of.mcnemar_p), (3, 1.0));
    assert_eq!(of.completion_rate.b, Some(4.0 / 9.0), "rates are of all runs");
    let show = Show { lang: Lang::En, width: 200, color: false, exit_code: false };
    for text in [skill_diff_text(&found, show), diff_markdown(&found, Lang::En)] {
        assert!(text.contains("3 tasks ran more often on one side"), "{text}");
    }
}

/// What never passed every run didn't flip, and has moved nevertheless.
#[test]
fn tasks_that_pass_less_often_are_listed() {
    let a = several(vec![vec![PASS, FAIL, PASS], vec![PASS, FAIL, PASS], vec![FAIL, FAIL, PASS]]);
    let b = several(vec![vec![FAIL, PASS, PASS], vec![FAIL, PASS, PASS], vec![UNSCORED, FAIL, PASS]]);
    let found = diff(&a, &b);
    let of = &found.skills[0];
    assert!(of.less_often.is_empty(), "two of two are all");
    assert_eq!(names(&of.newly_failing), ["task_001 2/2 0/2"]);
    assert_eq!(names(&of.more_often), ["task_002 0/3 2/3"]);
    let text = diff_markdown(&found, Lang::En);
    assert!(text.contains("### Passing more often\n\n- task_002 0/3 → 2/3  fail"), "{text}");
    let back = diff(&b, &a);
    assert_eq!(names(&back.skills[0].less_often), ["task_002 2/3 0/3"]);
    assert!(diff_markdown(&back, Lang::Zh).contains("通过次数减少"));
}

/// What moved is in the sentence, though no task flipped in every run; what rounds to nothing went no way.
#[test]
fn the_sentence_and_the_arrows_say_what_is_seen() {
    let page = |a: &SkillEvaluation, b: &SkillEvaluation| diff_markdown(&diff(a, b), Lang::En);
    let often = |passes: usize| several((0..3).map(|run| vec![if run < passes { PASS } else { FAIL }; 2]).collect());
    let more = page(&often(1), &often(2));
    assert!(
        more.contains("completes more: 0 tasks pass anew, 0 fail anew; 2 pass more often, 0 less often\n"),
        "{more}"
    );
    let less = page(&often(2), &often(1));
    assert!(less.contains("0 newly failing, 0 newly passing; 0 pass more often, 2 less often; more runs"), "{less}");
    let timed = |ms: f64| one(vec![(TaskStatus::Pass, Some(1.0), Some(ms))]);
    for (a, b) in [(100.0, 100.04), (100.04, 100.0)] {
        let text = page(&timed(a), &timed(b));
        let rows: Vec<&str> = text.lines().filter(|row| row.contains("+0.0 ms") || row.contains("+0.000")).collect();
        assert!(rows.len() == 2 && !rows.concat().contains(['▲', '▼']), "{text}");
    }
    assert!(page(&timed(100.0), &timed(100.06)).contains("+0.1 ms | ▼"));
}

#[test]
fn many_skills_are_one_question() {
    // P = 0.031 alone; among ten skills Holm asks for 0.005
    let made = |failing: usize| {
        let names: Vec<String> = (0..10).map(|i| format!("s{i}")).collect();
        let skills =
            names.iter().enumerate().map(|(i, name)| (name.as_str(), vec![run(if i == 0 { failing } else { 0 })]));
        Made::of(skills.collect()).evaluation()
    };
    assert!(diff(&made(0), &made(5)).regressed().is_empty());
    assert_eq!(diff(&made(0), &made(9)).regressed(), ["s0"]);
}

#[test]
fn one_skill_each_are_versions_of_each_other() {
    let a = Made::of(vec![("weather_v1", vec![run(5)])]).evaluation();
    let b = Made::of(vec![("weather_v2", vec![run(0)])]).evaluation();
    let found = diff(&a, &b);
    assert_eq!((found.skills[0].a.as_str(), found.skills[0].b.as_str()), ("weather_v1", "weather_v2"));
    assert!(found.only_a.is_empty() && found.only_b.is_empty());
    let two = Made::of(vec![("weather_v2", vec![run(0)]), ("new", vec![run(0)])]).evaluation();
    assert!(matches!(diff_skills(&a, &two, ["", ""], false), Err(DiffError::NoSkill { .. })));
    let both = Made::of(vec![("weather_v1", vec![run(0)]), ("weather_v2", vec![run(0)])]).evaluation();
    let found = diff(&both, &two);
    assert_eq!((found.only_a, found.only_b), (vec!["weather_v1".to_owned()], vec!["new".to_owned()]));
}

#[test]
fn other_benchmarks_and_contents_are_refused_without_force() {
    let a = one(run(0));
    let mut b = one(run(0));
    b.benchmark.hash = "e".repeat(64);
    let refused = diff_skills(&a, &b, ["", ""], false).unwrap_err();
    assert!(matches!(refused, DiffError::Contents { .. }));
    assert!(
        refused.message().to_string().contains("1.2.0 (0123456789ab…) → 1.2.0 (eeeeeeeeeeee…)"),
        "{}",
        refused.message()
    );
    b.benchmark.id = "other".to_owned();
    assert!(matches!(diff_skills(&a, &b, ["", ""], false), Err(DiffError::Benchmark { .. })));
    // forced, only tasks that ask for the same are compared
    b.skills[0].task_results[3].expected = serde_json::json!("changed");
    b.skills[0].task_results.remove(7);
    let found = diff_skills(&a, &b, ["", ""], true).unwrap();
    assert_eq!((found.skills[0].tasks, found.skills[0].left_out.len(), found.same_benchmark), (18, 2, false));
}

#[test]
fn settings_that_differ_are_named() {
    let (a, mut b) = (one(run(0)), one(run(0)));
    b.settings.timeout_ms = 5;
    b.settings.retries = 2;
    let found = diff(&a, &b);
    assert_eq!(found.differs.iter().map(|of| of.what.as_str()).collect::<Vec<_>>(), ["timeoutMs", "retries"]);
}

#[test]
fn for_people() {
    let (a, b) = (one(run(0)), one(run(6)));
    let found = diff(&a, &b);
    let show = Show { lang: Lang::En, width: 80, color: false, exit_code: false };
    insta::assert_snapshot!(format!("{}\n=====\n{}", skill_diff_text(&found, show), diff_markdown(&found, Lang::En)));
}

/// B was stopped after the seven tasks that A passes too: nothing rose, and nothing is known of the rest.
#[test]
fn only_tasks_of_both_sides_are_compared_and_an_incomplete_one_is_named() {
    let a = one((0..20).map(|i| if i == 19 { FAIL } else { PASS }).collect());
    let mut b = Made::of(vec![("adder", vec![vec![PASS; 7]])]);
    b.benchmark.tasks = (0..20).map(|place| super::made::task(place, &["all"])).collect();
    b.status = eval_format::skills::EvaluationStatus::Interrupted;
    let found = diff(&a, &b.evaluation());
    let of = &found.skills[0];
    assert_eq!((of.completion_rate.a, of.completion_rate.b, of.completion_rate.better), (Some(1.0), Some(1.0), None));
    assert_eq!((of.tasks, of.missing.len(), of.left_out.len()), (7, 13, 13));
    assert_eq!(serde_json::to_value(&found).unwrap()["b"]["status"], "interrupted");
    let back = diff(&b.evaluation(), &a);
    assert!(back.skills[0].missing.is_empty() && back.skills[0].left_out.len() == 13);
    let show = Show { lang: Lang::En, width: 80, color: false, exit_code: false };
    for text in [skill_diff_text(&found, show), diff_markdown(&found, Lang::En)] {
        assert!(text.contains("v2 is incomplete: only the tasks that both have are compared"), "{text}");
    }
}

#[test]
fn a_report_without_skills_is_called_that() {
    let none = Made::of(Vec::new()).evaluation();
    let said =
        |a: &SkillEvaluation, b: &SkillEvaluation| diff_skills(a, b, ["", ""], true).unwrap_err().message().to_string();
    assert_eq!(said(&one(run(0)), &none), "the later report holds no skill");
    assert_eq!(said(&none, &one(run(0))), "the earlier report holds no skill");
}
