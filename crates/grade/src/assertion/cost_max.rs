//! `cost_max`: what the execution cost, in US dollars. A cost nobody knows is neither over nor under.

use eval_message::msg;
use eval_spec::Layer;
use eval_spec::types::{FieldShape, TypeSpec};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{number, required};
use crate::finding::CheckFinding;

pub(crate) const COST_MAX: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "cost_max",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-cost-max"),
        fields: &[required("value", FieldShape::Number(0.0, f64::MAX))],
        judged: false,
        validate: |assertion| number(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let limit = number(assertion, "value")?;
        Ok(Compiled::quick(move |answer| match answer.output.cost.map(|cost| cost.usd.0) {
            Some(cost) if cost.is_finite() => {
                CheckFinding::new(cost <= limit, cost, msg!("grade-cost", actual = cost, limit = limit))
            }
            _ => CheckFinding::unscored(msg!("grade-cost-unknown")),
        }))
    },
};
