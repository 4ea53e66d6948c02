//! The standard error of agents: what it says of a failure, and how long to wait before the next call.

use eval_spec::{ExecError, Failure};

/// What codex logs of each answer of its API, with the headers; it tells them nowhere else.
const ANSWERED: &str = "codex_http_client::client: Request completed";

/// What stands before the time to wait in the words of an API or of an agent.
const BEFORE_WAIT: [&str; 3] = ["retry after ", "try again in ", "retry in "];

/// A text without the lines that say nothing of a failure: the frames of a stack and the fields below it, and logged answers.
#[must_use]
pub fn without_noise(text: &str) -> String {
    let mut lines = Vec::new();
    let mut is_in_fields = false;
    for line in text.lines() {
        let is_frame = line.starts_with(char::is_whitespace) && line.trim_start().starts_with("at ");
        if is_in_fields {
            is_in_fields = line != "}";
        } else if is_frame {
            is_in_fields = line.ends_with('{');
        } else if !line.contains(ANSWERED) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// The error with the time that the API asked to wait, and with no more than its own words.
pub(crate) fn told(error: ExecError, stderr: &str) -> ExecError {
    let waits = matches!(error.failure, Failure::RateLimited | Failure::Server);
    let asked =
        || error.detail.as_deref().and_then(in_words).or_else(|| in_words(stderr)).or_else(|| in_header(stderr));
    let retry_after_ms = error.retry_after_ms.or_else(|| asked().filter(|_| waits));
    let detail = error.detail.as_deref().map(|detail| without_noise(detail).trim().to_owned());
    ExecError { retry_after_ms, detail: detail.filter(|detail| !detail.is_empty()), ..error }
}

/// `Suggested retry after 5000s.`, `Please try again in 1m3.5s.`
fn in_words(text: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    BEFORE_WAIT.iter().find_map(|before| milliseconds(lower.split_once(before)?.1))
}

/// `retry-after` in seconds, in the headers of the last answer that was logged.
fn in_header(stderr: &str) -> Option<u64> {
    let last = stderr.lines().rfind(|line| line.contains(ANSWERED))?;
    let value = last.split_once("\"retry-after\": \"")?.1.split('"').next()?;
    milliseconds(&format!("{value}s"))
}

/// A time such as `1m3.5s`, `20 seconds` or `250ms`, which what follows doesn't matter to.
fn milliseconds(text: &str) -> Option<u64> {
    let (mut rest, mut total) = (text, None);
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (Ok(number), after) = (rest[..digits].parse::<f64>(), rest[digits..].trim_start_matches(' ')) else {
            break;
        };
        let unit = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let factor = match &after[..unit] {
            "ms" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1e3,
            "m" | "min" | "mins" | "minute" | "minutes" => 6e4,
            "h" | "hour" | "hours" => 3.6e6,
            _ => break,
        };
        total = Some(total.unwrap_or(0.0) + number * factor);
        rest = &after[unit..];
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of at least 0, and saturating")]
    total.map(|total: f64| total.ceil() as u64)
}
