//! Files that were not written by friends: nothing panics, nothing takes long, and every failure
//! has a position.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eval_load as load;
use eval_spec::Diagnostics;
use eval_spec::source::DiagnosticSeverity;
use proptest::prelude::*;
use testkit::before_deadline;
use testkit::malformed::{KINDS, Malformed, PIECES};

use crate::world::{TYPES, World, draw};

fn load_kind(world: &World, name: &str, bytes: &[u8]) -> Result<(), Diagnostics> {
    let path = world.write(name, bytes);
    match name {
        "eval.yaml" => load::eval_file(&world.context, &path).map(drop),
        _ => load::samples(&world.context, &path, TYPES).map(drop),
    }
}

/// `Err` says what is wrong with how the load failed.
fn is_well_behaved(result: &Result<(), Diagnostics>) -> Result<(), String> {
    let Err(diagnostics) = result else { return Ok(()) };
    if !diagnostics.0.iter().any(|d| d.severity == DiagnosticSeverity::Error) {
        return Err("failed without an error".to_owned());
    }
    for diagnostic in &diagnostics.0 {
        let Some(place) = &diagnostic.place else { return Err(format!("no position: {}", diagnostic.message)) };
        if place.span.start + place.span.len > place.file.text.len() {
            return Err(format!("outside of the file: {}", diagnostic.message));
        }
    }
    // Drawing slices the text at every place.
    draw(&diagnostics.0);
    Ok(())
}

#[test]
fn valid_ones_are_valid() {
    let world = World::new();
    for (name, valid) in KINDS {
        load_kind(&world, name, valid.as_bytes()).map_err(|e| e.to_string()).unwrap();
    }
}

/// Three kinds; a failure names the file by its seed.
#[test]
fn ten_thousand_malformed_files() {
    let world = World::new();
    let mut failed = 0;
    for file in (1..=10_000).map(Malformed::generate) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let result = load_kind(&world, file.name, &file.bytes);
            (is_well_behaved(&result), result.is_err())
        }));
        match outcome {
            Ok((Ok(()), is_err)) => failed += usize::from(is_err),
            Ok((Err(why), _)) => panic!("{why}\n{file:?}"),
            Err(_) => panic!("a panic\n{file:?}"),
        }
    }
    assert!(failed > 7_000, "only {failed} of 10000 files were refused: the mutations do too little");
}

/// Texts that make careless parsers quadratic, exponential, or overflow the stack.
#[test]
fn bombs_end_soon() {
    let world = World::new();
    let n = 100_000;
    let bombs = [
        "[".repeat(n),
        "{\"a\":".repeat(n),
        "{a: ".repeat(n),
        "- ".repeat(n),
        "? ".repeat(n),
        "- - ? ".repeat(n / 3),
        "&a ".repeat(n),
        "!!str ".repeat(n),
        "a: ".repeat(n),
        "\"".repeat(n),
        "'".repeat(n),
        "\\".repeat(n),
        "#".repeat(n),
        "#\n".repeat(n),
        "\n".repeat(n),
        "---\n".repeat(n / 4),
        "%YAML 1.2\n".repeat(n / 8),
        format!("a: |\n{}", "  x\n".repeat(n)),
        format!("a: \"{}", "x\n\n".repeat(n)),
        format!("[{}]", "{},".repeat(n)),
        format!("[{}]", "[],".repeat(n)),
        format!("{{{}}}", (0..n / 4).map(|i| format!("\"k{i}\": 1,")).collect::<String>()),
        format!("{{{}}}", "\"same\": 1,".repeat(n / 4)),
        (0..n / 8).map(|i| format!("- &a{i} [*a{}]\n", i.saturating_sub(1))).collect(),
        format!("- &a {}\n{}", "x".repeat(1_000_000), "- *a\n".repeat(1000)),
        format!("\"{}\": 1", "k".repeat(n)),
        format!("{}: 1", "k".repeat(n)),
        format!("[1{}]", "0".repeat(n)),
        "\t".repeat(n),
        "[,".repeat(n),
        "- a\n  b\n".repeat(n / 8),
        "[a, ".repeat(99),
    ];
    for bomb in &bombs {
        for name in ["a.yaml", "a.json", "eval.yaml"] {
            let result = before_deadline(|| load_kind(&world, name, bomb.as_bytes()));
            let head: String = bomb.chars().take(30).collect();
            is_well_behaved(&result).unwrap_or_else(|why| panic!("{name} {head:?}: {why}"));
            assert!(result.is_err(), "{name} {head:?} was accepted");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..KINDS.len()) {
        let result = load_kind(&World::new(), KINDS[kind].0, &bytes);
        prop_assert_eq!(is_well_behaved(&result), Ok(()));
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(PIECES), 0..60), kind in 0..KINDS.len()) {
        let result = load_kind(&World::new(), KINDS[kind].0, words.concat().as_bytes());
        prop_assert_eq!(is_well_behaved(&result), Ok(()));
    }
}
