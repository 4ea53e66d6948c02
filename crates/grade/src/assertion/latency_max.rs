//! `latency_max`: how long the execution took, in milliseconds, queueing excluded.

use eval_message::msg;
use eval_spec::Layer;
use eval_spec::types::{FieldShape, TypeSpec};

use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{number, required};
use crate::finding::CheckFinding;

pub(crate) const LATENCY_MAX: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "latency_max",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-latency-max"),
        fields: &[required("value", FieldShape::Number(0.0, f64::MAX))],
        judged: false,
        validate: |assertion| number(assertion, "value").map(drop),
    },
    compile: |assertion, _| {
        let limit = number(assertion, "value")?;
        Ok(Compiled::quick(move |answer| match answer.output.latency_ms {
            #[expect(clippy::cast_precision_loss, reason = "exact for 285,000 years")]
            Some(latency) => CheckFinding::new(
                latency as f64 <= limit,
                latency,
                msg!("grade-latency", actual = latency, limit = limit),
            ),
            None => CheckFinding::unscored(msg!("grade-latency-unknown")),
        }))
    },
};
