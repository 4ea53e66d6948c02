//! ROUGE, BLEU and edit distance as Python's packages compute them (`tests/oracle.py`).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::make::{check, refusal};

#[derive(Deserialize)]
struct Case {
    reference: String,
    output: String,
    /// Recall for n = 1, 2, 3.
    rouge: Vec<f64>,
    bleu: f64,
    levenshtein: u64,
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("oracle.json")).unwrap();
    assert!(cases.len() > 50);
    cases
}

fn score(written: Value, output: &str) -> f64 {
    check(written, output).actual.unwrap().as_f64().unwrap()
}

#[test]
fn rouge_agrees_with_rouge_score() {
    for case in cases() {
        for (n, expected) in (1..).zip(&case.rouge) {
            let written = json!({"type": "rouge_n_min", "reference": case.reference, "n": n});
            if refusal(&written).is_some() {
                // Too few words for an n-gram: Python says 0, we say it at load.
                assert_eq!(*expected, 0.0, "{}", case.reference);
                continue;
            }
            let actual = score(written, &case.output);
            assert!((actual - expected).abs() < 1e-9, "{} / {}: {actual}", case.reference, case.output);
        }
    }
}

#[test]
fn bleu_agrees_with_sacrebleu_and_nltk() {
    for case in cases() {
        let written = json!({"type": "bleu_min", "reference": case.reference});
        // such a reference is refused, since every answer has 0
        if refusal(&written).is_some_and(|why| why.contains("runs of four")) {
            assert_eq!(case.bleu, 0.0, "{}", case.reference);
            continue;
        }
        let actual = score(written, &case.output);
        assert!((actual - case.bleu).abs() < 1e-9, "{} / {}: {actual}", case.reference, case.output);
    }
}

#[test]
fn levenshtein_agrees_with_rapidfuzz() {
    for case in cases() {
        let written = json!({"type": "levenshtein_max", "reference": case.reference, "value": 0});
        let actual = check(written, &case.output).actual.unwrap();
        assert_eq!(actual, json!(case.levenshtein), "{} / {}", case.reference, case.output);
    }
}
