//! Requests to judges, written down one by one: a run that is killed while it grades asks again only
//! what was in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use eval_message::msg;
use eval_spec::record::{Executed, Execution};
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Output};

use crate::end::RunEnding;
use crate::engine::{GIVE_UP_AFTER, is_outage};
use crate::error::RunError;
use crate::guard::{Caller, Guarded, NotCalled, interrupted};
use crate::journal::Journal;

/// After so many failures in a row, answers that the run can do without are not asked for any more.
const LET_BE_AFTER: usize = 3;

/// An executor for a grader's judges: what the journal holds is not asked again, and what comes back is
/// on disk before it is used.
pub struct JournaledJudge {
    inner: Guarded,
    journal: Arc<Journal>,
    usable: fn(&Call, &Output) -> bool,
    /// Requests in a row that failed as in an outage.
    outages: AtomicUsize,
}

impl JournaledJudge {
    /// Asks through `inner`, which should share its [`Guard`](crate::guard::Guard) with the engine. Only a reply that is
    /// `usable` is cached: a cached unusable reply would be served to every later attempt.
    #[must_use]
    pub fn new(inner: Guarded, journal: Arc<Journal>, usable: fn(&Call, &Output) -> bool) -> JournaledJudge {
        JournaledJudge { inner, journal, usable, outages: AtomicUsize::new(0) }
    }

    async fn ask(&self, call: &Call) -> Result<Output, ExecError> {
        if self.inner.is_optional() && self.outages.load(Ordering::Relaxed) >= LET_BE_AFTER {
            return Err(ExecError::new(Failure::Unreachable, msg!("run-optional-let-be", failures = LET_BE_AFTER)));
        }
        let fingerprint = call.fingerprint(self.inner.identity());
        if let Some(Execution { result: Executed::Output(output), .. }) =
            self.journal.judgement(&fingerprint).map_err(lost)?
            && (!self.journal.retries_failed() || (self.usable)(call, &output))
        {
            return Ok(*output);
        }
        let mut called = match self.inner.execute(call, Caller::Judge).await {
            Ok(called) => called,
            Err(NotCalled::Stopped) => return Err(interrupted()),
            Err(NotCalled::Budget(why)) => return Err(ExecError::new(Failure::Budget, why.message())),
        };
        let place = called.place.take();
        let request = called.into_execution(call.key.clone(), fingerprint);
        let ticket = self.journal.append_judgement(&request);
        self.journal.commit();
        ticket.durable().await.map_err(lost)?;
        self.watch(&request.result);
        match request.result {
            Executed::Failed(error) => Err(error),
            Executed::Output(output) => {
                if let Some(place) = place.filter(|_| (self.usable)(call, &output)) {
                    self.inner.keep(place, call, Ok((*output).clone()), Vec::new(), request.finished_at).await;
                }
                Ok(*output)
            }
        }
    }
}

impl JournaledJudge {
    /// A judge that is away is not asked to the end of a run, retry by retry: every score that lacks its opinion is
    /// missing anyway, and what it was not asked is asked when the run goes on.
    fn watch(&self, result: &Executed) {
        match result {
            Executed::Failed(error) if is_outage(error.failure) || error.failure == Failure::Rejected => {
                let outages = self.outages.fetch_add(1, Ordering::Relaxed) + 1;
                if outages >= GIVE_UP_AFTER && !self.inner.is_optional() {
                    self.inner.guard().give_up(RunEnding::Aborted { error: error.clone() });
                }
            }
            _ => self.outages.store(0, Ordering::Relaxed),
        }
    }
}

/// A journal that can't be written ends the run anyway, at the next line of a cell.
fn lost(error: RunError) -> ExecError {
    ExecError::new(Failure::Interrupted, error.message())
}

impl Executor for JournaledJudge {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn price(&self, call: &Call) -> CallPrice {
        self.inner.price(call)
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(self.ask(call))
    }
}
