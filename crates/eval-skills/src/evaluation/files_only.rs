//! Tasks that look at a skill's files: the skill isn't called for them.

use std::collections::HashSet;
use std::sync::Arc;

use eval_spec::callable::{CallableSkill, Task};
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

/// What stands for a skill whose files alone are looked at.
pub(super) fn uncalled(skill: &CallableSkill) -> Arc<dyn Executor> {
    Arc::new(Uncalled(Identity {
        executor: skill.adapter.name().to_owned(),
        version: Some(skill.version.clone()),
        provider: format!("skill {}", skill.id),
        base_url: None,
        details: Some(skill.hash.to_string()),
    }))
}

/// An executor that answers `null` to everything.
struct Uncalled(Identity);

impl Executor for Uncalled {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Ok(Output::text("null")) })
    }
}

/// Whether a task looks at the skill's files instead of calling it.
pub(super) fn looks_at_files(task: &Task) -> bool {
    !task.scorer.kind().calls_skill()
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
