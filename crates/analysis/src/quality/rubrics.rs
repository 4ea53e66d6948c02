//! Rubrics that leave the score to the judge's taste: short ones that ask for nothing, and those on which judges' opinions
//! of the same answer lie far apart.

use std::collections::BTreeMap;

use eval_message::number::points;
use eval_message::plain::clean;
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::{Sample, Suite};

use super::found::{EXCERPT, Item, SampleFinding, counted};
use crate::grid::Grid;
use crate::likeness::folded;
use crate::numbers::average;
use crate::questions::size;

/// Words (a Han character is half a word) below which a rubric is short: what an answer must have takes a clause.
const SHORT: f64 = 8.0;
/// Standard deviation of opinions on one answer, in points, from which judges read the rubric differently: two of them
/// are then 1.4 of 4 points apart on average.
const WIDE: f64 = 1.0;
/// Answers that must have been judged more than once before their spread says something of the rubric.
const LEAST_JUDGED: usize = 2;

/// Words that ask for something definite. Praise (good, clear, helpful, correct) asks for nothing that two judges would
/// look for in the same place.
const ENGLISH: &[&str] = &[
    "should",
    "must",
    "shall",
    "needs",
    "need",
    "requires",
    "required",
    "has to",
    "have to",
    "identif",
    "mention",
    "includ",
    "contain",
    "explain",
    "state",
    "states",
    "list",
    "lists",
    "name",
    "names",
    "cite",
    "cites",
    "quote",
    "describe",
    "provid",
    "give",
    "gives",
    "return",
    "returns",
    "point out",
    "points out",
    "recommend",
    "suggest",
    "refuse",
    "decline",
    "admit",
    "ask",
    "asks",
    "avoid",
    "never",
    "not",
    "no",
    "without",
    "only",
    "exactly",
    "at least",
    "at most",
    "whether",
    "if",
    "score",
    "points",
    "pass",
    "fail",
    "full marks",
    "deduct",
    "equal",
    "match",
    "follow",
    "use",
    "uses",
    "call",
    "calls",
    "show",
    "shows",
    "cover",
    "covers",
    "says",
    "say",
];
const CHINESE: &[&str] = &[
    "应",
    "须",
    "必要",
    "需",
    "要求",
    "是否",
    "能否",
    "有无",
    "不得",
    "不能",
    "不可",
    "不要",
    "没有",
    "避免",
    "禁止",
    "至少",
    "至多",
    "最多",
    "不超过",
    "仅",
    "只",
    "包含",
    "包括",
    "含有",
    "指出",
    "识别",
    "说明",
    "解释",
    "给出",
    "列出",
    "提到",
    "提及",
    "提供",
    "引用",
    "建议",
    "拒绝",
    "返回",
    "使用",
    "调用",
    "符合",
    "满足",
    "等于",
    "匹配",
    "得分",
    "满分",
    "扣分",
    "给分",
    "分值",
    "每条",
    "覆盖",
];

/// The spread of opinions by sample's place: the mean standard deviation over its answers, in points.
pub(super) type Spreads = BTreeMap<usize, f64>;

/// The check; without a run, or with one opinion on each answer, of the words alone.
pub(super) fn check(suite: &Suite, spreads: Result<Spreads, Message>) -> Result<SampleFinding, Message> {
    let spreads = spreads.unwrap_or_default();
    let judged = || counted(suite).filter(|(_, sample)| suite.settings.judge && sample.has_rubric());
    if judged().next().is_none() {
        return Err(msg!("quality-why-no-rubric"));
    }
    let item = |(place, sample): (usize, &Sample)| {
        let spread = spreads.get(&place).copied().filter(|spread| *spread >= WIDE);
        let detail = match (spread, vague(sample)) {
            (Some(spread), _) => msg!("quality-rubric-spread", sd = points(spread)),
            (None, Some(text)) => msg!("quality-rubric-short", text = clip(text, EXCERPT)),
            (None, None) => return None,
        };
        Some(Item { samples: vec![place], value: spread, detail })
    };
    let mut items: Vec<Item> = judged().filter_map(item).collect();
    items.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
    Ok(SampleFinding::each(items, judged().count()))
}

/// The first criterion of a sample that is short and asks for nothing definite. Dimensions win over the rubric.
fn vague(sample: &Sample) -> Option<&str> {
    let dimensions = sample.dimensions.iter().map(|(_, text)| text.as_str());
    let rubric = sample.rubric.as_deref().filter(|_| sample.dimensions.is_empty());
    dimensions.chain(rubric).find(|text| is_vague(text))
}

pub fn is_vague(text: &str) -> bool {
    let text = folded(&clean(text));
    words(&text) < SHORT && !asks_for_something(&text)
}

/// Latin words, and two Han characters for one.
#[expect(clippy::cast_precision_loss, reason = "words of a rubric")]
fn words(folded: &str) -> f64 {
    let han = folded.chars().filter(|c| is_han(*c)).count();
    let latin = folded.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|word| !word.is_empty()).count();
    latin as f64 + han as f64 / 2.0
}

pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A number asks for something definite too: `two causes`, `under 100 words` or `5 = cites the law`.
fn asks_for_something(folded: &str) -> bool {
    folded.chars().any(|c| c.is_ascii_digit())
        || CHINESE.iter().any(|word| folded.contains(word))
        || ENGLISH.iter().any(|word| starts_a_word(folded, word))
}

/// Whether a word of `text` begins with `stem`, or, for stems of up to four letters, is it.
pub(super) fn starts_a_word(text: &str, stem: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(stem).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + stem.len()..].chars().next());
        !is_letter(before) && (stem.len() > 4 || !is_letter(after))
    })
}

/// How far opinions on one answer lie apart, for every sample with a rubric that was judged more than once.
pub(super) fn spreads(grid: &Grid) -> Result<Spreads, Message> {
    let spread = |sample: usize| {
        let first_rubric = grid.suite.samples[sample].assertions.iter().map(size).sum::<usize>();
        let places = (0..grid.suite.variants.len()).flat_map(|variant| grid.places(sample, variant));
        let asked = places.flat_map(|&at| grid.opinions.of(at));
        let of_rubric = asked.filter(|asked| asked.check as usize >= first_rubric);
        let spreads: Vec<f64> = of_rubric.filter_map(|asked| eval_stats::sd(&asked.scores())).collect();
        average(&spreads).filter(|_| spreads.len() >= LEAST_JUDGED).map(|spread| (sample, spread))
    };
    Ok(grid.samples().filter_map(spread).collect())
}
