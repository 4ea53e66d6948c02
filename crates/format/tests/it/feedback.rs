//! Feedback in a report's file, from many writers at once.
use std::path::PathBuf;
use std::thread;

use eval_format::{Feedback, Settled, add_feedback, newest_feedback, reader_name, settle_feedback, shown_feedback};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) fn opinion(sample: &str, by: &str, rating: u8) -> Feedback {
    Feedback {
        sample_id: sample.to_owned(),
        variant: "v1".to_owned(),
        rating: Some(rating),
        comment: Some("</script>\u{202e}".to_owned()),
        than: None,
        preference: None,
        blind: true,
        settled: None,
        by: Some(by.to_owned()),
        at: "2026-03-24T15:30:45Z".to_owned(),
    }
}

fn report(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("r.json");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn fifty_writers_lose_nothing_and_change_nothing_else() {
    let folder = TempDir::new().unwrap();
    let results = r#"[ {"sample_id": "a", "of a newer version":  1.50} ]"#;
    let path =
        report(&folder, &format!(r#"{{"id": "r", "schemaVersion": 1, "new": {{"x":1}}, "results": {results}}}"#));
    thread::scope(|scope| {
        for at in 0..50 {
            let path = &path;
            scope.spawn(move || add_feedback(path, vec![opinion("a", &format!("p{at}"), 3)], None).unwrap());
        }
    });
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(results), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&all["new"]["x"], all["feedback"].as_array().unwrap().len()), (&Value::from(1), 50));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no file is left behind");
}

#[test]
fn reports_of_other_versions_and_damaged_ones_stay_as_they_are() {
    let folder = TempDir::new().unwrap();
    let [older, newer] = [0, 99].map(|version| format!(r#"{{"schemaVersion": {version}, "feedback": []}}"#));
    for text in [&older, &newer, r#"{"schemaVersion": 1, "feedback": 7}"#, "{", "[]", ""] {
        let path = report(&folder, text);
        add_feedback(&path, vec![opinion("a", "p", 1)], None).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    add_feedback(&folder.path().join("none.json"), vec![opinion("a", "p", 1)], None).unwrap_err();
}

#[test]
fn newest_opinion_of_a_person_counts() {
    let all = [opinion("a", "p", 1), opinion("b", "p", 2), opinion("a", "q", 3), opinion("a", "p", 5)];
    let newest = newest_feedback(&all).into_iter().map(|of| of.rating).collect::<Vec<_>>();
    assert_eq!(newest, [Some(5), Some(2), Some(3)]);
    // Whoever has an old page open takes nothing from what was given blind.
    let given = |blind, rating| Feedback { blind, ..opinion("a", "p", rating) };
    let all = [given(true, 4), given(false, 1), given(true, 5), given(false, 2)];
    let newest = newest_feedback(&all).into_iter().map(|of| (of.blind, of.rating)).collect::<Vec<_>>();
    assert_eq!(newest, [(true, Some(5)), (false, Some(2))]);
}

#[test]
fn rating_hides_no_comment_and_no_nameless_opinion_another() {
    let said = |by: &str, rating, comment: &str| Feedback {
        rating,
        by: Some(by.to_owned()).filter(|by| !by.is_empty()),
        comment: Some(comment.to_owned()).filter(|comment| !comment.is_empty()),
        ..opinion("a", "", 1)
    };
    let all = [
        said("p", Some(2), "first"),
        said("", Some(1), "nameless one"),
        said("p", None, "alone"),
        said("", Some(5), "nameless two"),
        said("p", Some(4), ""),
        said("p", None, "late"),
        Feedback { settled: Some(eval_format::Settled::GoldWrong), ..said("", Some(5), "nameless two") },
        opinion("b", "p", 3),
    ];
    let shown = shown_feedback(&all, "a");
    let told: Vec<_> = shown.iter().map(|of| (of.rating, of.comment.as_deref().unwrap_or_default())).collect();
    let expected = [
        (None, "first"),
        (Some(1), "nameless one"),
        (None, "alone"),
        (Some(4), ""),
        (None, "late"),
        (Some(5), "nameless two"),
    ];
    assert_eq!(told, expected);
    let rated: Vec<_> = newest_feedback(&all).iter().filter_map(|of| of.rating).collect();
    assert_eq!(rated, [4, 5, 3], "a comment takes no rating away");
}

#[test]
fn name_is_the_same_with_spaces_around_it_and_only_spaces_are_none() {
    for given in ["ann", " ann ", "ann\n", "\u{3000}ann\t"] {
        assert_eq!(reader_name(given).as_deref(), Some("ann"), "{given:?}");
    }
    assert_eq!(reader_name("ann  de  la\tcour").as_deref(), Some("ann de la cour"));
    assert_eq!([reader_name(""), reader_name(" \n\u{a0}")], [None, None]);
    assert_eq!(reader_name(&"名".repeat(300)).unwrap().chars().count(), 100);
}

#[test]
fn newest_opinion_of_a_person_is_settled_by_name() {
    let folder = TempDir::new().unwrap();
    let text = json!({"schemaVersion": 1, "feedback": [opinion("a", "ann", 1), opinion("a", "ann", 2)]});
    let path = report(&folder, &text.to_string());
    let settled = settle_feedback(&path, ("a", "v1"), Some("ann "), Settled::GoldWrong, "2026-03-25T00:00:00Z");
    assert_eq!(settled.unwrap(), 1, "the newest of one person");
    let stored: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let ratings: Vec<&Value> = stored["feedback"].as_array().unwrap().iter().map(|of| &of["rating"]).collect();
    assert_eq!(ratings, [1, 2, 2]);
}

#[test]
fn equal_ratings_without_a_name_are_of_as_many_people() {
    let nameless = |settled| Feedback { by: None, comment: None, settled, ..opinion("a", "", 4) };
    let stars =
        |all: &[Feedback]| shown_feedback(all, "a").iter().map(|of| (of.rating, of.settled)).collect::<Vec<_>>();
    let (open, settled) = ((Some(4), None), (Some(4), Some(Settled::GoldWrong)));
    assert_eq!(stars(&[nameless(None), nameless(None)]), [open, open]);
    let all = [nameless(None), nameless(None), nameless(settled.1), nameless(None)];
    assert_eq!(stars(&all), [open, settled, open], "one of them is settled");
    assert_eq!(stars(&[opinion("a", "p", 4), opinion("a", "p", 4)]).len(), 1, "a person is one");
}
