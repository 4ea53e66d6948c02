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
pub struct Question {
    pub asks: Asks,
    pub lang: Lang,
    /// The dimension's name, where several are asked for.
    pub dimension: Option<String>,
    /// The texts shown beside the answer, in their order.
    pub material: Vec<(Material, Arc<str>)>,
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
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
pub enum Material {
    Task,
    Context,
    Reference,
    Criteria,
}

/// One request to one judge.
pub struct JudgeRequest {
    /// What the reply must carry.
    pub id: String,
    pub system: String,
    pub prompt: String,
}

/// Which of the requests about one answer it is.
pub struct RequestPlace<'a> {
    pub key: &'a CellKey,
    /// The judge's index. Not its name: a recording is valid for a judge of any name.
    pub judge: usize,
    pub repeat: u32,
    pub attempt: u32,
}

impl Question {
    /// How well an answer meets `criteria`; `dimension` is their name among several.
    pub fn rubric(sample: &Sample, dimension: Option<&str>, criteria: &str) -> Question {
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
    pub fn similarity(sample: &Sample, reference: &str) -> Question {
        Question::new(Asks::Similarity, sample, &[(Material::Reference, reference)])
    }

    /// Whether `context` supports an answer.
    pub fn faithfulness(sample: &Sample, context: &str, claims: bool) -> Question {
        let asks = if claims { Asks::FaithfulnessClaims } else { Asks::Faithfulness };
        Question::new(asks, sample, &[(Material::Context, context)])
    }

    /// Whether an answer responds to the task.
    pub fn relevancy(sample: &Sample) -> Question {
        Question::new(Asks::Relevancy, sample, &[])
    }

    /// How many of the facts in `facts` an answer contains.
    pub fn recall(sample: &Sample, facts: &str, claims: bool) -> Question {
        let asks = if claims { Asks::RecallClaims } else { Asks::Recall };
        Question::new(asks, sample, &[(Material::Reference, facts)])
    }

    /// Whether what `statement` says holds of an answer.
    pub fn expectation(sample: &Sample, statement: &str) -> Question {
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
    pub fn request(&self, answer: &str, debias_length: bool, which: &RequestPlace<'_>) -> JudgeRequest {
        self.written(answer, debias_length, self.id(answer, which))
    }

    /// The request with that id.
    pub fn written(&self, answer: &str, debias_length: bool, id: String) -> JudgeRequest {
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
pub fn language(text: &str) -> Lang {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let han = text.chars().filter(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')).count();
    let kana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'));
    if han * 4 >= letters && han > 0 && !kana { Lang::Zh } else { Lang::En }
}
