//! The book's own command blocks, in both languages: each is run as it stands, or needs what isn't there.

use std::fs;
use std::path::Path;

use testkit::skills;

use crate::place::Place;

const BOOKS: [&str; 2] = ["docs/en", "docs/zh"];

/// The chapters on `eval-skills`, in the order of the book.
fn chapters(book: &str) -> String {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(book);
    let summary = fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    let links = summary.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    let ours = links.filter(|link| link.starts_with("skills-"));
    ours.map(|link| fs::read_to_string(book.join(link)).unwrap()).collect::<Vec<_>>().join("\n")
}

/// What becomes of a block, found by its first line.
enum Fate {
    /// It is run where this has been prepared, and ends with this code.
    Ends(i32, fn(&Place)),
    /// What it needs is out of reach of a test; its flags are checked by a dry run with this at the end.
    Dry(&'static str, fn(&Place)),
}

const BLOCKS: &[(&str, Fate)] = &[
    ("eval-skills init --dir .", Fate::Ends(0, |_| {})),
    (
        "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --runs 3 --format json markdown html",
        Fate::Ends(0, |place| {
            place.ok("eval-skills create --name my_calc --from-template python_script");
            skills::implement_in_python(&place.path("skills/my_calc"));
        }),
    ),
    // A model behind a key.
    ("eval-skills evals ./skills/greet --executor openai-api --model gpt-4o", Fate::Dry("--dry-run", greet)),
    (
        "eval-skills eval --skills ./skills/production_skill --benchmark coding-easy \\",
        Fate::Ends(0, |place| {
            skills::persistent_calculator(&place.path("skills/production_skill"));
            place.ok("eval-skills eval --skills ./skills/production_skill --benchmark coding-easy --store before.db");
            fs::copy(place.path("reports/eval-result.json"), place.path("reports/baseline.json")).unwrap();
        }),
    ),
];

fn greet(place: &Place) {
    let folder = place.path("skills/greet");
    fs::create_dir_all(folder.join("evals")).unwrap();
    fs::write(folder.join("SKILL.md"), "---\nname: greet\ndescription: Greets people by name.\n---\nSay hello.\n")
        .unwrap();
    let evals =
        r#"{"skill_name": "greet", "evals": [{"id": 1, "prompt": "Greet Ann", "expected_output": "Hello, Ann"}]}"#;
    fs::write(folder.join("evals/evals.json"), evals).unwrap();
}

/// The fenced blocks of a shell.
fn blocks(text: &str) -> Vec<&str> {
    text.split("\n```sh\n").skip(1).map(|part| part.split("\n```").next().unwrap()).collect()
}

#[test]
fn every_command_block_of_the_guides_works() {
    let mut texts = Vec::new();
    for guide in BOOKS {
        let text = chapters(guide);
        let found: Vec<String> = blocks(&text).into_iter().map(str::to_owned).collect();
        assert_eq!(found.len(), text.matches("\n```sh\n").count(), "{guide}");
        texts.push(found);
    }
    assert_eq!(texts[0], texts[1], "both guides show the same commands");
    assert_eq!(texts[0].len(), BLOCKS.len(), "{:#?}", texts[0]);
    for block in &texts[0] {
        let first = block.lines().next().unwrap();
        let known = BLOCKS.iter().find(|(line, _)| *line == first);
        let (_, fate) = known.unwrap_or_else(|| panic!("nobody says what this block needs:\n{block}"));
        let place = Place::new();
        let (code, block) = match fate {
            Fate::Ends(code, prepare) => {
                prepare(&place);
                (*code, block.clone())
            }
            Fate::Dry(end, prepare) => {
                prepare(&place);
                (0, format!("{block} {end}"))
            }
        };
        let ended = place.run(&block);
        assert_eq!(ended.code, code, "{block}\n{}\n{}", ended.stdout, ended.stderr);
    }
}
