//! What judges are asked about one answer: made once per sample, written out once per request.

use std::fmt::Write;
use std::sync::Arc;

use eval_spec::hash::sha256_hex;
use eval_spec::{CellKey, Lang, Sample};

use super::reply::Form;
use super::texts::Texts;

/// One question about every answer to a sample.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(super) asks: Asks,
    pub(super) lang: Lang,
    /// The dimension's name, where several are asked for.
    pub(super) dimension: Option<String>,
    /// What is shown beside the answer, in the order it is shown.
    pub(super) material: Vec<(Material, Arc<str>)>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Rubric,
    Similarity,
    Faithfulness,
    Relevancy,
    Recall,
    FaithfulnessClaims,
    RecallClaims,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Material {
    Task,
    Context,
    Reference,
    Criteria,
}

/// One request to one judge.
pub(super) struct Request {
    /// What the reply must carry.
    pub(super) id: String,
    pub(super) system: String,
    pub(super) prompt: String,
}

/// Which of the requests about one answer it is.
pub(super) struct Which<'a> {
    pub(super) key: &'a CellKey,
    /// The judge's place among the judges. Its name would make a recording useless to whoever calls it
    /// otherwise.
    pub(super) judge: usize,
    pub(super) repeat: u32,
    pub(super) attempt: u32,
}

impl Question {
    /// How well an answer meets `criteria`; `dimension` is their name among several.
    pub(crate) fn rubric(sample: &Sample, dimension: Option<&str>, criteria: &str) -> Question {
        let mut question = Question::new(Asks::Rubric, sample, &[(Material::Criteria, criteria)]);
        question.dimension = dimension.map(str::to_owned);
        question
    }

    /// How close an answer is to `reference`.
    pub(crate) fn similarity(sample: &Sample, reference: &str) -> Question {
        Question::new(Asks::Similarity, sample, &[(Material::Reference, reference)])
    }

    /// Whether `context` supports an answer.
    pub(crate) fn faithfulness(sample: &Sample, context: &str, claims: bool) -> Question {
        let asks = if claims { Asks::FaithfulnessClaims } else { Asks::Faithfulness };
        Question::new(asks, sample, &[(Material::Context, context)])
    }

    /// Whether an answer responds to the task.
    pub(crate) fn relevancy(sample: &Sample) -> Question {
        Question::new(Asks::Relevancy, sample, &[])
    }

    /// How many of the facts in `facts` an answer contains.
    pub(crate) fn recall(sample: &Sample, facts: &str, claims: bool) -> Question {
        let asks = if claims { Asks::RecallClaims } else { Asks::Recall };
        Question::new(asks, sample, &[(Material::Reference, facts)])
    }

    fn new(asks: Asks, sample: &Sample, shown: &[(Material, &str)]) -> Question {
        // A rubric is read beside the task as the model got it, context included.
        let task = match asks {
            Asks::Rubric => sample.prompt_text(),
            _ => sample.prompt.clone(),
        };
        let mut material: Vec<(Material, Arc<str>)> = vec![(Material::Task, task.into())];
        material.extend(shown.iter().map(|(kind, text)| (*kind, Arc::from(*text))));
        let read: String = std::iter::once(sample.prompt.as_str()).chain(shown.iter().map(|(_, text)| *text)).collect();
        Question { asks, lang: language(&read), dimension: None, material }
    }

    /// What kind of reply it wants.
    pub(super) fn form(&self) -> Form {
        match self.asks {
            Asks::FaithfulnessClaims | Asks::RecallClaims => Form::Claims,
            _ => Form::Score,
        }
    }

    /// The request about `answer`.
    ///
    /// Its id is a hash over everything in it and around it, so it is fresh for each request, the same when
    /// a run is resumed, and unknown to whoever wrote the answer: to quote it, an answer would have to
    /// contain a hash of itself.
    pub(super) fn request(&self, answer: &str, debias_length: bool, which: &Which<'_>) -> Request {
        let id = self.id(answer, which);
        let texts = Texts::of(self.lang);
        let asked = match self.asks {
            Asks::Rubric => texts.rubric,
            Asks::Similarity => texts.similarity,
            Asks::Faithfulness => texts.faithfulness,
            Asks::Relevancy => texts.relevancy,
            Asks::Recall => texts.recall,
            Asks::FaithfulnessClaims => texts.faithfulness_claims,
            Asks::RecallClaims => texts.recall_claims,
        };
        let reply = if self.form() == Form::Claims { texts.reply_claims } else { texts.reply_score };
        let length = if debias_length { texts.length } else { "" };
        let parts = [texts.rules, asked, texts.steps, length, reply];
        let told: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let mut prompt = String::new();
        for (kind, text) in &self.material {
            show(&mut prompt, kind.title(texts, self.asks), text, &id);
        }
        show(&mut prompt, texts.answer, answer, &id);
        prompt.push_str(&texts.last.replace("{id}", &id));
        Request { system: told.join("\n\n").replace("{id}", &id), prompt, id }
    }

    fn id(&self, answer: &str, which: &Which<'_>) -> String {
        let mut whole = format!("{}\u{0}{}\u{0}{}\u{0}{}", which.key, which.judge, which.repeat, which.attempt);
        for text in self.material.iter().map(|(_, text)| &**text).chain(self.dimension.as_deref()).chain([answer]) {
            let _ = write!(whole, "\u{0}{}\u{0}{text}", text.len());
        }
        fresh_id(&whole, &[answer])
    }
}

/// 12 hex digits of SHA-256 over `whole` that stand in none of the answers.
pub(super) fn fresh_id(whole: &str, answers: &[&str]) -> String {
    (0_u32..)
        .map(|round| sha256_hex(format!("{round}\u{0}{whole}").as_bytes())[..12].to_owned())
        .find(|id| !answers.iter().any(|answer| answer.contains(id.as_str())))
        .unwrap_or_default()
}

impl Material {
    pub(super) fn title(self, texts: &Texts, asks: Asks) -> &'static str {
        match self {
            Material::Task => texts.task,
            Material::Context => texts.context,
            Material::Reference if matches!(asks, Asks::Recall | Asks::RecallClaims) => texts.context,
            Material::Reference => texts.reference,
            Material::Criteria => texts.criteria,
        }
    }
}

pub(super) fn show(prompt: &mut String, title: &str, text: &str, id: &str) {
    let _ = write!(prompt, "# {title}\n<<<{id}\n{text}\n{id}>>>\n\n");
}

/// The language that most of a text is in: Chinese when a quarter of its letters are Han characters, since
/// code and names in a Chinese text are Latin. Japanese, which has them too, is told by its kana.
fn language(text: &str) -> Lang {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let han = text.chars().filter(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')).count();
    let kana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'));
    if han * 4 >= letters && han > 0 && !kana { Lang::Zh } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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

    fn request(answer: &str, subject: &str, judge: usize, repeat: u32, attempt: u32) -> Request {
        question().request(answer, true, &Which { key: &key(subject), judge, repeat, attempt })
    }

    proptest! {
        #[test]
        fn an_answer_stands_whole_between_marks_that_it_does_not_contain(answer in any::<String>()) {
            let Request { id, prompt, .. } = request(&answer, "v", 0, 0, 0);
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
        // Somebody who knows how ids are made can't win: with the id in it, it is another answer.
        let guessed = format!("x {id}");
        assert!(!guessed.contains(&request(&guessed, "v", 0, 0, 0).id));
    }

    #[test]
    fn every_request_has_an_id_of_its_own_and_the_same_one_again() {
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
}
