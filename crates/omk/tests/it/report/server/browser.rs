//! The pages in a browser: list, languages, feedback, hostile names; no error in its console, no request elsewhere.

use std::fs;

use serde_json::{Value, json};
use testkit::browser::Browser;

use super::{scene, site, with_report};
use crate::fixtures::context::TestContext;

/// Names that would run, turn or hide text, if a page let them.
const HOSTILE: [&str; 4] =
    ["<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "\u{202e}gnitrevni\u{202c}", "\u{1b}[31mred\u{7}"];

/// Gives a report hostile names, texts and comments.
fn hostile(context: &TestContext) {
    let path = context.report_path();
    let mut text = fs::read_to_string(&path).unwrap();
    for (name, hostile) in ["v1", "v2", "s001", "s002"].iter().zip(HOSTILE) {
        text = text.replace(&format!("\"{name}\""), &json!(hostile).to_string());
    }
    let mut report: Value = serde_json::from_str(&text).unwrap();
    for field in ["model", "executor"] {
        report["meta"][field] = json!(HOSTILE.concat());
    }
    report["meta"]["gitInfo"] = json!({"commit": HOSTILE[1], "branch": HOSTILE[0], "dirty": false});
    report["meta"]["testSet"]["path"] = json!(HOSTILE.concat());
    report["feedback"] = json!([{"sample_id": HOSTILE[2], "variant": HOSTILE[0], "rating": 1, "comment": HOSTILE.concat(), "by": HOSTILE[1], "at": "2026-03-24T15:30:45Z"}]);
    fs::write(&path, report.to_string()).unwrap();
    fs::write(path.with_file_name("\"><img src=x onerror=alert(3)>.json"), report.to_string()).unwrap();
    fs::write(path.with_file_name("<script>alert(4)<%2fscript>.json"), "{}").unwrap();
}

/// Nothing was complained about, and nothing asked for but this server.
#[track_caller]
pub(super) fn is_silent(browser: &Browser, site: &testkit::ReportSite) {
    assert_eq!(browser.complaints(), [""; 0]);
    let own = site.address("/");
    let foreign: Vec<&String> =
        browser.requests().iter().filter(|address| !address.starts_with(&own) && *address != "about:blank").collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn list_leads_to_a_run_in_either_language() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = with_report();
    let site = site(&context, &[]);
    browser.open(&site.address("/"));
    assert_eq!(browser.value("document.documentElement.lang"), "en");
    browser.value("document.querySelector('a[hreflang=zh-Hans]').click()");
    browser.until("Chinese", "document.documentElement.lang === 'zh-Hans'");
    assert_eq!(browser.value("document.querySelector('h1').innerText"), "运行");
    let english = browser.value("[...document.querySelectorAll('th,label,nav a,button')].map((e) => e.textContent).filter((t) => /^[a-z ]{3,}$/i.test(t.trim())).join()");
    assert_eq!(english, "English");
    browser.value("document.querySelector('td.name a').click()");
    browser.until("the run", &format!("location.pathname === '/run/{id}' && document.readyState === 'complete'"));
    assert_eq!(browser.value("document.documentElement.lang"), "zh-Hans");
    is_silent(&browser, &site);
}

#[test]
fn run_leads_to_a_sample_whose_answer_is_rated() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = with_report();
    let site = site(&context, &[]);
    browser.open(&site.address(&format!("/run/{id}?lang=zh")));
    browser.value("document.querySelector('a.row').click()");
    browser.until(
        "a sample",
        "location.pathname.includes('/sample/') && document.querySelector('form.feedback') !== null",
    );
    let fill = "const sent = document.querySelector('form.feedback'); sent.variant.value = 'v2'; sent.rating[3].checked = true; \
        sent.comment.value = '</script><b>bold</b>\\n你好'; sent.querySelector('button').click()";
    browser.value(fill);
    browser.until("the comment on the page", "document.body.innerText.includes('</script><b>bold</b>')");
    assert_eq!(
        browser.value("location.pathname.startsWith('/run/') && document.querySelector('b b, bdi b') === null"),
        true
    );
    let stored = context.report()["feedback"][0].clone();
    assert_eq!((&stored["variant"], &stored["rating"]), (&json!("v2"), &json!(4)));
    assert_eq!(stored["comment"], "</script><b>bold</b>\n你好");
    is_silent(&browser, &site);
}

#[test]
fn hostile_names_are_text_on_every_page() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = with_report();
    hostile(&context);
    let site = site(&context, &[]);
    let name = "%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert%283%29%3E";
    let paths = [
        "/".to_owned(),
        "/?q=%3Cscript%3Ealert(5)%3C/script%3E&artifact=%22%3E%3Cimg%20src=x%20onerror=alert(6)%3E".to_owned(),
        "/trends".to_owned(),
        "/trends?artifact=%3Cscript%3E".to_owned(),
        format!("/diff?a={id}&b={name}"),
        format!("/run/{name}"),
        format!("/run/{name}/sample/%E2%80%AEgnitrevni%E2%80%AC"),
        "/run/%3Cscript%3Ealert(7)%3C%2Fscript%3E".to_owned(),
    ];
    for path in paths {
        browser.open(&site.address(&path));
        let seen = browser.value("[document.images.length, document.querySelectorAll('[onerror]').length, document.scripts.length <= 1, /[\\u202a-\\u202e\\u001b]/.test(document.body.innerText)]");
        assert_eq!(seen, json!([0, 0, true, false]), "{path}");
    }
    let complaints: Vec<&String> = browser.complaints().iter().filter(|text| !text.contains("404")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

#[test]
fn pages_read_without_scripts_and_on_a_narrow_screen() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = with_report();
    let site = site(&context, &[]);
    browser.scripts(false);
    for (width, colours) in [(1440, "light"), (390, "dark"), (320, "light")] {
        browser.screen(width, 844, colours);
        for path in ["/".to_owned(), "/trends".to_owned(), format!("/diff?a={id}&b={id}"), "/nothing".to_owned()] {
            browser.open(&site.address(&path));
            let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(sideways, 0, "{path} at {width}");
        }
    }
    let missing: Vec<&String> = browser.complaints().iter().filter(|text| !text.contains("404")).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn run_under_way_moves_on_by_itself() {
    let Some(mut browser) = Browser::start() else { return };
    let context = super::live::waiting();
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let mut eval = context
        .command(&arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let site = site(&context, &[]);
    testkit::wait_until("a run under way", || {
        site.json("/api/runs")["underWay"][0]["finished"] == 1 || site.json("/api/runs")["underWay"][0]["finished"] == 2
    });
    let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
    browser.open(&site.address(&format!("/run/{id}")));
    browser.until("two executions", "document.getElementById('live-progress')?.textContent === '2 of 6 executions'");
    context.write("go", "");
    browser.until("the report", "document.getElementById('live-progress') === null");
    assert!(eval.wait().unwrap().success());
    is_silent(&browser, &site);
}

#[test]
#[ignore = "writes pictures for people to look at: `PAGES=DIR cargo test -p omk --test it pictures_of_the_server -- --ignored`"]
fn pictures_of_the_server() {
    let directory = std::env::var_os("PAGES").map(std::path::PathBuf::from).expect("`PAGES` names a directory");
    let mut browser = Browser::start().unwrap();
    let context = scene::project();
    let a = scene::run(&context, "v1,v2", "3");
    context.write("skills/v2.md", "# Reviewer\n\nVERSION 2\n\nBe brief.\n");
    let b = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    let pages = [
        ("list", "/".to_owned()),
        ("trends", "/trends".to_owned()),
        ("diff", format!("/diff?a={a}&b={b}")),
        ("run", format!("/run/{a}")),
        ("sample", format!("/run/{a}/sample/review-01")),
        ("error", "/run/none".to_owned()),
    ];
    let screens = [1440, 390].into_iter().flat_map(|width| ["light", "dark"].map(|colours| (width, colours)));
    for (width, colours, lang) in screens.flat_map(|(width, colours)| ["en", "zh"].map(|lang| (width, colours, lang))) {
        browser.screen(width, if width > 600 { 1000 } else { 844 }, colours);
        for (name, path) in &pages {
            let mark = if path.contains('?') { '&' } else { '?' };
            browser.open(&site.address(&format!("{path}{mark}lang={lang}")));
            browser.picture(&directory.join(format!("{name}-{width}-{colours}-{lang}.png")), true);
        }
    }
}
