//! Grading: samples compiled once, outputs checked many times.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_spec::types::FieldProblem;
use eval_spec::{
    Assertion, BoxFuture, Cell, Check, CheckOutcome, Diagnostic, Diagnostics, Grade, Grader, Layer, Message, Output,
    Sample, msg,
};

use crate::answer::Answer;
use crate::assertion::{self, Compiled, Refusal, Scope};
use crate::finding::Finding;

/// What runs the files of `custom` assertions (G4).
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
    /// Whether judges are on; judged assertions are then refused, as there is no judge yet.
    pub judging: bool,
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
    samples: Vec<Arc<[Plan]>>,
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
            match compile_all(&sample.assertions, &Scope { sample, setup: &setup, scripts: &scripts }) {
                Ok(plans) => compiled.push(plans.into()),
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
        self.samples.get(sample).map(|plans| grade(plans, output)).unwrap_or_default()
    }
}

impl Grader for Grading {
    /// Grades at once where that takes microseconds, else on a thread that may block.
    fn grade<'a>(&'a self, cell: &'a Cell, output: &'a Output) -> BoxFuture<'a, Grade> {
        Box::pin(async move {
            let Some(plans) = self.samples.get(cell.sample) else { return Grade::default() };
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) if plans.iter().any(Plan::is_slow) => {
                    let (task, output) = (Arc::clone(plans), output.clone());
                    let graded = runtime.spawn_blocking(move || grade(&task, &output)).await;
                    graded.unwrap_or_else(|_| broken(plans))
                }
                _ => grade(plans, output),
            }
        })
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
            children: finding.children,
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

fn grade(plans: &[Plan], output: &Output) -> Grade {
    let answer = Answer::new(output);
    Grade { checks: plans.iter().map(|plan| plan.check(&answer)).collect() }
}

fn broken(plans: &[Plan]) -> Grade {
    let unscored = |plan: &Plan| plan.result(Finding::unscored(msg!("grade-check-broke", kind = &plan.kind)));
    Grade { checks: plans.iter().map(unscored).collect() }
}
