//! The outcome of a call of a skill, without secrets.

use std::path::Path;
use std::time::Duration;

use eval_exec::secrets::Redact;
use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::hash::sha256_hex;
use eval_spec::{Context, ExecError, Failure, Identity, Outcome, Output};

use super::denial::Denials;
use super::launch;

/// The longest excerpt of an answer or of a skill's error text in an error, in characters.
const MAX_EXCERPT: usize = 2_000;

/// Builds the outcomes of a skill's calls: its identity, and the secrets to mask.
pub(super) struct OutcomeBuilder {
    pub(super) identity: Identity,
    /// Masks everything but answers.
    redact: Redact,
    /// Masks answers, which are scored: only values that no answer contains by chance.
    of_answers: Redact,
    denials: Denials,
}

impl OutcomeBuilder {
    /// For a skill. `how` decides its answers besides its files: a command line, an address. `secrets` are
    /// values to mask, whatever their variables are called.
    pub(super) fn new(skill: &CallableSkill, context: &Context, how: &str, secrets: &[String]) -> OutcomeBuilder {
        let redact = secrets.iter().fold(Redact::new(context), |redact, secret| redact.and(Some(secret)));
        let of_answers = redact.for_answers();
        let details = format!("{} {} {}", skill.hash, redact.clean(how), sha256_hex(how.as_bytes()));
        let identity = Identity {
            executor: skill.adapter.name().to_owned(),
            version: Some(skill.version.clone()),
            provider: format!("skill {}", skill.id),
            base_url: None,
            details: Some(details),
            program: None,
            sandbox: None,
        };
        // A variable that the skill names may hold a token, whatever it is called; a short value is a word like others.
        let passed = skill.config.env.iter().filter(|name| !launch::ALWAYS.contains(&name.as_str()));
        let redact = passed
            .fold(redact.for_errors(), |redact, name| redact.and(context.var(name).filter(|value| value.len() >= 8)));
        OutcomeBuilder { identity, redact, of_answers, denials: Denials::of(skill) }
    }

    /// For a program with its temporary files below this folder.
    pub(super) fn below(mut self, scratch: Option<&Path>) -> OutcomeBuilder {
        self.denials.scratch = scratch.map(Path::to_owned);
        self
    }

    /// An answer, as JSON.
    pub(super) fn answer(&self, json: String, latency: Duration, run: SkillRun) -> Output {
        let output = Output { latency_ms: Some(ms(latency)), ..Output::text(json) };
        // A skill that returns an empty text has answered.
        let output = Output { outcome: Outcome::Answered, ..output };
        Output { skill: Some(Box::new(self.run(run, latency))), ..self.of_answers.clean_value(output) }
    }

    /// An error of a skill that was called: why, its own error text, and its output so far.
    pub(super) fn failed(
        &self,
        failure: Failure,
        message: Message,
        words: &str,
        printed: &str,
        (latency, run): (Duration, SkillRun),
    ) -> ExecError {
        let said = [words, printed, run.stderr.as_str()];
        let (failure, message) = match self.denials.find(failure, &run.enforced, said) {
            // Ours, not the skill's: the engine counts it as unmeasured.
            Some(denied) => (Failure::Rejected, denied),
            None => (failure, message),
        };
        let partial = Output {
            outcome: Outcome::Truncated,
            latency_ms: Some(ms(latency)),
            ..Output::text(self.redact.clean(&cut(printed)).into_owned())
        };
        let partial = Output { skill: Some(Box::new(self.run(run, latency))), ..partial };
        ExecError { partial: Some(Box::new(partial)), ..self.not_called(failure, message, words) }
    }

    /// An error before a skill was called.
    pub(super) fn not_called(&self, failure: Failure, message: Message, words: &str) -> ExecError {
        let words = self.redact.clean(words.trim()).into_owned();
        let error = ExecError::new(failure, self.redact.clean_value(message));
        ExecError { detail: (!words.is_empty()).then(|| cut(&words)), ..error }
    }

    /// An error without secrets.
    pub(super) fn clean(&self, error: ExecError) -> ExecError {
        self.redact.clean_value(error)
    }

    /// An error with the latency of the call.
    pub(super) fn with_latency(&self, error: ExecError, latency: Duration) -> ExecError {
        let partial = Output {
            outcome: Outcome::Truncated,
            latency_ms: Some(ms(latency)),
            skill: Some(Box::new(self.run(SkillRun::default(), latency))),
            ..Output::text("")
        };
        ExecError { partial: Some(Box::new(partial)), ..self.redact.clean_value(error) }
    }

    /// The error that a skill answered with.
    pub(super) fn reported_error(&self, words: &str, printed: &str, seen: (Duration, SkillRun)) -> ExecError {
        let words = cut(words);
        // The message has the reason; its other output is in the partial output.
        match self.denials.find(Failure::Skill, &seen.1.enforced, [words.as_str()]) {
            Some(_) => self.failed(Failure::Skill, msg!("skills-exec-error", why = &*words), &words, printed, seen),
            None => self.failed(Failure::Skill, msg!("skills-exec-error", why = words), "", printed, seen),
        }
    }

    fn run(&self, run: SkillRun, latency: Duration) -> SkillRun {
        let latency_us = Some(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX));
        SkillRun { stderr: self.redact.clean(&run.stderr).into_owned(), latency_us, ..run }
    }
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The line of standard error that most likely gives the cause: the last one that names an error, else the last.
pub fn likely_cause(stderr: &str) -> &str {
    const WORDS: [&str; 4] = ["error", "exception", "panicked", "fatal"];
    let names_error = |line: &&str| {
        let line = line.to_lowercase();
        WORDS.iter().any(|word| line.contains(word))
    };
    let lines = || stderr.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    lines().find(names_error).or_else(|| lines().next()).unwrap_or_default()
}
