//! Measurements, not checks: `cargo test --release -p eval-spec --test it speed -- --ignored --nocapture`.

#![expect(clippy::print_stderr, reason = "a measurement is for people")]

use std::time::Instant;

use serde_json::{Value, json};

use crate::world::World;

/// 50,000 samples in about 10 MB.
fn many_samples() -> Value {
    let sample = |i: usize| {
        json!({
            "sample_id": format!("s{i:05}"),
            "prompt": format!("Review change {i} and say what is wrong with it."),
            "rubric": "Should identify the injection.",
            "assertions": [
                {"type": "contains", "value": "SQL injection", "weight": 1},
                {"type": "min_length", "value": i},
            ],
        })
    };
    (0..50_000).map(sample).collect()
}

/// This thread's time on a CPU, which a busy machine does not stretch; 0 where the system doesn't tell.
fn cpu_ms() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0) / 1_000_000
}

#[test]
#[ignore = "a measurement; run it with --release"]
fn fifty_thousand_samples() {
    let world = World::new();
    let samples = many_samples();
    let texts = [
        ("a.json", serde_json::to_string_pretty(&samples).unwrap()),
        ("b.json", samples.to_string()),
        ("flow.yaml", samples.to_string()),
        ("block.yaml", serde_json::to_string_pretty(&samples).unwrap().replace("\n", "\n ")),
    ];
    for (name, text) in texts {
        let megabytes = text.len() / 1024 / 1024;
        world.write(name, &text);
        let (start, cpu_before) = (Instant::now(), cpu_ms());
        let file = world.samples(name, &text).unwrap().value;
        assert_eq!(file.samples.len(), 50_000);
        let cpu = cpu_ms() - cpu_before;
        eprintln!("{name}: {megabytes} MiB in {:?}, {cpu} ms of CPU", start.elapsed());
    }
}
