//! Task inputs against a skill's `inputSchema`, outputs against its `outputSchema`. Neither changes a score.

use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, OUTPUT_SCHEMA_CHECK, Task};
use eval_spec::{Check, Diagnostic, Layer};
use serde_json::Value;

use crate::assertion::json_schema::{Schema, validate};
use crate::finding::CheckFinding;

/// A skill's `outputSchema` or `inputSchema`, compiled; without `$schema` of the draft that its keywords are of.
pub struct OutputSchema(Schema);

impl OutputSchema {
    /// Compiles `schema`.
    ///
    /// # Errors
    /// Why it is none.
    pub fn new(schema: &Value) -> Result<OutputSchema, Message> {
        Schema::new(schema).map(OutputSchema)
    }

    /// The first few things in `value` that don't match, `PATH: what is wrong` each, in English: the validator's own
    /// words. Empty when all matches, and when the limits end the check.
    #[must_use]
    pub fn mismatches(&self, value: &Value) -> Vec<String> {
        self.mismatches_and_statement(value).map(|(mismatches, _)| mismatches).unwrap_or_default()
    }

    fn mismatches_and_statement(&self, value: &Value) -> Result<(Vec<String>, Option<Message>), Message> {
        let CheckFinding { holds, actual, statement, .. } = validate(&self.0, value);
        if holds? {
            return Ok((Vec::new(), statement));
        }
        let errors = actual.as_ref().and_then(|actual| actual.get("errors")).and_then(Value::as_array);
        let text = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let listed: Vec<String> = errors
            .into_iter()
            .flatten()
            .map(|error| format!("{}: {}", text(error, "at"), text(error, "error")))
            .collect();
        let unlisted = || statement.iter().map(ToString::to_string).collect();
        Ok((if listed.is_empty() { unlisted() } else { listed }, statement))
    }
}

/// The check that is reported beside the score.
pub(super) fn check(schema: &Result<OutputSchema, Message>, output: &Value) -> Check {
    let checked = schema.as_ref().map_err(Clone::clone).and_then(|schema| schema.mismatches_and_statement(output));
    let finding = match checked {
        Err(why) => CheckFinding::unscored(why),
        Ok((mismatches, statement)) => {
            let finding = CheckFinding::verdict(mismatches.is_empty(), statement);
            if mismatches.is_empty() { finding } else { finding.having_seen(mismatches) }
        }
    };
    finding.check(OUTPUT_SCHEMA_CHECK, Layer::Behavior, 0.0)
}

/// Checks tasks against skills before anything runs. As errors, the inputs that can't be sent to a skill at
/// all: nothing can be learnt of it by them. As warnings, for each skill how many inputs don't match its `inputSchema`,
/// with the first of them, and schemas that are none. A benchmark whose inputs don't fit measures little, but the skill
/// may well answer: it is for a person to decide. Tasks that don't call the skill don't count.
#[must_use]
pub fn check_inputs(tasks: &[Task], skills: &[CallableSkill]) -> Vec<Diagnostic> {
    let unsendable = skills.iter().flat_map(|skill| tasks.iter().filter_map(|task| unsendable(task, skill)));
    let doubtful = skills.iter().flat_map(|skill| [inputs(tasks, skill), broken_output_schema(skill)]).flatten();
    unsendable.chain(doubtful).collect()
}

fn unsendable(task: &Task, skill: &CallableSkill) -> Option<Diagnostic> {
    let why = skill.unsendable(&task.input).filter(|_| task.scorer.kind().calls_skill())?;
    let message = msg!("skills-grade-input-unsendable", task = &*task.id, skill = &*skill.id, why = why.to_string());
    let error = Diagnostic { place: task.place.clone(), ..Diagnostic::error(message, None) };
    Some(error.help(msg!("skills-grade-input-unsendable-help")))
}

fn inputs(tasks: &[Task], skill: &CallableSkill) -> Option<Diagnostic> {
    let schema = match OutputSchema::new(skill.input_schema.as_ref()?) {
        Ok(schema) => schema,
        Err(why) => return Some(broken(skill, "inputSchema", &why)),
    };
    let called = || tasks.iter().filter(|task| task.scorer.kind().calls_skill());
    let mut misfits = called().filter_map(|task| Some((task, schema.mismatches(&task.input).into_iter().next()?)));
    let (task, mismatch) = misfits.next()?;
    let message = msg!(
        "skills-grade-inputs-misfit",
        skill = &*skill.id,
        count = 1 + misfits.count(),
        total = called().count(),
        task = &*task.id,
        mismatch = mismatch,
    );
    Some(Diagnostic::warning(message, task.place.clone()).help(msg!("skills-grade-inputs-misfit-help")))
}

fn broken_output_schema(skill: &CallableSkill) -> Option<Diagnostic> {
    let why = OutputSchema::new(skill.output_schema.as_ref()?).err()?;
    Some(broken(skill, "outputSchema", &why))
}

fn broken(skill: &CallableSkill, field: &'static str, why: &Message) -> Diagnostic {
    let message = msg!("skills-grade-schema-broken", skill = &*skill.id, field = field, error = why.to_string());
    Diagnostic::warning(message, None)
}
