//! What the pages and the API show.

use std::fs;

use serde_json::{Value, json};

use super::{run, site, with_report};
use crate::fixtures::context::TestContext;

/// Copies of a report under other names, each changed.
fn copies(context: &TestContext, count: usize, edit: impl Fn(usize, &mut Value)) {
    let path = context.report_path();
    let report: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for at in 0..count {
        let mut copy = report.clone();
        let id = format!("2020-01-01T00-{:02}-{:02}-copy", at / 60, at % 60);
        copy["id"] = json!(id);
        copy["meta"]["timestamp"] = json!(format!("2020-01-01T00:{:02}:{:02}Z", at / 60, at % 60));
        edit(at, &mut copy);
        fs::write(path.with_file_name(format!("{id}.json")), copy.to_string()).unwrap();
    }
}

#[test]
fn list_is_filtered_searched_and_paged_by_plain_links() {
    let (context, id) = with_report();
    copies(&context, 120, |at, report| {
        if at % 2 == 0 {
            let worse = json!({"n": 24, "mean": -1.0, "low": -1.2, "high": -0.8, "degenerate": false, "p": 0.001});
            report["verdict"]["inputs"]["treatments"][0]["diff"] = worse;
        }
        report["meta"]["model"] = json!(format!("model-{at}"));
    });
    let site = site(&context, &[]);
    let found = |query: &str| site.json(&format!("/api/runs{query}"));
    let all = found("");
    assert_eq!((&all["found"], &all["pages"], all["runs"].as_array().unwrap().len()), (&json!(121), &json!(3), 50));
    assert_eq!(all["runs"][0]["id"], json!(id), "the newest first");
    assert_eq!(found("?verdict=REGRESS")["found"], 60);
    assert_eq!(found("?q=MODEL-77+underpowered")["found"], 1);
    assert_eq!(found("?artifact=v2&samples=eval-samples.json")["found"], 121);
    assert_eq!((&found("?page=3")["runs"][20]["model"], &found("?page=99")["page"]), (&json!("model-0"), &json!(3)));
    assert_eq!(found("?q=%3Cscript%3E")["found"], 0);
    let page = site.page("/?verdict=REGRESS&lang=zh");
    assert!(
        page.contains("lang=\"zh-Hans\"") && page.contains("href=\"/?verdict=REGRESS&#38;page=2&#38;lang=zh\""),
        "{page}"
    );
    assert!(page.contains(">REGRESS<") && !page.contains(">UNDERPOWERED</span>"), "{page}");
    assert!(site.page("/?q=nothing+fits").contains("No report fits these choices."));
}

#[test]
fn list_follows_the_directory_and_names_files_that_it_cant_read() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    assert_eq!(site.json("/api/runs")["found"], 1);
    fs::write(context.home().join("reports/broken.json"), "{\"id\": ").unwrap();
    let other = run(&context, "v2,v1");
    let all = site.json("/api/runs");
    assert_eq!((&all["found"], all["runs"][0]["id"].as_str().unwrap()), (&json!(2), &*other));
    assert!(all["unreadable"][0]["why"].as_str().unwrap().contains("broken.json"), "{all}");
    assert!(site.page("/").contains("broken.json"));
    fs::remove_file(context.home().join(format!("reports/{other}.json"))).unwrap();
    assert_eq!(site.json("/api/runs")["runs"][0]["id"], json!(id));
}

#[test]
fn index_of_rows_is_used_and_made_again_when_damaged() {
    let (context, id) = with_report();
    drop((site(&context, &[]).json("/api/runs"), ()));
    let index = testkit::files(&context.home().join("cache/reports")).pop().unwrap();
    let text = fs::read_to_string(&index).unwrap();
    fs::write(&index, text.replace("\"model\":\"\"", "\"model\":\"of the index\"")).unwrap();
    assert_eq!(site(&context, &[]).json("/api/runs")["runs"][0]["model"], "of the index");
    for damaged in ["", "{", "[]", &text.replace("\"program\":\"", "\"program\":\"9.")] {
        fs::write(&index, damaged).unwrap();
        let runs = site(&context, &[]).json("/api/runs");
        assert_eq!((&runs["runs"][0]["id"], &runs["runs"][0]["model"]), (&json!(id), &json!("")), "{damaged}");
    }
}

#[test]
fn report_is_served_as_it_is_stored_and_in_every_format() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let stored = fs::read(context.report_path()).unwrap();
    for path in [format!("/api/run/{id}"), format!("/run/{id}/report.json")] {
        assert_eq!(site.get(&path).body, stored, "{path}");
    }
    let formats = context.run(&["report", "export", "--list", "--json"]).expect(0).json();
    let files = formats.as_array().unwrap().iter().filter(|format| !format["extension"].is_null());
    for format in files {
        let name = format["name"].as_str().unwrap();
        let reply = site.get(&format!("/run/{id}/export/{name}"));
        let written = context.run(&["report", "export", &id, "--format", name]).expect(0).stdout;
        assert_eq!((reply.status, reply.text()), (200, written), "{name}");
        assert!(reply.header("content-disposition").starts_with("attachment"), "{name}");
    }
    let reply = site.get(&format!("/run/{id}/export/nothing"));
    assert!(reply.status == 404 && reply.text().contains("markdown"), "{}", reply.text());
}

#[test]
fn difference_of_two_runs_says_first_whether_they_compare() {
    let (context, a) = with_report();
    context.write("skills/v2.md", "ANSWER worse\n");
    let b = run(&context, "v1,v2");
    let site = site(&context, &[]);
    // two ticks of the list, in any order
    let ticked = site.get(&format!("/diff?run={b}&run={a}&lang=zh"));
    assert_eq!((ticked.status, ticked.header("location")), (303, &*format!("/diff?a={a}&b={b}&lang=zh")));
    let page = site.page(&format!("/diff?a={a}&b={b}"));
    let (facts, rest) = page.split_once("id=\"pair-1\"").unwrap();
    assert!(facts.contains("Can they be compared?") && facts.contains("3 samples are the same in both"), "{facts}");
    assert!(rest.contains("newly failing (3)") && rest.contains("▼") && rest.contains("\u{2212}4.00"), "{rest}");
    let told = context.run(&["diff", &a, &b, "--json"]).expect(0).json();
    assert_eq!(told["comparisons"][1]["diff"]["mean"], -4.0, "the page has the numbers of the command");
    context.samples(2, &json!([{"type": "contains", "value": "other"}]));
    let c = run(&context, "v1,v2");
    let refused = site.page(&format!("/diff?a={a}&b={c}"));
    assert!(refused.contains("different test sets"), "{refused}");
    assert_eq!(site.get("/diff").status, 400);
    assert_eq!(site.get(&format!("/diff?a={a}&b=none")).status, 404);
}

#[test]
fn trend_breaks_where_runs_are_not_comparable_and_names_why() {
    let (context, _) = with_report();
    copies(&context, 3, |at, report| {
        report["meta"]["model"] = json!(if at == 1 { "other-model" } else { "" });
    });
    let site = site(&context, &[]);
    let page = site.page("/trends");
    let cards: Vec<&str> = page.split("<section class=\"card\"").skip(1).collect();
    assert_eq!(cards.len(), 2, "one for each artifact");
    assert_eq!(cards[1].matches("class=\"m-break\"").count(), 2);
    assert!(cards[1].contains("model: &#34;&#34; → other-model"), "{}", cards[1]);
    assert!(cards[1].contains("a series that began earlier"), "{}", cards[1]);
    // as many rows as marks: the table has the same numbers
    assert_eq!((cards[1].matches("class=\"m-mark\"").count(), cards[1].matches("<td class=\"name\">").count()), (4, 4));
    assert_eq!(site.page("/trends?artifact=v2").matches("<section class=\"card\"").count(), 1);
}

#[test]
fn server_starts_on_the_port_that_is_asked_for_and_ends_on_ctrl_c() {
    let (mut context, _) = with_report();
    let site = site(&context, &[]);
    let taken = site.port.to_string();
    context.run(&["report", "--port", &taken]).expect(2).says(&["port", &taken, "--port 0"]);
    context.env("OMK_BENCH_PORT", &taken);
    context.run(&["bench", "report"]).expect(2).says(&[&taken]);
    context.run(&["studio"]).expect(2).says(&[&taken]);
    context.env("OMK_BENCH_PORT", "many");
    context.run(&["report"]).expect(2).says(&["OMK_BENCH_PORT", "many"]);
    assert_eq!(site.interrupt(), Some(0));
}

#[test]
fn reports_of_a_named_directory_are_served_under_both_names_of_the_flag() {
    let (context, id) = with_report();
    fs::create_dir(context.path("mine")).unwrap();
    fs::copy(context.report_path(), context.path("mine/baseline.json")).unwrap();
    for flag in ["--reports-dir", "--output-dir"] {
        let site = site(&context, &[flag, "mine"]);
        let runs = site.json("/api/runs");
        assert_eq!((&runs["runs"][0]["name"], &runs["runs"][0]["id"]), (&json!("baseline"), &json!(id)));
        assert_eq!(site.json("/api/run/baseline")["id"], json!(id));
        assert_eq!(site.get(&format!("/api/run/{id}")).status, 404);
    }
}

#[test]
fn run_is_shown_with_its_samples_filtered_by_the_address() {
    let context = TestContext::with_agent();
    let better = json!([{"type": "contains", "value": "better"}]);
    let plain = json!([{"type": "contains", "value": "plain"}]);
    context.sample_each([better.clone(), plain, better]);
    let id = run(&context, "v1,v2");
    let site = site(&context, &[]);
    let rows = |query: &str| {
        let page = site.page(&format!("/run/{id}{query}"));
        let link = format!("href=\"/run/{id}/sample/");
        let links = page.split(&link).skip(1);
        links.filter_map(|rest| rest.split(['"', '?']).next()).map(str::to_owned).collect::<Vec<_>>()
    };
    // what fell comes first
    assert_eq!(rows("").iter().filter(|row| *row != "s002").collect::<Vec<_>>(), ["s001", "s003"]);
    let of = |query: &str| {
        let mut all = rows(query);
        all.dedup();
        all
    };
    assert!(of("?filter=better").ends_with(&["s001".to_owned(), "s003".to_owned()]));
    assert_eq!(of("?search=question+3").last().unwrap(), "s003");
    let page = site.page(&format!("/run/{id}/sample/s001"));
    for part in ["question 1", "plain", "rel=\"prev\"", "rel=\"next\"", &format!("action=\"/api/run/{id}/feedback\"")] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(site.get(&format!("/run/{id}/sample/s9")).status, 404);
    // the report changes below the server
    fs::write(context.report_path(), "{").unwrap();
    let reply = site.get(&format!("/run/{id}"));
    assert!(reply.status == 422 && reply.text().contains("it ends too soon"), "{} {}", reply.status, reply.text());
}

#[test]
fn counts_of_filters_are_those_of_the_whole_report_on_every_page_of_it() {
    let (context, id) = with_report();
    let mut report = context.report();
    let one = report["results"][0].clone();
    let copy = |at: usize| {
        let mut copy = one.clone();
        copy["sample_id"] = json!(format!("copy-{at:03}"));
        copy
    };
    report["results"].as_array_mut().unwrap().extend((0..447).map(copy));
    fs::write(context.report_path(), report.to_string()).unwrap();
    let site = site(&context, &[]);
    for (query, rows) in [("", 200), ("?page=2", 200), ("?page=3", 50), ("?search=copy-00", 10)] {
        let page = site.page(&format!("/run/{id}{query}"));
        let all = if query.contains("search") { 10 } else { 450 };
        assert!(page.contains(&format!("all <b>{all}</b>")), "{query}: {page}");
        assert_eq!(page.matches("<a class=\"row").count(), rows, "{query}");
    }
}

/// A row has one difference, and three arms have two.
#[test]
fn list_says_whose_difference_it_shows() {
    let (context, _) = with_report();
    context.write("skills/v3.md", "ANSWER plain\n");
    let id = run(&context, "v1,v2,v3");
    let report = context.report();
    let verdict = &report["verdict"];
    let worst = verdict["perTreatment"].as_array().unwrap().iter().find(|of| of["tier"] == verdict["tier"]).unwrap();
    let worst = worst["treatment"].as_str().unwrap();
    let site = site(&context, &[]);
    for (lang, colon) in [("en", ": "), ("zh", "：")] {
        let page = site.page(&format!("/?lang={lang}"));
        let rows: Vec<&str> = page.split("<tr").filter(|row| row.contains("/run/")).collect();
        let (three, two): (Vec<&str>, Vec<&str>) = rows.into_iter().partition(|row| row.contains(&id));
        assert!(three[0].contains(&format!("<span>{worst}{colon}")), "{three:?}");
        assert!(!two[0].contains(&format!("<span>v2{colon}")), "{two:?}");
    }
}
