//! Requests to compare two answers.

use eval_grade::internals::{Question, pair_written};

use crate::judge::{ID, questions};

/// As for scores: a change of what a judge reads needs a new name of the template.
#[test]
fn whole_requests_are_frozen() {
    let hash = |question: &Question| {
        let written = [true, false].map(|debias| pair_written(question, ["one", "two"], debias, ID.to_owned()));
        let whole = written.map(|request| format!("{}\u{0}{}", request.system, request.prompt));
        eval_spec::hash::short_hash(whole.join("\u{0}").as_bytes(), 12)
    };
    let questions = questions();
    let hashes = ["rubric en", "rubric zh"].map(|name| hash(&questions[name]));
    assert_eq!(hashes, ["fee03d699254", "9d8d56c4936a"]);
}
