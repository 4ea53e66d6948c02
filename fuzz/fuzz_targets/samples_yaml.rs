//! Any bytes as `samples.yaml`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eval_fuzz::load("samples.yaml", bytes));
