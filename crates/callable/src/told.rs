//! What a call of a skill came to, without secrets.

use std::time::Duration;

use eval_exec::secrets::Redact;
use eval_message::{Message, msg};
use eval_spec::callable::{CallableSkill, SkillRun};
use eval_spec::hash::sha256_hex;
use eval_spec::{Context, ExecError, Failure, Identity, Outcome, Output};

use super::launch;

/// The longest piece of an answer, or of words of a skill, that is kept in an error, in characters.
const MAX_WORDS: usize = 2_000;

/// Who speaks, and what must not be repeated.
pub(super) struct Teller {
    pub(super) identity: Identity,
    /// Of what it says besides answers.
    redact: Redact,
    /// Of answers, which are scored: nothing but what no answer holds by chance.
    of_answers: Redact,
}

impl Teller {
    /// Of a skill. `how` is what decides its answers besides its files: a command line, an address. `secret` is a
    /// value that must not be repeated, whatever its variable is called.
    pub(super) fn new(skill: &CallableSkill, context: &Context, how: &str, secret: Option<&str>) -> Teller {
        let redact = Redact::new(context).and(secret);
        let of_answers = redact.for_answers();
        let details = format!("{} {} {}", skill.hash, redact.clean(how), sha256_hex(how.as_bytes()));
        let identity = Identity {
            executor: skill.adapter.name().to_owned(),
            version: Some(skill.version.clone()),
            provider: format!("skill {}", skill.id),
            base_url: None,
            details: Some(details),
        };
        // Who names a variable may have a token in it, whatever it is called.
        let passed = skill.config.env.iter().filter(|name| !launch::ALWAYS.contains(&name.as_str()));
        let redact = passed.fold(redact, |redact, name| redact.and(context.var(name)));
        Teller { identity, redact, of_answers }
    }

    /// An answer, as JSON.
    pub(super) fn answer(&self, json: String, latency: Duration, run: SkillRun) -> Output {
        let output = Output { latency_ms: Some(ms(latency)), ..Output::text(json) };
        // A skill that returns an empty text has answered.
        let output = Output { outcome: Outcome::Answered, ..output };
        Output { skill: Some(Box::new(self.run(run, latency))), ..self.of_answers.clean_value(output) }
    }

    /// An error of a skill that was called: why, its own words, what it had printed so far.
    pub(super) fn failed(
        &self,
        failure: Failure,
        message: Message,
        words: &str,
        printed: &str,
        (latency, run): (Duration, SkillRun),
    ) -> ExecError {
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

    /// An error that tells how long it took.
    pub(super) fn lasted(&self, error: ExecError, latency: Duration) -> ExecError {
        let partial = Output {
            outcome: Outcome::Truncated,
            latency_ms: Some(ms(latency)),
            skill: Some(Box::new(self.run(SkillRun::default(), latency))),
            ..Output::text("")
        };
        ExecError { partial: Some(Box::new(partial)), ..self.redact.clean_value(error) }
    }

    /// The error that a skill answered with.
    pub(super) fn said_error(&self, words: &str, printed: &str, seen: (Duration, SkillRun)) -> ExecError {
        let words = cut(words);
        // It has said why; what else it printed stands beside.
        self.failed(Failure::Skill, msg!("skills-exec-error", why = words), "", printed, seen)
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
    match text.char_indices().nth(MAX_WORDS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The line of standard error that most likely says why: the last one that speaks of an error, else the last. The whole
/// end of it is kept beside.
pub(super) fn telling(stderr: &str) -> &str {
    const WORDS: [&str; 4] = ["error", "exception", "panicked", "fatal"];
    let speaks = |line: &&str| {
        let line = line.to_lowercase();
        WORDS.iter().any(|word| line.contains(word))
    };
    let lines = || stderr.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    lines().find(speaks).or_else(|| lines().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::telling;

    #[test]
    fn the_line_that_says_why_is_found() {
        let python = "Traceback (most recent call last):\n  File \"skill.py\", line 4\nValueError: no number\n";
        let node =
            "/x/skill.js:3\nthrow new Error('boom')\n^\n\nError: boom\n    at Object.<anonymous>\n\nNode.js v20.1.0\n";
        for (stderr, line) in [
            (python, "ValueError: no number"),
            (node, "Error: boom"),
            ("warming up\nsh: 1: jq: not found\n\n", "sh: 1: jq: not found"),
            ("", ""),
        ] {
            assert_eq!(telling(stderr), line);
        }
    }
}
