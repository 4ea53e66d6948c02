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
    let reference = VariantRef::new("skills/reveiw.md");
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
        assert!(said.starts_with("error: `samples.yaml` is UTF-16, expected UTF-8 text\n"), "{said}");
        assert!(said.trim_end().ends_with("help: save the file as UTF-8") && !said.contains("sample_id"), "{said}");
        assert!(said.is_ascii() && !said.contains('\0'), "{said:?}");
    }
}

#[test]
fn look_alikes_of_signs_are_named_with_what_to_write() {
    let world = World::new();
    for (name, text, help) in [
        ("a.yaml", "- sample_id: s1\n  prompt： hi\n", "`：` (U+FF1A) looks like `:`"),
        ("b.yaml", "- “sample_id”: s1\n  prompt: hi\n", "`“` (U+201C) looks like `\"`"),
        ("c.yaml", "- sample_id: s1\n\u{a0}\u{a0}prompt: hi\n", "a space of another kind (U+00A0)"),
        ("d.yaml", "- sample_id: s1\n\u{3000}prompt: hi\n", "a space of another kind (U+3000)"),
        (
            "e.yaml",
            "- sample_id: s1\n  prompt: hi\n  assertions: ［{type: contains, value: x}］\n",
            "(U+FF3B) looks like `[`",
        ),
        ("h.yaml", "- sample_id: s1\n  prompt: by — name: hi\n", "put the text in quotes"),
        ("i.yaml", "- sample_id: s1\n  prompt: 问候，按“名字”: hi\n", "put the text in quotes"),
        ("f.json", "[{“sample_id”: \"s1\", \"prompt\": \"hi\"}]", "`“` (U+201C) looks like `\"`"),
        ("g.json", "[{\"sample_id\"： \"s1\", \"prompt\": \"hi\"}]", "`：` (U+FF1A) looks like `:`"),
        ("h.json", "[{\"sample_id\": \"s1\"， \"prompt\": \"hi\"}]", "`，` (U+FF0C) looks like `,`"),
    ] {
        let path = world.write(name, text);
        let said = draw(&errors(load::samples(&world.context, &path, TYPES)).0);
        assert!(said.contains(help), "{name}: {said}");
    }
    // In a text they are what the user writes.
    let path = world.write("text.yaml", "- sample_id: s1\n  prompt: 请看：“引用”，谢谢\n");
    assert!(load::samples(&world.context, &path, TYPES).is_ok());
}

#[test]
fn other_formats_under_the_name_of_json_or_yaml_are_named() {
    let world = World::new();
    let csv = "sample_id,prompt,expected\ns1,hi,yes\ns2,hello,\"no, thanks\"\n";
    let lines = "{\"sample_id\":\"s1\",\"prompt\":\"a\"}\n{\"sample_id\":\"s2\",\"prompt\":\"b\"}\n";
    for (name, text, says) in [
        ("a.json", csv, "this is CSV"),
        ("b.yaml", csv, "this is CSV"),
        ("c.txt", csv, "write each row as an object"),
        ("d.json", lines, "this is JSON Lines"),
        ("e.yaml", lines, "this is JSON Lines"),
        ("f.jsonl", lines, "put the objects into one list"),
    ] {
        let path = world.write(name, text);
        let said = draw(&errors(load::samples(&world.context, &path, TYPES)).0);
        assert!(said.contains(says), "{name}: {said}");
        assert_eq!(said.matches("error:").count(), 1, "{name}: {said}");
    }
}
