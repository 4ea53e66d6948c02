//! After the cells: the answers of every two variants to the same sample and repeat, compared.
//!
//! A pair needs both answers, so it is asked once the cells are done. Each request passes the guard and the journal
//! like any other judge request; a pair's result is a line of its own, so that a resumed run compares no pair twice,
//! and a report needs no judge.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_spec::plan::Plan;
use eval_spec::record::Executed;
use eval_spec::{BoxFuture, Cell, Event, Pair, PairJudged};
use futures::{StreamExt, stream};

use crate::end::{RunEnd, RunEnding};
use crate::error::RunError;
use crate::guard::Guard;
use crate::journal::Journal;
use crate::journal::spent::is_graded;

/// Compares two answers: the earlier answer's cell and text, then the later one's.
pub type Compare<'a> = dyn Fn([(Cell, String); 2]) -> BoxFuture<'a, Vec<PairJudged>> + Sync + 'a;

/// The pairs of a run, ready to go.
pub struct Pairing<'a> {
    /// What the judges' requests pass.
    pub guard: Arc<Guard>,
    /// Where the answers are, and the pairs go.
    pub journal: Arc<Journal>,
    /// Has the judges compare two answers.
    pub compare: &'a Compare<'a>,
    /// Receives the progress.
    pub on_event: &'a (dyn Fn(Event) + Sync),
}

/// The cells of every two variants that answer the same sample in the same repeat, of the samples that `is_paired`
/// names by their place; the earlier variant first, in the plan's order of samples and repeats.
pub fn pairs(plan: &Plan, is_paired: impl Fn(usize) -> bool) -> Vec<[&Cell; 2]> {
    let mut groups: BTreeMap<(u32, usize), Vec<&Cell>> = BTreeMap::new();
    for cell in plan.cells.iter().filter(|cell| is_paired(cell.sample)) {
        groups.entry((cell.key.repeat, cell.sample)).or_default().push(cell);
    }
    let mut pairs = Vec::new();
    for cells in groups.values_mut() {
        cells.sort_by_key(|cell| cell.subject);
        for (i, earlier) in cells.iter().enumerate() {
            pairs.extend(cells[i + 1..].iter().map(|later| [*earlier, *later]));
        }
    }
    pairs
}

/// How one pair's turn ended.
enum PairEnd {
    /// It is on disk, or one of its answers is none.
    Done,
    /// The run is ending.
    NotDone,
}

impl Pairing<'_> {
    /// Compares all of `pairs` that the journal doesn't hold yet, as many at once as cells may be. `end` is how the
    /// cells ended: after anything but their completion no pair is asked.
    ///
    /// # Errors
    /// When the journal can't be read or written.
    pub async fn run(&self, pairs: &[[&Cell; 2]], end: RunEnd) -> Result<RunEnd, RunError> {
        if end.ended != RunEnding::Complete || pairs.is_empty() {
            return Ok(end);
        }
        let at_once = self.guard.limits().concurrency.max(1);
        let mut turns = stream::iter(pairs).map(|pair| self.one(*pair)).buffer_unordered(at_once);
        let mut done = 0;
        (self.on_event)(Event::ComparingStarted { total: pairs.len() });
        while let Some(turn) = turns.next().await {
            done += usize::from(matches!(turn?, PairEnd::Done));
            (self.on_event)(Event::PairFinished { done });
        }
        (self.on_event)(Event::ComparingFinished);
        let ended = match self.guard.ending() {
            Some(why) => why.clone(),
            None if done < pairs.len() => RunEnding::Interrupted,
            None => RunEnding::Complete,
        };
        let total = end.total + pairs.len();
        Ok(RunEnd { done: end.done + done, total, ended, warnings: self.guard.warnings() })
    }

    async fn one(&self, pair: [&Cell; 2]) -> Result<PairEnd, RunError> {
        let [earlier, later] = pair;
        let variants = [&*earlier.key.subject, &*later.key.subject];
        if self.journal.has_pair(&earlier.key.sample, earlier.key.repeat, variants) {
            return Ok(PairEnd::Done);
        }
        let (Some(first), Some(second)) = (self.answer(earlier)?, self.answer(later)?) else {
            return Ok(PairEnd::Done);
        };
        if self.guard.stop().is_draining() {
            return Ok(PairEnd::NotDone);
        }
        let comparing = (self.compare)([(earlier.clone(), first), (later.clone(), second)]);
        let questions = tokio::select! {
            biased;
            () = self.guard.stop().killed() => return Ok(PairEnd::NotDone),
            questions = comparing => questions,
        };
        // Judges that stayed silent because the run is ending are asked when it goes on.
        let silent = || questions.iter().flat_map(|question| &question.opinions).any(|one| one.verdict().is_none());
        if self.guard.ending().is_some() && silent() {
            return Ok(PairEnd::NotDone);
        }
        let ticket = self.journal.append_pair(&Pair {
            sample: Arc::clone(&earlier.key.sample),
            repeat: earlier.key.repeat,
            earlier: Arc::clone(&earlier.key.subject),
            later: Arc::clone(&later.key.subject),
            questions,
        });
        self.journal.commit();
        ticket.durable().await?;
        Ok(PairEnd::Done)
    }

    /// The text of an answer; `None` of whatever else came.
    fn answer(&self, cell: &Cell) -> Result<Option<String>, RunError> {
        Ok(self.journal.record(cell)?.and_then(|record| match record.execution.result {
            Executed::Output(output) if is_graded(output.outcome) => Some(output.text),
            _ => None,
        }))
    }
}
