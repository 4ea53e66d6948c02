//! Benchmarks and task files.

mod built_in;
mod earlier_files;
mod imported;
mod task_files;
