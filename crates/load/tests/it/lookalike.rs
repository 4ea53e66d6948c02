//! Files of another format.

use eval_load::internals::is_csv;

#[test]
fn csv_is_told_from_text() {
    assert!(is_csv("id,prompt\na,b\n") && is_csv("\"id\";\"my prompt\"\n1;2\n") && is_csv("a\tb\n1\t2\n"));
    for other in ["", "a,b\n", "a: 1, b\nc: 2, d\n", "[a, b]\n[c, d]\n", "one\ntwo\n", "a,b\nno more\n"] {
        assert!(!is_csv(other), "{other}");
    }
}
