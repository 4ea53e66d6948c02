//! Samples that ask the same thing twice: intervals count them as two, and are too narrow.

use std::collections::{BTreeMap, HashMap, HashSet};

use eval_spec::{Message, Sample, Suite, msg};
use rayon::prelude::*;
use serde_json::json;

use super::{Found, Item, counted};
use crate::contract::Severity;
use crate::likeness::{Alike, Forest, Signature, folded, groups, hash, jaccard, shingles};

/// Jaccard of shingles from which two texts are nearly the same: the field's usual threshold (Lee et al., "Deduplicating
/// training data makes language models better", 2022).
const NEAR: f64 = 0.8;
/// Shingles below which one changed word is another question, so that only equal texts are duplicates: about 30 Latin
/// letters, or 25 Han characters.
const LEAST_SHINGLES: usize = 24;
/// What more than half of the samples share is the frame that all of them stand in, such as the same instruction around
/// another ticket, and tells nothing. It is counted on at most so many samples, evenly spaced; with fewer than
/// `LEAST_FRAMED` there is no telling a frame from a duplicate.
const FRAME_SAMPLES: usize = 256;
const LEAST_FRAMED: usize = 5;

pub(super) fn check(suite: &Suite) -> Result<Found, Message> {
    let all: Vec<(usize, &Sample)> = counted(suite).collect();
    if all.len() < 2 {
        return Err(msg!("quality-why-one-sample"));
    }
    let samples: Vec<&Sample> = all.iter().map(|(_, sample)| *sample).collect();
    let found = duplicates(&samples);
    // of each group, one is no repetition
    let affected = found.iter().map(|group| group.places.len() - 1).sum();
    let item = |group: Alike| {
        let exact = group.likeness >= 1.0;
        Item {
            samples: group.places.iter().map(|&place| all[place].0).collect(),
            value: Some(group.likeness),
            detail: if exact { msg!("quality-duplicates-exact") } else { near(group.likeness) },
        }
    };
    let has_exact = found.iter().any(|group| group.likeness >= 1.0);
    let mut items: Vec<Item> = found.into_iter().map(item).collect();
    items.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
    Ok(Found {
        severity: if has_exact { Severity::Warning } else { Severity::Info },
        message: msg!("quality-duplicates", count = affected, total = samples.len()),
        advice: msg!("quality-duplicates-advice"),
        affected,
        checked: samples.len(),
        items,
    })
}

fn near(likeness: f64) -> Message {
    msg!("quality-duplicates-near", percent = format!("{:.0}", (likeness * 100.0).floor()))
}

/// What makes two samples with the same words different: where they are answered, and what tools return there.
fn surroundings(sample: &Sample) -> u64 {
    if sample.cwd.is_none() && sample.mocks.is_empty() && !sample.mocks_strict && sample.environment.is_none() {
        return 0;
    }
    let mocks: Vec<_> = sample.mocks.iter().map(|mock| (&mock.tool, &mock.written)).collect();
    let what = json!([sample.cwd, mocks, sample.mocks_strict, sample.environment]);
    hash(what.to_string().as_bytes(), 1)
}

/// Prompt and context, folded. They are compared apart: many questions about one document are no duplicates, nor is one
/// question about many.
struct Folded {
    prompt: String,
    context: Option<String>,
}

impl Folded {
    fn of(sample: &Sample) -> Folded {
        Folded { prompt: folded(&sample.prompt), context: sample.context.as_deref().map(folded) }
    }

    fn hash(&self) -> u64 {
        let context = self.context.as_ref().map_or(0, |context| hash(context.as_bytes(), 3));
        hash(self.prompt.as_bytes(), context)
    }

    fn shingles(&self, frame: &HashSet<u64>) -> [Vec<u64>; 2] {
        let telling = |text: &str, salt| {
            let mut all = shingles(text, salt);
            all.retain(|shingle| !frame.contains(shingle));
            all
        };
        [telling(&self.prompt, 0), self.context.as_deref().map(|context| telling(context, 1)).unwrap_or_default()]
    }
}

fn duplicates(samples: &[&Sample]) -> Vec<Alike> {
    let surroundings: Vec<u64> = samples.iter().map(|sample| surroundings(sample)).collect();
    let mut forest = Forest::new(samples.len());
    let first = exact(samples, &surroundings, &mut forest);
    let frame = frame(samples, &first);
    let signatures: Vec<Option<Signature>> = (0..samples.len())
        .into_par_iter()
        .map(|place| {
            let [prompt, context] = Some(place)
                .filter(|&place| first[place] == place)
                .map(|place| Folded::of(samples[place]).shingles(&frame))?;
            let all = [prompt, context].concat();
            (all.len() >= LEAST_SHINGLES).then(|| Signature::of(&all))
        })
        .collect();
    let likeness = |a: usize, b: usize| match surroundings[a] == surroundings[b] {
        true => likeness(samples[a], samples[b], &frame),
        false => 0.0,
    };
    for near in groups(&signatures, NEAR, &likeness) {
        near.places.iter().for_each(|&place| forest.join(near.places[0], place, near.likeness));
    }
    forest.groups()
}

/// Joins samples that are equal but for folding; for each place, the first that it equals.
fn exact(samples: &[&Sample], surroundings: &[u64], forest: &mut Forest) -> Vec<usize> {
    let hashes: Vec<u64> = samples.par_iter().map(|sample| Folded::of(sample).hash()).collect();
    let mut known: HashMap<(u64, u64), Vec<usize>> = HashMap::new();
    let equal = |a: usize, b: usize| {
        let (a, b) = (Folded::of(samples[a]), Folded::of(samples[b]));
        a.prompt == b.prompt && a.context == b.context
    };
    (0..samples.len())
        .map(|place| {
            let same = known.entry((hashes[place], surroundings[place])).or_default();
            match same.iter().copied().find(|&other| equal(other, place)) {
                Some(other) => {
                    forest.join(other, place, 1.0);
                    other
                }
                None => {
                    same.push(place);
                    place
                }
            }
        })
        .collect()
}

/// The shingles that more than half of the samples share.
fn frame(samples: &[&Sample], first: &[usize]) -> HashSet<u64> {
    let distinct: Vec<usize> = (0..samples.len()).filter(|&place| first[place] == place).collect();
    if distinct.len() < LEAST_FRAMED {
        return HashSet::new();
    }
    let step = distinct.len().div_ceil(FRAME_SAMPLES);
    let looked_at: Vec<usize> = distinct.into_iter().step_by(step).collect();
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for &place in &looked_at {
        for shingle in Folded::of(samples[place]).shingles(&HashSet::new()).concat() {
            *seen.entry(shingle).or_default() += 1;
        }
    }
    seen.into_iter().filter(|(_, count)| count * 2 > looked_at.len()).map(|(shingle, _)| shingle).collect()
}

/// The lesser of the prompts' and the contexts' likeness.
fn likeness(a: &Sample, b: &Sample, frame: &HashSet<u64>) -> f64 {
    let part = |a: &str, b: &str, salt: u64| {
        let telling = |text: &str| {
            let mut all = shingles(text, salt);
            all.retain(|shingle| !frame.contains(shingle));
            all
        };
        if a == b {
            return 1.0;
        }
        let (a, b) = (telling(a), telling(b));
        if a.len().min(b.len()) < LEAST_SHINGLES { 0.0 } else { jaccard(&a, &b) }
    };
    let prompts = part(&folded(&a.prompt), &folded(&b.prompt), 0);
    // many questions about one document differ in the short text, and the long one need not be read
    if prompts < NEAR || (a.context.is_none() && b.context.is_none()) {
        return prompts;
    }
    let context = |of: &Sample| of.context.as_deref().map(folded).unwrap_or_default();
    if a.context == b.context { prompts } else { prompts.min(part(&context(a), &context(b), 1)) }
}
