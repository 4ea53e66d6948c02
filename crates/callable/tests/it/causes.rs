//! The cause in what a program printed.

use eval_callable::internals::likely_cause;

#[test]
fn the_line_with_the_cause_is_found() {
    let python = "Traceback (most recent call last):\n  File \"skill.py\", line 4\nValueError: no number\n";
    let node =
        "/x/skill.js:3\nthrow new Error('boom')\n^\n\nError: boom\n    at Object.<anonymous>\n\nNode.js v20.1.0\n";
    for (stderr, line) in [
        (python, "ValueError: no number"),
        (node, "Error: boom"),
        ("warming up\nsh: 1: jq: not found\n\n", "sh: 1: jq: not found"),
        ("", ""),
    ] {
        assert_eq!(likely_cause(stderr), line);
    }
}
