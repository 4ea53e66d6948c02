//! The judges' opinions on each answer, reduced to a few numbers and stored for judged cells only.

use std::collections::BTreeMap;

use eval_format::OpinionCounts;
use eval_message::{Lang, Message};
use eval_spec::record::Record;

use crate::numbers::is_rubric;

/// The opinions on each judged cell, by its index in the plan.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    pub(crate) judges: NameIndex,
    /// The names of the questions: a dimension, `rubric`, or the type of an assertion.
    pub(crate) questions: NameIndex,
    pub(crate) cells: BTreeMap<usize, Box<[JudgeQuestion]>>,
}

/// One question about one answer.
#[derive(Debug)]
pub(crate) struct JudgeQuestion {
    /// The number of its check among the cell's, those inside sets counted: the same in every cell of a sample.
    pub(crate) check: u32,
    /// Its place among the questions.
    pub(crate) question: u32,
    pub(crate) lang: Lang,
    /// Its weight in the judge layer; `None` for an assertion's, which counts elsewhere.
    weight: Option<f64>,
    pub(crate) said: Box<[Said]>,
}

impl JudgeQuestion {
    /// The opinions' scores.
    pub(crate) fn scores(&self) -> Vec<f64> {
        self.said.iter().filter_map(|one| one.score).collect()
    }
}

/// One opinion.
#[derive(Debug)]
pub(crate) struct Said {
    /// Its place among the judges.
    pub(crate) judge: u32,
    pub(crate) requests: u32,
    pub(crate) score: Option<f64>,
    pub(crate) cost: Option<f64>,
    pub(crate) why: Option<Box<Message>>,
}

impl Opinions {
    /// Stores the opinions on the cell with index `at`, if it was judged.
    pub(crate) fn keep(&mut self, at: usize, record: &Record) {
        let checks = record.grade.iter().flat_map(|grade| &grade.checks).flat_map(eval_spec::Check::with_children);
        let asked: Box<[JudgeQuestion]> = (0..)
            .zip(checks)
            .filter_map(|(at, check)| {
                let judged = check.judged.as_deref()?;
                let name = judged.dimension.as_deref().unwrap_or(&check.kind);
                let question = self.questions.place(name);
                let said = judged.opinions.iter().map(|opinion| Said {
                    judge: self.judges.place(&opinion.judge),
                    requests: opinion.requests,
                    score: opinion.score.filter(|score| score.is_finite()),
                    cost: opinion.cost_usd.map(|usd| usd.0),
                    why: opinion.why.clone().map(Box::new),
                });
                let weight = is_rubric(check).then_some(check.weight);
                Some(JudgeQuestion { check: at, question, lang: judged.lang, weight, said: said.collect() })
            })
            .collect();
        if !asked.is_empty() {
            self.cells.insert(at, asked);
        }
    }

    /// Removes the opinions on the cell with index `at`.
    pub(crate) fn forget(&mut self, at: usize) {
        self.cells.remove(&at);
    }

    /// Judges and questions in the order in which the plan's cells name them first, whatever order the cells were read
    /// in.
    pub(crate) fn settle(&mut self) {
        let asked = || self.cells.values().flatten();
        let judges = self.judges.reorder(asked().flat_map(|asked| &asked.said).map(|one| one.judge));
        let questions = self.questions.reorder(asked().map(|asked| asked.question));
        for asked in self.cells.values_mut().flatten() {
            asked.question = questions[asked.question as usize];
            asked.said.iter_mut().for_each(|one| one.judge = judges[one.judge as usize]);
        }
    }

    /// Reorders the cells: `places` has the former index of each.
    pub(crate) fn moved(&mut self, places: &[usize]) {
        let mut before = std::mem::take(&mut self.cells);
        self.cells = places.iter().enumerate().filter_map(|(now, at)| Some((now, before.remove(at)?))).collect();
    }

    /// The questions about the cell at `at`.
    pub(crate) fn of(&self, at: usize) -> &[JudgeQuestion] {
        self.cells.get(&at).map_or(&[], |asked| asked)
    }

    /// Whether a question about the cell at `at` has a score only because judges were asked again after replies that couldn't be
    /// read. Where another opinion was usable at once, there was no choice between scores.
    pub(crate) fn were_asked_again(&self, at: usize) -> bool {
        let is_again = |asked: &JudgeQuestion| {
            let mut scored = asked.said.iter().filter(|one| one.score.is_some()).peekable();
            scored.peek().is_some() && scored.all(|one| one.requests > 1)
        };
        self.of(at).iter().any(is_again)
    }

    /// Whether nothing was judged.
    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The number of judges.
    pub(crate) fn judges(&self) -> usize {
        self.judges.all.len()
    }

    /// Whether there are several judges.
    pub(crate) fn is_panel(&self) -> bool {
        self.judges.all.len() > 1
    }

    /// The score of the judge layer of the cell at `at` as each opinion by itself has it, judge by judge; empty unless
    /// every opinion has a score and every question as many opinions.
    pub(crate) fn layer_by_opinion(&self, at: usize) -> Vec<f64> {
        let rubrics: Vec<(f64, &JudgeQuestion)> =
            self.of(at).iter().filter_map(|asked| Some((asked.weight?, asked))).filter(|(w, _)| *w > 0.0).collect();
        let opinions = rubrics.first().map_or(0, |(_, asked)| asked.said.len());
        let total: f64 = rubrics.iter().map(|(weight, _)| weight).sum();
        let of_opinion = |opinion: usize| {
            let weighted = rubrics.iter().map(|(weight, asked)| Some(weight * asked.said.get(opinion)?.score?));
            Some(weighted.sum::<Option<f64>>()? / total)
        };
        let is_even = rubrics.iter().all(|(_, asked)| asked.said.len() == opinions);
        let all: Option<Vec<f64>> = (0..opinions).map(of_opinion).collect();
        all.filter(|_| is_even).unwrap_or_default()
    }

    /// Opinions planned, and those of them without a score.
    pub(crate) fn counts(&self, cells: impl Iterator<Item = usize>) -> OpinionCounts {
        let mut counts = OpinionCounts::default();
        for one in cells.flat_map(|at| self.of(at)).flat_map(|asked| &asked.said) {
            counts.planned += 1;
            counts.missing += u64::from(one.score.is_none());
        }
        counts
    }

    pub(crate) fn said(&self, judge: usize) -> impl Iterator<Item = &Said> {
        let all = self.cells.values().flatten().flat_map(|asked| &asked.said);
        all.filter(move |one| one.judge as usize == judge)
    }
}

/// Names in the order of their first use.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    pub(crate) all: Vec<String>,
    places: BTreeMap<String, u32>,
}

impl NameIndex {
    /// The place of a name, which is added if it isn't there.
    fn place(&mut self, name: &str) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// Orders the names by their first use; the new place of each old one.
    fn reorder(&mut self, used: impl Iterator<Item = u32>) -> Vec<u32> {
        let before = std::mem::take(self);
        let mut now = vec![u32::MAX; before.all.len()];
        for place in used {
            if now[place as usize] == u32::MAX {
                now[place as usize] = self.place(&before.all[place as usize]);
            }
        }
        now
    }
}
