//! A skill over time.

use eval_format::skills::SkillEvaluation;
use eval_history::skills::{HistoryPoint, trend};
use eval_message::Lang;
use eval_render::Show;
use eval_render::skills::skill_trend_text;

use super::made::{FAIL, PASS, one};

fn point(of: &SkillEvaluation, day: u32, hash: &str, skill_hash: &str) -> HistoryPoint {
    let skill = &of.skills[0];
    HistoryPoint {
        evaluation: format!("2026030{day}-120000"),
        finished_at: format!("2026-03-0{day}T12:00:00Z"),
        is_complete: day != 3,
        benchmark: "bench".to_owned(),
        benchmark_version: "1.0.0".to_owned(),
        benchmark_hash: hash.repeat(32),
        runs: 1,
        skill_version: "1.0.0".to_owned(),
        skill_hash: skill_hash.to_owned(),
        counts: skill.counts,
        summary: skill.summary.clone(),
    }
}

#[test]
fn contents_that_changed_are_another_series() {
    let (good, poor) = (one(vec![PASS; 4]), one(vec![PASS, FAIL, FAIL, FAIL]));
    let history = vec![
        point(&good, 4, "cd", "x"),
        point(&poor, 1, "ab", "x"),
        point(&good, 3, "ab", "y"),
        point(&good, 2, "ab", "x"),
    ];
    let found = trend("adder", history);
    let rates: Vec<Vec<f64>> = found
        .series
        .iter()
        .map(|series| series.points.iter().map(|point| point.completion_rate.unwrap()).collect())
        .collect();
    assert_eq!(rates, [vec![0.25, 1.0, 1.0], vec![1.0]], "by time, contents apart");
    let changed: Vec<Option<bool>> = found.series[0].points.iter().map(|point| point.skill_changed).collect();
    assert_eq!(changed, [None, Some(false), Some(true)]);
    let show = Show { lang: Lang::En, width: 80, color: false, exit_code: false };
    insta::assert_snapshot!(skill_trend_text(&found, show));
    assert!(skill_trend_text(&trend("nobody", Vec::new()), show).contains("no finished evaluation of `nobody`"));
}
