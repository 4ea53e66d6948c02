//! What people hand over by mistake: names that are nearly right, other encodings.

use eval_load as load;
use eval_spec::suite::VariantRef;

use crate::world::{TYPES, World, draw, errors};

#[test]
fn a_misspelt_path_names_the_file_beside_it() {
    let world = World::new();
    world.write("eval-samples.yaml", "[]");
    world.write("eval.yaml", "{}");
    world.write("skills/review.md", "text");
    let meant = |text: String, path: &str| assert!(text.contains(&format!("did you mean `{path}`?")), "{text}");
    let samples = world.path("eval-sampels.yaml");
    meant(draw(&errors(load::samples(&world.context, &samples, TYPES)).0), "eval-samples.yaml");
    meant(draw(&errors(load::eval_file(&world.context, &world.path("evl.yaml"))).0), "eval.yaml");
    let reference = VariantRef { name: None, artifact: "skills/reveiw.md".to_owned(), cwd: None, place: None };
    meant(draw(&errors(load::variant(&world.context, &world.path("skills"), &reference)).0), "skills/review.md");

    let far = draw(&errors(load::samples(&world.context, &world.path("customers.yaml"), TYPES)).0);
    assert!(!far.contains("did you mean"), "{far}");
}

#[test]
fn utf_16_is_named_without_noise() {
    let world = World::new();
    let text = "- sample_id: a\n  prompt: b\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little.clone(), big.clone(), [b"\xff\xfe", &little[..]].concat(), [b"\xfe\xff", &big[..]].concat()] {
        let path = world.write("samples.yaml", bytes);
        let said = draw(&errors(load::samples(&world.context, &path, TYPES)).0);
        let expected = "error: `samples.yaml` is UTF-16, expected UTF-8 text\n  help: save the file as UTF-8";
        assert_eq!(said.trim_end(), expected);
    }
}
