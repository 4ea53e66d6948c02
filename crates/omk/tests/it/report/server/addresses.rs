//! What a reader chose stays: in the address, on the way back, in the browser; with scripts or without, from disk or not.

use serde_json::json;
use testkit::browser::Browser;

use super::browser::is_silent;
use super::{scene, site};
use crate::fixtures::context::TestContext;

const ROWS: &str = "[...document.querySelectorAll('.rows > .row')].filter((e) => e.checkVisibility()).length";

#[test]
fn colours_and_language_are_switched_and_stay() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    let paper = "getComputedStyle(document.body).backgroundColor";
    browser.screen(1440, 900, "light");
    for path in [format!("/run/{id}?filter=worse"), "/?verdict=CAUTIOUS".to_owned()] {
        browser.value("try { localStorage.clear() } catch {}");
        browser.open(&site.address(&path));
        assert_eq!(browser.value(paper), "rgb(251, 251, 249)");
        browser.value("document.querySelector('.theme').click()");
        assert_eq!(browser.value(paper), "rgb(20, 22, 26)");
        browser.value("document.querySelector('nav a[lang=zh-Hans]').click()");
        browser.until("Chinese", "document.documentElement.lang === 'zh-Hans' && document.readyState === 'complete'");
        let query = path.split_once('?').unwrap().1;
        assert!(browser.value("location.search").as_str().unwrap().contains(query));
        assert_eq!(browser.value(paper), "rgb(20, 22, 26)", "the next page is as dark");
        browser.value("document.querySelector('.theme').click()");
        assert_eq!(browser.value(paper), "rgb(251, 251, 249)");
    }
    is_silent(&browser, &site);
}

#[test]
fn filters_are_in_the_address_and_the_way_back_leads_to_those_before() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    browser.open(&site.address(&format!("/run/{id}")));
    assert_eq!(browser.value(ROWS), 24);
    browser.press("w");
    browser.until("those that are worse", "location.search === '?filter=worse' && document.readyState === 'complete'");
    let worse = browser.value(ROWS);
    assert!(worse.as_u64().is_some_and(|count| (1..24).contains(&count)), "{worse}");
    browser.press("j");
    browser.press("Enter");
    browser.until("a sample", "location.pathname.includes('/sample/') && document.readyState === 'complete'");
    browser.value("history.back()");
    browser.until("the list", "location.search === '?filter=worse' && document.readyState === 'complete'");
    assert_eq!(browser.value(ROWS), worse);
    browser.value("history.back()");
    browser.until("all", "location.search === '' && document.readyState === 'complete'");
    assert_eq!(browser.value(ROWS), 24);
    is_silent(&browser, &site);
}

#[test]
fn file_works_from_disk_without_a_network_and_its_address_restores_the_view() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "2");
    let file = context.path("page.html");
    context.run(&["report", "export", &id, "--format", "html", "--output", file.to_str().unwrap()]).expect(0);
    let address = format!("file://{}", file.display());
    browser.network(false);
    browser.open(&address);
    browser.press("w");
    let worse = browser.value(ROWS);
    assert!(worse.as_u64().is_some_and(|count| (1..24).contains(&count)), "{worse}");
    browser.press("j");
    browser.press("Enter");
    browser.until("an open sample", "document.querySelector('.row[open] .views') !== null");
    browser.press("2");
    browser.press("t");
    let view = "[document.querySelector('.row[open]').id, [...document.querySelectorAll('.row[open] .repeat > h4')].filter((e) => e.checkVisibility()).map((e) => e.textContent).join(), document.querySelectorAll('.row[open] .marked').length > 0]";
    let seen = browser.value(view);
    assert_eq!((&seen[1], &seen[2]), (&json!("run 2"), &json!(true)));
    let pasted = browser.value("location.href");
    browser.open("about:blank#left");
    browser.open(pasted.as_str().unwrap());
    assert_eq!((browser.value(view), browser.value(ROWS)), (seen, worse));
    browser.press("Escape");
    assert_eq!(browser.value("document.querySelector('.row[open]')"), json!(null));
    let elsewhere: Vec<&String> =
        browser.requests().iter().filter(|of| **of != address && !of.starts_with("about:")).collect();
    assert!(elsewhere.iter().all(|of| of.starts_with(&address)), "{elsewhere:?}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn everything_is_readable_without_scripts_on_the_narrowest_screen() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "2");
    let file = context.path("page.html");
    context.run(&["report", "export", &id, "--format", "html", "--output", file.to_str().unwrap()]).expect(0);
    let site = site(&context, &[]);
    browser.scripts(false);
    browser.screen(320, 700, "light");
    let places = [site.address(&format!("/run/{id}")), site.address(&format!("/run/{id}/sample/review-01"))];
    for address in places.into_iter().chain([format!("file://{}", file.display())]) {
        browser.open(&address);
        let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(sideways, 0, "{address}");
        // a button that only a script would answer
        let dead = browser.value("[...document.querySelectorAll('button')].filter((e) => e.checkVisibility() && !(e.form?.action)).map((e) => e.outerHTML)");
        assert_eq!(dead, json!([]), "{address}");
    }
    // the file has every answer, in rows that open by themselves
    assert_eq!(browser.value(ROWS), 24);
    let text =
        "document.querySelector('.rows details').open = true; document.querySelector('.rows details').textContent";
    let text = browser.value(text);
    assert!(
        ["run 2", "SQL injection", "v1", "v2", "Calls of tools"].iter().all(|of| text.as_str().unwrap().contains(of)),
        "{text}"
    );
    assert_eq!(browser.complaints(), [""; 0]);
}

/// A browser reads `..` in a path as the way up, however it is encoded; each sample has a page all the same.
#[test]
fn samples_of_any_name_have_a_page() {
    let names =
        ["..", ".", "~", "~..", "a/b", "50%", "what?", "#1", "a\\b", "über 代码", "\u{202e}abc", "a`b", "%2e%2e"];
    let context = TestContext::with_agent();
    let checks = json!([{"type": "contains", "value": "better"}]);
    let samples: Vec<serde_json::Value> = names
        .iter()
        .map(|name| json!({"sample_id": name, "prompt": format!("asked of {name}"), "assertions": checks}))
        .collect();
    context.write("eval-samples.json", &serde_json::to_string(&samples).unwrap());
    let id = super::run(&context, "v1,v2");
    let site = site(&context, &[]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&site.address(&format!("/run/{id}")));
    let links = browser.value("[...document.querySelectorAll('.rows > a.row')].map((row) => row.href)");
    let links: Vec<&str> = links.as_array().unwrap().iter().map(|link| link.as_str().unwrap()).collect();
    assert_eq!(links.len(), names.len());
    for link in links {
        browser.open(link);
        let title = browser.value("document.querySelector('h1').textContent").as_str().unwrap().to_owned();
        let asked = browser.value("document.querySelector('.asked')?.textContent ?? ''");
        assert_eq!(asked, format!("asked of {title}"), "{link}");
    }
    // where feedback leads back to
    let posted = site.send(
        "POST",
        &format!("/api/run/{id}/feedback"),
        &["Content-Type: application/x-www-form-urlencoded"],
        b"sample_id=..&variant=v1&rating=3",
    );
    assert_eq!(posted.header("location"), format!("/run/{id}/sample/~..#feedback"));
    is_silent(&browser, &site);
}
