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

/// A percentage with two digits that are not leading zeros: small risks stay apart.
pub fn two_digits(percent: f64) -> String {
    let decimals = (1.0 - percent.abs().max(f64::MIN_POSITIVE).log10().floor()).clamp(1.0, 12.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 12")]
    let text = format!("{percent:.*}", decimals as usize);
    format!("{text} %")
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    let percent = format!("{:.1}", share * 100.0);
    format!("{} %", percent.strip_suffix(".0").unwrap_or(&percent))
}
