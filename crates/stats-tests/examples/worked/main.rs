//! Prints the worked examples of the chapters on statistics: `cargo run -p eval-stats-tests --example worked -- NAME`,
//! or all without a name. A test compares the chapters with this output.
#![expect(clippy::print_stdout, reason = "a command-line example; its output is its purpose")]

mod cases;

use std::process::ExitCode;

use cases::CASES;

fn main() -> ExitCode {
    let requested: Vec<String> = std::env::args().skip(1).collect();
    if let Some(word) = requested.iter().find(|word| !CASES.iter().any(|(name, _)| name == word)) {
        let names: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
        println!("no example `{word}`; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    for (name, case) in
        CASES.iter().filter(|(name, _)| requested.is_empty() || requested.iter().any(|word| word == name))
    {
        if requested.len() != 1 {
            println!("\n# {name}");
        }
        case().iter().for_each(|line| println!("{line}"));
    }
    ExitCode::SUCCESS
}
