//! Similarity of texts: shingles, MinHash and exact Jaccard, and the groups of texts that are nearly the same.
//!
//! Sources: Broder, "On the resemblance and containment of documents" (1997) for shingles and MinHash; Leskovec,
//! Rajaraman & Ullman, *Mining of Massive Datasets* (3rd ed. 2020), §3.4 for banding. MinHash only proposes pairs;
//! every reported similarity is an exact Jaccard. Everything is a pure function of the texts and their order.

use std::collections::BTreeMap;

/// Bytes of a shingle: six Latin letters, or two Han characters, which say as much. It begins at every character.
const SHINGLE: usize = 6;
/// Rows of a band and bands of a signature: a pair with Jaccard 0.8 is proposed with probability
/// `1 − (1 − 0.8⁴)⁸ = 0.985`, one with 0.3 with 0.06.
const ROWS: usize = 4;
const BANDS: usize = 8;
/// Values of a signature.
const HASHES: usize = ROWS * BANDS;
/// In a crowd of proposed texts each is compared with at most so many that are unlike each other, which keeps the work
/// linear. In a crowd of half-similar texts the others are parted by a second band and searched again; there, a pair can be
/// missed, but none is made up.
const LEADERS: usize = 4;

/// `text` as it is compared: without case, full-width forms, white space beyond single spaces, and marks without width.
/// Punctuation stays: in code it is all the difference.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        match c {
            c if c.is_whitespace() => gap = !out.is_empty(),
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => {}
            c => {
                if std::mem::take(&mut gap) {
                    out.push(' ');
                }
                match narrow(c) {
                    // Most text is of these, and neither needs the tables of all characters: Han has no case.
                    c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
                    c @ '\u{3400}'..='\u{9fff}' => out.push(c),
                    c => out.extend(c.to_lowercase()),
                }
            }
        }
    }
    out
}

/// The ASCII character of a full-width form.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// The shingles of a folded text as hashes, ascending, each once. A text shorter than one is one.
pub fn shingles(folded: &str, salt: u64) -> Vec<u64> {
    let bytes = folded.as_bytes();
    let mut all = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for (start, _) in folded.char_indices() {
        end = end.max((start + SHINGLE).min(bytes.len()));
        while !folded.is_char_boundary(end) {
            end += 1;
        }
        if end - start < SHINGLE && start > 0 {
            break;
        }
        all.push(hash(&bytes[start..end], salt));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// FNV-1a, mixed so that all bits matter.
pub(crate) fn hash(bytes: &[u8], salt: u64) -> u64 {
    let fnv = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    stir(bytes.iter().fold(0xcbf2_9ce4_8422_2325 ^ stir(salt), fnv))
}

/// A hash that reads eight bytes at a time: long texts are hashed to find equal ones.
pub(crate) fn quick_hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(29);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    stir(rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte))))
}

/// One step of SplitMix64 (Steele, Lea & Flood 2014).
pub const fn stir(x: u64) -> u64 {
    let mut x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The share of shingles that two texts have in common: `|A ∩ B| / |A ∪ B|`; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of characters")]
pub fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let union = a.len() + b.len() - common;
    if union == 0 { 0.0 } else { common as f64 / union as f64 }
}

/// The smallest values of a text's shingles under [`HASHES`] orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Box<[u32; HASHES]>);

/// The orders that a signature takes the least of: what is mixed into a shingle, and by what it is multiplied then.
const ORDERS: [(u64, u64); HASHES] = {
    let (mut orders, mut k) = ([(0, 0); HASHES], 0);
    while k < HASHES {
        let number = k as u64 + 1;
        orders[k] = (stir(2 * number), stir(2 * number + 1) | 1);
        k += 1;
    }
    orders
};

impl Signature {
    /// The signature of a text with these [`shingles`].
    pub fn of(shingles: &[u64]) -> Signature {
        let mut least = [u32::MAX; HASHES];
        for shingle in shingles {
            for ((salt, factor), least) in ORDERS.iter().zip(&mut least) {
                // the upper half fits
                let mixed = ((shingle ^ salt).wrapping_mul(*factor) >> 32) as u32;
                *least = (*least).min(mixed);
            }
        }
        Signature(Box::new(least))
    }

    /// The estimate of Jaccard: the share of equal values.
    #[expect(clippy::cast_precision_loss, reason = "at most 32")]
    pub fn estimate(&self, other: &Signature) -> f64 {
        let equal = self.0.iter().zip(other.0.iter()).filter(|(a, b)| a == b).count();
        equal as f64 / HASHES as f64
    }

    /// Whether the texts may well reach `threshold`: what a signature of 32 values may underrate a pair by is three standard
    /// errors at 0.8.
    pub(crate) fn may_reach(&self, other: &Signature, threshold: f64) -> bool {
        const SLACK: f64 = 0.2;
        self.estimate(other) >= threshold - SLACK
    }

    pub(crate) fn band(&self, band: usize) -> u64 {
        let rows = self.0[band * ROWS..(band + 1) * ROWS].iter();
        rows.fold(stir(band as u64), |hash, row| stir(hash ^ u64::from(*row)))
    }
}

/// A group of texts, by their indexes, that are linked by similarity.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarTexts {
    /// The places, ascending.
    pub places: Vec<usize>,
    /// The weakest of the links.
    pub likeness: f64,
}

/// The groups of two and more texts whose `likeness` reaches `threshold`, by their first index. Texts without a
/// signature are in no group.
pub fn groups(
    signatures: &[Option<Signature>],
    threshold: f64,
    likeness: &dyn Fn(usize, usize) -> f64,
) -> Vec<SimilarTexts> {
    let band = |at: usize, band: usize| Some(signatures[at].as_ref()?.band(band));
    let may_reach = |a: usize, b: usize| match (&signatures[a], &signatures[b]) {
        (Some(a), Some(b)) => a.may_reach(b, threshold),
        _ => false,
    };
    let texts = TextIndex { count: signatures.len(), crowd: &band, part: &band, may_reach: &may_reach, likeness };
    texts.groups(threshold)
}

/// Texts, by their places, as the search for groups sees them.
pub(crate) struct TextIndex<'a> {
    pub(crate) count: usize,
    /// The bucket of a text for each band; a text without one is in no group.
    pub(crate) crowd: &'a dyn Fn(usize, usize) -> Option<u64>,
    /// By which a crowd is parted whose texts are not all alike.
    pub(crate) part: &'a dyn Fn(usize, usize) -> Option<u64>,
    /// Whether a comparison is worth it.
    pub(crate) may_reach: &'a dyn Fn(usize, usize) -> bool,
    /// How alike two texts are.
    pub(crate) likeness: &'a dyn Fn(usize, usize) -> f64,
}

impl TextIndex<'_> {
    /// The groups of two and more whose likeness reaches `threshold`, by their first place.
    pub(crate) fn groups(&self, threshold: f64) -> Vec<SimilarTexts> {
        let mut forest = Forest::new(self.count);
        for band in 0..BANDS {
            for crowd in crowds(0..self.count, |at| (self.crowd)(at, band)) {
                let apart = self.link(&crowd, threshold, &mut forest);
                self.part(&apart, band, threshold, &mut forest);
            }
        }
        forest.groups()
    }

    /// Searches the texts of a bucket that are unlike its leaders again, in parts: similar texts share another band, too.
    fn part(&self, crowd: &[usize], by: usize, threshold: f64, forest: &mut Forest) {
        for band in (0..BANDS).filter(|&band| band != by && crowd.len() > 1) {
            for part in crowds(crowd.iter().copied(), |at| (self.part)(at, band)) {
                self.link(&part, threshold, forest);
            }
        }
    }

    /// Links a crowd's texts to the first of it that they are like; those that came when there were leaders enough and
    /// are like none of them.
    fn link(&self, crowd: &[usize], threshold: f64, forest: &mut Forest) -> Vec<usize> {
        let (mut leaders, mut apart) = (Vec::with_capacity(LEADERS), Vec::new());
        for &at in crowd {
            let found = leaders.iter().any(|&leader| {
                if forest.root(leader) == forest.root(at) {
                    return true;
                }
                let alike = if (self.may_reach)(leader, at) { (self.likeness)(leader, at) } else { 0.0 };
                if alike >= threshold {
                    forest.join(leader, at, alike);
                }
                alike >= threshold
            });
            match found {
                true => {}
                false if leaders.len() < LEADERS => leaders.push(at),
                false => apart.push(at),
            }
        }
        apart
    }
}

/// The places with equal keys, crowd by crowd.
fn crowds(places: impl Iterator<Item = usize>, key: impl Fn(usize) -> Option<u64>) -> Vec<Vec<usize>> {
    let mut keyed: Vec<(u64, usize)> = places.filter_map(|at| Some((key(at)?, at))).collect();
    keyed.sort_unstable();
    let crowds = keyed.chunk_by(|a, b| a.0 == b.0).filter(|crowd| crowd.len() > 1);
    crowds.map(|crowd| crowd.iter().map(|(_, at)| *at).collect()).collect()
}

/// Which texts are linked (union–find); a root is the smallest place of its group.
pub(crate) struct Forest {
    parents: Vec<usize>,
    likeness: Vec<f64>,
}

impl Forest {
    pub(crate) fn new(n: usize) -> Forest {
        Forest { parents: (0..n).collect(), likeness: vec![1.0; n] }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    pub(crate) fn join(&mut self, a: usize, b: usize, likeness: f64) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high] = low;
        self.likeness[low] = likeness.min(self.likeness[low]).min(self.likeness[high]);
    }

    /// The groups of two and more.
    pub(crate) fn groups(mut self) -> Vec<SimilarTexts> {
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.parents.len() {
            let root = self.root(at);
            members.entry(root).or_default().push(at);
        }
        let groups = members.into_iter().filter(|(_, places)| places.len() > 1);
        groups.map(|(root, places)| SimilarTexts { places, likeness: self.likeness[root] }).collect()
    }
}
