//! What ends a run as soon as it is decided.

use eval_run::Watch;
use eval_spec::Suite;

/// What ends a run as soon as it is decided.
pub(crate) fn decider(suite: &Suite) -> Watch<'_> {
    let mut decider = eval_analysis::Decider::new(suite);
    Box::new(move |sample, records| decider.as_mut().is_some_and(|decider| decider.finished(sample, &records)))
}
