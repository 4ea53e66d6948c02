//! The assertion types: one file each (twins share one), one line each in [`TYPES`].

mod affix;
mod assert_set;
mod bleu_min;
mod contains;
mod contains_many;
mod cost_max;
mod custom;
mod equals;
pub(crate) mod json_schema;
mod json_valid;
mod judged;
mod latency_max;
mod length;
mod levenshtein_max;
mod limit;
mod mock_hit;
pub(crate) mod regex;
mod rouge_n_min;
mod tool_input;
mod tool_output_contains;
mod tools_called;
mod tools_count;
mod turns;
mod word_count;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

use eval_spec::types::{FieldProblem, TypeSpec};
use eval_spec::{Assertion, Diagnostic, Layer, Sample};

use crate::answer::Answer;
use crate::finding::Finding;
use crate::grading::Setup;
use crate::judge::Question;
use crate::script::Script;

/// An assertion type: what can be said of it, and how one of its assertions becomes a check.
pub struct AssertionType {
    /// What the loader, `--help` and the docs know of it.
    pub spec: TypeSpec,
    pub(crate) compile: fn(&Assertion, &Scope<'_>) -> Result<Compiled, Refusal>,
}

/// Every assertion type, in the order of `--help` and the docs.
pub static TYPES: &[AssertionType] = &[
    contains::CONTAINS,
    contains::NOT_CONTAINS,
    contains_many::CONTAINS_ALL,
    contains_many::CONTAINS_ANY,
    regex::REGEX,
    equals::EQUALS,
    equals::NOT_EQUALS,
    affix::STARTS_WITH,
    affix::ENDS_WITH,
    json_valid::JSON_VALID,
    json_schema::JSON_SCHEMA,
    rouge_n_min::ROUGE_N_MIN,
    bleu_min::BLEU_MIN,
    levenshtein_max::LEVENSHTEIN_MAX,
    tool_output_contains::TOOL_OUTPUT_CONTAINS,
    tool_input::TOOL_INPUT_CONTAINS,
    tool_input::TOOL_INPUT_NOT_CONTAINS,
    judged::SEMANTIC_SIMILARITY,
    judged::FAITHFULNESS,
    judged::ANSWER_RELEVANCY,
    judged::CONTEXT_RECALL,
    length::MIN_LENGTH,
    length::MAX_LENGTH,
    word_count::WORD_COUNT_MIN,
    word_count::WORD_COUNT_MAX,
    cost_max::COST_MAX,
    latency_max::LATENCY_MAX,
    turns::TURNS_MIN,
    turns::TURNS_MAX,
    tools_called::TOOLS_CALLED,
    tools_called::TOOLS_NOT_CALLED,
    tools_count::TOOLS_COUNT_MIN,
    tools_count::TOOLS_COUNT_MAX,
    mock_hit::MOCK_HIT,
    custom::CUSTOM,
    assert_set::ASSERT_SET,
];

/// An expectation of an `evals.json`: the format's own way to say what holds, so no sample file can write it.
pub(crate) static EXPECTATION: AssertionType = judged::EXPECTATION;

/// What the loader, `--help` and the docs know of every type.
#[must_use]
pub fn type_specs() -> Vec<TypeSpec> {
    TYPES.iter().map(|kind| kind.spec).collect()
}

/// The layer an assertion counts in; `None` for a type that does not exist. An `assert-set` counts in
/// the layer that all its children have, or as behaviour when they have several (G2).
#[must_use]
pub fn layer_of(assertion: &Assertion) -> Option<Layer> {
    let spec = find(&assertion.kind)?.spec;
    let mut layers = assertion.children.iter().map(layer_of);
    match layers.next() {
        None => Some(spec.layer),
        Some(first) => Some(first.filter(|_| layers.all(|layer| layer == first)).unwrap_or(Layer::Behavior)),
    }
}

/// Whether judges grade assertions of the type of that name.
#[must_use]
pub fn is_judged(name: &str) -> bool {
    find(name).is_some_and(|kind| kind.spec.judged)
}

/// The type of that name.
pub(crate) fn find(name: &str) -> Option<&'static AssertionType> {
    TYPES.iter().chain([&EXPECTATION]).find(|kind| kind.spec.name == name)
}

/// What an assertion is compiled for.
pub(crate) struct Scope<'a> {
    /// The sample it belongs to.
    pub(crate) sample: &'a Sample,
    /// How grading was set up.
    pub(crate) setup: &'a Setup,
    /// The scripts loaded so far: many samples share one.
    pub(crate) scripts: &'a Mutex<HashMap<PathBuf, Result<Script, FieldProblem>>>,
    /// What judges will be asked about every answer to the sample.
    pub(crate) questions: &'a RefCell<Vec<Question>>,
}

impl Scope<'_> {
    /// Has judges asked `question`, once however often it comes up; the number under which an [`Answer`] has their
    /// opinions, and whether it came up for the first time.
    pub(crate) fn ask(&self, question: Question) -> (usize, bool) {
        let mut questions = self.questions.borrow_mut();
        if let Some(known) = questions.iter().position(|known| *known == question) {
            return (known, false);
        }
        questions.push(question);
        (questions.len() - 1, true)
    }
}

type Checker = Box<dyn Fn(&Answer<'_>) -> Finding + Send + Sync>;

/// A check, ready to be made many times.
pub(crate) struct Compiled {
    /// Makes it.
    pub(crate) check: Checker,
    /// Whether it can take so long that it must not hold up a thread that others wait on.
    pub(crate) slow: bool,
}

impl Compiled {
    /// A check of microseconds.
    pub(crate) fn quick(check: impl Fn(&Answer<'_>) -> Finding + Send + Sync + 'static) -> Compiled {
        Compiled { check: Box::new(check), slow: false }
    }

    /// A check that runs what somebody wrote.
    pub(crate) fn slow(check: impl Fn(&Answer<'_>) -> Finding + Send + Sync + 'static) -> Compiled {
        Compiled { check: Box::new(check), slow: true }
    }
}

/// Why an assertion can't become a check.
pub(crate) enum Refusal {
    /// One of its fields is wrong.
    Field(FieldProblem),
    /// Assertions inside it are wrong.
    Inside(Vec<Diagnostic>),
}

impl From<FieldProblem> for Refusal {
    fn from(problem: FieldProblem) -> Refusal {
        Refusal::Field(problem)
    }
}
