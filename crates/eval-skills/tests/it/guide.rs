//! The guide's own command blocks, in both languages: each is run as it is written.

use std::fs;
use std::path::Path;

use testkit::skills;

use crate::place::Place;

const GUIDES: [&str; 2] = ["docs/eval-skills.md", "docs/eval-skills.zh.md"];

/// A block is run where this has been prepared, and ends with this code.
struct Ends(i32, fn(&Place));

const BLOCKS: &[(&str, Ends)] = &[
    ("eval-skills init --dir .", Ends(0, |_| {})),
    (
        "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3 --format json markdown html",
        Ends(0, |place| {
            place.ok("eval-skills create --name my_calc --from-template python_script");
            skills::implement_in_python(&place.path("skills/my_calc"));
        }),
    ),
    (
        "eval-skills eval --skills ./skills/production_skill --benchmark coding-easy \\",
        Ends(0, |place| {
            skills::persistent_calculator(&place.path("skills/production_skill"));
            place.ok("eval-skills eval --skills ./skills/production_skill --benchmark coding-easy --store before.db");
            fs::copy(place.path("reports/eval-result.json"), place.path("reports/baseline.json")).unwrap();
        }),
    ),
];

/// The fenced blocks of a shell.
fn blocks(text: &str) -> Vec<&str> {
    text.split("\n```sh\n").skip(1).map(|part| part.split("\n```").next().unwrap()).collect()
}

#[test]
fn every_command_block_of_the_guides_works() {
    let mut texts = Vec::new();
    for guide in GUIDES {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(guide)).unwrap();
        let found: Vec<String> = blocks(&text).into_iter().map(str::to_owned).collect();
        assert_eq!(found.len(), text.matches("\n```sh\n").count(), "{guide}");
        texts.push(found);
    }
    assert_eq!(texts[0], texts[1], "both guides show the same commands");
    assert_eq!(texts[0].len(), BLOCKS.len(), "{:#?}", texts[0]);
    for block in &texts[0] {
        let first = block.lines().next().unwrap();
        let known = BLOCKS.iter().find(|(line, _)| *line == first);
        let (_, Ends(code, prepare)) = known.unwrap_or_else(|| panic!("nobody says what this block needs:\n{block}"));
        let place = Place::new();
        prepare(&place);
        let ended = place.run(block);
        assert_eq!(ended.code, *code, "{block}\n{}\n{}", ended.stdout, ended.stderr);
    }
}
