//! Programs through the crate's door.

#[cfg(target_os = "linux")]
mod proc_tree;
mod run;
