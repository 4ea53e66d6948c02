//! Every text of the catalogues is used. The compiler checks keys and arguments of those that are.

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

/// Returns the keys of all texts, without help (whose keys are made of the commands' paths) and texts inside other
/// texts.
fn keys() -> Vec<String> {
    let language = |tag: &str, source: fn(&(&str, &'static str, &'static str)) -> &'static str| -> Vec<Catalogue> {
        let file = |catalogue: &(&str, &'static str, &'static str)| Catalogue {
            name: catalogue.0.to_owned(),
            place: format!("{tag}/{}.ftl", catalogue.0),
            source: source(catalogue).to_owned(),
        };
        CATALOGUES.iter().filter(|catalogue| catalogue.0 != HELP).map(file).collect()
    };
    let signatures =
        signatures(&language("en", |catalogue| catalogue.1), &language("zh", |catalogue| catalogue.2)).unwrap();
    let shown = |key: &str| CATALOGUES.iter().any(|catalogue| catalogue.1.contains(&format!("{{ {key} }}")));
    signatures.into_iter().map(|signature| signature.key).filter(|key| !shown(key)).collect()
}

/// Collects the string literals of all Rust files in `folder`.
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
