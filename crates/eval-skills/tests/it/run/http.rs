//! HTTP skills: requests, tokens, retries.

use serde_json::{Value, json};
use testkit::skills::{self, API_KEY, TOKEN};

use super::{evaluated, sum};
use crate::fixtures::context::TestContext;
use crate::fixtures::results::{result, statuses};

#[test]
fn http_skill_receives_the_input_and_the_configured_token() {
    let context = TestContext::new();
    let service = skills::service();
    let url = |path: &str| format!("{}{path}", service.url);
    let evaluated = |path: &str, config: &Value| {
        skills::http_calculator(&context.path("skills/calc"), &url(path), config);
        evaluated(&context, "skills/calc", &json!([sum("t")]), &[])
    };
    let last = || service.requests().pop().unwrap();

    let report = evaluated("/calculate", &json!({}));
    assert_eq!((statuses(&report), &report["enforced"]), (vec!["pass"], &json!([])));
    assert_eq!(result(&report, "t")["tokens"], 6);
    assert_eq!(last().method, "POST");
    assert_eq!(last().body, json!({"skillId": "calc", "version": "1.0.0", "input": {"expression": "2+3"}}));
    assert!(!last().headers.contains_key("authorization"));

    let bearer = json!({"authType": "bearer", "authTokenEnvKey": "CALC_TOKEN"});
    assert_eq!(statuses(&evaluated("/bearer", &bearer)), ["pass"]);
    assert_eq!(last().headers["authorization"], format!("Bearer {TOKEN}"));
    let key = json!({"authType": "api-key", "authTokenEnvKey": "CALC_KEY"});
    assert_eq!(statuses(&evaluated("/api-key", &key)), ["pass"]);
    assert_eq!(last().headers["x-api-key"], API_KEY);
    assert!(!context.read("reports/eval-result.json").contains(API_KEY));

    // Without the required token no request is sent.
    let asked = service.count();
    skills::http_calculator(&context.path("skills/calc"), &url("/bearer"), &bearer);
    let eval = ["eval", "--skills", "skills/calc", "--tasks", "tasks.json"];
    let refused = context.run(&eval).expect(2).says(&["CALC_TOKEN", "calc"]);
    assert!(!refused.stderr.contains("openai-api"), "no list of models: {refused:#?}");
    context.run_with(&eval, &[("CALC_TOKEN", "")]).expect(2).says(&["CALC_TOKEN"]);
    assert_eq!(service.count(), asked);
    // A wrong token is refused by the service, which is an error of the skill.
    let report = context.run_with(&[&eval[..], &["--json"]].concat(), &[("CALC_TOKEN", "wrong")]).expect(0).json();
    assert_eq!(statuses(&report["skills"][0]), ["error"]);
    assert!(result(&report["skills"][0], "t")["error"].as_str().unwrap().contains("401"));
}

#[test]
fn temporary_http_errors_are_retried_and_permanent_ones_are_errors_of_the_skill() {
    let context = TestContext::new();
    let service = skills::service();
    let evaluated = |path: &str, more: &[&str]| {
        skills::http_calculator(&context.path("skills/calc"), &format!("{}{path}", service.url), &json!({}));
        evaluated(&context, "skills/calc", &json!([sum("t")]), more)
    };
    let busy = result(&evaluated("/busy", &[]), "t");
    assert_eq!((&busy["status"], &busy["attempts"]), (&json!("pass"), &json!(2)), "{busy}");
    assert!(busy["failedAttempts"][0].as_str().unwrap().contains("429"), "{busy}");
    for (path, words) in [("/broken", "500"), ("/teapot", "418"), ("/garbage", "")] {
        let before = service.count();
        let report = evaluated(path, &[]);
        let found = result(&report, "t");
        let expected = if path == "/garbage" { "fail" } else { "error" };
        assert_eq!((&found["status"], &found["attempts"]), (&json!(expected), &json!(1)), "{path}: {found}");
        assert!(found["error"].as_str().unwrap_or_default().contains(words), "{found}");
        assert_eq!(service.count() - before, 1, "{path} is asked once");
    }
    assert_eq!(evaluated("/broken", &[])["summary"]["errorRate"], 1.0);
    assert_eq!(statuses(&evaluated("/moved", &[])), ["pass"], "on the same server");
    let silent = evaluated("/silent", &["--timeout", "100"]);
    assert_eq!((statuses(&silent), result(&silent, "t")["latencyMs"].as_f64()), (vec!["timeout"], Some(100.0)));
}
