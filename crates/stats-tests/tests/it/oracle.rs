//! Compares every deterministic number with SciPy 1.17.1, statsmodels 0.15.0 and NumPy 2.4.6, to 1e-9.
//! `tests/oracle.py` wrote the values; each test names the call there.

use eval_stats::*;
use serde_json::Value;

fn table(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../data/oracle.json")).expect("JSON");
    all[name].as_array().expect("a table").clone()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().expect("a number")
}

fn whole(row: &Value, key: &str) -> u64 {
    row[key].as_u64().expect("a whole number")
}

fn list(row: &Value, key: &str) -> Vec<f64> {
    let values = row[key].as_array().expect("a list").iter();
    values.map(|v| v.as_f64().expect("a number")).collect()
}

/// Within 1e-9 of the larger magnitude, or of 1 where `expected` is a rounding error around 0.
#[track_caller]
fn near(ours: f64, expected: f64) {
    let scale = expected.abs().max(1e-300);
    let off = (ours - expected).abs();
    assert!(off <= 1e-9 * scale || off <= 1e-15, "{ours} for {expected}");
}

#[track_caller]
fn near_interval(ours: Option<Interval>, (low, high): (f64, f64)) {
    let ours = ours.expect("an interval");
    // a bound near 0 is a difference of larger numbers
    let scale = low.abs().max(high.abs()).max(high - low);
    for (bound, expected) in [(ours.low, low), (ours.high, high)] {
        assert!((bound - expected).abs() <= 1e-9 * scale, "{ours:?} for {low}..{high}");
    }
}

fn bounds(row: &Value, key: &str) -> (f64, f64) {
    let pair = list(row, key);
    (pair[0], pair[1])
}

fn low_high(row: &Value) -> (f64, f64) {
    (number(row, "low"), number(row, "high"))
}

/// `numpy.mean`, `numpy.std(ddof=1)`, `numpy.quantile(method="weibull")`
#[test]
fn descriptions() {
    for row in table("describe") {
        let x = list(&row, "x");
        near(mean(&x).expect("exists"), number(&row, "mean"));
        near(sd(&x).expect("exists"), number(&row, "sd"));
        for (p, q) in list(&row, "p").into_iter().zip(list(&row, "quantiles")) {
            near(quantile(&x, p).expect("exists"), q);
        }
    }
}

/// `scipy.stats.ttest_1samp(x, 0).confidence_interval(level)`
#[test]
fn t_intervals() {
    for row in table("t_interval") {
        let x = match row["k"].as_u64() {
            Some(k) => [-1.0, 1.0].repeat(k as usize),
            None => list(&row, "x"),
        };
        near_interval(t_interval(&x, number(&row, "level")), low_high(&row));
    }
}

/// `scipy.stats.ttest_ind(a, b, equal_var=False)`
#[test]
fn welch_tests() {
    for row in table("welch") {
        let ours = welch(&list(&row, "a"), &list(&row, "b")).expect("exists");
        near(ours.t, number(&row, "t"));
        near(ours.df, number(&row, "df"));
        near(ours.p_value, number(&row, "p"));
    }
}

/// `scipy.stats._resampling._bca_interval` for the probabilities, `numpy.quantile(method="weibull")` for the bounds
#[test]
fn bounds_of_fixed_replicates() {
    for row in table("replicates") {
        let statistic = Statistic {
            estimate: number(&row, "estimate"),
            n: whole(&row, "n") as usize,
            acceleration: acceleration(&list(&row, "jackknife")).expect("exists"),
        };
        assert!((statistic.acceleration - number(&row, "acceleration")).abs() < 1e-9);
        let (replicates, level) = (list(&row, "replicates"), number(&row, "level"));
        for (key, method) in [
            ("bca", IntervalMethod::Bca),
            ("percentile", IntervalMethod::Percentile),
            ("expanded", IntervalMethod::Expanded),
            ("t", IntervalMethod::T),
        ] {
            let ours = replicate_interval(&replicates, &statistic, level, method);
            near_interval(ours, bounds(&row, key));
        }
    }
}

/// `scipy.stats.bootstrap(n_resamples=200_000)`: within 0.03 standard deviations of the values over √n · 5, which is
/// several Monte-Carlo errors of our 10,000 resamples.
#[test]
fn resampled_bounds_within_monte_carlo_error() {
    for row in table("resampled") {
        let x = list(&row, "x");
        let allowed = 0.15 * number(&row, "sd") / (x.len() as f64).sqrt();
        for (key, method) in [("bca", IntervalMethod::Bca), ("percentile", IntervalMethod::Percentile)] {
            let r = Resampling { method, ..Resampling::default() };
            let ours = mean_interval(&x, &r).expect("exists");
            let (low, high) = bounds(&row, key);
            assert!((ours.low - low).abs() < allowed, "{ours:?} for {low}");
            assert!((ours.high - high).abs() < allowed, "{ours:?} for {high}");
        }
    }
}

/// `scipy.stats.permutation_test(permutation_type="samples", n_resamples=inf)`; all sums by NumPy for 18 and 20
#[test]
fn sign_flips() {
    for row in table("permutation") {
        let ours = sign_flip_test(&list(&row, "d"), 0).expect("exists");
        assert!(ours.exact);
        near(ours.p_value, number(&row, "p"));
    }
}

/// `statsmodels.stats.proportion.proportion_confint(method="wilson")`
#[test]
fn wilson_intervals() {
    for row in table("wilson") {
        let ours = wilson(whole(&row, "k"), whole(&row, "n"), number(&row, "level")).expect("exists");
        assert!((ours.low - number(&row, "low")).abs() < 1e-12, "{row}");
        assert!((ours.high - number(&row, "high")).abs() < 1e-12, "{row}");
    }
}

/// `statsmodels.stats.contingency_tables.mcnemar(exact=True)`
#[test]
fn mcnemar_tests() {
    for row in table("mcnemar") {
        near(mcnemar_exact(whole(&row, "b"), whole(&row, "c")), number(&row, "p"));
    }
}

/// `statsmodels.stats.multitest.multipletests(method="holm")`
#[test]
fn holm_adjustments() {
    for row in table("holm") {
        for (ours, expected) in holm(&list(&row, "p")).into_iter().zip(list(&row, "adjusted")) {
            near(ours, expected);
        }
    }
}

/// `statsmodels.stats.power.TTestPower().power(alternative="two-sided")`
#[test]
fn powers() {
    for row in table("power") {
        let (sd, difference) = (number(&row, "sd"), number(&row, "difference"));
        let ours = power_of_paired_t(sd, difference, whole(&row, "n") as usize, number(&row, "alpha"));
        near(ours.expect("exists"), number(&row, "power"));
    }
}

/// `scipy.optimize.brentq` on the same sum of `scipy.stats.nct` tails
#[test]
fn detectable_differences() {
    for row in table("detectable") {
        let (n, alpha) = (whole(&row, "n") as usize, number(&row, "alpha"));
        let ours = minimum_detectable_difference(number(&row, "sd"), n, alpha, number(&row, "power"));
        near(ours.expect("exists"), number(&row, "difference"));
    }
}

/// The first `n` at which that power is reached
#[test]
fn needed_pairs() {
    for row in table("pairs") {
        let (sd, difference) = (number(&row, "sd"), number(&row, "difference"));
        let ours = pairs_needed(sd, difference, number(&row, "alpha"), number(&row, "power"));
        assert_eq!(ours.map(|n| n as u64), row["n"].as_u64(), "{row}");
    }
}

/// `scipy.stats.nct.sf` inverted with `scipy.optimize.brentq`
#[test]
fn exact_effect_size_intervals() {
    let r = Resampling { method: IntervalMethod::T, ..Resampling::default() };
    for row in table("exact_dz") {
        let ours = cohen_dz(&list(&row, "d"), &r).expect("exists");
        near(ours.estimate, number(&row, "dz"));
        near_interval(ours.interval, low_high(&row));
    }
}

/// `numpy.median`; the mean of `numpy.sign(d)`, halved, and one half
#[test]
fn medians_and_superiorities() {
    for row in table("superiority") {
        let d = list(&row, "d");
        near(median(&d).expect("exists"), number(&row, "median"));
        let ours = probability_of_superiority(&d, &Resampling::default()).expect("exists");
        near(ours.estimate, number(&row, "superiority"));
    }
}

/// Reads the nested scores of a row.
fn nested(row: &Value) -> Vec<Vec<Vec<f64>>> {
    serde_json::from_value(row["scores"].clone()).expect("samples of runs of scores")
}

/// Quadratic forms equated with traces of projections by NumPy, for a published balanced one-way design (Davies & Goldsmith
/// 1972, §6.4), one with a negative estimate (Box & Tiao 1973, §5.1.2), a published nested one (Davies & Goldsmith 1972,
/// §6.5), and ragged ones
#[test]
fn variances_by_level() {
    for row in table("components") {
        let ours = variance_components(&nested(&row)).expect("exists");
        let raw = |level: &str| row["raw"][level].as_f64();
        let total: f64 = ["samples", "repeats", "opinions"].iter().filter_map(|l| raw(l)).map(|v| v.max(0.0)).sum();
        for (ours, raw) in
            [(Some(ours.samples), raw("samples")), (ours.repeats, raw("repeats")), (ours.opinions, raw("opinions"))]
        {
            assert_eq!(ours.is_some(), raw.is_some(), "{row}");
            if let Some((ours, raw)) = ours.zip(raw) {
                assert!((ours.variance - raw.max(0.0)).abs() <= 1e-9 * total, "{ours:?} for {raw}");
                assert!((ours.share - raw.max(0.0) / total).abs() <= 1e-9 && ours.held_at_zero == (raw < 0.0));
            }
        }
        near(ours.total, total);
        assert_eq!(
            (ours.run_count as u64, ours.score_count as u64),
            (whole(&row, "run_count"), whole(&row, "score_count"))
        );
    }
}

/// The variances that R's lme4 prints for the three published designs, where its REML is the analysis of variance
#[test]
fn published_variances() {
    let components = |name: &str| {
        let row = table("components").into_iter().find(|row| row["name"] == name).expect("there");
        variance_components(&nested(&row)).expect("exists")
    };
    let dyestuff = components("dyestuff");
    near(dyestuff.samples.variance, 1764.05);
    near(dyestuff.repeats.expect("repeats").variance, 2451.25);
    let pastes = components("pastes");
    let variances = [pastes.samples, pastes.repeats.expect("repeats"), pastes.opinions.expect("opinions")];
    assert_eq!(variances.map(|c| (c.variance * 1e4).round()), [16573.0, 84337.0, 6780.0]);
    assert!(components("negative").samples.held_at_zero);
}

/// `scipy.stats.pearsonr(item, rest)` and its `confidence_interval(level)`; the first data set's correlations are those that
/// R's psych prints as `r.drop`
#[test]
fn items_and_the_rest() {
    for row in table("item_total") {
        let items: Vec<Vec<Option<f64>>> = serde_json::from_value(row["items"].clone()).expect("columns");
        let ours = corrected_item_total_correlations(&items, number(&row, "level"));
        let expected = row["expected"].as_array().expect("a list");
        assert_eq!(ours.len(), expected.len());
        for (ours, expected) in ours.iter().zip(expected) {
            let ours = ours.expect("exists");
            assert!((ours.correlation - number(expected, "correlation")).abs() <= 1e-9);
            assert!((ours.low - number(expected, "low")).abs() <= 1e-9);
            assert!((ours.high - number(expected, "high")).abs() <= 1e-9);
            assert_eq!(ours.rows as u64, whole(expected, "rows"));
        }
        if row["name"] == "attitude" {
            let printed: Vec<f64> = ours.iter().flatten().map(|i| (i.correlation * 100.0).round()).collect();
            assert_eq!(printed, [67.0, 74.0, 56.0, 71.0, 79.0, 27.0, 46.0]);
        }
    }
}

/// `scipy.stats.t.isf` and `numpy.std(ddof=1)` on the first 4/5, 16/25, … of the values; pairs by counting up
#[test]
fn saturation_windows() {
    for row in table("saturation") {
        let (level, effect) = (number(&row, "level"), number(&row, "effect"));
        let ours = saturation(&list(&row, "d"), level, effect).expect("exists");
        let sizes: Vec<f64> = ours.windows.iter().map(|w| w.n as f64).collect();
        assert_eq!(sizes, list(&row, "sizes"));
        for (window, expected) in ours.windows.iter().zip(list(&row, "widths")) {
            near(window.width.expect("spread"), expected);
        }
        for (window, expected) in ours.windows.iter().zip(list(&row, "expected")) {
            near(window.expected_width, expected);
        }
        assert_eq!(ours.pairs_for_min_effect.map(|n| n as u64), row["needed"].as_u64());
    }
}

/// `scipy.stats.median_abs_deviation(log x, scale="normal")`
#[test]
fn outliers_on_the_log_scale() {
    for row in table("outliers") {
        let ours = high_outliers(&list(&row, "x"), OUTLIER_DEVIATIONS).expect("exists");
        near(ours.limit, number(&row, "limit"));
        near(ours.median, number(&row, "median"));
        let positions: Vec<f64> = ours.positions.iter().map(|&i| i as f64).collect();
        assert_eq!(positions, list(&row, "positions"));
    }
}
