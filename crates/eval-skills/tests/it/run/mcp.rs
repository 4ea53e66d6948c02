//! MCP skills over stdio and HTTP.

use serde_json::{Value, json};
use testkit::skills::{self};

use super::{evaluated, sum};
use crate::fixtures::context::TestContext;
use crate::fixtures::results::{result, statuses};

#[test]
fn mcp_over_stdio_uses_one_connection_and_reports_failures() {
    let context = TestContext::new();
    let evaluated = |mode: &str, more: &[&str]| {
        skills::mcp_calculator(&context.path("skills/calc"), mode);
        let tasks: Value = (0..4).map(|n| sum(&format!("t{n}"))).collect();
        evaluated(&context, "skills/calc", &tasks, more)
    };
    let report = evaluated("plain", &[]);
    assert_eq!(statuses(&report), ["pass"; 4]);
    assert_eq!(report["adapterType"], "mcp");
    let starts = report["taskResults"].as_array().unwrap().iter().filter(|result| result.get("startMs").is_some());
    assert!(starts.count() <= 1, "one connection for all tasks");

    let report = evaluated("structured", &[]);
    assert_eq!(statuses(&report), ["pass"; 4]);
    assert_eq!(result(&report, "t0")["output"]["result"], "5", "not `see the structure`");
    assert_eq!(result(&report, "t0")["tokens"], 5);

    let report = evaluated("is-error", &[]);
    assert_eq!((statuses(&report), &report["summary"]["errorRate"]), (vec!["error"; 4], &json!(1.0)));
    assert!(result(&report, "t0").to_string().contains("the battery is empty"), "{report}");

    // Run in sequence, they take longer than the limit of a single one.
    skills::mcp_calculator(&context.path("skills/calc"), "slow");
    let more: Value = (0..6).map(|n| sum(&format!("t{n}"))).collect();
    let at_once = ["--timeout", "3000", "--concurrency", "8"];
    let report = self::evaluated(&context, "skills/calc", &more, &at_once);
    assert_eq!(statuses(&report), ["pass"; 6], "{report}");

    let report = evaluated("never", &["--timeout", "300"]);
    assert_eq!(statuses(&report), ["timeout"; 4], "{report}");
}

#[test]
fn mcp_over_http_uses_one_connection() {
    let context = TestContext::new();
    let service = skills::mcp_service();
    let tasks: Value = (0..4).map(|n| sum(&format!("t{n}"))).collect();
    let evaluated = |path: &str, config: &Value| {
        let skill = json!({"adapterType": "mcp", "entrypoint": format!("{}{path}", service.url)});
        skills::write(&context.path("skills/calculator"), &skill, config, &[]);
        evaluated(&context, "skills/calculator", &tasks, &["--retries", "0"])
    };
    assert_eq!(statuses(&evaluated("/mcp", &json!({}))), ["pass"; 4]);
    let began = service.requests().iter().filter(|request| request.body["method"] == "initialize").count();
    assert_eq!(began, 1, "one connection for all tasks");
    let bearer = json!({"authType": "bearer", "authTokenEnvKey": "CALC_TOKEN"});
    assert_eq!(statuses(&evaluated("/bearer", &bearer)), ["pass"; 4]);
    let refused = evaluated("/refuses", &json!({}));
    assert_eq!(statuses(&refused), ["error"; 4]);
    assert!(result(&refused, "t0").to_string().contains("no such expression"), "{refused}");
}
