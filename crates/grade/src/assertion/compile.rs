//! From a sample's assertions to the checks that grade its outputs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eval_message::{Message, msg};
use eval_spec::types::FieldProblem;
use eval_spec::{Assertion, Check, Diagnostic, Layer};

use crate::answer::GradedAnswer;
use crate::assertion;
use crate::assertion::kind::{AssertionRefusal, AssertionScope, Compiled};
use crate::finding::CheckFinding;

/// One assertion, compiled.
pub(crate) struct CompiledAssertion {
    pub kind: String,
    layer: Layer,
    weight: f64,
    not: bool,
    compiled: Compiled,
}

impl CompiledAssertion {
    /// Whether the check can take long.
    pub(crate) fn is_slow(&self) -> bool {
        self.compiled.slow
    }

    /// Makes the check. One that panics on a hostile answer is unscored; the others go on.
    pub(crate) fn check(&self, answer: &GradedAnswer<'_>) -> Check {
        let finding = catch_unwind(AssertUnwindSafe(|| (self.compiled.check)(answer)))
            .unwrap_or_else(|_| CheckFinding::unscored(msg!("grade-check-broke", kind = &self.kind)));
        self.result(finding)
    }

    pub(crate) fn result(&self, finding: CheckFinding) -> Check {
        let holds = finding.holds.map(|holds| holds != self.not);
        let stated = finding.always_stated || holds == Ok(false);
        let statement = finding.statement.filter(|_| stated);
        let finding = CheckFinding { holds, statement, ..finding };
        Check { not: self.not, ..finding.check(&self.kind, self.layer, self.weight) }
    }
}

/// Compiles assertions, those of a sample or those inside a set.
///
/// # Errors
/// Everything that is wrong with them.
pub(crate) fn compile_all(
    assertions: &[Assertion],
    scope: &AssertionScope<'_>,
) -> Result<Vec<CompiledAssertion>, Vec<Diagnostic>> {
    let mut plans = Vec::with_capacity(assertions.len());
    let mut problems = Vec::new();
    for assertion in assertions {
        match compile(assertion, scope) {
            Ok(plan) => plans.push(plan),
            Err(AssertionRefusal::Field(problem)) => problems.push(diagnostic(assertion, problem)),
            Err(AssertionRefusal::Inside(inside)) => problems.extend(inside),
        }
    }
    if problems.is_empty() { Ok(plans) } else { Err(problems) }
}

pub(crate) fn compile(
    assertion: &Assertion,
    scope: &AssertionScope<'_>,
) -> Result<CompiledAssertion, AssertionRefusal> {
    let kind = &assertion.kind;
    let refuse = |field, message: Message| AssertionRefusal::Field(FieldProblem { field, message, help: None });
    let known = assertion::find(kind).ok_or_else(|| refuse("type", msg!("grade-type-unknown", kind = kind)))?;
    if !(assertion.weight.is_finite() && assertion.weight > 0.0) {
        return Err(refuse("weight", msg!("grade-weight")));
    }
    Ok(CompiledAssertion {
        kind: kind.clone(),
        layer: assertion::layer_of(assertion).unwrap_or(known.spec.layer),
        weight: assertion.weight,
        not: assertion.not,
        compiled: (known.compile)(assertion, scope)?,
    })
}

pub(crate) fn diagnostic(assertion: &Assertion, problem: FieldProblem) -> Diagnostic {
    let place = assertion.field_places.get(problem.field).or(assertion.place.as_ref()).cloned();
    Diagnostic { help: problem.help, ..Diagnostic::error(problem.message, place) }
}
