//! What people said on a report's pages: beside the judge, settled one by one, and as gold.

use std::fs;

use serde_json::{Value, json};
use testkit::ReportSite;
use testkit::browser::Browser;

use crate::fixtures::context::TestContext;
use crate::fixtures::labelled::{LabelledProject, gain, human, of_output};
use crate::report::server::blind::{blind_address, hidden_value, send};
use crate::report::server::sets::sides;
use crate::report::server::{site, with_report};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A run whose judge gives the treatment 1 or 2 points less than people would.
fn judged() -> (LabelledProject, String) {
    let project = LabelledProject::new(12, gain, |human, treated| if treated { human.max(3) - 2 } else { human });
    project.eval(&["--report-only"]).expect(0);
    let id = project.context.report()["id"].as_str().unwrap().to_owned();
    (project, id)
}

/// Sends what people would say of each answer of the first samples.
fn rate(site: &ReportSite, project: &LabelledProject, id: &str, samples: usize, by: &str) {
    for sample in project.context.report()["results"].as_array().unwrap().iter().take(samples) {
        for (variant, of) in sample["variants"].as_object().unwrap() {
            let rating = human(gain, of["fullOutput"].as_str().unwrap());
            let body = json!({"sample_id": sample["sample_id"], "variant": variant, "rating": rating, "by": by, "comment": format!("{by} says {rating}")});
            assert_eq!(site.post(id, JSON, &body.to_string()).status, 200);
        }
    }
}

/// Gives the same stars on the page where names are hidden.
fn rate_blind(site: &ReportSite, project: &LabelledProject, id: &str, samples: usize, by: &str) {
    let address = blind_address(site, id);
    let report = project.context.report();
    let results = report["results"].as_array().unwrap();
    for n in 1..=results.len() {
        let page = site.page(&format!("{address}?n={n}"));
        let answers = sides(&page);
        let of_first = |result: &&Value| {
            let mut outputs = result["variants"].as_object().unwrap().values();
            outputs.all(|of| answers.values().any(|answer| answer == of["fullOutput"].as_str().unwrap().trim()))
        };
        if results.iter().take(samples).any(|result| of_first(&result)) {
            let stars =
                answers.iter().map(|(side, of)| format!("stars_{}={}", side.to_ascii_lowercase(), human(gain, of)));
            let stars = stars.collect::<Vec<_>>().join("&");
            let form = format!("n={n}&round={}&by={by}&{stars}", hidden_value(&page, "round"));
            assert_eq!(send(site, &address, &form).status, 303);
        }
    }
}

fn disputes(context: &TestContext) -> Value {
    context.run(&["gold", "disputes", "latest", "--json"]).expect(0).json()
}

#[test]
fn ratings_stand_beside_the_judge_with_count_and_interval() {
    let (project, id) = judged();
    let context = &project.context;
    let nobody = context.run(&["gold", "disputes", "latest"]).expect(2);
    assert!(nobody.stderr.contains("nobody has said anything"), "{}", nobody.stderr);
    let site = site(context, &[]);
    assert!(site.page(&format!("/run/{id}/people")).contains("be computed yet"));
    rate(&site, &project, &id, 6, "ann");
    let found = disputes(context);
    let of = &found["people"]["agreement"];
    assert_eq!((&of["n"], &of["samples"]), (&json!(12), &json!(6)));
    // six controls alike, six treatments 1 or 2 points less: the judge is harsher by 11/12 points on average, by hand
    let outputs: Vec<String> = context.report()["results"].as_array().unwrap()[..6]
        .iter()
        .flat_map(|of| of["variants"].as_object().unwrap().values())
        .map(|of| of["fullOutput"].as_str().unwrap().to_owned())
        .collect();
    let lenient = |output: &String| {
        let person = human(gain, output);
        let judge = if of_output(output).1 { person.max(3) - 2 } else { person };
        f64::from(judge) - f64::from(person)
    };
    let bias = outputs.iter().map(lenient).sum::<f64>() / 12.0;
    assert!((of["bias"]["value"].as_f64().unwrap() - bias).abs() < 1e-9, "{of}");
    assert!(of["alpha"]["ci"]["low"].as_f64().unwrap() < of["alpha"]["value"].as_f64().unwrap(), "{of}");
    let page = site.page(&format!("/run/{id}/people"));
    assert!(page.contains("n = 12") && page.contains("12 are too few"), "{page}");
    let expected = outputs.iter().filter(|output| lenient(output).abs() >= 1.0).count();
    assert_eq!(found["disputes"].as_array().unwrap().len(), expected);
    let text = context.run(&["gold", "disputes", "latest"]).expect(0).stdout;
    assert!(text.contains("κ") && text.contains("because") && text.contains("ann says"), "{text}");
    let chinese = site.page(&format!("/run/{id}/people?lang=zh"));
    assert!(chinese.contains("人与评委") && chinese.contains("满分 5"), "{chinese}");
}

#[test]
fn rating_counts_once_however_often_its_answer_was_given() {
    let project = LabelledProject::new(12, gain, |human, _| human);
    project.eval(&["--report-only", "--repeat", "2"]).expect(0);
    let id = project.context.report()["id"].as_str().unwrap().to_owned();
    let site = site(&project.context, &[]);
    rate(&site, &project, &id, 6, "ann");
    let of = disputes(&project.context)["people"]["agreement"].clone();
    assert_eq!((&of["n"], &of["samples"]), (&json!(12), &json!(6)));
}

#[test]
fn rating_that_is_settled_as_wrong_counts_no_longer() {
    let (project, id) = judged();
    let context = &project.context;
    let site = site(context, &[]);
    rate(&site, &project, &id, 6, "ann");
    let first = disputes(context)["disputes"][0].clone();
    let (sample, variant) = (first["sample_id"].as_str().unwrap(), first["variant"].as_str().unwrap());
    let address = format!("/run/{id}/people");
    let send = |form: &str| site.send("POST", &address, &[&format!("Content-Type: {FORM}")], form.as_bytes());
    let about = format!("sample_id={sample}&variant={variant}&by=ann");
    assert_eq!(send(&format!("{about}&settled=gold-wrong")).status, 303);
    let after = disputes(context)["people"].clone();
    assert_eq!((&after["agreement"]["n"], &after["withdrawn"]), (&json!(11), &json!(1)));
    assert_eq!(after["agreementAsGiven"]["n"], 12, "both are said");
    assert!(site.page(&address).contains("flatters the judge"));
    // the other way round: it counts again, and is confirmed
    let arguments = ["gold", "settle", "latest", sample, variant, "--wrong", "judge"];
    context.run(&arguments).expect(0);
    let after = disputes(context)["people"].clone();
    assert_eq!((&after["agreement"]["n"], &after["withdrawn"]), (&json!(12), &json!(0)));
    let newest = context.report()["feedback"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&newest["settled"], &newest["comment"]), (&json!("judge-wrong"), &first["comment"]));
    for form in [format!("{about}&settled=nobody"), "settled=gold-wrong&sample_id=x&variant=y".to_owned()] {
        assert_eq!(send(&form).status, 400, "{form}");
    }
    let foreign = [format!("Content-Type: {FORM}"), "Sec-Fetch-Site: cross-site".to_owned()];
    let foreign: Vec<&str> = foreign.iter().map(String::as_str).collect();
    assert_eq!(site.send("POST", &address, &foreign, about.as_bytes()).status, 403);
    context.run(&["gold", "settle", "latest", "none", "v1", "--wrong", "gold"]).expect(2);
    // neither score nor verdict follows from it
    context.run(&["report", "verdict", "latest"]).expect(0);
}

#[test]
fn ratings_become_gold_with_their_source_and_whether_they_were_blind() {
    let (project, id) = judged();
    let context = &project.context;
    let none = project.gold(&["import", "latest"]).expect(2);
    assert!(none.stderr.contains("no ratings"), "{}", none.stderr);
    let site = site(context, &[]);
    rate(&site, &project, &id, 3, "ann");
    assert_eq!(site.send("POST", &format!("/run/{id}/blind"), &[], b"").status, 303);
    rate_blind(&site, &project, &id, 2, "bob");
    let blind = project.gold(&["import", "latest", "--blind", "--json"]).expect(0).json();
    assert_eq!((&blind["written"], &blind["kept"]), (&json!(4), &json!(0)));
    let all = project.gold(&["import", "latest", "--json"]).expect(0).json();
    assert_eq!((&all["written"], &all["kept"]), (&json!(6), &json!(0)));
    let again = project.gold(&["import", "latest", "--json"]).expect(0).json();
    assert_eq!((&again["written"], &again["kept"]), (&json!(0), &json!(0)));
    let file: Value = serde_json::from_slice(&fs::read(&project.files()[0]).unwrap()).unwrap();
    let entries = file["annotations"].as_array().unwrap();
    let of = |by: &str| entries.iter().find(|of| of["annotator"] == by).unwrap();
    assert_eq!((&of("ann")["blind"], of("ann")["variant"].is_string()), (&json!(false), true));
    assert_eq!((&of("bob")["blind"], of("bob").get("variant")), (&json!(true), None));
    assert_eq!(of("bob")["source"], format!("feedback of {id}"));
    assert!(of("ann")["note"].as_str().unwrap().starts_with("ann says"));
    // it is gold like any other
    let compared = project.compare();
    assert_eq!((&compared["counts"]["used"], compared["annotators"].as_array().unwrap().len()), (&json!(10), 2));
    // somebody else's scores of the same output stay, a rating that is withdrawn goes
    let settle = ["gold", "settle", "latest", "s001", "v2", "--wrong", "gold", "--by", "bob"];
    context.run(&settle).expect(0);
    let after = project.gold(&["import", "latest", "--json"]).expect(0).json();
    assert_eq!((&after["removed"], &after["written"]), (&json!(1), &json!(0)));
    assert_eq!(project.compare()["counts"]["used"], 9);
}

#[test]
fn ratings_without_a_judges_score_are_named_and_no_gold() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    for (sample, by) in [("s002", "ann"), ("s003", "bob")] {
        let body = json!({"sample_id": sample, "variant": "v2", "rating": 4, "by": by}).to_string();
        assert_eq!(site.post(&id, JSON, &body).status, 200);
    }
    let import = ["gold", "import", "latest", "--gold-dir", "gold"];
    let refused = context.run(&import).expect(2).stderr;
    let refused = refused.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["2 ratings", "s002 v2, s003 v2", &format!("omk eval --regrade {id}")] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    let blind = context.run(&[&import[..], &["--blind"]].concat()).expect(2).stderr;
    assert!(blind.contains("no ratings"), "{blind}");
}

#[test]
fn gold_files_are_settled_like_ratings_and_lose_nothing() {
    let (project, _) = judged();
    let context = &project.context;
    project.gold(&["init", "latest", "--annotator", "ann", "--samples", "6"]).expect(0);
    project.fill();
    let listed = || project.gold(&["disputes", "latest", "--json"]).expect(0).json()["disputes"].clone();
    let before = listed();
    let all = before.as_array().unwrap();
    assert!(all.len() >= 2 && all[0]["annotator"] == "ann" && all[0]["question"] == "rubric", "{before:#}");
    let apart = |of: &Value| (of["person"].as_f64().unwrap() - of["judge"].as_f64().unwrap()).abs();
    assert!(all.iter().all(|of| apart(of) >= 1.0) && apart(&all[0]) >= apart(&all[all.len() - 1]));
    let (sample, variant) = (all[0]["sample_id"].as_str().unwrap(), all[0]["variant"].as_str().unwrap());
    let settle = |who: &str, more: &[&str]| {
        context
            .run(&[&["gold", "settle", "latest", sample, variant, "--gold-dir", "gold", "--wrong", who], more].concat())
    };
    settle("gold", &["--by", "bob"]).expect(2);
    settle("gold", &[]).expect(0);
    assert_eq!(listed().as_array().unwrap().len(), all.len() - 1);
    let compared = project.compare();
    assert_eq!((&compared["counts"]["withdrawn"], &compared["counts"]["used"]), (&json!(1), &json!(11)));
    assert!(compared["warnings"].to_string().contains("flatters the judge"), "{compared:#}");
    settle("judge", &["--by", "ann"]).expect(0);
    assert_eq!((project.compare()["counts"]["used"].clone(), listed()), (json!(12), before));
    let text = project.gold(&["disputes", "latest"]).expect(0).stdout;
    assert!(text.contains("omk gold settle latest"), "{text}");
}

#[test]
fn disagreements_are_settled_one_by_one_on_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let (project, id) = judged();
    let context = &project.context;
    let site = site(context, &[]);
    rate(&site, &project, &id, 4, "</script><b>ann");
    let count = disputes(context)["disputes"].as_array().unwrap().len();
    assert!(count >= 2);
    browser.open(&site.address(&format!("/run/{id}")));
    browser.value("[...document.querySelectorAll('nav a')].find((of) => of.pathname.endsWith('/people')).click()");
    for settled in 0..count {
        browser.until(
            "a disagreement that nobody settled",
            "document.querySelector('form.settle') !== null && document.querySelector('.chip') === null",
        );
        assert_eq!(
            browser.value(
                "document.querySelector('main b b') === null && document.body.innerText.includes('</script><b>ann')"
            ),
            true
        );
        let button = if settled % 2 == 0 { "gold-wrong" } else { "judge-wrong" };
        browser.value(&format!("document.querySelector('button[value={button}]').click()"));
        testkit::wait_until("it is stored", || {
            let report = context.report();
            report["feedback"].as_array().unwrap().iter().filter(|of| of.get("settled").is_some()).count()
                == settled + 1
        });
    }
    browser.until("all are settled", "document.querySelector('.chip') !== null");
    assert_eq!(browser.complaints(), [""; 0]);
}
