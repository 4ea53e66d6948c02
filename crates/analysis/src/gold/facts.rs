//! The facts about a run that gold is compared with, from its records or from a stored report.

use std::collections::BTreeSet;

use eval_format::{Ending, Report, ReportError, SampleResult, VariantResult};
use eval_spec::gold::GoldQuestions;
use eval_spec::hash::sha256_hex;
use eval_spec::record::{Executed, Record};
use eval_spec::{Judged, Layer, Outcome, Suite};

use crate::cells::Cells;
use crate::counting::Counting;
use crate::grid::{Grid, place};
use crate::numbers::is_rubric;

/// The variants, samples, answers and judges' scores of a run.
pub(crate) struct GoldFacts {
    /// The variants as the report names them, the control first.
    pub(super) variants: Vec<String>,
    /// The variants' own names, where the report hides them.
    pub(super) own_names: Vec<String>,
    /// The samples' ids.
    pub(super) samples: Vec<String>,
    /// Which of them are tripwires: they have neither scores nor answers here.
    pub(super) tripwires: Vec<bool>,
    /// Which of them come after an early decision: they have neither scores nor answers here.
    pub(super) not_needed: Vec<bool>,
    /// Executions of each sample and variant.
    pub(super) repeat: u32,
    /// By variant and sample: the judge layer, the mean over repeats.
    pub(super) judge: Vec<Vec<Option<f64>>>,
    /// The outputs of samples that people scored, sample by sample.
    pub(super) answers: Vec<GoldOutput>,
    /// The judges, `executor:model`.
    pub(super) judges: Vec<String>,
}

/// One output, and the judges' scores of it.
pub(super) struct GoldOutput {
    pub(super) sample: usize,
    pub(super) variant: usize,
    pub(super) repeat: u32,
    pub(super) sha256: String,
    /// By question, in the author's order; `None` where the judge failed.
    pub(super) scores: Vec<(String, Option<f64>)>,
}

/// The name of a question: the dimension's, or `rubric`.
pub(super) fn question(judged: &Judged) -> String {
    judged.dimension.clone().unwrap_or_else(|| RUBRIC.to_owned())
}

const RUBRIC: &str = "rubric";

impl GoldFacts {
    /// The facts of a run; the records of samples that `scored` names are read once more.
    pub(crate) fn of_run(
        suite: &Suite,
        cells: &Cells,
        grid: &Grid,
        labels: &[String],
        judges: &[String],
        scored: &BTreeSet<&str>,
    ) -> Result<GoldFacts, ReportError> {
        let counting: BTreeSet<usize> = grid.samples().collect();
        let mut answers = Vec::new();
        for (i, cell) in cells.plan.cells.iter().enumerate() {
            if !counting.contains(&cell.sample) || !scored.contains(&*cell.key.sample) {
                continue;
            }
            let record = (cells.read)(i).map_err(ReportError::Read)?;
            answers.extend(record.and_then(|record| answer(cell.sample, cell.subject, cell.key.repeat, &record)));
        }
        // the plan's order mixes the samples
        answers.sort_by_key(|answer| (answer.sample, answer.variant, answer.repeat));
        Ok(GoldFacts {
            variants: labels.to_vec(),
            own_names: suite.variants.iter().map(|variant| variant.name.clone()).collect(),
            samples: suite.samples.iter().map(|sample| sample.id.clone()).collect(),
            tripwires: suite.samples.iter().map(|sample| sample.tripwire).collect(),
            not_needed: grid.all_samples().map(|sample| grid.beyond().contains(&sample)).collect(),
            repeat: suite.settings.repeat,
            judge: (0..labels.len()).map(|v| grid.column(v, |cell| &cell.layers[place(Layer::Judge)])).collect(),
            answers,
            judges: judges.to_vec(),
        })
    }

    /// The facts of a stored report.
    pub(super) fn of_report(report: &Report) -> GoldFacts {
        let variants = &report.meta.variants;
        let counting = Counting::of(report);
        let counts = |sample: &&SampleResult| counting.counts(&sample.sample_id, sample.tripwire);
        let column = |name: &String| {
            let score = |sample: &SampleResult| sample.variants.get(name)?.layered_scores.judge_score;
            report.results.iter().map(|sample| Some(sample).filter(counts).and_then(score)).collect()
        };
        let mut answers = Vec::new();
        for (s, sample) in report.results.iter().enumerate().filter(|(_, sample)| counts(sample)) {
            for (v, name) in variants.iter().enumerate() {
                for (repeat, run) in sample.variants.get(name).into_iter().flat_map(runs) {
                    answers.extend(answered(run).map(|text| GoldOutput {
                        sample: s,
                        variant: v,
                        repeat,
                        sha256: sha256_hex(text.as_bytes()),
                        scores: run.judged.iter().map(|judged| (question(judged), judged.score)).collect(),
                    }));
                }
            }
        }
        GoldFacts {
            own_names: variants.clone(),
            variants: variants.clone(),
            samples: report.results.iter().map(|sample| sample.sample_id.clone()).collect(),
            tripwires: report.results.iter().map(|sample| sample.tripwire).collect(),
            not_needed: report
                .results
                .iter()
                .map(|of| counting.is_beyond(&of.sample_id) || is_not_needed(of))
                .collect(),
            repeat: report.meta.repeat,
            judge: variants.iter().map(column).collect(),
            answers,
            judges: report.meta.judge_models.clone(),
        }
    }
}

fn answer(sample: usize, variant: usize, repeat: u32, record: &Record) -> Option<GoldOutput> {
    let Executed::Output(output) = &record.execution.result else { return None };
    let grade = record.grade.as_ref().filter(|_| output.outcome == Outcome::Answered)?;
    let judged = grade.checks.iter().filter(|check| is_rubric(check)).filter_map(|check| check.judged.as_deref());
    Some(GoldOutput {
        sample,
        variant,
        repeat,
        sha256: sha256_hex(output.text.as_bytes()),
        scores: judged.map(|judged| (question(judged), judged.score)).collect(),
    })
}

/// Whether the run was decided before the sample was run.
fn is_not_needed(sample: &SampleResult) -> bool {
    sample.variants.values().any(|of| of.executions().iter().any(|run| run.outcome == Ending::NotNeeded))
}

/// Every execution of a sample and variant with its repeat.
pub(super) fn runs(result: &VariantResult) -> Vec<(u32, &VariantResult)> {
    (0..).zip(result.executions()).map(|(i, run)| (run.repeat.unwrap_or(i), run)).collect()
}

pub(super) fn answered(run: &VariantResult) -> Option<&str> {
    run.full_output.as_deref().filter(|_| run.outcome == Ending::Answered)
}

/// Each sample's questions in a stored report; `None` where no answer was judged.
#[must_use]
pub fn gold_questions(report: &Report) -> GoldQuestions {
    let names = |sample: &SampleResult| {
        let mut names: Vec<String> = Vec::new();
        for run in sample.variants.values().flat_map(runs).map(|(_, run)| run) {
            for name in run.judged.iter().map(question) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    };
    let known = |names: Vec<String>| (!names.is_empty()).then_some(names);
    report.results.iter().map(|sample| (sample.sample_id.clone(), known(names(sample)))).collect()
}

/// An output with a judge's score that a person can score, too.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldItem {
    /// The sample.
    pub sample_id: String,
    /// The variant, as the report names it.
    pub variant: String,
    /// The repeat.
    pub repeat: u32,
    /// The output.
    pub output: String,
    /// SHA-256 of the output, 64 hex digits.
    pub sha256: String,
    /// The questions to score it by.
    pub questions: Vec<String>,
}

/// The outputs of a stored report to be scored: of every sample that counts and variant the first repeat that the judge
/// scored whole. Where two variants gave the same output, it is there once.
#[must_use]
pub fn gold_items(report: &Report) -> Vec<GoldItem> {
    let counting = Counting::of(report);
    let mut items: Vec<GoldItem> = Vec::new();
    for sample in report.results.iter().filter(|of| counting.counts(&of.sample_id, of.tripwire)) {
        let begins = items.len();
        for variant in &report.meta.variants {
            let judged = |run: &VariantResult| !run.judged.is_empty() && run.judged.iter().all(|of| of.score.is_some());
            let runs = sample.variants.get(variant).map(runs).unwrap_or_default();
            let first = runs.into_iter().find(|(_, run)| answered(run).is_some() && judged(run));
            let Some((repeat, run)) = first else { continue };
            let output = answered(run).unwrap_or_default().to_owned();
            let sha256 = sha256_hex(output.as_bytes());
            if items[begins..].iter().any(|item| item.sha256 == sha256) {
                continue;
            }
            items.push(GoldItem {
                sample_id: sample.sample_id.clone(),
                variant: variant.clone(),
                repeat,
                output,
                sha256,
                questions: run.judged.iter().map(question).collect(),
            });
        }
    }
    items
}
