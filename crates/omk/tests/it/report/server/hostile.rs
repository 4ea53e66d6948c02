//! Reports in which every field is hostile: whatever is read from them stands on the pages as text, and nothing runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::browser::Browser;

use super::{scene, site};
use crate::fixtures::context::TestContext;

/// What would run, load, turn, hide or end something, if a page let it.
pub(super) const HOSTILE: &str = "</script></style></pre><script>alert(1)</script>\"><img src=x onerror=alert(2)>'onfocus=alert(3) \
    <a href=javascript:alert(4)>[x](javascript:alert(5)) ![i](//127.0.0.1:9/i.png) <https://127.0.0.1:9/> `````` **|** \
    \u{202e}gnitrevni\u{2066}\u{200b}\u{0}\u{1b}[31m\u{9b}31m\u{7}&lt;&amp;{{ 7*7 }}\u{2028}@team ";

/// The paths to texts of a document, without indexes of lists.
pub(super) fn paths(of: &Value, path: &str, found: &mut BTreeSet<String>) {
    match of {
        Value::String(_) => _ = found.insert(path.to_owned()),
        Value::Array(all) => all.iter().for_each(|one| paths(one, &format!("{path}/*"), found)),
        Value::Object(all) => all.iter().for_each(|(name, one)| paths(one, &format!("{path}/{name}"), found)),
        _ => {}
    }
}

/// Changes each text at a path.
pub(super) fn edit(of: &mut Value, path: &str, change: &dyn Fn(&str) -> String) {
    let Some((name, rest)) = path.strip_prefix('/').map(|path| path.split_at(path.find('/').unwrap_or(path.len())))
    else {
        if let Value::String(text) = of {
            *text = change(text);
        }
        return;
    };
    match of {
        Value::Array(all) if name == "*" => all.iter_mut().for_each(|one| edit(one, rest, change)),
        Value::Object(all) => all.get_mut(name).into_iter().for_each(|one| edit(one, rest, change)),
        _ => {}
    }
}

/// The names of variants as keys, too.
fn rename(of: &mut Value, change: &dyn Fn(&str) -> String) {
    match of {
        Value::Array(all) => all.iter_mut().for_each(|one| rename(one, change)),
        Value::Object(all) => {
            let is_variant = |name: &str| ["v1", "v2"].contains(&name);
            let renamed = |(name, one): (String, Value)| (if is_variant(&name) { change(&name) } else { name }, one);
            *all = std::mem::take(all).into_iter().map(renamed).collect();
            all.values_mut().for_each(|one| rename(one, change));
        }
        _ => {}
    }
}

/// Whether it can be read, as every command reads it.
fn is_report(of: &Value) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), of.to_string()).unwrap();
    eval_history::read(file.path()).is_ok()
}

/// The report with a text before each of its own, wherever it is a report after that.
fn hostile(context: &TestContext) -> Value {
    let change = |text: &str| format!("{HOSTILE}{text}");
    let mut report = context.report();
    for result in report["results"].as_array_mut().unwrap() {
        result["texts"] = json!({"prompt": "?", "rubric": "?", "dimensions": [{"name": "?", "rubric": "?"}]});
        for of in result["variants"].as_object_mut().unwrap().values_mut() {
            of["errorDetail"] = json!("?");
        }
    }
    assert!(is_report(&report));
    let mut all = BTreeSet::new();
    paths(&report, "", &mut all);
    // a test set is the same wherever it stands
    let mut together: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for path in &all {
        together.entry(path.split_once("/testSet/").map_or(path, |(_, field)| field)).or_default().push(path);
    }
    let mut changed = 0;
    for paths in together.values() {
        let mut next = report.clone();
        paths.iter().for_each(|path| edit(&mut next, path, &change));
        if is_report(&next) {
            (report, changed) = (next, changed + paths.len());
        }
    }
    rename(&mut report, &change);
    let (sample, variant) = (&report["results"][0]["sample_id"], &report["meta"]["variants"][0]);
    report["feedback"] = json!([{"sample_id": sample, "variant": variant, "rating": 1, "comment": HOSTILE, "by": HOSTILE,
        "at": "2026-03-24T15:30:45Z"}]);
    assert!(report["meta"]["variants"][0].as_str().unwrap().contains("</script>"), "{}", report["meta"]["variants"]);
    assert!(is_report(&report) && changed > 60, "{changed} of {}", all.len());
    report
}

/// A script, image, handler or live link of others, a character that can't be seen, or a wide page.
const WRONG: &str = "[document.scripts.length > 1, document.images.length, document.querySelectorAll('a[href^=javascript], iframe, object, base, main style, main script').length, \
    [...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) => /^on/.test(a.name)).length, [...document.querySelectorAll('a')].filter((a) => a.protocol !== location.protocol || a.host !== location.host).length, \
    [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && /[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001e\\u007f-\\u009f\\u200b\\u202a-\\u202e\\u2066-\\u2069]/.test(n.data))).map((e) => e.parentElement.outerHTML.slice(0, 300)).slice(0, 3), document.documentElement.scrollWidth > document.documentElement.clientWidth && [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth).map((e) => e.outerHTML.slice(0, 120) + getComputedStyle(e).display + e.getBoundingClientRect().right).slice(0, 8), document.querySelector('footer') === null]";

#[track_caller]
pub(super) fn is_inert(browser: &mut Browser, address: &str) {
    browser.open(address);
    browser.value("for (const of of document.querySelectorAll('details')) of.open = true; [...document.querySelectorAll('.view button')].forEach((e) => e.value && e.click())");
    let wrong = browser.value(WRONG);
    assert_eq!(wrong, json!([false, 0, 0, 0, 0, [], false, false]), "{address}");
    let policy = browser.value("document.querySelector('meta[http-equiv]').content").to_string();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
}

/// The report as a file and on every page of the server: nothing runs or loads.
fn look(browser: &mut Browser, context: &TestContext, report: &Value) {
    let path = context.report_path();
    let own = context.report()["id"].as_str().unwrap().to_owned();
    fs::write(path.with_file_name("hostile.json"), report.to_string()).unwrap();
    let file = context.path("page.html");
    context.run(&["report", "export", "hostile", "--format", "html", "--output", file.to_str().unwrap()]).expect(0);
    let site = site(context, &[]);
    let run = site.page("/run/hostile");
    let sample =
        run.split("<a class=\"row").nth(1).and_then(|row| row.split("href=\"").nth(1)?.split('"').next()).unwrap();
    let places = ["/", "/trends", "/run/hostile", sample, &format!("/diff?a={own}&b=hostile&force=1")];
    let addresses =
        places.map(|place| site.address(place)).into_iter().chain([format!("file://{}#open=s-1", file.display())]);
    for (width, address) in [1440, 320].into_iter().flat_map(|width| addresses.clone().map(move |of| (width, of))) {
        browser.screen(width, 900, "light");
        is_inert(browser, &address);
    }
    assert_eq!(browser.complaints(), [""; 0]);
    let is_own = |address: &&String| !address.starts_with(&site.address("/")) && !address.starts_with("file://");
    let foreign: Vec<&String> = browser.requests().iter().filter(is_own).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn every_field_of_a_report_is_text_on_every_page() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    scene::run(&context, "v1,v2", "1");
    let report = hostile(&context);
    look(&mut browser, &context, &report);
}

#[test]
fn texts_of_any_length_leave_pages_standing() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    scene::run(&context, "v1,v2", "1");
    let mut report = context.report();
    let line = "x".repeat(1 << 20);
    let ticks = "`".repeat(10_000);
    let first = &mut report["results"][0];
    first["sample_id"] = json!(format!("{ticks}{}", "i".repeat(2000)));
    first["texts"]["prompt"] = json!(line);
    first["capability"] = json!([line]);
    for name in ["v1", "v2"] {
        let of = &mut first["variants"][name];
        of["fullOutput"] =
            json!(if name == "v1" { line.clone() } else { format!("{ticks}\n* {ticks}\n{}", "* a *".repeat(10_000)) });
        of["toolCalls"][0]["name"] = json!(line);
        of["toolCalls"][0]["input"] = json!({ "path": line });
        of["toolCalls"][0]["output"]["text"] = json!(line);
    }
    report["feedback"] = json!([{"sample_id": "review-02", "variant": "v1", "rating": 1, "comment": line, "by": line,
            "at": "2026-03-24T15:30:45Z"}]);
    report["meta"]["model"] = json!(line);
    report["meta"]["gitInfo"] = json!({"commit": line, "branch": line, "dirty": false});
    assert!(is_report(&report));
    look(&mut browser, &context, &report);
    let page = |file: &str| fs::metadata(Path::new(&context.path(file))).unwrap().len();
    assert!(page("page.html") < 3 << 20, "{}", page("page.html"));
}
