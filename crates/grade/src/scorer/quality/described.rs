//! `description`: inputs and outputs are described, in the skill's own words.

use std::collections::BTreeSet;

use eval_message::{Message, msg};
use eval_spec::callable::CallableSkill;
use serde_json::Value;

use crate::excerpt::{INLINE, excerpt};
use crate::scorer::quality::point::{QualityPoint, placeholder, properties, unless};

/// Characters of a description; the longest is that of the Agent Skills format.
const LENGTH: std::ops::RangeInclusive<usize> = 30..=1024;

pub(super) fn points(skill: &CallableSkill) -> Vec<QualityPoint> {
    let length = length(&skill.description);
    let right = || msg!("skills-grade-quality-length", length = length, least = *LENGTH.start(), most = *LENGTH.end());
    vec![
        ("length", unless(LENGTH.contains(&length), right)),
        ("own-words", own_words(skill)),
        ("inputs", each_described(skill.input_schema.as_ref(), "inputSchema")),
        ("outputs", outputs(skill.output_schema.as_ref())),
    ]
}

/// In characters; a Han character says as much as two letters and more.
fn length(text: &str) -> usize {
    text.trim().chars().map(|c| if matches!(c, '\u{3400}'..='\u{9fff}') { 2 } else { 1 }).sum()
}

fn own_words(skill: &CallableSkill) -> Result<(), Message> {
    if let Some(found) = placeholder(&skill.description) {
        return Err(msg!("skills-grade-quality-placeholder", text = found));
    }
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let named = words(&format!("{} {}", skill.id, skill.name));
    let own = words(&skill.description).difference(&named).count();
    let is_han = skill.description.chars().any(|c| matches!(c, '\u{3400}'..='\u{9fff}'));
    unless(own >= 3 || own >= 1 && is_han, || msg!("skills-grade-quality-own-words"))
}

fn described(schema: &Value) -> bool {
    schema.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
}

fn each_described(schema: Option<&Value>, field: &'static str) -> Result<(), Message> {
    let Some(properties) = properties(schema).filter(|properties| !properties.is_empty()) else {
        return Err(msg!("skills-grade-quality-undescribed", property = field));
    };
    let silent = properties.iter().find(|(_, property)| !described(property)).map(|(name, _)| name);
    silent.map_or(Ok(()), |name| Err(msg!("skills-grade-quality-undescribed", property = excerpt(name, INLINE))))
}

fn outputs(schema: Option<&Value>) -> Result<(), Message> {
    if schema.is_some_and(described) { Ok(()) } else { each_described(schema, "outputSchema") }
}
