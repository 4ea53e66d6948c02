//! From a score as it is written to a share in 0..=1.

use eval_format::ScoreMapping;
use eval_message::msg;
use eval_spec::units::Ratio;

use crate::error::ResultsError;
use crate::row::{ReadResults, ScoreValue};

/// A scale that the user declares: the worst score, and the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleRange {
    /// What maps to 0.
    pub worst: f64,
    /// What maps to 1; below `worst` where lower is better.
    pub best: f64,
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
            (ScoreValue::Passed(_), Some(_)) => {
                return Err(ResultsError::new(msg!("results-scale-of-passes", place = file.place(at), score = name))
                    .help(msg!("results-scale-of-passes-help")));
            }
            (ScoreValue::Passed(passed), None) => f64::from(u8::from(passed)),
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
