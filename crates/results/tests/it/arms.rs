//! Which arm is compared with which.

use eval_results::{ArrangeOptions, ControlChoice, ReadOptions, TableColumns, WholeFile, arrange, read_results};

use crate::tables::{Written, csv, refusal};

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

/// All treatments of the files where `treatment` is compared with `control`.
fn whole(files: &Written, control: &str, treatment: &str) -> Option<WholeFile> {
    let columns = TableColumns { arms: vec![control.to_owned(), treatment.to_owned()], ..TableColumns::default() };
    let reading = ReadOptions { columns, ..ReadOptions::default() };
    let read = |path| read_results(path, "scores".to_owned(), &reading).unwrap();
    let files: Vec<_> = files.paths.iter().map(|path| read(path)).collect();
    let options = options(Some(control), &[treatment]);
    let compared = arrange(files.clone(), &options).unwrap();
    assert_eq!(compared.arms, [control, treatment]);
    WholeFile::arrange(files, &options, &compared)
}

#[test]
fn all_treatments_of_a_file_are_found_beside_the_one_that_is_compared() {
    let arms = |of: Option<WholeFile>| of.map(|of| (of.treatments, of.arranged.map(|of| of.arms)));
    let named = |treatments, names: &[&str]| {
        Some((treatments, Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())))
    };
    assert_eq!(arms(whole(&csv(THREE), "b", "c")), named(2, &["b", "a", "c"]));
    assert_eq!(arms(whole(&csv("id,arm,score\n1,a,1\n1,b,0\n"), "a", "b")), None);
    // an arm of another scale can't be read with the rest
    assert_eq!(arms(whole(&csv(&THREE.replace("2,a,1", "2,a,7")), "b", "c")), Some((2, None)));
}

#[test]
fn columns_of_scores_that_are_not_named_are_treatments_too() {
    let rows = [
        "{\"id\": \"1\", \"topic\": \"x\", \"seconds\": 3, \"base\": 0, \"new\": 1, \"other\": true, \"empty\": null}",
        "{\"id\": \"2\", \"topic\": \"1\", \"seconds\": 1, \"base\": 1, \"new\": 1, \"other\": 0.5, \"error\": 0}",
    ];
    let table = csv("id,topic,seconds,base,new,other,empty,error\n1,x,3,0,1,true,,0\n2,1,1,1,1,0.5,,0\n");
    for files in [table, Written::new(&[("scores.jsonl", &rows.join("\n"))])] {
        let found = whole(&files, "base", "new").unwrap();
        assert_eq!(
            (found.treatments, found.arranged.unwrap().arms),
            (2, vec!["base".into(), "new".into(), "other".into()])
        );
        assert!(found.note.unwrap().to_string().starts_with("the column `other` holds scores as well"));
    }
    assert!(whole(&csv("id,base,new,topic\n1,0,1,x\n"), "base", "new").is_none());
}
