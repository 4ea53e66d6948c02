//! `assert-set`: several assertions that count as one, `any` or `all` of them; they may be sets too.

use eval_message::{Message, msg};
use eval_spec::types::{FieldShape, TypeSpec};
use eval_spec::{Check, CheckOutcome, Layer};
use serde_json::json;

use crate::assertion::compile::{CompiledAssertion, compile_all};
use crate::assertion::kind::{AssertionRefusal, AssertionType, Compiled};
use crate::fields::{problem, required, text};
use crate::finding::CheckFinding;

pub(crate) const ASSERT_SET: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "assert-set",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-assert-set"),
        fields: &[required("mode", FieldShape::OneOf(&["any", "all"])), required("children", FieldShape::Assertions)],
        judged: false,
        validate: |assertion| Mode::read(assertion).map(drop),
    },
    compile: |assertion, scope| {
        let mode = Mode::read(assertion)?;
        let children = compile_all(&assertion.children, scope).map_err(AssertionRefusal::Inside)?;
        let slow = children.iter().any(CompiledAssertion::is_slow);
        Ok(Compiled {
            slow,
            // Every child is checked, so that the report shows which of them hold.
            check: Box::new(move |answer| {
                let children = children.iter().map(|child| child.check(answer)).collect();
                mode.decide(children)
            }),
        })
    },
};

#[derive(Clone, Copy)]
enum Mode {
    Any,
    All,
}

impl Mode {
    fn read(assertion: &eval_spec::Assertion) -> Result<Mode, eval_spec::types::FieldProblem> {
        if assertion.children.is_empty() {
            return Err(problem("children", msg!("grade-set-empty")));
        }
        match text(assertion, "mode")? {
            "any" => Ok(Mode::Any),
            "all" => Ok(Mode::All),
            _ => Err(problem("mode", msg!("grade-set-mode"))),
        }
    }

    // One child can settle the set; if none does, an unscored child leaves it open.
    fn decide(self, children: Vec<Check>) -> CheckFinding {
        let count = |outcome: Option<bool>| children.iter().filter(|c| c.outcome.passed() == outcome).count();
        let (passed, failed) = (count(Some(true)), count(Some(false)));
        let statement = msg!("grade-set", passed = passed, count = children.len());
        let actual = json!({ "passed": passed, "failed": failed, "unscored": count(None) });
        let holds = match self {
            Mode::Any if passed > 0 => Ok(true),
            Mode::All if failed > 0 => Ok(false),
            _ => open(&children).map_or(Ok(matches!(self, Mode::All)), Err),
        };
        let finding = match holds {
            Ok(holds) => CheckFinding::new(holds, actual, statement),
            Err(why) => CheckFinding::unscored(why).having_seen(actual),
        };
        CheckFinding { children, ..finding }
    }
}

fn open(children: &[Check]) -> Option<Message> {
    children.iter().find_map(|child| match &child.outcome {
        CheckOutcome::Unscored { why } => Some(why.clone()),
        _ => None,
    })
}
