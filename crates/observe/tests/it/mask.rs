//! Masking of secrets and personal data.

use eval_observe::Mask;

/// Each pattern has a row here: an invalid regular expression would silently mask nothing.
#[test]
fn secrets_and_personal_data_are_masked_but_other_numbers_are_not() {
    let mask = Mask { home: Some("/home/kim".to_owned()), secrets: vec!["plain-words-of-a-key".to_owned()] };
    for key in ["sk-ant-api03-", "sk-proj-", "ghp_", "hf_", "glpat-"] {
        let text = format!("use {key}{} now", "a1B2".repeat(8));
        assert_eq!(mask.text(&text), "use [key] now", "{text}");
    }
    for (text, masked) in [
        ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [token]"),
        ("postgres://admin:hunter22@db/x", "postgres://admin:[password]@db/x"),
        ("password = \"correct horse\"", "password = \"[secret] horse\""),
        ("密码:abcd1234", "密码:[secret]"),
        ("密码：abcd1234", "密码：[secret]"),
        ("mail kim.lee@example.com", "mail [e-mail]"),
        ("call 13812345678 or +49 30 1234567", "call [telephone] or [telephone]"),
        ("card 4111 1111 1111 1111", "card [card number]"),
        ("id 11010519491231002X", "id [identity number]"),
        ("ssn 078-05-1120", "ssn [identity number]"),
        ("call (212) 555-0100", "call [telephone]"),
        ("cookie eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln", "cookie [token]"),
        ("kept: aXQgaXMgcGxhaW4td29yZHMtb2YtYS1rZXk=, ok", "kept: [encoded secret], ok"),
        ("data: cG9zdGdyZXM6Ly9hZG1pbjpodW50ZXIyMkBkYi94", "data: [encoded secret]"),
        ("/home/kim/notes.md", "~/notes.md"),
        ("it is plain-words-of-a-key, isn't it", "it is [secret], isn't it"),
    ] {
        assert_eq!(mask.text(text), masked, "{text}");
    }
    for unchanged in [
        "order 4111111111111112",
        "v1.2.3-4567",
        "2026-11-24 13:45:00",
        "grep -rn revenue_schema .",
        "a@b",
        "data: anVzdCBhIHNlbnRlbmNlIG9mIHdvcmRz",
    ] {
        assert_eq!(mask.text(unchanged), unchanged);
    }
    let key = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter";
    assert_eq!(mask.text(key), "[private key]\nafter");
}
