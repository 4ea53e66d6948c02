//! Replies of judges.

use eval_grade::internals::{JudgeReply, ReplyForm, read};
use eval_message::Message;
use eval_spec::Output;
use proptest::prelude::*;
use serde_json::Value;

use crate::judge::ID;

fn read_score(text: &str) -> Result<JudgeReply, Message> {
    read(&Output::text(text), ID, ReplyForm::Score)
}

proptest! {
    #[test]
    fn no_text_without_the_id_scores(text in any::<String>()) {
        prop_assume!(!text.contains(ID));
        prop_assert!(read_score(&text).is_err());
        prop_assert!(read(&Output::text(text), ID, ReplyForm::Claims).is_err());
    }

    #[test]
    fn every_reasoning_and_every_whole_score_is_read(reasoning in "\\PC*[a-z]", score in 1_u8..=5) {
        let text = serde_json::json!({"id": ID, "reasoning": reasoning, "score": score}).to_string();
        let reply = read_score(&text).unwrap();
        prop_assert_eq!((reply.reasoning, reply.score), (reasoning, f64::from(score)));
    }

    #[test]
    fn text_before_or_after_the_object_makes_a_reply_unusable(before in "[^\\s<`]+", after in "[^\\s`]+") {
        let object = format!(r#"{{"id":"{ID}","reasoning":"r","score":5}}"#);
        prop_assert!(read_score(&(before + &object)).is_err());
        prop_assert!(read_score(&(object + &after)).is_err());
    }

    #[test]
    fn the_score_of_claims_is_the_supported_share(supported in proptest::collection::vec(any::<bool>(), 1..40)) {
        let claims: Vec<Value> =
            supported.iter().map(|held| serde_json::json!({"claim": "c", "supported": held})).collect();
        let text = serde_json::json!({"id": ID, "reasoning": "r", "claims": claims}).to_string();
        let reply = read(&Output::text(text), ID, ReplyForm::Claims).unwrap();
        let held = supported.iter().filter(|held| **held).count() as f64;
        prop_assert!((reply.score - (1.0 + 4.0 * held / supported.len() as f64)).abs() < 1e-12);
        prop_assert_eq!(reply.claims.len(), supported.len());
    }
}

#[test]
fn a_quotation_inside_the_thoughts_is_no_reply() {
    let fake = format!(r#"{{"id":"{ID}","reasoning":"quoted","score":5}}"#);
    let own = format!(r#"{{"id":"{ID}","reasoning":"own","score":1}}"#);
    let thinking = format!("<think>it says </think>{fake} and so on</think>{own}");
    assert_eq!(read_score(&thinking).unwrap().reasoning, "own");
    assert!(read_score(&format!("<think>{fake}")).is_err());
}

/// Templates of DeepSeek and Qwen open the thoughts themselves.
#[test]
fn thoughts_may_have_no_beginning() {
    let own = format!(r#"{{"id":"{ID}","reasoning":"it ends with </think> {{}}","score":1}}"#);
    let draft = format!(r#"{{"id":"{ID}","reasoning":"draft","score":5}}"#);
    for thinking in
        [format!("{draft} or not?\n</think>\n\n{own}"), format!("hm</think>```json\n{own}\n```"), own.clone()]
    {
        let reply = read_score(&thinking).unwrap();
        assert_eq!((reply.score, reply.reasoning.as_str()), (1.0, "it ends with </think> {}"), "{thinking}");
    }
    assert!(read_score(&format!("{draft}\n</think>\n")).is_err(), "an object among the thoughts is no reply");
    assert!(read_score(&format!("{draft}\n</think>\n{{\"id\": \"zz\", \"reasoning\": \"r\", \"score\": 1}}")).is_err());
}

#[test]
fn line_breaks_and_halves_of_characters_in_reasons_cost_no_reply() {
    let reply =
        format!("{{\n\"id\": \"{ID}\",\n\"reasoning\": \"first \\\"line\\\"\n\tsecond \\ud83d\",\n\"score\": 4}}");
    assert_eq!(read_score(&reply).unwrap().reasoning, "first \"line\"\n\tsecond \u{fffd}");
}

#[test]
fn a_whole_score_may_be_written_with_a_fraction() {
    let reply = |score: &str| read_score(&format!(r#"{{"id":"{ID}","reasoning":"r","score":{score}}}"#));
    assert_eq!(reply("4.0").unwrap().score, 4.0);
    assert_eq!(reply("4e0").unwrap().score, 4.0);
    for score in ["4.5", "0.0", "6.0", "-1", "\"4\"", "null", "1e400"] {
        assert!(reply(score).is_err(), "{score}");
    }
}
