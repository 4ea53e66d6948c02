//! Questions to judges about one answer: built once per sample, written once per request.

use std::fmt::Write;
use std::sync::Arc;

use eval_message::Lang;
use eval_spec::hash::sha256_hex;
use eval_spec::{CellKey, Sample};

use super::reply::ReplyForm;
use super::texts::JudgePrompt;

/// One question about every answer to a sample. Equal questions are asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(super) asks: Asks,
    pub(super) lang: Lang,
    /// The dimension's name, where several are asked for.
    pub(super) dimension: Option<String>,
    /// The texts shown beside the answer, in their order.
    pub(super) material: Vec<(Material, Arc<str>)>,
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Rubric,
    Similarity,
    Faithfulness,
    Relevancy,
    Recall,
    FaithfulnessClaims,
    RecallClaims,
    Expectation,
}

impl Asks {
    /// Its name in the hash that makes an id; changing it invalidates recorded replies.
    fn name(self) -> &'static str {
        match self {
            Asks::Rubric => "rubric",
            Asks::Similarity => "similarity",
            Asks::Faithfulness => "faithfulness",
            Asks::Relevancy => "relevancy",
            Asks::Recall => "recall",
            Asks::FaithfulnessClaims => "faithfulness-claims",
            Asks::RecallClaims => "recall-claims",
            Asks::Expectation => "expectation",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Material {
    Task,
    Context,
    Reference,
    Criteria,
}

/// One request to one judge.
pub(super) struct JudgeRequest {
    /// What the reply must carry.
    pub(super) id: String,
    pub(super) system: String,
    pub(super) prompt: String,
}

/// Which of the requests about one answer it is.
pub(super) struct RequestPlace<'a> {
    pub(super) key: &'a CellKey,
    /// The judge's index. Not its name: a recording is valid for a judge of any name.
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

    /// How well the answer of a callable skill meets `criteria`: the same question about `task`, as a sample's rubric.
    pub(crate) fn task_rubric(task: &str, criteria: &str) -> Question {
        Question {
            asks: Asks::Rubric,
            lang: language(&format!("{task}{criteria}")),
            dimension: None,
            material: vec![(Material::Task, task.into()), (Material::Criteria, criteria.into())],
        }
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

    /// Whether what `statement` says holds of an answer.
    pub(crate) fn expectation(sample: &Sample, statement: &str) -> Question {
        Question::new(Asks::Expectation, sample, &[(Material::Criteria, statement)])
    }

    fn new(asks: Asks, sample: &Sample, shown: &[(Material, &str)]) -> Question {
        // A rubric is read beside the task as the model got it, context included.
        let task = match asks {
            Asks::Rubric | Asks::Expectation => sample.prompt_text(),
            _ => sample.sent_prompt().to_owned(),
        };
        let mut material: Vec<(Material, Arc<str>)> = vec![(Material::Task, task.into())];
        material.extend(shown.iter().map(|(kind, text)| (*kind, Arc::from(*text))));
        let read: String = std::iter::once(sample.prompt.as_str()).chain(shown.iter().map(|(_, text)| *text)).collect();
        Question { asks, lang: language(&read), dimension: None, material }
    }

    /// The kind of reply that it asks for.
    pub(super) fn form(&self) -> ReplyForm {
        match self.asks {
            Asks::FaithfulnessClaims | Asks::RecallClaims => ReplyForm::Claims,
            Asks::Expectation => ReplyForm::Verdict,
            _ => ReplyForm::Score,
        }
    }

    /// The request about `answer`.
    ///
    /// Its id is a hash over its content and its place in the run: unique for each request, the same when a run is
    /// resumed, and unknown to the author of the answer, who would need an answer that contains a hash of itself.
    pub(super) fn request(&self, answer: &str, debias_length: bool, which: &RequestPlace<'_>) -> JudgeRequest {
        self.written(answer, debias_length, self.id(answer, which))
    }

    /// The request with that id.
    pub(super) fn written(&self, answer: &str, debias_length: bool, id: String) -> JudgeRequest {
        let texts = JudgePrompt::of(self.lang);
        let asked = match self.asks {
            Asks::Rubric => texts.rubric,
            Asks::Similarity => texts.similarity,
            Asks::Faithfulness => texts.faithfulness,
            Asks::Relevancy => texts.relevancy,
            Asks::Recall => texts.recall,
            Asks::FaithfulnessClaims => texts.faithfulness_claims,
            Asks::RecallClaims => texts.recall_claims,
            Asks::Expectation => texts.expectation,
        };
        // A yes-or-no question has no degree that length could bias.
        let (steps, length) = match self.asks {
            Asks::Expectation => (texts.evidence, ""),
            _ => (texts.steps, if debias_length { texts.length } else { "" }),
        };
        let system = [texts.rules, asked, steps, length, self.form().instruction(texts)];
        let shown = self.titled_material().chain([(texts.answer, answer)]);
        JudgeRequest::new(id, &system, shown, texts.last)
    }

    /// The texts beside the answer, each after its title.
    pub(super) fn titled_material(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let texts = JudgePrompt::of(self.lang);
        self.material.iter().map(|(kind, text)| (kind.title(texts, self.asks), &**text))
    }

    fn id(&self, answer: &str, which: &RequestPlace<'_>) -> String {
        let RequestPlace { key, judge, repeat, attempt } = which;
        let place = format!("{}\u{0}{key}\u{0}{judge}\u{0}{repeat}\u{0}{attempt}", self.asks.name());
        self.fresh_id(place, &[answer])
    }

    /// The id of the request at `place` that shows `answers`: [`fresh_id`] over all of it.
    pub(super) fn fresh_id(&self, place: String, answers: &[&str]) -> String {
        let mut whole = place;
        let material = self.material.iter().map(|(_, text)| &**text).chain(self.dimension.as_deref());
        for text in material.chain(answers.iter().copied()) {
            let _ = write!(whole, "\u{0}{}\u{0}{text}", text.len());
        }
        fresh_id(&whole, answers)
    }
}

/// 12 hex digits of SHA-256 over `whole` that occur in none of the answers.
pub(super) fn fresh_id(whole: &str, answers: &[&str]) -> String {
    (0_u32..)
        .map(|round| sha256_hex(format!("{round}\u{0}{whole}").as_bytes())[..12].to_owned())
        .find(|id| !answers.iter().any(|answer| answer.contains(id.as_str())))
        .unwrap_or_default()
}

impl Material {
    pub(super) fn title(self, texts: &JudgePrompt, asks: Asks) -> &'static str {
        match self {
            Material::Task => texts.task,
            Material::Context => texts.context,
            Material::Reference if matches!(asks, Asks::Recall | Asks::RecallClaims) => texts.context,
            Material::Reference => texts.reference,
            Material::Criteria => texts.criteria,
        }
    }
}

impl JudgeRequest {
    /// A request with the parts of `system` that are not empty, the `shown` texts between delimiters, each after its
    /// title, and `last`. `{id}` in our own texts becomes the id.
    pub(super) fn new<'t>(
        id: String,
        system: &[&str],
        shown: impl IntoIterator<Item = (&'static str, &'t str)>,
        last: &str,
    ) -> JudgeRequest {
        let parts: Vec<&str> = system.iter().copied().filter(|part| !part.is_empty()).collect();
        let mut prompt = String::new();
        for (title, text) in shown {
            let _ = write!(prompt, "# {title}\n<<<{id}\n{text}\n{id}>>>\n\n");
        }
        prompt.push_str(&last.replace("{id}", &id));
        JudgeRequest { system: parts.join("\n\n").replace("{id}", &id), prompt, id }
    }
}

/// The language that most of a text is in: Chinese when a quarter of its letters are Han characters, since
/// code and names in a Chinese text are Latin. Japanese, which has them too, is recognised by its kana.
pub(super) fn language(text: &str) -> Lang {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let han = text.chars().filter(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')).count();
    let kana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'));
    if han * 4 >= letters && han > 0 && !kana { Lang::Zh } else { Lang::En }
}

/// Questions of every kind, for the tests of everything that reads or writes requests.
#[cfg(test)]
pub(super) mod every {
    use std::collections::BTreeMap;

    use super::*;

    pub(in crate::judge) const ID: &str = "0123456789ab";

    fn sample(prompt: &str, context: &str) -> Sample {
        Sample { id: "s".to_owned(), prompt: prompt.to_owned(), context: Some(context.to_owned()), ..Sample::default() }
    }

    /// Every kind of question, by name, in both languages.
    pub(in crate::judge) fn questions() -> BTreeMap<String, Question> {
        let of = |lang: &'static str, sample: &Sample, beside: &str| {
            let context = sample.context.clone().unwrap_or_default();
            [
                ("rubric", Question::rubric(sample, None, beside)),
                ("dimension", Question::rubric(sample, Some("tone"), beside)),
                ("similarity", Question::similarity(sample, beside)),
                ("faithfulness", Question::faithfulness(sample, &context, false)),
                ("faithfulness-claims", Question::faithfulness(sample, &context, true)),
                ("relevancy", Question::relevancy(sample)),
                ("recall", Question::recall(sample, beside, false)),
                ("recall-claims", Question::recall(sample, beside, true)),
                ("expectation", Question::expectation(sample, beside)),
            ]
            .map(|(name, question)| (format!("{name} {lang}"), question))
        };
        let english = of("en", &sample("the task", "the context"), "what stands beside it");
        let chinese = of("zh", &sample("任务在此", "上下文在此"), "旁边的文字");
        english.into_iter().chain(chinese).collect()
    }
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
        let questions = every::questions();
        let which = RequestPlace { key: &key("v"), judge: 0, repeat: 0, attempt: 0 };
        let ids = questions.values().map(|question| question.request("x", true, &which).id);
        assert_eq!(ids.collect::<std::collections::BTreeSet<_>>().len(), questions.len());
    }

    /// What a judge reads, whole: order, titles and marks are not in the template's hash. Whoever changes one of these
    /// on purpose gives the template a new name, since scores before and after are not comparable.
    #[test]
    fn whole_requests_are_frozen() {
        let hash = |question: &Question| {
            let written = [true, false].map(|debias| question.written("the answer", debias, every::ID.to_owned()));
            let whole = written.map(|request| format!("{}\u{0}{}", request.system, request.prompt));
            eval_spec::hash::short_hash(whole.join("\u{0}").as_bytes(), 12)
        };
        let questions = every::questions();
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
}
