//! A run as people have it: a skill that reviews code against its successor, on 24 samples, three times each.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

const FOUND: &str = "Say what is wrong with it, and how to mend it.";

/// The project, before any run.
pub(super) fn project() -> TestContext {
    let context = TestContext::new();
    context.write(".gitignore", "calls\n");
    context.write("skills/v1.md", "# Reviewer\n\nVERSION 1\n\nRead the code and say what you think of it.\n");
    context.write(
        "skills/v2.md",
        "# Reviewer\n\nVERSION 2\n\nRead the code and name the *kind* of weakness.\nAlways say how to mend it.\n",
    );
    context.write("agent.sh", include_str!("agent.sh"));
    context.write("eval-samples.json", &samples().to_string());
    context
}

fn samples() -> Value {
    let kinds = ["login query", "search form", "report of invoices", "import of a file"];
    let sample = |at: usize| {
        let difficulty = ["easy", "medium", "hard"][at % 3];
        let capability = if at % 8 == 2 { "secrets" } else { "injection" };
        let prompt = format!("#{at}: Review this {}.\n\n{FOUND}", kinds[at % 4]);
        json!({
            "sample_id": format!("review-{at:02}"),
            "prompt": prompt,
            "capability": [capability],
            "difficulty": difficulty,
            "assertions": [
                {"type": "contains", "value": "SQL injection", "weight": 3},
                {"type": "contains", "value": "placeholder", "weight": 2},
                {"type": "not_contains", "value": "sk-test", "weight": 1},
                {"type": "tools_called", "values": ["Read"]},
            ],
        })
    };
    (1..=24).map(sample).collect()
}

/// A run of these variants; its report's id.
pub(super) fn run(context: &TestContext, variants: &str, repeat: &str) -> String {
    run_of(context, "eval-samples.json", variants, repeat)
}

/// The same of another sample file.
pub(super) fn run_of(context: &TestContext, samples: &str, variants: &str, repeat: &str) -> String {
    let agent = format!("sh {}", context.path("agent.sh").display());
    let fixed = ["eval", "--variants", variants, "--executor", &agent, "--repeat", repeat, "--report-only"];
    context.run(&[&fixed[..], &["--samples", samples, "--no-cache", "--concurrency", "4"]].concat()).expect(0);
    context.report()["id"].as_str().unwrap().to_owned()
}
