//! Tasks that look at a skill's files: the skill isn't called for them (L6).

use std::collections::HashSet;
use std::sync::Arc;

use eval_spec::callable::{Scorer, Task};
use eval_spec::{BoxFuture, Call, ExecError, Executor, Identity, Output};

/// An executor that answers `null` to some tasks by itself, and passes the others on.
struct FilesOnly {
    inner: Arc<dyn Executor>,
    tasks: HashSet<Arc<str>>,
}

/// `inner`, spared the tasks that look at files.
pub(super) fn spare(inner: Arc<dyn Executor>, tasks: &[Task]) -> Arc<dyn Executor> {
    let spared: HashSet<Arc<str>> =
        tasks.iter().filter(|task| looks_at_files(task)).map(|t| Arc::clone(&t.id)).collect();
    match spared.is_empty() {
        true => inner,
        false => Arc::new(FilesOnly { inner, tasks: spared }),
    }
}

/// Whether a task looks at the skill's files instead of calling it.
pub(super) fn looks_at_files(task: &Task) -> bool {
    matches!(task.scorer, Scorer::SkillQuality { .. })
}

impl Executor for FilesOnly {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        match self.tasks.contains(&call.key.sample) {
            true => Box::pin(async { Ok(Output::text("null")) }),
            false => self.inner.call(call),
        }
    }
}
