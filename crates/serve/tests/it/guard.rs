//! Host names of this machine.

use eval_serve::http::is_ours;

#[test]
fn own_names_are_those_of_this_machine_with_the_right_port() {
    for ours in ["127.0.0.1:7799", "localhost:7799", "LOCALHOST:7799", "[::1]:7799"] {
        assert!(is_ours(ours, 7799), "{ours}");
    }
    for foreign in [
        "",
        "127.0.0.1",
        "localhost:80",
        "evil.test:7799",
        "localhost.evil.test:7799",
        "127.0.0.1:7799.evil.test",
        "[::1]",
        "a@localhost:7799",
    ] {
        assert!(!is_ours(foreign, 7799), "{foreign}");
    }
    assert!(is_ours("localhost", 80) && is_ours("[::1]", 80));
}
