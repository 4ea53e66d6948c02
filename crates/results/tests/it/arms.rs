//! Choosing arms and the control.

use eval_results::{ArrangeOptions, ControlChoice, ReadOptions, TableColumns, WholeFile, arrange, read_results};

use crate::tables::{TestFiles, csv, refusal};

const THREE: &str = "id,arm,score\n1,a,1\n1,b,0\n1,c,1\n2,a,1\n2,b,0\n2,c,1\n";

fn options(control: Option<&str>, treatments: &[&str]) -> ArrangeOptions {
    ArrangeOptions {
        control: control.map(str::to_owned),
        treatments: treatments.iter().map(|&name| name.to_owned()).collect(),
        ..ArrangeOptions::default()
    }
}

#[test]
fn control_is_named_or_has_a_usual_name_or_comes_first_of_two() {
    let by = |text: &str, options: &ArrangeOptions| {
        let results = csv(text).read(TableColumns::default(), options).unwrap();
        (results.arms.clone(), results.choice.by)
    };
    let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(by(THREE, &options(Some("b"), &[])), (names(&["b", "a", "c"]), ControlChoice::Named));
    assert_eq!(by(THREE, &options(Some("b"), &["c"])), (names(&["b", "c"]), ControlChoice::Named));
    assert_eq!(by(THREE, &options(None, &["a", "c"])), (names(&["b", "a", "c"]), ControlChoice::First));
    let two = "id,arm,score\n1,new,1\n1,other,0\n";
    assert_eq!(by(two, &options(None, &[])), (names(&["new", "other"]), ControlChoice::First));
    let with_baseline = "id,arm,score\n1,new,1\n1,Baseline,0\n1,x,1\n";
    assert_eq!(by(with_baseline, &options(None, &[])), (names(&["Baseline", "new", "x"]), ControlChoice::ByName));
}

#[test]
fn arm_that_does_not_exist_or_is_control_and_treatment_is_refused() {
    let refused = |options| refusal(csv(THREE).read(TableColumns::default(), &options));
    assert!(refused(options(Some("z"), &[])).contains("`a`, `b`, `c`"));
    assert!(refused(options(Some("a"), &["a"])).starts_with("`a` is named as control and as treatment"));
    let by = ArrangeOptions { by: Some("prompt".into()), ..ArrangeOptions::default() };
    assert!(refused(by).ends_with("`--by` takes one of `arm`"));
}

#[test]
fn unpaired_cases_are_listed_and_with_paired_only_not_planned() {
    let text = "id,arm,score\n1,a,1\n1,b,0\n2,a,1\n3,b,1\n";
    let results = csv(text).arrange().unwrap();
    assert_eq!((results.cases.len(), results.imported.unpaired_cases), (3, 2));
    let unpaired = &results.imported.unpaired;
    assert_eq!((unpaired[0].case.as_str(), unpaired[0].only_in.as_slice()), ("2", ["a".to_owned()].as_slice()));
    let only = ArrangeOptions { paired_only: true, ..ArrangeOptions::default() };
    let results = csv(text).read(TableColumns::default(), &only).unwrap();
    assert_eq!((results.cases.len(), results.imported.unpaired_cases), (3, 2));
    let planned: Vec<[usize; 2]> =
        results.cases.iter().map(|case| [0, 1].map(|arm| results.planned(case, arm))).collect();
    assert_eq!(planned, [[1, 1], [1, 0], [0, 1]]);
}

/// Returns all treatments in the files, of which only `treatment` is compared with `control`.
fn whole(files: &TestFiles, control: &str, treatment: &str) -> Option<WholeFile> {
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
fn all_treatments_of_a_file_are_found_if_one_is_compared() {
    let arms = |whole: Option<WholeFile>| whole.map(|whole| (whole.treatments, whole.arranged.map(|all| all.arms)));
    let named = |treatments, names: &[&str]| {
        Some((treatments, Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())))
    };
    assert_eq!(arms(whole(&csv(THREE), "b", "c")), named(2, &["b", "a", "c"]));
    assert_eq!(arms(whole(&csv("id,arm,score\n1,a,1\n1,b,0\n"), "a", "b")), None);
    // an arm on another scale can't be compared with the others
    assert_eq!(arms(whole(&csv(&THREE.replace("2,a,1", "2,a,7")), "b", "c")), Some((2, None)));
}

#[test]
fn columns_of_scores_that_are_not_named_are_treatments_too() {
    let rows = [
        "{\"id\": \"1\", \"topic\": \"x\", \"seconds\": 3, \"base\": 0, \"new\": 1, \"other\": true, \"empty\": null}",
        "{\"id\": \"2\", \"topic\": \"1\", \"seconds\": 1, \"base\": 1, \"new\": 1, \"other\": 0.5, \"error\": 0}",
    ];
    let table = csv("id,topic,seconds,base,new,other,empty,error\n1,x,3,0,1,true,,0\n2,1,1,1,1,0.5,,0\n");
    for files in [table, TestFiles::new(&[("scores.jsonl", &rows.join("\n"))])] {
        let results = whole(&files, "base", "new").unwrap();
        assert_eq!(
            (results.treatments, results.arranged.unwrap().arms),
            (2, vec!["base".into(), "new".into(), "other".into()])
        );
        assert!(results.note.unwrap().to_string().starts_with("the column `other` holds scores as well"));
    }
    assert!(whole(&csv("id,base,new,topic\n1,0,1,x\n"), "base", "new").is_none());
}
