//! Ids of reports: when a run began, and a number where that is taken.

use jiff::Timestamp;

/// The longest name part of an id, in bytes; file systems end at 255.
const LONGEST: usize = 120;

/// The id of a report whose run began at `started`: `2026-03-24T15-30-45-v1-v2`, with `-2`, `-3`, … when `taken` says that
/// it exists. What isn't a letter, a digit, `.`, `_` or `-` in a variant's name becomes `_`.
#[must_use]
pub fn report_id(started: Timestamp, variants: &[&str], taken: impl Fn(&str) -> bool) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' };
    let names: String = variants.join("-").chars().map(safe).collect();
    let names = &names[..names.floor_char_boundary(LONGEST)];
    free(format!("{}-{names}", started.strftime("%Y-%m-%dT%H-%M-%S")), taken)
}

/// The id of an evaluation of callable skills that began at `started`: `YYYYMMDD-hhmmss`, with `-2`, `-3`, … when `taken`
/// says that it exists.
#[must_use]
pub fn evaluation_id(started: Timestamp, taken: impl Fn(&str) -> bool) -> String {
    free(started.strftime("%Y%m%d-%H%M%S").to_string(), taken)
}

/// What orders ids of [`evaluation_id`] by their beginning.
pub(crate) fn began(id: &str) -> Option<(String, u64)> {
    let is_digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = id.splitn(3, '-');
    let (date, time) = (parts.next()?, parts.next()?);
    let number = parts.next().map_or(Some(1), |text| text.parse().ok())?;
    (is_digits(date, 8) && is_digits(time, 6)).then(|| (format!("{date}{time}"), number))
}

fn free(id: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&id) {
        return id;
    }
    (2_u64..).map(|n| format!("{id}-{n}")).find(|id| !taken(id)).unwrap_or(id)
}
