//! The table of types, and the texts.

use std::collections::BTreeSet;

use eval_grade::{TYPES, layer_of, type_specs};
use eval_message::{CATALOGUES, Lang, has};
use eval_spec::Layer;
use serde_json::json;

use crate::make::assertion;

#[test]
fn every_type_of_the_seeds_is_there_once_in_its_layer() {
    let names = |layer| {
        let mut names: Vec<&str> =
            type_specs().iter().filter(|spec| spec.layer == layer).map(|spec| spec.name).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(
        names(Layer::Fact),
        "answer_relevancy bleu_min contains contains_all contains_any context_recall ends_with equals faithfulness \
         json_schema json_valid levenshtein_max not_contains not_equals regex rouge_n_min semantic_similarity \
         starts_with tool_input_contains tool_input_not_contains tool_output_contains"
    );
    assert_eq!(
        names(Layer::Behavior),
        "assert-set cost_max custom latency_max max_length min_length mock_hit tools_called tools_count_max \
         tools_count_min tools_not_called turns_max turns_min word_count_max word_count_min"
    );
    assert_eq!(names(Layer::Judge), "");
    let judged: Vec<&str> = type_specs().iter().filter(|spec| spec.judged).map(|spec| spec.name).collect();
    assert_eq!(judged, ["semantic_similarity", "faithfulness", "answer_relevancy", "context_recall"]);
    assert_eq!(TYPES.iter().map(|kind| kind.spec.name).collect::<BTreeSet<_>>().len(), TYPES.len());
}

#[test]
fn a_type_that_does_not_exist_has_no_layer() {
    assert_eq!(layer_of(&assertion(&json!({"type": "contains"}))), Some(Layer::Fact));
    assert_eq!(layer_of(&assertion(&json!({"type": "contians"}))), None);
}

#[test]
fn every_text_exists_in_both_languages_with_the_same_arguments() {
    let mut used = BTreeSet::new();
    collect_keys(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut used);
    assert!(used.len() > 100, "{}", used.len());
    for key in &used {
        assert!(has(Lang::En, key) && has(Lang::Zh, key), "{key}");
    }
    let (_, english, chinese) = CATALOGUES.iter().find(|(name, ..)| *name == "grade").unwrap();
    let (english, chinese) = (entries(english), entries(chinese));
    assert_eq!(english, chinese);
    let written: BTreeSet<&str> = english.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(written, used.iter().map(String::as_str).collect(), "no text without a use");
}

fn entries(catalogue: &str) -> Vec<(String, BTreeSet<String>)> {
    let lines = catalogue.lines().filter_map(|line| line.split_once(" = "));
    let arguments =
        |text: &str| text.split("{ $").skip(1).filter_map(|rest| rest.split(' ').next().map(str::to_owned)).collect();
    lines.filter(|(key, _)| !key.starts_with('#')).map(|(key, text)| (key.to_owned(), arguments(text))).collect()
}

fn collect_keys(directory: &std::path::Path, keys: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            collect_keys(&entry.path(), keys);
        } else {
            let source = std::fs::read_to_string(entry.path()).unwrap();
            keys.extend(source.split('"').filter(|text| text.starts_with("grade-")).map(str::to_owned));
        }
    }
}
