//! Progress on standard error: a bar on a terminal, otherwise one plain line per tenth of the work, and a
//! heartbeat that names the oldest call.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use eval_message::plain::{clean, clip};
use eval_message::{Lang, Message, msg};
use eval_spec::record::{Executed, Record};
use eval_spec::units::Usd;
use eval_spec::{CellKey, Event, ExecError, Outcome};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Terminal;
use crate::signals::GRACE;

/// Most characters of the last line of a failed call's error output.
const LAST_LINE: usize = 160;
/// Silence after which the heartbeat prints a line.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Number of failures, and of retries, that are shown one by one.
const LISTED: usize = 5;

pub struct Progress<'a> {
    terminal: &'a Terminal,
    name: fn(&CellKey, Lang) -> String,
    state: Mutex<State>,
}

struct State {
    bar: Option<ProgressBar>,
    total: usize,
    /// Number of cells that each planned look reads, earlier looks included; empty without looks.
    looks: Vec<usize>,
    tenth: usize,
    failed: usize,
    answered: usize,
    /// Number of outputs without a complete answer: refused, cut, empty or stopped at a limit.
    unanswered: usize,
    retried: usize,
    /// Cost of the run; the inner `None` is an unknown cost.
    spent: Option<Option<Usd>>,
    /// Assumed part of the cost.
    assumed: Usd,
    /// Line that is printed once the cost of its last cell is known.
    due: Option<Due>,
    /// Start of this process, and the number of cells done before it.
    began: (Instant, usize),
    running: BTreeMap<CellKey, Instant>,
    last_sign: Instant,
    awaited: Option<Awaited>,
    interrupted: Option<Interruption>,
}

struct Due {
    done: usize,
    /// Last cell.
    cell: Option<CellKey>,
}

/// A provider that asked for a pause.
struct Awaited {
    provider: String,
    until: Instant,
}

/// Time for running calls after a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interruption {
    UntilTheyEnd,
    ForGrace,
}

impl<'a> Progress<'a> {
    /// Starts without output; `name` names a cell for people, and `looks` has the number of cells that each planned
    /// look reads, earlier looks included.
    pub fn new(terminal: &'a Terminal, name: fn(&CellKey, Lang) -> String, looks: Vec<usize>) -> Progress<'a> {
        let state = State {
            bar: None,
            total: 0,
            looks,
            tenth: 0,
            failed: 0,
            answered: 0,
            unanswered: 0,
            retried: 0,
            spent: None,
            assumed: Usd(0.0),
            due: None,
            began: (Instant::now(), 0),
            running: BTreeMap::new(),
            last_sign: Instant::now(),
            awaited: None,
            interrupted: None,
        };
        Progress { terminal, name, state: Mutex::new(state) }
    }

    /// Shows one event.
    pub fn event(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.last_sign = Instant::now();
        if !matches!(event, Event::Budget { .. }) {
            self.print_due(&mut state);
        }
        match event {
            Event::RunStarted { total, resumed } => self.started(&mut state, *total, *resumed),
            Event::CellStarted { key } => {
                state.running.insert(key.clone(), Instant::now());
            }
            Event::AttemptFailed { key, error, retry_in } => {
                state.retried += 1;
                self.retried(&state, key, error, *retry_in);
            }
            Event::Throttled { provider, limit, pause } => {
                state.awaited = Some(Awaited { provider: provider.clone(), until: Instant::now() + *pause });
                let limit = *limit;
                self.line(
                    &state,
                    &msg!("cli-progress-throttled", provider = provider, limit = limit, seconds = seconds(*pause)),
                );
            }
            Event::CellFinished { record, done } => {
                state.running.remove(&record.execution.key);
                match &record.execution.result {
                    Executed::Failed(error) => {
                        state.failed += 1;
                        self.failed(&state, record, error);
                    }
                    Executed::Output(output) if output.outcome == Outcome::Answered => state.answered += 1,
                    Executed::Output(_) => state.unanswered += 1,
                }
                self.advanced(&mut state, *done, Some(&record.execution.key));
            }
            Event::Budget { spent, assumed } => {
                (state.spent, state.assumed) = (Some(*spent), *assumed);
                self.print_due(&mut state);
            }
            Event::Stopping { .. } => self.stopping(&state),
            Event::ComparingStarted { total } => {
                (state.failed, state.answered, state.unanswered) = (0, 0, 0);
                state.looks.clear();
                self.started(&mut state, *total, 0);
                self.line(&state, &msg!("cli-progress-comparing", total = *total));
            }
            Event::ClassifyingStarted { total } => {
                (state.failed, state.answered, state.unanswered) = (0, 0, 0);
                state.looks.clear();
                self.started(&mut state, *total, 0);
                self.line(&state, &msg!("cli-progress-classifying", total = *total));
            }
            Event::PairFinished { done } => {
                state.answered += 1;
                self.advanced(&mut state, *done, None);
            }
            Event::RunFinished { .. } | Event::ComparingFinished => {
                if let Some(bar) = state.bar.take() {
                    bar.finish_and_clear();
                }
            }
        }
    }

    /// Prints the heartbeat after a silence; called about once a second.
    pub fn tick(&self) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = &state.bar {
            bar.set_message(self.beside_the_bar(&state, usize::try_from(bar.position()).unwrap_or(usize::MAX)));
        }
        if state.last_sign.elapsed() < HEARTBEAT {
            return;
        }
        state.last_sign = Instant::now();
        let oldest = state.running.iter().min_by_key(|(_, since)| **since);
        let under_way = || match oldest {
            Some((key, since)) => msg!(
                "cli-progress-waiting",
                running = state.running.len(),
                cell = self.cell(key),
                seconds = seconds(since.elapsed())
            ),
            None => msg!("cli-progress-queued"),
        };
        let message = awaited(&state).unwrap_or_else(under_way);
        self.line(&state, &message);
    }

    /// Notes a signal, before the engine reports that it stops. Running calls may finish, or have [`GRACE`] for it.
    pub fn interrupted(&self, is_in_grace: bool) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.interrupted = Some(if is_in_grace { Interruption::ForGrace } else { Interruption::UntilTheyEnd });
    }

    /// Prints that the run stops. A run that ends early by itself prints its reason at the end.
    fn stopping(&self, state: &State) {
        let running = state.running.len();
        match state.interrupted {
            Some(Interruption::ForGrace) if running > 0 => {
                self.line(state, &msg!("cli-progress-grace", running = running, seconds = GRACE.as_secs()));
            }
            Some(_) => self.line(state, &msg!("cli-progress-stopping", running = running)),
            None if running > 0 => self.line(state, &msg!("cli-progress-ending", running = running)),
            None => {}
        }
    }

    fn cell(&self, key: &CellKey) -> String {
        (self.name)(key, self.terminal.lang())
    }

    fn started(&self, state: &mut State, total: usize, resumed: usize) {
        state.total = total;
        state.began = (Instant::now(), resumed);
        state.tenth = (resumed * 10).checked_div(total).unwrap_or(10);
        if self.terminal.stderr_is_terminal && !self.terminal.is_ci && !self.terminal.is_json() {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("{bar:10} {pos}/{len} {wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar.enable_steady_tick(Duration::from_millis(250));
            bar.set_position(resumed as u64);
            state.bar = Some(bar);
        }
        if resumed > 0 {
            self.line(state, &msg!("cli-progress-resumed", resumed = resumed, total = total));
        }
    }

    fn advanced(&self, state: &mut State, done: usize, cell: Option<&CellKey>) {
        if let Some(bar) = &state.bar {
            bar.set_position(done as u64);
            bar.set_message(self.beside_the_bar(state, done));
            return;
        }
        let tenth = (done * 10).checked_div(state.total).unwrap_or(10);
        if tenth > state.tenth {
            state.tenth = tenth;
            state.due = Some(Due { done, cell: cell.cloned() });
        }
    }

    fn print_due(&self, state: &mut State) {
        let Some(due) = state.due.take() else { return };
        let (standing, rate) = Self::standing(state, due.done);
        let text = self.joined(&[standing, rate].concat());
        let (done, total) = (due.done, state.total);
        let line = match &due.cell {
            Some(key) => msg!("cli-progress-done", done = done, total = total, text = text, cell = self.cell(key)),
            None => msg!("cli-progress-done-pairs", done = done, total = total, text = text),
        };
        self.line(state, &line);
    }

    /// Returns the text next to the bar: the state, the oldest running call and the rate, as far as the terminal has
    /// room. Parts are left out whole, since half a number would be another number.
    fn beside_the_bar(&self, state: &State, done: usize) -> String {
        let (standing, rate) = Self::standing(state, done);
        let oldest = state.running.iter().min_by_key(|(_, since)| **since).map(|(key, _)| self.cell(key));
        let oldest = awaited(state).map(|awaited| awaited.text(self.terminal.lang())).or(oldest);
        let lang = self.terminal.lang();
        let comma = if lang == Lang::Zh { "，" } else { ", " };
        let standing =
            standing.iter().enumerate().map(|(index, part)| (if index == 0 { "" } else { comma }, part.text(lang)));
        let rate = (!rate.is_empty()).then(|| self.joined(&rate));
        let parts = standing.chain(oldest.into_iter().chain(rate).map(|part| (" · ", part)));
        // The bar, the two counts, and the spaces between them.
        let room = self.terminal.width.saturating_sub(13 + 2 * state.total.to_string().len());
        let mut text = String::new();
        for (before, part) in parts {
            let next = clean(&format!("{text}{before}{part}"));
            if clip(&next, room) != next {
                break;
            }
            text = next;
        }
        text
    }

    fn joined(&self, parts: &[Message]) -> String {
        let lang = self.terminal.lang();
        let separator = if lang == Lang::Zh { "，" } else { ", " };
        parts.iter().map(|part| part.text(lang)).collect::<Vec<_>>().join(separator)
    }

    /// Returns the state (answers, failures, cost, remaining time), and the rate.
    fn standing(state: &State, done: usize) -> (Vec<Message>, Vec<Message>) {
        let mut parts = Vec::new();
        if !state.looks.is_empty() {
            let taken = state.looks.iter().filter(|cells| **cells <= done).count();
            let (number, looks) = ((taken + 1).min(state.looks.len()), state.looks.len());
            parts.push(msg!("cli-progress-look", number = number, looks = looks));
        }
        parts.push(msg!("cli-progress-answered", answered = state.answered, failed = state.failed));
        if state.unanswered > 0 {
            parts.push(msg!("cli-progress-unanswered", count = state.unanswered));
        }
        match state.spent {
            Some(Some(usd)) if state.assumed.0 > 0.0 => {
                let (usd, assumed) = (usd.to_string(), state.assumed.to_string());
                parts.push(msg!("cli-progress-spent-assumed", usd = usd, assumed = assumed));
            }
            // Calls that are free, so far.
            Some(Some(usd)) if usd.0 == 0.0 => {}
            Some(Some(usd)) => parts.push(msg!("cli-progress-spent", usd = usd.to_string())),
            Some(None) => parts.push(msg!("cli-progress-spent-unknown")),
            None => {}
        }
        let (since, before) = state.began;
        let pace = pace(since.elapsed(), done.saturating_sub(before), state.total.saturating_sub(done));
        let (rate, left) = pace.map_or((None, None), |(rate, left)| (Some(rate), left));
        parts.extend(left);
        (parts, rate.into_iter().collect())
    }

    /// Prints the first failures one by one; further ones would add nothing.
    fn failed(&self, state: &State, record: &Record, error: &ExecError) {
        let cell = self.cell(&record.execution.key);
        let why = error.message.text(self.terminal.lang());
        // the last line of a program's output usually says why it failed
        let last =
            error.detail.as_deref().and_then(|detail| detail.lines().map(str::trim).rfind(|line| !line.is_empty()));
        let why = last.map_or_else(|| why.clone(), |last| format!("{why}: {}", clip(last, LAST_LINE)));
        let failed = msg!("cli-progress-failed", cell = cell, error = why);
        self.first_of(state, state.failed, &failed, &msg!("cli-progress-more-failures"));
    }

    /// Prints the first retries one by one.
    fn retried(&self, state: &State, key: &CellKey, error: &ExecError, retry_in: Duration) {
        let (cell, error) = (self.cell(key), error.message.text(self.terminal.lang()));
        let retry = msg!("cli-progress-retry", cell = cell, error = error, seconds = seconds(retry_in));
        self.first_of(state, state.retried, &retry, &msg!("cli-progress-more-retries"));
    }

    fn first_of(&self, state: &State, count: usize, message: &Message, more: &Message) {
        match count.cmp(&(LISTED + 1)) {
            Ordering::Less => self.line(state, message),
            Ordering::Equal => self.line(state, more),
            Ordering::Greater => {}
        }
    }

    fn line(&self, state: &State, message: &Message) {
        match &state.bar {
            Some(bar) => bar.println(clean(&message.text(self.terminal.lang()))),
            None => self.terminal.note(message),
        }
    }
}

/// Returns a message about the provider's pause, while it lasts.
fn awaited(state: &State) -> Option<Message> {
    let Awaited { provider, until } = state.awaited.as_ref()?;
    let left = until.checked_duration_since(Instant::now())?;
    Some(msg!("cli-progress-awaited", provider = provider.as_str(), seconds = left.as_secs() + 1))
}

/// Returns the calls per minute, and the time that the remaining calls take at that rate. `None` at first, when the
/// rate is still unreliable.
#[expect(clippy::cast_precision_loss, reason = "for people")]
#[doc(hidden)]
pub fn pace(elapsed: Duration, done: usize, left: usize) -> Option<(Message, Option<Message>)> {
    const TELLING: Duration = Duration::from_secs(5);
    if elapsed < TELLING || done == 0 {
        return None;
    }
    let minutes = elapsed.as_secs_f64() / 60.0;
    let rate = done as f64 / minutes;
    let decimals = usize::from(rate < 10.0);
    let rate_text = msg!("cli-progress-rate", rate = format!("{rate:.decimals$}"));
    let left = (left > 0).then(|| {
        let minutes = left as f64 / rate;
        let (amount, unit) = match minutes {
            ..1.0 => (format!("{:.0}", (minutes * 60.0).max(1.0)), "seconds"),
            1.0..60.0 => (format!("{minutes:.0}"), "minutes"),
            _ => (format!("{:.1}", minutes / 60.0), "hours"),
        };
        msg!("cli-progress-left", amount = amount, unit = unit)
    });
    Some((rate_text, left))
}

/// Returns the name of a cell in the journal.
pub fn plain(key: &CellKey, _: Lang) -> String {
    key.to_string()
}

/// Returns the name of a cell without its variant, for a blind run.
pub fn blind(key: &CellKey, _: Lang) -> String {
    CellKey { subject: "…".into(), ..key.clone() }.to_string()
}

/// Formats seconds with one decimal.
fn seconds(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64())
}
