//! Secrets in addresses.

use eval_spec::credentials::{is_key, masked};

#[test]
fn secrets_in_addresses_are_masked_byte_for_byte() {
    for (text, shown) in [
        ("\"http://user:s%20cret@host/x?q=1\"", "\"http://*************@host/x?q=1\""),
        ("https:\\/\\/u:p@h\\/x", "https:\\/\\/***@h\\/x"),
        ("a: http://h/?page=2&api_key=abc#x b", "a: http://h/?page=2&api_key=***#x b"),
        ("http://h/?to=http://u:p@h&key=k", "http://h/?to=http://***@h&key=*"),
        ("见 https://h/?token=abc，然后写给 me@h", "见 https://h/?token=***，然后写给 me@h"),
        ("https://h/?token=abc继续", "https://h/?token=***继续"),
        ("http://é:ü@h http://t@h", "http://*****@h http://*@h"),
    ] {
        assert_eq!(masked(text).as_deref(), Some(shown));
        assert_eq!(shown.len(), text.len());
    }
    for name in [
        "private_token",
        "refreshToken",
        "access_key",
        "accessKeyId",
        "auth",
        "session",
        "sessionid",
        "X-Amz-Signature",
        "db.password",
        "passwd",
        "client-secret",
        "jwt",
        "subscription-key",
        "code_verifier_secret",
        "sas_sig",
    ] {
        assert!(is_key(name), "{name}");
    }
    for name in [
        "page",
        "pageToken",
        "next_page_token",
        "continuation-token",
        "sortKey",
        "primary_key",
        "monkey",
        "keyword",
        "keys",
        "tokens",
        "max_tokens",
        "author",
        "oauth_version",
        "sessions",
        "design",
        "keyboard",
        "hotkey",
        "partition-key",
    ] {
        assert!(!is_key(name), "{name}");
    }
    for plain in ["https://host/@user", "mail me@host, see http://host/?page=2", "", "://", "http://h/?token="] {
        assert!(masked(plain).is_none_or(|shown| shown == plain), "{plain}");
    }
}
