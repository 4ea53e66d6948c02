//! `omk report` as a server: who may ask, what is answered, and that it ends.

mod accessibility;
mod addresses;
mod analyses;
pub(crate) mod blind;
mod browser;
mod feedback;
mod gaps;
mod hostile;
mod live;
mod pages;
mod refused;
mod scene;
mod sealed;
pub(crate) mod sets;
mod views;

use serde_json::json;
use testkit::ReportSite;

use crate::fixtures::context::TestContext;

/// A report server of the built binary over the project's reports.
pub(crate) fn site(context: &TestContext, arguments: &[&str]) -> ReportSite {
    ReportSite::start(context.command(&[&["report", "--port", "0", "--json"], arguments].concat()))
}

/// A project with one run of two variants over three samples, and the report's id.
pub(crate) fn with_report() -> (TestContext, String) {
    let context = TestContext::with_agent();
    context.samples(3, &json!([{"type": "contains", "value": "better"}]));
    let id = run(&context, "v1,v2");
    (context, id)
}

/// A run of these variants; its report's id.
pub(super) fn run(context: &TestContext, variants: &str) -> String {
    context.run(&["eval", "--variants", variants, "--executor", "./agent", "--report-only"]).expect(0);
    context.report()["id"].as_str().unwrap().to_owned()
}
