//! Prompts that contain their answer: the assertions look for text of the prompt, so that repeating the question passes.
//!
//! Only the prompt counts without the pages at its URLs, not the context, which the answer is to be drawn from, nor the artifact, which is what is
//! under test. Left alone are checks that something is *not* said, short and common words, words that the whole test set is
//! about, prompts that list the answers to choose from, and tasks that transform a text that the prompt quotes.

use std::borrow::Cow;
use std::collections::HashMap;

use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::{Assertion, Sample, Suite};
use rayon::prelude::*;
use serde_json::Value;

use super::found::{EXCERPT, Item, SampleFinding, counted};
use super::rubrics::{is_han, starts_a_word};
use crate::likeness::folded;

/// The fewest letters and digits, or Han characters, of a key word: shorter ones occur anywhere by chance.
const LEAST_LETTERS: usize = 4;
const LEAST_HAN: usize = 2;
/// Characters that a reference has at least: a shorter one is a phrase that question and answer may share.
const LEAST_REFERENCE: usize = 20;
/// The share of a sample's checks for a text that must be given away: one word of several is its topic.
const GIVEN_AWAY: f64 = 0.5;
/// The most prompts, evenly spaced, that topic words are counted on, and the fewest.
const PROMPTS: usize = 256;
const LEAST_PROMPTS: usize = 5;
/// The key words of several samples, at most so many, that are taken for the answers to choose from.
const LABELS: usize = 64;

/// Words that any prompt may hold.
const COMMON: &[&str] = &[
    "true", "false", "none", "null", "with", "this", "that", "from", "what", "when", "where", "which", "your", "have",
    "will", "there", "their", "about", "answer", "question", "text", "code", "file", "data", "user", "error", "name",
    "json", "yaml", "list", "please", "是否", "可以", "什么", "这个", "代码", "问题", "回答", "答案", "用户", "错误",
    "文件", "数据",
];
/// Tasks whose answer repeats parts of the prompt, or chooses from it.
const TRANSFORMS: &[&str] = &[
    "translat",
    "rewrit",
    "rephras",
    "paraphras",
    "summari",
    "extract",
    "convert",
    "format",
    "reformat",
    "proofread",
    "shorten",
    "quote",
    "repeat",
    "copy",
    "transcrib",
    "complete the",
    "fill in",
    "rename",
    "sort",
    "classif",
    "categori",
    "choose",
    "select",
    "pick",
    "one of",
    "label",
    "either",
    "true or false",
    "multiple choice",
    "options",
    "翻译",
    "改写",
    "重写",
    "润色",
    "总结",
    "摘要",
    "概括",
    "提取",
    "抽取",
    "转换",
    "格式化",
    "校对",
    "缩写",
    "扩写",
    "复述",
    "引用",
    "补全",
    "填空",
    "重命名",
    "排序",
    "分类",
    "归类",
    "选择",
    "选出",
    "之一",
    "还是",
    "判断",
    "标注",
    "选项",
];

/// Whether the prompt contains the text that a check looks for.
enum LeakSearch {
    /// Nothing that a prompt could hold.
    Elsewhere,
    /// Something that the prompt doesn't hold.
    NotThere,
    /// This, which the prompt holds.
    GivenAway(String),
}

pub(super) fn check(suite: &Suite) -> Result<SampleFinding, Message> {
    let set = KeywordUse::of(suite);
    let (mut checked, mut items) = (0, Vec::new());
    let samples: Vec<(usize, &Sample)> = counted(suite).collect();
    let looked: Vec<_> = samples.par_iter().map(|(_, sample)| looked(sample, &set)).collect();
    for ((place, _), looked) in samples.into_iter().zip(looked) {
        if looked.is_empty() {
            continue;
        }
        checked += 1;
        if let Some(detail) = given_away(&looked) {
            items.push(Item { samples: vec![place], value: None, detail });
        }
    }
    if checked == 0 {
        return Err(msg!("quality-why-no-text-check"));
    }
    Ok(SampleFinding::each(items, checked))
}

/// The sample's checks for a text, by the assertion's number; none where the task is to transform the prompt.
fn looked(sample: &Sample, set: &KeywordUse) -> Vec<(usize, LeakSearch)> {
    let prompt = folded(sample.compared_prompt());
    let each = sample.assertions.iter().enumerate().map(|(i, of)| (i + 1, look(of, false, &prompt, set)));
    let looked: Vec<_> = each.filter(|(_, looked)| !matches!(looked, LeakSearch::Elsewhere)).collect();
    let gives_away = looked.iter().any(|(_, looked)| matches!(looked, LeakSearch::GivenAway(_)));
    match gives_away && (transforms(&prompt) || set.lists_answers(&prompt)) {
        true => looked.into_iter().map(|(i, _)| (i, LeakSearch::NotThere)).collect(),
        false => looked,
    }
}

fn transforms(prompt: &str) -> bool {
    TRANSFORMS.iter().any(|word| match word.is_ascii() {
        true => starts_a_word(prompt, word),
        false => prompt.contains(word),
    })
}

#[expect(clippy::cast_precision_loss, reason = "assertions of a sample")]
fn given_away(looked: &[(usize, LeakSearch)]) -> Option<Message> {
    let given: Vec<(usize, &str)> = looked
        .iter()
        .filter_map(|(i, looked)| match looked {
            LeakSearch::GivenAway(text) => Some((*i, text.as_str())),
            LeakSearch::Elsewhere | LeakSearch::NotThere => None,
        })
        .collect();
    let (assertion, text) = *given.first()?;
    let enough = given.len() as f64 >= GIVEN_AWAY * looked.len() as f64;
    enough.then(|| {
        msg!(
            "quality-leak",
            text = clip(text, EXCERPT),
            assertion = assertion,
            given = given.len(),
            total = looked.len()
        )
    })
}

/// Looks at one assertion; `negated` when a set around it exchanges pass and fail.
fn look(of: &Assertion, negated: bool, prompt: &str, set: &KeywordUse) -> LeakSearch {
    let negated = negated != of.not;
    let one = |text: Cow<str>| first_of([text], prompt, set);
    match of.kind.as_str() {
        "contains" | "starts_with" | "ends_with" | "equals" if !negated => one(value(of)),
        "not_contains" | "not_equals" if negated => one(value(of)),
        "contains_all" if !negated => every(values(of).map(|text| first_of([text], prompt, set))),
        "contains_any" if !negated => first_of(values(of), prompt, set),
        "semantic_similarity" | "rouge_n_min" | "bleu_min" | "levenshtein_max" if !negated => reference(of, prompt),
        "assert-set" => {
            let each = of.children.iter().map(|child| look(child, negated, prompt, set));
            // a negated `all` passes when any of its negated children does
            let any = (of.text("mode") == Some("any")) != negated;
            if any { some(each) } else { every(each) }
        }
        _ => LeakSearch::Elsewhere,
    }
}

fn value(of: &Assertion) -> Cow<'_, str> {
    match of.field("value") {
        Some(Value::String(text)) => text.into(),
        Some(Value::Number(number)) => number.to_string().into(),
        _ => "".into(),
    }
}

fn values(of: &Assertion) -> impl Iterator<Item = Cow<'_, str>> {
    of.texts("values").unwrap_or_default().into_iter().map(Cow::from)
}

/// The first of the key words that the prompt contains.
fn first_of<'k>(keys: impl IntoIterator<Item = Cow<'k, str>>, prompt: &str, set: &KeywordUse) -> LeakSearch {
    let mut looked = LeakSearch::Elsewhere;
    for key in keys {
        let folded = folded(&key);
        if !is_key(&folded) {
            continue;
        }
        // the prompt is one text, the test set many
        if stands_in(prompt, &folded) && set.tells(&folded) {
            return LeakSearch::GivenAway(key.into_owned());
        }
        looked = LeakSearch::NotThere;
    }
    looked
}

fn reference(of: &Assertion, prompt: &str) -> LeakSearch {
    let Some(text) = of.text("reference") else { return LeakSearch::Elsewhere };
    let reference = folded(text);
    if reference.chars().count() < LEAST_REFERENCE {
        return LeakSearch::Elsewhere;
    }
    if prompt.contains(&reference) { LeakSearch::GivenAway(text.to_owned()) } else { LeakSearch::NotThere }
}

fn some(each: impl Iterator<Item = LeakSearch>) -> LeakSearch {
    each.fold(LeakSearch::Elsewhere, |all, one| match (all, one) {
        (given @ LeakSearch::GivenAway(_), _) | (_, given @ LeakSearch::GivenAway(_)) => given,
        (LeakSearch::Elsewhere, one) => one,
        (all, _) => all,
    })
}

/// Given away only if all that can be is.
fn every(each: impl Iterator<Item = LeakSearch>) -> LeakSearch {
    each.fold(LeakSearch::Elsewhere, |all, one| match (all, one) {
        (all, LeakSearch::Elsewhere) => all,
        (LeakSearch::Elsewhere, one) => one,
        (LeakSearch::NotThere, _) | (_, LeakSearch::NotThere) => LeakSearch::NotThere,
        (given, _) => given,
    })
}

/// Whether a folded text is long and rare enough to be a key word.
fn is_key(text: &str) -> bool {
    let han = text.chars().filter(|c| is_han(*c)).count();
    let letters = text.chars().filter(|c| c.is_alphanumeric() && !is_han(*c)).count();
    (han >= LEAST_HAN || letters >= LEAST_LETTERS) && !COMMON.contains(&text)
}

/// Whether `prompt` contains `key` as whole words.
fn stands_in(prompt: &str, key: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let (first, last) = (key.chars().next(), key.chars().next_back());
    prompt.match_indices(key).any(|(at, _)| {
        let (before, after) = (prompt[..at].chars().next_back(), prompt[at + key.len()..].chars().next());
        let goes_on = (is_word(first) && is_word(before)) || (is_word(last) && is_word(after));
        !goes_on
    })
}

/// How the whole test set uses key words.
struct KeywordUse {
    prompts: Vec<String>,
    /// Key words that several samples look for, the most frequent first.
    labels: Vec<String>,
}

impl KeywordUse {
    fn of(suite: &Suite) -> KeywordUse {
        let total = counted(suite).count();
        let step = total.div_ceil(PROMPTS).max(1);
        let prompts = counted(suite).step_by(step).map(|(_, sample)| folded(sample.compared_prompt())).collect();
        let mut wanted: HashMap<String, usize> = HashMap::new();
        for (_, sample) in counted(suite) {
            for key in keys(&sample.assertions) {
                *wanted.entry(key).or_default() += 1;
            }
        }
        let mut labels: Vec<(String, usize)> = wanted.into_iter().filter(|(_, samples)| *samples > 1).collect();
        labels.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        KeywordUse { prompts, labels: labels.into_iter().take(LABELS).map(|(label, _)| label).collect() }
    }

    /// Whether a key word is not what most prompts are about.
    fn tells(&self, key: &str) -> bool {
        if self.prompts.len() < LEAST_PROMPTS {
            return true;
        }
        let holding =
            self.prompts.iter().filter(|prompt| stands_in(prompt, key)).take(self.prompts.len() / 2 + 1).count();
        holding * 2 <= self.prompts.len()
    }

    /// Whether a prompt names several of the answers that samples of this test set look for: it lets choose.
    fn lists_answers(&self, prompt: &str) -> bool {
        self.labels.iter().filter(|label| stands_in(prompt, label)).take(2).count() > 1
    }
}

/// The key words of a sample, each once.
fn keys(assertions: &[Assertion]) -> Vec<String> {
    let mut all = Vec::new();
    for of in assertions {
        match of.kind.as_str() {
            "contains" | "starts_with" | "ends_with" | "equals" => all.push(folded(&value(of))),
            "contains_all" | "contains_any" => all.extend(values(of).map(|text| folded(&text))),
            "assert-set" => all.extend(keys(&of.children)),
            _ => {}
        }
    }
    all.retain(|key| is_key(key));
    all.sort_unstable();
    all.dedup();
    all
}
