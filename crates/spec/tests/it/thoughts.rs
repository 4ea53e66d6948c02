//! Thoughts before an answer.

use eval_spec::call::{Step, without_thoughts};
use eval_spec::{Outcome, Output};

#[test]
fn thoughts_before_an_answer_are_no_part_of_it() {
    for (text, answer) in [
        ("<think>\nhm, </b>\n</think>\n\nParis", Some("Paris")),
        ("\n<think></think>Paris </think>", Some("Paris </think>")),
        ("The template opened it.\n</think>\n\nParis\n", Some("Paris\n")),
        ("Paris", None),
        ("<think>it never ends", None),
        ("A model ends its thoughts with </think> before it answers.", None),
        ("Write\n<think>\nhm\n</think>\nbefore the answer.", None),
    ] {
        assert_eq!(without_thoughts(text), answer, "{text}");
    }
}

#[test]
fn an_output_loses_them_in_its_trace_too() {
    let mut output = Output::text("<think>hm</think>Paris");
    output.trace.steps = vec![Step::Text { text: output.text.clone() }];
    output.drop_thoughts();
    assert_eq!((output.outcome, output.text.as_str()), (Outcome::Answered, "Paris"));
    assert_eq!(output.trace.steps, [Step::Text { text: "Paris".to_owned() }]);
    let mut nothing = Output::text("<think>hm</think>\n");
    nothing.drop_thoughts();
    assert_eq!(nothing.outcome, Outcome::Empty);
}
