//! Reports: what is written, and the commands on stored ones.

mod contract;
mod export;
mod failure_clusters;
mod history;
mod malformed;
mod read_back;
pub(crate) mod server;
mod show;
mod tasks;
mod texts;
mod versions;
mod writing;

use serde_json::json;

use crate::fixtures::context::TestContext;

/// A project whose agent reports prices, tokens, turns and tool calls: two variants, three samples.
fn example() -> TestContext {
    let context = TestContext::new();
    context.write("skills/v1.md", "ANSWER plain\n");
    context.write("skills/v2.md", "ANSWER better\n");
    context.script(
        "agent",
        r#"input=$(cat)
rest=${input#*ANSWER }
printf '{"output": "%s SQL injection", "inputTokens": 850, "outputTokens": 1200, "costUSD": 0.0038, "turns": 2, "toolCalls": [{"name": "Read", "input": {"path": "a"}, "output": "b"}]}' "${rest%%\\n*}"
"#,
    );
    context.samples(
        3,
        &json!([
            {"type": "contains", "value": "SQL injection", "weight": 1},
            {"type": "contains", "value": "better", "weight": 1}
        ]),
    );
    context
}
