//! Replies of custom functions.

use eval_grade::internals::read_reply;

#[test]
fn only_a_boolean_verdict_is_a_reply() {
    assert_eq!(read_reply(Some("true")), Ok((true, None, None)));
    assert_eq!(
        read_reply(Some(r#"{"pass": false, "message": "没有", "score": 0.5}"#)),
        Ok((false, Some("没有".to_owned()), Some(0.5)))
    );
    for improper in [None, Some("1"), Some("null"), Some("\"yes\""), Some("{}"), Some(r#"{"pass": "yes"}"#)] {
        assert!(read_reply(improper).is_err(), "{improper:?}");
    }
}
