//! A fake model API for benchmarks: `fake_api --port 0 --latency-ms 50` prints its URL and serves
//! until it is killed.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::time::Duration;

use testkit::FakeApi;

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let index = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(index + 1)?.parse::<u64>().ok()
    };
    let port = u16::try_from(value("--port").unwrap_or(0)).unwrap_or(0);
    let latency = Duration::from_millis(value("--latency-ms").unwrap_or(50));
    match FakeApi::with_latency(port, latency) {
        Ok(api) => {
            println!("{}", api.url);
            loop {
                std::thread::park();
            }
        }
        Err(error) => {
            eprintln!("cannot listen on 127.0.0.1:{port}: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
