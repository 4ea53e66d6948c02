//! Capabilities that too few samples cover to show anything about them.

use std::collections::BTreeMap;

use eval_format::MIN_PAIRS;
use eval_message::plain::clip;
use eval_message::{Message, msg};
use eval_spec::Suite;

use super::found::{EXCERPT, Item, SampleFinding, counted};
use crate::likeness::folded;

pub(super) fn check(suite: &Suite) -> Result<SampleFinding, Message> {
    // a name written in another case is the same capability
    let mut covered: BTreeMap<String, (&str, Vec<usize>)> = BTreeMap::new();
    for (place, sample) in counted(suite) {
        for name in &sample.metadata.capability {
            let samples = &mut covered.entry(folded(name)).or_insert_with(|| (name, Vec::new())).1;
            if samples.last() != Some(&place) {
                samples.push(place);
            }
        }
    }
    if covered.is_empty() {
        return Err(msg!("quality-why-no-capability"));
    }
    let checked = covered.len();
    let is_thin = |(_, samples): &(&str, Vec<usize>)| crate::numbers::count(samples.len()) < MIN_PAIRS;
    let mut items: Vec<Item> = covered.into_values().filter(is_thin).map(item).collect();
    items.sort_by_key(|item| item.samples.len());
    Ok(SampleFinding::each(items, checked))
}

#[expect(clippy::cast_precision_loss, reason = "fewer than six")]
fn item((name, samples): (&str, Vec<usize>)) -> Item {
    Item {
        value: Some(samples.len() as f64),
        detail: msg!("quality-capability", name = clip(name, EXCERPT), count = samples.len()),
        samples,
    }
}
