//! A comparison that is closed stays closed, whichever way it is come at, and tells nothing.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::blind::{beside, blind_address, hidden_value, project, send, tells_nothing};
use super::site;
use crate::fixtures::context::TestContext;

const FORM: &str = "application/x-www-form-urlencoded";

/// Else whoever sends an opinion by a name learns which label it is stored under, or that it is a variant's.
#[test]
fn closed_run_takes_opinions_by_label_and_answers_every_name_alike() {
    for flags in [&[][..], &["--blind"]] {
        let (context, id) = project(flags);
        let site = site(&context, &[]);
        context.run(&["report", "reveal", "latest"]);
        let open = site.page(&format!("/run/{id}/sample/s002"));
        assert!(open.contains("<option value=\"quokka\">"), "{open}");
        send(&site, &format!("/run/{id}/blind"), "");
        let told: BTreeSet<(u16, String)> = ["quokka", "zebra", "wombat"]
            .into_iter()
            .flat_map(|name| {
                let json = json!({"sample_id": "s002", "variant": name, "rating": 5}).to_string();
                let form = format!("sample_id=s002&variant={name}&rating=5");
                [site.post(&id, "application/json", &json), site.post(&id, FORM, &form)]
            })
            .map(|reply| (reply.status, reply.text()))
            .collect();
        assert!(
            told.len() == 1 && told.iter().all(|(status, text)| *status == 400 && text.contains("hidden")),
            "{told:?}"
        );
        let has_labels = !flags.is_empty();
        assert!(told.iter().all(|(_, text)| text.contains("by label") == has_labels), "{told:?}");
        assert!(told.iter().all(|(_, text)| text.contains("omk report reveal")), "{told:?}");
        assert!(context.report().get("feedback").is_none());
    }
}

#[test]
fn opinion_by_label_from_elsewhere_is_kept_and_not_blind() {
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    let address = blind_address(&site, &id);
    let form = "sample_id=s002&variant=Variant+A&rating=5&by=ann&comment=typed+elsewhere";
    let reply = site.post(&id, FORM, form);
    assert_eq!((reply.status, reply.header("location")), (303, &*format!("{address}?open=1")), "{}", reply.text());
    let page = site.page(&format!("{address}?open=1"));
    assert!(page.contains("stored, but does not count as blind"), "{page}");
    tells_nothing(&page, &id, &context);
    let of = context.report()["feedback"][0].clone();
    assert_eq!((of.get("blind"), &of["variant"]), (None, &json!("Variant A")));
    context.run(&["report", "reveal", "latest"]).expect(0);
    let labels: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    let (own, other) =
        if labels["labels"]["Variant A"] == "quokka" { ("quokka", "zebra") } else { ("zebra", "quokka") };
    let page = site.page(&format!("/run/{id}/sample/s002"));
    assert!(page.contains(&format!("{own} · ★★★★★")) && !page.contains(&format!("{other} · ★★★★★")), "{page}");
    assert_eq!(site.post(&id, FORM, "sample_id=s002&variant=quokka&rating=5").status, 303, "names are taken again");
}

#[test]
fn run_whose_names_are_lost_is_closed_and_says_what_to_do() {
    let (context, id) = project(&["--blind"]);
    fs::remove_file(beside(&context)).unwrap();
    let site = site(&context, &[]);
    for path in ["", "/report.json", "/export/csv", "/sample/s001", "/people", "/blind"] {
        let reply = site.get(&format!("/run/{id}{path}"));
        let text = reply.text();
        assert!(reply.status == 422 && text.contains(".blind") && text.contains("--regrade"), "{path}: {text}");
        assert!(!text.contains("Variant"), "{path}: {text}");
    }
    assert!(site.page("/").contains(".blind"), "the list names what can't be read");
    assert_eq!(site.json("/api/runs")["runs"], json!([]));
    let reveal = context.run(&["report", "reveal", "latest"]).expect(2);
    assert!(reveal.stderr.contains("missing") && reveal.stderr.contains("--regrade"), "{}", reveal.stderr);
    context.run(&["report", "verdict", "latest"]).expect(0);
    // the way out
    context.run(&["eval", "--regrade", &id, "--report-only"]).expect(0);
    let named = context.report();
    let revealed = context.run(&["report", "reveal", named["id"].as_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!(revealed["variants"], json!(["zebra", "quokka"]));
    assert_eq!(site.get(&format!("/run/{}", named["id"].as_str().unwrap())).status, 200);
}

#[test]
fn names_of_another_report_open_nothing_and_say_what_to_do() {
    let (context, id) = project(&["--blind"]);
    let site = site(&context, &[]);
    let sound: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut of = sound.clone();
        of["seals"][0]["revealedAt"] = of["seals"][0]["at"].clone();
        change(&mut of);
        of.to_string()
    };
    // the labels of all runs of two variants are the same
    context.run(&["eval", "--regrade", &id, "--report-only", "--blind"]).expect(0);
    let of_another: Value = serde_json::from_slice(&fs::read(beside(&context)).unwrap()).unwrap();
    fs::remove_file(context.report_path()).unwrap();
    let texts = [
        changed(&|of| {
            let (a, b) = (of["labels"]["Variant A"].clone(), of["labels"]["Variant B"].clone());
            of["labels"] = json!({"Variant A": b, "Variant B": a});
        }),
        changed(&|of| of["skillHashes"]["Variant A"] = json!("0123456789ab")),
        changed(&|of| of["namesHash"] = of_another["namesHash"].clone()),
        changed(&|of| of["seals"][0]["revealedAt"] = json!("bogus")),
        changed(&|of| drop(of.as_object_mut().unwrap().remove("labels"))),
        changed(&|of| of["labels"] = json!({"Variant X": "zebra", "Variant Y": "quokka"})),
        changed(&|of| drop(of["labels"].as_object_mut().unwrap().remove("Variant A"))),
    ];
    for text in texts {
        fs::write(beside(&context), &text).unwrap();
        for path in ["", "/report.json", "/export/csv", "/sample/s001"] {
            let reply = site.get(&format!("/run/{id}{path}"));
            let told = reply.text();
            assert!(
                reply.status == 422 && told.contains(".blind") && told.contains("--regrade"),
                "{text} {path}: {told}"
            );
            assert!(!told.contains("quokka") && !told.contains("is missing"), "{text} {path}: {told}");
        }
        for command in [&["report", "reveal", "latest"][..], &["show", "s001", "latest"], &["diff", "latest"]] {
            let refused = context.run(command).expect(2).stderr;
            assert!(refused.contains(".blind") && refused.contains("--regrade"), "{text} {command:?}: {refused}");
        }
    }
    fs::write(beside(&context), changed(&|_| {})).unwrap();
    assert_eq!(site.get(&format!("/run/{id}")).status, 200, "the same file, unchanged, opens it");
}

#[test]
fn links_and_copies_of_a_closed_report_are_closed() {
    for flags in [&[][..], &["--blind"]] {
        let (context, id) = project(flags);
        let report = context.report_path();
        let site = site(&context, &[]);
        if flags.is_empty() {
            send(&site, &format!("/run/{id}/blind"), "");
        }
        fs::copy(&report, report.with_file_name("copy.json")).unwrap();
        symlink(&report, report.with_file_name("link.json")).unwrap();
        let address = blind_address(&site, &id);
        for name in ["copy", "link"] {
            let reply = site.get(&format!("/run/{name}"));
            assert!([303, 422].contains(&reply.status), "{name}: {}", reply.text());
            for path in ["report.json", "export/csv"] {
                let reply = site.get(&format!("/run/{name}/{path}"));
                assert!([403, 422].contains(&reply.status), "{name}/{path}: {}", reply.text());
            }
        }
        assert_eq!(site.get("/run/link").header("location"), address);
        let page = site.page(&address);
        tells_nothing(&page, &id, &context);
        send(&site, &address, &format!("act=reveal&round={}", hidden_value(&page, "round")));
        assert!(site.page("/run/link").contains("quokka"));
    }
}

/// Also a named run, whose id has the names of its variants.
#[test]
fn reveal_from_a_page_of_another_round_reveals_nothing_and_leads_to_no_name() {
    let (context, id) = project(&[]);
    let site = site(&context, &[]);
    send(&site, &format!("/run/{id}/blind"), "");
    let address = blind_address(&site, &id);
    for form in ["act=reveal&round=000000000000", "act=reveal"] {
        let reply = send(&site, &address, form);
        assert_eq!((reply.status, reply.header("location")), (400, ""), "{form}");
    }
    let first = hidden_value(&site.page(&address), "round");
    assert_eq!(send(&site, &address, &format!("act=reveal&round={first}")).header("location"), format!("/run/{id}"));
    send(&site, &format!("/run/{id}/blind"), "");
    let reply = send(&site, &address, &format!("act=reveal&round={first}"));
    assert!(!reply.header("location").contains(&id), "{}", reply.header("location"));
    assert_eq!(site.get(&format!("/run/{id}")).status, 303, "it is still closed");
}

#[test]
fn terminal_tells_neither_names_nor_artifacts_of_a_closed_run() {
    let (context, id) = project(&["--blind"]);
    context.run(&["eval", "--variants", "zebra,quokka", "--executor", "./agent", "--report-only"]).expect(0);
    let open = context.report()["id"].as_str().unwrap().to_owned();
    let labels = ["Variant A", "Variant B"];
    for label in labels {
        for pair in [[id.as_str(), &open], [&open, &id]] {
            let variant = if pair[0] == id { format!("{label}:zebra") } else { format!("zebra:{label}") };
            let shown = context.run(&["diff", pair[0], pair[1], "--variant", &variant]).expect(2);
            assert!(shown.stderr.contains("blind") && shown.stderr.contains("reveal"), "{shown:#?}");
        }
    }
    let inside = context.run(&["diff", &id, "--json"]).expect(0).json();
    assert_eq!(inside["comparisons"][0]["sameArtifact"], Value::Null);
    for command in [
        vec!["failures", &id, "--variant", "zebra"],
        vec!["gold", "compare", &id, "--gold-dir", "gold", "--variant", "zebra"],
        vec!["gold", "settle", &id, "s001", "zebra", "--wrong", "gold"],
    ] {
        let shown = context.run(&command);
        assert_ne!(shown.code, 0, "{command:?}: {shown:#?}");
    }
    context.run(&["report", "reveal", &id]).expect(0);
    let both = context.run(&["diff", &id, &open, "--json"]).expect(0).json();
    let same: Vec<&Value> = both["comparisons"].as_array().unwrap().iter().map(|of| &of["sameArtifact"]).collect();
    assert_eq!(same, [true, true], "what the artifacts are is known again");
    context.run(&["failures", &id, "--variant", "zebra"]).expect(0);
}

#[test]
fn opinions_on_variants_that_are_named_like_labels_stay_theirs() {
    let context = TestContext::with_agent();
    context.write("skills/Variant A.md", "ANSWER plain\n");
    context.write("skills/Variant B.md", "ANSWER better\n");
    context.samples(3, &json!([{"type": "contains", "value": "better"}]));
    let eval = ["eval", "--variants", "Variant A,Variant B", "--executor", "./agent", "--report-only", "--blind"];
    context.run(&eval).expect(0);
    let report = context.report();
    let labels: BTreeSet<&str> =
        report["meta"]["variants"].as_array().unwrap().iter().map(|of| of.as_str().unwrap()).collect();
    assert_eq!(labels, ["Variant C", "Variant D"].into());
    let id = report["id"].as_str().unwrap();
    let site = site(&context, &[]);
    let address = blind_address(&site, id);
    for n in 1..=3 {
        let page = site.page(&format!("{address}?n={n}"));
        let left = page.split_once("id=\"side-A\"").unwrap().1.split_once("id=\"side-B\"").unwrap().0;
        let [better, plain] = if left.contains("better") { ["a", "b"] } else { ["b", "a"] };
        let form = format!("n={n}&round={}&stars_{better}=5&stars_{plain}=1", hidden_value(&page, "round"));
        assert_eq!(send(&site, &address, &form).status, 303);
    }
    context.run(&["report", "reveal", "latest"]).expect(0);
    let open = json!({"sample_id": "s001", "variant": "Variant B", "rating": 4, "by": "open"}).to_string();
    assert_eq!(site.post(id, "application/json", &open).status, 200);
    let page = site.page(&format!("/run/{id}/sample/s001"));
    for said in ["Variant A · ★☆☆☆☆", "Variant B · ★★★★★", "Variant B · ★★★★☆ · open"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn opinion_on_a_variant_with_a_long_name_comes_with_all_of_it() {
    let (context, id) = project(&[]);
    let long = "q".repeat(300);
    let path = context.report_path();
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("quokka\"", &format!("{long}\""))).unwrap();
    let site = site(&context, &[]);
    let page = site.page(&format!("/run/{id}/sample/s001"));
    let option = page.split("<option value=\"").find(|of| of.starts_with('q')).unwrap();
    let (value, shown) = option.split_once("\">").unwrap();
    assert!(shown.split_once('<').unwrap().0.chars().count() <= 40, "{shown}");
    let reply = site.post(&id, FORM, &format!("sample_id=s001&variant={value}&rating=4"));
    assert_eq!(reply.status, 303, "{}", reply.text());
    assert_eq!(context.report()["feedback"][0]["variant"], long);
}
