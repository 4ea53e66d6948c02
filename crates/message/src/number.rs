//! Formats numbers for messages.

/// Formats points with two decimals.
pub fn points(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Formats points with a sign and two decimals; more for values too close to 0 to show a sign with two.
pub fn signed(value: f64) -> String {
    match value.abs() {
        0.0 => "0.00".to_owned(),
        0.005.. => format!("{value:+.2}"),
        0.000_05.. => format!("{value:+.4}"),
        _ => format!("{value:+.0e}"),
    }
}

/// Like [`signed`], but with only as many more decimals as needed, up to six.
pub fn bound(value: f64) -> String {
    let decimals = (2..=6).find(|&decimals| value.abs() >= 0.5 * 0.1_f64.powi(decimals));
    match decimals {
        Some(decimals) => format!("{value:+.*}", usize::try_from(decimals).unwrap_or(2)),
        None => signed(value),
    }
}

/// Formats a p-value with its relation: `= 0.042`, `< 0.001`.
pub fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// Formats a small share in percent, with two decimals or as many as show two significant digits.
pub fn risk(share: f64) -> String {
    format!("{} %", without_zeros(100.0 * share, decimals(share).max(2)))
}

/// Formats the level of an interval, with as many decimals as its complement needs.
pub fn level(share: f64) -> String {
    format!("{} %", without_zeros(100.0 * share, decimals(1.0 - share)))
}

/// Returns the decimals of a percentage that show two significant digits of this share.
fn decimals(share: f64) -> usize {
    let decimals = (1.0 - (100.0 * share).abs().max(f64::MIN_POSITIVE).log10().floor()).clamp(1.0, 12.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 12")]
    let decimals = decimals as usize;
    decimals
}

fn without_zeros(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a share in percent.
pub fn percent(share: f64) -> String {
    let percent = format!("{:.1}", share * 100.0);
    format!("{} %", percent.strip_suffix(".0").unwrap_or(&percent))
}
