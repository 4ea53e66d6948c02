//! Comparisons that are read blind: what no document says, opinions before and after the reveal, many readers at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::ReportSite;
use testkit::browser::Browser;

use super::site;
use crate::fixtures::context::TestContext;

const FORM: &str = "application/x-www-form-urlencoded";
/// Names of variants, and sample ids, that stand nowhere else.
const NAMES: [&str; 2] = ["zebra", "quokka"];

/// A run of two variants over four samples.
pub(super) fn project(flags: &[&str]) -> (TestContext, String) {
    let context = TestContext::with_agent();
    context.write("skills/zebra.md", "ANSWER plain\n");
    context.write("skills/quokka.md", "ANSWER better\n");
    context.samples(4, &json!([{"type": "contains", "value": "better"}]));
    let base = ["eval", "--variants", "zebra,quokka", "--executor", "./agent", "--report-only"];
    let done = context.run(&[&base, flags].concat()).expect(0);
    if flags.contains(&"--blind") {
        for name in NAMES {
            assert!(!done.stdout.contains(name) && !done.stderr.contains(name), "{done:#?}");
        }
        assert!(done.stdout.contains("omk report reveal latest"), "{}", done.stdout);
    }
    let id = context.report()["id"].as_str().unwrap().to_owned();
    (context, id)
}

pub(super) fn beside(context: &TestContext) -> PathBuf {
    context.report_path().with_extension("blind")
}

/// The address of the blind page, to which the run's own leads.
pub(crate) fn blind_address(site: &ReportSite, id: &str) -> String {
    let reply = site.get(&format!("/run/{id}"));
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.header("location").to_owned()
}

pub(crate) fn hidden_value(page: &str, name: &str) -> String {
    let begin = format!("name=\"{name}\" value=\"");
    page.split_once(&begin).unwrap().1.split_once('"').unwrap().0.to_owned()
}

pub(crate) fn send(site: &ReportSite, address: &str, form: &str) -> testkit::http_client::RawReply {
    site.send("POST", address, &[&format!("Content-Type: {FORM}")], form.as_bytes())
}

/// Nothing of a document leads to a variant, its cost, its length or an id.
#[track_caller]
pub(super) fn tells_nothing(text: &str, id: &str, context: &TestContext) {
    let report = context.report();
    let known: Option<Value> = fs::read(beside(context)).ok().map(|text| serde_json::from_slice(&text).unwrap());
    let hashes = [Some(&report["meta"]["skillHashes"]), known.as_ref().map(|of| &of["skillHashes"])];
    let hashes = hashes.into_iter().flatten().filter_map(Value::as_object).flat_map(|of| of.values());
    let hashes: Vec<String> = hashes.map(|of| of.as_str().unwrap().to_owned()).collect();
    let words =
        NAMES.iter().map(|name| (*name).to_owned()).chain([id.to_owned(), "s001".to_owned(), "s002".to_owned()]);
    let words = words
        .chain(hashes)
        .chain(["Variant A", "$0", "token", "PROGRESS", "REGRESS", "NOISE", " ms"].map(str::to_owned));
    // the style sheet and the script are every page's
    let body = text.split_once("<body>").map_or(text, |(_, body)| body);
    let body = body.rsplit_once("<script>").map_or(body, |(body, _)| body);
    for word in words {
        assert!(!body.contains(&word), "{word} is in the document: {body}");
    }
}

#[test]
fn names_of_a_blind_run_are_in_no_document_until_they_are_revealed() {
    let (context, id) = project(&["--blind"]);
    let text = fs::read_to_string(context.report_path()).unwrap();
    let labels: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    assert!(
        context.report()["meta"].get("blindMapping").is_none() && !text.contains("zebra") && !text.contains("quokka")
    );
    assert_eq!(context.report()["meta"]["skillHashes"], json!({}), "who has the artifacts would know them by it");
    let named: BTreeSet<&str> = labels["labels"].as_object().unwrap().values().map(|of| of.as_str().unwrap()).collect();
    assert_eq!(named, BTreeSet::from(NAMES));
    for format in ["json", "csv", "html", "markdown"] {
        let exported = context.run(&["report", "export", "latest", "--format", format]).expect(0).stdout;
        assert!(!exported.contains("zebra") && !exported.contains("quokka"), "{format}: {exported}");
    }
    // numbers still follow, and the list of files names no more reports
    context.run(&["report", "verdict", "latest"]).expect(0);
    assert_eq!(context.reports().len(), 1);
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    for path in ["/", "/?lang=zh", "/trends", "/api/runs", &address] {
        tells_nothing(&site.page(path), &id, &context);
    }
    let row = site.json("/api/runs")["runs"][0].clone();
    assert_eq!(
        (&row["result"]["kind"], &row["costUSD"], &row["artifacts"]),
        (&json!("sealed"), &Value::Null, &json!([]))
    );
    for path in [
        format!("/run/{id}/report.json"),
        format!("/api/run/{id}"),
        format!("/run/{id}/events"),
        format!("/run/{id}/export/csv"),
        format!("/run/{id}/export/html"),
        format!("/run/%{:02x}{}/export/csv", id.as_bytes()[0], &id[1..]),
        format!("/diff?a={id}&b={id}"),
    ] {
        let reply = site.get(&path);
        assert!(reply.status == 403 && reply.text().contains("blind"), "{path}: {}", reply.status);
        tells_nothing(&reply.text().replace(&format!("a={id}"), "").replace(&format!("b={id}"), ""), &id, &context);
    }
    for path in [format!("/run/{id}/sample/s001"), format!("/run/{id}/blind")] {
        assert_eq!((site.get(&path).status, site.get(&path).header("location")), (303, &*address), "{path}");
    }
    // what the agents may do is stored by label, too
    let mut stored = context.report();
    let modes = labels["labels"].as_object().unwrap().iter();
    let modes = modes.map(|(label, name)| (label.clone(), json!(if name == NAMES[0] { "edits" } else { "bypass" })));
    stored["meta"]["permissions"] = Value::Object(modes.collect());
    fs::write(context.report_path(), stored.to_string()).unwrap();
    let revealed = context.run(&["report", "reveal", "latest", "--json"]).expect(0).json();
    assert_eq!((&revealed["wasHidden"], &revealed["variants"]), (&json!(true), &json!(["zebra", "quokka"])));
    let again = context.run(&["report", "reveal", "latest", "--json"]).expect(0).json();
    assert_eq!((&again["wasHidden"], &again["revealedAt"]), (&json!(false), &revealed["revealedAt"]));
    for path in
        ["/".to_owned(), format!("/run/{id}"), format!("/run/{id}/sample/s001"), format!("/run/{id}/export/csv")]
    {
        let page = site.page(&path);
        assert!(page.contains("zebra") && page.contains("quokka") && !page.contains("Variant A"), "{path}: {page}");
    }
    let exported: Value = serde_json::from_str(&site.page(&format!("/run/{id}/export/json"))).unwrap();
    let command = context.run(&["report", "export", "latest", "--format", "json"]).expect(0).json();
    for json in [exported, command] {
        assert_eq!(json["meta"]["permissions"], json!({(NAMES[0]): "edits", (NAMES[1]): "bypass"}));
    }
    let allowed = format!("{} edits", NAMES[0]);
    assert!(site.page(&format!("/run/{id}")).contains(&allowed), "{allowed}");
    let shown = context.run(&["show", "s001", "latest"]).expect(0).stdout;
    assert!(shown.contains("zebra") && !shown.contains("Variant"), "{shown}");
    context.run(&["report", "verdict", "latest"]).expect(0);
}

#[test]
fn labels_and_sides_are_drawn_anew_for_each_run_and_sample() {
    let (context, _) = project(&["--blind"]);
    // A correct program fails here once in 2^60 times.
    for _ in 0..60 {
        context.run(&["eval", "--regrade", "latest", "--report-only", "--blind"]).expect(0);
        let reports = context.reports();
        let (mut labels, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for path in &reports {
            let hidden: Value = serde_json::from_slice(&fs::read(path.with_extension("blind")).unwrap()).unwrap();
            labels.insert(hidden["labels"].to_string());
            keys.insert(hidden["seals"][0]["key"].as_str().unwrap().to_owned());
        }
        assert_eq!(keys.len(), reports.len(), "two reports have one key");
        if labels.len() == 2 {
            return;
        }
    }
    panic!("61 draws gave the labels to the same variants");
}

/// Which of the answers is on the left, by the page's text.
fn left_is_better(page: &str) -> bool {
    let left = page.split_once("id=\"side-A\"").unwrap().1.split_once("id=\"side-B\"").unwrap().0;
    left.contains("better")
}

#[test]
fn opinions_before_the_reveal_are_blind_and_later_ones_are_not() {
    let (context, id) = project(&[]);
    let site = site(&context, &[]);
    assert_eq!(site.get(&format!("/run/{id}")).status, 200, "an open run");
    let started = send(&site, &format!("/run/{id}/blind"), "");
    assert_eq!(started.status, 303);
    let address = blind_address(&site, &id);
    assert_eq!(started.header("location"), address);
    let mut lefts = Vec::new();
    let mut last = String::new();
    for _ in 0..4 {
        let page = site.page(&format!("{address}?by=ann"));
        tells_nothing(&page, &id, &context);
        let (n, round) = (hidden_value(&page, "n"), hidden_value(&page, "round"));
        lefts.push(left_is_better(&page));
        // the better answer is always preferred, much
        let button = if lefts[lefts.len() - 1] { 1 } else { 5 };
        last = format!("n={n}&round={round}&preference={button}&by=ann&note=%3Cb%3E&stars_a=4&stars_b=");
        let reply = send(&site, &address, &last);
        assert_eq!((reply.status, reply.header("location")), (303, &*format!("{address}?by=ann")), "{}", reply.text());
    }
    let done = site.page(&format!("{address}?by=ann"));
    assert!(done.contains("All answers are judged") && done.contains("4 of 4 judged"), "{done}");
    assert!(site.page(&address).contains("0 of 4 judged"), "another reader has judged none");
    let json = json!({"sample_id": "s001", "variant": "quokka", "rating": 2}).to_string();
    assert_eq!(site.post(&id, "application/json", &json).status, 400, "hidden names are not taken");
    let reveal = format!("act=reveal&round={}", hidden_value(&done, "round"));
    assert_eq!(send(&site, &address, &reveal).header("location"), format!("/run/{id}"));
    let revealed: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    assert!(revealed["seals"][0]["revealedAt"].as_str().unwrap().starts_with("20"));
    // of a page that is still open somewhere
    let stale = send(&site, &address, &last);
    let shown = stale.header("location").to_owned();
    assert!(stale.status == 303 && shown.starts_with(&format!("/run/{id}/sample/s")), "{shown}");
    let page = site.page(shown.strip_suffix("#feedback").unwrap());
    assert!(page.contains("much better than zebra · ann") && page.contains("given with the names in sight"), "{page}");
    assert_eq!(site.post(&id, "application/json", &json).status, 200);
    let report = context.report();
    let all = report["feedback"].as_array().unwrap();
    assert_eq!(all.len(), 4 * 2 + 2 + 1);
    let blind: Vec<bool> = all.iter().map(|of| of["blind"] == true).collect();
    assert_eq!(blind, [vec![true; 8], vec![false; 3]].concat(), "an API is no blind page");
    for opinion in all.iter().filter(|of| of.get("preference").is_some()) {
        assert_eq!(
            (&opinion["variant"], &opinion["than"], &opinion["preference"], &opinion["comment"]),
            (&json!("quokka"), &json!("zebra"), &json!(2), &json!("<b>"))
        );
    }
    let starred: Vec<bool> =
        all.iter().take(8).filter(|of| !of["rating"].is_null()).map(|of| of["variant"] == "quokka").collect();
    assert_eq!(starred, lefts, "stars of A are of the answer that was on the left");
    // a run that is closed again takes no opinion on the old sides
    send(&site, &format!("/run/{id}/blind"), "");
    assert!(site.page(&address).contains("0 of 4 judged"));
    assert_eq!(send(&site, &address, &last).header("location"), format!("{address}?by=ann&open=1"));
    let page = site.page(&format!("{address}?by=ann&open=1"));
    assert!(page.contains("0 of 4 judged") && page.contains("does not count as blind"), "{page}");
    assert!(context.report()["feedback"].as_array().unwrap().iter().skip(12).all(|of| of.get("blind").is_none()));
    send(&site, &address, &reveal);
    assert_eq!(site.get(&format!("/run/{id}")).status, 303, "a page reveals its own round only");
    assert_eq!(send(&site, &address, "n=1&round=000000000000&preference=1").status, 400);
    assert_eq!(
        send(&site, &address, &last.replace("preference=1", "preference=9").replace("preference=5", "preference=9"))
            .status,
        400
    );
    assert_eq!(site.send("POST", &address, &["Content-Type: application/json"], b"{}").status, 415);
    let foreign = ["Origin: http://evil.test", &format!("Content-Type: {FORM}")];
    assert_eq!(site.send("POST", &address, &foreign, b"act=reveal").status, 403);
    assert_eq!(site.get("/blind/0000000000000000").status, 404);
}

#[test]
fn number_of_no_answers_and_note_without_an_opinion_say_what_to_do() {
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let round = hidden_value(&site.page(&address), "round");
    for n in ["0", "5", "999", "-1", "x", "99999999999999999999999"] {
        let form = format!("n={n}&round={round}&preference=1");
        let replies = [site.get(&format!("{address}?n={n}")), send(&site, &address, &form)];
        for reply in replies {
            let told = reply.text();
            assert!(
                reply.status == 404 && told.contains("this run has 4") && !told.contains("drawn anew"),
                "{n}: {told}"
            );
            tells_nothing(&told, &id, &context);
        }
    }
    let reply = send(&site, &address, &format!("n=1&round={round}&note=only+this"));
    assert!(reply.status == 400 && reply.text().contains("a note needs an opinion beside it"), "{}", reply.text());
    assert!(context.report().get("feedback").is_none());
}

#[test]
fn note_that_came_alone_leaves_the_button_that_was_pressed() {
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let form = format!("n=1&round={}&preference=2&by=ann", hidden_value(&site.page(&address), "round"));
    assert_eq!(send(&site, &address, &form).status, 303);
    let mut report = context.report();
    let given = report["feedback"][0].clone();
    let note = json!({"sample_id": given["sample_id"], "variant": given["variant"], "rating": null, "comment": "alone",
        "blind": true, "by": "ann", "at": given["at"]});
    report["feedback"].as_array_mut().unwrap().push(note);
    fs::write(context.report_path(), report.to_string()).unwrap();
    let page = site.page(&format!("{address}?n=1&by=ann"));
    assert!(page.contains("value=\"2\" class=\"given\"") && page.contains("1 of 4 judged"), "{page}");
}

#[test]
fn many_readers_and_two_reveals_at_once_lose_nothing() {
    let (context, id) = project(&[]);
    let site = site(&context, &["--blind"]);
    let address = blind_address(&site, &id);
    let page = site.page(&address);
    let round = hidden_value(&page, "round");
    let taken = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for at in 0..50 {
            let (site, address, round, id, taken) = (&site, &address, &round, &id, &taken);
            scope.spawn(move || {
                if at % 25 == 20 {
                    assert_eq!(send(site, address, &format!("act=reveal&round={round}")).status, 303);
                }
                if at % 5 == 0 {
                    let open = json!({"sample_id": "s001", "variant": "quokka", "rating": 2, "by": format!("api{at}")});
                    let reply = site.post(id, "application/json", &open.to_string());
                    // while names are hidden, none is taken
                    assert!([200, 400].contains(&reply.status), "{}", reply.text());
                    taken.fetch_add(usize::from(reply.status == 200), Ordering::SeqCst);
                }
                let form = format!("n={}&round={round}&preference=2&by=p{at}", at % 4 + 1);
                assert_eq!(send(site, address, &form).status, 303);
            });
        }
    });
    let report = context.report();
    let (open, all): (Vec<&Value>, Vec<&Value>) =
        report["feedback"].as_array().unwrap().iter().partition(|of| of["by"].as_str().unwrap().starts_with("api"));
    let by: BTreeSet<&str> = all.iter().map(|of| of["by"].as_str().unwrap()).collect();
    assert_eq!((all.len(), by.len(), open.len()), (50, 50, taken.load(Ordering::SeqCst)));
    assert!(open.iter().all(|of| of.get("blind").is_none()), "{open:#?}");
    let beside: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    let when = beside["seals"][0]["revealedAt"].as_str().unwrap();
    assert_eq!(beside["seals"].as_array().unwrap().len(), 1);
    // none was marked as blind after one that was not
    let first_open = all.iter().position(|of| of.get("blind").is_none()).unwrap_or(all.len());
    assert!(all[first_open..].iter().all(|of| of.get("blind").is_none()), "revealed at {when}: {all:#?}");
}

#[test]
fn server_that_reads_blind_closes_every_run_until_it_is_revealed() {
    let (context, id) = project(&[]);
    let site = site(&context, &["--blind"]);
    assert_eq!(site.json("/api/runs")["runs"][0]["result"]["kind"], "sealed");
    let address = blind_address(&site, &id);
    assert!(!beside(&context).exists(), "nothing is written before somebody judges");
    tells_nothing(&site.page("/"), &id, &context);
    let json = json!({"sample_id": "s001", "variant": "quokka", "rating": 2}).to_string();
    assert_eq!(
        site.post(&id, "application/json", &json).status,
        400,
        "the run has no labels, and its names are hidden"
    );
    assert!(context.report().get("feedback").is_none());
    let page = site.page(&address);
    assert_eq!(send(&site, &address, &format!("act=reveal&round={}", hidden_value(&page, "round"))).status, 303);
    assert!(site.page(&format!("/run/{id}")).contains("quokka"));
    assert_eq!(context.run(&["report", "reveal", "latest", "--json"]).expect(0).json()["wasHidden"], false);
}

#[test]
fn blind_run_of_one_variant_has_nothing_to_judge_and_is_revealed_like_any_other() {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    context.run(&["eval", "--variants", "v2", "--executor", "./agent", "--report-only", "--blind"]).expect(0);
    let id = context.report()["id"].as_str().unwrap().to_owned();
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let page = site.page(&address);
    assert!(page.contains("nothing to compare") && !page.contains("is judged"), "{page}");
    assert_eq!(send(&site, &address, &format!("act=reveal&round={}", hidden_value(&page, "round"))).status, 303);
    assert!(site.page(&format!("/run/{id}")).contains("v2"));
}

#[test]
fn damaged_file_of_the_names_opens_nothing() {
    let (context, id) = project(&["--blind"]);
    for text in ["{", "[]", r#"{"version": 99, "seals": []}"#] {
        fs::write(beside(&context), text).unwrap();
        let site = site(&context, &[]);
        for path in [format!("/run/{id}"), format!("/run/{id}/report.json"), format!("/run/{id}/export/csv")] {
            let reply = site.get(&path);
            assert!(
                reply.status == 422 && reply.text().contains(".blind"),
                "{path}: {} {}",
                reply.status,
                reply.text()
            );
        }
    }
}

#[test]
fn pairs_are_judged_by_keys_alone_then_revealed() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    browser.open(&site.address("/"));
    browser.value("document.querySelector('td.name a').click()");
    browser.until("the first pair", "document.querySelector('form.opinion') !== null");
    let press = |browser: &mut Browser, key: &str| {
        browser.value(&format!(
            "dispatchEvent.call(document.body, new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ));
    };
    press(&mut browser, "n");
    assert_eq!(browser.value("document.activeElement.name"), "note");
    browser
        .value("document.activeElement.value = '</script><img src=x onerror=alert(1)>'; document.activeElement.blur()");
    for judged in 1..=4 {
        press(&mut browser, "2");
        browser.until("the next pair", &format!("document.body.innerText.includes('{judged} of 4 judged')"));
        tells_nothing(browser.value("document.documentElement.outerHTML").as_str().unwrap(), &id, &context);
    }
    // what was said is there again
    browser.value("history.go(0)");
    browser.open(&format!("{}?n=1", site.address(&blind_address(&site, &id))));
    assert_eq!(browser.value("[...document.querySelectorAll('button.given')].map((of) => of.value).join()"), "2");
    press(&mut browser, "j");
    let is_there = "location.search.includes('n=2') && document.querySelector('details.reveal button') !== null";
    browser.until("the second pair", is_there);
    browser.value(
        "document.querySelector('details.reveal').open = true; document.querySelector('details.reveal button').click()",
    );
    browser
        .until("the run", &format!("location.pathname === '/run/{id}' && document.body.innerText.includes('quokka')"));
    let report = context.report();
    let all = report["feedback"].as_array().unwrap();
    assert_eq!((all.len(), all.iter().all(|of| of["blind"] == true)), (4, true));
    assert_eq!(all.iter().filter(|of| of["comment"] == "</script><img src=x onerror=alert(1)>").count(), 1);
    browser.open(&site.address(&format!("/run/{id}/sample/s001")));
    assert_eq!(browser.value("document.images.length"), 0);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn pairs_are_judged_without_scripts_on_every_screen() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    browser.scripts(false);
    let address = blind_address(&site, &id);
    for (width, colours) in [(1440, "light"), (390, "dark"), (320, "light")] {
        browser.screen(width, 844, colours);
        for lang in ["", "&lang=zh"] {
            browser.open(&site.address(&format!("{address}?n=1{lang}")));
            let sideways = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(sideways, 0, "{width}");
            let bottom =
                browser.value("document.querySelector('.buttons').getBoundingClientRect().bottom <= innerHeight");
            assert_eq!(bottom, true, "the buttons are on the first screen at {width}");
        }
    }
    for judged in 1..=4 {
        browser.open(&site.address(&address));
        browser.value("document.querySelector('button[name=preference][value=\"3\"]').click()");
        browser.until("the next pair", &format!("document.body.innerText.includes('{judged} of 4 judged')"));
    }
    assert_eq!(context.report()["feedback"].as_array().unwrap().len(), 4);
    assert_eq!(browser.complaints(), [""; 0]);
}
