//! Item analysis of classical test theory, with samples as items: does a sample correlate with the others?

use crate::agreement::pearson;
use crate::describe::{finite, mean};
use crate::distribution::normal_quantile;
use crate::interval::tail_of;
use crate::undefined::Undefined;

/// Fewest rows of a correlation; see [`corrected_item_total_correlations`].
pub const LEAST_ROWS: usize = 10;

/// Correlation of one item with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemTotal {
    /// Correlation of the item's score with the mean of the other items, from −1 to 1.
    pub correlation: f64,
    /// Lower bound by Fisher's z.
    pub low: f64,
    /// Upper bound by Fisher's z.
    pub high: f64,
    /// Rows with a score of the item and of another one.
    pub rows: usize,
}

/// Corrected item–total correlation of every item: Pearson's correlation, over the rows, of the item's score with the mean
/// of the other items (Nunnally & Bernstein 1994, *Psychometric Theory*, ch. 8; "corrected" because the item itself is
/// not in the mean: Henrysson 1963). Interval: `tanh( atanh r ± z_{1−α/2} / sqrt(rows − 3) )` (Fisher 1921).
///
/// `items[i][row]` is the score of sample *i* in a row, and a **row is one run of the whole test set** — one repeat of one
/// variant. A row is what a person is in a school test; items that separate good runs from bad ones correlate above 0, an
/// item near 0 measures something else than the rest or nothing, and one below 0 moves against the rest.
///
/// A missing score (`None`, or a shorter slice) leaves out its row for that item. The other items enter as deviations from
/// their own means, so that a row which lacks a hard item doesn't look better for it; without missing scores that is
/// exactly the plain definition.
///
/// What it can't say: rows of one variant are alike, so rows are fewer than they look, and the interval is too narrow. With
/// two variants an item below 0 is mostly one on which the loser of the whole wins: look at it, don't drop it for that.
///
/// [`Undefined::TooFew`] below 10 rows with a score of the item and of another one: with 10, an item that has nothing to do
/// with the rest lies outside ±0.63 in one case of 20, and one whose true correlation is 0.4 comes out below 0 in one of
/// eight; with 5 rows it is outside ±0.88, and one of four. [`Undefined::NoVariance`] if item or rest are constant,
/// [`Undefined::NotFinite`] for the item with such a score (it is no part of the others' rest), [`Undefined::Level`].
pub fn corrected_item_total_correlations<C>(items: &[C], level: f64) -> Vec<Result<ItemTotal, Undefined>>
where
    C: AsRef<[Option<f64>]>,
{
    let items: Vec<Vec<Option<f64>>> = items.iter().map(|item| centred(item.as_ref())).collect();
    let rows = items.iter().map(Vec::len).max().unwrap_or(0);
    let mut totals = vec![Total::default(); rows];
    for item in items.iter().filter(|item| is_usable(item)) {
        for (total, score) in totals.iter_mut().zip(item) {
            total.add(*score);
        }
    }
    items.iter().map(|item| item_total(item, &totals, level)).collect()
}

/// Subtracts the item's mean; unchanged if a score is not finite.
fn centred(item: &[Option<f64>]) -> Vec<Option<f64>> {
    let scores: Vec<f64> = item.iter().copied().flatten().collect();
    let centre = mean(&scores).unwrap_or(0.0);
    item.iter().map(|score| score.map(|x| x - centre)).collect()
}

fn is_usable(item: &[Option<f64>]) -> bool {
    item.iter().flatten().all(|x| x.is_finite())
}

/// Sum of a row's deviations.
#[derive(Clone, Copy, Default)]
struct Total {
    sum: f64,
    items: usize,
}

impl Total {
    fn add(&mut self, score: Option<f64>) {
        self.sum += score.unwrap_or(0.0);
        self.items += usize::from(score.is_some());
    }

    /// Mean of the row without one of its scores.
    fn without(&self, score: f64) -> Option<f64> {
        (self.items > 1).then(|| (self.sum - score) / (self.items - 1) as f64)
    }
}

fn item_total(item: &[Option<f64>], totals: &[Total], level: f64) -> Result<ItemTotal, Undefined> {
    let tail = tail_of(level).ok_or(Undefined::Level)?;
    if !is_usable(item) {
        return Err(Undefined::NotFinite);
    }
    let row = |(score, total): (&Option<f64>, &Total)| Some(((*score)?, total.without((*score)?)?));
    let pairs: Vec<(f64, f64)> = item.iter().zip(totals).filter_map(row).collect();
    if pairs.len() < LEAST_ROWS {
        return Err(Undefined::TooFew);
    }
    if either_is_flat(&pairs) {
        return Err(Undefined::NoVariance);
    }
    let correlation = pearson(&pairs)?;
    let reach = -normal_quantile(tail) / ((pairs.len() - 3) as f64).sqrt();
    let bound = |reach: f64| finite((correlation.atanh() + reach).tanh()).unwrap_or(correlation);
    Ok(ItemTotal { correlation, low: bound(-reach), high: bound(reach), rows: pairs.len() })
}

/// Returns `true` if the scores or the rests are constant, up to rounding of the subtracted sums.
fn either_is_flat(pairs: &[(f64, f64)]) -> bool {
    let largest = pairs.iter().fold(0.0_f64, |m, (a, b)| m.max(a.abs()).max(b.abs()));
    let range = |column: fn(&(f64, f64)) -> f64| {
        let values = || pairs.iter().map(column);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    range(|p| p.0).min(range(|p| p.1)) <= 1e-12 * largest
}
