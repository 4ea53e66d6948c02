//! What a sentence of the agent says, and what it only names, quotes or has written down.

use eval_gaps::{AssistantTurn, Conversation, SIGNALS};
use eval_spec::gap::SignalKind;

fn quoted(kind: SignalKind, text: &str) -> Vec<String> {
    let turn = AssistantTurn { number: 1, text: text.to_owned(), ..AssistantTurn::default() };
    let conversation = Conversation { turns: vec![turn], ..Conversation::default() };
    let detector = SIGNALS.iter().find(|detector| detector.kind == kind).unwrap();
    (detector.detect)(&conversation).into_iter().map(|signal| signal.subject).collect()
}

fn count(kind: SignalKind, text: &str) -> usize {
    quoted(kind, text).len()
}

#[test]
fn each_mark_of_the_list_is_a_signal() {
    for mark in [
        "【推断】",
        "【知识缺口】",
        "【未知】",
        "[inferred]",
        "[unknown]",
        "[knowledge gap]",
        "[Inferred]",
        "[KNOWLEDGE GAP]",
    ] {
        assert_eq!(count(SignalKind::ExplicitMarker, &format!("{mark} The owner is the ops team.")), 1, "{mark}");
        assert_eq!(count(SignalKind::Hedging, &format!("{mark} The owner is the ops team.")), 0, "{mark}");
    }
    assert_eq!(count(SignalKind::ExplicitMarker, "The owner is inferred; the rest is unknown."), 0);
}

#[test]
fn each_phrase_of_the_list_is_a_candidate_for_the_second_look() {
    for sentence in [
        "我不确定归谁。",
        "没有足够信息判断归属。",
        "归属需要查证。",
        "无法确认归属。",
        "这只是猜测。",
        "归属可能是甲组。",
        "I'm not sure who owns it.",
        "There is insufficient information on the owner.",
        "I need to verify the owner.",
        "The owner is likely the ops team.",
        "The owner is presumably the ops team.",
    ] {
        assert_eq!(quoted(SignalKind::Hedging, sentence), [sentence]);
    }
    assert_eq!(count(SignalKind::Hedging, "The owner is the ops team. 归属是甲组。"), 0);
}

#[test]
fn quoted_sentence_keeps_its_code_and_quotations() {
    for (text, subjects) in [
        (
            "I am not sure whether the table is called `fact_revenue`.",
            &["I am not sure whether the table is called fact_revenue."][..],
        ),
        (
            "First `a.rs`. Perhaps \"the `b` one\" and ``c`d``. Then `e`. It is unclear what `f` means. \u{fffc}",
            &["Perhaps \"the b one\" and c`d.", "It is unclear what f means."],
        ),
        ("[unknown] 表名是 `营收`。也许是“`x`”。", &["[unknown] 表名是 营收。", "也许是“x”。"]),
        ("I\u{2019}m not sure what it is.", &["I\u{2019}m not sure what it is."]),
        // what only code and quotations say is still no signal
        ("Run `maybe --unclear`. He says \"perhaps\".", &[]),
    ] {
        let kinds = [SignalKind::ExplicitMarker, SignalKind::Hedging];
        assert_eq!(kinds.map(|kind| quoted(kind, text)).concat(), subjects, "{text}");
    }
}

#[test]
fn sentence_is_one_signal_whatever_it_holds() {
    assert_eq!(count(SignalKind::ExplicitMarker, "Their owner is [unknown]; their age is [unknown]. Done."), 1);
    assert_eq!(count(SignalKind::Hedging, "I'm not sure who owns it; and I don't know the date."), 1);
    assert_eq!(count(SignalKind::Hedging, "我不确定归谁；日期也没查到。"), 1);
    assert_eq!(count(SignalKind::Hedging, "I'm not sure who owns it; do you know?"), 1);
}

#[test]
fn marker_in_code_or_a_quotation_marks_nothing() {
    for text in [
        "````md\n```\n[inferred]\n```\n[unknown] value\n````\nThat is all.",
        "The type is <code>fn(): [unknown]</code>.",
        "The page is called « [unknown] ».",
        "是《【未知】图鉴》的第二卷。",
    ] {
        assert_eq!(count(SignalKind::ExplicitMarker, text), 0, "{text}");
    }
    assert_eq!(count(SignalKind::ExplicitMarker, "```one line``` runs the [inferred] job."), 1);
}

#[test]
fn marker_that_is_spoken_of_marks_nothing() {
    for (text, expected) in [
        ("None of them needed an [inferred] tag.", 0),
        ("I resolved the [unknown] in section 3.", 0),
        ("The [inferred] signer is the release bot.", 1),
        ("It isn't [inferred]: the code says so.", 0),
        ("Both [inferred] and [unknown] stand in the appendix.", 0),
        ("- [inferred]: my own conclusion\n- [unknown]: no source", 0),
        ("- [inferred]: the job runs at night", 1),
        ("_[inferred]_ The job runs at night.", 1),
        ("a[unknown] is undefined", 0),
        ("| 大小 | 2 MB【推断】 |", 1),
        ("【未知】指的是哪个索引。", 1),
        ("【未知】指的是没有来源。", 0),
        ("凡是推出来的都加了【推断】。", 0),
    ] {
        assert_eq!(count(SignalKind::ExplicitMarker, text), expected, "{text}");
    }
}

#[test]
fn doubt_is_the_agents_own() {
    for (text, expected) in [
        ("The gate can't confirm a ticket without its number.", 0),
        ("The logs can't confirm which host it ran on.", 1),
        ("I can't confirm which host it ran on.", 1),
        ("The manual doesn't say which host runs it.", 1),
        ("Rows under 0.5 are flagged as unsure.", 0),
        ("I was unsure yesterday, but the drawing now shows 40 kg.", 0),
        ("系统无法确认地址时，会退回订单。", 0),
        ("我无法确认地址。", 1),
        ("没有需要核实的了。", 0),
        ("昨天我还不确定锚重，今天图纸写明了。", 0),
        ("手册没有说明由谁负责。", 1),
    ] {
        assert_eq!(count(SignalKind::Hedging, text), expected, "{text}");
    }
}

fn check_doubts(doubts: &[&str], others: &[&str]) {
    for sentence in doubts {
        assert_eq!(count(SignalKind::Hedging, sentence), 1, "{sentence}");
    }
    for sentence in others {
        assert_eq!(count(SignalKind::Hedging, sentence), 0, "{sentence}");
    }
}

#[test]
fn emphasis_hides_no_doubt() {
    check_doubts(
        &["It *might* be the proxy.", "It **probably** is the proxy.", "It is _perhaps_ the proxy."],
        &["It *is* the proxy."],
    );
}

#[test]
fn what_an_agent_goes_on_to_check_is_no_doubt() {
    check_doubts(
        // it acts on its guess
        &["I'll pin the library, as version 4 is likely the cause.", "I'm not sure where it is, let me check."],
        &[
            "I'll check the queue, which is likely the cause.",
            "First, I'll look at the code to see where the path might be lost.",
            "Let me search the logs, since the job may be stuck.",
            "Now let's also review `reshape()`, as the fault might be there:",
            "Two services might be missing, so I'll verify the list.",
            "Let me try listing files that might be new.",
            "I should look for the settings, probably in `config.py`.",
        ],
    );
}

#[test]
fn possible_case_is_no_doubt() {
    check_doubts(
        &["The name may be empty here.", "It is probably unset, if I read this right."],
        &[
            "If the error comes back, it may be due to a stale cache.",
            "If the template is right, then the fault might be in the data.",
            "如果仍然报错，可能是缓存没有更新。",
            "Changed `row()` to handle cases where the name might be empty.",
            "The output shows where the job might be stuck.",
            "Nodes may have at most one input.",
        ],
    );
}

#[test]
fn advice_is_no_doubt() {
    check_doubts(
        &["The fix is probably in the next commit.", "It's possible the job was stopped."],
        &[
            "The best approach is probably to run it again.",
            "We can probably ignore that for now.",
            "Perhaps it's best to leave this for later.",
            "A good message might be something like this.",
            "More error handling might be needed.",
            "That file could be useful.",
            "It's probably not worth the effort.",
            "I'll stop and start it, as a restart might not be enough.",
        ],
    );
}

#[test]
fn words_of_doubt_in_other_uses_are_none() {
    check_doubts(
        &["I have no idea what it does.", "Open question: who owns it.", "我需要向财务确认金额。"],
        &[
            "The user has no idea what to do.",
            "The open question is resolved: we convert it.",
            "Instead of cycling through guesses, we measure it.",
            "I believe I've found the cause.",
            "A reload that does not clear the cache is no reload.",
            "Dernière tentative de connexion.",
            "我需要向您确认几个决策。",
            "重启后页面应该会跳转。",
        ],
    );
}

#[test]
fn doubt_is_said_in_more_ways() {
    check_doubts(
        &[
            "It's hard to be certain without the source.",
            "We haven't explicitly verified every call.",
            "It might already be configured.",
            "It might just be a typo.",
            "The most likely cause is the proxy.",
            "It's more likely there's a mismatch.",
            "The file might contain other code.",
        ],
        &["Heads are as likely as tails.", "An old file is more likely to be stale."],
    );
}

#[test]
fn what_can_be_done_is_no_doubt() {
    check_doubts(
        &["The failure could be caused by the proxy.", "The name could be outdated.", "We may be on the wrong branch."],
        &[
            "The helpers could be used by other modules.",
            "Your scripts could be simplified and clarified.",
            "The sketches could easily be moved to one folder.",
            "We could use a worker for that.",
            "You may have to restart the server.",
            "A teal could be: vivid teal, pale teal, dark teal.",
            "These three files might be relevant.",
        ],
    );
}

#[test]
fn what_something_is_like_is_no_doubt() {
    check_doubts(
        &[
            "A request may be blocked by the proxy.",
            "The record may be outdated.",
            "There might be an issue with the port.",
        ],
        &[
            "One chunk may be split over two pages.",
            "A canvas that may be saved at another size needs a ratio.",
            "Reading may be slightly slower than before.",
            "This might have unintended consequences.",
            "We lose nothing, and see any errors that might be there.",
            "The value is possibly undefined.",
            "Large pages make it unclear where a table ends.",
            "There is no data loss.",
            "The client could not establish a connection.",
            "Ecto can't determine the type of the column.",
            "可能会更慢一些。",
            "这样没有任何数据丢失。",
        ],
    );
}

#[test]
fn what_comes_and_how_a_plan_is_done_is_no_doubt() {
    check_doubts(
        &["I'll change the path, which is probably in the settings.", "The build is likely to be broken."],
        &[
            "The next build will likely fail.",
            "I'll move it off the main thread, likely using a worker.",
            "We'll store it once, probably in a table of its own.",
        ],
    );
}

#[test]
fn assumption_that_was_settled_is_no_doubt() {
    check_doubts(
        &["My assumption is that the job runs at night.", "You may be on an old version."],
        &[
            "I see that my assumption about the numbers was incorrect.",
            "I've updated my understanding of the folders.",
            "You are likely correct.",
            "之前的推测是错的。",
        ],
    );
}

#[test]
fn sentence_behind_a_colon_is_one_of_its_own() {
    check_doubts(
        &["Let me run the tests: The port may be taken.", "Open question: Who owns it."],
        &[
            "I see the page now: Let me look at the list, where a row may be missing:",
            "Question: Is it perhaps the proxy?",
        ],
    );
}

#[test]
fn agent_that_leaves_itself_out_still_doubts() {
    check_doubts(
        &["Currently cannot determine the owner.", "Documentation can't confirm it.", "But I can't tell who runs it."],
        &[],
    );
}
