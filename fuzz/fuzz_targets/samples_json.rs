//! Any bytes as `samples.json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eval_fuzz::load("samples.json", bytes));
