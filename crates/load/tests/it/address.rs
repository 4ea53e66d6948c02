//! Entrypoints of callable skills.

use eval_load::internals::{EntrypointAddress, kind, problem, secret_parameter};

#[test]
fn addresses_paths_and_commands_are_distinguished() {
    assert_eq!(kind("https://host/x"), EntrypointAddress::Absolute);
    assert_eq!(kind("ftp://host/x"), EntrypointAddress::Absolute);
    assert_eq!(kind("/pets/{id}"), EntrypointAddress::Path);
    assert_eq!(kind("python3 skill.py http://x"), EntrypointAddress::Other);
    assert_eq!(kind("HTTP://host"), EntrypointAddress::Absolute);
}

#[test]
fn an_address_that_cannot_be_called_is_refused() {
    for good in ["http://localhost:8080/x", "HTTPS://example.com", "http://[::1]:80/a?x=1"] {
        assert!(problem(good).is_none(), "{good}");
    }
    for bad in ["ftp://host", "http://", "http:///x", "http://u:p@host/", "http://ho st/", "http://h\\x"] {
        assert!(problem(bad).is_some(), "{bad}");
    }
    assert_eq!(secret_parameter("http://h/?q=1&api_key=abc"), Some("api_key"));
    assert_eq!(secret_parameter("http://h/?api_key="), None);
    assert_eq!(secret_parameter("http://h/?page=2#token=3"), None);
}
