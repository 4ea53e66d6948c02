//! No catalogue has a text that nobody can see. Whether a key exists, and takes the arguments that it is given, the
//! compiler checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use eval_message::CATALOGUES;

use crate::catalogue::{Catalogue, HELP, signatures};

#[test]
fn every_key_is_named_by_a_source_or_another_text() {
    let mut literals = BTreeSet::new();
    for member in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap() {
        collect(&member.unwrap().path().join("src"), &mut literals);
    }
    let unused: Vec<String> = keys().into_iter().filter(|key| !literals.contains(key)).collect();
    assert!(unused.is_empty(), "delete from messages/en and messages/zh: {unused:#?}");
}

/// Keys of all texts but help, whose keys are made of the commands' paths, and those that other texts show.
fn keys() -> Vec<String> {
    let language = |tag: &str, source: fn(&(&str, &'static str, &'static str)) -> &'static str| -> Vec<Catalogue> {
        let file = |of: &(&str, &'static str, &'static str)| Catalogue {
            name: of.0.to_owned(),
            place: format!("{tag}/{}.ftl", of.0),
            source: source(of).to_owned(),
        };
        CATALOGUES.iter().filter(|of| of.0 != HELP).map(file).collect()
    };
    let signatures = signatures(&language("en", |of| of.1), &language("zh", |of| of.2)).unwrap();
    let shown = |key: &str| CATALOGUES.iter().any(|of| of.1.contains(&format!("{{ {key} }}")));
    signatures.into_iter().map(|of| of.key).filter(|key| !shown(key)).collect()
}

/// The texts in quotes of all Rust files in `folder`.
fn collect(folder: &Path, literals: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, literals);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            literals.extend(fs::read_to_string(path).unwrap().split('"').map(str::to_owned));
        }
    }
}
