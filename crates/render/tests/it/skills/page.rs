//! The page, in a browser: it loads nothing, runs nothing of others, and its tables sort.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::convert::{hostile, rendered};
use super::made::eventful;

fn browser() -> Option<PathBuf> {
    testkit::tools::tool(&["chromium", "chromium-browser", "google-chrome"])
}

/// The document after its scripts ran.
fn dumped(browser: &Path, page: &Path, profile: &Path) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=4000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A page with one more script, which the policy lets in as the only change to it.
fn with_script(page: &str, script: &str) -> String {
    let start = page.find("script-src &#39;").unwrap() + "script-src &#39;".len();
    let page = format!("{}unsafe-inline{}", &page[..start], &page[start + page[start..].find("&#39;").unwrap()..]);
    page.replace("</body>", &format!("<script>{script}</script></body>"))
}

#[test]
fn the_page_is_one_file_that_asks_for_nothing() {
    for of in [eventful().evaluation(), hostile()] {
        let page = rendered(&of, "html");
        for request in [" src=", "<link", "<img", "<iframe", "@import", "url(", "<base", "<form", "<object", "style="] {
            // between tags it is text, and there `<` is escaped
            let tags: String = page.split('<').skip(1).filter_map(|tag| Some(tag.split_once('>')?.0)).collect();
            assert!(!format!("<{tags}").contains(request), "{request}");
        }
        assert!(page.contains("default-src &#39;none&#39;; style-src &#39;sha256-"));
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("<style>").count(), 1);
        assert!(page.len() < 2 << 20, "{} bytes: a megabyte of output is cut", page.len());
    }
}

#[test]
fn hostile_text_is_text_in_a_browser() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.html");
    let probe = "document.title = [document.scripts.length, document.querySelectorAll('[onmouseover]').length, \
        performance.getEntriesByType('resource').length, \
        document.querySelectorAll('table[data-sort] th button').length > 6, \
        getComputedStyle(document.querySelector('.card')).borderTopStyle].join(' ');";
    let page = with_script(&rendered(&hostile(), "html"), probe);
    std::fs::write(&path, page).unwrap();
    let dom = dumped(&browser, &path, dir.path());
    // our script and the probe, no handler, nothing loaded, sortable heads
    assert!(dom.contains("<title>2 0 0 true "), "{}", dom.split("</title>").next().unwrap_or_default());
}

#[test]
fn the_policy_lets_the_page_s_own_style_and_script_in() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.html");
    std::fs::write(&path, rendered(&eventful().evaluation(), "html")).unwrap();
    let dom = dumped(&browser, &path, dir.path());
    assert!(dom.contains("<button type=\"button\">"), "the script ran under its hash");
    assert!(!dom.contains("data-table=\"skill-1-table\" hidden"), "and showed the filter");
}

#[test]
fn tables_sort_by_a_click_and_by_the_keyboard() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.html");
    let probe = "const table = document.querySelector('table[data-sort]'); \
        const names = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent.trim()).join(','); \
        const button = table.querySelectorAll('th button')[1]; \
        button.click(); const up = names(); button.click(); const down = names(); \
        button.focus(); const focused = document.activeElement === button; \
        const filter = document.querySelector('.filter input'); filter.click(); \
        const hidden = getComputedStyle(document.querySelector('tr[data-status=pass]')).display; \
        document.title = [up, down, focused, button.parentElement.getAttribute('aria-sort'), hidden].join(' ');";
    let page = with_script(&rendered(&eventful().evaluation(), "html"), probe);
    std::fs::write(&path, page).unwrap();
    let dom = dumped(&browser, &path, dir.path());
    let expected = "<title>dead,weather_v2,weather_v1 weather_v1,weather_v2,dead true descending none</title>";
    assert!(dom.contains(expected), "{}", dom.split("</title>").next().unwrap_or_default());
}

#[test]
#[ignore = "writes pages for people to look at: `PAGES=DIR cargo test -p eval-render pages_for_people -- --ignored`"]
fn pages_for_people() {
    let dir = std::env::var_os("PAGES").map(PathBuf::from).expect("`PAGES` names a directory");
    for (name, of) in [("eventful", eventful().evaluation()), ("hostile", hostile())] {
        std::fs::write(dir.join(format!("{name}.html")), rendered(&of, "html")).unwrap();
    }
}
