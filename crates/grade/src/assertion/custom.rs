//! `custom`: a function in an `.mjs` file decides. A file that fails leaves the check unscored: its failure is no
//! property of the answer.

use eval_message::msg;
use eval_spec::types::{FieldShape, TypeSpec};
use eval_spec::{Layer, Sample};
use serde_json::{Map, Value, json};

use crate::answer::GradedAnswer;
use crate::assertion::kind::{AssertionType, Compiled};
use crate::fields::{filled, optional, problem, required};
use crate::finding::CheckFinding;
use crate::script::{self, CustomScript, Input, ScriptReply, ScriptSubject, Trouble};

pub(crate) const CUSTOM: AssertionType = AssertionType {
    spec: TypeSpec {
        name: "custom",
        layer: Layer::Behavior,
        summary: eval_message::key!("grade-type-custom"),
        // Beside `fn`: fields for the function to read.
        fields: &[
            required("fn", FieldShape::NonEmptyText),
            optional("value", FieldShape::Any),
            optional("values", FieldShape::Any),
            optional("reference", FieldShape::Any),
            optional("threshold", FieldShape::Any),
        ],
        judged: false,
        // Whether the file exists; the loader doesn't know which engine will run it.
        validate: |assertion| {
            let name = filled(assertion, "fn")?;
            script::locate(&assertion.base, name).map(drop).map_err(|message| problem("fn", message))
        },
    },
    compile: |assertion, scope| {
        let script = scope.scripts.load(&assertion.base, filled(assertion, "fn")?, scope.setup);
        let script = script.map_err(|message| problem("fn", message))?;
        let context = json!({ "sample": as_written(scope.sample), "assertion": assertion.written }).to_string();
        Ok(Compiled::slow(move |answer| check(&script, &context, answer)))
    },
};

fn check(script: &CustomScript, context: &str, answer: &GradedAnswer<'_>) -> CheckFinding {
    let input = Input { output: ScriptSubject::Text(answer.text().to_owned()), context: vec![context.to_owned()] };
    match script.call(input) {
        Ok(ScriptReply { pass, message, score, log }) => {
            let has_message = message.is_some();
            let statement = match message {
                Some(text) => msg!("grade-custom-said", text = text),
                None if pass => msg!("grade-custom-true"),
                None => msg!("grade-custom-false"),
            };
            let mut actual = Map::from_iter([("pass".to_owned(), Value::Bool(pass))]);
            actual.extend(score.map(|score| ("score".to_owned(), json!(score))));
            actual.extend(logged(log));
            CheckFinding { always_stated: has_message, ..CheckFinding::new(pass, actual, statement) }
        }
        Err(Trouble { why, log }) => {
            let seen: Map<String, Value> = logged(log).into_iter().collect();
            match seen.is_empty() {
                true => CheckFinding::unscored(why),
                false => CheckFinding::unscored(why).having_seen(seen),
            }
        }
    }
}

fn logged(log: Vec<String>) -> Option<(String, Value)> {
    (!log.is_empty()).then(|| ("log".to_owned(), json!(log)))
}

// The sample under the keys of the sample file, without those that the author left out.
fn as_written(sample: &Sample) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| {
        let nothing = match &value {
            Value::Null | Value::Bool(false) => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(items) => items.is_empty(),
            _ => false,
        };
        if !nothing {
            fields.insert(name.to_owned(), value);
        }
    };
    put("sample_id", json!(sample.id));
    put("prompt", json!(sample.prompt));
    put("context", json!(sample.context));
    put("cwd", json!(sample.cwd));
    put("rubric", json!(sample.rubric));
    put("assertions", sample.assertions.iter().map(|assertion| Value::Object(assertion.written.clone())).collect());
    put("dimensions", sample.dimensions.iter().map(|(name, rubric)| (name.clone(), json!(rubric))).collect());
    put("capability", json!(sample.metadata.capability));
    put("difficulty", json!(sample.metadata.difficulty));
    put("construct", json!(sample.metadata.construct));
    put("provenance", json!(sample.metadata.provenance));
    put("mocks", sample.mocks.iter().map(|mock| Value::Object(mock.written.clone())).collect());
    put("mocksStrict", json!(sample.mocks_strict));
    put("tripwire", json!(sample.tripwire));
    put("environment", json!(sample.environment));
    Value::Object(fields)
}
