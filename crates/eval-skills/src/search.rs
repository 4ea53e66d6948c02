//! Full-text search: Okapi BM25 (Robertson & Zaragoza 2009) over id, name, description and tags.

use eval_spec::callable::CallableSkill;

/// BM25's term frequency saturation.
const K1: f64 = 1.2;
/// BM25's length normalisation.
const B: f64 = 0.75;
/// The count of a word that only begins with the query's word: `calc` finds `calculator`, ranked below `calc`.
const PREFIX: f64 = 0.5;
/// The shortest query word that matches the beginning of others, in characters.
const MIN_PREFIX: usize = 3;

/// The skills that match a word of `query`, as indices with their scores: the best first, equal ones by id.
pub(crate) fn rank(skills: &[CallableSkill], query: &str) -> Vec<(usize, f64)> {
    let texts: Vec<Vec<String>> = skills.iter().map(text_of).map(|text| indexed(&text)).collect();
    let mut asked = words(query);
    asked.sort_unstable();
    asked.dedup();
    let mut ranked: Vec<(usize, f64)> = scores(&texts, &asked).into_iter().enumerate().collect();
    ranked.retain(|(_, score)| *score > 0.0);
    ranked.sort_by(|(a, left), (b, right)| right.total_cmp(left).then_with(|| skills[*a].id.cmp(&skills[*b].id)));
    ranked
}

fn text_of(skill: &CallableSkill) -> String {
    format!("{} {} {} {}", skill.id, skill.name, skill.description, skill.tags.join(" "))
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and skills")]
pub(super) fn scores(texts: &[Vec<String>], asked: &[String]) -> Vec<f64> {
    let total = texts.len() as f64;
    let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / total.max(1.0);
    let mut scores = vec![0.0; texts.len()];
    for word in asked {
        let counts: Vec<f64> = texts.iter().map(|text| count(text, word)).collect();
        let holders = counts.iter().filter(|count| **count > 0.0).count() as f64;
        let weight = (1.0 + (total - holders + 0.5) / (holders + 0.5)).ln();
        for (i, count) in counts.into_iter().enumerate() {
            let length = texts[i].len() as f64 / mean.max(f64::MIN_POSITIVE);
            scores[i] += weight * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length));
        }
    }
    scores
}

/// How often `word` is in a text, words that begin with it counting less.
pub(super) fn count(text: &[String], word: &str) -> f64 {
    let of = |other: &String| match other.as_str() {
        other if other == word => 1.0,
        other if word.chars().count() >= MIN_PREFIX && other.starts_with(word) => PREFIX,
        _ => 0.0,
    };
    text.iter().map(of).sum()
}

/// Lowercase words of letters and digits. Scripts without spaces are split into pairs of characters: `天气预报` has `天气`,
/// `气预` and `预报`.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let mut is_dense_run = false;
    let end = |run: &mut Vec<char>, is_dense: bool, found: &mut Vec<String>| {
        match (is_dense, run.len()) {
            (_, 0) => {}
            (true, 2..) => found.extend(run.windows(2).map(|pair| pair.iter().collect::<String>())),
            _ => found.push(run.iter().collect()),
        }
        run.clear();
    };
    for c in text.chars().flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() || is_dense(c) != is_dense_run {
            end(&mut run, is_dense_run, &mut found);
        }
        if c.is_alphanumeric() {
            is_dense_run = is_dense(c);
            run.push(c);
        }
    }
    end(&mut run, is_dense_run, &mut found);
    found
}

/// The index terms of a text: its words, and each single character of a script without spaces.
pub(super) fn indexed(text: &str) -> Vec<String> {
    let mut found = words(text);
    let is_single = |word: &String| word.chars().all(is_dense) && word.chars().count() == 1;
    found.retain(|word| !is_single(word));
    found.extend(text.chars().filter(|c| c.is_alphanumeric() && is_dense(*c)).map(String::from));
    found
}

/// Whether a character is of a script without spaces between words.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{0e00}'..='\u{0eff}' | '\u{20000}'..='\u{3ffff}')
}
