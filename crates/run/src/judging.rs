//! Requests to judges, written down one by one: a run that is killed while it grades asks again only
//! what was in flight.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eval_message::msg;
use eval_spec::record::{Executed, Execution};
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Output, vendor};

use tokio::sync::{Semaphore, SemaphorePermit};

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
    /// Requests in a row that failed in any way.
    failures: AtomicUsize,
    /// Requests that may still fail before no more are sent, of those that the run can do without: a request in flight holds
    /// one, and a failure keeps it.
    chances: Semaphore,
    /// Failures of requests before their reply, by the fingerprint of the request; none for most.
    failures_before: Mutex<HashMap<String, Vec<Failure>>>,
}

impl JournaledJudge {
    /// Asks through `inner`, which should share its [`Guard`](crate::guard::Guard) with the engine. Only a reply that is
    /// `usable` is cached: a cached unusable reply would be served to every later attempt.
    #[must_use]
    pub fn new(inner: Guarded, journal: Arc<Journal>, usable: fn(&Call, &Output) -> bool) -> JournaledJudge {
        JournaledJudge {
            inner,
            journal,
            usable,
            outages: AtomicUsize::new(0),
            failures: AtomicUsize::new(0),
            chances: Semaphore::new(LET_BE_AFTER),
            failures_before: Mutex::default(),
        }
    }

    async fn ask(&self, call: &Call) -> Result<Output, ExecError> {
        let fingerprint = call.fingerprint(self.inner.identity());
        let earlier = self.journal.judgement(&fingerprint).map_err(lost)?;
        if let Some(request) = &earlier
            && let Executed::Output(output) = &request.result
            && (!self.journal.retries_failed() || (self.usable)(call, output))
        {
            self.remember(&fingerprint, request.failures_after(&[]));
            return Ok((**output).clone());
        }
        let replaced = earlier.map(|request| self.failures_of(call, &request)).unwrap_or_default();
        let chance = match self.inner.is_optional() {
            true => Some(self.chances.acquire().await.map_err(|_| let_be())?),
            false => None,
        };
        let mut called = match self.inner.execute(call, Caller::Judge).await {
            Ok(called) => called,
            Err(NotCalled::Stopped) => return Err(interrupted()),
            Err(NotCalled::Budget(why)) => return Err(ExecError::new(Failure::Budget, why.message())),
        };
        let place = called.place.take();
        let mut request = called.into_execution(call.key.clone(), fingerprint);
        if !request.earlier_failures.ends_with(&replaced) {
            request.earlier_failures.extend(replaced);
        }
        let ticket = self.journal.append_judgement(&request);
        self.journal.commit();
        ticket.durable().await.map_err(lost)?;
        self.watch(&request.result);
        if let Some(chance) = chance {
            self.count(&request.result, chance);
        }
        let failures = request.failures_after(&[]);
        self.remember(&request.fingerprint, failures.clone());
        if let Some(place) = place {
            let result = match &request.result {
                Executed::Output(output) if (self.usable)(call, output) => Ok((**output).clone()),
                Executed::Output(_) => Err(Failure::Malformed),
                Executed::Failed(error) => Err(error.failure),
            };
            self.inner.keep(place, call, result, failures, request.finished_at).await;
        }
        match request.result {
            Executed::Failed(error) => Err(error),
            Executed::Output(output) => Ok(*output),
        }
    }

    /// The failures of a request that is made again, its end included.
    fn failures_of(&self, call: &Call, request: &Execution) -> Vec<Failure> {
        let end = match &request.result {
            Executed::Output(output) if (self.usable)(call, output) => None,
            Executed::Output(_) => Some(Failure::Malformed),
            Executed::Failed(error) => Some(error.failure),
        };
        request.failures_after(&[]).into_iter().chain(end).collect()
    }

    /// Keeps the failures that may depend on the answer, until the grader asks for them.
    fn remember(&self, fingerprint: &str, mut failures: Vec<Failure>) {
        let of_model_api = vendor::is_model_api(&self.inner.identity().executor);
        failures.retain(|failure| failure.may_select(of_model_api));
        if !failures.is_empty() {
            let mut all = self.failures_before.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(fingerprint.to_owned(), failures);
        }
    }
}

impl JournaledJudge {
    /// Counts a request that the run can do without: after a few failures in a row, no more are sent.
    fn count(&self, result: &Executed, chance: SemaphorePermit<'_>) {
        match result {
            Executed::Failed(_) => {
                chance.forget();
                if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= LET_BE_AFTER {
                    self.chances.close();
                }
            }
            Executed::Output(_) => self.chances.add_permits(self.failures.swap(0, Ordering::Relaxed)),
        }
    }

    /// A judge that is away is not asked to the end of a run, retry by retry: every score that lacks its opinion is
    /// missing anyway, and what it was not asked is asked when the run goes on.
    fn watch(&self, result: &Executed) {
        match result {
            Executed::Failed(error) if is_outage(error.failure) || error.failure == Failure::Rejected => {
                let outages = self.outages.fetch_add(1, Ordering::Relaxed) + 1;
                let is_over = outages >= GIVE_UP_AFTER || error.failure == Failure::NoCredit;
                if is_over && !self.inner.is_optional() {
                    self.inner.guard().give_up(RunEnding::Aborted { error: error.clone() });
                }
            }
            _ => self.outages.store(0, Ordering::Relaxed),
        }
    }
}

fn let_be() -> ExecError {
    ExecError::new(Failure::Unreachable, msg!("run-optional-let-be", failures = LET_BE_AFTER))
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

    fn failures_before(&self, call: &Call) -> Vec<Failure> {
        let all = self.failures_before.lock().unwrap_or_else(PoisonError::into_inner);
        match all.is_empty() {
            true => Vec::new(),
            false => all.get(&call.fingerprint(self.inner.identity())).cloned().unwrap_or_default(),
        }
    }
}
