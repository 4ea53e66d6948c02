//! `starts_with`, `ends_with`: in any case. White space around the output does not count, unless the
//! value has some there itself: a model's last newline is no reason to fail `ends_with`.

use eval_message::msg;
use eval_spec::types::{FieldProblem, FieldShape, TypeSpec};
use eval_spec::{Assertion, Layer};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::excerpt::{EVIDENCE, INLINE, excerpt};
use crate::fields::{filled, required};
use crate::finding::CheckFinding;
use crate::fold::{Folded, Needle};

pub(crate) const STARTS_WITH: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "starts_with",
        layer: Layer::Fact,
        summary: eval_message::key!("grade-type-starts-with"),
        fields: &[required("value", FieldShape::NonEmptyText)],
        judged: false,
        validate: |assertion| filled(assertion, "value").map(drop),
    },
    compile: |assertion, _| Ok(compile(assertion, |text, needle| text.starts_with(needle), first)?),
};

pub(crate) const ENDS_WITH: AssertionType = AssertionType {
    spec: TypeSpec { name: "ends_with", summary: eval_message::key!("grade-type-ends-with"), ..STARTS_WITH.spec },
    compile: |assertion, _| Ok(compile(assertion, |text, needle| text.ends_with(needle), last)?),
};

fn compile(
    assertion: &Assertion,
    holds: fn(&Folded<'_>, &Needle) -> bool,
    edge: fn(&str, usize) -> String,
) -> Result<Compiled, FieldProblem> {
    let needle = Needle::new(filled(assertion, "value")?);
    Ok(Compiled::quick(move |answer| {
        let holds = holds(answer.trimmed(), &needle) || holds(answer.folded(), &needle);
        let edge = edge(answer.text().trim(), needle.chars.min(EVIDENCE));
        let statement = msg!("grade-affix", value = excerpt(&needle.written, INLINE), actual = excerpt(&edge, INLINE));
        CheckFinding::new(holds, edge, statement)
    }))
}

fn first(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

fn last(text: &str, chars: usize) -> String {
    let start = text.char_indices().rev().take(chars).last().map_or(text.len(), |(byte, _)| byte);
    text[start..].to_owned()
}
