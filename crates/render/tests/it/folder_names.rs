//! Folders of evals.

use eval_render::internals::names;
use serde_json::json;

#[test]
fn every_id_has_a_folder_of_its_own_inside_the_iteration() {
    let ids = [
        json!(1),
        json!("../../x"),
        json!("a b"),
        json!("a_b"),
        json!("A_B"),
        json!(".."),
        json!("图"),
        json!("x".repeat(300)),
    ];
    let names = names(ids.iter());
    assert_eq!(names[..7], ["eval-1", "eval-.._.._x", "eval-a_b", "eval-a_b-2", "eval-A_B-3", "eval-..", "eval-_"]);
    assert!(names.iter().all(|name| !name.contains('/') && name.len() < 100));
}
