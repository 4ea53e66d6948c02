//! Entrypoints of callable skills.

use eval_spec::callable::{is_address, placeholders};

#[test]
fn addresses_are_distinguished_from_commands_and_paths() {
    for address in ["http://h", "HTTP://h/x", "Https://h", "ftp://h", " http://h"] {
        assert!(is_address(address), "{address}");
    }
    for other in ["/pets/{id}", "python3 skill.py http://x", "server", "://x", "1a://x"] {
        assert!(!is_address(other), "{other}");
    }
    assert_eq!(placeholders("/a/{id}/b/{name}"), ["id", "name"]);
    assert_eq!(placeholders("/a/{id"), Vec::<&str>::new());
}
