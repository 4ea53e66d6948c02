//! Data sets made to buy a verdict, each beside a fair twin that keeps its own.
//!
//! Scores are hundredths of a layer: `k` is `1 + 0.04·k` points. The control scores 66 to 85, about 4 points.

use eval_spec::call::{Cost, CostSource};
use eval_spec::units::Usd;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};

use crate::fixtures::recorded::{CellIndex, RecordedProject, RecordedResult, assertions, both, ended, fact};
use crate::fixtures::scores::{gain, ground, number, paired, reasons, tier};

/// The tier and the reasons of a project's only treatment; whatever it is, `omk report verdict` comes to the same.
#[track_caller]
fn verdict(prepared: &RecordedProject, flags: &[&str]) -> (String, Vec<String>) {
    let report = prepared.report(0, &[&["--report-only"], flags].concat());
    let path = std::fs::read_dir(prepared.context.path("out")).unwrap().next().unwrap().unwrap().path();
    let again = prepared.context.run(&["report", "verdict", path.to_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!(again["agrees"], true, "{again:#}");
    (tier(&report).to_owned(), reasons(&report, 0))
}

#[track_caller]
fn is(prepared: &RecordedProject, expected: &str, reason: Option<&str>) {
    let (tier, reasons) = verdict(prepared, &[]);
    assert_eq!(tier, expected, "{reasons:?}");
    let named = reason.is_none_or(|reason| reasons.iter().any(|named| named == reason));
    assert!(named, "{reason:?} is not among {reasons:?}");
}

fn runs(samples: usize, repeats: u32, result_of: impl Fn(CellIndex) -> RecordedResult) -> RecordedProject {
    RecordedProject::new(samples, &["v1", "v2"], repeats, &[Layer::Fact], result_of)
}

/// The treatment's score, `more` hundredths above the control's.
fn scored(at: CellIndex, more: u32) -> RecordedResult {
    fact(ground(at.sample) + if at.variant == 1 { more } else { 0 })
}

#[test]
fn pairs_lost_where_they_would_have_hurt_are_no_progress() {
    let lost = |crashes: fn(CellIndex) -> bool, more: fn(usize) -> u32| {
        runs(60, 1, move |at| match crashes(at) {
            true => RecordedResult::Failed(Failure::Crashed),
            false => scored(at, more(at.sample)),
        })
    };
    // a tenth in each arm, on different samples: within every limit on shares
    let in_both =
        |at: CellIndex| (at.variant == 1 && at.sample < 6) || (at.variant == 0 && (6..12).contains(&at.sample));
    is(&lost(in_both, gain), "CAUTIOUS", Some("report-doubt-lost"));
    // one lost pair of sixty can't undo a gain of 0.8
    let one = |at: CellIndex| at.variant == 1 && at.sample == 7;
    is(&lost(one, |sample| 9 + gain(sample) / 2), "PROGRESS", None);
}

#[test]
fn lost_pairs_are_no_sameness_either() {
    let same = |crashes: usize| {
        runs(66, 1, move |at| match at.variant == 1 && at.sample < crashes {
            true => RecordedResult::Failed(Failure::Timeout),
            false if at.variant == 1 => fact(ground(at.sample) + u32::try_from(at.sample % 3).unwrap() - 1),
            false => fact(ground(at.sample)),
        })
    };
    is(&same(6), "UNDERPOWERED", Some("report-doubt-lost"));
    is(&same(0), "NOISE", None);
}

/// Where a check can't be evaluated, the score says nothing of it: such samples are no pair, and what they hide has no bound.
#[test]
fn samples_whose_checks_one_arm_left_out_are_no_sameness() {
    let mut checks = assertions(&[Layer::Behavior]);
    checks.as_array_mut().unwrap().push(json!({"type": "cost_max", "value": 1}));
    let sample =
        |i: usize| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": checks});
    let unpriced = |samples: usize| {
        RecordedProject::with_samples((0..70).map(sample).collect(), &["v1", "v2"], 1, move |at| {
            let RecordedResult::Output(mut output) = both(0, ground(at.sample)) else { unreachable!("an answer") };
            let is_priced = at.variant == 0 || at.sample >= samples;
            output.cost = is_priced.then_some(Cost { usd: Usd(0.5), source: CostSource::Reported });
            RecordedResult::Output(output)
        })
    };
    is(&unpriced(3), "UNDERPOWERED", Some("report-alarm-unlike"));
    is(&unpriced(0), "NOISE", None);
    let report = unpriced(3).report(1, &[]);
    assert_eq!(report["comparisons"][0]["unlike"]["samples"], 3);
    let advice = &report["analysis"]["suggestions"][0];
    assert_eq!(advice["messageKey"]["id"], "report-next-checks", "{advice:#}");
}

#[test]
fn refusing_the_hard_samples_buys_nothing() {
    let refused = |refuses: fn(CellIndex) -> bool| {
        runs(40, 1, move |at| if refuses(at) { ended(Outcome::Refused) } else { scored(at, gain(at.sample)) })
    };
    is(&refused(|at| at.variant == 1 && at.sample < 2), "CAUTIOUS", Some("report-doubt-unanswered"));
    // what both refuse tells nothing apart
    is(&refused(|at| at.sample < 2), "PROGRESS", None);
}

#[test]
fn bad_repeats_that_got_lost_are_no_gain() {
    // as many in each arm, on different samples: within every limit on shares
    let dropped = |crashes: usize| {
        let crashed = move |at: CellIndex| match at.variant {
            1 => at.sample < crashes,
            _ => (crashes..2 * crashes).contains(&at.sample),
        };
        runs(40, 3, move |at| match at.repeat == 0 && crashed(at) {
            true => RecordedResult::Failed(Failure::Crashed),
            false => scored(at, gain(at.sample)),
        })
    };
    is(&dropped(12), "CAUTIOUS", Some("report-doubt-lost"));
    is(&dropped(1), "PROGRESS", None);
}

#[test]
fn one_layer_does_not_pay_for_another() {
    let layers = |[fact, behavior]: [[u32; 2]; 2]| {
        RecordedProject::new(24, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], move |at| {
            let spread = u32::try_from(at.sample % 3).unwrap();
            both(fact[at.variant] - spread, behavior[at.variant] - (2 - spread))
        })
    };
    // from 5.0 to 3.8: it reaches the gate still
    is(&layers([[40, 98], [100, 72]]), "CAUTIOUS", Some("report-doubt-layer-fell"));
    is(&layers([[100, 72], [40, 98]]), "CAUTIOUS", Some("report-doubt-layer-fell"));
    // nor is it nothing where the whole stays the same
    let same = RecordedProject::new(66, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], |at| match at.variant {
        0 => both(80, 80),
        _ => both(84 + u32::try_from(at.sample % 2).unwrap(), 76 - u32::try_from(at.sample % 2).unwrap()),
    });
    is(&same, "CAUTIOUS", Some("report-doubt-layer-fell"));
    is(&layers([[40, 98], [90, 90]]), "PROGRESS", None);
}

/// Forty samples that gain, the first `size` of which declare a capability in which the treatment falls to 1 point.
fn capability(size: usize, falls: bool) -> RecordedProject {
    let sample = |i: usize| {
        let capability = if i <= size { json!(["refund"]) } else { json!(["other"]) };
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "capability": capability,
            "assertions": assertions(&[Layer::Fact])})
    };
    RecordedProject::with_samples((1..=80).map(sample).collect(), &["v1", "v2"], 1, move |at| match at.variant {
        1 if falls && at.sample < size => fact(u32::try_from(at.sample % 2).unwrap()),
        _ if at.sample < size => fact(100 - u32::try_from(at.sample % 2).unwrap()),
        0 => fact(20 + ground(at.sample) - 66),
        _ => fact(95 + u32::try_from(at.sample % 3).unwrap()),
    })
}

#[test]
fn a_collapsed_capability_does_not_ship() {
    is(&capability(8, true), "CAUTIOUS", Some("report-doubt-capability-fell"));
    is(&capability(3, true), "CAUTIOUS", Some("report-doubt-capability-collapsed"));
    is(&capability(8, false), "PROGRESS", None);
    is(&capability(3, false), "PROGRESS", None);
    let report = capability(8, true).report(1, &[]);
    let fell = report["comparisons"][0]["capabilities"].as_array().unwrap().iter().find(|of| of["name"] == "refund");
    assert_eq!((&fell.unwrap()["n"], &fell.unwrap()["tasks"]), (&json!(8), &json!(8)));
    assert!(number(&fell.unwrap()["diff"]["ci"]["high"]) < -3.0);
}

/// `tasks` tasks, each `copies` times under other ids.
fn copied(tasks: usize, copies: usize, prompt: impl Fn(usize, usize) -> String, cluster: bool) -> RecordedProject {
    let sample = |i: usize| {
        let (task, copy) = (i / copies, i % copies);
        let mut sample = json!({"sample_id": format!("s{task:03}-{copy}"), "prompt": prompt(task, copy),
            "assertions": assertions(&[Layer::Fact])});
        if cluster {
            sample["cluster"] = json!(format!("task {task}"));
        }
        sample
    };
    RecordedProject::with_samples((0..tasks * copies).map(sample).collect(), &["v1", "v2"], 1, move |at| {
        let task = at.sample / copies;
        fact(ground(task) + if at.variant == 1 { gain(task) } else { 0 })
    })
}

/// Words enough to compare, different for each task.
fn long(task: usize) -> String {
    let words = ["invoice", "parcel", "refund", "password", "delivery", "contract", "meeting", "holiday"];
    let word = |i: usize| format!("{}{}", words[(task * 3 + i * 5) % 8], task * 31 + i * 17);
    (0..30).map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn copies_count_once() {
    let exact = copied(7, 3, |task, _| long(task), false);
    let near = copied(7, 3, |task, copy| format!("{} {}", long(task), ["now", "please", "today"][copy]), false);
    let declared = copied(7, 3, |task, copy| format!("{} {}", long(task * 3 + copy), copy), true);
    for prepared in [exact, near, declared] {
        let (tier, reasons) = verdict(&prepared, &[]);
        assert_eq!(tier, "CAUTIOUS", "{reasons:?}");
        assert!(reasons.contains(&"report-doubt-pairs".to_owned()), "{reasons:?}");
        assert!(reasons.contains(&"report-why-tasks".to_owned()), "{reasons:?}");
        let report = prepared.report(1, &[]);
        let difference = &report["comparisons"][0];
        assert_eq!((&difference["n"], &difference["diff"]["n"]), (&json!(21), &json!(7)));
        assert_eq!(report["clusters"].as_array().unwrap().len(), 7);
        let marked = |of: &&Value| of["cluster"].is_string();
        assert_eq!(report["results"].as_array().unwrap().iter().filter(marked).count(), 21);
    }
    let distinct = copied(40, 1, |task, _| long(task), false);
    is(&distinct, "PROGRESS", None);
}

#[test]
fn copies_of_the_whole_test_set_change_no_interval() {
    let interval = |copies| {
        let report = copied(42, copies, |task, _| long(task), false).report(0, &["--seed", "5"]);
        let difference = &report["comparisons"][0]["diff"];
        (difference["ci"].clone(), difference["pValue"].clone(), report["summary"]["v2"]["ci"].clone())
    };
    assert_eq!(interval(1), interval(3));
}

#[test]
fn a_small_gain_on_few_samples_may_hide_a_rare_fall() {
    let small = |samples: usize| paired(samples, |i| (ground(i), ground(i) + 3 + u32::try_from(i % 3).unwrap()));
    is(&small(24), "CAUTIOUS", Some("report-doubt-unseen"));
    is(&small(80), "PROGRESS", None);
    let report = small(24).report(1, &[]);
    let doubt = &report["verdict"]["perTreatment"][0]["reasons"][1]["messageKey"]["args"];
    // computed with SciPy
    assert_eq!((&doubt["risk"], &doubt["needed"]), (&json!("35.3 %"), &json!(73.0)));
}

#[test]
fn ties_are_sameness_only_where_enough_kinds_came_up() {
    let ties = |samples: usize| paired(samples, |_| (100, 100));
    is(&ties(20), "UNDERPOWERED", Some("report-doubt-unseen-difference"));
    is(&ties(58), "UNDERPOWERED", Some("report-doubt-unseen-difference"));
    is(&ties(59), "NOISE", None);
}

#[test]
fn a_run_does_not_end_while_what_is_missing_could_turn_it() {
    let decided_after = |crashes: bool| {
        let prepared = runs(100, 1, move |at| match crashes && at.variant == 1 && at.sample % 8 == 0 {
            true => RecordedResult::Failed(Failure::Crashed),
            false => scored(at, 9 + gain(at.sample) / 2),
        });
        prepared.report(0, &["--stop-when-decided", "--report-only"])["stopping"]["decidedAfter"].clone()
    };
    assert!(decided_after(false).as_u64().is_some_and(|samples| samples < 60));
    assert_eq!(decided_after(true), Value::Null);
}

/// Singles gain and clusters fall: nothing on the whole. Drawn sample by sample, clusters would come last.
#[test]
fn clusters_come_no_later_than_single_samples_where_a_run_may_end_early() {
    let sample = |i: usize| {
        let cluster = if i < 60 { json!(format!("single {i}")) } else { json!(format!("cluster {}", (i - 60) / 5)) };
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "cluster": cluster,
            "assertions": assertions(&[Layer::Fact])})
    };
    let prepared = RecordedProject::with_samples((0..210).map(sample).collect(), &["v1", "v2"], 1, |at| {
        let shift = if at.variant == 0 { 0 } else { 1 };
        match at.sample {
            0..60 => fact(50 + shift * (15 + u32::try_from(at.sample % 5).unwrap())),
            _ => fact(50 - shift * (30 + u32::try_from(at.sample % 5).unwrap())),
        }
    });
    let report = prepared.report(0, &["--stop-when-decided", "--report-only"]);
    assert_ne!(tier(&report), "PROGRESS", "{:?}", reasons(&report, 0));
}

/// Eight of two hundred: within every limit on shares, and nothing on the whole.
#[test]
fn a_capability_that_is_not_answered_any_more_does_not_ship() {
    let sample = |i: usize| {
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"),
            "capability": if i < 8 { json!(["refund"]) } else { json!(["other"]) },
            "assertions": assertions(&[Layer::Fact])})
    };
    let unanswered = |is_empty: bool| {
        RecordedProject::with_samples((0..200).map(sample).collect(), &["v1", "v2"], 1, move |at| {
            match (at.variant, at.sample) {
                (1, 0..8) if is_empty => ended(Outcome::Empty),
                (_, 0..8) => fact(95 + u32::try_from(at.sample % 3).unwrap()),
                (0, _) => fact(50 + u32::try_from(at.sample % 7).unwrap()),
                (_, _) => fact(85 + u32::try_from(at.sample % 11).unwrap()),
            }
        })
    };
    is(&unanswered(true), "CAUTIOUS", Some("report-doubt-capability-fell"));
    is(&unanswered(false), "PROGRESS", None);
}
