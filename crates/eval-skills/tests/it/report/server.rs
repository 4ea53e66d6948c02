//! `eval-skills report` as a server.

use std::fs;

use serde_json::json;
use testkit::browser::Browser;
use testkit::{ReportSite, wait_until};

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{benchmark, evaluated, skill};

fn site(context: &TestContext, arguments: &[&str]) -> ReportSite {
    ReportSite::start(context.command(&[&["report", "--port", "0", "--json"], arguments].concat()))
}

#[test]
fn evaluations_are_listed_once_and_shown_as_pages() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    let id = report["id"].as_str().unwrap();
    let site = site(&context, &[]);
    let runs = site.json("/api/runs");
    // the copy of the newest is no other report
    assert_eq!((&runs["found"], &runs["unreadable"]), (&json!(1), &json!([])), "{runs}");
    let row = &runs["runs"][0];
    assert_eq!(
        (&row["id"], &row["artifacts"], &row["result"]["kind"]),
        (&json!(id), &json!(["one"]), &json!("skills"))
    );
    let name = row["name"].as_str().unwrap();
    assert!(site.page("/").contains(&format!("href=\"/run/{name}\"")));
    for address in [name, id] {
        assert!(site.page(&format!("/run/{address}")).contains("<bdi>one</bdi>"));
        assert_eq!(site.json(&format!("/api/run/{address}"))["id"], id);
    }
    let csv = site.page(&format!("/run/{id}/export/csv"));
    assert!(csv.lines().count() > 3, "{csv}");
    let posted = site.post(id, "application/json", r#"{"sample_id": "a", "variant": "one", "rating": 1}"#);
    assert!(posted.status == 400 && posted.text().contains("take no feedback"), "{}", posted.text());
    assert_eq!(site.interrupt(), Some(0));
}

#[test]
fn reports_of_both_programs_are_served_from_one_directory() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    fs::create_dir(context.path("mine")).unwrap();
    context.write_json("mine/a.json", &report);
    context.write_json("mine/selection.json", &json!({"kind": "eval-skills-selection"}));
    context.write("mine/b.json", "[]");
    for flag in ["--output-dir", "--reports-dir"] {
        let runs = site(&context, &[flag, "mine"]).json("/api/runs");
        assert_eq!((&runs["found"], &runs["runs"][0]["name"]), (&json!(1), &json!("a")));
        assert_eq!(runs["unreadable"].as_array().unwrap().len(), 1, "{runs}");
    }
}

#[test]
fn evaluation_under_way_is_listed() {
    let context = TestContext::new();
    context.skill("skills/slow", &json!({"entrypoint": "python3 skill.py"}));
    context.write(
        "skills/slow/skill.py",
        "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(0.02)\nprint('{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 1}')\n",
    );
    let mut eval = context
        .command(&["eval", "--skills", "skills/slow", "--no-sandbox", "--timeout", "20000"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let site = site(&context, &[]);
    wait_until("an evaluation under way", || site.json("/api/runs")["underWay"] != json!([]));
    let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
    assert!(site.page(&format!("/run/{id}")).contains("0 executions"));
    eval.kill().unwrap();
    eval.wait().unwrap();
    wait_until("none under way", || site.json("/api/runs")["underWay"] == json!([]));
    assert!(site.page(&format!("/run/{id}")).contains(&format!("eval-skills eval --resume {id}")));
}

/// Two evaluations of one skill on one benchmark, the second one worse, and their ids.
fn twice(context: &TestContext) -> [String; 2] {
    benchmark(context, 12);
    [(12, 12), (5, 11)].map(|(passes, knows)| {
        skill(context, "skills/calc", passes, knows);
        context.evaluate(&["--skills", "skills/calc", "--benchmark", "./b.json"], 0)["id"].as_str().unwrap().to_owned()
    })
}

#[test]
fn difference_of_two_evaluations_says_what_the_command_says() {
    let context = TestContext::new();
    let [a, b] = twice(&context);
    let site = site(&context, &[]);
    let list = site.page("/");
    let ticks: Vec<&str> =
        list.split("name=\"run\" value=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ticks.len(), 2, "each can be chosen");
    let ticked = site.get(&format!("/diff?run={}&run={}", ticks[0], ticks[1]));
    assert_eq!(ticked.status, 303);
    let page = site.page(ticked.header("location"));
    for part in [
        "the settings are the same",
        "newly failing (7)",
        "<bdi>t12  ",
        "100.0 % → 41.7 % (\u{2212}58.3 pp ▼)",
        "exact p 0.016",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let chinese = site.page(&format!("/diff?a={a}&b={b}&lang=zh"));
    assert!(chinese.contains("设置相同") && chinese.contains("新增未通过"), "{chinese}");
    // another benchmark, and what both have when that is asked for
    benchmark(&context, 9);
    skill(&context, "skills/calc", 9, 9);
    let c =
        context.evaluate(&["--skills", "skills/calc", "--benchmark", "./b.json"], 0)["id"].as_str().unwrap().to_owned();
    let refused = site.page(&format!("/diff?a={a}&b={c}"));
    let forced =
        refused.split("href=\"/diff?").find(|link| link.contains("force=1")).unwrap_or_else(|| panic!("{refused}"));
    let forced = forced.split('"').next().unwrap().replace("&#38;", "&");
    assert!(site.page(&format!("/diff?{forced}")).contains("the benchmarks have other contents"));
}

#[test]
fn trend_of_a_skill_breaks_where_the_benchmark_changed() {
    let context = TestContext::new();
    twice(&context);
    benchmark(&context, 9);
    skill(&context, "skills/calc", 9, 9);
    context.evaluate(&["--skills", "skills/calc", "--benchmark", "./b.json"], 0);
    let site = site(&context, &[]);
    let page = site.page("/trends");
    assert_eq!((page.matches("<section class=\"card\"").count(), page.matches("class=\"m-mark\"").count()), (1, 3));
    assert_eq!((page.matches("class=\"m-break\"").count(), page.matches("class=\"m-join\"").count()), (1, 1));
    for part in ["100.0 % [", "41.7 % [", "the benchmark&#39;s contents:", "the skill&#39;s files are others"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!site.page("/trends?artifact=other").contains("<circle"));
}

#[test]
fn pages_of_evaluations_lead_back_and_violate_no_rule_of_accessibility() {
    let Some(mut browser) = Browser::start() else { return };
    let context = TestContext::new();
    let [a, b] = twice(&context);
    let site = site(&context, &[]);
    browser.open(&site.address(&format!("/run/{a}?lang=zh")));
    browser.value("document.querySelector('nav a').click()");
    browser.until("the list", "location.pathname === '/' && document.documentElement.lang === 'zh-Hans'");
    for (width, colours, lang) in [(1440, "light", "en"), (390, "dark", "zh")] {
        browser.screen(width, 900, colours);
        for path in ["/?".to_owned(), format!("/run/{a}?"), "/trends?".to_owned(), format!("/diff?a={a}&b={b}&")] {
            browser.open(&site.address(&format!("{path}lang={lang}")));
            browser.value("for (const of of document.querySelectorAll('main details')) of.open = true");
            let Some(found) = browser.violations() else { return };
            assert!(found.is_empty(), "{path}, {width} px, {colours}, {lang}:\n{}", found.join("\n"));
            let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(sideways, 0, "{path} at {width}");
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
