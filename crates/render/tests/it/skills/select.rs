//! Filter → score → rank → top K.

use eval_format::skills::{EvaluationStatus, SkillEvaluation};
use eval_history::skills::{Candidate, ExclusionReason, Measured, SelectError, Selection, candidates_of, select};
use eval_message::Lang;
use eval_spec::callable::{AdapterType, Filters, SortKey, SortOrder, Strategy};
use serde_json::json;

use super::made::{ERROR, Ended, FAIL, Made, PASS, UNSCORED, skill};

fn candidates(ids: &[&str]) -> Vec<Candidate> {
    ids.iter().map(|id| Candidate::of(&skill(id), format!("skills/{id}/skill.json"))).collect()
}

/// `good` passes 9 of 10 in 100 ms, `fast` 7 in 10 ms, `poor` 5 and errs thrice.
fn measured() -> SkillEvaluation {
    let timed = |ended: Ended, ms: f64| (ended.0, ended.1, Some(ms));
    let mut good = vec![PASS; 9];
    good.push(FAIL);
    let mut fast = vec![timed(PASS, 10.0); 7];
    fast.extend(vec![timed(FAIL, 10.0); 3]);
    let mut poor = vec![PASS; 5];
    poor.extend([FAIL, FAIL, ERROR, ERROR, ERROR]);
    Made::of(vec![("good", vec![good]), ("fast", vec![fast]), ("poor", vec![poor])]).evaluation()
}

fn run(strategy: &Strategy, ids: &[&str]) -> Selection {
    let evaluation = measured();
    select(candidates(ids), Measured::all(&evaluation), strategy, None, Lang::En).unwrap()
}

fn ids(of: &Selection) -> Vec<&str> {
    of.skills.iter().map(|one| one.skill.id.as_str()).collect()
}

const ALL: [&str; 4] = ["poor", "fast", "none", "good"];

#[test]
fn every_candidate_is_selected_or_excluded_with_a_reason() {
    let strategy = Strategy {
        filters: Filters { min_completion_rate: Some(0.6), ..Filters::default() },
        top_k: Some(1),
        ..Strategy::default()
    };
    let selection = run(&strategy, &ALL);
    assert_eq!(ids(&selection), ["good"]);
    let why: Vec<(&str, &str)> = selection.excluded.iter().map(|one| (one.id.as_str(), one.reason.as_str())).collect();
    assert_eq!(
        why,
        [
            ("fast", "ranked 2, only 1 is kept"),
            ("none", "no report has it: evaluate it first"),
            ("poor", "completes 50.0 %, under 60.0 %"),
        ]
    );
    assert_eq!(selection.skills[0].rank, 1);
    assert_eq!(selection.skills[0].score, selection.skills[0].report.summary.composite_score);
}

#[test]
fn each_filter_of_a_strategy() {
    let only = |filters: Filters| {
        let selection = run(&Strategy { filters, ..Strategy::default() }, &["good", "fast", "poor"]);
        let mut ids: Vec<String> = ids(&selection).into_iter().map(str::to_owned).collect();
        ids.sort();
        ids.join(" ")
    };
    assert_eq!(only(Filters { min_completion_rate: Some(0.7), ..Filters::default() }), "fast good");
    assert_eq!(only(Filters { max_error_rate: Some(0.29), ..Filters::default() }), "fast good");
    assert_eq!(only(Filters { max_error_rate: Some(0.3), ..Filters::default() }), "fast good poor");
    assert_eq!(only(Filters { max_latency_p95_ms: Some(50.0), ..Filters::default() }), "fast");
    assert_eq!(only(Filters { adapter_types: Some(vec![AdapterType::Http]), ..Filters::default() }), "");
    assert_eq!(
        only(Filters { adapter_types: Some(vec![AdapterType::Subprocess]), ..Filters::default() }),
        "fast good poor"
    );
    assert_eq!(only(Filters { required_tags: vec!["math".to_owned()], ..Filters::default() }), "fast good poor");
    assert_eq!(only(Filters { required_tags: vec!["math".to_owned(), "web".to_owned()], ..Filters::default() }), "");
}

#[test]
fn latency_and_cost_ascend_unless_the_order_says_otherwise() {
    let by = |sort_by, order| {
        let strategy = Strategy { sort_by, order, ..Strategy::default() };
        run(&strategy, &["poor", "fast", "good"]).skills.iter().map(|of| of.skill.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(by(SortKey::CompletionRate, None), ["good", "fast", "poor"]);
    assert_eq!(by(SortKey::CompletionRate, Some(SortOrder::Asc)), ["poor", "fast", "good"]);
    assert_eq!(by(SortKey::Latency, None), ["fast", "good", "poor"], "equal latencies break by id");
    assert_eq!(by(SortKey::Latency, Some(SortOrder::Desc)), ["good", "poor", "fast"]);
    assert_eq!(by(SortKey::TokenCost, None), ["fast", "good", "poor"], "all cost the same");
    assert_eq!(by(SortKey::CompositeScore, None), ["good", "fast", "poor"]);
}

#[test]
fn what_is_not_known_comes_last_either_way() {
    let mut evaluation = measured();
    evaluation.skills[0].summary.token_cost = None;
    for order in [None, Some(SortOrder::Asc), Some(SortOrder::Desc)] {
        let strategy = Strategy { sort_by: SortKey::TokenCost, order, ..Strategy::default() };
        let selection =
            select(candidates(&["good", "fast"]), Measured::all(&evaluation), &strategy, None, Lang::En).unwrap();
        assert_eq!(ids(&selection), ["fast", "good"]);
    }
}

#[test]
fn the_newest_report_of_a_skill_counts() {
    let old = measured();
    let mut new = measured();
    new.id = "20260302-120000".to_owned();
    // later, though its text sorts earlier
    new.finished_at = "2026-03-01T11:00:09-05:00".to_owned();
    new.skills[0].summary.completion_rate = Some(0.1);
    for reports in [[&old, &new], [&new, &old]] {
        let all = reports.into_iter().flat_map(Measured::all);
        let selection = select(candidates(&["good"]), all, &Strategy::default(), None, Lang::En).unwrap();
        assert_eq!(selection.skills[0].report.summary.completion_rate, Some(0.1));
    }
}

#[test]
fn reports_of_one_benchmark_count_the_newest_ones_or_those_asked_for() {
    let mut other = Made::of(vec![("other", vec![vec![PASS]]), ("good", vec![vec![FAIL]])]).evaluation();
    (other.id, other.finished_at) = ("20260302-120000".to_owned(), "2026-03-02T12:00:00Z".to_owned());
    (other.benchmark.id, other.benchmark.hash) = ("second".to_owned(), "f".repeat(64));
    let first = measured();
    let all = || Measured::all(&first).chain(Measured::all(&other));
    let selected = |asked| select(candidates(&["good", "fast", "other"]), all(), &Strategy::default(), asked, Lang::En);
    let newest = selected(None).unwrap();
    assert_eq!((ids(&newest), newest.benchmark.as_ref().unwrap().id.as_str()), (vec!["other", "good"], "second"));
    assert_eq!(newest.skills[1].report.summary.completion_rate, Some(0.0), "of the same benchmark");
    assert_eq!(newest.elsewhere(), 1);
    assert_eq!(
        newest.excluded[0].reason,
        format!("measured on another benchmark only: `bench@0123456789ab…` in `{}`", first.id)
    );
    assert_eq!(selected(Some("second")).unwrap(), newest);
    let asked = selected(Some("bench")).unwrap();
    assert_eq!((ids(&asked), asked.excluded[0].id.as_str()), (vec!["good", "fast"], "other"));
    let unknown = selected(Some("third")).unwrap_err();
    assert!(matches!(&unknown, SelectError::Benchmark { known, .. } if *known == ["bench", "second"]));
    // those of others don't matter
    let alone = select(candidates(&["fast"]), all(), &Strategy::default(), None, Lang::En).unwrap();
    assert_eq!(ids(&alone), ["fast"]);
}

#[test]
fn a_skill_of_which_nothing_counted_is_not_selected() {
    let mut evaluation = measured();
    evaluation.skills[0].summary.completion_rate = None;
    let found = select(candidates(&["good", "fast"]), Measured::all(&evaluation), &Strategy::default(), None, Lang::En)
        .unwrap();
    assert_eq!((ids(&found), &found.excluded[0].why), (vec!["fast"], &ExclusionReason::Unmeasured));
}

#[test]
fn a_reason_shows_as_many_decimals_as_it_takes() {
    let why = |why: ExclusionReason| why.message().to_string();
    assert_eq!(
        why(ExclusionReason::CompletionRate { value: Some(2.0 / 3.0), least: 0.6667 }),
        "completes 66.667 %, under 66.670 %"
    );
    assert_eq!(why(ExclusionReason::ErrorRate { value: Some(0.1004), most: 0.1 }), "errors 10.04 %, over 10.00 %");
    assert_eq!(why(ExclusionReason::LatencyP95 { value: Some(1020.0), most: 1000.0 }), "P95 1.02 s, over 1.00 s");
    assert_eq!(why(ExclusionReason::CompletionRate { value: Some(0.5), least: 0.6 }), "completes 50.0 %, under 60.0 %");
}

#[test]
fn a_selection_is_a_list_of_candidates_again() {
    let selection = run(&Strategy::default(), &ALL);
    let document = serde_json::to_value(&selection).unwrap();
    assert_eq!(document["kind"], "eval-skills-selection");
    assert_eq!(document["skills"][0]["adapterType"], "subprocess");
    let again = candidates_of(&document).unwrap();
    assert_eq!(again, candidates(&["good", "fast", "poor"]));
    let plain = candidates_of(&json!([{"id": "x", "adapterType": "http", "entrypoint": "http://y"}])).unwrap();
    assert_eq!((plain[0].id.as_str(), plain[0].adapter_type), ("x", Some(AdapterType::Http)));
    let of_report = candidates_of(&serde_json::to_value(measured()).unwrap()).unwrap();
    assert_eq!(of_report.len(), 3);
    for wrong in [json!({}), json!([{"name": "x"}]), json!([7]), json!("x")] {
        assert!(matches!(candidates_of(&wrong), Err(SelectError::Candidates { .. })), "{wrong}");
    }
}

#[test]
fn two_candidates_with_one_id_are_one() {
    let selection = run(&Strategy::default(), &["good", "good"]);
    assert_eq!(ids(&selection), ["good"]);
    assert_eq!(selection.excluded[0].why, ExclusionReason::SameId);
}

#[test]
fn an_incomplete_report_is_no_measurement() {
    let complete = measured();
    let mut stopped = measured();
    stopped.id = "20260302-120000".to_owned();
    stopped.finished_at = "2026-03-02T12:00:09Z".to_owned();
    stopped.status = EvaluationStatus::Interrupted;
    stopped.benchmark.hash = "f".repeat(64);
    let selected = |reports: &[&SkillEvaluation]| {
        let all = reports.iter().flat_map(|of| Measured::all(of));
        select(candidates(&["good"]), all, &Strategy::default(), None, Lang::En).unwrap()
    };
    assert_eq!(selected(&[&complete, &stopped]).skills[0].report.evaluation, complete.id, "not the newer one");
    let none = selected(&[&stopped]);
    assert_eq!(none.excluded[0].why, ExclusionReason::Incomplete { evaluation: stopped.id.clone() });
    assert_eq!((none.skills.len(), none.benchmark), (0, None));
}

#[test]
fn what_could_not_be_counted_is_not_selected() {
    let mut endings = vec![UNSCORED; 9];
    endings.push(PASS);
    let evaluation = Made::of(vec![("dark", vec![endings])]).evaluation();
    let found =
        select(candidates(&["dark"]), Measured::all(&evaluation), &Strategy::default(), None, Lang::En).unwrap();
    assert_eq!(found.excluded[0].why, ExclusionReason::Uncounted { uncounted: 9, tried: 10 });
}

#[test]
fn a_skill_that_changed_since_it_was_measured_is_stale() {
    let mut all = candidates(&["good", "poor", "fast", "none"]);
    all[0].skill_hash = Some("another".to_owned());
    all[1].skill_hash = Some("another".to_owned());
    all[2].skill_hash = None;
    let strategy =
        Strategy { filters: Filters { min_completion_rate: Some(0.6), ..Filters::default() }, ..Strategy::default() };
    let found = select(all, Measured::all(&measured()), &strategy, None, Lang::En).unwrap();
    assert_eq!(found.stale().collect::<Vec<_>>(), ["good", "poor"]);
    let document = serde_json::to_value(&found).unwrap();
    assert_eq!(document["skills"][0]["stale"], true);
    assert_eq!((&document["skills"][1]["id"], &document["skills"][1]["stale"]), (&json!("fast"), &json!(null)));
}

#[test]
fn tags_are_tags_whatever_their_case() {
    let strategy = Strategy {
        filters: Filters { required_tags: vec!["MATH".to_owned()], ..Filters::default() },
        ..Strategy::default()
    };
    assert_eq!(ids(&run(&strategy, &["good"])), ["good"]);
}

/// As of skills whose files alone are looked at.
#[test]
fn without_a_composite_score_the_completion_rate_ranks() {
    let mut evaluation = measured();
    evaluation.skills.iter_mut().for_each(|of| of.summary.composite_score = None);
    let all = candidates(&["fast", "good", "poor"]);
    let found = select(all, Measured::all(&evaluation), &Strategy::default(), None, Lang::En).unwrap();
    assert_eq!(ids(&found), ["good", "fast", "poor"]);
}
