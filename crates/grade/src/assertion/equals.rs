//! `equals`, `not_equals`: the whole output, white space around it aside, is a text. Case matters.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, INLINE, excerpt};
use crate::fields::{problem, required, text_like, value};
use crate::finding::CheckFinding;

pub(crate) const EQUALS: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "equals",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-equals"),
        fields: &[required("value", FieldShape::TextLike)],
        judged: false,
        validate: |assertion| read(assertion).map(drop),
    },
    compile: |assertion, _| Ok(compile(assertion, true)?),
};

pub(crate) const NOT_EQUALS: AssertionType = AssertionType {
    spec: TypeSpec { name: "not_equals", summary: eval_message::key!("grade-type-not-equals"), ..EQUALS.spec },
    compile: |assertion, _| Ok(compile(assertion, false)?),
};

fn compile(assertion: &Assertion, wanted: bool) -> Result<Compiled, FieldProblem> {
    let expected = read(assertion)?;
    Ok(Compiled::quick(move |answer| {
        let actual = answer.text().trim();
        let value = excerpt(&expected, INLINE);
        let equal = actual == expected;
        let statement = match equal {
            true => msg!("grade-equal", value = value),
            false => msg!("grade-not-equal", value = value, actual = excerpt(actual, INLINE)),
        };
        CheckFinding::new(equal == wanted, excerpt(actual, EVIDENCE), statement)
    }))
}

fn read(assertion: &Assertion) -> Result<String, FieldProblem> {
    let text = text_like(assertion, "value")?;
    match source_of_number(assertion) {
        Some(source) if source != text => {
            Err(problem("value", msg!("grade-equals-number", source = source, text = text)))
        }
        _ => Ok(text.trim().to_owned()),
    }
}

// The text in the file where the value is a number: YAML reads `3.10` as 3.1, and comparing with
// "3.1" would fail the right answer.
fn source_of_number(assertion: &Assertion) -> Option<&str> {
    value(assertion, "value").ok().filter(|value| value.is_number())?;
    let place = assertion.field_places.get("value")?;
    let span = place.span.start..place.span.start.checked_add(place.span.len)?;
    let source = place.file.text.get(span)?.trim();
    source.parse::<f64>().is_ok().then_some(source)
}
