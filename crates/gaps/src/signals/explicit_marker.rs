//! Marks by which an agent says itself that it infers or doesn't know.

use std::sync::LazyLock;

use eval_spec::gap::SignalKind;
use regex::Regex;

use super::signal::{GapSignal, SignalDetector, of_sentences};
use crate::conversation::Conversation;
use crate::prose::pattern;

/// See [`SIGNALS`](super::SIGNALS).
pub(super) const DETECTOR: SignalDetector = SignalDetector { kind: SignalKind::ExplicitMarker, detect };

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:【|\[|［)[ \t\u{3000}]*(?:推断|知识缺口|未知|inferred|unknown|knowledge[ _-]gap|ｉｎｆｅｒｒｅｄ|ｕｎｋｎｏｗｎ)[ \t\u{3000}]*(?:】|\]|］)",
    )
});

/// Words before a mark that say it isn't there.
static NEGATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(没有|无|不需要|不必|不再|去掉|删除|移除|消除|清除|不含)(任何|再|标注?|标记|带|加|用|写|出现|一处|一条|一个|所有|全部|这些|那些|一个|个|处|的|了|过)*\s*$|\b(no|without|not|never|removed?|removing|drop(ped)?|cleared|instead of|free of)( (any|more|remaining|longer|such|the|all|other|left|a|an|every|those|these))* $|\b(0|zero) $|(^|[^\d])(0|零) ?(个|处|条) ?$",
    )
});

/// Words before or after a mark that speak of the mark itself.
static MENTIONED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(标记为?|标注为?|标签|标成|写作|使用|加上|打上|mark(ed|ing)?( \w+){0,3} (as|with)|tag(ged)?( \w+){0,3} (as|with)|label(l?ed)?( \w+){0,3} (as|with)|the) ?$",
    )
});

/// Words after a mark that explain it.
static EXPLAINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W{0,3}(means|stands for|denotes|is used|marks|表示|指的?是|意为|代表|用于|是指|这个(标|词)|= |for (my|own|what|things|claims|open|points)\b|标(出|注|明|记))",
    )
});

fn detect(conversation: &Conversation) -> Vec<GapSignal> {
    let own: Vec<Regex> = conversation.markers.iter().filter_map(|marker| own_marker(marker)).collect();
    of_sentences(SignalKind::ExplicitMarker, conversation, |sentence| is_marked(sentence, &own))
}

/// A mark of a team, as a word of its own: `TBD` isn't in `TBDs`.
fn own_marker(marker: &str) -> Option<Regex> {
    let edge =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric()).then_some(r"(?-u:\b)");
    let before = edge(marker.chars().next()).unwrap_or_default();
    let after = edge(marker.chars().next_back()).unwrap_or_default();
    Regex::new(&format!("(?i){before}{}{after}", regex::escape(marker))).ok()
}

fn is_marked(sentence: &str, own: &[Regex]) -> bool {
    let marks = |of: &Regex| of.find_iter(sentence).any(|found| is_meant(sentence, found.start(), found.end()));
    // A question to the user is no statement; a team's own mark may hold one.
    let is_question = sentence.ends_with(['?', '\u{ff1f}']);
    (!is_question && marks(&MARKER)) || own.iter().any(marks)
}

/// Whether a mark is one, and no link, index, or word about the mark.
fn is_meant(sentence: &str, start: usize, end: usize) -> bool {
    let (before, after) = (&sentence[..start], &sentence[end..]);
    let is_link = after.starts_with('(') || after.starts_with('[') || after.starts_with(": http");
    let is_index = before.ends_with(|last: char| last.is_ascii_alphanumeric() || matches!(last, '_' | ']' | ')'));
    // In a legend a mark has the first cell of a row for itself.
    let is_legend = before.trim() == "|" && after.trim_start().starts_with('|');
    !is_legend
        && !is_link
        && !is_index
        && !EXPLAINED.is_match(after)
        && !NEGATED.is_match(before)
        && !MENTIONED.is_match(before)
}
