//! `gemini`: what the file of the session adds to the stream.

use eval_spec::call::{Step, ToolCall};

use crate::recordings::of_gemini;

#[test]
fn the_session_has_what_the_model_was_given() {
    let output = of_gemini("success.stream-json", 0, "success.stream-json").unwrap();
    let told = |call: &ToolCall| {
        let output = call.output.clone().unwrap();
        (
            call.name.clone(),
            output.is_error,
            output.note.is_some(),
            output.text.lines().next().unwrap_or_default().to_owned(),
        )
    };
    let found: Vec<(String, bool, bool, String)> = output.trace.tool_calls().map(told).collect();
    let expected = [
        ("read_file", false, false, "# Rules"),
        ("read_file", true, false, "File not found: /home/dev/demo-project/docs/missing.md"),
        ("grep_search", false, true, "No matches found for pattern \"revenue_schema\" in the workspace directory."),
        ("run_shell_command", false, false, "hello"),
        ("run_shell_command", false, true, ""),
        (
            "no_such_tool",
            true,
            true,
            "Tool \"no_such_tool\" not found. Did you mean one of: \"write_todos\", \"update_topic\", \"list_directory\"?",
        ),
    ];
    let expected = expected.map(|(name, is_error, noted, text)| (name.to_owned(), is_error, noted, text.to_owned()));
    assert_eq!(found, expected);
    let shell = output.trace.tool_calls().nth(3).unwrap().output.clone().unwrap();
    assert_eq!(shell.text, "hello\nrules.md", "without the lines about the process");
    assert_eq!(output.trace.turns, Some(5));
    assert!(matches!(&output.trace.steps[0], Step::Text { text } if text == "Let me look at the rules."));
    assert_eq!(
        output.text, "The magic number is 42. I could not find revenue_schema.",
        "without the text before the calls"
    );
}
