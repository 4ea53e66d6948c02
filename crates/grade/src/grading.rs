//! Grading: samples compiled once, outputs checked many times.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use eval_message::msg;
use eval_spec::units::Ratio;
use eval_spec::{
    BoxFuture, Cell, CellKey, Check, CheckOutcome, Diagnostic, Diagnostics, Grade, Grader, Judged, Layer, Output,
    PairJudged, Sample,
};

use crate::answer::GradedAnswer;
use crate::assertion::compile::{CompiledAssertion, compile_all};
use crate::assertion::kind::AssertionScope;
use crate::finding::CheckFinding;
use crate::judge::{Panel, Question};
use crate::script::LoadedScripts;
use crate::setup::GraderSetup;

/// Grades outputs by the assertions of their samples.
pub struct Grading {
    samples: Vec<Arc<CompiledSample>>,
    script_hashes: BTreeMap<String, String>,
}

impl Grading {
    /// Compiles the assertions of all samples; `custom` files are read and their top level run.
    ///
    /// # Errors
    /// Everything that is wrong with them, in the order of the samples, at the field it is wrong in.
    pub fn new(samples: &[Sample], setup: GraderSetup) -> Result<Grading, Diagnostics> {
        let scripts = LoadedScripts::default();
        let mut problems = Vec::new();
        let mut compiled = Vec::with_capacity(samples.len());
        for sample in samples {
            let questions = RefCell::default();
            let scope = AssertionScope { sample, setup: &setup, scripts: &scripts, questions: &questions };
            match compile_all(&sample.assertions, &scope) {
                Ok(plans) => {
                    let judged = if setup.judging { rubrics(sample) } else { Vec::new() };
                    let is_pairwise = sample.is_pairwise(setup.judge_mode);
                    let (rubrics, compared) = match is_pairwise {
                        true => (Vec::new(), judged),
                        false => (judged.into_iter().map(|question| scope.ask(question).0).collect(), Vec::new()),
                    };
                    compiled.push(Arc::new(CompiledSample {
                        plans,
                        rubrics,
                        questions: questions.into_inner(),
                        compared,
                    }));
                }
                Err(diagnostics) => problems.extend(diagnostics),
            }
        }
        if !problems.is_empty() {
            return Err(Diagnostics(problems));
        }
        let script_hashes = scripts.into_scripts().flat_map(|(_, script)| script.hashes()).collect();
        Ok(Grading { samples: compiled, script_hashes })
    }

    /// The SHA-256 of every file that `custom` assertions run, by its path in the folder of the
    /// samples: a run that is resumed after one of them changed must grade anew.
    #[must_use]
    pub fn script_hashes(&self) -> &BTreeMap<String, String> {
        &self.script_hashes
    }

    /// Grades one output by the assertions of the sample at that index; an index without a sample has
    /// no assertions. Blocks while scripts run: up to 30 seconds for each.
    #[must_use]
    pub fn grade_now(&self, sample: usize, output: &Output) -> Grade {
        self.samples.get(sample).map(|sample| grade(sample, output, &[])).unwrap_or_default()
    }

    /// Warnings for checks of these samples, from which it was made, that pass or fail whatever is answered: each is tried on an
    /// empty answer, on the prompt and on its own text.
    #[must_use]
    pub fn idle_checks(&self, samples: &[Sample]) -> Vec<Diagnostic> {
        crate::idle::warnings(samples.iter().zip(self.samples.iter().map(|of| &of.plans[..])))
    }

    /// Whether any sample has a question for judges.
    #[must_use]
    pub fn needs_judges(&self) -> bool {
        self.samples.iter().any(|sample| !sample.questions.is_empty() || !sample.compared.is_empty())
    }

    /// By how many rubrics or dimensions judges compare the answers to the sample at that index; 0 when it is not
    /// judged pairwise.
    #[must_use]
    pub fn compared(&self, sample: usize) -> usize {
        self.samples.get(sample).map_or(0, |sample| sample.compared.len())
    }

    /// Has `panel` compare two answers to the sample at that index, by each of its rubrics or dimensions, in both
    /// orders. `cells` are the earlier answer's variant and the later answer's cell; no judge sees them.
    pub async fn compare(
        &self,
        panel: &Panel,
        sample: usize,
        cells: (&str, &CellKey),
        answers: [&str; 2],
    ) -> Vec<PairJudged> {
        let Some(sample) = self.samples.get(sample) else { return Vec::new() };
        panel.compare(&sample.compared, cells, answers).await
    }

    /// How many questions judges are asked about one answer to the sample at that index.
    #[must_use]
    pub fn questions(&self, sample: usize) -> usize {
        self.samples.get(sample).map_or(0, |sample| sample.questions.len())
    }

    async fn grade_all(&self, cell: &Cell, output: &Output, panel: Option<&Panel>) -> Grade {
        let Some(sample) = self.samples.get(cell.sample) else { return Grade::default() };
        let judged = match panel {
            Some(panel) if !sample.questions.is_empty() => panel.ask(&sample.questions, &cell.key, &output.text).await,
            _ => Vec::new(),
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if sample.plans.iter().any(CompiledAssertion::is_slow) => {
                let (task, output) = (Arc::clone(sample), output.clone());
                let graded = runtime.spawn_blocking(move || grade(&task, &output, &judged)).await;
                graded.unwrap_or_else(|_| broken(&sample.plans))
            }
            _ => grade(sample, output, &judged),
        }
    }
}

/// Grading with judges.
pub struct JudgedGrading {
    grading: Arc<Grading>,
    panel: Panel,
}

impl JudgedGrading {
    /// Has `panel` answer the questions of `grading`.
    #[must_use]
    pub fn new(grading: Arc<Grading>, panel: Panel) -> JudgedGrading {
        JudgedGrading { grading, panel }
    }
}

impl Grader for JudgedGrading {
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        Box::pin(self.grading.grade_all(cell, output, Some(&self.panel)))
    }
}

/// One sample's compiled checks and questions.
struct CompiledSample {
    plans: Vec<CompiledAssertion>,
    /// The rubric or the dimensions: the questions whose score is a check of its own.
    rubrics: Vec<usize>,
    questions: Vec<Question>,
    /// The questions that compare the answers of two variants.
    compared: Vec<Question>,
}

/// Dimensions win over a rubric.
fn rubrics(sample: &Sample) -> Vec<Question> {
    if !sample.dimensions.is_empty() {
        let dimensions = sample.dimensions.iter();
        return dimensions.map(|(name, text)| Question::rubric(sample, Some(name), text)).collect();
    }
    sample.rubric.iter().map(|text| Question::rubric(sample, None, text)).collect()
}

impl Grader for Grading {
    /// Grades at once where that takes microseconds, else on a thread that may block.
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        Box::pin(self.grade_all(cell, output, None))
    }
}

fn grade(sample: &CompiledSample, output: &Output, judged: &[Judged]) -> Grade {
    let answer = GradedAnswer::new(output, judged);
    let rubrics = sample.rubrics.iter().filter_map(|at| judged.get(*at)).map(rating);
    Grade { checks: sample.plans.iter().map(|plan| plan.check(&answer)).chain(rubrics).collect() }
}

/// The check of a rubric or a dimension.
fn rating(judged: &Judged) -> Check {
    let ratio = judged.score.and_then(|score| Ratio::new((score - 1.0) / 4.0));
    let why = || judged.why().cloned().unwrap_or_else(|| msg!("grade-judging-off"));
    Check {
        kind: if judged.dimension.is_some() { "dimension" } else { "rubric" }.to_owned(),
        layer: Layer::Judge,
        weight: 1.0,
        not: false,
        outcome: ratio.map_or_else(|| CheckOutcome::Unscored { why: why() }, |ratio| CheckOutcome::Rated { ratio }),
        actual: judged.score.map(Into::into),
        message: None,
        score: None,
        children: Vec::new(),
        judged: Some(Box::new(judged.clone())),
    }
}

fn broken(plans: &[CompiledAssertion]) -> Grade {
    let unscored =
        |plan: &CompiledAssertion| plan.result(CheckFinding::unscored(msg!("grade-check-broke", kind = &plan.kind)));
    Grade { checks: plans.iter().map(unscored).collect() }
}
