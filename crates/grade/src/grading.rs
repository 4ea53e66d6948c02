//! Grading: samples compiled once, outputs checked many times.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::types::FieldProblem;
use eval_spec::units::Ratio;
use eval_spec::{
    Assertion, BoxFuture, Cell, CellKey, Check, CheckOutcome, Diagnostic, Diagnostics, Grade, Grader, JudgeMode,
    Judged, Layer, Output, PairJudged, Sample,
};

use crate::answer::Answer;
use crate::assertion::{self, Compiled, Refusal, Scope};
use crate::finding::Finding;
use crate::judge::{Panel, Question};

/// What runs the files of `custom` assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CustomRuntime {
    /// The built-in engine: no files, no network, no processes.
    #[default]
    Embedded,
    /// Node.js, for files that import packages.
    Node {
        /// The program, such as `node`.
        program: PathBuf,
    },
}

impl Limits {
    /// The limits while a `custom` file is loaded.
    pub(crate) fn of_loading(self) -> Limits {
        Limits { custom_time: self.custom_time.min(self.load_time), ..self }
    }
}

/// How much of the machine a check may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time of one `custom` call.
    pub custom_time: Duration,
    /// The time of loading a `custom` file, if it is less than that of a call: nothing is graded yet,
    /// and somebody waits.
    pub load_time: Duration,
    /// The memory of one `custom` call, in bytes.
    pub custom_memory: usize,
    /// The time of one `regex` match.
    pub regex_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            custom_time: Duration::from_secs(30),
            load_time: Duration::from_secs(5),
            custom_memory: 256 << 20,
            regex_time: Duration::from_secs(1),
        }
    }
}

/// How to grade.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// What runs `custom` files.
    pub custom_runtime: CustomRuntime,
    /// Whether judges are on: then [`Judging`] grades. Without them rubrics are not planned, and
    /// assertions that judges score are unscored.
    pub judging: bool,
    /// How samples are judged that don't say it.
    pub judge_mode: JudgeMode,
    /// Whether the executor answers tool calls from the samples' mocks; without it `mock_hit` is
    /// unscored, unless a trace shows that a mock was hit.
    pub mocks: bool,
    /// The environment that Node may see; only names that say where things are get through.
    pub env: BTreeMap<String, String>,
    /// Limits of time and memory.
    pub limits: Limits,
}

/// Grades outputs by the assertions of their samples.
pub struct Grading {
    samples: Vec<Arc<OfSample>>,
    script_hashes: BTreeMap<String, String>,
}

impl Grading {
    /// Compiles the assertions of all samples; `custom` files are read and their top level run.
    ///
    /// # Errors
    /// Everything that is wrong with them, in the order of the samples, at the field it is wrong in.
    pub fn new(samples: &[Sample], setup: Setup) -> Result<Grading, Diagnostics> {
        let scripts = Mutex::new(HashMap::new());
        let mut problems = Vec::new();
        let mut compiled = Vec::with_capacity(samples.len());
        for sample in samples {
            let questions = RefCell::default();
            let scope = Scope { sample, setup: &setup, scripts: &scripts, questions: &questions };
            match compile_all(&sample.assertions, &scope) {
                Ok(plans) => {
                    let judged = if setup.judging { rubrics(sample) } else { Vec::new() };
                    let is_pairwise = sample.is_pairwise(setup.judge_mode);
                    let (rubrics, compared) = match is_pairwise {
                        true => (Vec::new(), judged),
                        false => (judged.into_iter().map(|question| scope.ask(question).0).collect(), Vec::new()),
                    };
                    compiled.push(Arc::new(OfSample { plans, rubrics, questions: questions.into_inner(), compared }));
                }
                Err(diagnostics) => problems.extend(diagnostics),
            }
        }
        if !problems.is_empty() {
            return Err(Diagnostics(problems));
        }
        let scripts = scripts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let script_hashes = scripts.into_values().flatten().flat_map(|script| script.hashes()).collect();
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
            Ok(runtime) if sample.plans.iter().any(Plan::is_slow) => {
                let (task, output) = (Arc::clone(sample), output.clone());
                let graded = runtime.spawn_blocking(move || grade(&task, &output, &judged)).await;
                graded.unwrap_or_else(|_| broken(&sample.plans))
            }
            _ => grade(sample, output, &judged),
        }
    }
}

/// Grading with judges.
pub struct Judging {
    grading: Arc<Grading>,
    panel: Panel,
}

impl Judging {
    /// Has `panel` answer the questions of `grading`.
    #[must_use]
    pub fn new(grading: Arc<Grading>, panel: Panel) -> Judging {
        Judging { grading, panel }
    }
}

impl Grader for Judging {
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        Box::pin(self.grading.grade_all(cell, output, Some(&self.panel)))
    }
}

/// What one sample's answers are graded by.
struct OfSample {
    plans: Vec<Plan>,
    /// The rubric or the dimensions: the questions whose score is a check of its own.
    rubrics: Vec<usize>,
    questions: Vec<Question>,
    /// What the answers of two variants are compared by.
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

/// One assertion, compiled.
pub(crate) struct Plan {
    kind: String,
    layer: Layer,
    weight: f64,
    not: bool,
    compiled: Compiled,
}

impl Plan {
    /// Whether the check can take long.
    pub(crate) fn is_slow(&self) -> bool {
        self.compiled.slow
    }

    /// Makes the check. One that panics on a hostile answer is unscored; the others go on.
    pub(crate) fn check(&self, answer: &Answer<'_>) -> Check {
        let finding = catch_unwind(AssertUnwindSafe(|| (self.compiled.check)(answer)))
            .unwrap_or_else(|_| Finding::unscored(msg!("grade-check-broke", kind = &self.kind)));
        self.result(finding)
    }

    fn result(&self, finding: Finding) -> Check {
        let outcome = match finding.holds {
            Ok(holds) if holds != self.not => CheckOutcome::Passed,
            Ok(_) => CheckOutcome::Failed,
            Err(why) => CheckOutcome::Unscored { why },
        };
        let stated = finding.always_stated || outcome == CheckOutcome::Failed;
        Check {
            kind: self.kind.clone(),
            layer: self.layer,
            weight: self.weight,
            not: self.not,
            outcome,
            actual: finding.actual,
            message: finding.statement.filter(|_| stated),
            score: None,
            children: finding.children,
            judged: finding.judged,
        }
    }
}

/// Compiles assertions, those of a sample or those inside a set.
///
/// # Errors
/// Everything that is wrong with them.
pub(crate) fn compile_all(assertions: &[Assertion], scope: &Scope<'_>) -> Result<Vec<Plan>, Vec<Diagnostic>> {
    let mut plans = Vec::with_capacity(assertions.len());
    let mut problems = Vec::new();
    for assertion in assertions {
        match compile(assertion, scope) {
            Ok(plan) => plans.push(plan),
            Err(Refusal::Field(problem)) => problems.push(diagnostic(assertion, problem)),
            Err(Refusal::Inside(inside)) => problems.extend(inside),
        }
    }
    if problems.is_empty() { Ok(plans) } else { Err(problems) }
}

fn compile(assertion: &Assertion, scope: &Scope<'_>) -> Result<Plan, Refusal> {
    let kind = &assertion.kind;
    let refuse = |field, message: Message| Refusal::Field(FieldProblem { field, message, help: None });
    let known = assertion::find(kind).ok_or_else(|| refuse("type", msg!("grade-type-unknown", kind = kind)))?;
    if !(assertion.weight.is_finite() && assertion.weight > 0.0) {
        return Err(refuse("weight", msg!("grade-weight")));
    }
    Ok(Plan {
        kind: kind.clone(),
        layer: assertion::layer_of(assertion).unwrap_or(known.spec.layer),
        weight: assertion.weight,
        not: assertion.not,
        compiled: (known.compile)(assertion, scope)?,
    })
}

fn diagnostic(assertion: &Assertion, problem: FieldProblem) -> Diagnostic {
    let place = assertion.field_places.get(problem.field).or(assertion.place.as_ref()).cloned();
    Diagnostic { help: problem.help, ..Diagnostic::error(problem.message, place) }
}

fn grade(sample: &OfSample, output: &Output, judged: &[Judged]) -> Grade {
    let answer = Answer::new(output, judged);
    let rubrics = sample.rubrics.iter().filter_map(|at| judged.get(*at)).map(rating);
    Grade { checks: sample.plans.iter().map(|plan| plan.check(&answer)).chain(rubrics).collect() }
}

/// The check that a rubric or a dimension is.
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

fn broken(plans: &[Plan]) -> Grade {
    let unscored = |plan: &Plan| plan.result(Finding::unscored(msg!("grade-check-broke", kind = &plan.kind)));
    Grade { checks: plans.iter().map(unscored).collect() }
}
