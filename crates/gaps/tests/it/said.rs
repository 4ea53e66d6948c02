//! What a signal quotes is what the agent wrote.

use eval_gaps::{AssistantTurn, Conversation, SIGNALS};
use eval_spec::gap::SignalKind;

fn quoted(text: &str) -> Vec<String> {
    let turn = AssistantTurn { number: 1, text: text.to_owned(), ..AssistantTurn::default() };
    let conversation = Conversation { turns: vec![turn], ..Conversation::default() };
    let detectors = SIGNALS.iter().filter(|of| [SignalKind::Hedging, SignalKind::ExplicitMarker].contains(&of.kind));
    detectors.flat_map(|of| (of.detect)(&conversation)).map(|signal| signal.subject).collect()
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
        // what only code and quotations say is still no signal
        ("Run `maybe --unclear`. He says \"perhaps\".", &[]),
    ] {
        let (found, mut wanted) = (quoted(text), subjects.iter().map(|of| (*of).to_owned()).collect::<Vec<_>>());
        wanted.sort();
        let mut sorted = found.clone();
        sorted.sort();
        assert_eq!(sorted, wanted, "{text}");
    }
}
