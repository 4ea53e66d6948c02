//! Every file in `tests/broken` and what is said about it. Files named `eval…` are settings, the
//! others samples.

use std::path::{Path, PathBuf};

use eval_load as load;
use eval_message::Lang;
use eval_spec::Diagnostic;

use crate::world::{TYPES, World, draw, errors};

fn broken_files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn broken_files_are_explained() {
    let world = World::new();
    for path in broken_files() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let copy = world.write(name, std::fs::read(&path).unwrap());
        let diagnostics = if name.starts_with("eval") {
            errors(load::eval_file(&world.context, &copy))
        } else {
            errors(load::samples(&world.context, &copy, TYPES))
        };
        assert!(diagnostics.0.iter().all(|d| d.place.is_some()), "{name}: something has no position");
        diagnostics.0.iter().for_each(speaks_both_languages);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, draw(&diagnostics.0));
        });
    }
}

/// A missing argument would show as `{$name}`, a missing message as its key.
fn speaks_both_languages(diagnostic: &Diagnostic) {
    let labels = diagnostic.also.iter().map(|(_, label)| label);
    for message in [&diagnostic.message].into_iter().chain(&diagnostic.help).chain(labels) {
        for lang in [Lang::En, Lang::Zh] {
            let text = message.text(lang);
            assert!(!text.contains("{$") && !text.contains("load-"), "{text}");
        }
    }
}

#[test]
fn there_are_enough_of_them() {
    assert!(broken_files().len() >= 20);
}
