//! Differences of two answers.

use eval_render::internals::{TextPiece, differences, whole};

fn marked(pieces: &[TextPiece]) -> String {
    let mark = |piece: &TextPiece| if piece.is_changed { format!("[{}]", piece.text) } else { piece.text.clone() };
    pieces.iter().map(mark).collect()
}

#[test]
fn words_that_differ_are_marked_and_nothing_is_lost() {
    for (first, second, expected) in [
        ("use a prepared statement", "use a string", ["use a [prepared statement]", "use a [string]"]),
        ("这段代码有注入风险", "这段代码没有风险", ["这段代码有[注入]风险", "这段代码[没]有风险"]),
        ("same", "same", ["same", "same"]),
        ("", "new", ["", "new"]),
    ] {
        let sides = differences(first, second);
        let text = |side: usize| sides[side].iter().map(|piece| piece.text.as_str()).collect::<String>();
        assert_eq!([text(0), text(1)], [first, second]);
        assert_eq!([marked(&sides[0]), marked(&sides[1])], expected, "{first} {second}");
    }
}

#[test]
fn huge_answers_are_not_compared() {
    let long = "word ".repeat(64 << 10);
    assert_eq!(differences(&long, "word"), [whole(&long), whole("word")]);
}
