//! What the guards of the gap rate read of one variant. As everywhere, no rate leaves it without its test set.

use eval_message::{Message, msg};
use serde::{Deserialize, Serialize};

use super::TestSet;
use crate::impossible::{ImpossibleValue, counts, rate};

/// A gap rate that is guarded, and what it is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GapGuardInputs {
    /// What the rate holds for.
    test_set: TestSet,
    /// The rate; `null` where no execution has a trace.
    gap_rate: Option<f64>,
    /// What it is compared with; absent where nothing is, or where there is no earlier report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier: Option<EarlierGaps>,
}

/// The gap rate of the same variant in the last report, of the same test set if one is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierGaps {
    /// The report's id; absent in a blind report, because ids have the variants' names in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report: Option<String>,
    /// What the rate holds for.
    test_set: TestSet,
    /// The rate.
    gap_rate: f64,
}

/// Rates are stored with less than this error.
const NEAR: f64 = 1e-9;

impl EarlierGaps {
    /// A rate with its test set.
    #[must_use]
    pub fn new(report: Option<String>, test_set: TestSet, gap_rate: f64) -> EarlierGaps {
        EarlierGaps { report, test_set, gap_rate }
    }

    /// Whether it is [low](is_low).
    #[must_use]
    pub fn is_low(&self) -> bool {
        is_low(self.gap_rate)
    }

    /// The same without the id of its report.
    #[must_use]
    pub fn without_report(self) -> EarlierGaps {
        EarlierGaps { report: None, ..self }
    }

    /// What of it nothing can have measured, if there is any.
    pub(super) fn impossible(&self) -> Option<ImpossibleValue> {
        let samples = counts([("testSet.sampleCount", self.test_set.sample_count)]);
        rate("gapRate", Some(self.gap_rate), None).or(samples)
    }

    /// The rate as it is shown beside one on other samples.
    pub(super) fn beside(&self) -> Message {
        let set = &self.test_set;
        msg!(
            "gaps-beside",
            rate = percent(self.gap_rate),
            kind = if set.llm_generated { "model" } else { "people" },
            report = self.name(),
            count = set.sample_count,
            set = set.id.clone(),
            path = set.path.clone()
        )
    }

    /// How it is named in a sentence.
    fn name(&self) -> String {
        self.report.clone().unwrap_or_else(|| "–".to_owned())
    }
}

impl GapGuardInputs {
    /// A rate with its test set.
    #[must_use]
    pub fn new(test_set: TestSet, gap_rate: Option<f64>, earlier: Option<EarlierGaps>) -> GapGuardInputs {
        GapGuardInputs { test_set, gap_rate, earlier }
    }

    /// What it is compared with.
    #[must_use]
    pub fn earlier(&self) -> Option<&EarlierGaps> {
        self.earlier.as_ref()
    }

    /// Whether there is a rate.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.gap_rate.is_some()
    }

    /// Whether the rate is above a limit.
    #[must_use]
    pub fn exceeds(&self, limit: f64) -> bool {
        self.gap_rate.is_some_and(|rate| rate > limit + NEAR)
    }

    /// Whether the earlier rate holds for other samples, so that the two can't be compared.
    #[must_use]
    pub fn is_of_another_test_set(&self) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| earlier.test_set.id != self.test_set.id)
    }

    /// Whether it has risen by more than a limit since the earlier report.
    #[must_use]
    pub fn has_risen(&self, limit: f64) -> bool {
        let earlier = self.earlier.as_ref().filter(|_| !self.is_of_another_test_set());
        self.gap_rate.zip(earlier).is_some_and(|(now, then)| now - then.gap_rate > limit + NEAR)
    }

    /// That it is above the limit.
    #[must_use]
    pub fn too_high(&self, limit: f64) -> Message {
        let set = &self.test_set;
        msg!(
            "gaps-guard-high",
            rate = percent(self.gap_rate.unwrap_or_default()),
            limit = percent(limit),
            count = set.sample_count,
            set = set.id.clone(),
            path = set.path.clone()
        )
    }

    /// That it has risen.
    #[must_use]
    pub fn risen(&self, limit: f64) -> Message {
        let set = &self.test_set;
        msg!(
            "gaps-guard-risen",
            rate = percent(self.gap_rate.unwrap_or_default()),
            before = percent(self.earlier.as_ref().map_or(0.0, |earlier| earlier.gap_rate)),
            report = self.earlier.as_ref().map(EarlierGaps::name).unwrap_or_default(),
            limit = percent(limit),
            count = set.sample_count,
            set = set.id.clone(),
            path = set.path.clone()
        )
    }

    /// That there is none.
    #[must_use]
    pub fn unmeasured(&self) -> Message {
        msg!("gaps-guard-unmeasured", set = self.test_set.id.clone())
    }

    /// That the earlier one is of another test set.
    #[must_use]
    pub fn other_test_set(&self) -> Message {
        msg!(
            "gaps-guard-other-set",
            report = self.earlier.as_ref().map(EarlierGaps::name).unwrap_or_default(),
            before = self.earlier.as_ref().map_or_else(String::new, |earlier| earlier.test_set.id.clone()),
            set = self.test_set.id.clone()
        )
    }

    /// That there is no earlier one.
    #[must_use]
    pub fn first(&self, variant: &str) -> Message {
        msg!("gaps-guard-first", variant = variant, set = self.test_set.id.clone())
    }
}

/// Whether a rate is so low that the samples may have been learned by the knowledge base.
pub(super) fn is_low(rate: f64) -> bool {
    rate <= 0.1 + NEAR
}

/// A share in percent as the sentences of gaps have it, which write the sign themselves.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
