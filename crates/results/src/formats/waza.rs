//! waza: the results of a skill's evaluation, which contain those of a baseline without the skill.

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
use crate::row::{ForeignRow, PlaceUnit, ReadResults, RowEnd, RowScore, ScoreDirections};
use crate::source::{BoundedList, ResultSource, RowSink};

pub(super) const FORMAT: ResultFormat =
    ResultFormat { name: "waza", tool: Some("waza"), files: "results.json", detect, read };

/// Prefix of the error of a run whose answer could not be graded; the file has no other sign of it.
const UNGRADED_PREFIX: &str = "running graders: ";
/// Reason shown for a judge that called neither of its two tools; waza scores it 0.
const NO_VERDICT: &str = "no verdict: the judge reported neither a pass nor a failure";

fn detect(source: &ResultSource) -> bool {
    source.is_object_with(&["eval_id", "eval_name", "runs_per_test", "engine_type"])
}

fn read(format: &'static ResultFormat, source: &ResultSource, _: &ReadOptions) -> Result<ReadResults, ResultsError> {
    let mut skilled: WazaOutcome = source.json()?;
    let baseline = skilled.baseline_outcome.take();
    // without a baseline it's unknown whether the run had the skill
    let main_arm = if baseline.is_some() { "with_skill" } else { "run" };
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
    sink.add(&read, main_arm, skilled)?;
    read.notes = sink.counts.notes(source);
    read.rows = sink.rows.rows();
    read.unknown = vec![UnknownFact::ToolVersion, UnknownFact::Order, UnknownFact::Seed, UnknownFact::Cost];
    read.unknown.extend(sink.counts.unnamed_judges.then_some(UnknownFact::Grader));
    read.unknown.extend(read.rows.iter().any(|row| row.model.is_none()).then_some(UnknownFact::Models));
    read.unknown.extend(read.rows.iter().all(|row| row.input.is_none()).then_some(UnknownFact::Prompts));
    Ok(read)
}

struct WazaRows {
    rows: RowSink,
    /// Position of the next task.
    next: u64,
    counts: WazaCounts,
}

/// Counts for notes.
#[derive(Default)]
struct WazaCounts {
    runs: usize,
    unchecked: usize,
    retried: usize,
    most_attempts: u64,
    /// `true` if the name of a judging model is missing.
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
    /// Adds the runs with or without the skill.
    fn add(&mut self, read: &ReadResults, arm: &str, outcome: WazaOutcome) -> Result<(), ResultsError> {
        let model: Option<Arc<str>> =
            (!outcome.config.model_id.is_empty()).then(|| outcome.config.model_id.as_str().into());
        let names_judge = outcome.config.judge_model.is_some_and(|model| !model.is_empty());
        let dimensions: Vec<(Arc<str>, Arc<str>)> = vec![
            ("arm".into(), arm.into()),
            ("skill".into(), outcome.skill.as_str().into()),
            ("model".into(), outcome.config.model_id.as_str().into()),
        ];
        for task in outcome.tasks.0 {
            let position = self.next;
            self.next += 1;
            let runs = task.runs.unwrap_or_default().0;
            let task_row = ForeignRow {
                position,
                id: (!task.test_id.is_empty()).then(|| task.test_id.as_str().into()),
                name: (!task.display_name.is_empty()).then(|| task.display_name.as_str().into()),
                input: runs.iter().find_map(WazaRun::input),
                arm: dimensions.clone(),
                model: model.clone(),
                ..ForeignRow::default()
            };
            if runs.is_empty() {
                // the task's setup failed; waza counts the task as failed
                let end = RowEnd::Failed("no runs".to_owned());
                self.rows.push(ForeignRow { end, ..task_row.clone() })?;
            }
            for run in runs {
                self.counts.runs += 1;
                self.counts.retried += usize::from(run.attempts > 1);
                self.counts.most_attempts = self.counts.most_attempts.max(run.attempts);
                let validations = run.validations.as_ref().map_or(&[][..], |map| &map.0);
                if let Some((name, score)) = validations.iter().find_map(|(name, check)| check.invalid_score(name)) {
                    let value = score.to_string();
                    return Err(ResultsError::new(msg!(
                        "results-outside-unit",
                        place = read.place(position),
                        score = name,
                        value = value
                    ))
                    .help(msg!("results-waza-unit-help")));
                }
                self.counts.unnamed_judges |= !names_judge && validations.iter().any(|(_, check)| check.is_judged());
                if validations.is_empty() && ["passed", "skipped"].contains(&run.status.as_str()) {
                    self.counts.unchecked += 1;
                    continue;
                }
                self.rows.push(run.row(task_row.clone()))?;
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

/// Arguments of a judge's tool calls; other graders have lists here.
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

    /// Returns why there is no score, if there is none.
    fn missing_reason(&self) -> Option<&str> {
        let is_empty = |argument: &Value| argument.as_str() == Some("");
        let is_silent = |details: &WazaDetails| is_empty(&details.passes) && is_empty(&details.failures);
        if self.is_judged() && self.details.as_ref().is_some_and(is_silent) {
            return Some(NO_VERDICT);
        }
        self.score.is_none().then_some("no score")
    }

    /// Returns a score outside 0..=1, which no grader gives.
    fn invalid_score<'n>(&self, name: &'n str) -> Option<(&'n str, f64)> {
        self.score.filter(|score| !(0.0..=1.0).contains(score)).map(|score| (name, score))
    }

    /// Returns the weight as waza uses it: 1 if it is absent or not positive.
    fn weight(&self) -> f64 {
        self.weight.filter(|weight| *weight > 0.0).unwrap_or(1.0)
    }
}

impl WazaRun {
    /// Returns the first user message.
    fn input(&self) -> Option<Arc<str>> {
        let events = self.transcript.iter().flatten();
        let mut texts =
            events.filter(|event| event.kind == "user.message").filter_map(|event| event.content.as_deref());
        texts.find(|text| !text.trim().is_empty()).map(Arc::from)
    }

    fn row(self, task_row: ForeignRow) -> ForeignRow {
        let validations = self.validations.map(|map| map.0).unwrap_or_default();
        let why = self.error_msg.unwrap_or_default();
        let end = match (self.status.as_str(), why.strip_prefix(UNGRADED_PREFIX)) {
            ("error", Some(why)) => RowEnd::Ungraded(why.to_owned()),
            ("error", None) => RowEnd::Failed(why),
            _ => RowEnd::Graded,
        };
        let missing_reason =
            validations.iter().find_map(|(name, check)| Some(format!("{name}: {}", check.missing_reason()?)));
        let failed =
            validations.iter().filter(|(_, check)| check.passed == Some(false) && check.missing_reason().is_none());
        let reasons: Vec<String> =
            failed.filter_map(|(name, check)| Some(format!("{name}: {}", check.feedback.as_deref()?))).collect();
        let mut scores = Vec::new();
        if missing_reason.is_none() {
            scores.extend(
                mean(&validations, WazaValidation::weight).map(|mean| RowScore::number("weighted_score", mean)),
            );
            scores.extend(mean(&validations, |_| 1.0).map(|mean| RowScore::number("score", mean)));
            let has_passed = ["failed", "passed"].contains(&self.status.as_str()).then_some(self.status == "passed");
            scores.extend(has_passed.map(|passed| RowScore::passed("pass", passed)));
        }
        let graded = validations.iter().filter(|(_, check)| check.missing_reason().is_none());
        scores.extend(graded.filter_map(|(name, check)| Some(RowScore::number(name, check.score?))));
        let usage = self.session_digest.and_then(|digest| digest.usage).map(|usage| Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
        });
        ForeignRow {
            trial: self.run_number.map(|number| number.to_string().into()),
            // graders also score runs that failed
            scores: if end == RowEnd::Graded { scores } else { Vec::new() },
            end,
            missing_reason,
            answer: self.final_output,
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            latency_ms: self.duration_ms,
            usage,
            ..task_row
        }
    }
}

/// Returns the weighted mean of a run's scores; `None` if there are none, or the sum of weights overflows.
fn mean(validations: &[(String, WazaValidation)], weight: impl Fn(&WazaValidation) -> f64) -> Option<f64> {
    let weights: f64 = validations.iter().map(|(_, check)| weight(check)).sum();
    let sum: f64 = validations.iter().filter_map(|(_, check)| Some(weight(check) * check.score?)).sum();
    // rounding can turn scores of 1 into 1.0000000000000002
    (weights > 0.0 && weights.is_finite()).then(|| (sum / weights).min(1.0))
}

/// The entries of a JSON object. A duplicate name is an error: either entry may be meant.
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
                    if entries.iter().any(|(other, _)| *other == name) {
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
