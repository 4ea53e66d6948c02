//! Benchmarks and task files.

mod built_in;
mod task_files;
