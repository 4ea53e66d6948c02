//! Benchmarks and files of tasks.

mod built_in;
mod task_files;
