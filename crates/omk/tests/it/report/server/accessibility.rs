//! Every kind of page against the rules of axe-core: light and dark, wide and narrow, English and Chinese.

use testkit::browser::Browser;

use super::{scene, site};

#[test]
fn no_page_violates_a_rule_of_accessibility() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let a = scene::run(&context, "v1,v2", "2");
    context.write("skills/v2.md", "# Reviewer\n\nVERSION 2\n\nBe brief.\n");
    let b = scene::run(&context, "v1,v2", "1");
    let solo = scene::run(&context, "v1", "1");
    let file = context.path("report.html");
    context.run(&["report", "export", &a, "--format", "html", "--output", file.to_str().unwrap()]).expect(0);
    let site = site(&context, &[]);
    let mut pages: Vec<String> = [
        "/".to_owned(),
        format!("/run/{a}"),
        format!("/run/{solo}"),
        format!("/run/{a}/sample/review-01#view=marked"),
        "/trends".to_owned(),
        format!("/diff?a={a}&b={b}"),
        "/run/none".to_owned(),
    ]
    .map(|path| site.address(&path))
    .into();
    pages.push(format!("file://{}#open=s-1&view=marked", file.display()));
    for (width, colours, lang) in
        [(1440, "light", "en"), (1440, "dark", "zh"), (390, "light", "zh"), (390, "dark", "en")]
    {
        browser.screen(width, 900, colours);
        for page in &pages {
            let (address, place) = page.split_once('#').unwrap_or((page, ""));
            let mark = if address.contains('?') { '&' } else { '?' };
            browser.open(&format!("{address}{mark}lang={lang}#{place}"));
            browser.value("for (const of of document.querySelectorAll('main details')) of.open = true; document.querySelector('dialog.keys')?.show()");
            let Some(found) = browser.violations() else { return };
            assert!(found.is_empty(), "{page}, {width} px, {colours}, {lang}:\n{}", found.join("\n"));
        }
    }
    browser.value("document.body.append(document.createElement('img'))");
    assert!(
        browser.violations().is_some_and(|found| found.iter().any(|of| of.contains("image-alt"))),
        "it finds nothing"
    );
}
