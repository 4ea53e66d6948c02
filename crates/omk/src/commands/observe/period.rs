//! The period that was asked for.

use eval_cli::CommandError;
use eval_message::msg;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// From a time on, and up to one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Period {
    pub(super) from: Option<Timestamp>,
    pub(super) to: Option<Timestamp>,
}

impl Period {
    /// `--last` as in `7d`, `--from` and `--to` as days or times; the whole day of `--to` is in the period.
    pub(super) fn new(
        now: Timestamp,
        last: Option<&str>,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Period, CommandError> {
        let since = last.map(|text| before(now, text).ok_or_else(|| wrong("--last", text))).transpose()?;
        let time = |flag: &str, text: Option<&str>, days: i64| {
            text.map(|text| moment(text, days).ok_or_else(|| wrong(flag, text))).transpose()
        };
        let period = Period { from: since.or(time("--from", from, 0)?), to: time("--to", to, 1)? };
        match (period.from, period.to) {
            (Some(begin), Some(end)) if begin >= end => {
                Err(CommandError::usage(msg!("observe-empty-period"), msg!("observe-period-help")))
            }
            _ => Ok(period),
        }
    }

    /// Whether something happened in it. What has no time is in every period.
    pub(super) fn contains(self, at: Option<Timestamp>) -> bool {
        at.is_none_or(|at| self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to))
    }
}

fn wrong(flag: &str, text: &str) -> CommandError {
    CommandError::usage(msg!("observe-wrong-time", flag = flag, text = text), msg!("observe-period-help"))
}

/// The time that is `text` before now: `90m`, `24h`, `7d`, `2w`.
fn before(now: Timestamp, text: &str) -> Option<Timestamp> {
    let unit = text.chars().last()?;
    let count: i64 = text[..text.len() - unit.len_utf8()].parse().ok().filter(|&count| count > 0)?;
    let hours = |factor: i64| Span::new().try_hours(count.checked_mul(factor)?).ok();
    let span = match unit {
        'm' => Span::new().try_minutes(count).ok()?,
        'h' => hours(1)?,
        'd' => hours(24)?,
        'w' => hours(24 * 7)?,
        _ => return None,
    };
    now.checked_sub(span).ok()
}

/// A day, `days` later, at its beginning in UTC; or a time.
fn moment(text: &str, days: i64) -> Option<Timestamp> {
    if let Ok(day) = text.parse::<Date>().and_then(|day| day.checked_add(Span::new().try_days(days)?)) {
        let is_day = text.len() <= "2026-01-01".len();
        if is_day {
            return day.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
        }
    }
    text.parse().ok()
}
