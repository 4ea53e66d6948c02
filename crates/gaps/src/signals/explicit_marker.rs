//! Marks by which an agent says itself that it infers or doesn't know.

use std::sync::LazyLock;

use eval_spec::gap::SignalKind;
use regex::Regex;

use super::signal::{GapSignal, SignalDetector, of_sentences, parts};
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
        r"(?i)(没有|无|不是|并非|不需要|不必|不再|去掉|删除|移除|消除|清除|不含)(任何|再|标注?|标记|带|加|用|写|出现|一处|一条|一个|所有|全部|这些|那些|一个|个|处|的|了|过)*\s*$|(\b|n')(no|without|not|t|never|removed?|removing|drop(ped)?|cleared|instead of|free of)( (any|more|remaining|longer|such|the|all|other|left|a|an|every|those|these))* $|\b(0|zero) $|(^|[^\d])(0|零) ?(个|处|条) ?$",
    )
});

/// Words before or after a mark that speak of the mark itself.
static MENTIONED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)((标记?|标注|注|写|加|打|改|换)(上|了|成|为|作)|标[记注]|标签|写作|使用|[\d一二两三四五几多数] ?处 ?|mark(ed|ing)?( \w+){0,3} (as|with)|tag(ged)?( \w+){0,3} (as|with)|label(l?ed)?( \w+){0,3} (as|with)) ?$",
    )
});

/// Words around a mark that speak of the mark itself: "needed an [inferred] tag", and not "the [inferred] owner".
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(the|an?|any|each|every|this|that) $"));
static CALLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^ ?(tags?|markers?|marks?|labels?|prefix(es)?|signs?|entr(y|ies)|items?|ones?|in|at|of|on|with|from|to|is|are|was|were|by|above|below)\b|^ ?(标签|标记|标注|字样)|^\W*$|^[.,:)]",
    )
});

/// Marks that are named one beside the other.
static NAMED: [LazyLock<Regex>; 2] = [
    LazyLock::new(|| pattern(r"(?i)[】\]］] ?(和|与|、|或|及|and|or|/) ?$")),
    LazyLock::new(|| pattern(r"(?i)^ ?(和|与|、|或|及|and|or|/) ?[【\[［]")),
];

/// An entry of a list that says what a mark stands for, and not what is so marked.
static LEGEND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^ ?[:：] ?(my( own)?|no|without( an?)?) (\w+ )?(conclusion|inference|source|evidence)s?\W*$|^ ?[:：] ?(我(自己)?的|自己的|没有|无)[^，。]{0,3}(结论|推论|来源|依据|证据)\W*$",
    )
});

/// What is unknown: "【未知】指的是哪个索引" explains nothing.
static ASKED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\W{0,3}(指的?是|是指|表示|代表)[^，。]{0,6}(哪|什么|谁|多少|几|何)"));

/// Words after a mark that explain it.
static EXPLAINED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W{0,3}(means|stands for|denotes|is used|marks|表示|指的?是|意为|代表|用于|是指|这个(标|词)|的(字段|部分|地方|句子|条目|内容|项|行|段)|= |for (my|own|what|things|claims|open|points)\b|标(出|注|明|记))",
    )
});

fn detect(conversation: &Conversation) -> Vec<GapSignal> {
    let own = &conversation.rules.markers;
    of_sentences(SignalKind::ExplicitMarker, conversation, |sentence| is_marked(sentence, own))
}

fn is_marked(sentence: &str, own: &[Regex]) -> bool {
    let marks = |of: &Regex, part: &str| of.find_iter(part).any(|found| is_meant(part, found.start(), found.end()));
    // A team's own mark may be a question.
    parts(sentence).any(|part| marks(&MARKER, part)) || own.iter().any(|of| marks(of, sentence))
}

/// Whether a mark is one, and no link, index, or word about the mark.
fn is_meant(sentence: &str, start: usize, end: usize) -> bool {
    let (before, after) = (&sentence[..start], &sentence[end..]);
    let is_link = after.starts_with('(') || after.starts_with('[') || after.starts_with(": http");
    // `a[unknown]`; the mark in `2 MB【未知】` and `_[unknown]_` is one.
    let name = before.trim_end_matches('_');
    let is_index = sentence[start..].starts_with('[')
        && (before.ends_with([']', ')']) || name.ends_with(|last: char| last.is_ascii_alphanumeric()));
    // In a legend a mark has the first cell of a row for itself.
    let is_legend = before.trim() == "|" && after.trim_start().starts_with('|');
    let is_entry = before.trim_end().trim_end_matches(['*', '_']).trim_matches(['-', '+', '\u{2022}', ' ']).is_empty();
    let is_explained = EXPLAINED.is_match(after) && !ASKED.is_match(after);
    let is_named = NAMED[0].is_match(before) || NAMED[1].is_match(after);
    let is_called = MENTIONED.is_match(before) || (ARTICLE.is_match(before) && CALLED.is_match(after));
    let is_spoken_of = is_explained || is_named || is_called || NEGATED.is_match(before);
    let is_legend = is_legend || (is_entry && LEGEND.is_match(after));
    !(is_legend || is_link || is_index || is_spoken_of)
}
