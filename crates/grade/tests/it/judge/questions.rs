//! Questions to judges, as they are asked.

use eval_grade::internals::{Asks, JudgeRequest, Material, Question, RequestPlace, language};
use eval_message::Lang;
use eval_spec::CellKey;
use proptest::prelude::*;

use crate::judge::{ID, questions};

fn question() -> Question {
    Question {
        asks: Asks::Rubric,
        lang: Lang::En,
        dimension: None,
        material: vec![(Material::Task, "the task".into()), (Material::Criteria, "the criteria".into())],
    }
}

fn key(subject: &str) -> CellKey {
    CellKey { sample: "s".into(), subject: subject.into(), repeat: 0 }
}

fn request(answer: &str, subject: &str, judge: usize, repeat: u32, attempt: u32) -> JudgeRequest {
    question().request(answer, true, &RequestPlace { key: &key(subject), judge, repeat, attempt })
}

proptest! {
    #[test]
    fn an_answer_is_shown_whole_between_delimiters_that_it_does_not_contain(answer in any::<String>()) {
        let JudgeRequest { id, prompt, .. } = request(&answer, "v", 0, 0, 0);
        prop_assert!(!answer.contains(&id));
        let begin = format!("<<<{id}\n");
        let end = format!("\n{id}>>>");
        let (_, rest) = prompt.rsplit_once(&begin).unwrap_or_default();
        prop_assert_eq!(rest.split_once(&end).map(|(shown, _)| shown), Some(answer.as_str()));
    }
}

#[test]
fn an_answer_that_contains_its_own_id_gets_another() {
    let id = request("x", "v", 0, 0, 0).id;
    // An answer that contains its id is another answer, with another id.
    let guessed = format!("x {id}");
    assert!(!guessed.contains(&request(&guessed, "v", 0, 0, 0).id));
}

#[test]
fn ids_of_requests_are_unique_and_reproducible() {
    let mut ids = std::collections::BTreeSet::new();
    for (subject, judge, repeat, attempt) in
        [("v", 0, 0, 0), ("w", 0, 0, 0), ("v", 1, 0, 0), ("v", 0, 1, 0), ("v", 0, 0, 1)]
    {
        let id = request("x", subject, judge, repeat, attempt).id;
        assert_eq!(id, request("x", subject, judge, repeat, attempt).id);
        assert!(ids.insert(id));
    }
    assert!(ids.insert(request("y", "v", 0, 0, 0).id));
}

#[test]
fn two_questions_over_the_same_texts_have_two_ids() {
    let questions = questions();
    let which = RequestPlace { key: &key("v"), judge: 0, repeat: 0, attempt: 0 };
    let ids = questions.values().map(|question| question.request("x", true, &which).id);
    assert_eq!(ids.collect::<std::collections::BTreeSet<_>>().len(), questions.len());
}

/// What a judge reads, whole: order, titles and marks are not in the template's hash. Whoever changes one of these
/// on purpose gives the template a new name, since scores before and after are not comparable.
#[test]
fn whole_requests_are_frozen() {
    let hash = |question: &Question| {
        let written = [true, false].map(|debias| question.written("the answer", debias, ID.to_owned()));
        let whole = written.map(|request| format!("{}\u{0}{}", request.system, request.prompt));
        eval_spec::hash::short_hash(whole.join("\u{0}").as_bytes(), 12)
    };
    let questions = questions();
    let hashes: Vec<(&str, String)> = questions.iter().map(|(name, of)| (name.as_str(), hash(of))).collect();
    let frozen = [
        ("dimension en", "fa1d59acacd3"),
        ("dimension zh", "ed456fb9d4de"),
        ("expectation en", "14ca687f26f0"),
        ("expectation zh", "d5e8cf9712c4"),
        ("faithfulness en", "c3bcf51ab42c"),
        ("faithfulness zh", "af9a85802595"),
        ("faithfulness-claims en", "5f9bff32f1d7"),
        ("faithfulness-claims zh", "137f0c74be2b"),
        ("recall en", "15222b1940fe"),
        ("recall zh", "8284a3980050"),
        ("recall-claims en", "5023d7669a57"),
        ("recall-claims zh", "80917108eaee"),
        ("relevancy en", "c2d3aa99995c"),
        ("relevancy zh", "db9d1818fa41"),
        ("rubric en", "fa1d59acacd3"),
        ("rubric zh", "ed456fb9d4de"),
        ("similarity en", "9f7047e6b46c"),
        ("similarity zh", "2362d829c42a"),
    ];
    assert_eq!(hashes, frozen.map(|(name, hash)| (name, hash.to_owned())));
}

#[test]
fn the_language_is_that_of_most_letters() {
    for (text, lang) in [
        ("What is SQL injection?", Lang::En),
        ("什么是 SQL 注入？", Lang::Zh),
        ("检查 `SELECT * FROM users WHERE id = ?` 是否安全，并解释原因", Lang::Zh),
        ("Translate 你好 into English, please, and explain the greeting", Lang::En),
        ("", Lang::En),
        ("42 + 1", Lang::En),
        ("日本語の質問です", Lang::En),
    ] {
        assert_eq!(language(text), lang, "{text}");
    }
}
