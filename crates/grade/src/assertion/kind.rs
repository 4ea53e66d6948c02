//! The interface of assertion types.

use std::cell::RefCell;

use eval_spec::types::{FieldProblem, TypeSpec};
use eval_spec::{Assertion, Diagnostic, Sample};

use crate::answer::GradedAnswer;
use crate::finding::CheckFinding;
use crate::judge::Question;
use crate::script::LoadedScripts;
use crate::setup::GraderSetup;

/// An assertion type: its description, and how one of its assertions is compiled.
pub struct AssertionType {
    /// Its description for the loader, `--help` and the docs.
    pub spec: TypeSpec,
    pub(crate) compile: fn(&Assertion, &AssertionScope<'_>) -> Result<Compiled, AssertionRefusal>,
}

/// The surroundings that an assertion is compiled in.
pub(crate) struct AssertionScope<'a> {
    /// The sample it belongs to.
    pub(crate) sample: &'a Sample,
    pub setup: &'a GraderSetup,
    pub scripts: &'a LoadedScripts,
    /// The questions to judges about every answer to the sample.
    pub(crate) questions: &'a RefCell<Vec<Question>>,
}

impl AssertionScope<'_> {
    /// Has judges asked `question`, once however often it comes up; the number under which an [`GradedAnswer`] has their
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

/// A check, ready to be made many times.
pub(crate) struct Compiled {
    /// Makes it.
    pub(crate) check: CheckFn,
    /// Whether it can take so long that it must not hold up a thread that others wait on.
    pub(crate) slow: bool,
}

impl Compiled {
    /// A check of microseconds.
    pub(crate) fn quick(check: impl Fn(&GradedAnswer<'_>) -> CheckFinding + Send + Sync + 'static) -> Compiled {
        Compiled { check: Box::new(check), slow: false }
    }

    /// A check that runs a user's schema, pattern or script, or compares long texts.
    pub(crate) fn slow(check: impl Fn(&GradedAnswer<'_>) -> CheckFinding + Send + Sync + 'static) -> Compiled {
        Compiled { check: Box::new(check), slow: true }
    }
}

/// Why an assertion can't become a check.
pub(crate) enum AssertionRefusal {
    /// One of its fields is wrong.
    Field(FieldProblem),
    /// Assertions inside it are wrong.
    Inside(Vec<Diagnostic>),
}

impl From<FieldProblem> for AssertionRefusal {
    fn from(problem: FieldProblem) -> AssertionRefusal {
        AssertionRefusal::Field(problem)
    }
}

type CheckFn = Box<dyn Fn(&GradedAnswer<'_>) -> CheckFinding + Send + Sync>;
