//! Samples that ask the same thing twice. They count as one; each for itself would narrow every interval.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use eval_message::{Message, msg};
use eval_spec::{Sample, Suite};
use rayon::prelude::*;
use serde_json::json;

use super::found::{Item, SampleFinding, counted};
use crate::likeness::{
    Forest, Signature, SimilarTexts, TextIndex, folded, groups, hash, jaccard, quick_hash, shingles, stir,
};

/// Jaccard of shingles from which two texts are nearly the same: the field's usual threshold (Lee et al., "Deduplicating
/// training data makes language models better", 2022).
const NEAR: f64 = 0.8;
/// Shingles below which one changed word is another question, so that only equal texts are duplicates: about 30 Latin
/// letters, or 25 Han characters.
const LEAST_SHINGLES: usize = 24;
/// Text that more than half of the samples share is a frame, such as the same instruction around another ticket, and is
/// ignored. It is counted on at most so many samples, evenly spaced; with fewer than `LEAST_FRAMED` a frame can't be
/// distinguished from a duplicate.
const FRAME_SAMPLES: usize = 256;
const LEAST_FRAMED: usize = 5;
/// The most shingles that are cached for the next comparison: 16 MB.
const KEPT: usize = 1 << 22;

/// The finding of the groups that [`near_duplicates`] finds.
pub(super) fn check(suite: &Suite, found: &[SimilarTexts]) -> Result<SampleFinding, Message> {
    let checked = counted(suite).count();
    if checked < 2 {
        return Err(msg!("quality-why-one-sample"));
    }
    // of each group, one is no repetition
    let affected = found.iter().map(|group| group.places.len() - 1).sum();
    let item = |group: &SimilarTexts| {
        let exact = group.likeness >= 1.0;
        Item {
            samples: group.places.clone(),
            value: Some(group.likeness),
            detail: if exact { msg!("quality-duplicates-exact") } else { near_text(group.likeness) },
        }
    };
    let mut items: Vec<Item> = found.iter().map(item).collect();
    items.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
    Ok(SampleFinding { affected, checked, items })
}

/// The samples of a suite that are equal or nearly so. To find them takes long where texts are many or long, so that a run
/// does it once.
#[derive(Clone, Debug, Default)]
pub struct AlikeSamples(pub(crate) Vec<SimilarTexts>);

impl AlikeSamples {
    /// Compares all samples but tripwires.
    #[must_use]
    pub fn of(suite: &Suite) -> AlikeSamples {
        AlikeSamples(near_duplicates(suite))
    }

    /// Compares the samples for which `asks` holds: those whose prompt is what was asked, and not what they are called.
    #[must_use]
    pub fn among(suite: &Suite, asks: &dyn Fn(usize) -> bool) -> AlikeSamples {
        AlikeSamples(near(counted(suite).filter(|(place, _)| asks(*place)).collect()))
    }
}

/// The groups of samples that are equal or nearly so, by their places in the suite; tripwires aside. They are searched in
/// the order of their ids: which texts are compared depends on which come first, and the order of the file may not.
pub(super) fn near_duplicates(suite: &Suite) -> Vec<SimilarTexts> {
    near(counted(suite).collect())
}

fn near(mut samples: Vec<(usize, &Sample)>) -> Vec<SimilarTexts> {
    samples.sort_by(|(_, a), (_, b)| a.id.cmp(&b.id));
    let (places, samples): (Vec<usize>, Vec<&Sample>) = samples.into_iter().unzip();
    if samples.len() < 2 {
        return Vec::new();
    }
    let in_suite = |group: SimilarTexts| {
        let mut of_suite: Vec<usize> = group.places.iter().map(|&place| places[place]).collect();
        of_suite.sort_unstable();
        SimilarTexts { places: of_suite, ..group }
    };
    let mut groups: Vec<SimilarTexts> = duplicates(&samples).into_iter().map(in_suite).collect();
    groups.sort_by_key(|group| group.places[0]);
    groups
}

fn near_text(likeness: f64) -> Message {
    msg!("quality-duplicates-near", percent = format!("{:.0}", (likeness * 100.0).floor()))
}

/// What makes two samples with the same words different: where they are answered, what tools return there, and what stands
/// at their URLs.
fn surroundings(sample: &Sample) -> u64 {
    let pages = sample.compared_pages();
    let is_bare = sample.cwd.is_none() && sample.mocks.is_empty() && !sample.mocks_strict;
    if is_bare && sample.environment.is_none() && pages.is_empty() {
        return 0;
    }
    let mocks: Vec<_> = sample.mocks.iter().map(|mock| (&mock.tool, &mock.written)).collect();
    let what = json!([sample.cwd, mocks, sample.mocks_strict, sample.environment, pages]);
    hash(what.to_string().as_bytes(), 1)
}

/// Samples that are equal or nearly so. Prompt and context are compared apart: many questions about one document are no
/// duplicates, nor is one question about many. Each text is looked at once, however many samples share it.
fn duplicates(samples: &[&Sample]) -> Vec<SimilarTexts> {
    let surroundings: Vec<u64> = samples.par_iter().map(|sample| surroundings(sample)).collect();
    let [prompts, contexts] = [SampleText::Prompt, SampleText::Context].map(|part| Firsts::of(samples, part));
    let mut forest = Forest::new(samples.len());
    let first = exact(&prompts, &contexts, &surroundings, &mut forest);
    let frame = frame(samples, &first);
    let prompts = ComparedPart::of(samples, SampleText::Prompt, prompts, &frame);
    let contexts = ComparedPart::of(samples, SampleText::Context, contexts, &frame);
    let documents = contexts.clusters();
    let crowd = |at: usize, band: usize| {
        let is_alone = first[at] != at || !(prompts.is_telling(at) || contexts.is_telling(at));
        let document = contexts.first(at).map_or(0, |context| 1 + documents[context] as u64);
        (!is_alone).then(|| stir(stir(prompts.band(at, band) ^ stir(document)) ^ surroundings[at]))
    };
    let may_reach = |a, b| surroundings[a] == surroundings[b] && prompts.may_reach(a, b) && contexts.may_reach(a, b);
    let texts = TextIndex {
        count: samples.len(),
        crowd: &crowd,
        part: &|at, band| Some(stir(prompts.band(at, band)) ^ contexts.band(at, band)),
        may_reach: &may_reach,
        // the lesser of both; where the prompts differ, a long context need not be read
        likeness: &|a, b| match prompts.likeness(a, b) {
            unlike if unlike < NEAR => unlike,
            alike => alike.min(contexts.likeness(a, b)),
        },
    };
    for near in texts.groups(NEAR) {
        near.places.iter().for_each(|&place| forest.join(near.places[0], place, near.likeness));
    }
    forest.groups()
}

/// A text of a sample.
#[derive(Clone, Copy)]
enum SampleText {
    Prompt,
    Context,
}

impl SampleText {
    fn of(self, sample: &Sample) -> Option<&str> {
        match self {
            SampleText::Prompt => Some(sample.compared_prompt()),
            SampleText::Context => sample.compared_context(),
        }
    }

    /// The shingles that aren't part of the frame. Both are ascending.
    fn telling(self, sample: &Sample, frame: &[u64]) -> Vec<u64> {
        let text = self.of(sample).map(folded).unwrap_or_default();
        let mut all = if text.is_empty() { Vec::new() } else { shingles(&text, self as u64) };
        let mut at = 0;
        all.retain(|shingle| {
            at += frame[at..].iter().take_while(|framed| *framed < shingle).count();
            frame.get(at) != Some(shingle)
        });
        all
    }
}

/// For each sample, the first that has the same text but for folding; nothing for one that has none.
struct Firsts(Vec<Option<usize>>);

impl Firsts {
    fn of(samples: &[&Sample], part: SampleText) -> Firsts {
        let text = |at: usize| part.of(samples[at]);
        // most equal texts are equal to the letter, and needn't be folded to be seen
        let keyed = (0..samples.len()).into_par_iter().filter_map(|at| Some((quick_hash(text(at)?.as_bytes()), at)));
        let written = equal(keyed.collect(), samples.len(), |a, b| text(a) == text(b));
        let distinct = (0..samples.len()).into_par_iter().filter(|&at| written[at] == Some(at));
        let fold = |at: usize| text(at).map(folded).unwrap_or_default();
        let keyed = distinct.map(|at| (hash(fold(at).as_bytes(), 0), at));
        let meant = equal(keyed.collect(), samples.len(), |a, b| fold(a) == fold(b));
        Firsts(written.into_iter().map(|first| meant[first?]).collect())
    }
}

/// For each index with a key, the first index that is `same`; only texts with equal keys are compared.
fn equal(mut keyed: Vec<(u64, usize)>, count: usize, same: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    keyed.par_sort_unstable();
    let mut firsts = vec![None; count];
    for crowd in keyed.chunk_by(|a, b| a.0 == b.0) {
        let mut known: Vec<usize> = Vec::with_capacity(1);
        for &(_, at) in crowd {
            let first = known.iter().copied().find(|&first| same(first, at));
            firsts[at] = Some(first.unwrap_or(at));
            known.extend(first.is_none().then_some(at));
        }
    }
    firsts
}

/// Joins samples that are equal but for folding; for each place, the first that it equals.
fn exact(prompts: &Firsts, contexts: &Firsts, surroundings: &[u64], forest: &mut Forest) -> Vec<usize> {
    let mut known: HashMap<(Option<usize>, Option<usize>, u64), usize> = HashMap::new();
    (0..surroundings.len())
        .map(|place| {
            let first = *known.entry((prompts.0[place], contexts.0[place], surroundings[place])).or_insert(place);
            if first != place {
                forest.join(first, place, 1.0);
            }
            first
        })
        .collect()
}

/// The shingles that more than half of the samples share, ascending.
fn frame(samples: &[&Sample], first: &[usize]) -> Vec<u64> {
    let distinct: Vec<usize> = (0..samples.len()).filter(|&place| first[place] == place).collect();
    if distinct.len() < LEAST_FRAMED {
        return Vec::new();
    }
    let step = distinct.len().div_ceil(FRAME_SAMPLES);
    let looked_at: Vec<usize> = distinct.into_iter().step_by(step).collect();
    let of = |&place: &usize| {
        [SampleText::Prompt, SampleText::Context].map(|part| part.telling(samples[place], &[])).concat()
    };
    let mut seen: Vec<u64> = looked_at.par_iter().flat_map_iter(of).collect();
    seen.par_sort_unstable();
    let shared = seen.chunk_by(|a, b| a == b).filter(|equal| equal.len() * 2 > looked_at.len());
    shared.map(|equal| equal[0]).collect()
}

/// One part of all samples, ready to be compared.
struct ComparedPart<'a> {
    samples: &'a [&'a Sample],
    part: SampleText,
    frame: &'a [u64],
    firsts: Firsts,
    /// At the index of the first sample with the text, if the text is long enough to compare.
    signatures: Vec<Option<Signature>>,
    kept: RefCell<Kept>,
}

/// Shingles of the texts that were compared last.
struct Kept {
    of: Vec<Option<Rc<[u32]>>>,
    shingles: usize,
}

impl Kept {
    fn nothing(samples: usize) -> Kept {
        Kept { of: vec![None; samples], shingles: 0 }
    }
}

impl<'a> ComparedPart<'a> {
    fn of(samples: &'a [&'a Sample], part: SampleText, firsts: Firsts, frame: &'a [u64]) -> ComparedPart<'a> {
        let signature = |at: usize| {
            let telling = Some(at).filter(|_| firsts.0[at] == Some(at)).map(|at| part.telling(samples[at], frame))?;
            (telling.len() >= LEAST_SHINGLES).then(|| Signature::of(&telling))
        };
        let signatures = (0..samples.len()).into_par_iter().map(signature).collect();
        ComparedPart { samples, part, frame, firsts, signatures, kept: RefCell::new(Kept::nothing(samples.len())) }
    }

    fn first(&self, at: usize) -> Option<usize> {
        self.firsts.0[at]
    }

    fn signature(&self, at: usize) -> Option<&Signature> {
        self.signatures[self.first(at)?].as_ref()
    }

    fn is_telling(&self, at: usize) -> bool {
        self.signature(at).is_some()
    }

    /// What texts that are nearly the same share in some band; a short text shares it with its equals only.
    fn band(&self, at: usize, band: usize) -> u64 {
        match self.signature(at) {
            Some(signature) => signature.band(band),
            None => self.first(at).map_or(0, |first| stir(first as u64)),
        }
    }

    fn may_reach(&self, a: usize, b: usize) -> bool {
        self.first(a) == self.first(b)
            || matches!((self.signature(a), self.signature(b)), (Some(a), Some(b)) if a.may_reach(b, NEAR))
    }

    /// 1 of equal texts; 0 if one is too short to compare.
    fn likeness(&self, a: usize, b: usize) -> f64 {
        if self.first(a) == self.first(b) {
            return 1.0;
        }
        match (self.is_telling(a), self.is_telling(b)) {
            (true, true) => jaccard(&self.shingles(a), &self.shingles(b)),
            _ => 0.0,
        }
    }

    /// Half of each hash is enough to compare the shingles of two texts.
    fn shingles(&self, at: usize) -> Rc<[u32]> {
        let at = self.first(at).unwrap_or(at);
        let mut kept = self.kept.borrow_mut();
        if let Some(shingles) = &kept.of[at] {
            return Rc::clone(shingles);
        }
        let telling = self.part.telling(self.samples[at], self.frame).into_iter();
        let shingles: Rc<[u32]> = telling.map(|shingle| (shingle >> 32) as u32).collect();
        if kept.shingles + shingles.len() > KEPT {
            *kept = Kept::nothing(self.samples.len());
        }
        kept.shingles += shingles.len();
        kept.of[at] = Some(Rc::clone(&shingles));
        shingles
    }

    /// For each place, the first of the texts that are linked by being nearly the same.
    fn clusters(&self) -> Vec<usize> {
        let mut clusters: Vec<usize> = (0..self.samples.len()).collect();
        for near in groups(&self.signatures, NEAR, &|a, b| self.likeness(a, b)) {
            near.places.iter().for_each(|&place| clusters[place] = near.places[0]);
        }
        clusters
    }
}
