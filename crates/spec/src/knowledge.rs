//! The knowledge base: the files whose coverage is measured.

use std::path::PathBuf;

/// The files of a project's knowledge base, and the directory of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnowledgeBase {
    /// Where executions run that name no working directory, absolute.
    pub cwd: PathBuf,
    /// The files and folders that it consists of, absolute.
    pub roots: Vec<PathBuf>,
    /// The files, sorted by path.
    pub files: Vec<KnowledgeFile>,
}

/// A file of a knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnowledgeFile {
    /// The path as it should be shown.
    pub name: String,
    /// The path, absolute.
    pub path: PathBuf,
    /// 12 hex digits that stand for the content; `None` where it can't be read.
    pub hash: Option<String>,
}
