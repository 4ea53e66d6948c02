//! Annotators that appear to be judges, and warnings.

use eval_format::{GoldAnnotator, GoldCounts};
use eval_message::{Message, msg};

use crate::model::ModelName;

/// The most left-out annotations that are listed.
pub(super) const LISTED: usize = 100;

/// Words of an annotator's name that say that it is a program, and not which one.
const OF_PROGRAMS: [&str; 15] = [
    "judge",
    "llm",
    "ai",
    "model",
    "bot",
    "grader",
    "evaluator",
    "annotator",
    "rater",
    "reviewer",
    "auto",
    "automatic",
    "by",
    "the",
    "via",
];

/// The judge that an annotator's name matches.
pub fn judge_of(annotator: &str, judges: &[String]) -> Option<String> {
    let names = spellings(annotator);
    let is_of = |judge: &&String| {
        let judge = ModelName::of(judge);
        names.iter().any(|name| {
            let own = ModelName::of(name);
            own.is_same(&judge) || is_same_in_any_order(&own, &judge)
        })
    };
    judges.iter().find(is_of).cloned()
}

/// A name as people write the same model: without words for its role, with its maker's name, in plain letters.
fn spellings(annotator: &str) -> Vec<String> {
    let plain: String = annotator.chars().filter_map(plain).collect();
    let is_said = |word: &&str| !OF_PROGRAMS.contains(&word.to_lowercase().as_str());
    let apart = |of: char| !(of.is_alphanumeric() || ".:/".contains(of));
    let words: Vec<&str> =
        plain.split(apart).map(|word| word.trim_matches(':')).filter(|word| !word.is_empty()).collect();
    let said: Vec<&str> = words.iter().copied().filter(is_said).collect();
    let bare = said.join("-");
    let mut all = vec![annotator.to_owned(), plain.clone()];
    if said.len() < words.len() && !bare.is_empty() {
        all.push(bare.clone());
    }
    if ["opus", "sonnet", "haiku"].iter().any(|series| bare.to_lowercase().starts_with(series)) {
        all.push(format!("claude-{bare}"));
    }
    // `judge:gpt-4o`
    let role = plain.split_once(':').filter(|(role, _)| OF_PROGRAMS.contains(&role.trim().to_lowercase().as_str()));
    all.extend(role.map(|(_, name)| name.to_owned()));
    // `ann (gpt-4o)`, `gpt-4o@openai`
    all.extend(plain.split(['(', ')', '[', ']', '@', ',', ';', '|']).map(|part| part.trim().to_owned()));
    all.retain(|name| !name.is_empty());
    all
}

/// A letter as keyboards have it: wide ones, and the hyphens of printers.
fn plain(of: char) -> Option<char> {
    match of {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(of) - 0xfee0),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{200b}'..='\u{200d}' | '\u{feff}' => None,
        _ if of.is_whitespace() => Some(' '),
        _ => Some(of),
    }
}

/// `claude-4.5-sonnet` is `claude-sonnet-4-5`.
fn is_same_in_any_order(one: &ModelName, other: &ModelName) -> bool {
    let sorted = |of: &ModelName| {
        let mut parts: Vec<String> = of.folded().split('-').map(str::to_owned).collect();
        parts.sort();
        parts
    };
    let (one, other) = (sorted(one), sorted(other));
    one.len() > 2 && one == other
}

pub(super) fn warnings(counts: &GoldCounts, annotators: &[GoldAnnotator]) -> Vec<Message> {
    let colluding = annotators.iter().filter_map(|of| {
        let judge = of.judge.as_ref()?;
        Some(msg!("report-gold-collusion", annotator = &of.name, judge = judge))
    });
    let mut all: Vec<Message> = colluding.collect();
    let mut tell = |count: u64, message: fn(u64) -> Message| all.extend((count > 0).then(|| message(count)));
    tell(counts.stale, |count| msg!("report-gold-stale", count = count));
    tell(counts.unplaced, |count| msg!("report-gold-unplaced", count = count));
    tell(counts.unknown_sample, |count| msg!("report-gold-unknown-sample", count = count));
    tell(counts.unknown_variant, |count| msg!("report-gold-unknown-variant", count = count));
    tell(counts.unjudged, |count| msg!("report-gold-unjudged", count = count));
    tell(counts.open, |count| msg!("report-gold-open", count = count));
    tell(counts.twice, |count| msg!("report-gold-twice", count = count));
    tell(counts.tripwire, |count| msg!("report-gold-tripwire", count = count));
    tell(counts.not_needed, |count| msg!("report-gold-not-needed", count = count));
    tell(counts.withdrawn, |count| msg!("report-gold-withdrawn", count = count));
    tell(counts.unverified, |count| msg!("report-gold-unverified", count = count));
    all
}
