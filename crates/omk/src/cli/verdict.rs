//! The arguments of `verdict`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use eval_format::PairedBy;
use eval_results::{ArrangeOptions, RESULT_FORMATS, ReadOptions, ScaleRange, TableColumns};
use eval_spec::suite::Written;

use super::{DecisionFlags, help};

/// The gate of a layer that lets every mean through: only omk's own scale has a usual one.
const NO_THRESHOLD: f64 = 1.0;

#[derive(Debug, Args)]
pub(crate) struct VerdictArgs {
    /// Files of results: one with all arms in it, or one for each arm, the control's first
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The arm that the others are compared with [default: the first, where there are two]
    #[arg(long, value_name = "NAME", help_heading = help::INPUTS)]
    pub(crate) control: Option<String>,
    /// An arm that is compared with the control; may be given several times [default: all others]
    #[arg(long, value_name = "NAME", help_heading = help::INPUTS)]
    pub(crate) treatment: Vec<String>,
    /// What arms are made of, such as prompt, provider or model [default: all that varies]
    #[arg(long, value_name = "WHAT", help_heading = help::INPUTS)]
    pub(crate) by: Option<String>,
    /// The score that is read [default: the one that the tool decides by]
    #[arg(long, value_name = "NAME", help_heading = help::INPUTS)]
    pub(crate) score: Option<String>,
    /// Scale of the score, its worst value first, such as 1..10, or 10..1 where lower is better [default: 0..1]
    #[arg(long, value_name = "WORST..BEST", allow_hyphen_values = true, help_heading = help::INPUTS)]
    pub(crate) scale: Option<ScaleRange>,
    /// Go on with a declared scale that is ten times wider than the scores, or more
    #[arg(long, requires = "scale", help_heading = help::INPUTS)]
    pub(crate) yes: bool,
    /// What cases are matched by: id, or input, which is what was asked [default: id where all results have one]
    #[arg(long, value_name = "WHAT", value_parser = pairing(), hide_possible_values = true, help_heading = help::INPUTS)]
    pub(crate) pair_by: Option<PairedBy>,
    /// Leave cases that an arm lacks out of the mean, and don't count them as failed; bounds allow for any score of them
    #[arg(long, help_heading = help::INPUTS)]
    pub(crate) paired_only: bool,
    /// Format of the files: promptfoo, inspect, deepeval, lm-eval, openai-evals, claude-plugin, waza, agent-skills, junit, jsonl or csv [default: recognised]
    #[arg(long, value_name = "FORMAT", value_parser = RESULT_FORMATS.iter().map(|format| format.name).collect::<Vec<_>>(), hide_possible_values = true, help_heading = help::INPUTS)]
    pub(crate) format: Option<String>,
    /// Which run of a file that holds several, such as a database [default: the newest]
    #[arg(long, value_name = "ID", help_heading = help::INPUTS)]
    pub(crate) run: Option<String>,
    /// CSV, JSON lines: the column of the case's id
    #[arg(long, value_name = "COLUMN", help_heading = help::INPUTS)]
    pub(crate) id_column: Option<String>,
    /// CSV, JSON lines: the column of the arm
    #[arg(long, value_name = "COLUMN", help_heading = help::INPUTS)]
    pub(crate) arm_column: Option<String>,
    /// CSV, JSON lines: the column of the score
    #[arg(long, value_name = "COLUMN", help_heading = help::INPUTS)]
    pub(crate) score_column: Option<String>,
    /// CSV, JSON lines: the column that numbers the trials of a case
    #[arg(long, value_name = "COLUMN", help_heading = help::INPUTS)]
    pub(crate) trial_column: Option<String>,
    /// CSV, JSON lines: the column of errors, which are no answers: a result with one is missing, not failed
    #[arg(long, value_name = "COLUMN", help_heading = help::INPUTS)]
    pub(crate) error_column: Option<String>,
    #[command(flatten)]
    pub(crate) decision: DecisionFlags,
    /// Mean that a treatment must reach, in points [default: none]
    #[arg(long, value_name = "POINTS", help_heading = help::DECISION)]
    pub(crate) threshold: Option<f64>,
    /// Share of results that may be errors or missing before they are no valid measurement [default: 0.1]
    #[arg(long, value_name = "SHARE", help_heading = help::DECISION)]
    pub(crate) max_failure_rate: Option<f64>,
    /// Seed of resampling [default: derived from the cases]
    #[arg(long, value_name = "N", help_heading = help::DECISION)]
    pub(crate) seed: Option<u64>,
    /// Where reports are written [default: .omk/reports of the project, else ~/.oh-my-knowledge/reports]
    #[arg(long, visible_alias = "reports-dir", value_name = "DIR", help_heading = help::OUTPUT)]
    pub(crate) output_dir: Option<PathBuf>,
    /// Print every number and finding, not only what fits one screen
    #[arg(long, help_heading = help::OUTPUT)]
    pub(crate) details: bool,
    /// Write the report in another format as well, such as junit=report.xml; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", help_heading = help::OUTPUT)]
    pub(crate) export: Vec<String>,
    /// Leave what was asked out of the report
    #[arg(long, help_heading = help::OUTPUT)]
    pub(crate) no_texts: bool,
}

fn pairing() -> impl TypedValueParser<Value = PairedBy> {
    PossibleValuesParser::new(["id", "input"]).map(|word| if word == "id" { PairedBy::Id } else { PairedBy::Input })
}

impl VerdictArgs {
    /// The flags as settings.
    pub(crate) fn written(&self) -> Written {
        let own = Written {
            threshold: self.threshold.or(Some(NO_THRESHOLD)),
            max_failure_rate: self.max_failure_rate,
            seed: self.seed.map(Some),
            output_dir: self.output_dir.clone().map(Some),
            texts: self.no_texts.then_some(false),
            cache: Some(false),
            ..Written::default()
        };
        own.or(self.decision.written())
    }

    /// How to read the files.
    pub(crate) fn reading(&self) -> ReadOptions {
        let arms = self.control.iter().chain(&self.treatment).cloned().collect();
        ReadOptions {
            format: self.format.clone(),
            columns: TableColumns {
                id: self.id_column.clone(),
                arm: self.arm_column.clone(),
                score: self.score_column.clone(),
                trial: self.trial_column.clone(),
                error: self.error_column.clone(),
                arms,
            },
            by: self.by.clone(),
            run: self.run.clone(),
        }
    }

    /// What to compare.
    pub(crate) fn arranging(&self) -> ArrangeOptions {
        ArrangeOptions {
            control: self.control.clone(),
            treatments: self.treatment.clone(),
            score: self.score.clone(),
            by: self.by.clone(),
            pair_by: self.pair_by,
            scale: self.scale,
            accepts_wide_scale: self.yes,
            paired_only: self.paired_only,
        }
    }
}
