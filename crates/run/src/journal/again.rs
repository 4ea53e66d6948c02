//! `--retry-failed`: what is asked again although the journal holds a result of it.

use eval_spec::plan::Plan;
use eval_spec::record::{Line, Record};
use eval_spec::{Check, Pair};

use super::Journal;
use crate::error::RunError;

/// What is asked again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedAgain {
    /// Executions that failed: a time limit, a server in trouble, a program that crashed.
    pub executions: usize,
    /// Answers on which an opinion of a judge is missing.
    pub answers: usize,
    /// Pairs of answers of which a comparison by a judge is missing.
    pub pairs: usize,
}

impl Journal {
    /// Takes what failed in `plan` for undone: executions that failed, also of a run that was decided without them, and
    /// answers and pairs with a missing opinion, also where the judge's reply was there but unusable. Everything else keeps
    /// its result; usable opinions on a reopened answer are not asked for again.
    ///
    /// # Errors
    /// When the journal can't be read.
    pub fn retry_failed(&mut self, plan: &Plan) -> Result<AskedAgain, RunError> {
        self.retries_failed = true;
        let mut again = AskedAgain::default();
        for cell in &plan.cells {
            again.executions += usize::from(self.index().has_failed(cell));
            if self.record(cell)?.as_ref().is_some_and(lacks_opinion) {
                self.index().reopen(cell);
                again.answers += 1;
            }
        }
        let pairs = self.index().pair_spans();
        for span in pairs {
            if let Line::Pair(pair) = self.line_at(span)?
                && is_incomplete(&pair)
            {
                self.index().reopen_pair(&pair);
                again.pairs += 1;
            }
        }
        Ok(again)
    }

    /// Whether [`Journal::retry_failed`] was called.
    pub(crate) fn retries_failed(&self) -> bool {
        self.retries_failed
    }
}

fn lacks_opinion(record: &Record) -> bool {
    let checks = record.grade.iter().flat_map(|grade| &grade.checks).flat_map(Check::with_children);
    let mut opinions = checks.filter_map(|check| check.judged.as_deref()).flat_map(|judged| &judged.opinions);
    opinions.any(|opinion| opinion.score.is_none())
}

fn is_incomplete(pair: &Pair) -> bool {
    pair.questions.iter().flat_map(|question| &question.opinions).any(|opinion| opinion.verdict().is_none())
}
