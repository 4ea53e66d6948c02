//! The loop: skip what the journal holds, run the rest in the plan's order, write down each end.
//!
//! One task claims cells and emits events; each claimed cell is a task of its own that executes,
//! grades, writes its lines, and waits for them to be on disk. Only then is it announced. A place among
//! the `concurrency` is free again before that wait, so the disk never holds up the next call, but not
//! before the lines are in the file: a killed run loses what was in flight and nothing else.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::{Call, Cell, Check, Event, ExecError, Failure, Grade, Grader, Output};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinSet;

use crate::cache::observations;
use crate::end::{RunEnd, RunEnding};
use crate::error::RunError;
use crate::guard::{CachePlace, Caller, Guard, Guarded, StartTurn};
use crate::journal::spent::is_graded;
use crate::journal::{CellState, Journal, Ticket};
use crate::outage::Outage;
use crate::prefix::{self, Prefix, Watch};

/// So many cells in a row that end in what looks like an outage, and none otherwise: the run is given up.
/// Each had all its retries, and the run can be resumed when the provider works again.
pub(crate) const GIVE_UP_AFTER: usize = 10;
/// Finished cells that may wait for the disk while others run.
const MAX_UNSYNCED: usize = 512;

/// A run, ready to go.
pub struct Engine<'a> {
    /// What executes the cells; their [`Guard`] is shared with the judges.
    pub executors: Executors,
    /// What grades the answers. Its futures must not block their thread.
    pub grader: Arc<dyn Grader>,
    /// Builds the call of a cell, when its turn comes.
    pub call: &'a (dyn Fn(&Cell) -> Call + Sync),
    /// Where the run is written down, and what it goes on from.
    pub journal: Arc<Journal>,
    /// Receives every event, in order, from the task that awaits [`Engine::run`].
    pub on_event: &'a mut (dyn FnMut(Event) + Send),
    /// Makes the rule that sees each finished sample and may end the run; without it the whole plan is run.
    pub watch: Option<&'a (dyn Fn() -> Watch<'a> + Sync)>,
    /// Which cells are asked again though the cache has their answers.
    pub again: Option<Again<'a>>,
}

/// Which cells are asked again though the cache has their answers: an old answer is no observation beside a new one.
#[derive(Clone, Copy)]
pub struct Again<'a> {
    /// Those that are asked again in their turn.
    pub at_once: &'a (dyn Fn(&Cell) -> bool + Sync),
    /// Those that are asked again when everything else is done, by what that showed: places in the plan.
    pub after: &'a (dyn Fn(&Journal) -> Result<Vec<usize>, RunError> + Sync),
}

/// What executes the cells of a run; all of it shares one [`Guard`].
pub struct Executors {
    guard: Arc<Guard>,
    of: ExecutorChoice,
}

enum ExecutorChoice {
    All(Arc<Guarded>),
    /// By [`Cell::subject`].
    Each(Vec<Arc<Guarded>>),
}

impl Executors {
    /// The same executor for every subject.
    #[must_use]
    pub fn one(executor: Arc<Guarded>) -> Executors {
        Executors { guard: Arc::clone(executor.guard()), of: ExecutorChoice::All(executor) }
    }

    /// One executor for each subject, by [`Cell::subject`], each behind `guard`.
    #[must_use]
    pub fn per_subject(executors: Vec<Guarded>, guard: Arc<Guard>) -> Executors {
        Executors { guard, of: ExecutorChoice::Each(executors.into_iter().map(Arc::new).collect()) }
    }

    fn of(&self, cell: &Cell) -> Option<Arc<Guarded>> {
        match &self.of {
            ExecutorChoice::All(executor) => Some(Arc::clone(executor)),
            ExecutorChoice::Each(executors) => executors.get(cell.subject).map(Arc::clone),
        }
    }

    fn is_cached(&self) -> bool {
        match &self.of {
            ExecutorChoice::All(executor) => executor.is_cached(),
            ExecutorChoice::Each(executors) => executors.iter().any(|executor| executor.is_cached()),
        }
    }
}

impl Engine<'_> {
    /// Runs all of `plan` that its journal doesn't hold yet.
    ///
    /// Must be called within a multi-purpose tokio runtime (time enabled). Dropping the future drops
    /// the running calls; what is on disk can be resumed.
    ///
    /// # Errors
    /// When the journal belongs to another plan, or can't be written.
    pub async fn run(mut self, plan: &Plan) -> Result<RunEnd, RunError> {
        self.journal.check(plan, &self.journal.header().inputs)?;
        let guard = Arc::clone(&self.executors.guard);
        guard.remember(&self.journal);
        let outage = guard.limits().outage;
        let is_done = |cell: &&Cell| {
            let is_again = self.again.is_some_and(|again| (again.at_once)(cell)) && self.journal.is_cached(cell);
            self.journal.state(cell, outage) == CellState::Final && !is_again
        };
        let resumed = plan.cells.iter().filter(is_done).count();
        (self.on_event)(Event::RunStarted { total: plan.cells.len(), resumed });
        // What failed before a decision may undo it, so it comes first; with it, the decision is made again.
        let retries = self.watch.is_some() && self.journal.retries_failed();
        let resumed = match retries {
            true => self.run_cells(plan, Claimable::Held, resumed, &guard, None).await?,
            false => resumed,
        };
        let is_over = retries && guard.stop().is_draining();
        let watch = self.watch.filter(|_| !is_over);
        let was_decided = watch.map(|watch| prefix::is_decided(plan, &self.journal, watch())).transpose()?;
        let mut prefix = watch.map(|watch| Prefix::new(plan, &self.journal, watch()));

        let done = match was_decided {
            Some(true) => resumed,
            None if is_over => resumed,
            _ => self.run_cells(plan, Claimable::All, resumed, &guard, prefix.as_mut()).await?,
        };

        let total = plan.cells.len();
        let done = match self.again.filter(|_| done == total && !guard.stop().is_draining()) {
            Some(again) => self.run_again(plan, (again.after)(&self.journal)?, &guard).await?,
            None => done,
        };
        (self.on_event)(Event::RunFinished { done });
        let ended = match guard.ending() {
            // Whatever else ended it meanwhile: nothing is missing.
            _ if was_decided == Some(true) || prefix.is_some_and(|prefix| prefix.is_decided()) => RunEnding::Decided,
            Some(RunEnding::BudgetExhausted { why }) => {
                RunEnding::BudgetExhausted { why: guard.purse().as_of_now(*why) }
            }
            Some(why) => why.clone(),
            None if done < total => match guard.left() {
                Some(why) if !guard.stop().is_draining() => why.clone(),
                _ => RunEnding::Interrupted,
            },
            None => RunEnding::Complete,
        };
        Ok(RunEnd { done, total, ended, warnings: guard.warnings() })
    }

    /// Asks cells again that have answers from the cache; how many cells of the plan are done then.
    async fn run_again(&mut self, plan: &Plan, mut places: Vec<usize>, guard: &Arc<Guard>) -> Result<usize, RunError> {
        places.retain(|&at| plan.cells.get(at).is_some_and(|cell| self.journal.is_cached(cell)));
        let done = plan.cells.len() - places.len();
        match places.is_empty() {
            true => Ok(done),
            false => self.run_cells(plan, Claimable::Again(places), done, guard, None).await,
        }
    }

    async fn run_cells(
        &mut self,
        plan: &Plan,
        claimable: Claimable,
        resumed: usize,
        guard: &Arc<Guard>,
        mut prefix: Option<&mut Prefix<'_>>,
    ) -> Result<usize, RunError> {
        let (sender, mut events) = unbounded_channel();
        guard.send_events_to(sender);
        let places = Arc::new(Semaphore::new(guard.limits().concurrency.clamp(1, Semaphore::MAX_PERMITS)));
        let mut draining = pin!(guard.stop().draining());
        let mut is_draining = false;
        let at_once = self.again.map(|again| again.at_once);
        let (journal, outage) = (Arc::clone(&self.journal), guard.limits().outage);
        let mut claims = Claims::new(plan, claimable, at_once, journal, outage, self.executors.is_cached());
        let mut tasks = JoinSet::new();
        let mut tally = EngineTally { done: resumed, bad_in_a_row: 0, start: RunBeginning::of(&self.journal, plan) };
        let mut next = claims.next();
        loop {
            if tasks.is_empty() && (next.is_none() || is_draining) {
                return Ok(tally.done);
            }
            let may_claim = next.is_some() && !is_draining && tasks.len() < tally.most_tasks(guard);
            tokio::select! {
                biased;
                Some(event) = events.recv() => (self.on_event)(event),
                Some(ended) = tasks.join_next() => {
                    let ended: Result<CellEnd, RunError> = ended.unwrap_or_else(resume_panic);
                    let ended = ended?;
                    if let (Some(prefix), CellEnd::Done(done)) = (&mut prefix, &ended)
                        && prefix.finished(&done.record.execution.key)?
                    {
                        guard.stop().drain();
                    }
                    self.take_in(ended, &mut tally, &mut events, guard);
                }
                () = &mut draining, if !is_draining => {
                    is_draining = true;
                    (self.on_event)(Event::Stopping { running: tasks.len() });
                }
                place = Arc::clone(&places).acquire_owned(), if may_claim => {
                    let (Some(claim), Ok(place)) = (next.take(), place) else { continue };
                    tasks.spawn(self.task_of(claim, place));
                    next = claims.next();
                }
            }
        }
    }

    fn task_of(
        &self,
        claim: ClaimedCell<'_>,
        place: OwnedSemaphorePermit,
    ) -> impl Future<Output = Result<CellEnd, RunError>> + use<> {
        let work = CellJob {
            executor: self.executors.of(claim.cell),
            guard: Arc::clone(&self.executors.guard),
            grader: Arc::clone(&self.grader),
            journal: Arc::clone(&self.journal),
            cell: claim.cell.clone(),
            is_watched: self.watch.is_some(),
        };
        let is_called = claim.caller.is_some() || claim.again.is_some();
        let call = is_called.then(|| (self.call)(claim.cell));
        async move {
            match (call, claim.caller) {
                (Some(call), caller) => work.execute(&call, caller, claim.again, place).await,
                (None, _) => work.grade_only(place).await,
            }
        }
    }

    /// Announces a cell's end, after every earlier event of the cell.
    fn take_in(&mut self, end: CellEnd, tally: &mut EngineTally, events: &mut UnboundedReceiver<Event>, guard: &Guard) {
        while let Ok(event) = events.try_recv() {
            (self.on_event)(event);
        }
        let CellEnd::Done(done) = end else { return };
        let record = done.record;
        tally.done += 1;
        let paid = !record.execution.cached;
        if let Some(error) = tally.hopeless(&record.execution)
            && guard.limits().outage == Outage::EndsTheRun
        {
            guard.give_up(RunEnding::Aborted { error: error.clone() });
        }
        (self.on_event)(Event::CellFinished { record: Arc::new(record), done: tally.done });
        if paid {
            (self.on_event)(Event::Budget { spent: guard.purse().spent(), assumed: guard.purse().assumed() });
        }
    }
}

/// A panic in a task goes on in the caller; nothing that was paid for is lost, the journal sees to that.
fn resume_panic(error: tokio::task::JoinError) -> Result<CellEnd, RunError> {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Ok(CellEnd::NotDone),
    }
}

struct EngineTally {
    done: usize,
    bad_in_a_row: usize,
    start: RunBeginning,
}

impl EngineTally {
    /// Tasks at once: further ones while some wait for the disk, once a call has shown that calls may succeed.
    fn most_tasks(&self, guard: &Guard) -> usize {
        match self.start {
            RunBeginning::Failing(..) => guard.limits().concurrency.max(1),
            RunBeginning::Over => guard.limits().concurrency.saturating_add(MAX_UNSYNCED),
        }
    }

    /// The failure that ended too many cells in a row, or all from the start.
    fn hopeless<'a>(&mut self, execution: &'a Execution) -> Option<&'a ExecError> {
        if let Some(error) = self.start.fails_alike(execution) {
            return Some(error);
        }
        match &execution.result {
            Executed::Failed(error) if is_outage(error.failure) => {
                self.bad_in_a_row += 1;
                (self.bad_in_a_row >= GIVE_UP_AFTER).then_some(error)
            }
            _ => {
                self.bad_in_a_row = 0;
                None
            }
        }
    }
}

/// So many samples that all end alike, from the first call on: no call can succeed.
pub(crate) const ALIKE: usize = 3;

/// What all cells so far ended with, as long as it is one failure.
enum RunBeginning {
    Failing(AlikeFailures),
    /// There is an answer, or another failure.
    Over,
}

struct AlikeFailures {
    /// What each of them ended with; `None` before the first.
    error: Option<ExecError>,
    /// The samples among them.
    samples: Vec<Arc<str>>,
    /// The subjects of the plan that are not among them: each may be a program of its own.
    other_subjects: BTreeSet<Arc<str>>,
}

impl RunBeginning {
    fn of(journal: &Journal, plan: &Plan) -> RunBeginning {
        if journal.answers() > 0 {
            return RunBeginning::Over;
        }
        let other_subjects = plan.cells.iter().map(|cell| Arc::clone(&cell.key.subject)).collect();
        RunBeginning::Failing(AlikeFailures { error: None, samples: Vec::new(), other_subjects })
    }

    /// The failure, once every subject and enough samples ended with it and nothing else happened: a model that doesn't
    /// exist, a command that always crashes, a page in place of an answer. One sample may be rejected for its own sake,
    /// and a subject that fails at once says nothing of one that is still at work.
    fn fails_alike<'a>(&mut self, execution: &'a Execution) -> Option<&'a ExecError> {
        let RunBeginning::Failing(alike) = self else { return None };
        let error = match &execution.result {
            Executed::Failed(error) if alike.error.as_ref().is_none_or(|first| is_alike(first, error)) => error,
            _ => {
                *self = RunBeginning::Over;
                return None;
            }
        };
        alike.error.get_or_insert_with(|| error.clone());
        alike.other_subjects.remove(&execution.key.subject);
        if !alike.samples.contains(&execution.key.sample) {
            alike.samples.push(Arc::clone(&execution.key.sample));
        }
        (alike.samples.len() >= ALIKE && alike.other_subjects.is_empty()).then_some(error)
    }
}

/// Whether two calls failed for one reason that has nothing to do with what was asked. What a program prints as it crashes
/// may differ; what a provider says of a request is the reason.
fn is_alike(one: &ExecError, other: &ExecError) -> bool {
    let is_same = one.failure == other.failure && one.status == other.status;
    is_same
        && match one.failure {
            Failure::Crashed | Failure::Killed | Failure::Malformed => true,
            Failure::Rejected | Failure::Auth | Failure::NoCredit => one.detail == other.detail,
            _ => false,
        }
}

/// Whether a failure says more of the provider than of the one call, once all its retries are used up.
pub(crate) fn is_outage(failure: Failure) -> bool {
    let passing = [Failure::RateLimited, Failure::Server, Failure::Timeout, Failure::Dropped];
    failure.hopeless() || passing.contains(&failure)
}

/// Which cells may be claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Claimable {
    /// Every cell without a final result.
    All,
    /// Those of them that were executed before.
    Held,
    /// These, though they have an answer from the cache.
    Again(Vec<usize>),
}

/// The cells that are left, in the plan's order.
struct Claims<'a> {
    claimable: Claimable,
    cells: std::iter::Enumerate<std::slice::Iter<'a, Cell>>,
    /// Which cells are asked again though the cache has their answers.
    at_once: Option<&'a (dyn Fn(&Cell) -> bool + Sync)>,
    journal: Arc<Journal>,
    outage: Outage,
    /// Of every cell; made only when a cache asks for it.
    observations: Vec<u32>,
    /// Goes when the cell claimed last has started.
    last: Option<oneshot::Receiver<()>>,
}

struct ClaimedCell<'a> {
    cell: &'a Cell,
    /// Who executes it; `None` when only its grade is missing, or it is only asked again.
    caller: Option<Caller>,
    /// Who asks again, if the answer is one from the cache.
    again: Option<Caller>,
}

impl<'a> Claims<'a> {
    fn new(
        plan: &'a Plan,
        claimable: Claimable,
        at_once: Option<&'a (dyn Fn(&Cell) -> bool + Sync)>,
        journal: Arc<Journal>,
        outage: Outage,
        cached: bool,
    ) -> Claims<'a> {
        // Of the whole plan: which cell it is among equal ones doesn't depend on what may be claimed.
        let observations = if cached { observations(plan) } else { Vec::new() };
        Claims { claimable, cells: plan.cells.iter().enumerate(), at_once, journal, outage, observations, last: None }
    }

    fn next(&mut self) -> Option<ClaimedCell<'a>> {
        while let Some((at, cell)) = self.cells.next() {
            if self.claimable == Claimable::Held && !self.journal.holds(cell) {
                continue;
            }
            let state = self.journal.state(cell, self.outage);
            let is_again = match &self.claimable {
                Claimable::Again(places) => places.contains(&at),
                Claimable::All | Claimable::Held => self.at_once.is_some_and(|at_once| at_once(cell)),
            };
            let is_again = is_again && (state == CellState::Nothing || self.journal.is_cached(cell));
            if state == CellState::Final && !is_again {
                continue;
            }
            let caller = (state == CellState::Nothing).then(|| self.caller(at, false));
            let again = is_again.then(|| self.caller(at, true));
            return Some(ClaimedCell { cell, caller, again });
        }
        None
    }

    fn caller(&mut self, at: usize, is_again: bool) -> Caller {
        let observation = self.observations.get(at).copied().unwrap_or(0);
        // Who asks again has no turn: cells after it don't wait for what may not happen.
        let turn = if is_again { StartTurn::after(&mut None) } else { StartTurn::after(&mut self.last) };
        Caller::Cell { observation, turn, is_again }
    }
}

/// How a cell's task ended.
enum CellEnd {
    /// Executed, graded if there was an answer, and on disk.
    Done(Box<FinishedCell>),
    /// Stopped on the way: to be done when the run is resumed.
    NotDone,
}

/// What a cell's execution came to.
struct AskedCell {
    execution: Execution,
    /// The outer `None` where there is nothing to grade, the inner one where grading was cut short.
    grade: Option<Option<Grade>>,
    ticket: Ticket,
    cache_place: Option<CachePlace>,
}

impl AskedCell {
    fn is_cached(&self) -> bool {
        self.execution.cached
    }
}

/// Why a cell was not executed.
enum NotAsked {
    /// The run is ending.
    Stopped,
    /// The budget of the sample forbids it.
    OverBudget,
}

struct FinishedCell {
    record: Record,
    /// The cell's place, where the run may be over with it: another one takes it only when that is known.
    _place: Option<OwnedSemaphorePermit>,
}

/// One cell and what it takes to do it.
struct CellJob {
    /// `None` for a subject without an executor: such a cell stays undone.
    executor: Option<Arc<Guarded>>,
    guard: Arc<Guard>,
    grader: Arc<dyn Grader>,
    journal: Arc<Journal>,
    cell: Cell,
    /// Whether the run may be over with this cell.
    is_watched: bool,
}

impl CellJob {
    /// Executes the cell, and again where the answer comes from the cache and a new one is asked for. Without a caller the
    /// journal has that answer.
    async fn execute(
        self,
        call: &Call,
        caller: Option<Caller>,
        again: Option<Caller>,
        place: OwnedSemaphorePermit,
    ) -> Result<CellEnd, RunError> {
        let asked = match caller {
            Some(caller) => Some(self.ask(call, caller).await),
            None => None,
        };
        let again = again.filter(|_| asked.as_ref().is_none_or(|asked| asked.as_ref().is_ok_and(AskedCell::is_cached)));
        let asked = match (asked, again) {
            (Some(asked), None) => asked,
            (_, Some(again)) => {
                self.journal.commit();
                self.grade_cached().await?;
                self.ask(call, again).await
            }
            (None, None) => Err(NotAsked::Stopped),
        };
        match asked {
            Ok(asked) => self.settle(call, asked, place).await,
            Err(NotAsked::Stopped) => Ok(CellEnd::NotDone),
            Err(NotAsked::OverBudget) => {
                let record = self.journal.record(&self.cell)?;
                Ok(record.map_or(CellEnd::NotDone, |record| self.done(record, place)))
            }
        }
    }

    /// The end of a cell. Its place is free again, unless the run may be over with it.
    fn done(&self, record: Record, place: OwnedSemaphorePermit) -> CellEnd {
        CellEnd::Done(Box::new(FinishedCell { record, _place: self.is_watched.then_some(place) }))
    }

    /// One execution with its grade, queued for the journal.
    async fn ask(&self, call: &Call, caller: Caller) -> Result<AskedCell, NotAsked> {
        let is_again = matches!(caller, Caller::Cell { is_again: true, .. });
        let executor = self.executor.clone().ok_or(NotAsked::Stopped)?;
        let mut called = executor.execute(call, caller).await.map_err(|_| NotAsked::Stopped)?;
        // A sample's budget that forbids to ask again leaves the answer that there is.
        if is_again && matches!(&called.result, Err(error) if error.failure == Failure::Budget) {
            return Err(NotAsked::OverBudget);
        }
        let cache_place = called.place.take();
        let execution = called.into_execution(self.cell.key.clone(), self.cell.fingerprint.to_string());
        // Queued, not yet written: an instant grade goes into the same batch.
        let ticket = self.journal.append_execution(&execution);
        let grade = match &execution.result {
            Executed::Output(output) if is_graded(output.outcome) => Some(self.grade(output).await),
            _ => None,
        };
        let ticket = match &grade {
            Some(Some(grade)) => self.journal.append_grade(&self.cell.key, grade),
            _ => ticket,
        };
        Ok(AskedCell { execution, grade, ticket, cache_place })
    }

    /// Waits until what was asked is on disk.
    async fn settle(&self, call: &Call, asked: AskedCell, place: OwnedSemaphorePermit) -> Result<CellEnd, RunError> {
        let AskedCell { execution, grade, ticket, cache_place } = asked;
        self.journal.commit();
        let place = self.is_watched.then_some(place);
        ticket.durable().await?;
        if let (Some(place), Some(executor)) = (cache_place, &self.executor) {
            let replaced = self.journal.replaced_failures(&self.cell);
            executor.keep_cell(place, call, &execution, replaced).await;
        }
        let interrupted = matches!(&execution.result, Executed::Failed(e) if e.failure == Failure::Interrupted);
        Ok(match grade {
            Some(None) => CellEnd::NotDone,
            _ if interrupted => CellEnd::NotDone,
            grade => {
                let record = Record {
                    execution,
                    grade: grade.flatten(),
                    artifacts_read: Vec::new(),
                    replaced_failures: Vec::new(),
                };
                CellEnd::Done(Box::new(FinishedCell { record, _place: place }))
            }
        })
    }

    /// Grades an answer from the cache that an earlier part of the run was killed before grading.
    async fn grade_cached(&self) -> Result<(), RunError> {
        let Some(record) = self.journal.record(&self.cell)?.filter(|record| record.grade.is_none()) else {
            return Ok(());
        };
        if let Executed::Output(output) = &record.execution.result
            && is_graded(output.outcome)
            && let Some(grade) = self.grade(output).await
        {
            drop(self.journal.append_grade(&self.cell.key, &grade));
        }
        Ok(())
    }

    /// An answer that an earlier part of the run was killed before grading.
    async fn grade_only(self, place: OwnedSemaphorePermit) -> Result<CellEnd, RunError> {
        let Some(mut record) = self.journal.record(&self.cell)? else { return Ok(CellEnd::NotDone) };
        let Executed::Output(output) = &record.execution.result else { return Ok(CellEnd::NotDone) };
        self.guard.emit(Event::CellStarted { key: self.cell.key.clone() });
        let Some(grade) = self.grade(output).await else { return Ok(CellEnd::NotDone) };
        let ticket = self.journal.append_grade(&self.cell.key, &grade);
        self.journal.commit();
        let place = self.is_watched.then_some(place);
        ticket.durable().await?;
        record.grade = Some(grade);
        Ok(CellEnd::Done(Box::new(FinishedCell { record, _place: place })))
    }

    /// `None` when the run was killed meanwhile, or ends before the judges have spoken.
    async fn grade(&self, output: &Output) -> Option<Grade> {
        let mut grading = self.grader.grade(&self.cell, output);
        if let Poll::Ready(grade) = futures::poll!(&mut grading) {
            return (!self.is_cut_short(&grade)).then_some(grade);
        }
        // A judge takes its time, and the answer is paid for: it goes to disk meanwhile.
        self.journal.commit();
        tokio::select! {
            biased;
            () = self.guard.stop().killed() => None,
            grade = grading => (!self.is_cut_short(&grade)).then_some(grade),
        }
    }

    /// Whether judges stayed silent because the run is ending: then the answer is graded when it goes on.
    fn is_cut_short(&self, grade: &Grade) -> bool {
        let silent = |check: &Check| check.judged.as_ref().is_some_and(|judged| judged.score.is_none());
        self.guard.ending().is_some() && grade.checks.iter().flat_map(Check::with_children).any(silent)
    }
}
