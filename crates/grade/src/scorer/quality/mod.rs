//! `skill_quality`: the tool's own look at a skill's files. Nothing is run, the skill isn't asked about itself, and
//! nothing is claimed that only a reader could judge.
//!
//! Each check has points of equal weight; the score is the share of points that hold, and all must hold to pass. Every
//! point is a child of the check, with the reason.
//!
//! | check | points |
//! |---|---|
//! | `metadata` | `metadata.author` and `metadata.license` are filled in; `tags` has at least one, none blank or twice |
//! | `description` | `length`: 30–1024 characters (Han characters count twice); `own-words`: no placeholder, and more than the name; `inputs`: every property of `inputSchema` has a description; `outputs`: `outputSchema` or every property of it has one |
//! | `schemas` | `inputSchema` and `outputSchema` are there and compile; `inputs`: an object whose properties have types; `required`: names only properties that exist; `outputs`: it says something |
//! | `tests` | `benchmark`: tasks beside the skill (`tests/`, `evals/`, `benchmarks/`, or `*.eval.json`); `three`: at least three; `fit`: their inputs match `inputSchema` |
//! | `structure` | `entrypoint`: the files it names are there; `documentation`: a SKILL.md or README; `clutter`, `secrets`: no leftovers of editors, no keys; `links`: none leads out |

mod described;
mod files;
mod point;
mod structure;
mod tests;

use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, QualityCheck};
use eval_spec::{Check, Layer};
use serde_json::Value;

use super::shown::share;
use crate::assertion::json_schema::Schema;
use crate::excerpt::{INLINE, excerpt};
use crate::finding::CheckFinding;
use crate::scorer::quality::point::{QualityPoint, placeholder, properties, unless};
use crate::scorer::scored::{CompiledScorer, How};

pub(super) fn compile(check: QualityCheck) -> CompiledScorer {
    let look: fn(&CallableSkill) -> Vec<QualityPoint> = match check {
        QualityCheck::Metadata => metadata,
        QualityCheck::Description => described::points,
        QualityCheck::Schemas => schemas,
        QualityCheck::Tests => tests::points,
        QualityCheck::Structure => structure::points,
    };
    CompiledScorer { how: How::Files(Box::new(move |skill| finding(look(skill)))), slow: true }
}

fn finding(points: Vec<QualityPoint>) -> CheckFinding {
    let held = points.iter().filter(|(_, held)| held.is_ok()).count();
    let missing: Vec<&str> = points.iter().filter(|(_, held)| held.is_err()).map(|(name, _)| *name).collect();
    let reason = match missing.is_empty() {
        true => msg!("skills-grade-quality-all", total = points.len()),
        false => {
            msg!("skills-grade-quality-some", held = held, total = points.len(), missing = missing.join(", "))
        }
    };
    let finding = CheckFinding::partial(missing.is_empty(), share(held, points.len()), reason);
    CheckFinding { children: points.into_iter().map(point_check).collect(), ..finding }
}

fn point_check((name, held): QualityPoint) -> Check {
    let reason = held.clone().err().unwrap_or_else(|| msg!("skills-grade-quality-holds"));
    CheckFinding::verdict(held.is_ok(), reason).check(name, Layer::Behavior, 1.0)
}

fn metadata(skill: &CallableSkill) -> Vec<QualityPoint> {
    vec![
        ("metadata.author", filled(skill, &["author", "authors"])),
        ("metadata.license", filled(skill, &["license", "licence"])),
        ("tags", tags(&skill.tags)),
    ]
}

fn filled(skill: &CallableSkill, keys: &[&'static str]) -> Result<(), Message> {
    let text = keys.iter().find_map(|key| skill.metadata.get(*key)).map(|value| match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Null => String::new(),
        other => other.to_string(),
    });
    match text.filter(|text| !text.is_empty()) {
        None => Err(msg!("skills-grade-quality-missing", field = keys.first().copied().unwrap_or_default())),
        Some(text) if placeholder(&text).is_some() => {
            Err(msg!("skills-grade-quality-placeholder", text = excerpt(&text, INLINE)))
        }
        Some(_) => Ok(()),
    }
}

fn tags(tags: &[String]) -> Result<(), Message> {
    let mut plain: Vec<String> = tags.iter().map(|tag| tag.trim().to_lowercase()).collect();
    let blank = plain.iter().any(String::is_empty);
    plain.sort();
    let twice = plain.windows(2).any(|pair| pair[0] == pair[1]);
    unless(!tags.is_empty() && !blank && !twice, || msg!("skills-grade-quality-tags"))
}

fn schemas(skill: &CallableSkill) -> Vec<QualityPoint> {
    let (input, output) = (skill.input_schema.as_ref(), skill.output_schema.as_ref());
    vec![
        ("inputSchema", compiles(input, "inputSchema")),
        ("inputs", typed(input)),
        ("required", required(input)),
        ("outputSchema", compiles(output, "outputSchema")),
        ("outputs", unless(output.is_some_and(says_something), || msg!("skills-grade-quality-outputs-vague"))),
    ]
}

fn compiles(schema: Option<&Value>, field: &'static str) -> Result<(), Message> {
    let schema = schema.ok_or_else(|| msg!("skills-grade-quality-missing", field = field))?;
    Schema::new(schema).map(drop)
}

fn typed(schema: Option<&Value>) -> Result<(), Message> {
    let Some(properties) = properties(schema).filter(|properties| !properties.is_empty()) else {
        return Err(msg!("skills-grade-quality-no-properties"));
    };
    let vague = properties.iter().find(|(_, property)| !says_something(property));
    vague.map_or(Ok(()), |(name, _)| Err(msg!("skills-grade-quality-untyped", property = excerpt(name, INLINE))))
}

/// Keywords that tell what a value is.
const TELLING: [&str; 10] =
    ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "properties", "items", "pattern"];

fn says_something(schema: &Value) -> bool {
    TELLING.iter().any(|keyword| schema.get(*keyword).is_some())
}

fn required(schema: Option<&Value>) -> Result<(), Message> {
    let schema = schema.ok_or_else(|| msg!("skills-grade-quality-missing", field = "inputSchema"))?;
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let unknown = |name: &&str| properties(Some(schema)).is_none_or(|known| !known.contains_key(*name));
    match { names }.find(unknown) {
        Some(name) => Err(msg!("skills-grade-quality-required", property = excerpt(name, INLINE))),
        None => Ok(()),
    }
}
