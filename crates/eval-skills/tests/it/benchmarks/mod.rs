//! Benchmarks and files of tasks.

mod task_files;
