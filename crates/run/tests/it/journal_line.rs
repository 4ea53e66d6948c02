//! Hashes of the journal's lines.

use eval_run::internals::{finish, take_off};

#[test]
fn a_hash_comes_off_as_it_went_on_and_notices_every_changed_byte() {
    let object = br#"{"grade":{"key":"a/b/0"}}"#.to_vec();
    let mut line = finish(object.clone(), 1);
    assert_eq!(line.pop(), Some(b'\n'));
    assert!(serde_json::from_slice::<serde_json::Value>(&line).is_ok());
    for at in 0..line.len() {
        let mut edited = line.clone();
        edited[at] ^= 1;
        assert!(!take_off(&mut edited), "{at}");
    }
    assert!(take_off(&mut line));
    assert_eq!(line, object);
    for short in [&b""[..], b"{}", &object] {
        assert!(!take_off(&mut short.to_vec()));
    }
}
