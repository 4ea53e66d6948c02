//! Where in the journal each cell's lines are, and what they cost: the journal's only part in memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use eval_spec::gap::HEDGING_SUBJECT;
use eval_spec::record::BegunCall;
use eval_spec::units::Usd;
use eval_spec::{Cell, CellKey, Failure, Outcome, Pair};
use jiff::Timestamp;
use rayon::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::RunError;
use crate::journal::line::{self, BadLine};
use crate::journal::spent::{JournalCost, is_graded};
use crate::outage::Outage;

/// A line's place in the file, without its line feed.
#[derive(Clone, Copy, Debug)]
pub struct LineSpan {
    pub offset: u64,
    length: u64,
}

impl LineSpan {
    pub fn new(offset: u64, length: u64) -> LineSpan {
        LineSpan { offset, length }
    }

    pub(super) fn length(self) -> usize {
        usize::try_from(self.length).unwrap_or(usize::MAX)
    }
}

/// The state of a cell in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellState {
    /// To be executed: it has no final result.
    Nothing,
    /// An answer that has no grade yet, or one that lacks judges who could not be asked.
    Ungraded,
    /// Executed and graded.
    Final,
}

/// Two variants whose answers were compared, the line that says so, and whether they are to be compared again.
type ComparedPair = ([Arc<str>; 2], LineSpan, bool);

/// What the executions of one sample cost and took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SampleSpent {
    pub(crate) usd: f64,
    pub(crate) ms: u64,
}

#[derive(Debug, Default)]
pub struct JournalIndex {
    entries: HashMap<CellKey, CellEntry>,
    /// The last time that each request was made to a judge, by the hash of its fingerprint.
    judgements: HashMap<u64, LineSpan>,
    /// Compared answers, by sample and repeat: the two variants, and the line.
    pairs: HashMap<(Arc<str>, u32), Vec<ComparedPair>>,
    /// Whether any cell was answered before this process.
    was_answered: bool,
    names: HashSet<Arc<str>>,
    pub(super) spent: JournalCost,
    /// Calls that have left and did not end yet, by what for: of a cell, or of its judges (true).
    under_way: HashMap<(CellKey, bool), u32>,
    /// Ends of calls that nothing says have left.
    ends_alone: u32,
    /// The most that a call was expected to cost.
    dearest_expected: f64,
    /// Calls whose end was lost, with a process that was killed or on a line that can't be used: each is taken for the
    /// dearest.
    pub(super) lost_calls: u32,
    /// The cells without a result whose calls were under way when a run was killed, with a failure for each.
    killed: HashMap<CellKey, Vec<Failure>>,
    /// The part of it that went to judges.
    pub(super) judging: JournalCost,
    /// The part of it that went to the classifier of hedging.
    pub(super) classifying: JournalCost,
    samples: HashMap<Arc<str>, SampleSpent>,
}

#[derive(Debug)]
struct CellEntry {
    /// A hash in memory is enough to see that a fingerprint is another one.
    fingerprint: u64,
    execution: LineSpan,
    grade: Option<LineSpan>,
    /// Whether a judge could not be asked when it was graded.
    open: bool,
    outcome: Option<Outcome>,
    failure: Option<Failure>,
    /// A failure that was taken over from another run: it stays one.
    settled: bool,
    /// Whether it is an output from the cache.
    cached: bool,
    /// The output from the cache that this one replaces, with its grade.
    replaced: Option<(LineSpan, Option<LineSpan>)>,
    /// The failures of this execution's attempts, and of executions that it replaces, oldest first.
    failures: Vec<Failure>,
    /// How many of them are of executions that it replaces.
    before: usize,
}

impl CellEntry {
    /// The output from the cache, whether it was asked for again or not.
    fn cached_output(&self) -> Option<(LineSpan, Option<LineSpan>)> {
        if self.cached { Some((self.execution, self.grade)) } else { self.replaced }
    }
}

/// The indexed data of a line, besides its offset.
#[derive(Debug)]
pub enum Fact {
    Begun {
        key: CellKey,
        is_judgement: bool,
        up_to: Option<f64>,
        at: Timestamp,
    },
    Execution {
        key: CellKey,
        fingerprint: u64,
        outcome: Option<Outcome>,
        failure: Option<Failure>,
        /// The failures of the attempts before the last.
        attempts: Vec<Failure>,
        cached: bool,
        charge: Charge,
    },
    Judgement {
        key: CellKey,
        fingerprint: u64,
        cached: bool,
        charge: Charge,
    },
    Grade {
        key: CellKey,
        is_open: bool,
    },
    Pair {
        sample: Arc<str>,
        repeat: u32,
        variants: [Arc<str>; 2],
        is_open: bool,
    },
}

/// What one execution cost, over all its attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Charge {
    usd: f64,
    /// Attempts that may have cost something and don't say what: each is taken for the dearest so far.
    assumed: u32,
    dearest: f64,
    unknown: usize,
    ms: u64,
}

impl Charge {
    /// A budget of a sample's time is for its executions.
    fn without_time(self) -> Charge {
        Charge { ms: 0, ..self }
    }
}

/// A whole file.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) index: JournalIndex,
    pub(super) bad: Vec<BadLine>,
    /// Lines after the header that can be used.
    pub(super) good: usize,
    /// Lines that were deleted, or emptied of all that they held.
    pub(super) deleted: u64,
    /// The number of the last line.
    pub(super) number: u64,
    /// The end of the last whole line.
    pub(super) end: u64,
}

/// The lines of a file in blocks; without their line feed.
struct WholeLines<'a> {
    reader: BufReader<&'a File>,
    /// Lines so far.
    number: usize,
    /// The end of the last whole line.
    end: u64,
    /// Whether a line without its line feed was met. A run that goes on may have finished it since: it isn't read again.
    is_over: bool,
}

struct WholeLine {
    /// From 1.
    number: usize,
    span: LineSpan,
    bytes: Vec<u8>,
}

impl WholeLines<'_> {
    /// Reads the next lines, a few megabytes of them; none at the end of the file.
    fn block(&mut self) -> std::io::Result<Vec<WholeLine>> {
        const BYTES: u64 = 4 << 20;
        let (mut block, begin) = (Vec::new(), self.end);
        while !self.is_over && self.end - begin < BYTES {
            let mut bytes = Vec::new();
            let read = self.reader.read_until(b'\n', &mut bytes)? as u64;
            // A line without its line feed is what a killed run was writing.
            if bytes.pop() != Some(b'\n') {
                self.is_over = true;
                break;
            }
            // An editor may have changed the ends of lines.
            let length = read - 1 - u64::from(bytes.pop_if(|last| *last == b'\r').is_some());
            self.number += 1;
            block.push(WholeLine { number: self.number, span: LineSpan::new(self.end, length), bytes });
            self.end += read;
        }
        Ok(block)
    }
}

impl JournalIndex {
    /// Reads the whole file once. One bad line takes no other with it.
    pub(super) fn scan(mut file: &File, path: &Path) -> Result<Scanned, RunError> {
        let failed = |e: std::io::Error| RunError::Open { path: path.to_owned(), why: e.to_string() };
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut lines =
            WholeLines { reader: BufReader::with_capacity(1 << 20, file), number: 0, end: 0, is_over: false };
        let mut index = JournalIndex::default();
        let (mut bad, mut good, mut unreadable_calls) = (Vec::new(), 0, 0_u32);
        let (mut deleted, mut number, mut emptied, mut edited_answers) = (0, 0_u64, 0, Vec::new());
        loop {
            let block = lines.block().map_err(failed)?;
            if block.is_empty() {
                break;
            }
            let is_content = |line: &WholeLine| line.number > 1 && line.span.length > 0;
            let checked = block.into_par_iter().filter(is_content).map(|mut line| {
                let number = line::number(&line.bytes);
                let fact = checked(&mut line.bytes);
                let rest = fact.is_err().then_some(line.bytes);
                (line.number, line.span, fact, number, rest)
            });
            for (line, span, fact, own_number, rest) in checked.collect::<Vec<_>>() {
                number += 1;
                match fact {
                    // a copy of an earlier line
                    Ok(_) if own_number.is_some_and(|written| written < number) => {
                        number -= 1;
                        bad.push(BadLine { line, why: None });
                    }
                    Ok(fact) => {
                        let own_number = own_number.unwrap_or(number);
                        deleted += own_number - number;
                        number = own_number;
                        index.add(fact, span);
                        good += 1;
                    }
                    Err(why) => {
                        let rest = rest.unwrap_or_default();
                        unreadable_calls += u32::from(rest.starts_with(br#"{"begun""#));
                        match key_of(&rest) {
                            Some(key) if rest.starts_with(br#"{"execution""#) => edited_answers.push(key),
                            Some(_) => {}
                            None => emptied += 1,
                        }
                        bad.push(BadLine { line, why });
                    }
                }
            }
        }
        let end = lines.end;
        // An end whose beginning can't be read is no lost call.
        index.lost_calls = unreadable_calls.saturating_sub(index.ends_alone);
        // whoever edits the line of an answer has it asked again; a kill leaves no such line
        let failure = if bad.is_empty() { Failure::Interrupted } else { Failure::Replaced };
        // a line without its content leaves the other lines of its cell alone, unless they have none either
        let alone = index.under_way.values().sum::<u32>() + index.ends_alone + index.ungraded();
        deleted += u64::from(u32::saturating_sub(emptied, alone));
        for key in edited_answers {
            let key = index.interned(key);
            if !index.under_way.contains_key(&(key.clone(), false)) {
                index.killed(&key, 1, Failure::Replaced);
            }
        }
        for ((key, is_judgement), calls) in std::mem::take(&mut index.under_way) {
            index.lost_calls += calls;
            if !is_judgement {
                index.killed(&key, calls, failure);
            }
        }
        // What they cost is lost with them.
        let lost = f64::from(index.lost_calls) * index.dearest();
        index.spent.known = index.spent.known + Usd(lost);
        index.was_answered = index.answers() > 0;
        Ok(Scanned { index, bad, good, deleted, number, end })
    }

    /// Answers without the grade that they are to have.
    fn ungraded(&self) -> u32 {
        let lacks_grade = |entry: &&CellEntry| entry.grade.is_none() && entry.outcome.is_some_and(is_graded);
        u32::try_from(self.entries.values().filter(lacks_grade).count()).unwrap_or(u32::MAX)
    }

    /// Adds the calls of a cell whose end is lost: who kills runs that hang asks again, too.
    fn killed(&mut self, key: &CellKey, calls: u32, failure: Failure) {
        let killed = vec![failure; calls as usize];
        match self.entries.get_mut(key) {
            Some(entry) => {
                entry.before += killed.len();
                entry.failures.splice(0..0, killed);
            }
            None => drop(self.killed.insert(key.clone(), killed)),
        }
    }

    pub fn add(&mut self, fact: Fact, span: LineSpan) {
        match fact {
            Fact::Begun { key, is_judgement, up_to, .. } => {
                self.dearest_expected = self.dearest_expected.max(up_to.unwrap_or(0.0));
                let key = self.interned(key);
                *self.under_way.entry((key, is_judgement)).or_default() += 1;
            }
            Fact::Execution { key, fingerprint, outcome, failure, attempts, cached, charge } => {
                let settled = cached && outcome.is_none();
                let key = self.interned(key);
                self.ended(&key, false, cached);
                self.charge(&key, charge);
                self.forget_pairs_of(&key);
                let replaced = self.entries.get(&key).filter(|of| of.fingerprint == fingerprint && !cached);
                let replaced = replaced.and_then(CellEntry::cached_output);
                let is_cached = cached && outcome.is_some();
                let earlier = self.entries.get(&key).filter(|of| of.fingerprint == fingerprint);
                let killed = self.killed.remove(&key);
                let mut failures = earlier.map(|of| of.failures.clone()).or(killed).unwrap_or_default();
                let before = failures.len();
                failures.extend(attempts.into_iter().chain(failure));
                let entry = CellEntry {
                    fingerprint,
                    execution: span,
                    grade: None,
                    open: false,
                    outcome,
                    failure,
                    settled,
                    cached: is_cached,
                    replaced,
                    failures,
                    before,
                };
                self.entries.insert(key, entry);
            }
            Fact::Judgement { key, fingerprint, cached, charge } => {
                self.ended(&key, true, cached);
                let (before, priced, unpriced) = (self.spent, charge.usd, charge.assumed);
                self.charge(&key, charge);
                let known = self.spent.known.0 - before.known.0;
                let unknown = self.spent.unknown - before.unknown;
                if *key.subject == *HEDGING_SUBJECT {
                    // The budget takes a failed request for the dearest; nobody knows what was paid for it.
                    self.classifying.known = self.classifying.known + Usd(priced);
                    self.classifying.unknown += unknown + unpriced as usize;
                } else {
                    self.judging.known = self.judging.known + Usd(known);
                    self.judging.unknown += unknown;
                }
                self.judgements.insert(fingerprint, span);
            }
            Fact::Grade { key, is_open } => {
                if let Some(entry) = self.entries.get_mut(&key) {
                    (entry.grade, entry.open) = (Some(span), is_open);
                }
            }
            Fact::Pair { sample, repeat, variants, is_open } => {
                let place = (self.name(&sample), repeat);
                let variants = variants.map(|variant| self.name(&variant));
                let pairs = self.pairs.entry(place).or_default();
                pairs.retain(|(known, ..)| *known != variants);
                pairs.push((variants, span, is_open));
            }
        }
    }

    /// Whether a cell has an execution, of whatever result.
    pub(super) fn holds(&self, cell: &Cell) -> bool {
        self.entry(cell).is_some()
    }

    /// Whether a cell has an output from the cache and no newer one.
    pub(super) fn is_cached(&self, cell: &Cell) -> bool {
        self.entry(cell).is_some_and(|entry| entry.cached)
    }

    /// The lines of an output from the cache that a newer one replaced.
    pub(super) fn replaced(&self, cell: &Cell) -> Option<(LineSpan, Option<LineSpan>)> {
        self.entry(cell)?.replaced
    }

    /// The failures of the executions that a cell's last one replaced, oldest first.
    pub(super) fn replaced_failures(&self, cell: &Cell) -> Vec<Failure> {
        self.entry(cell).map(|of| of.failures[..of.before].to_vec()).unwrap_or_default()
    }

    /// Whether a cell's execution failed by itself, not because its run was interrupted.
    pub(super) fn has_failed(&self, cell: &Cell) -> bool {
        let failure = self.entry(cell).filter(|entry| !entry.settled).and_then(|entry| entry.failure);
        failure.is_some_and(|failure| failure != Failure::Interrupted)
    }

    /// Has a graded answer graded again.
    pub(super) fn reopen(&mut self, cell: &Cell) {
        if let Some(entry) = self.entries.get_mut(&cell.key) {
            entry.open = true;
        }
    }

    /// The lines of all comparisons.
    pub(super) fn pair_spans(&self) -> Vec<LineSpan> {
        self.pairs.values().flatten().map(|(_, span, _)| *span).collect()
    }

    /// Has two answers compared again.
    pub(super) fn reopen_pair(&mut self, of: &Pair) {
        let pairs = self.pairs.get_mut(&(Arc::clone(&of.sample), of.repeat));
        let is_meant = |known: &[Arc<str>; 2]| known[0] == of.earlier && known[1] == of.later;
        if let Some((_, _, is_open)) = pairs.into_iter().flatten().find(|(known, ..)| is_meant(known)) {
            *is_open = true;
        }
    }

    /// Comparisons of an answer don't apply to the answer that replaces it.
    fn forget_pairs_of(&mut self, key: &CellKey) {
        if let Some(pairs) = self.pairs.get_mut(&(Arc::clone(&key.sample), key.repeat)) {
            pairs.retain(|(variants, ..)| !variants.contains(&key.subject));
        }
    }

    pub fn pair(&self, sample: &Arc<str>, repeat: u32, variants: [&str; 2]) -> Option<LineSpan> {
        self.compared(sample, repeat, variants).map(|(_, span, _)| *span)
    }

    /// Whether two answers need not be compared again.
    pub(super) fn has_pair(&self, sample: &Arc<str>, repeat: u32, variants: [&str; 2]) -> bool {
        self.compared(sample, repeat, variants).is_some_and(|(_, _, is_open)| !is_open)
    }

    fn compared(&self, sample: &Arc<str>, repeat: u32, variants: [&str; 2]) -> Option<&ComparedPair> {
        let pairs = self.pairs.get(&(Arc::clone(sample), repeat))?;
        pairs.iter().find(|(known, ..)| [&*known[0], &*known[1]] == variants)
    }

    /// A failure that the same request would meet again is final until it is asked for, unless nothing was ever answered:
    /// then the reason may have been mended since.
    pub(super) fn state(&self, cell: &Cell, outage: Outage, retries_failed: bool) -> CellState {
        let entry = self.entry(cell);
        let is_result = |entry: &CellEntry| match outage {
            Outage::IsAResult => entry.failure.is_some_and(Failure::is_the_skills),
            Outage::EndsTheRun => entry.failure == Some(Failure::Rejected) && self.was_answered && !retries_failed,
        };
        if entry.is_some_and(|entry| entry.settled || is_result(entry)) {
            return CellState::Final;
        }
        match entry.map(|entry| (entry.outcome, entry.grade)) {
            None | Some((None, _)) => CellState::Nothing,
            Some((Some(outcome), None)) if is_graded(outcome) => CellState::Ungraded,
            Some((Some(_), Some(_))) if entry.is_some_and(|entry| entry.open) => CellState::Ungraded,
            Some((Some(_), _)) => CellState::Final,
        }
    }

    pub(super) fn answers(&self) -> usize {
        self.entries.values().filter(|entry| entry.outcome.is_some()).count()
    }

    /// Executions that ended, and how many of them failed with what.
    pub(super) fn ended_cells(&self) -> (usize, BTreeMap<Failure, usize>) {
        let mut failed = BTreeMap::new();
        self.entries.values().filter_map(|of| of.failure).for_each(|of| *failed.entry(of).or_default() += 1);
        (self.entries.len(), failed)
    }

    /// Of each sample, how many cells failed, or ended with an answer whose grade is there if it is to have one.
    pub(super) fn settled_cells(&self) -> HashMap<Arc<str>, u64> {
        let is_settled = |of: &CellEntry| of.grade.is_some() || !of.outcome.is_some_and(is_graded);
        let mut settled = HashMap::new();
        for (key, _) in self.entries.iter().filter(|(_, of)| is_settled(of)) {
            *settled.entry(Arc::clone(&key.sample)).or_default() += 1;
        }
        settled
    }

    /// Calls that have left and did not end, and for which nothing was written since: what a killed run lost is asked again.
    pub(super) fn calls_under_way(&self) -> impl Iterator<Item = &(CellKey, bool)> {
        let is_over = |(key, is_judgement): &(CellKey, bool)| {
            self.entries.get(key).is_some_and(|of| !is_judgement || of.grade.is_some())
        };
        self.under_way.keys().filter(move |of| !is_over(of))
    }

    pub(super) fn spans(&self, cell: &Cell) -> Option<(LineSpan, Option<LineSpan>)> {
        self.entry(cell).map(|entry| (entry.execution, entry.grade))
    }

    pub(super) fn judgement(&self, fingerprint: &str) -> Option<LineSpan> {
        self.judgements.get(&hash_of(fingerprint)).copied()
    }

    pub(super) fn per_sample(&self) -> Vec<(Arc<str>, SampleSpent)> {
        self.samples.iter().map(|(sample, spent)| (Arc::clone(sample), *spent)).collect()
    }

    fn entry(&self, cell: &Cell) -> Option<&CellEntry> {
        self.entries.get(&cell.key).filter(|entry| entry.fingerprint == hash_of(&cell.fingerprint))
    }

    fn ended(&mut self, key: &CellKey, is_judgement: bool, cached: bool) {
        let place = (key.clone(), is_judgement);
        match self.under_way.get_mut(&place) {
            _ if cached => {}
            None => self.ends_alone += 1,
            Some(1) => _ = self.under_way.remove(&place),
            Some(calls) => *calls -= 1,
        }
    }

    /// What a call is taken to have cost that doesn't say.
    fn dearest(&self) -> f64 {
        if self.spent.dearest.0 > 0.0 { self.spent.dearest.0 } else { self.dearest_expected }
    }

    fn charge(&mut self, key: &CellKey, charge: Charge) {
        let assumed = f64::from(charge.assumed) * self.dearest();
        let usd = charge.usd + assumed;
        self.spent.known = self.spent.known + Usd(usd);
        self.spent.assumed = self.spent.assumed + Usd(assumed);
        self.spent.dearest.0 = self.spent.dearest.0.max(charge.dearest);
        self.spent.unknown += charge.unknown;
        let sample = self.name(&key.sample);
        let spent = self.samples.entry(sample).or_default();
        spent.usd += usd;
        spent.ms = spent.ms.saturating_add(charge.ms);
    }

    /// The key with its names shared: 100,000 keys have a few hundred names.
    fn interned(&mut self, key: CellKey) -> CellKey {
        CellKey { sample: self.name(&key.sample), subject: self.name(&key.subject), repeat: key.repeat }
    }

    fn name(&mut self, name: &Arc<str>) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        self.names.insert(Arc::clone(name));
        Arc::clone(name)
    }
}

/// The first line of a journal, without its line feed.
pub(super) fn first_line(mut file: &File, path: &Path) -> Result<Vec<u8>, RunError> {
    let failed = |e: std::io::Error| RunError::Open { path: path.to_owned(), why: e.to_string() };
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut line = Vec::new();
    // A header is a few kilobytes; anything longer is no journal.
    BufReader::new(file.take(64 << 20)).read_until(b'\n', &mut line).map_err(failed)?;
    match line.pop() {
        Some(b'\n') => Ok(line),
        _ => Err(RunError::NoHeader { path: path.to_owned() }),
    }
}

/// What a line says; the error is the parser's, or `None` for a whole line that was edited.
pub(super) fn checked(line: &mut Vec<u8>) -> Result<Fact, Option<String>> {
    let is_as_written = line::take_off(line);
    match parse(line) {
        Ok(fact) if is_as_written => Ok(fact),
        Ok(_) => Err(None),
        Err(error) => Err(Some(error.to_string())),
    }
}

/// The cell that the rest of a line names.
fn key_of(line: &[u8]) -> Option<CellKey> {
    const BEFORE: &[u8] = br#""key":"#;
    let start = line.windows(BEFORE.len()).position(|part| part == BEFORE)?;
    let mut values = serde_json::Deserializer::from_slice(&line[start + BEFORE.len()..]).into_iter::<CellKey>();
    values.next()?.ok()
}

fn hash_of(fingerprint: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    fingerprint.hash(&mut hasher);
    hasher.finish()
}

fn span_ms(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_millisecond().saturating_sub(from.as_millisecond())).unwrap_or(0)
}

fn charge(cached: bool, attempts: impl Iterator<Item = AttemptCharge>, whole_ms: u64) -> Charge {
    if cached {
        return Charge::default();
    }
    let mut charge = Charge::default();
    let mut latency = None;
    for attempt in attempts {
        let paid = match attempt {
            AttemptCharge::Paid(paid) => paid,
            AttemptCharge::Lost(failure) => {
                charge.assumed += u32::from(failure.may_have_cost());
                continue;
            }
        };
        match paid.cost {
            Some(cost) => {
                charge.usd += cost.usd.0;
                charge.dearest = charge.dearest.max(cost.usd.0);
            }
            None => charge.unknown += 1,
        }
        latency = match (latency, paid.latency_ms) {
            (None, ms) => ms,
            (some, None) => some,
            (Some(sum), Some(ms)) => Some(u64::saturating_add(sum, ms)),
        };
    }
    charge.ms = latency.unwrap_or(whole_ms);
    charge
}

/// The indexed data of a line. Texts are skipped: only the fields named below are read.
pub fn parse(line: &[u8]) -> Result<Fact, serde_json::Error> {
    Ok(match serde_json::from_slice(line)? {
        Thin::Execution(thin) => {
            let cached = thin.cached;
            let failure = match &thin.result {
                ThinResult::Failed(error) => Some(error.failure),
                ThinResult::Output(_) => None,
            };
            let attempts = thin.failed_attempts.iter().map(|error| error.failure).collect();
            let (key, fingerprint, outcome, charge) = thin.charged();
            Fact::Execution { key, fingerprint, outcome, failure, attempts, cached, charge }
        }
        Thin::Judgement(thin) => {
            let cached = thin.cached;
            let (key, fingerprint, _, charge) = thin.charged();
            Fact::Judgement { key, fingerprint, cached, charge: charge.without_time() }
        }
        Thin::Begun(BegunCall { key, is_judgement, up_to, at }) => {
            Fact::Begun { key, is_judgement, up_to: up_to.map(|usd| usd.0), at }
        }
        Thin::Grade(thin) => Fact::Grade { key: thin.key, is_open: thin.open },
        Thin::Pair(thin) => {
            let variants = [thin.earlier, thin.later];
            Fact::Pair { sample: thin.sample, repeat: thin.repeat, variants, is_open: thin.open }
        }
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Thin {
    Begun(BegunCall),
    Execution(ThinExecution),
    Judgement(ThinExecution),
    Grade(ThinGrade),
    Pair(ThinPair),
}

#[derive(Deserialize)]
struct ThinPair {
    sample: Arc<str>,
    repeat: u32,
    earlier: Arc<str>,
    later: Arc<str>,
    #[serde(default)]
    open: bool,
}

#[derive(Deserialize)]
struct ThinGrade {
    key: CellKey,
    #[serde(default)]
    open: bool,
    #[serde(rename = "grade")]
    _grade: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ThinExecution {
    key: CellKey,
    fingerprint: String,
    started_at: Timestamp,
    finished_at: Timestamp,
    #[serde(default)]
    failed_attempts: Vec<ThinError>,
    result: ThinResult,
    #[serde(default)]
    cached: bool,
}

impl ThinExecution {
    fn charged(self) -> (CellKey, u64, Option<Outcome>, Charge) {
        let failed = self.failed_attempts.into_iter().map(AttemptCharge::from);
        let (outcome, last) = match self.result {
            ThinResult::Output(output) => (Some(output.outcome), AttemptCharge::Paid(output)),
            ThinResult::Failed(error) => (None, AttemptCharge::from(error)),
        };
        let whole = span_ms(self.started_at, self.finished_at);
        (self.key, hash_of(&self.fingerprint), outcome, charge(self.cached, failed.chain([last]), whole))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ThinResult {
    Output(OutputCost),
    Failed(ThinError),
}

#[derive(Deserialize)]
struct ThinError {
    failure: Failure,
    #[serde(default)]
    partial: Option<OutputCost>,
}

/// One attempt, as far as its cost goes.
enum AttemptCharge {
    /// Something came back that says what it cost, or that it does not know.
    Paid(OutputCost),
    /// Nothing came back.
    Lost(Failure),
}

impl From<ThinError> for AttemptCharge {
    fn from(error: ThinError) -> AttemptCharge {
        error.partial.map_or(AttemptCharge::Lost(error.failure), AttemptCharge::Paid)
    }
}

/// The part of an output that says what it cost.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutputCost {
    outcome: Outcome,
    cost: Option<ThinCost>,
    latency_ms: Option<u64>,
}

#[derive(Deserialize)]
struct ThinCost {
    usd: Usd,
}
