//! The benchmarks that are compiled in: their counts, and that a right answer passes and a wrong one doesn't.

use std::collections::BTreeMap;
use std::path::PathBuf;

use eval_grade::scorer::{Scoring, ScoringSetup};
use eval_load as load;
use eval_message::Lang;
use eval_spec::Context;
use eval_spec::callable::{Benchmark, Scorer, ScorerType, Task};
use eval_spec::context::Clock;
use serde_json::{Value, json};

use super::{check, score, skill, verdict};

pub(crate) fn context() -> Context {
    Context {
        cwd: PathBuf::from("/"),
        home: PathBuf::from("/"),
        env: BTreeMap::new(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        outputs: Vec::new(),
        clock: Clock::System,
        in_inputs: std::collections::BTreeSet::new(),
    }
}

fn built_in(id: &str) -> Benchmark {
    load::benchmark(&context(), id, None, ScorerType::ExactMatch).unwrap().value
}

/// Sums, products and parentheses, left to right, products first.
fn value_of(expression: &str) -> f64 {
    struct Reader<'a>(&'a [u8]);
    impl Reader<'_> {
        fn next(&mut self, of: &[u8]) -> Option<u8> {
            let (first, rest) = self.0.split_first().filter(|(first, _)| of.contains(first))?;
            self.0 = rest;
            Some(*first)
        }
        fn sum(&mut self) -> f64 {
            let mut value = self.product();
            while let Some(sign) = self.next(b"+-") {
                let right = self.product();
                value = if sign == b'+' { value + right } else { value - right };
            }
            value
        }
        fn product(&mut self) -> f64 {
            let mut value = self.factor();
            while let Some(sign) = self.next(b"*/%") {
                let right = self.factor();
                value = match sign {
                    b'*' => value * right,
                    b'/' => value / right,
                    _ => value % right,
                };
            }
            value
        }
        fn factor(&mut self) -> f64 {
            if self.next(b"-").is_some() {
                return -self.factor();
            }
            if self.next(b"(").is_some() {
                let value = self.sum();
                self.next(b")").unwrap();
                return value;
            }
            let mut digits = String::new();
            while let Some(digit) = self.next(b"0123456789.") {
                digits.push(char::from(digit));
            }
            digits.parse().unwrap()
        }
    }
    Reader(expression.as_bytes()).sum()
}

/// What a right skill answers.
fn solved(input: &Value) -> Value {
    if let Some(expression) = input["expression"].as_str() {
        return json!(value_of(expression));
    }
    let text = input["text"].as_str().unwrap();
    match input["operation"].as_str().unwrap() {
        "reverse" => json!(text.chars().rev().collect::<String>()),
        "palindrome" => {
            let plain: Vec<char> = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            json!(plain.iter().eq(plain.iter().rev()))
        }
        other => panic!("{other} is not documented"),
    }
}

#[test]
fn coding_easy_has_twenty_tasks_that_a_right_skill_passes() {
    let benchmark = built_in("coding-easy");
    assert_eq!((benchmark.tasks.len(), benchmark.domain.as_str()), (20, "coding"));
    for Task { id, input, scorer, .. } in &benchmark.tasks {
        assert_eq!(scorer.kind(), ScorerType::ExactMatch);
        let right = solved(input);
        let mut forms = vec![right.clone(), json!({"result": right}), json!({"answer": right, "steps": []})];
        if let Some(number) = right.as_f64() {
            forms.extend([json!(number.to_string()), json!({"result": number.to_string()})]);
            forms.extend((number.fract() == 0.0).then(|| json!(format!("{number:.1}"))));
        }
        for form in forms {
            assert_eq!(score(scorer.clone(), &form), Some((true, 1.0)), "{id}: {form}");
        }
        for wrong in [json!(null), json!("wrong"), json!(-1), json!({}), input.clone()] {
            assert_eq!(score(scorer.clone(), &wrong), Some((false, 0.0)), "{id}: {wrong}");
        }
    }
    // The issue's own example of a number.
    let hundred = benchmark.tasks.iter().find(|task| task.input == json!({"expression": "100/4"})).unwrap();
    for form in [json!(25), json!(25.0), json!("25"), json!("25.0")] {
        assert_eq!(score(hundred.scorer.clone(), &form), Some((true, 1.0)), "{form}");
    }
}

#[test]
fn web_search_basic_has_keywords_and_structure() {
    let benchmark = built_in("web-search-basic");
    assert_eq!((benchmark.tasks.len(), benchmark.domain.as_str()), (8, "web"));
    let (mut keywords, mut schemas) = (0, 0);
    for task in &benchmark.tasks {
        let query = task.input["query"].as_str().unwrap();
        let (passed, _) = score(task.scorer.clone(), &json!({"query": query, "results": []})).unwrap();
        assert!(!passed, "{query}");
        match &task.scorer {
            Scorer::Contains { keywords: words, .. } => {
                keywords += 1;
                let echo = check(task.scorer.clone(), &json!(query).to_string());
                assert_ne!(verdict(&echo), Some((true, 1.0)), "the query alone must not pass: {query}");
                let found = json!({"results": [{"title": words.join(" "), "url": "https://example.org"}]});
                assert_eq!(score(task.scorer.clone(), &found), Some((true, 1.0)));
            }
            Scorer::JsonSchema { .. } => {
                schemas += 1;
                let results = json!([{"title": "A page", "url": "https://example.org", "snippet": "text"}]);
                for form in [results.clone(), json!({"results": results}), json!({"result": results})] {
                    assert_eq!(score(task.scorer.clone(), &form), Some((true, 1.0)), "{form}");
                }
                // what stands beside them is the skill's affair
                let beside = json!({"results": results, "output": "2 pages found", "items": 2});
                assert_eq!(score(task.scorer.clone(), &beside), Some((true, 1.0)));
                let elsewhere = json!({"results": [], "output": "2 pages found"});
                assert_eq!(score(task.scorer.clone(), &elsewhere), Some((false, 0.0)));
                for wrong in [json!([]), json!([{"snippet": "x"}]), json!("text"), json!([{"url": 1, "title": ""}])] {
                    assert_eq!(score(task.scorer.clone(), &wrong), Some((false, 0.0)), "{wrong}");
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((keywords, schemas), (6, 2));
}

#[test]
fn skill_quality_looks_at_five_things_without_a_call() {
    let benchmark = built_in("skill-quality");
    assert_eq!(benchmark.tasks.len(), 5);
    assert!(benchmark.tasks.iter().all(|task| !task.scorer.kind().calls_skill()));
    let mut checks: Vec<String> = benchmark.tasks.iter().map(|task| format!("{:?}", task.scorer)).collect();
    checks.sort();
    checks.dedup();
    assert_eq!(checks.len(), 5);
}

#[test]
fn the_data_of_others_is_not_included_and_says_how_to_import_it() {
    for (id, format) in [("gaia-v1", "benchmark import gaia"), ("toolbench-lite", "benchmark import toolbench")] {
        let refused = load::benchmark(&context(), id, None, ScorerType::ExactMatch).unwrap_err();
        let help = refused.0[0].help.as_ref().unwrap().to_string();
        assert!(refused.has_errors() && help.contains(format), "{refused}: {help}");
    }
    let all = load::benchmarks(&context(), None, ScorerType::ExactMatch).unwrap().value;
    let counts: Vec<(&str, usize)> = all.iter().map(|one| (one.id.as_str(), one.tasks.len())).collect();
    let expected =
        [("coding-easy", 20), ("skill-quality", 5), ("web-search-basic", 8), ("gaia-v1", 0), ("toolbench-lite", 0)];
    assert_eq!(counts, expected);
    for benchmark in &all {
        assert!(Scoring::new(&benchmark.tasks, &[skill()], ScoringSetup::default()).is_ok(), "{}", benchmark.id);
    }
}
