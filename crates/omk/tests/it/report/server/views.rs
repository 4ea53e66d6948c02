//! What can be done with answers on the page of a sample: marked or plain, one run of several, sides on a narrow screen,
//! calls of tools side by side, keys.

use serde_json::{Value, json};
use testkit::browser::Browser;

use super::{scene, site};

/// Opens the page of a sample at this place of it.
fn open(browser: &mut Browser, site: &testkit::ReportSite, id: &str, place: &str) {
    browser.open(&site.address(&format!("/run/{id}/sample/review-01{place}")));
}

/// The texts of what a selector finds and a reader sees.
fn seen(browser: &mut Browser, selector: &str) -> Vec<String> {
    let visible = format!(
        "[...document.querySelectorAll({})].filter((e) => e.checkVisibility()).map((e) => e.textContent.trim())",
        json!(selector)
    );
    serde_json::from_value(browser.value(&visible)).unwrap()
}

#[test]
fn answers_are_shown_marked_by_key_or_address_and_plain_at_first() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    open(&mut browser, &site, &id, "");
    assert!(seen(&mut browser, "pre.answer")[0].contains("**SQL injection**"));
    assert_eq!(seen(&mut browser, ".marked"), [""; 0]);
    browser.press("t");
    assert_eq!(seen(&mut browser, "pre.answer"), [""; 0]);
    let part = |browser: &mut Browser, selector: &str| seen(browser, &format!(".marked {selector}"));
    assert_eq!(part(&mut browser, ".title"), ["Review", "Review"]);
    assert_eq!(part(&mut browser, "strong")[..1], ["SQL injection"]);
    assert_eq!(part(&mut browser, "p > em"), ["simplified"]);
    assert_eq!(part(&mut browser, "p > code"), ["name"]);
    assert!(part(&mut browser, "pre")[0].starts_with("cursor.execute(f\"SELECT"));
    assert_eq!(part(&mut browser, "ol > li")[..2], ["Severity: high", "Effort: an hour"]);
    assert_eq!(part(&mut browser, "blockquote strong"), ["placeholder"]);
    assert_eq!(part(&mut browser, "tr:first-child th")[..2], ["file", "line"]);
    assert_eq!(part(&mut browser, "tr:last-child td")[..2], ["login.py", "11"]);
    // the address says so, and whoever opens it sees the same
    let address = browser.value("location.href");
    browser.open(&site.address("/"));
    browser.open(address.as_str().unwrap());
    assert_eq!(part(&mut browser, ".title").len(), 2);
    browser.value("[...document.querySelectorAll('.view button')].at(-1).click()");
    assert!(seen(&mut browser, "pre.answer")[0].contains("**SQL injection**"));
    super::browser::is_silent(&browser, &site);
}

#[test]
fn one_run_of_several_is_chosen_by_its_number_but_never_while_typing() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "3");
    let site = site(&context, &[]);
    let runs = |browser: &mut Browser| seen(browser, ".repeat > h4");
    open(&mut browser, &site, &id, "#run=2");
    assert_eq!(runs(&mut browser), ["run 2"]);
    browser.press("3");
    assert_eq!((runs(&mut browser), browser.value("location.hash")), (vec!["run 3".to_owned()], json!("#run=3")));
    for key in ["4", "0", "x"] {
        browser.press(key);
        assert_eq!(runs(&mut browser), ["run 3"], "{key}");
    }
    browser.press("3");
    assert_eq!(runs(&mut browser), ["run 1", "run 2", "run 3"]);
    browser.value("document.querySelector('textarea').focus()");
    for key in ["1", "t", "j", "?"] {
        browser.press(key);
    }
    assert_eq!(
        (runs(&mut browser).len(), browser.value("document.querySelector('textarea').value")),
        (3, json!("1tj?"))
    );
    assert_eq!(browser.value("document.querySelector('dialog').open"), false);
    browser.press("Escape");
    browser.press("?");
    let listed = seen(&mut browser, "dialog[open] kbd");
    assert_eq!(listed, ["j k", "Enter", "Esc", "/", "w b e", "1–9", "t", "?"]);
    // keys do nothing below the list
    browser.press("2");
    assert_eq!(runs(&mut browser).len(), 3);
    browser.value("document.querySelector('dialog').close()");
    browser.press("j");
    browser.until("the next sample", "location.pathname.endsWith('/sample/review-07')");
    super::browser::is_silent(&browser, &site);
}

#[test]
fn sides_are_tabs_on_a_narrow_page_and_below_each_other_without_scripts() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    let shown = |browser: &mut Browser| seen(browser, ".sides > section > h4 bdi");
    browser.screen(390, 844, "light");
    open(&mut browser, &site, &id, "");
    assert_eq!(shown(&mut browser), ["v1"]);
    let choose = |browser: &mut Browser, name: &str| {
        browser.value(&format!(
            "[...document.querySelectorAll('.side button')].find((e) => e.textContent === '{name}').click()"
        ));
    };
    choose(&mut browser, "v2");
    assert_eq!(shown(&mut browser), ["v2"]);
    choose(&mut browser, "difference");
    assert_eq!(shown(&mut browser), [""; 0]);
    // without what was added it is the control's answer, without what was left out the treatment's
    let both = "const both = document.querySelector('.both pre'); const without = (name) => { const of = both.cloneNode(true); of.querySelectorAll(name).forEach((e) => e.remove()); return of.textContent; }; const sides = [...document.querySelectorAll('pre.answer')].map((e) => e.textContent); [without('ins') === sides[0], without('del') === sides[1], both.querySelectorAll('del').length > 1, both.checkVisibility()]";
    assert_eq!(browser.value(both), json!([true, true, true, true]));
    browser.screen(1440, 900, "light");
    assert_eq!(
        (shown(&mut browser).len(), browser.value("document.querySelector('.side').checkVisibility()")),
        (2, json!(false))
    );
    browser.scripts(false);
    browser.screen(390, 844, "light");
    open(&mut browser, &site, &id, "");
    assert_eq!(shown(&mut browser), ["v1", "v2"]);
    assert_eq!(seen(&mut browser, ".views, .theme, .asks"), [""; 0], "no control that does nothing");
    browser.scripts(true);
    super::browser::is_silent(&browser, &site);
}

#[test]
fn calls_of_tools_are_aligned_and_those_of_one_variant_marked() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    open(&mut browser, &site, &id, "");
    browser.value("document.querySelector('.timeline').open = true");
    let rows = "[...document.querySelectorAll('.timeline tbody tr')].map((row) => [row.className, ...[...row.cells].map((cell) => cell.querySelector('b') ? cell.firstChild.textContent + cell.querySelector('b').textContent : cell.textContent)])";
    let expected: Value = json!([
        ["", "1. Read", "1. Read"],
        ["", "2. Grep", "2. Grep"],
        ["alone", "–", "3. Bash"],
        ["", "3. Read", "4. Read"],
    ]);
    assert_eq!(browser.value(rows), expected);
    assert_eq!(seen(&mut browser, ".timeline summary"), ["Calls of tools: v1 3 · v2 4; 1 not in every variant"]);
    let texts = seen(&mut browser, ".timeline pre");
    assert!(texts.contains(&"grep -r schema .".to_owned()) && texts.contains(&"0 hits".to_owned()), "{texts:?}");
}

#[test]
fn sample_says_its_place_among_those_that_the_reader_came_by() {
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "1");
    let site = site(&context, &[]);
    let list = site.page(&format!("/run/{id}?filter=worse"));
    let links: Vec<&str> = list.split("<a class=\"row").skip(1).collect();
    let link = links[1].split("href=\"").nth(1).unwrap().split('"').next().unwrap();
    let page = site.page(link);
    assert!(page.contains(&format!("<bdi>2 of {} · worse</bdi>", links.len())), "{link}: {page}");
    for neighbour in ["rel=\"prev\" href=\"", "rel=\"next\" href=\""] {
        let target = page.split(neighbour).nth(1).unwrap().split('"').next().unwrap();
        assert!(target.ends_with("?filter=worse"), "{target}");
    }
    assert!(page.contains(&format!("href=\"/run/{id}?filter=worse#samples\"")), "{page}");
}

/// A reviewer sees verdict, plot, numbers and where the samples begin without scrolling; on a phone as far as the plot.
#[test]
fn first_screen_reaches_the_samples() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "3");
    let site = site(&context, &[]);
    for lang in ["en", "zh"] {
        for (width, height, reached) in [(1440, 900, "#samples-title"), (390, 844, "svg.differences")] {
            browser.screen(width, height, "light");
            browser.open(&site.address(&format!("/run/{id}?lang={lang}")));
            let top = browser.value(&format!("document.querySelector('{reached}').getBoundingClientRect().bottom"));
            assert!(top.as_f64().unwrap() <= f64::from(height), "{lang}, {width}: {reached} ends at {top}");
            // in the story's order
            let order = browser.value(
                "['.story', 'svg.differences', '.arms', '#samples'].map((part) => document.querySelector(part).getBoundingClientRect().top)",
            );
            let order: Vec<f64> = order.as_array().unwrap().iter().map(|top| top.as_f64().unwrap()).collect();
            assert!(order.is_sorted(), "{order:?}");
        }
    }
}

/// Every arm's figures are there, and no number is broken into two.
#[test]
fn figures_of_three_arms_are_whole() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    context.write("skills/v3.md", "# Reviewer\n\nVERSION 3\n\nRead the code.\n");
    let id = scene::run(&context, "v1,v2,v3", "2");
    let site = site(&context, &[]);
    let broken = "[...document.querySelectorAll('.arms td, .arms small')].flatMap((of) => [...of.childNodes]).filter((node) => node.nodeType === 3).flatMap((text) => [...text.data.matchAll(/[^\\s]+/g)].filter((word) => { const range = document.createRange(); range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length); return range.getClientRects().length > 1; }).map((word) => word[0]))";
    let cut = "[...document.querySelectorAll('.nums')].filter((of) => of.scrollWidth > of.clientWidth && getComputedStyle(of).overflowX !== 'visible').map((of) => of.textContent)";
    for (width, lang) in [(1440, "en"), (1440, "zh"), (794, "en"), (720, "zh"), (390, "en")] {
        browser.screen(width, 900, "light");
        browser.open(&site.address(&format!("/run/{id}?lang={lang}")));
        assert_eq!((browser.value(broken), browser.value(cut)), (json!([]), json!([])), "{lang} at {width}");
        let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(sideways, 0, "{lang} at {width}");
    }
}

/// With several treatments what decides is whole, and the others take a line each: the first screen reaches as far.
#[test]
fn first_screen_of_several_treatments_reaches_the_plot_and_the_samples() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    context.write("skills/v3.md", "# Reviewer\n\nVERSION 3\n\nRead the code.\n");
    let id = scene::run(&context, "v1,v2,v3", "2");
    let site = site(&context, &[]);
    let bottom = |browser: &mut Browser, part: &str| {
        browser.value(&format!("document.querySelector('{part}').getBoundingClientRect().bottom")).as_f64().unwrap()
    };
    for lang in ["en", "zh"] {
        for (width, height, reached) in [(1440, 1000, "#samples-title"), (390, 844, "svg.differences")] {
            browser.screen(width, height, "light");
            browser.open(&site.address(&format!("/run/{id}?lang={lang}")));
            let end = bottom(&mut browser, reached);
            assert!(end <= f64::from(height), "{lang}, {width}: {reached} ends at {end}");
        }
        // the worst comes first: its story is whole, and its plot the first
        let first = "[document.querySelector('.story .tier').textContent, document.querySelectorAll('section.story').length, document.querySelectorAll('details.story').length]";
        let worst = context.report()["verdict"]["tier"].clone();
        assert_eq!(browser.value(first), json!([worst, 1, 1]));
        let sentence = "document.querySelector('section.story .said span').innerText";
        let story = browser.value(sentence).as_str().unwrap().to_owned();
        let plots = "[...document.querySelectorAll('.plots > figure.card h2')].map((of) => of.textContent)";
        let plots = browser.value(plots);
        let named = if story.contains("v2") { "v2" } else { "v3" };
        assert!(plots[0].as_str().unwrap().contains(named) && plots.as_array().unwrap().len() == 2, "{story} {plots}");
        // the line of the other leads to its plot, and unfolds to its sentence
        let leads = "(() => { const [link] = document.querySelectorAll('details.story a'); return [link.textContent, document.querySelector(link.hash).querySelector('h2').textContent.includes(link.textContent), document.querySelector('details.story .said').textContent.includes(link.textContent)]; })()";
        assert_eq!(browser.value(leads), json!([if named == "v2" { "v3" } else { "v2" }, true, true]));
    }
    super::accessibility::are_accessible(&mut browser, &[site.address(&format!("/run/{id}"))]);
}

/// Thousands of rows are folded: each costs ten nodes at most.
#[test]
fn folded_row_has_ten_nodes_at_most() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    let id = scene::run(&context, "v1,v2", "3");
    let site = site(&context, &[]);
    browser.open(&site.address(&format!("/run/{id}")));
    let most = "Math.max(...[...document.querySelectorAll('.row')].map((row) => 1 + row.querySelectorAll('*').length))";
    assert!(browser.value(most).as_u64().unwrap() <= 10, "{}", browser.value(most));
    let file = context.path("page.html");
    context.run(&["report", "export", &id, "--format", "html", "--output", &file.display().to_string()]).expect(0);
    browser.open(&format!("file://{}", file.display()));
    let most = "Math.max(...[...document.querySelectorAll('.row')].map((row) => 1 + row.querySelectorAll(':scope > summary, :scope > summary *').length))";
    assert!(browser.value(most).as_u64().unwrap() <= 10, "{}", browser.value(most));
}

/// Arms of nearly one price and score: each name stands free, at any width.
#[test]
fn names_in_the_plot_of_costs_cover_nothing() {
    let Some(mut browser) = Browser::start() else { return };
    let context = scene::project();
    context.write("skills/v3.md", "# Reviewer\n\nVERSION 3\n\nRead the code.\n");
    let id = scene::run(&context, "v1,v2,v3", "1");
    let mut report = context.report();
    for (name, cost, score) in [("v1", 0.011, 4.40), ("v2", 0.011, 4.41), ("v3", 0.0109, 4.43)] {
        report["summary"][name]["avgCostUSD"] = json!(cost);
        report["summary"][name]["avgCompositeScore"] = json!(score);
    }
    std::fs::write(context.report_path(), report.to_string()).unwrap();
    let site = site(&context, &[]);
    let overlaps = "(() => { const names = [...document.querySelectorAll('.p-tag')].map((of) => of.getBoundingClientRect()); const points = [...document.querySelectorAll('.p-tag')].map((of) => of.ownerSVGElement.ownerSVGElement).slice(0, 1).flatMap((of) => [...of.querySelectorAll('circle')]).map((of) => of.getBoundingClientRect()); const card = document.querySelector('.p-tag').closest('.card').getBoundingClientRect(); const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2; return [names.length, names.flatMap((a, at) => [...names.slice(at + 1), ...points].filter((b) => meet(a, b))).length, names.filter((a) => a.left < card.left || a.right > card.right).length]; })()";
    for width in [1440, 768, 390, 320] {
        browser.screen(width, 900, "light");
        browser.open(&site.address(&format!("/run/{id}")));
        assert_eq!(browser.value(overlaps), json!([3, 0, 0]), "at {width}");
    }
}

/// Of thousands of rows in a file only those in sight are laid out; what a filter leaves is all there is to scroll through.
#[test]
fn many_rows_of_a_file_are_filtered_in_chunks() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = super::with_report();
    let mut report = context.report();
    let first = report["results"][0].clone();
    let copy = |at: usize| {
        let mut copy = first.clone();
        copy["sample_id"] = json!(format!("copy-{at:03}"));
        copy
    };
    report["results"].as_array_mut().unwrap().extend((0..900).map(copy));
    std::fs::write(context.report_path(), report.to_string()).unwrap();
    let file = context.path("page.html");
    context.run(&["report", "export", &id, "--format", "html", "--output", &file.display().to_string()]).expect(0);
    browser.screen(1440, 1000, "light");
    browser.open(&format!("file://{}", file.display()));
    let height = "document.querySelector('.samples').offsetHeight";
    let shown = "[...document.querySelectorAll('.row')].filter((row) => row.checkVisibility() && !row.parentNode.hidden).length";
    assert_eq!(browser.value("document.querySelectorAll('.row').length"), 903);
    let whole = browser.value(height).as_f64().unwrap();
    assert!(whole > 903.0 * 25.0, "{whole}");
    let search = |browser: &mut Browser, text: &str| {
        browser.value(&format!("(() => {{ const of = document.querySelector('[name=search]'); of.value = '{text}'; of.dispatchEvent(new Event('input')); }})()"));
    };
    search(&mut browser, "copy-87");
    assert_eq!(browser.value(shown), 10);
    let left = browser.value(height).as_f64().unwrap();
    assert!(left < 700.0, "{left}");
    // the address restores it, and leads to a row deep in the list
    let address = browser.value("location.href").as_str().unwrap().to_owned();
    browser.open("about:blank#left");
    browser.open(&address);
    assert_eq!(browser.value(shown), 10);
    browser.open("about:blank#left");
    browser.open(&format!("file://{}#s-850", file.display()));
    let open = "(() => { const row = document.querySelector('.row[open]'); const { top } = row.getBoundingClientRect(); return [row.id, top >= -1 && top < innerHeight]; })()";
    assert_eq!(browser.value(open), json!(["s-850", true]));
}
