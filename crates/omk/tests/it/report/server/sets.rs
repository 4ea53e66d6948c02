//! What a blind reader is shown: every answer to a sample at once, and none of them twice.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::ReportSite;
use testkit::browser::Browser;

use super::blind::{blind_address, hidden_value, send};
use super::site;
use crate::fixtures::context::TestContext;

/// The answers of a page's sides, by letter.
pub(crate) fn sides(page: &str) -> BTreeMap<char, String> {
    let sections = page.split("<h2 id=\"side-").skip(1);
    let answer = |section: &str| {
        let text = section.split_once("<pre dir=\"auto\" tabindex=\"0\">").unwrap().1;
        (section.chars().next().unwrap(), text.split_once("</pre>").unwrap().0.trim().to_owned())
    };
    sections.map(answer).collect()
}

fn prompt(page: &str) -> String {
    page.split_once("<pre class=\"asked\" dir=\"auto\">").unwrap().1.split_once("</pre>").unwrap().0.to_owned()
}

/// A blind run of three variants over six samples.
fn three() -> (TestContext, String) {
    let context = TestContext::with_agent();
    for (name, answer) in [("zebra", "plain"), ("quokka", "better"), ("okapi", "best")] {
        context.write(&format!("skills/{name}.md"), &format!("ANSWER {answer}\n"));
    }
    context.samples(6, &json!([{"type": "contains", "value": "better"}]));
    let eval = ["eval", "--variants", "zebra,quokka,okapi", "--executor", "./agent", "--report-only", "--blind"];
    context.run(&eval).expect(0);
    let id = context.report()["id"].as_str().unwrap().to_owned();
    (context, id)
}

/// Judges the next sample: `plain` gets 2 stars, `better` and `best` 4 each.
fn judge(site: &ReportSite, address: &str) -> String {
    let page = site.page(&format!("{address}?by=ann"));
    let stars = |answer: &str| if answer == "plain" { 2 } else { 4 };
    let stars: Vec<String> = sides(&page)
        .iter()
        .map(|(side, answer)| format!("stars_{}={}", side.to_ascii_lowercase(), stars(answer)))
        .collect();
    let (n, round) = (hidden_value(&page, "n"), hidden_value(&page, "round"));
    assert_eq!(send(site, address, &format!("n={n}&round={round}&by=ann&{}", stars[..2].join("&"))).status, 400);
    assert_eq!(send(site, address, &format!("n={n}&round={round}&by=ann&note=x&{}", stars.join("&"))).status, 303);
    page
}

#[test]
fn answers_of_three_variants_come_once_each_and_ties_are_attributed() {
    let (context, id) = three();
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let pages: Vec<String> = (0..6).map(|_| judge(&site, &address)).collect();
    let prompts: BTreeSet<String> = pages.iter().map(|page| prompt(page)).collect();
    assert_eq!(prompts.len(), 6, "each sample is met once");
    let orders: BTreeSet<Vec<String>> = pages.iter().map(|page| sides(page).into_values().collect()).collect();
    assert!(orders.len() > 1 && orders.iter().all(|order| order.len() == 3), "{orders:?}");
    assert!(site.page(&format!("{address}?by=ann")).contains("6 of 6 judged"));
    let again = site.page(&format!("{address}?by=ann&n=2"));
    assert_eq!(again.matches(" checked").count(), 3, "what was said is there again");
    assert!(again.contains("name=\"note\" maxlength=\"2000\" value=\"x\""), "{again}");
    context.run(&["report", "reveal", "latest"]).expect(0);
    let report = context.report();
    let all = report["feedback"].as_array().unwrap();
    assert!(all.len() == 6 * 5 && all.iter().all(|of| of["blind"] == true), "{all:#?}");
    let people = context.run(&["gold", "disputes", "latest", "--json"]).expect(0).json();
    let counts: Vec<Value> = people["people"]["preferences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| json!([of["treatment"], of["control"], of["better"], of["worse"], of["alike"], of["blind"]]))
        .collect();
    assert_eq!(counts, [json!(["quokka", "zebra", 6, 0, 0, 6]), json!(["okapi", "zebra", 6, 0, 0, 6])]);
    let sample = site.page(&format!("/run/{id}/sample/s003"));
    for said in ["quokka · ★★★★☆", "okapi · ★★★★☆", "zebra · ★★☆☆☆"] {
        assert!(sample.contains(said), "{said}: {sample}");
    }
}

#[test]
fn answers_are_rated_by_keys_alone() {
    let Some(mut browser) = Browser::start() else { return };
    let (context, id) = three();
    let site = site(&context, &[]);
    browser.open(&site.address(&blind_address(&site, &id)));
    let press = |browser: &mut Browser, key: &str| {
        browser.value(&format!(
            "dispatchEvent.call(document.body, new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ));
    };
    for judged in 1..=6 {
        for key in ["3", "5", "1", "Backspace", "2"] {
            press(&mut browser, key);
        }
        let given = browser.value("[...document.querySelectorAll('.stars :checked')].map((of) => of.value).join()");
        assert_eq!(given, "3,5,2");
        press(&mut browser, "Enter");
        browser.until("the next set", &format!("document.body.innerText.includes('{judged} of 6 judged')"));
    }
    let report = context.report();
    let all = report["feedback"].as_array().unwrap();
    let stars: Vec<u64> = all.iter().filter_map(|of| of["rating"].as_u64()).collect();
    assert_eq!(stars.iter().filter(|of| **of == 5).count(), 6);
    assert_eq!((stars.len(), all.len()), (18, 30));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn sample_with_a_failed_repeat_is_judged_and_one_without_answers_is_counted() {
    let context = TestContext::with_agent();
    // a repeat of question 1 fails, every one of question 3's for one variant
    context.script(
        "agent",
        r#"input=$(cat)
case "$input" in *'question 1'*) mkdir once 2>/dev/null && exit 1 ;; esac
case "$input" in *better*'question 3'*|*'question 3'*better*) exit 1 ;; esac
rest=${input#*ANSWER }
printf '%s\n' "${rest%%\\n*}"
"#,
    );
    context.samples(4, &json!([{"type": "contains", "value": "plain"}]));
    let flags = ["--repeat", "2", "--retry", "0", "--max-failure-rate", "1", "--report-only", "--blind"];
    context.run(&[&["eval", "--variants", "v1,v2", "--executor", "./agent"], flags.as_slice()].concat());
    let id = context.report()["id"].as_str().unwrap().to_owned();
    let failed = |of: &Value| of["runs"].as_array().unwrap().iter().filter(|run| run["ok"] == false).count();
    let report = context.report();
    let failures: Vec<usize> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["variants"].as_object().unwrap().values().map(failed).sum())
        .collect();
    assert_eq!(failures, [1, 0, 2, 0]);
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let pages: Vec<String> = (1..=3).map(|n| site.page(&format!("{address}?n={n}"))).collect();
    assert!(pages[0].contains("0 of 3 judged") && pages[0].contains("One sample is left out: fewer than two"));
    let prompts: BTreeSet<String> = pages.iter().map(|page| prompt(page)).collect();
    assert_eq!(prompts, ["question 1", "question 2", "question 4"].map(str::to_owned).into());
    for page in &pages {
        let answers: BTreeSet<String> = sides(page).into_values().collect();
        assert_eq!(answers, ["plain", "better"].map(str::to_owned).into());
    }
    assert!(site.page(&format!("{address}?lang=zh")).contains("1 个用例未列出"));
}
