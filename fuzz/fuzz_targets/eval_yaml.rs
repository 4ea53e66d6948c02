//! Any bytes as `eval.yaml`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eval_fuzz::load("eval.yaml", bytes));
