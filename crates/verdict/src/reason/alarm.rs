use eval_message::msg;
use eval_message::number::{bound, percent, points, signed};
use eval_spec::Layer;

use super::Remedy;
use super::evidence::or_unknown;
use super::table::reasons;

reasons! {
    /// What shows that control and treatment were not measured alike, or not measured well enough. Shares are 0–1;
    /// `limit` is the largest share allowed in percent, or of differing shares the largest gap in percentage points.
    pub enum Alarm {
        /// Too many of a variant's planned scores are missing.
        ScoresMissing { variant: String, missing: u64, planned: u64, limit: u64 } => msg!(
            "report-alarm-missing",
            variant = variant,
            missing = *missing,
            planned = *planned,
            limit = *limit
        ), Remedy::CheckExcluded;

        /// The budget kept executions of a variant from running.
        OverBudget { variant: String, count: u64 }
            => msg!("report-alarm-budget", variant = variant, count = *count), Remedy::CheckExcluded;

        /// Samples are no pairs, since checks of these types could be evaluated in some of their runs only.
        ChecksUnlike { samples: u64, checks: Vec<String> }
            => msg!("report-alarm-unlike", count = *samples, checks = checks.join(", ")), Remedy::MendChecks;

        /// Too much of the weight of a variant's layer could not be evaluated.
        LayerUnscored { variant: String, layer: Layer, share: f64, limit: u64 } => msg!(
            "report-alarm-unscored",
            variant = variant,
            layer = layer.name(),
            share = percent(*share),
            limit = *limit
        ), Remedy::CheckExcluded;

        /// The shares of checks that could not be evaluated differ.
        ChecksUnscoredDiffer { gap: ShareGap } => msg!(
            "report-alarm-checks",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ), Remedy::CheckExcluded;

        /// The shares of answers from the cache differ.
        CachedDiffer { gap: ShareGap } => msg!(
            "report-alarm-cached",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ), Remedy::RunAfresh;

        /// The control has drifted since the cache's answers were given: new − cached with bounds, over the samples that were
        /// asked again.
        ControlDrifted { n: u64, mean: Option<f64>, low: Option<f64>, high: Option<f64> } => msg!(
            "report-alarm-drifted",
            n = *n,
            mean = or_unknown(*mean, signed),
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RunAfresh;

        /// The control may have drifted: the difference that allows for what the samples asked again leave possible, with
        /// its lower bound.
        ControlMayHaveDrifted { n: u64, mean: f64, low: f64 } => msg!(
            "report-alarm-may-have-drifted", n = *n, mean = signed(*mean), low = bound(*low)
        ), Remedy::RunAfresh;

        /// The shares of answers from a model differ.
        ModelsDiffer { model: String, control: f64, treatment: f64 }
            => msg!("report-alarm-models", model = model, control = percent(*control), treatment = percent(*treatment)),
            Remedy::CheckExcluded;

        /// The shares of answers that name no model differ.
        ModelsUnnamed { control: f64, treatment: f64 }
            => msg!("report-alarm-models-unnamed", control = percent(*control), treatment = percent(*treatment)),
            Remedy::CheckExcluded;

        /// Answers come from more than one version of the agent; each version with the answers of control and treatment.
        VersionsDiffer { versions: Vec<(String, u64, u64)> }
            => msg!("report-alarm-versions", versions = of_versions(versions)), Remedy::MendRuntime;

        /// The agent's program was replaced during the run; answers of the new one in each arm.
        ProgramReplaced { control: u64, treatment: u64 }
            => msg!("report-alarm-program", control = *control, treatment = *treatment), Remedy::MendRuntime;

        /// Files of a working directory changed before the run was resumed; answers beside the new ones in each arm.
        FilesChanged { control: u64, treatment: u64 }
            => msg!("report-alarm-files", control = *control, treatment = *treatment), Remedy::MendRuntime;

        /// The shares of executions whose agent offered a tool to its model differ.
        ToolsDiffer { tool: String, control: f64, treatment: f64 }
            => msg!("report-alarm-tools", tool = tool, control = percent(*control), treatment = percent(*treatment)),
            Remedy::MendRuntime;

        /// An MCP server that agents of a variant were given could not be used, in so many of their executions.
        ServerFailed { variant: String, server: String, failed: u64, executions: u64 } => msg!(
            "report-alarm-server",
            variant = variant,
            server = server,
            failed = *failed,
            executions = *executions
        ), Remedy::MendRuntime;

        /// Too many of the judges' planned opinions on a variant are missing.
        OpinionsMissing { variant: String, missing: u64, planned: u64, limit: u64 } => msg!(
            "report-alarm-judges-missing",
            variant = variant,
            missing = *missing,
            planned = *planned,
            limit = *limit
        ), Remedy::MendJudges;

        /// The shares of missing opinions differ.
        OpinionsMissingDiffer { gap: ShareGap } => msg!(
            "report-alarm-judges-differ",
            control = percent(gap.control),
            treatment = percent(gap.treatment),
            limit = gap.limit
        ), Remedy::MendJudges;

        /// The agreement of the judges' scores, Krippendorff's α, is below the limit.
        Agreement { alpha: f64, limit: f64 }
            => msg!("report-alarm-agreement", alpha = points(*alpha), limit = points(*limit)), Remedy::SettleJudges;

        /// The agreement of the judges on which answer is better, Krippendorff's α, is below the limit.
        PairAgreement { alpha: f64, limit: f64 }
            => msg!("report-alarm-pair-agreement", alpha = points(*alpha), limit = points(*limit)),
            Remedy::SettleJudges;

        /// Too many of the planned pairs of answers were not compared.
        PairsMissing { missing: u64, planned: u64, limit: u64 }
            => msg!("report-alarm-pairs", missing = *missing, planned = *planned, limit = *limit), Remedy::MendJudges;

        /// The judges prefer the position of an answer: the share of replies in which the first one won, with bounds.
        Position { share: f64, low: f64, high: f64 }
            => msg!("report-alarm-position", share = percent(*share), low = percent(*low), high = percent(*high)),
            Remedy::ReplaceJudges;
    }
}

/// A share that differs between the arms by more than it may.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareGap {
    /// The share in the control, 0–1.
    pub control: f64,
    /// The share in the treatment, 0–1.
    pub treatment: f64,
    /// The largest gap allowed, in percentage points.
    pub limit: u64,
}

/// `2.1.330 (10 : 8)`
fn of_versions(versions: &[(String, u64, u64)]) -> String {
    let shown = versions.iter().map(|(version, control, treatment)| format!("{version} ({control} : {treatment})"));
    shown.collect::<Vec<_>>().join(", ")
}
