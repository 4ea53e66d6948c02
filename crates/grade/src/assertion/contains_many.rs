//! `contains_all`, `contains_any`: several texts, all or at least one of them in the output.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};
use serde_json::json;

use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{INLINE, excerpt, excerpts};
use crate::fields::{required, texts};
use crate::finding::CheckFinding;
use crate::fold::Needle;

pub(crate) const CONTAINS_ALL: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "contains_all",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-contains-all"),
        fields: &[required("values", FieldShape::Texts)],
        judged: false,
        validate: |assertion| texts(assertion, "values").map(drop),
    },
    compile: |assertion, _| Ok(compile(assertion, |_, missing| missing == 0)?),
};

pub(crate) const CONTAINS_ANY: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "contains_any",
        summary: eval_message::key!("grade-type-contains-any"),
        ..CONTAINS_ALL.spec
    },
    compile: |assertion, _| Ok(compile(assertion, |found, _| found > 0)?),
};

fn compile(assertion: &Assertion, enough: fn(usize, usize) -> bool) -> Result<Compiled, FieldProblem> {
    let needles: Vec<Needle> = texts(assertion, "values")?.into_iter().map(Needle::new).collect();
    Ok(Compiled::quick(move |answer| check(&needles, enough, answer)))
}

fn check(needles: &[Needle], enough: fn(usize, usize) -> bool, answer: &GradedAnswer<'_>) -> CheckFinding {
    const LISTED: usize = 50;
    let (found, missing): (Vec<&Needle>, Vec<&Needle>) =
        needles.iter().partition(|needle| answer.folded().find(needle).is_some());
    let written = |needles: &[&Needle]| excerpts(needles.iter().map(|needle| needle.written.as_str()), LISTED);
    let first = missing.first().map(|needle| excerpt(&needle.written, INLINE));
    CheckFinding::new(
        enough(found.len(), missing.len()),
        json!({ "found": written(&found), "missing": written(&missing) }),
        match first {
            None => msg!("grade-all-found", count = needles.len()),
            Some(first) => msg!("grade-some-found", found = found.len(), count = needles.len(), first = first),
        },
    )
}
