//! The table of executors, and isolation.

use eval_exec::{EXECUTORS, isolation};

use crate::settings;

#[test]
fn the_table_is_what_help_can_print() {
    let names: Vec<&str> = EXECUTORS.iter().map(|executor| executor.name).collect();
    assert_eq!(names, ["claude", "anthropic-api", "openai-api", "replay"]);
}

#[test]
fn channels_are_cut_unverified_or_none() {
    let strict = settings();
    let mut open = settings();
    open.strict_baseline = false;
    let of = |name: &str, channel: &str, settings| {
        isolation(name, settings).into_iter().find(|(known, _)| *known == channel).map(|(_, state)| state)
    };
    assert_eq!(of("claude", "skills", &strict), Some("cut"));
    assert_eq!(of("claude", "auto-memory", &strict), Some("unverified"));
    assert_eq!(of("claude", "skills", &open), Some("open"));
    assert_eq!(of("anthropic-api", "skills", &strict), Some("none"));
    assert_eq!(of("python3 model.py", "skills", &strict), Some("unverified"));
}
