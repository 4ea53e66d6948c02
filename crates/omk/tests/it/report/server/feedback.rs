//! Opinions through the server.

use serde_json::{Value, json};

use super::{site, with_report};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn feedback_is_kept_in_the_report() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let hostile = "</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[31m";
    let body = json!({"sample_id": "s001", "variant": "v2", "rating": 4, "comment": hostile}).to_string();
    let reply = site.post(&id, JSON, &body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let form = "sample_id=s002&variant=v1&rating=&comment=one%0D%0Atwo+%E4%BD%A0";
    let reply = site.post(&id, FORM, form);
    assert_eq!((reply.status, reply.header("location")), (303, &*format!("/run/{id}/sample/s002#feedback")));
    let stored = context.report();
    let all = stored["feedback"].as_array().unwrap();
    assert_eq!((&all[0]["rating"], &all[0]["comment"], &all[0]["variant"]), (&json!(4), &json!(hostile), &json!("v2")));
    assert_eq!((&all[1]["rating"], &all[1]["comment"]), (&Value::Null, &json!("one\ntwo 你")));
    assert!(all[0]["at"].as_str().unwrap().starts_with("20"));
    assert_eq!(site.json(&format!("/api/run/{id}"))["feedback"], stored["feedback"]);
    // the report is still one that verifies
    context.run(&["report", "verdict", "latest"]).expect(0);
}

#[test]
fn feedback_that_is_none_is_refused_and_says_why() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let long = "x".repeat(10 * 1024 + 1);
    let bodies = [
        (json!({"sample_id": "s9", "variant": "v1", "rating": 1}), "no sample `s9`"),
        (json!({"sample_id": "s001", "variant": "v3", "rating": 1}), "no variant `v3`"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": 6}), "`6` is no rating"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": 0}), "`0` is no rating"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": 2.5}), "`2.5` is no rating"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": "5"}), "is no rating"),
        (
            json!({"sample_id": "s001", "variant": "v1", "rating": 300}),
            "a whole number from 1 to 5, or none with a comment",
        ),
        (json!({"sample_id": "s001", "variant": "v1", "rating": "x".repeat(9000)}), "xxx…` is no rating"),
        (json!({"sample_id": "s".repeat(9000), "variant": "v1", "rating": 5}), "sss…`"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": null}), "neither a rating nor a comment"),
        (json!({"sample_id": "s001", "variant": "v1", "comment": " \n"}), "neither"),
        (json!({"sample_id": "s001", "variant": "v1", "comment": long}), "10240 bytes"),
        (json!({"sample_id": "s001", "rating": 1}), "missing field `variant`"),
        (json!({"sample_id": "s001", "variant": "v1", "rating": 1, "more": 1}), "unknown field `more`"),
        (json!([]), "is a JSON object, such as `{"),
        (json!(["s001", "v1", 4]), "is a JSON object"),
        (json!("s001"), "is a JSON object"),
    ];
    for (body, why) in bodies {
        let reply = site.post(&id, JSON, &body.to_string());
        let told: Value = serde_json::from_str(&reply.text()).unwrap();
        let told = told["error"]["message"].as_str().unwrap();
        assert!(reply.status == 400 && told.contains(why), "{} {told}", reply.status);
        assert!(!told.contains("Opinion") && !told.contains("struct") && told.len() < 300, "{told}");
    }
    for form in ["", "sample_id=s001&variant=v1&rating=x", "sample_id=%zz&variant=v1&rating=1"] {
        assert_eq!(site.post(&id, FORM, form).status, 400, "{form}");
    }
    assert_eq!(site.post("none", JSON, "{\"sample_id\": \"s001\", \"variant\": \"v1\", \"rating\": 1}").status, 404);
    assert!(context.report().get("feedback").is_none());
}

#[test]
fn rating_hides_no_comment_and_no_nameless_comment_another() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    for (by, rating, comment) in [
        (json!("carl"), Value::Null, "FIRST"),
        (json!("carl"), json!(4), ""),
        (Value::Null, json!(1), "NAMELESS ONE"),
        (Value::Null, json!(1), "NAMELESS TWO"),
    ] {
        let body = json!({"sample_id": "s001", "variant": "v2", "by": by, "rating": rating, "comment": comment});
        assert_eq!(site.post(&id, JSON, &body.to_string()).status, 200);
    }
    let page = site.page(&format!("/run/{id}/sample/s001"));
    for said in ["FIRST", "v2 · ★★★★☆ · carl", "NAMELESS ONE", "NAMELESS TWO"] {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn name_with_spaces_around_it_is_the_same_person_and_one_of_spaces_is_none() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    for (by, rating) in [(" ann ", 1), ("ann", 2), ("  ", 3), ("", 4)] {
        let body = json!({"sample_id": "s001", "variant": "v2", "by": by, "rating": rating});
        assert_eq!(site.post(&id, JSON, &body.to_string()).status, 200);
    }
    assert_eq!(site.post(&id, FORM, "sample_id=s001&variant=v2&rating=5&by=+ann%0A").status, 303);
    let stored = context.report();
    let by: Vec<&Value> = stored["feedback"].as_array().unwrap().iter().map(|of| &of["by"]).collect();
    assert_eq!(by, [&json!("ann"), &json!("ann"), &Value::Null, &Value::Null, &json!("ann")]);
    let people = context.run(&["gold", "disputes", "latest", "--json"]).expect(0).json();
    assert_eq!(people["people"]["readers"], 2, "{people}");
    let page = site.page(&format!("/run/{id}/sample/s001"));
    assert_eq!((page.matches("· ann").count(), page.matches("★★★★★ · ann").count()), (1, 1), "{page}");
}

#[test]
fn longest_comment_is_shown_whole_and_of_many_opinions_the_newest() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let longest = format!("{}THE END", "x".repeat(10 * 1024 - 7));
    let body = json!({"sample_id": "s001", "variant": "v2", "comment": longest}).to_string();
    assert_eq!(site.post(&id, JSON, &body).status, 200);
    let page = site.page(&format!("/run/{id}/sample/s001"));
    assert!(page.contains("xTHE END<"), "{page}");
    assert!(page.contains("id=\"feedback\""), "the place to which a form leads");
    let mut report = context.report();
    let said = |at: usize| json!({"sample_id": "s001", "variant": "v2", "rating": null, "comment": format!("said {at}."), "at": "2026-03-24T15:30:45Z"});
    report["feedback"] = (0..20_000).map(said).collect();
    std::fs::write(context.report_path(), report.to_string()).unwrap();
    let page = site.page(&format!("/run/{id}/sample/s001"));
    assert!(page.contains("said 19999.") && page.contains("said 19800.") && !page.contains("said 19799."), "{page}");
    assert!(page.contains("19800 older opinions are in `feedback` of the report only"), "{page}");
}

/// Also numbers at the end of their range, with which pages count.
#[test]
fn stored_opinions_that_nobody_can_have_given_are_refused_with_their_place_and_the_way_out() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    let sound = context.report();
    let opinion = json!({"sample_id": "s001", "variant": "v2", "than": "v1", "preference": 1, "rating": null, "blind": true, "at": "2026-03-24T15:30:45Z"});
    let with = |opinion: &Value| {
        let mut report = sound.clone();
        let first = json!({"sample_id": "s001", "variant": "v1", "rating": 3, "at": "2026-03-24T15:30:45Z"});
        report["feedback"] = json!([first, opinion]);
        std::fs::write(context.report_path(), report.to_string()).unwrap();
    };
    with(&opinion);
    assert_eq!(site.get(&format!("/run/{id}/people")).status, 200);
    for (field, value) in [
        ("rating", json!(0)),
        ("rating", json!(9)),
        ("rating", json!(255)),
        ("preference", json!(127)),
        ("preference", json!(-128)),
        ("preference", json!(null)),
        ("than", json!("v2")),
        ("than", json!("v3")),
        ("variant", json!("v4")),
        ("sample_id", json!("s9")),
        ("at", json!("yesterday")),
    ] {
        let mut edited = opinion.clone();
        edited[field] = value.clone();
        with(&edited);
        let place = format!("`feedback[1].{field}`");
        for path in ["", "/people", "/sample/s001", "/blind", "/export/csv"] {
            let reply = site.get(&format!("/run/{id}{path}"));
            let told = reply.text();
            let named = [place.trim_matches('`'), "take this opinion out"].iter().all(|part| told.contains(part));
            assert!(reply.status == 422 && named, "{field} {value} {path}: {} {told}", reply.status);
        }
        let shown = context.run(&["gold", "disputes", "latest"]).expect(2).stderr;
        assert!(shown.contains(&place) && shown.contains("take this opinion out"), "{field} {value}: {shown}");
    }
    let mut lonely = opinion.clone();
    lonely.as_object_mut().unwrap().remove("than");
    with(&lonely);
    assert_eq!(site.get(&format!("/run/{id}")).status, 422, "a preference over nothing");
}

#[test]
fn fifty_writers_at_once_lose_nothing() {
    let (context, id) = with_report();
    let site = site(&context, &[]);
    std::thread::scope(|scope| {
        for at in 0..50 {
            let (site, id) = (&site, &id);
            scope.spawn(move || {
                let (kind, body) = match at % 2 {
                    0 => (
                        JSON,
                        json!({"sample_id": "s001", "variant": "v1", "rating": 1 + at % 5, "by": format!("p{at}")})
                            .to_string(),
                    ),
                    _ => (FORM, format!("sample_id=s001&variant=v1&comment=c{at}&by=p{at}")),
                };
                let status = site.post(id, kind, &body).status;
                assert!([200, 303].contains(&status), "{status}");
            });
        }
    });
    let stored = context.report();
    let by: std::collections::BTreeSet<&str> =
        stored["feedback"].as_array().unwrap().iter().map(|of| of["by"].as_str().unwrap()).collect();
    assert_eq!(by.len(), 50);
}
