//! `assert-set`.

use eval_spec::{Layer, Output};
use serde_json::{Value, json};

use crate::make::{check, check_output, priced, refusal, verdict, why};

fn set(mode: &str, children: &[Value]) -> Value {
    json!({"type": "assert-set", "mode": mode, "children": children})
}

fn pass() -> Value {
    json!({"type": "contains", "value": "x"})
}

fn fail() -> Value {
    json!({"type": "contains", "value": "y"})
}

fn open() -> Value {
    json!({"type": "cost_max", "value": 1})
}

#[test]
fn the_truth_table_of_any_and_all() {
    for (children, any, all) in [
        (vec![pass(), pass()], Some(true), Some(true)),
        (vec![pass(), fail()], Some(true), Some(false)),
        (vec![fail(), fail()], Some(false), Some(false)),
        (vec![pass(), open()], Some(true), None),
        (vec![fail(), open()], None, Some(false)),
        (vec![open(), open()], None, None),
    ] {
        assert_eq!(verdict(&check(set("any", &children), "x")), any, "any of {children:?}");
        assert_eq!(verdict(&check(set("all", &children), "x")), all, "all of {children:?}");
    }
    assert_eq!(why(&check(set("any", &[fail(), open()]), "x")), "the cost is unknown");
}

#[test]
fn sets_nest_and_children_invert() {
    let inner = set("all", &[pass(), json!({"type": "contains", "value": "y", "not": true})]);
    let outer = json!({"type": "assert-set", "mode": "any", "not": true, "weight": 2, "children": [fail(), inner]});
    let check = check(outer, "x");
    assert_eq!(verdict(&check), Some(false));
    assert_eq!(check.weight, 2.0);
    assert_eq!(check.actual.unwrap(), json!({"passed": 1, "failed": 1, "unscored": 0}));
    assert_eq!(check.children[1].children.len(), 2);
    assert_eq!(verdict(&check.children[1].children[1]), Some(true));
}

#[test]
fn the_layer_is_that_of_the_children_or_behaviour() {
    let behaviour = json!({"type": "max_length", "value": 9});
    assert_eq!(check(set("any", &[pass(), fail()]), "x").layer, Layer::Fact);
    assert_eq!(check(set("any", std::slice::from_ref(&behaviour)), "x").layer, Layer::Behavior);
    assert_eq!(check(set("any", &[pass(), behaviour.clone()]), "x").layer, Layer::Behavior);
    assert_eq!(check(set("any", &[set("all", &[pass()]), fail()]), "x").layer, Layer::Fact);
    assert_eq!(check(set("any", &[set("all", &[behaviour]), fail()]), "x").layer, Layer::Behavior);
}

#[test]
fn a_set_counts_once_in_its_layer() {
    use crate::make::{assertion, sample};
    let one = json!({"type": "assert-set", "mode": "all", "weight": 3, "children": [pass(), pass()]});
    let grading = eval_grade::Grading::new(
        &[sample(vec![assertion(&one), assertion(&fail())])],
        eval_grade::GraderSetup::default(),
    )
    .unwrap();
    let grade = grading.grade_now(0, &priced(0.5));
    assert_eq!(grade.layer(Layer::Fact).ratio().unwrap().get(), 0.75);
}

#[test]
fn what_is_wrong_inside_is_found() {
    assert!(refusal(&set("any", &[])).is_some());
    assert!(refusal(&set("some", &[pass()])).is_some());
    let twice = set("any", &[json!({"type": "regex", "pattern": "("}), set("all", &[json!({"type": "contains"})])]);
    assert_eq!(refusal(&twice).unwrap().lines().count(), 2);
}

#[test]
fn an_unscored_set_keeps_its_children() {
    let check = check_output(set("all", &[pass(), open()]), &Output::text("x"));
    assert_eq!(check.children.iter().map(verdict).collect::<Vec<_>>(), [Some(true), None]);
}
