//! waza: the results of a skill's evaluation, its baseline without the skill inside of them.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use eval_format::UnknownFact;
use eval_message::{Message, msg};
use eval_spec::call::Usage;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections, ScoreValue};
use crate::source::{BoundedList, ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "waza", tool: Some("waza"), files: "results.json", detect, read };

/// How the error of a run begins that has an answer which could not be graded; nothing else tells.
const UNGRADED: &str = "running graders: ";
/// Why a judge has no verdict that called neither of its two tools; waza scores it 0.
const MUTE: &str = "no verdict: the judge reported neither a pass nor a failure";

fn detect(source: &ResultSource) -> bool {
    let head = source.head_text();
    head.trim_start().starts_with('{')
        && ["eval_id", "eval_name", "runs_per_test", "engine_type"]
            .iter()
            .all(|key| head.contains(&format!("\"{key}\"")))
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let mut skilled: WazaOutcome = source.json()?;
    let baseline = skilled.baseline_outcome.take();
    // alone, it may be one without the skill as well
    let main = if baseline.is_some() { "with_skill" } else { "run" };
    let tasks = u64::try_from(skilled.tasks.0.len()).unwrap_or(u64::MAX);
    let mut read = ReadResults {
        format,
        file: source.shown.clone(),
        sha256: source.sha256()?,
        tool_version: None,
        unit: PlaceUnit::Entries("/tasks", tasks, "/baseline_outcome/tasks"),
        rows: Vec::new(),
        overall: Some("weighted_score".into()),
        directions: ScoreDirections::rising(),
        unknown: Vec::new(),
        notes: Vec::new(),
    };
    let mut sink = WazaRows { rows: RowSink::new(source), next: 0, counts: WazaCounts::default() };
    // the control first
    if let Some(baseline) = baseline {
        sink.next = tasks;
        sink.add(&read, "baseline", *baseline)?;
    }
    sink.next = 0;
    sink.add(&read, main, skilled)?;
    read.notes = sink.counts.notes(source);
    read.rows = sink.rows.rows();
    read.unknown = vec![UnknownFact::ToolVersion, UnknownFact::Order, UnknownFact::Seed, UnknownFact::Cost];
    read.unknown.extend(sink.counts.unnamed_judges.then_some(UnknownFact::Grader));
    read.unknown.extend(read.rows.iter().any(|row| row.model.is_none()).then_some(UnknownFact::Models));
    read.unknown.extend(read.rows.iter().all(|row| row.input.is_none()).then_some(UnknownFact::Prompts));
    Ok(read)
}

/// The results as they are read.
struct WazaRows {
    rows: RowSink,
    /// The place of the next task.
    next: u64,
    counts: WazaCounts,
}

/// What is said of all results.
#[derive(Default)]
struct WazaCounts {
    runs: usize,
    unchecked: usize,
    retried: usize,
    most_attempts: u64,
    /// Whether a model judged that isn't named.
    unnamed_judges: bool,
}

impl WazaCounts {
    fn notes(&self, source: &ResultSource) -> Vec<Message> {
        let unchecked =
            (self.unchecked > 0).then(|| msg!("results-unchecked", file = &source.shown, count = self.unchecked));
        let retried = (self.retried > 0).then(|| {
            msg!(
                "results-retried",
                file = &source.shown,
                count = self.retried,
                runs = self.runs,
                most = self.most_attempts
            )
        });
        unchecked.into_iter().chain(retried).collect()
    }
}

impl WazaRows {
    /// The runs of one pass.
    fn add(&mut self, read: &ReadResults, arm: &str, of: WazaOutcome) -> Result<(), ResultsError> {
        let model: Option<Arc<str>> = (!of.config.model_id.is_empty()).then(|| of.config.model_id.as_str().into());
        let names_judge = of.config.judge_model.is_some_and(|model| !model.is_empty());
        let dimensions: Vec<(Arc<str>, Arc<str>)> = vec![
            ("arm".into(), arm.into()),
            ("skill".into(), of.skill.as_str().into()),
            ("model".into(), of.config.model_id.as_str().into()),
        ];
        for task in of.tasks.0 {
            let at = self.next;
            self.next += 1;
            let runs = task.runs.unwrap_or_default().0;
            let of_case = ForeignRow {
                at,
                id: (!task.test_id.is_empty()).then(|| task.test_id.as_str().into()),
                name: (!task.display_name.is_empty()).then(|| task.display_name.as_str().into()),
                input: runs.iter().find_map(WazaRun::input),
                arm: dimensions.clone(),
                model: model.clone(),
                ..ForeignRow::default()
            };
            if runs.is_empty() {
                // what comes before a task failed; waza calls the task failed
                let end = RowEnd::Failed("no runs".to_owned());
                self.rows.push(ForeignRow { end, ..of_case.clone() })?;
            }
            for run in runs {
                self.counts.runs += 1;
                self.counts.retried += usize::from(run.attempts > 1);
                self.counts.most_attempts = self.counts.most_attempts.max(run.attempts);
                let validations = run.validations.as_ref().map_or(&[][..], |map| &map.0);
                if let Some((name, score)) = validations.iter().find_map(|(name, of)| of.outside(name)) {
                    let value = score.to_string();
                    return Err(ResultsError::new(msg!(
                        "results-outside-unit",
                        place = read.place(at),
                        score = name,
                        value = value
                    ))
                    .help(msg!("results-waza-unit-help")));
                }
                self.counts.unnamed_judges |= !names_judge && validations.iter().any(|(_, of)| of.is_judged());
                if validations.is_empty() && ["passed", "skipped"].contains(&run.status.as_str()) {
                    self.counts.unchecked += 1;
                    continue;
                }
                self.rows.push(run.row(of_case.clone()))?;
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct WazaOutcome {
    #[serde(default)]
    skill: String,
    #[serde(default)]
    config: WazaConfig,
    tasks: BoundedList<WazaTask>,
    #[serde(default)]
    baseline_outcome: Option<Box<WazaOutcome>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaConfig {
    model_id: String,
    judge_model: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaTask {
    test_id: String,
    display_name: String,
    runs: Option<BoundedList<WazaRun>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaRun {
    run_number: Option<u64>,
    attempts: u64,
    status: String,
    duration_ms: Option<u64>,
    validations: Option<UniqueNames<WazaValidation>>,
    session_digest: Option<WazaDigest>,
    transcript: Option<Vec<WazaEvent>>,
    final_output: Option<String>,
    error_msg: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaValidation {
    #[serde(rename = "type")]
    kind: String,
    score: Option<f64>,
    weight: Option<f64>,
    passed: Option<bool>,
    feedback: Option<String>,
    details: Option<WazaDetails>,
}

/// What the tools of a judge were called with; other graders have lists in their place.
#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaDetails {
    passes: Value,
    failures: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaDigest {
    usage: Option<WazaUsage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaUsage {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WazaEvent {
    #[serde(rename = "type")]
    kind: String,
    content: Option<String>,
}

impl WazaValidation {
    fn is_judged(&self) -> bool {
        self.kind == "prompt"
    }

    /// Why there is no score, where there is none.
    fn outage(&self) -> Option<&str> {
        let is_empty = |of: &Value| of.as_str() == Some("");
        let is_mute = |of: &WazaDetails| is_empty(&of.passes) && is_empty(&of.failures);
        if self.is_judged() && self.details.as_ref().is_some_and(is_mute) {
            return Some(MUTE);
        }
        self.score.is_none().then_some("no score")
    }

    /// A score that no grader gives.
    fn outside<'n>(&self, name: &'n str) -> Option<(&'n str, f64)> {
        self.score.filter(|score| !(0.0..=1.0).contains(score)).map(|score| (name, score))
    }
}

impl WazaRun {
    /// What was asked.
    fn input(&self) -> Option<Arc<str>> {
        let events = self.transcript.iter().flatten();
        let mut asked = events.filter(|event| event.kind == "user.message").filter_map(|of| of.content.as_deref());
        asked.find(|text| !text.trim().is_empty()).map(Arc::from)
    }

    fn row(self, of_case: ForeignRow) -> ForeignRow {
        let validations = self.validations.map(|map| map.0).unwrap_or_default();
        let why = self.error_msg.unwrap_or_default();
        let end = match (self.status.as_str(), why.strip_prefix(UNGRADED)) {
            ("error", Some(why)) => RowEnd::Ungraded(why.to_owned()),
            ("error", None) => RowEnd::Failed(why),
            _ => RowEnd::Graded,
        };
        let lost = validations.iter().find_map(|(name, of)| Some(format!("{name}: {}", of.outage()?)));
        let failed = validations.iter().filter(|(_, of)| of.passed == Some(false) && of.outage().is_none());
        let reasons: Vec<String> =
            failed.filter_map(|(name, of)| Some(format!("{name}: {}", of.feedback.as_deref()?))).collect();
        let mut scores = Vec::new();
        if lost.is_none() {
            scores.extend(mean(&validations, WazaValidation::weight).map(|mean| scored("weighted_score", mean)));
            scores.extend(mean(&validations, |_| 1.0).map(|mean| scored("score", mean)));
            let passed = ["failed", "passed"].iter().position(|status| *status == self.status);
            let passed = passed.map(|at| ScoreValue::Passed(at == 1));
            scores.extend(passed.map(|value| RowScore { name: "pass".into(), value }));
        }
        let graded = validations.iter().filter(|(_, of)| of.outage().is_none());
        scores.extend(graded.filter_map(|(name, of)| Some(scored(name, of.score?))));
        let usage = self.session_digest.and_then(|digest| digest.usage).map(|usage| Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
        });
        ForeignRow {
            trial: self.run_number.map(|number| number.to_string().into()),
            // what graders gave to a run that failed is no score of an answer
            scores: if end == RowEnd::Graded { scores } else { Vec::new() },
            end,
            lacks: lost,
            answer: self.final_output,
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            latency_ms: self.duration_ms,
            usage,
            ..of_case
        }
    }
}

impl WazaValidation {
    /// As waza has it: 1 for none and for what is no weight.
    fn weight(&self) -> f64 {
        self.weight.filter(|weight| *weight > 0.0).unwrap_or(1.0)
    }
}

/// The mean of a run's scores; nothing where they are none, or their weights too large to add.
fn mean(validations: &[(String, WazaValidation)], weight: impl Fn(&WazaValidation) -> f64) -> Option<f64> {
    let weights: f64 = validations.iter().map(|(_, of)| weight(of)).sum();
    let sum: f64 = validations.iter().filter_map(|(_, of)| Some(weight(of) * of.score?)).sum();
    // rounding makes 1.0000000000000002 of scores that are all 1
    (weights > 0.0 && weights.is_finite()).then(|| (sum / weights).min(1.0))
}

fn scored(name: &str, score: f64) -> RowScore {
    RowScore { name: name.into(), value: ScoreValue::Number(score) }
}

/// An object of a JSON document as its entries, each name once: of two with one name either may be meant.
struct UniqueNames<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueNames<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<UniqueNames<T>, D::Error> {
        struct NamesVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for NamesVisitor<T> {
            type Value = UniqueNames<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueNames<T>, A::Error> {
                let mut entries: Vec<(String, T)> = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if entries.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    entries.push((name, map.next_value()?));
                }
                Ok(UniqueNames(entries))
            }
        }
        deserializer.deserialize_map(NamesVisitor(PhantomData))
    }
}
