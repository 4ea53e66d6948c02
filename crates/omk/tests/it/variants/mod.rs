//! Which artifacts are compared, and where they run.

mod references;
