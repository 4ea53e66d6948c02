//! The store: results of evaluations in one SQLite file, and later the pages that show them.
