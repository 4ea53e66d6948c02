//! Converts scores as files have them to shares in 0..=1.

use std::collections::BTreeMap;
use std::sync::Arc;

use eval_format::ScoreMapping;
use eval_message::{Message, msg};
use eval_spec::units::Ratio;

use crate::error::ResultsError;
use crate::row::{ForeignRow, ReadResults, RowEnd, ScoreValue};

/// Scale declared by the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleRange {
    /// Score that maps to 0.
    pub worst: f64,
    /// Score that maps to 1; below `worst` if lower is better.
    pub best: f64,
}

impl ScaleRange {
    /// Returns whether a number is on the scale.
    pub(crate) fn has(self, number: f64) -> bool {
        (self.worst.min(self.best)..=self.worst.max(self.best)).contains(&number)
    }

    /// Returns whether the scale is 0..1 or 1..0.
    fn is_unit(self) -> bool {
        [[0.0, 1.0], [1.0, 0.0]].contains(&[self.worst, self.best])
    }
}

impl std::str::FromStr for ScaleRange {
    type Err = String;

    /// Parses `1..10`, or `10..1` if lower is better.
    fn from_str(text: &str) -> Result<ScaleRange, String> {
        let number = |part: &str| part.trim().parse().ok().filter(|value: &f64| value.is_finite());
        let ends = text.split_once("..").and_then(|(worst, best)| Some((number(worst)?, number(best)?)));
        match ends {
            Some((worst, best)) if worst != best && (best - worst).is_finite() => Ok(ScaleRange { worst, best }),
            _ => Err("it is WORST..BEST, such as 1..10".to_owned()),
        }
    }
}

/// Words in names of scores where less is better.
const LOSS_WORDS: [&str; 40] = [
    "wer",
    "cer",
    "ter",
    "mer",
    "loss",
    "losses",
    "nll",
    "perplexity",
    "ppl",
    "bits",
    "bpb",
    "error",
    "errors",
    "err",
    "mse",
    "rmse",
    "mae",
    "brier",
    "latency",
    "duration",
    "seconds",
    "ms",
    "time",
    "cost",
    "price",
    "tokens",
    "toxic",
    "toxicity",
    "hallucination",
    "hallucinations",
    "hallucinated",
    "bias",
    "failed",
    "failure",
    "failures",
    "violation",
    "violations",
    "distance",
    "regret",
    "harmful",
];
/// Common scales whose scores also fit on larger ones.
const SMALL_SCALES: [[f64; 2]; 2] = [[0.0, 1.0], [1.0, 5.0]];

/// Refuses a score where less is better, or may be, unless the declared scale settles it.
pub(crate) fn check_direction(
    files: &[ReadResults],
    score: &str,
    scale: Option<ScaleRange>,
) -> Result<(), ResultsError> {
    let rises = |file: &ReadResults| file.directions.rises(score);
    let falling = files.iter().find(|file| rises(file) == Some(false));
    match (falling, scale) {
        (Some(file), scale) if scale.is_none_or(|scale| scale.worst < scale.best) => {
            Err(ResultsError::new(msg!("results-falls", score = score, file = &file.file))
                .help(msg!("results-falls-help")))
        }
        (None, None) if !files.iter().all(|file| rises(file) == Some(true)) && is_loss(score) => {
            Err(ResultsError::new(msg!("results-may-fall", score = score)).help(msg!("results-may-fall-help")))
        }
        _ => Ok(()),
    }
}

/// Returns whether the name of a score suggests that less is better.
fn is_loss(name: &str) -> bool {
    let mut words = String::with_capacity(name.len());
    let mut was_small = false;
    for letter in name.chars() {
        words.extend((was_small && letter.is_uppercase()).then_some(' '));
        was_small = letter.is_lowercase();
        words.extend(letter.to_lowercase());
    }
    words.split(|letter: char| !letter.is_alphanumeric()).any(|word| LOSS_WORDS.contains(&word))
}

/// Refuses files, or arms of one file, if one seems to use a smaller scale than declared and another doesn't, such as 0.9
/// and 90.
pub(crate) fn check_scales(files: &[ReadResults], score: &str, scale: Option<ScaleRange>) -> Result<(), ResultsError> {
    let Some(ScaleRange { worst, best }) = scale else { return Ok(()) };
    let fits = |[low, high]: &[f64; 2]| worst.min(best) <= *low && *high < worst.max(best);
    let ranges: Vec<ScoresRange> =
        files.iter().map(|file| ScoresRange::measure(file.file.clone(), &file.rows, score)).collect();
    SMALL_SCALES.iter().filter(|small| fits(small)).try_for_each(|small| check_ranges(&ranges, *small))?;
    // arms of one file are probably on one scale: only fractions in 0..=1 count as evidence of a smaller one
    for file in files {
        let mut arms: BTreeMap<_, Vec<&ForeignRow>> = BTreeMap::new();
        file.rows.iter().for_each(|row| arms.entry(&row.arm).or_default().push(row));
        let arm_name =
            |arm: &[(Arc<str>, Arc<str>)]| arm.iter().map(|(_, value)| &**value).collect::<Vec<_>>().join(" · ");
        let ranges: Vec<ScoresRange> =
            arms.into_iter().map(|(arm, rows)| ScoresRange::measure(arm_name(arm), rows, score)).collect();
        let [small, _] = SMALL_SCALES;
        if fits(&small) && ranges.iter().any(|range| range.most <= 1.0 && range.has_fractions) {
            check_ranges(&ranges, small)?;
        }
    }
    Ok(())
}

fn check_ranges(ranges: &[ScoresRange], [low, high]: [f64; 2]) -> Result<(), ResultsError> {
    // scores of 0 only are failures on any scale; a weak arm needn't reach the top of a small one
    let is_small = |range: &&ScoresRange| {
        range.least >= low && range.most <= high && (range.most >= high || (low <= 0.0 && range.most > low))
    };
    let small = ranges.iter().find(is_small);
    let large = ranges.iter().find(|range| range.most > high);
    let (Some(small), Some(large)) = (small, large) else { return Ok(()) };
    Err(ResultsError::new(msg!(
        "results-mixed-scales",
        small = &small.name,
        large = &large.name,
        low = low.to_string(),
        high = high.to_string(),
        most = large.most.to_string()
    ))
    .help(msg!("results-mixed-scales-help")))
}

/// Range of the numbers of a file or an arm.
struct ScoresRange {
    name: String,
    least: f64,
    most: f64,
    /// `true` if some aren't integers.
    has_fractions: bool,
}

impl ScoresRange {
    fn measure<'r>(name: String, rows: impl IntoIterator<Item = &'r ForeignRow>, score: &str) -> ScoresRange {
        let mut range = ScoresRange { name, least: f64::INFINITY, most: f64::NEG_INFINITY, has_fractions: false };
        let scores = rows.into_iter().filter(|row| row.end == RowEnd::Graded).flat_map(|row| &row.scores);
        for named in scores.filter(|named| *named.name == *score) {
            if let ScoreValue::Number(number) = named.value {
                range.least = range.least.min(number);
                range.most = range.most.max(number);
                range.has_fractions |= number.fract() != 0.0;
            }
        }
        range
    }
}

/// Ratio of scale to scores from which on every difference looks small.
const TOO_WIDE: f64 = 10.0;

/// Converts scores, and remembers what they were.
pub(crate) struct ScoreReader {
    scale: Option<ScaleRange>,
    has_passes: bool,
    has_numbers: bool,
    /// Least and greatest number so far.
    seen: [f64; 2],
}

impl ScoreReader {
    pub(crate) fn new(scale: Option<ScaleRange>) -> ScoreReader {
        ScoreReader { scale, has_passes: false, has_numbers: false, seen: [f64::INFINITY, f64::NEG_INFINITY] }
    }

    /// Converts a score to a share.
    pub(crate) fn share(
        &mut self,
        file: &ReadResults,
        position: u64,
        name: &str,
        value: ScoreValue,
    ) -> Result<Ratio, ResultsError> {
        let number = match (value, self.scale) {
            (ScoreValue::Passed(_) | ScoreValue::Share(_), Some(scale)) if !scale.is_unit() => {
                return Err(ResultsError::new(msg!(
                    "results-scale-of-passes",
                    place = file.place(position),
                    score = name
                ))
                .help(msg!("results-scale-of-passes-help")));
            }
            (ScoreValue::Passed(passed), _) => f64::from(u8::from(passed)),
            (ScoreValue::Number(number) | ScoreValue::Share(number), _) => number,
        };
        match value {
            ScoreValue::Passed(_) => self.has_passes = true,
            ScoreValue::Number(_) | ScoreValue::Share(_) => self.has_numbers = true,
        }
        let ScaleRange { worst, best } = self.scale.unwrap_or(ScaleRange { worst: 0.0, best: 1.0 });
        let [least, most] = self.seen;
        self.seen = [least.min(number), most.max(number)];
        let share = (number - worst) / (best - worst);
        if let Some(ratio) = Ratio::new(share) {
            return Ok(ratio);
        }
        let place = file.place(position);
        Err(match self.scale {
            Some(_) => ResultsError::new(msg!(
                "results-outside-declared",
                place = place,
                score = name,
                value = number.to_string(),
                worst = worst.to_string(),
                best = best.to_string()
            )),
            None => {
                ResultsError::new(msg!("results-outside-unit", place = place, score = name, value = number.to_string()))
                    .help(msg!("results-outside-unit-help"))
            }
        })
    }

    /// Returns a warning if the declared scale is at least [`TOO_WIDE`] times as wide as the numbers read. Never if all
    /// numbers are equal: then no difference could look smaller than it is.
    pub(crate) fn too_wide(&self, score: &str) -> Option<Message> {
        let ScaleRange { worst, best } = self.scale?;
        let [least, most] = self.seen;
        let times = (best - worst).abs() / (most - least);
        // differences such as 0.9 − 0.8 are not exact
        (most > least && times >= TOO_WIDE * (1.0 - 1e-9)).then(|| {
            msg!(
                "results-wide-scale",
                score = score,
                least = least.to_string(),
                most = most.to_string(),
                worst = worst.to_string(),
                best = best.to_string(),
                times = format!("{times:.0}")
            )
        })
    }

    /// Returns how the scores were converted.
    pub(crate) fn mapping(&self) -> ScoreMapping {
        match self.scale {
            Some(ScaleRange { worst, best }) => ScoreMapping::Scale { worst, best },
            None if self.has_passes && !self.has_numbers => ScoreMapping::PassFail,
            None => ScoreMapping::AsIs,
        }
    }
}
