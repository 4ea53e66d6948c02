//! From a score as it is written to a share in 0..=1.

use eval_format::ScoreMapping;
use eval_message::msg;
use eval_spec::units::Ratio;

use crate::error::ResultsError;
use crate::row::{ReadResults, RowEnd, ScoreValue};

/// A scale that the user declares: the worst score, and the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleRange {
    /// What maps to 0.
    pub worst: f64,
    /// What maps to 1; below `worst` where lower is better.
    pub best: f64,
}

impl ScaleRange {
    /// Whether its ends are those of a share, whichever is the better one.
    fn is_unit(self) -> bool {
        [[0.0, 1.0], [1.0, 0.0]].contains(&[self.worst, self.best])
    }
}

impl std::str::FromStr for ScaleRange {
    type Err = String;

    /// `1..10`, or `10..1` where lower is better.
    fn from_str(text: &str) -> Result<ScaleRange, String> {
        let (worst, best) = text.split_once("..").ok_or("it is WORST..BEST, such as 1..10")?;
        let number = |part: &str| {
            let value: f64 = part.trim().parse().map_err(|_| format!("`{part}` is no number"))?;
            if value.is_finite() { Ok(value) } else { Err(format!("`{part}` is no finite number")) }
        };
        let (worst, best) = (number(worst)?, number(best)?);
        if worst == best || !(best - worst).is_finite() {
            return Err("worst and best must differ".to_owned());
        }
        Ok(ScaleRange { worst, best })
    }
}

/// Words in the name of a score of which less is better.
const LOSSES: [&str; 40] = [
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
/// Scales whose scores lie on larger ones, too.
const SMALL: [[f64; 2]; 2] = [[0.0, 1.0], [1.0, 5.0]];

/// Refuses a score of which less is better, or may be, unless the scale says so.
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

/// Whether a score's name says that less of it is better.
fn is_loss(name: &str) -> bool {
    let mut words = String::with_capacity(name.len());
    let mut was_small = false;
    for letter in name.chars() {
        words.extend((was_small && letter.is_uppercase()).then_some(' '));
        was_small = letter.is_lowercase();
        words.extend(letter.to_lowercase());
    }
    words.split(|letter: char| !letter.is_alphanumeric()).any(|word| LOSSES.contains(&word))
}

/// Refuses files of which one stays within a smaller scale than the declared one, and another doesn't: 0.9 and 90.
pub(crate) fn check_scales(files: &[ReadResults], score: &str, scale: Option<ScaleRange>) -> Result<(), ResultsError> {
    let Some(ScaleRange { worst, best }) = scale.filter(|_| files.len() > 1) else { return Ok(()) };
    let number = |value: ScoreValue| match value {
        ScoreValue::Number(number) => Some(number),
        ScoreValue::Passed(_) | ScoreValue::Share(_) => None,
    };
    let range = |file: &ReadResults| {
        let scores = file.rows.iter().filter(|row| row.end == RowEnd::Graded).flat_map(|row| &row.scores);
        let numbers = scores.filter(|of| *of.name == *score).filter_map(|of| number(of.value));
        numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], n| [least.min(n), most.max(n)])
    };
    let ranges: Vec<[f64; 2]> = files.iter().map(range).collect();
    for [low, high] in SMALL.into_iter().filter(|[low, high]| worst.min(best) <= *low && *high < worst.max(best)) {
        // whose scores are all 0 failed throughout; who is worse needn't touch the end of a smaller scale
        let is_small =
            |[least, most]: &[f64; 2]| *least >= low && *most <= high && (*most >= high || (low <= 0.0 && *most > low));
        let small = ranges.iter().position(is_small);
        let large = ranges.iter().position(|[_, most]| *most > high);
        if let (Some(small), Some(large)) = (small, large) {
            return Err(ResultsError::new(msg!(
                "results-mixed-scales",
                small = &files[small].file,
                large = &files[large].file,
                low = low.to_string(),
                high = high.to_string(),
                most = ranges[large][1].to_string()
            ))
            .help(msg!("results-mixed-scales-help")));
        }
    }
    Ok(())
}

/// How the scores of a file are read.
pub(crate) struct ScoreReader {
    scale: Option<ScaleRange>,
    has_passes: bool,
    has_numbers: bool,
}

impl ScoreReader {
    pub(crate) fn new(scale: Option<ScaleRange>) -> ScoreReader {
        ScoreReader { scale, has_passes: false, has_numbers: false }
    }

    /// The share of a score.
    pub(crate) fn share(
        &mut self,
        file: &ReadResults,
        at: u64,
        name: &str,
        value: ScoreValue,
    ) -> Result<Ratio, ResultsError> {
        let number = match (value, self.scale) {
            (ScoreValue::Passed(_), Some(scale)) if !scale.is_unit() => {
                return Err(ResultsError::new(msg!("results-scale-of-passes", place = file.place(at), score = name))
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
        let share = (number - worst) / (best - worst);
        if let Some(ratio) = Ratio::new(share) {
            return Ok(ratio);
        }
        let place = file.place(at);
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

    /// How they were read.
    pub(crate) fn mapping(&self) -> ScoreMapping {
        match self.scale {
            Some(ScaleRange { worst, best }) => ScoreMapping::Scale { worst, best },
            None if self.has_passes && !self.has_numbers => ScoreMapping::PassFail,
            None => ScoreMapping::AsIs,
        }
    }
}
