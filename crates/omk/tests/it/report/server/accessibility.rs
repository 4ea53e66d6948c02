//! Every kind of page against the rules of axe-core: light and dark, wide and narrow, English and Chinese.

use std::process::Stdio;

use testkit::browser::Browser;
use testkit::wait_until;

use super::{blind, live, scene, site};

/// Opens all that is folded, of alike rows the first four, and the list of keys.
const OPEN: &str = "for (const part of document.querySelectorAll('main details:not(.row), main .row:nth-of-type(-n + 4)')) \
    part.open = true; document.querySelector('dialog.keys')?.show()";

/// Every page in two views, which have each width, colour and language once; false where axe-core is not installed.
pub(super) fn are_accessible(browser: &mut Browser, pages: &[String]) -> bool {
    for (width, colours, lang) in [(1440, "light", "en"), (390, "dark", "zh")] {
        browser.screen(width, 900, colours);
        for page in pages {
            let (address, place) = page.split_once('#').unwrap_or((page, ""));
            let mark = if address.contains('?') { '&' } else { '?' };
            browser.open(&format!("{address}{mark}lang={lang}#{place}"));
            browser.value(OPEN);
            let Some(found) = browser.violations() else { return false };
            assert!(found.is_empty(), "{page}, {width} px, {colours}, {lang}:\n{}", found.join("\n"));
        }
    }
    true
}

#[test]
fn no_page_violates_a_rule_of_accessibility() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let a = scene::run(&context, "v1,v2", "2");
    context.write("skills/v2.md", "# Reviewer\n\nVERSION 2\n\nBe brief.\n");
    let b = scene::run(&context, "v1,v2", "1");
    let solo = scene::run(&context, "v1", "1");
    let samples = std::fs::read_to_string(context.path("eval-samples.json")).unwrap();
    context.write("others.json", &samples.replace("review-", "other-"));
    scene::run_of(&context, "others.json", "v1,v2", "1");
    let file = context.path("report.html");
    context.run(&["report", "export", &a, "--format", "html", "--output", file.to_str().unwrap()]).expect(0);
    let site = site(&context, &[]);
    let mut pages: Vec<String> = [
        "/".to_owned(),
        format!("/run/{a}"),
        format!("/run/{solo}"),
        format!("/run/{a}/sample/review-01#view=marked"),
        format!("/run/{a}/sample/review-09"),
        "/trends".to_owned(),
        format!("/diff?a={a}&b={b}"),
        format!("/run/{a}/people"),
        format!("/run/{a}/blind"),
        "/run/none".to_owned(),
    ]
    .map(|path| site.address(&path))
    .into();
    pages.push(format!("file://{}#open=s-1&view=marked", file.display()));
    if !are_accessible(&mut browser, &pages) {
        return;
    }
    browser.value("document.body.append(document.createElement('img'))");
    assert!(
        browser.violations().is_some_and(|found| found.iter().any(|of| of.contains("image-alt"))),
        "it finds nothing"
    );
}

#[test]
fn pages_of_blind_judging_violate_no_rule_of_accessibility() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = blind::project(&["--blind"]);
    let site = site(&context, &[]);
    let blind = blind::blind_address(&site, &id);
    are_accessible(&mut browser, &["/".to_owned(), blind].map(|path| site.address(&path)));
}

#[test]
fn page_of_a_run_under_way_violates_no_rule_of_accessibility() {
    let Some(mut browser) = Browser::start() else { return };
    let context = live::waiting();
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let mut eval = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let site = site(&context, &[]);
    let under_way = || site.json("/api/runs")["underWay"].clone();
    wait_until("two executions ended", || under_way()[0]["finished"] == 2);
    let run = under_way()[0]["id"].as_str().unwrap().to_owned();
    are_accessible(&mut browser, &["/".to_owned(), format!("/run/{run}")].map(|path| site.address(&path)));
    context.write("go", "");
    eval.wait().unwrap();
}
