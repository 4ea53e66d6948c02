//! The worked examples of the chapters on statistics, computed: `cargo run -p eval-stats-tests --example worked -- NAME`, or all of
//! them without a name. A test holds the page to what this prints.
#![expect(clippy::print_stdout, reason = "a command-line example; its output is its purpose")]

mod cases;

use std::process::ExitCode;

use cases::CASES;

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    if let Some(word) = asked.iter().find(|word| !CASES.iter().any(|(name, _)| name == word)) {
        let names: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
        println!("no example `{word}`; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    for (name, case) in CASES.iter().filter(|(name, _)| asked.is_empty() || asked.iter().any(|word| word == name)) {
        if asked.len() != 1 {
            println!("\n# {name}");
        }
        case().iter().for_each(|line| println!("{line}"));
    }
    ExitCode::SUCCESS
}
