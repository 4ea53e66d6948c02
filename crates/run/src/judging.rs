//! Requests to judges, written down one by one: a run that is killed while it grades asks again only
//! what was in flight.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eval_message::plain::shortened;
use eval_message::{Message, msg};
use eval_spec::record::{Executed, Execution};
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Output, vendor};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::end::RunEnding;
use crate::engine::{ALIKE, GIVE_UP_AFTER, is_outage};
use crate::error::RunError;
use crate::guard::{Caller, Guarded, NotCalled, interrupted};
use crate::journal::Journal;

/// After so many failures in a row, answers that the run can do without are not asked for any more.
const LET_BE_AFTER: usize = 3;
/// First characters of an unusable reply in the error that ends a run.
const SHOWN: usize = 200;

/// An executor for a grader's judges: what the journal holds is not asked again, and what comes back is
/// on disk before it is used.
pub struct JournaledJudge {
    inner: Guarded,
    journal: Arc<Journal>,
    check: fn(&Call, &Output) -> Result<(), Message>,
    /// Unusable replies so far; `None` once one was usable.
    unusable: Mutex<Option<UnusableReplies>>,
    /// Requests in a row that failed as in an outage.
    outages: AtomicUsize,
    /// Requests in a row that failed in any way, or were answered by an unusable reply.
    failures: AtomicUsize,
    /// Requests that may still fail before no more are sent, of those that the run can do without: a request in flight holds
    /// one, and a failure keeps it.
    chances: Semaphore,
    /// Failures of requests before their reply, by the fingerprint of the request; none for most.
    failures_before: Mutex<HashMap<String, Vec<Failure>>>,
}

/// The replies of a judge none of whose replies was usable.
#[derive(Default)]
struct UnusableReplies {
    replies: usize,
    samples: BTreeSet<Arc<str>>,
}

impl JournaledJudge {
    /// Asks through `inner`, which should share its [`Guard`](crate::guard::Guard) with the engine. `check` says why a
    /// reply is unusable: such a reply is not cached, since it would be served to every later attempt.
    #[must_use]
    pub fn new(
        inner: Guarded,
        journal: Arc<Journal>,
        check: fn(&Call, &Output) -> Result<(), Message>,
    ) -> JournaledJudge {
        JournaledJudge {
            inner,
            journal,
            check,
            unusable: Mutex::new(Some(UnusableReplies::default())),
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
        {
            let is_usable = (self.check)(call, output).is_ok();
            if is_usable {
                *self.unusable.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
            if is_usable || !self.journal.retries_failed() {
                self.remember(&fingerprint, request.failures_after(&[]));
                return Ok((**output).clone());
            }
        }
        if matches!(self.inner.guard().ending(), Some(RunEnding::JudgeFailed { .. })) {
            return Err(interrupted());
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
        let error = match &request.result {
            Executed::Failed(error) => Some(error.clone()),
            Executed::Output(output) => (self.check)(call, output).err().map(|why| unusable(output, why)),
        };
        match chance {
            Some(chance) => self.count(error.is_some(), chance),
            None => self.watch(&request, error.as_ref()),
        }
        let failures = request.failures_after(&[]);
        self.remember(&request.fingerprint, failures.clone());
        if let Some(place) = place {
            let result = match &request.result {
                Executed::Output(output) if (self.check)(call, output).is_ok() => Ok((**output).clone()),
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
            Executed::Output(output) if (self.check)(call, output).is_ok() => None,
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
    /// Counts a request that the run can do without: after a few in a row that failed or got an unusable reply, no more are
    /// sent.
    fn count(&self, has_failed: bool, chance: SemaphorePermit<'_>) {
        match has_failed {
            true => {
                chance.forget();
                if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= LET_BE_AFTER {
                    self.chances.close();
                }
            }
            false => self.chances.add_permits(self.failures.swap(0, Ordering::Relaxed)),
        }
    }

    /// Ends the run if the judge is away, or if none of its first replies was usable: every score that lacks its opinion
    /// is missing anyway, and what it was not asked is asked when the run goes on.
    fn watch(&self, request: &Execution, error: Option<&ExecError>) {
        let is_over = match (&request.result, error) {
            (Executed::Failed(error), _) if is_outage(error.failure) || error.failure == Failure::Rejected => {
                let outages = self.outages.fetch_add(1, Ordering::Relaxed) + 1;
                outages >= GIVE_UP_AFTER || error.failure == Failure::NoCredit
            }
            (result, error) => {
                self.outages.store(0, Ordering::Relaxed);
                matches!(result, Executed::Output(_)) && self.is_never_usable(&request.key.sample, error.is_some())
            }
        };
        if let Some(error) = error.filter(|_| is_over) {
            self.inner.guard().give_up(RunEnding::JudgeFailed { error: error.clone() });
        }
    }

    /// Counts a reply about `sample`; returns whether enough replies about enough samples were unusable, and none usable.
    fn is_never_usable(&self, sample: &Arc<str>, is_unusable: bool) -> bool {
        let mut unusable = self.unusable.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_unusable {
            *unusable = None;
        }
        unusable.as_mut().is_some_and(|so_far| {
            so_far.replies += 1;
            so_far.samples.insert(Arc::clone(sample));
            so_far.replies >= GIVE_UP_AFTER && so_far.samples.len() >= ALIKE
        })
    }
}

/// Returns the error of a request whose reply is unusable.
fn unusable(output: &Output, why: Message) -> ExecError {
    let mut error = ExecError::new(Failure::Malformed, why);
    error.detail = Some(shortened(&output.text, SHOWN)).filter(|text| !text.trim().is_empty());
    error
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
