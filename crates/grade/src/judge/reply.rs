//! Reading a judge's reply. Only a reply in exactly the requested form is used: any other score could have been written
//! by the answer under test.

use std::fmt;

use eval_message::{Message, msg};
use eval_spec::gap::HedgingVerdict;
use eval_spec::halves::without_halves;
use eval_spec::{Claim, Outcome, Output, Shown};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::{Number, Value};

use super::texts::JudgePrompt;
use crate::excerpt::excerpt;

/// A usable reply.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeReply {
    /// 1–5.
    pub score: f64,
    /// The text before the score.
    pub reasoning: String,
    /// The statements, where it was asked for statements.
    pub claims: Vec<Claim>,
}

/// A proposed question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProbeQuestion {
    /// What a user would ask.
    pub question: String,
    /// The file or heading that says that it is in scope, as the structure names it.
    pub scope: String,
}

/// Things that are the same in other words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SameThings {
    /// Which ones, at least two.
    pub members: Vec<usize>,
    /// Why, in the model's words.
    pub reason: String,
    /// How sure the model is, 0 to 1, by its own account.
    pub confidence: f64,
}

/// The kind of reply that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// A whole number from 1 to 5.
    Score,
    /// Statements, each supported or not; the score is 1 + 4 × the share of supported ones.
    Claims,
    /// Whether something holds: 5, or 1.
    Verdict,
}

impl ReplyForm {
    /// All of them.
    pub(super) const ALL: [ReplyForm; 3] = [ReplyForm::Score, ReplyForm::Claims, ReplyForm::Verdict];

    /// The part of the prompt that asks for this reply; `{id}` is the nonce.
    pub(super) fn instruction(self, texts: &JudgePrompt) -> &'static str {
        match self {
            ReplyForm::Score => texts.reply_score,
            ReplyForm::Claims => texts.reply_claims,
            ReplyForm::Verdict => texts.reply_verdict,
        }
    }

    /// The field that is asked for.
    fn field(self) -> &'static str {
        match self {
            ReplyForm::Score => "score",
            ReplyForm::Claims => "claims",
            ReplyForm::Verdict => "passed",
        }
    }
}

/// Characters of a name, at most.
const LONGEST_NAME: usize = 60;
/// How much of a verdict's reason is stored, in characters.
const LONGEST_REASON: usize = 300;
/// The longest question, in characters.
const LONGEST_QUESTION: usize = 400;
/// The longest name of a file or heading, in characters.
const LONGEST_SCOPE: usize = 400;

/// More statements than any answer has.
const MOST_CLAIMS: usize = 1000;

/// Reads a reply to the request `id`.
///
/// The whole reply must be one JSON object (a code fence around it and the thoughts that some models put
/// before it are allowed) that contains the request's id, which the answer under test can't know.
///
/// # Errors
/// Why it is unusable.
pub fn read(output: &Output, id: &str, form: ReplyForm) -> Result<JudgeReply, Message> {
    let (reasoning, value) = reasoned(output, id, form.field())?;
    let (score, claims) = match form {
        ReplyForm::Score => (whole_score(&value)?, Vec::new()),
        ReplyForm::Claims => supported(&value)?,
        ReplyForm::Verdict => (holds(&value)?, Vec::new()),
    };
    Ok(JudgeReply { score, reasoning, claims })
}

/// Reads a reply to the request `id` of a comparison: which answer won, and what was written before that.
///
/// # Errors
/// Why it is unusable.
pub(super) fn read_winner(output: &Output, id: &str) -> Result<(Shown, String), Message> {
    let (reasoning, value) = reasoned(output, id, "winner")?;
    let winner = match value.as_str() {
        Some("A") => Shown::First,
        Some("B") => Shown::Second,
        Some("tie") => Shown::Tie,
        _ => return Err(msg!("grade-reply-winner", winner = short(&value))),
    };
    Ok((winner, reasoning))
}

/// Reads a reply to a request for a name: one line of at most [`LONGEST_NAME`] characters.
///
/// # Errors
/// Why it is unusable.
pub(super) fn read_name(output: &Output, id: &str) -> Result<String, Message> {
    let (_, value) = reasoned(output, id, "name")?;
    let name = value.as_str().map(str::trim).unwrap_or_default();
    match !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.contains(char::is_control) {
        true => Ok(name.to_owned()),
        false => Err(msg!("grade-reply-name", name = short(&value), most = LONGEST_NAME)),
    }
}

/// Reads a reply with proposed questions.
///
/// # Errors
/// Why it is unusable.
pub(super) fn read_questions(output: &Output, id: &str) -> Result<Vec<ProbeQuestion>, Message> {
    let (_, value) = reasoned(output, id, "questions")?;
    let all: Vec<ProbeQuestion> =
        serde_json::from_value(value).map_err(|_| msg!("grade-reply-questions", most = LONGEST_QUESTION))?;
    let is_usable = |text: &str, most: usize| {
        !text.trim().is_empty() && text.chars().count() <= most && !text.contains(char::is_control)
    };
    let is_fine = |of: &ProbeQuestion| is_usable(&of.question, LONGEST_QUESTION) && is_usable(&of.scope, LONGEST_SCOPE);
    match !all.is_empty() && all.iter().all(is_fine) {
        true => Ok(all),
        false => Err(msg!("grade-reply-questions", most = LONGEST_QUESTION)),
    }
}

/// Reads a reply that says which things are the same.
///
/// # Errors
/// Why it is unusable.
pub(super) fn read_same_things(output: &Output, id: &str) -> Result<Vec<SameThings>, Message> {
    let (_, value) = reasoned(output, id, "groups")?;
    let all: Vec<SameThings> = serde_json::from_value(value).map_err(|_| msg!("grade-reply-groups"))?;
    let is_fine =
        |of: &SameThings| of.members.len() > 1 && (0.0..=1.0).contains(&of.confidence) && !of.reason.trim().is_empty();
    if all.iter().all(is_fine) { Ok(all) } else { Err(msg!("grade-reply-groups")) }
}

/// Reads a verdict on a sentence of doubt.
///
/// # Errors
/// Why it is unusable.
pub(super) fn read_hedging(output: &Output, id: &str) -> Result<HedgingVerdict, Message> {
    let fields = fields(output, id)?;
    let field = |name: &str| {
        let found = fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        found.ok_or_else(|| msg!("grade-reply-no-field", field = name))
    };
    let unusable = |name: &str| msg!("grade-reply-no-field", field = name);
    let is_uncertainty = field("isUncertainty")?.as_bool().ok_or_else(|| unusable("isUncertainty"))?;
    let confidence = field("confidence")?.as_f64().filter(|of| (0.0..=1.0).contains(of));
    let reason = field("reason")?.as_str().map(str::trim).filter(|of| !of.is_empty());
    Ok(HedgingVerdict {
        is_uncertainty,
        confidence: confidence.ok_or_else(|| unusable("confidence"))?,
        reason: excerpt(reason.ok_or_else(|| unusable("reason"))?, LONGEST_REASON),
    })
}

/// The reasons, and the field `name` that must come after them.
fn reasoned(output: &Output, id: &str, name: &str) -> Result<(String, Value), Message> {
    let fields = fields(output, id)?;
    let field = |name: &str| fields.iter().position(|(key, _)| key == name).map(|at| (at, &fields[at].1));
    let Some((reasoned_at, Value::String(reasoning))) = field("reasoning") else {
        return Err(msg!("grade-reply-no-reasoning"));
    };
    if reasoning.trim().is_empty() {
        return Err(msg!("grade-reply-no-reasoning"));
    }
    let Some((at, value)) = field(name) else { return Err(msg!("grade-reply-no-field", field = name)) };
    if at < reasoned_at {
        return Err(msg!("grade-reply-score-first"));
    }
    Ok((reasoning.clone(), value.clone()))
}

/// The fields of a reply with the request's id.
fn fields(output: &Output, id: &str) -> Result<Vec<(String, Value)>, Message> {
    match output.outcome {
        Outcome::Answered => {}
        Outcome::Refused => return Err(msg!("grade-reply-refused")),
        Outcome::Truncated | Outcome::LimitHit => return Err(msg!("grade-reply-truncated")),
        Outcome::Empty => return Err(msg!("grade-reply-empty")),
    }
    let fields = object(&output.text).ok_or_else(|| msg!("grade-reply-not-json"))?;
    match fields.iter().find(|(key, _)| key == "id") {
        Some((_, Value::String(written))) if written == id => Ok(fields),
        _ => Err(msg!("grade-reply-wrong-id")),
    }
}

/// The object that a reply is, or that its thoughts end with: what a model quotes while it thinks is no reply. A template
/// may open the thoughts itself, so that only their end is there.
fn object(text: &str) -> Option<Vec<(String, Value)>> {
    const END: &str = "</think>";
    let ends = text.match_indices(END).map(|(at, _)| at + END.len());
    std::iter::once(0).chain(ends).find_map(|begin| read_object(without_fence(&text[begin..])))
}

fn read_object(text: &str) -> Option<Vec<(String, Value)>> {
    let read = |text: &str| serde_json::from_str(text).ok().map(|Once(fields)| fields);
    read(text).or_else(|| read(&mended(text)?))
}

/// Without the code fence around it.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    fenced.and_then(|inside| inside.strip_suffix("```")).unwrap_or(text).trim()
}

/// With an escape for each line break and each other control character in a string, and for each half of an emoji: models
/// write their reasons so. `None` where there is none.
fn mended(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let (mut is_string, mut is_escaped, mut has_changed) = (false, false, false);
    for character in text.chars() {
        if is_string && character.is_ascii_control() {
            mended.push_str(&format!("\\u{:04x}", u32::from(character)));
            (has_changed, is_escaped) = (true, false);
            continue;
        }
        is_string ^= character == '"' && !is_escaped;
        is_escaped = is_string && character == '\\' && !is_escaped;
        mended.push(character);
    }
    let whole = without_halves(&mended);
    (has_changed || whole.is_some()).then(|| whole.unwrap_or(mended))
}

fn whole_score(value: &Value) -> Result<f64, Message> {
    let unusable = || msg!("grade-reply-score", score = short(value));
    // Models write 4.0, too.
    let score = value.as_number().and_then(Number::as_f64).ok_or_else(unusable)?;
    match (1.0..=5.0).contains(&score) && score.fract() == 0.0 {
        true => Ok(score),
        false => Err(unusable()),
    }
}

fn holds(value: &Value) -> Result<f64, Message> {
    let passed = value.as_bool().ok_or_else(|| msg!("grade-reply-passed", passed = short(value)))?;
    Ok(if passed { 5.0 } else { 1.0 })
}

fn short(value: &Value) -> String {
    excerpt(&value.to_string(), 40)
}

fn supported(value: &Value) -> Result<(f64, Vec<Claim>), Message> {
    let unusable = || msg!("grade-reply-claims");
    let items = value.as_array().filter(|items| items.len() <= MOST_CLAIMS).ok_or_else(unusable)?;
    let claims: Option<Vec<Claim>> = items.iter().map(claim).collect();
    let claims = claims.ok_or_else(unusable)?;
    if claims.is_empty() {
        return Err(msg!("grade-reply-no-claims"));
    }
    #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
    let share = claims.iter().filter(|claim| claim.supported).count() as f64 / claims.len() as f64;
    Ok((1.0 + 4.0 * share, claims))
}

fn claim(value: &Value) -> Option<Claim> {
    let text = value.get("claim")?.as_str()?.trim();
    let supported = value.get("supported")?.as_bool()?;
    (!text.is_empty()).then(|| Claim { claim: text.to_owned(), supported })
}

/// The fields of an object in their order. One that is there twice could mean either.
struct Once(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Once, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Once;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Once, A::Error> {
                let mut fields: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if fields.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom("a field is there twice"));
                    }
                    fields.push((name, value));
                }
                Ok(Once(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}
