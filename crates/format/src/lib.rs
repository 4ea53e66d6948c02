//! What is stored: the reports of both commands, their JSON Schema, reading and writing them.
//!
//! In come values and files; out go files and values. A file appears whole, synced to disk, or not at all. A file of a
//! newer program is never overwritten.
//!
//! This crate knows neither who computes the numbers nor who shows them.

mod error;
mod id;
pub mod report;
pub mod skills;
mod whole;

pub use error::{ReadError, ReportError};
pub use id::{evaluation_id, report_id};
pub use report::file::{
    INTERVALS, bytes, parse_supported, read, read_analysis, read_supported, unreadable, write_report,
};
pub use report::schema::schema;
pub use report::{
    Agreement, Analysis, ArmInputs, ArtifactMeta, AssertionDetail, AssertionStatus, Assertions, Channel, CheckCounts,
    CheckMove, CheckRef, Ci, Coefficient, Comparison, Decided, DiffInputs, Difference, EffectSize, EffectSizes, Ending,
    EqualLength, ErrorResult, EvalMeta, Excluded, Findings, GapInputs, GitInfo, GoldAgreement, GoldAnnotator,
    GoldCoefficient, GoldCounts, GoldDiffInputs, GoldDifference, GoldEstimate, GoldInputs, GoldLeftOut, GoldMean,
    GoldReason, GoldReport, GoldTuning, GoldWhy, Holdout, HoldoutComparison, HoldoutInputs, HoldoutMeans,
    IncompleteReason, Insight, InsightKind, JudgePair, JudgeSummary, Judging, JudgingInputs, KnownMessage, LayerInputs,
    LayerSummary, LayeredScores, Layers, Limits, MIN_AGREEMENT, MIN_PAIRS, MeasureSettings, Method, Missing,
    MissingPair, MissingPart, Moved, NoResults, NotChecked, Note, OpinionCounts, OutcomeCounts, POINTS, PROGRESS_PAIRS,
    PairInputs, PairJudge, PairResult, PairedDifference, Pairwise, PairwiseComparison, PartInputs, PartMean,
    PositionBias, PositionInputs, Power, QualityFinding, QualityItem, QuestionAgreement, Repeatability, Report,
    ReportMeta, RunComparison, RunSpread, SCHEMA_VERSION, SampleCheck, SampleDifference, SampleMean, SampleQuality,
    SampleResult, Saturation, SaturationInputs, SaturationWindow, SavedCost, Severity, Spent, Status, Stopping,
    StoppingLook, StoppingPath, Strength, Strengths, TestSet, Tier, TreatmentInputs, TreatmentVerdict, TripwireInputs,
    Tripwires, Undecided, Unlike, Unmeasured, UnscoredChecks, Variance, VarianceShare, VarianceShares, VariantResult,
    VariantSummary, Verdict, VerdictInputs, WithTwice,
};

pub use whole::{WriteError, private_folder, write_new, write_private, write_whole};
