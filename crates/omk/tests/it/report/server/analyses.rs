//! `/analyses`: stored observations as pages.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use testkit::browser::Browser;
use testkit::http_client::exchange;

use super::accessibility::are_accessible;
use super::hostile::{HOSTILE, edit, is_inert, paths};
use super::{site, with_report};
use crate::fixtures::context::TestContext;
use crate::observe::{COMPARED, observation, with_sessions};

/// Two observations of the same sessions, the first of a part of them; their ids.
fn with_two() -> (TestContext, [String; 2]) {
    let context = with_sessions();
    let observe = |more: &[&str]| {
        context.run(&[&["observe", "logs"], more].concat()).expect(0);
        observation(&context)["id"].as_str().unwrap().to_owned()
    };
    let ids = [observe(&["--to", "2026-03-01"]), observe(&[])];
    (context, ids)
}

/// A page's text, without tags.
fn text(page: &str) -> String {
    let main = page.split("<main").nth(1).unwrap_or_default();
    let tags = regex::Regex::new("<[^>]*>").unwrap();
    tags.replace_all(main, " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_of_runs_lead_to_observations_where_there_are_any() {
    let (context, id) = with_report();
    let site = site(&context, &["--analyses-dir", "analyses"]);
    let paths = [format!("/run/{id}?lang=zh"), format!("/run/{id}/sample/s001?lang=zh")];
    assert!(paths.iter().all(|path| !site.page(path).contains("/analyses")));
    fs::create_dir_all(context.path("analyses")).unwrap();
    fs::write(context.path("analyses/one.json"), "{}").unwrap();
    assert!(paths.iter().all(|path| site.page(path).contains("href=\"/analyses?lang=zh\"")));
}

#[test]
fn observations_are_listed_the_newest_first_and_shown_skill_by_skill() {
    let (context, [first, second]) = with_two();
    fs::write(context.path(".omk/analyses/00-broken.json"), "{\"id\": ").unwrap();
    let site = site(&context, &[]);
    assert!(site.page("/").contains("href=\"/analyses\""), "the navigation leads there");
    let list = site.page("/analyses");
    let at = |id: &str| list.find(&format!("href=\"/analyses/{id}\""));
    assert!(at(&second).is_some() && at(&second) < at(&first) && list.contains("00-broken.json"), "{list}");
    for part in ["3 segments of work in 3 sessions", "gap rate 100.0 %", "segments of sessions@", "does not represent"]
    {
        assert!(text(&list).contains(part), "{part}: {list}");
    }
    let page = text(&site.page(&format!("/analyses/{second}")));
    for part in [
        "review too few segments review: too few segments for a judgement (2 in 2 sessions",
        "gap rate 100.0 %",
        "on 2 of 3 segments of sessions@",
        "per segment, median (quartiles)",
        "tokens:",
        "attribution:",
        "Without a skill",
        "Write these pages first",
        "1. Where is the revenue? — wanted in 2 sessions, 2 searches, last on 2026-03-08",
        "looked for: revenue_schema, revenueSchema",
        "logs/b.jsonl:2 Where is the revenue?",
        "does not represent the knowledge base",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let zh = site.page(&format!("/analyses/{second}?lang=zh"));
    assert!(text(&zh).contains("段数太少") && zh.contains("href=\"/analyses?lang=zh\""), "{zh}");
}

#[test]
fn band_has_its_colour_only_with_enough_segments() {
    let (context, [_, id]) = with_two();
    let path = context.path(&format!(".omk/analyses/{id}.json"));
    let mut stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let site = site(&context, &[]);
    for (confidence, chip) in [
        ("underpowered", "<span class=\"chip quiet\">too few segments</span>"),
        ("low", "<span class=\"chip quiet\">red? few segments</span>"),
        ("high", "<span class=\"chip worse\">red</span>"),
    ] {
        stored["skills"][0]["confidence"] = json!(confidence);
        fs::write(&path, stored.to_string()).unwrap();
        let page = site.page(&format!("/analyses/{id}"));
        assert!(page.contains(chip), "{confidence}: {page}");
    }
    stored["neverLoaded"] = json!([{"name": "unused", "sessions": 2}]);
    stored["sources"]["unreadFiles"] = json!([{"path": "logs/torn", "reason": "it is torn"}]);
    fs::write(&path, stored.to_string()).unwrap();
    let page = text(&site.page(&format!("/analyses/{id}")));
    assert!(page.contains("never loaded: unused") && page.contains("logs/torn: it is torn"), "{page}");
}

#[test]
fn two_observations_are_side_by_side_in_order_of_time_and_nothing_is_concluded() {
    let (context, [first, second]) = with_two();
    let site = site(&context, &[]);
    let ticked = site.get(&format!("/analyses/compare?run={second}&run={first}&lang=zh"));
    let expected = format!("/analyses/compare?a={first}&b={second}&lang=zh");
    assert_eq!((ticked.status, ticked.header("location")), (303, &*expected));
    let page = text(&site.page(&format!("/analyses/compare?a={first}&b={second}")));
    for part in COMPARED {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(text(&site.page(&format!("/analyses/compare?a={second}&b={first}"))).contains("gone: no segment any more"));
}

#[test]
fn addresses_lead_to_stored_observations_only() {
    let (context, [first, _]) = with_two();
    context.write(".omk/secret.json", "{}");
    context.write(".omk/analyses/other.json", "{\"schemaVersion\": 1}");
    context.write(".omk/analyses/newer.json", "{\"schemaVersion\": 99}");
    let site = site(&context, &[]);
    for (path, status) in [
        ("/analyses/none", 404),
        ("/analyses/..%2fsecret", 404),
        ("/analyses/%00", 404),
        ("/analyses/other", 422),
        ("/analyses/newer", 422),
        ("/analyses/compare", 400),
        (&*format!("/analyses/compare?a={first}&b=none"), 404),
    ] {
        let reply = site.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        assert!(reply.header("content-security-policy").contains("default-src 'none'"), "{path}");
    }
    let foreign =
        format!("GET /analyses/{first} HTTP/1.1\r\nHost: evil.test:{}\r\nConnection: close\r\n\r\n", site.port);
    assert_eq!(exchange(site.port, foreign.as_bytes()).status, 403);
}

#[test]
fn navigation_leads_to_observations_only_where_there_are_any() {
    let (context, _) = with_report();
    let without = site(&context, &[]);
    assert!(!without.page("/").contains("/analyses"));
    assert!(text(&without.page("/analyses")).contains("omk observe"), "and the page says how to make one");
    drop(without);
    context.write("mine/one.json", "{}");
    let named = site(&context, &["--analyses-dir", "mine"]);
    assert!(named.page("/").contains("href=\"/analyses\"") && named.page("/analyses").contains("one.json"));
}

#[test]
fn every_field_of_an_observation_is_text_and_every_page_is_accessible() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, [first, second]) = with_two();
    let path = context.path(&format!(".omk/analyses/{second}.json"));
    let mut stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    stored["neverLoaded"] = json!([{"name": "unused", "sessions": 2}]);
    stored["sources"]["unreadFiles"] = json!([{"path": "torn", "reason": "torn"}]);
    let mut all = BTreeSet::new();
    paths(&stored, "", &mut all);
    let is_read = |of: &Value| serde_json::from_value::<eval_format::Observation>(of.clone()).is_ok();
    let mut changed = 0;
    for path in &all {
        let mut next = stored.clone();
        edit(&mut next, path, &|text| format!("{HOSTILE}{text}"));
        if is_read(&next) {
            (stored, changed) = (next, changed + 1);
        }
    }
    assert!(changed > 20, "{changed} of {}", all.len());
    fs::write(&path, stored.to_string()).unwrap();
    let site = site(&context, &[]);
    let pages =
        ["/analyses".to_owned(), format!("/analyses/{second}"), format!("/analyses/compare?a={first}&b={second}")];
    let pages = pages.map(|path| site.address(&path));
    for (width, page) in [1440, 320].into_iter().flat_map(|width| pages.iter().map(move |of| (width, of))) {
        browser.screen(width, 900, "light");
        is_inert(&mut browser, page);
    }
    are_accessible(&mut browser, &pages);
    assert_eq!(browser.complaints(), [""; 0]);
    let shown = context.run(&["observe", "show", &second]).expect(0).stdout;
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}']), "{shown:?}");
}
