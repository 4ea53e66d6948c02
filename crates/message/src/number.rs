//! Numbers as texts of messages show them.

/// Points with two decimals.
pub fn points(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Points with a sign and two decimals; more where two would hide on which side of 0 the value lies.
pub fn signed(value: f64) -> String {
    match value.abs() {
        0.0 => "0.00".to_owned(),
        0.005.. => format!("{value:+.2}"),
        0.000_05.. => format!("{value:+.4}"),
        _ => format!("{value:+.0e}"),
    }
}

/// Like [`signed`], with more decimals where two would hide on which side of 0 the value lies.
pub fn bound(value: f64) -> String {
    let decimals = (2..=6).find(|&decimals| value.abs() >= 0.5 * 0.1_f64.powi(decimals));
    match decimals {
        Some(decimals) => format!("{value:+.*}", usize::try_from(decimals).unwrap_or(2)),
        None => signed(value),
    }
}

/// A p-value with its relation, and as many digits as matter: `= 0.042`, `< 0.001`.
pub fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// A small share in percent: two decimals, or as many as two digits that are not leading zeros take.
pub fn risk(share: f64) -> String {
    format!("{} %", without_zeros(100.0 * share, decimals(share).max(2)))
}

/// The level of an interval: as many decimals as what it leaves out has.
pub fn level(share: f64) -> String {
    format!("{} %", without_zeros(100.0 * share, decimals(1.0 - share)))
}

/// The decimals of a percentage that show two digits of this share.
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

/// A share in percent.
pub fn percent(share: f64) -> String {
    let percent = format!("{:.1}", share * 100.0);
    format!("{} %", percent.strip_suffix(".0").unwrap_or(&percent))
}
