//! Whether agents load a skill when they should.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Whether agents load the skill of each variant for the queries that it should be loaded for, and for no others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TriggerReport {
    /// Queries that the skill should be loaded for.
    pub should: u64,
    /// Queries that it should not be loaded for.
    pub should_not: u64,
    /// Those of the latter that look as if it should.
    pub near_misses: u64,
    /// Each variant, the control first.
    pub variants: Vec<TriggerRates>,
    /// Each treatment against the control.
    pub comparisons: Vec<TriggerComparison>,
}

/// How often a variant's skill was loaded. Counts are executions: queries × repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TriggerRates {
    /// The variant.
    pub variant: String,
    /// Loaded, and rightly so.
    pub true_positives: u64,
    /// Not loaded, though it should have been.
    pub false_negatives: u64,
    /// Loaded, though it should not have been.
    pub false_positives: u64,
    /// Not loaded, and rightly so.
    pub true_negatives: u64,
    /// Failed, or stopped by a limit before it was loaded: these tell nothing.
    pub unmeasured: u64,
    /// Of the executions that should load it, the share that did; `null` without any.
    pub recall: Option<TriggerRate>,
    /// Of the executions that loaded it, the share that should; `null` without any.
    pub precision: Option<TriggerRate>,
    /// The harmonic mean of the two; `null` where it was neither loaded nor should have been.
    pub f1: Option<TriggerRate>,
    /// The ids of the queries that went wrong, at least once.
    pub wrong: Vec<String>,
    /// What was loaded for which queries; absent where no other skill is on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confusion: Vec<TriggerConfusion>,
}

/// A share with its 95 % interval, 0 to 1. Each query counts as one trial, however often it was repeated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriggerRate {
    /// The share.
    pub estimate: f64,
    /// The interval's lower bound.
    pub low: f64,
    /// Its upper bound.
    pub high: f64,
}

/// What was loaded for the queries that one skill, or none, should be loaded for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriggerConfusion {
    /// The skill that should be loaded: `self`, the name of another one, or `none`.
    pub expected: String,
    /// Executions measured.
    pub executions: u64,
    /// Of these, how many loaded `self`, another skill, or `none`; one that loaded several is counted for each.
    pub loaded: BTreeMap<String, u64>,
}

/// Two descriptions on the same queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriggerComparison {
    /// The control.
    pub control: String,
    /// The treatment.
    pub treatment: String,
    /// The queries that the treatment gets right more often.
    pub better: Vec<String>,
    /// The queries that it gets right less often.
    pub worse: Vec<String>,
    /// McNemar's exact two-sided test of the two numbers.
    pub p: f64,
}

/// What the gate reads of a variant's triggers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriggerInputs {
    /// The recall, 0 to 1.
    pub recall: Option<f64>,
    /// The precision, 0 to 1.
    pub precision: Option<f64>,
}
