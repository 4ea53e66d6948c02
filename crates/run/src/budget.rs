//! Money and time: reserved before a call, settled after it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::units::Usd;
use eval_spec::{CallPrice, ExecError, Output};
use tokio::sync::Notify;

use crate::journal::{Journal, SampleSpent};

/// What a run may spend; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// US dollars, over the whole run: cells, repeats, retries, judges, and what an earlier part of a
    /// resumed run spent.
    pub total_usd: Option<Usd>,
    /// US dollars one sample may cost over all subjects and repeats.
    pub per_sample_usd: Option<Usd>,
    /// Milliseconds the executions of one sample may take together, waiting in a queue excluded.
    pub per_sample_ms: Option<u64>,
    /// Whether to go on when a call's cost is not known; it then counts as nothing.
    pub allow_unknown_cost: bool,
}

/// Why the budget ended a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BudgetStop {
    /// Another call might go beyond it.
    Spent {
        /// What was spent.
        spent: Usd,
        /// What was allowed.
        budget: Usd,
    },
    /// A call has an unknown cost, so the budget can't be checked.
    UnknownCost,
}

impl BudgetStop {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            BudgetStop::Spent { spent, budget } => {
                msg!("run-budget-spent", spent = spent.to_string(), budget = budget.to_string())
            }
            BudgetStop::UnknownCost => msg!("run-budget-unknown-cost"),
        }
    }
}

/// Why a call may not be made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BudgetRefusal {
    /// The whole run is over.
    Run(BudgetStop),
    /// Only this sample's share is used up.
    Sample(Message),
}

/// The account of a run.
#[derive(Debug)]
pub(crate) struct Purse {
    budget: Budget,
    account: Mutex<Account>,
    settled: Notify,
}

#[derive(Debug, Default)]
struct Account {
    spent: f64,
    /// The part of it that is assumed.
    assumed: f64,
    unknown: usize,
    reserved: Reserved,
    /// What the dearest call so far cost: what is reserved for the next one.
    dearest: f64,
    /// Whether a call has said what it cost, or that it doesn't know. Before that a call's price is reserved.
    is_informed: bool,
    samples: HashMap<Arc<str>, SampleAccount>,
}

#[derive(Debug, Default)]
struct SampleAccount {
    spent: SampleSpent,
    reserved: Reserved,
}

/// The sum of the open reservations.
#[derive(Debug, Default)]
struct Reserved {
    usd: f64,
    calls: usize,
}

impl Reserved {
    fn add(&mut self, usd: f64) {
        self.usd += usd;
        self.calls += 1;
    }

    fn give_back(&mut self, usd: f64) {
        self.calls -= 1;
        // Without open reservations the sum is exactly 0, rounding errors included.
        self.usd = if self.calls == 0 { 0.0 } else { self.usd - usd };
    }
}

/// Money set aside for one call; given back when dropped.
#[derive(Debug)]
pub(crate) struct Reservation<'a> {
    purse: &'a Purse,
    sample: Arc<str>,
    usd: f64,
    is_free: bool,
    timed: bool,
    /// What the sample's time budget leaves for this call.
    pub(crate) time_left: Option<Duration>,
}

/// A rounding error more than the budget is not more than the budget.
const ROUNDING: f64 = 1e-9;

impl Purse {
    pub(crate) fn new(budget: Budget) -> Purse {
        Purse { budget, account: Mutex::default(), settled: Notify::new() }
    }

    /// Counts what an earlier part of the run spent.
    pub(crate) fn remember(&self, journal: &Journal) {
        let mut account = self.account();
        let spent = journal.spent();
        account.spent += spent.known.0;
        account.assumed += spent.assumed.0;
        account.unknown += spent.unknown;
        account.dearest = account.dearest.max(spent.dearest.0);
        account.is_informed |= spent.dearest.0 > 0.0 || spent.unknown > 0;
        if self.per_sample() {
            for (sample, spent) in journal.spent_per_sample() {
                account.samples.insert(sample, SampleAccount { spent, ..SampleAccount::default() });
            }
        }
    }

    /// What was spent; `None` when a part of it is unknown.
    pub(crate) fn spent(&self) -> Option<Usd> {
        let account = self.account();
        (account.unknown == 0).then_some(Usd(account.spent))
    }

    /// The part of it that is assumed for calls that failed without a word of their cost.
    pub(crate) fn assumed(&self) -> Usd {
        Usd(self.account().assumed)
    }

    /// The reason for the end of a run, with what was spent by now: calls that were under way have been paid since.
    pub(crate) fn as_of_now(&self, why: BudgetStop) -> BudgetStop {
        match why {
            BudgetStop::Spent { budget, .. } => BudgetStop::Spent { spent: Usd(self.account().spent), budget },
            BudgetStop::UnknownCost => why,
        }
    }

    /// Sets aside what the dearest call so far cost, and before one has told, what this one may cost. Waits while calls
    /// under way hold money that they may give back. The time budget of a sample is for its executions: a judge's call is
    /// not `timed`.
    pub(crate) async fn reserve(
        &self,
        sample: &Arc<str>,
        timed: bool,
        price: CallPrice,
    ) -> Result<Reservation<'_>, BudgetRefusal> {
        loop {
            let settled = self.settled.notified();
            tokio::pin!(settled);
            // From here on no settlement is missed.
            settled.as_mut().enable();
            if let Some(answer) = self.try_reserve(sample, timed, price).transpose() {
                return answer;
            }
            settled.await;
        }
    }

    /// `None` means that waiting may help.
    fn try_reserve(
        &self,
        sample: &Arc<str>,
        timed: bool,
        price: CallPrice,
    ) -> Result<Option<Reservation<'_>>, BudgetRefusal> {
        let mut account = self.account();
        let account = &mut *account;
        let knows_price = account.unknown == 0 || self.budget.allow_unknown_cost;
        if self.counts_money() && !knows_price {
            return Err(BudgetRefusal::Run(BudgetStop::UnknownCost));
        }
        let aside = match price {
            _ if !self.counts_money() => SetAside { usd: account.dearest, is_sure: true },
            CallPrice::Free => SetAside { usd: 0.0, is_sure: true },
            _ if account.is_informed => SetAside { usd: account.dearest, is_sure: true },
            CallPrice::UpTo(usd) => SetAside { usd: usd.0, is_sure: false },
            CallPrice::Unknown => SetAside { usd: f64::INFINITY, is_sure: false },
        };
        let usd = aside.usd;
        if let Some(budget) = self.budget.total_usd {
            match aside.fits(account.spent, &account.reserved, budget) {
                BudgetFit::Fits => {}
                BudgetFit::Wait => return Ok(None),
                BudgetFit::Never => {
                    return Err(BudgetRefusal::Run(BudgetStop::Spent { spent: Usd(account.spent), budget }));
                }
            }
        }
        let mut time_left = None;
        if self.per_sample() {
            let of_sample = account.samples.entry(Arc::clone(sample)).or_default();
            if let Some(budget) = self.budget.per_sample_usd {
                match aside.fits(of_sample.spent.usd, &of_sample.reserved, budget) {
                    BudgetFit::Fits => {}
                    BudgetFit::Wait => return Ok(None),
                    BudgetFit::Never => {
                        return Err(BudgetRefusal::Sample(money_of_sample(sample, of_sample.spent, budget)));
                    }
                }
            }
            if let Some(budget) = self.budget.per_sample_ms.filter(|_| timed) {
                let left = budget.saturating_sub(of_sample.spent.ms);
                if left == 0 {
                    return Err(BudgetRefusal::Sample(time_of_sample(sample, budget)));
                }
                time_left = Some(Duration::from_millis(left));
            }
            of_sample.reserved.add(usd);
        }
        account.reserved.add(usd);
        let is_free = price == CallPrice::Free;
        Ok(Some(Reservation { purse: self, sample: Arc::clone(sample), usd, is_free, timed, time_left }))
    }

    fn counts_money(&self) -> bool {
        self.budget.total_usd.is_some() || self.budget.per_sample_usd.is_some()
    }

    fn per_sample(&self) -> bool {
        self.budget.per_sample_usd.is_some() || self.budget.per_sample_ms.is_some()
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Books what the call really cost: nothing where a free one doesn't say. A failed call costs what its partial output says; else nothing
    /// where no answer can have begun, and as much as the dearest call so far where one may have.
    pub(crate) fn settle(self, result: &Result<Output, ExecError>, took: Duration) {
        let output = match result {
            Ok(output) => Some(output),
            Err(error) => error.partial.as_deref(),
        };
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let ms = output.and_then(|output| output.latency_ms).unwrap_or(took);
        let cost = output.map(|output| output.cost.map(|cost| cost.usd.0));
        let mut account = self.purse.account();
        let usd = match cost {
            Some(Some(usd)) => {
                account.dearest = account.dearest.max(usd);
                usd
            }
            Some(None) | None if self.is_free => 0.0,
            Some(None) => {
                account.unknown += 1;
                0.0
            }
            None if matches!(result, Err(error) if error.failure.may_have_cost()) => {
                let assumed = if account.is_informed || !self.usd.is_finite() { account.dearest } else { self.usd };
                account.assumed += assumed;
                assumed
            }
            None => 0.0,
        };
        account.is_informed |= cost.is_some() && !self.is_free;
        account.spent += usd;
        if let Some(sample) = account.samples.get_mut(&self.sample) {
            sample.spent.usd += usd;
            sample.spent.ms = sample.spent.ms.saturating_add(if self.timed { ms } else { 0 });
        }
        // Dropping `self` gives the reservation back.
    }

    /// The failure of a call that the sample's time budget cut short.
    pub(crate) fn out_of_time(&self) -> Message {
        time_of_sample(&self.sample, self.purse.budget.per_sample_ms.unwrap_or(0))
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut account = self.purse.account();
        account.reserved.give_back(self.usd);
        if let Some(sample) = account.samples.get_mut(&self.sample) {
            sample.reserved.give_back(self.usd);
        }
        drop(account);
        self.purse.settled.notify_waiters();
    }
}

enum BudgetFit {
    Fits,
    Wait,
    Never,
}

/// What a call is to set aside.
struct SetAside {
    usd: f64,
    /// Whether a call did cost so much. A price is only what it may cost: that keeps calls from leaving together, and none
    /// from being tried.
    is_sure: bool,
}

impl SetAside {
    fn fits(&self, spent: f64, reserved: &Reserved, budget: Usd) -> BudgetFit {
        let most = budget.0 + ROUNDING;
        if spent + ROUNDING >= budget.0 || (self.is_sure && spent + self.usd > most) {
            BudgetFit::Never
        } else if reserved.calls > 0 && spent + reserved.usd + self.usd > most {
            BudgetFit::Wait
        } else {
            BudgetFit::Fits
        }
    }
}

fn money_of_sample(sample: &str, spent: SampleSpent, budget: Usd) -> Message {
    let spent = Usd(spent.usd).to_string();
    msg!("run-sample-budget-usd", sample = sample, spent = spent, budget = budget.to_string())
}

fn time_of_sample(sample: &str, budget: u64) -> Message {
    msg!("run-sample-budget-ms", sample = sample, budget = budget.to_string())
}
