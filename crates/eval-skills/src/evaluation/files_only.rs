//! Tasks that are scored by a skill's files: the skill isn't called for them.

use std::collections::HashSet;
use std::sync::Arc;

use eval_spec::callable::{CallableSkill, Task};
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Identity, Output};

/// An executor that answers `null` to tasks that are scored by files, and passes the others on.
struct FilesOnly {
    inner: Arc<dyn Executor>,
    tasks: HashSet<Arc<str>>,
}

/// `inner`, without the tasks that are scored by files.
pub(super) fn spare(inner: Arc<dyn Executor>, tasks: &[Task]) -> Arc<dyn Executor> {
    let tasks: HashSet<_> = tasks.iter().filter(|task| is_scored_by_files(task)).map(|t| Arc::clone(&t.id)).collect();
    if tasks.is_empty() { inner } else { Arc::new(FilesOnly { inner, tasks }) }
}

/// The executor of a skill that is never called.
pub(super) fn uncalled(skill: &CallableSkill) -> Arc<dyn Executor> {
    Arc::new(Uncalled(Identity {
        executor: skill.adapter.name().to_owned(),
        version: Some(skill.version.clone()),
        provider: format!("skill {}", skill.id),
        base_url: None,
        details: Some(skill.hash.to_string()),
        program: None,
        sandbox: None,
    }))
}

struct Uncalled(Identity);

impl Executor for Uncalled {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Ok(Output::text("null")) })
    }
}

/// Whether a task is scored by the skill's files instead of a call.
pub(super) fn is_scored_by_files(task: &Task) -> bool {
    !task.scorer.kind().calls_skill()
}

impl Executor for FilesOnly {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn price(&self, call: &Call) -> CallPrice {
        self.inner.price(call)
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        match self.tasks.contains(&call.key.sample) {
            true => Box::pin(async { Ok(Output::text("null")) }),
            false => self.inner.call(call),
        }
    }
}
