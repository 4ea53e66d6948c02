//! Gap rates over time on the page of trends.

use serde_json::json;
use testkit::browser::Browser;

use super::accessibility::are_accessible;
use super::site;
use crate::fixtures::context::TestContext;

/// Runs on one test set before and after its gap is filled, and one on another test set.
fn with_two_test_sets() -> TestContext {
    let context = TestContext::new();
    let answer = |calls: serde_json::Value| json!({"output": "two", "toolCalls": calls});
    let found = json!({"name": "Read", "input": {"file_path": "docs/a.md"}, "output": "text"});
    let missed = json!({"name": "Grep", "input": {"pattern": "revenue_schema"}, "output": "No matches found"});
    let [missed, knew] = [answer(json!([found, missed])), answer(json!([found]))];
    let filled = context.path("filled");
    let asks = format!("if grep -q table && [ ! -e '{}' ]", filled.display());
    context.script("agent", &format!("{asks}; then printf '%s' '{missed}'; else printf '%s' '{knew}'; fi\n"));
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nText.\n");
    context.write("docs/a.md", "text");
    context.write("docs/b.md", "text");
    let eval = |prompts: &[&str]| {
        let sample = |(at, prompt): (usize, &&str)| json!({"sample_id": format!("s{at}"), "prompt": prompt, "assertions": [{"type": "contains", "value": "two"}]});
        let all: Vec<serde_json::Value> = prompts.iter().enumerate().map(sample).collect();
        context.write("eval-samples.json", &json!(all).to_string());
        let run = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--kb", "docs"];
        context.run(&run);
    };
    eval(&["the table", "other"]);
    context.write("filled", "");
    context.write("docs/c.md", "text");
    eval(&["the table", "other"]);
    eval(&["the table", "other", "more"]);
    context
}

#[test]
fn each_test_set_has_a_plot_of_its_own_and_the_table_has_the_same_numbers() {
    let context = with_two_test_sets();
    let site = site(&context, &[]);
    let page = site.page("/trends");
    let (_, gaps) = page.split_once("class=\"trend-gaps\"").expect(&page);
    let figures: Vec<&str> =
        gaps.split("<figure>").skip(1).map(|of| of.split("</figure>").next().unwrap_or_default()).collect();
    let marks: Vec<usize> = figures.iter().map(|of| of.matches("class=\"m-mark\"").count()).collect();
    let joins: Vec<usize> = figures.iter().map(|of| of.matches("class=\"m-join\"").count()).collect();
    assert_eq!((marks, joins), (vec![1, 2], vec![0, 1]), "the set that was measured last comes first: {gaps}");
    let events: Vec<usize> = figures.iter().map(|of| of.matches("<path class=\"m-event\"").count()).collect();
    assert_eq!(events, [0, 1], "the run before which a file was added: {gaps}");
    for text in ["▼ before one run, what agents can read had changed", "the knowledge base converges", "no finish line"]
    {
        assert!(figures[1].contains(text) && !figures[0].contains(text), "{text}: {gaps}");
    }
    assert_eq!(gaps.matches("1 file added (docs/c.md)").count(), 1, "{gaps}");
    let id = context.report()["meta"]["testSet"]["id"].as_str().unwrap().to_owned();
    assert!(figures[0].contains(&id) && !figures[1].contains(&id), "{gaps}");
    assert!(figures[0].contains("3 samples): gap rate 0.0 % in one run"), "{gaps}");
    assert!(figures[1].contains("2 samples): gap rate 50.0 % → 0.0 % over 2 runs"), "{gaps}");
    for part in ["coverage", "gap rate", "sample set", "commit", "does not represent", ">50.0 %</bdi>", "50.0 % ["] {
        assert!(gaps.contains(part), "{part}: {gaps}");
    }
    assert_eq!(gaps.matches("<td class=\"name\">").count(), 3);
    assert!(site.page("/trends?lang=zh").contains("缺口率 50.0 % → 0.0 %"));
    let name = |at: usize| context.reports()[at].file_stem().unwrap().to_string_lossy().into_owned();
    let difference = site.page(&format!("/diff?a={}&b={}", name(0), name(1)));
    for part in ["v1: gap rate 50.0 %", "v1: gap rate 0.0 %", "coverage 50.0 %", "(2 samples)", "does not represent"] {
        assert!(difference.contains(part), "{part}: {difference}");
    }
    let Some(mut browser) = Browser::start() else { return };
    are_accessible(&mut browser, &[site.address("/trends")]);
    browser.screen(320, 700, "light");
    browser.open(&site.address("/trends"));
    let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(sideways, 0);
    assert_eq!(browser.complaints(), [""; 0]);
}
