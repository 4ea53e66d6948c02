//! Searches that found nothing.

use std::cell::LazyCell;
use std::sync::LazyLock;

use eval_spec::call::ToolCall;
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};
use regex::Regex;

use super::signal::{GapSignal, SignalDetector};
use crate::class::{SearchedPlaces, class, works_on_code};
use crate::conversation::{AssistantTurn, Conversation};
use crate::outcome::{SearchOutcome, absent_places, outcome};
use crate::paths::is_given;
use crate::prose::pattern;
use crate::search::{SearchCall, SearchTool, search};
use crate::similarity::is_similar;

/// See [`SIGNALS`](super::SIGNALS).
pub(super) const DETECTOR: SignalDetector = SignalDetector { kind: SignalKind::FailedSearch, detect };

/// One search with its end.
pub(super) struct EndedSearch<'a> {
    pub(super) turn: &'a AssistantTurn,
    pub(super) call: &'a ToolCall,
    pub(super) search: SearchCall,
    pub(super) outcome: SearchOutcome,
}

/// All searches in order. A file that the user named is no guess of the agent: that it isn't there is unknown to be a gap.
pub(super) fn searches(conversation: &Conversation) -> impl Iterator<Item = EndedSearch<'_>> {
    let calls = conversation.turns.iter().flat_map(|turn| turn.calls.iter().map(move |call| (turn, call)));
    calls.filter_map(move |(turn, call)| {
        let search = search(call, &conversation.rules)?;
        let outcome = outcome(call, &search);
        let is_given = outcome == SearchOutcome::Missed && is_of_user(conversation, call, &search);
        let outcome = if is_given { SearchOutcome::Unknown } else { outcome };
        Some(EndedSearch { turn, call, search, outcome })
    })
}

/// Whether all that is missing is what the user named: a file, or the folder to search in.
fn is_of_user(conversation: &Conversation, call: &ToolCall, search: &SearchCall) -> bool {
    let absent = absent_places(call, search);
    let is_read = search.files.iter().any(|file| absent.is_empty() || absent.contains(file));
    let places = if absent.is_empty() { &search.files } else { &absent };
    // A word of the user's may be the name of a folder by chance.
    let is_path = |place: &str| is_read || place.trim_matches(['.', '/']).contains(['/', '.']);
    let is_of_user =
        |place: &String| is_path(place) && is_given(place, conversation.cwd.as_deref(), &conversation.prompts);
    !places.is_empty() && places.iter().all(is_of_user)
}

fn detect(conversation: &Conversation) -> Vec<GapSignal> {
    let mut found: Vec<GapSignal> = Vec::new();
    // Whether the last search before failed: only then may the next failure be the same event.
    let mut goes_on = false;
    let is_code = LazyCell::new(|| works_on_code(conversation));
    for EndedSearch { turn, call, search, outcome } in searches(conversation) {
        match outcome {
            SearchOutcome::Found => goes_on = false,
            SearchOutcome::Missed => {
                let same =
                    |last: &&mut GapSignal| last.thread == turn.thread && is_similar(&last.subject, &search.query);
                match found.last_mut().filter(|_| goes_on).filter(same) {
                    Some(last) => last.calls.push(call.id.clone()),
                    None => {
                        let class = class(conversation, call, &search, || *is_code);
                        found.push(GapSignal { class, ..signal(conversation, turn, call, &search) });
                    }
                }
                goes_on = true;
            }
            SearchOutcome::Broken | SearchOutcome::Cancelled | SearchOutcome::Unavailable | SearchOutcome::Unknown => {}
        }
    }
    found
}

fn signal(conversation: &Conversation, turn: &AssistantTurn, call: &ToolCall, search: &SearchCall) -> GapSignal {
    GapSignal {
        kind: SignalKind::FailedSearch,
        turn: turn.number,
        thread: turn.thread.clone(),
        calls: vec![call.id.clone()],
        subject: search.query.clone(),
        context: String::new(),
        intent: Some(intent(conversation, turn, call, search)),
        class: GapClass::Knowledge,
        searched: SearchedPlaces::of(search),
        place: None,
    }
}

/// Words of somebody who makes sure.
static VERIFIES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(verify|verifying|make sure|double.check|confirm(ing)?|ensure|still (used|referenced|there|exists?)|any(where|thing)? (else|left|remaining|other)|no (other|more|remaining|longer)|left ?over|remaining|not used|unused|sanity)\b|确认|核实|验证|检查.*(是否|还有|残留)|还有没有|是否还|有没有(其他|残留|遗漏)|残留|遗漏",
    )
});

/// Patterns that fit many things.
static BROAD: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[*?./\\\w-]*\*[*?./\\\w-]*$|(\|.*){2,}|^\.?$"));

/// Questions of users that are answered by finding nothing. Other words of making sure stand in prompts for other work.
static ASKS_FOR_USES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(still|even) (being )?(used|referenced|called|imported|mentioned|there|exists?|needed)|\b(used|referenced|called|imported|mentioned) (anywhere|somewhere|any ?more|elsewhere|at all)\b|\b(unused|dead code|left ?overs?)\b|\b(any|no) (remaining|other|more|left) (uses?|usages?|references?|callers?|mentions?|occurrences?)|还有没有|是否还|还在(用|使用)|有没有(其他|残留|遗漏)|残留|没有用到",
    )
});

/// What a call says of itself when it makes sure.
static CHECKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(check|look|search|scan|grep) (if|whether|that|for (any |other |all )*(remaining|left|stale|other|old|existing|more))\b|\b(no|any|remaining|stale|leftover) (remaining |other |more |left )*(uses?|usages?|references?|callers?|mentions?|occurrences?|imports?)\b|\bdouble.?check|检查.*(是否|还有|残留)",
    )
});

/// Why an agent searches, by its words before, by the call's own description, by the user's question and by how broad its
/// pattern is.
fn intent(conversation: &Conversation, turn: &AssistantTurn, call: &ToolCall, search: &SearchCall) -> SearchIntent {
    let description = call.input["description"].as_str().unwrap_or_default();
    let is_asked = || conversation.prompts.last().is_some_and(|prompt| ASKS_FOR_USES.is_match(prompt));
    match () {
        () if VERIFIES.is_match(&turn.text) => SearchIntent::Verification,
        () if VERIFIES.is_match(description) || CHECKS.is_match(description) => SearchIntent::Verification,
        () if is_asked() => SearchIntent::Verification,
        () if search.tool == SearchTool::List || BROAD.is_match(&search.query) => SearchIntent::Exploration,
        () => SearchIntent::Lookup,
    }
}
