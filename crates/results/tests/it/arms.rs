//! Which arm is compared with which.

use eval_results::{ArrangeOptions, ControlChoice, TableColumns};

use crate::tables::{csv, refusal};

const THREE: &str = "id,arm,score\n1,a,1\n1,b,0\n1,c,1\n2,a,1\n2,b,0\n2,c,1\n";

fn options(control: Option<&str>, treatments: &[&str]) -> ArrangeOptions {
    ArrangeOptions {
        control: control.map(str::to_owned),
        treatments: treatments.iter().map(|&name| name.to_owned()).collect(),
        ..ArrangeOptions::default()
    }
}

#[test]
fn the_control_is_named_or_is_called_so_or_comes_first_of_two() {
    let by = |text: &str, options: &ArrangeOptions| {
        let found = csv(text).read(TableColumns::default(), options).unwrap();
        (found.arms.clone(), found.choice.by)
    };
    let names = |of: &[&str]| of.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(by(THREE, &options(Some("b"), &[])), (names(&["b", "a", "c"]), ControlChoice::Named));
    assert_eq!(by(THREE, &options(Some("b"), &["c"])), (names(&["b", "c"]), ControlChoice::Named));
    assert_eq!(by(THREE, &options(None, &["a", "c"])), (names(&["b", "a", "c"]), ControlChoice::First));
    let two = "id,arm,score\n1,new,1\n1,other,0\n";
    assert_eq!(by(two, &options(None, &[])), (names(&["new", "other"]), ControlChoice::First));
    let called = "id,arm,score\n1,new,1\n1,Baseline,0\n1,x,1\n";
    assert_eq!(by(called, &options(None, &[])), (names(&["Baseline", "new", "x"]), ControlChoice::ByName));
}

#[test]
fn an_arm_that_is_not_there_or_is_both_is_refused() {
    let refused = |options| refusal(csv(THREE).read(TableColumns::default(), &options));
    assert!(refused(options(Some("z"), &[])).contains("`a`, `b`, `c`"));
    assert!(refused(options(Some("a"), &["a"])).starts_with("`a` is named as control and as treatment"));
    let by = ArrangeOptions { by: Some("prompt".into()), ..ArrangeOptions::default() };
    assert!(refused(by).ends_with("`--by` takes one of `arm`"));
}

#[test]
fn cases_that_an_arm_lacks_are_listed_and_not_planned_in_it_where_that_is_wanted() {
    let text = "id,arm,score\n1,a,1\n1,b,0\n2,a,1\n3,b,1\n";
    let found = csv(text).plain().unwrap();
    assert_eq!((found.cases.len(), found.imported.unpaired_cases), (3, 2));
    let unpaired = &found.imported.unpaired;
    assert_eq!((unpaired[0].case.as_str(), unpaired[0].only_in.as_slice()), ("2", ["a".to_owned()].as_slice()));
    let only = ArrangeOptions { paired_only: true, ..ArrangeOptions::default() };
    let found = csv(text).read(TableColumns::default(), &only).unwrap();
    assert_eq!((found.cases.len(), found.imported.unpaired_cases), (3, 2));
    let planned: Vec<[usize; 2]> = found.cases.iter().map(|case| [0, 1].map(|arm| found.planned(case, arm))).collect();
    assert_eq!(planned, [[1, 1], [1, 0], [0, 1]]);
}
