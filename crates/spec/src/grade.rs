//! What grading found.

use eval_message::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::BoxFuture;
use crate::call::Output;
use crate::judged::Judged;
use crate::plan::Cell;
use crate::units::Ratio;

/// Grades the output of a cell.
pub trait Grader: Send + Sync {
    /// Grades one answered output.
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade>;
}

/// The three layers of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// What the answer says.
    Fact,
    /// How it came about: length, cost, tools.
    Behavior,
    /// What a judge thinks of it.
    Judge,
}

impl Layer {
    /// All of them, in the order of the reports.
    pub const ALL: [Layer; 3] = [Layer::Fact, Layer::Behavior, Layer::Judge];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Layer::Fact => "fact",
            Layer::Behavior => "behavior",
            Layer::Judge => "judge",
        }
    }
}

/// All checks of one output: the assertions in the order of the sample file, then the rubric or the
/// dimensions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// One per assertion, rubric or dimension.
    pub checks: Vec<Check>,
}

/// One assertion's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The type's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The layer it counts in.
    pub layer: Layer,
    /// Its share in the layer.
    pub weight: f64,
    /// Whether pass and fail were exchanged; `outcome` is after that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not: bool,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// A scorer's share of what was expected, where there is more to tell than pass or fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Ratio>,
    /// What was measured: a count, a score, the text that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
    /// What a person should know about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// `assert-set`: the results inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Check>,
    /// What the judges said, when they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Box<Judged>>,
}

impl Check {
    /// This check and those inside it, at any depth.
    pub fn with_children(&self) -> Box<dyn Iterator<Item = &Check> + '_> {
        Box::new(std::iter::once(self).chain(self.children.iter().flat_map(Check::with_children)))
    }
}

/// How a check ended. What could not be checked is neither passed nor failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// A rubric or a dimension: it is a matter of degree.
    Rated {
        /// The judges' score, 1–5 being 0–1.
        ratio: Ratio,
    },
    /// It could not be evaluated.
    Unscored {
        /// The reason.
        why: Message,
    },
}

impl CheckOutcome {
    /// Whether it could not be evaluated.
    #[must_use]
    pub fn is_unscored(&self) -> bool {
        matches!(self, CheckOutcome::Unscored { .. })
    }

    /// `Some(true)` passed, `Some(false)` failed, `None` unscored or no matter of passing.
    #[must_use]
    pub fn passed(&self) -> Option<bool> {
        match self {
            CheckOutcome::Passed => Some(true),
            CheckOutcome::Failed => Some(false),
            CheckOutcome::Rated { .. } | CheckOutcome::Unscored { .. } => None,
        }
    }
}

/// The score of a layer, or of the composite.
#[derive(Clone, Debug, PartialEq)]
pub enum Score {
    /// The sample plans nothing in this layer.
    NotPlanned,
    /// It plans something, but none of it could be evaluated.
    Missing {
        /// The reason.
        why: Message,
    },
    /// The share of evaluated weight that passed; a judged dimension counts by its score.
    Scored(Ratio),
}

impl Score {
    /// The ratio, if there is one.
    #[must_use]
    pub fn ratio(&self) -> Option<Ratio> {
        match self {
            Score::Scored(ratio) => Some(*ratio),
            Score::NotPlanned | Score::Missing { .. } => None,
        }
    }
}

impl Grade {
    /// The score of one layer: passed weight over evaluated weight.
    #[must_use]
    pub fn layer(&self, layer: Layer) -> Score {
        layer_of(self.checks.iter(), layer)
    }

    /// `avgAssertionScore` of the first report format: all assertions in one pot.
    #[must_use]
    pub fn assertions(&self) -> Score {
        share_of(self.checks.iter().filter(|check| check.layer != Layer::Judge))
    }

    /// The mean of the layers that the sample plans; missing when one of them is.
    #[must_use]
    pub fn composite(&self) -> Score {
        composite_of(self.checks.iter())
    }

    /// The composite without the check at `place`.
    #[must_use]
    pub fn composite_without(&self, place: usize) -> Score {
        let others = self.checks.iter().enumerate().filter(|(at, _)| *at != place);
        composite_of(others.map(|(_, check)| check))
    }
}

fn layer_of<'a>(checks: impl Iterator<Item = &'a Check>, layer: Layer) -> Score {
    share_of(checks.filter(|check| check.layer == layer))
}

/// The mean of the layers that these checks are in.
fn composite_of<'a>(checks: impl Iterator<Item = &'a Check> + Clone) -> Score {
    let mut ratios = Vec::new();
    for layer in Layer::ALL {
        match layer_of(checks.clone(), layer) {
            Score::NotPlanned => {}
            Score::Scored(ratio) => ratios.push(ratio.get()),
            missing @ Score::Missing { .. } => return missing,
        }
    }
    if ratios.is_empty() {
        return Score::NotPlanned;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most three")]
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    Ratio::new(mean.clamp(0.0, 1.0)).map_or(Score::NotPlanned, Score::Scored)
}

/// Whether judges left it open, or, in a set, a check inside it.
fn is_open_to_judges(check: &Check) -> bool {
    check.with_children().any(|check| check.judged.as_ref().is_some_and(|judged| judged.score.is_none()))
}

fn share_of<'a>(checks: impl Iterator<Item = &'a Check>) -> Score {
    let (mut passed, mut evaluated, mut why) = (0.0, 0.0, None);
    let mut judges_failed = false;
    for check in checks {
        match &check.outcome {
            CheckOutcome::Passed => {
                passed += check.weight;
                evaluated += check.weight;
            }
            CheckOutcome::Failed => evaluated += check.weight,
            CheckOutcome::Rated { ratio } => {
                passed += check.weight * ratio.get();
                evaluated += check.weight;
            }
            CheckOutcome::Unscored { why: reason } if is_open_to_judges(check) && !judges_failed => {
                judges_failed = true;
                why = Some(reason.clone());
            }
            CheckOutcome::Unscored { why: reason } => why = why.or(Some(reason.clone())),
        }
    }
    // A question to judges that stayed open leaves no share: without it the rest could come out higher.
    match (evaluated > 0.0 && !judges_failed, why) {
        (true, _) => Ratio::new((passed / evaluated).clamp(0.0, 1.0)).map_or(Score::NotPlanned, Score::Scored),
        (false, Some(why)) => Score::Missing { why },
        (false, None) => Score::NotPlanned,
    }
}
