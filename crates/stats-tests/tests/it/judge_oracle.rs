//! Statistics of judges, against krippendorff 0.9.0, scikit-learn 1.9.1, ppi-python 0.2.3, statsmodels 0.15.0,
//! choix 0.4.1, SciPy 1.17.1 and NumPy 2.4.6: to 1e-9, where both sides iterate to 1e-6. `tests/judge_oracle.py` wrote
//! the values; each test names the call there.

use eval_stats::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn table<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let mut all: Value = serde_json::from_str(include_str!("../data/judge_oracle.json")).expect("JSON");
    let rows: Vec<T> = serde_json::from_value(all[name].take()).expect("rows of this form");
    assert!(!rows.is_empty());
    rows
}

#[track_caller]
fn near(ours: f64, expected: f64) {
    assert!((ours - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{ours} for {expected}");
}

#[track_caller]
fn near_bounds(ours: (f64, f64), expected: [f64; 2]) {
    near(ours.0, expected[0]);
    near(ours.1, expected[1]);
}

/// Spells a reason as the table does.
fn kebab(why: Undefined) -> &'static str {
    match why {
        Undefined::TooFew => "too-few",
        Undefined::NoVariance => "no-variance",
        other => panic!("{other:?} is not in the table"),
    }
}

fn ends(i: &Interval) -> (f64, f64) {
    (i.low, i.high)
}

#[derive(Deserialize)]
struct Rated {
    name: String,
    ratings: Vec<Vec<Option<f64>>>,
    alpha: Option<f64>,
    undefined: Option<String>,
}

/// `krippendorff.alpha(level_of_measurement="ordinal")`; where that is NaN or an error, our reason must match
#[test]
fn ordinal_alphas() {
    for row in table::<Rated>("alpha") {
        match (krippendorff_alpha_ordinal(&row.ratings), row.alpha, &row.undefined) {
            (Ok(ours), Some(expected), None) => near(ours.value, expected),
            (Err(ours), None, Some(expected)) => assert_eq!(kebab(ours), expected.as_str(), "{}", row.name),
            (ours, ..) => panic!("{}: {ours:?} for {:?} {:?}", row.name, row.alpha, row.undefined),
        }
    }
}

/// Krippendorff's own example of 2011, as he prints it: 0.815
#[test]
fn the_published_alpha() {
    let published = table::<Rated>("alpha").into_iter().find(|r| r.name == "published").expect("there");
    let ours = krippendorff_alpha_ordinal(&published.ratings).expect("exists");
    assert_eq!(((ours.value * 1000.0).round(), ours.units, ours.ratings), (815.0, 11, 40));
}

#[derive(Deserialize)]
struct Resampled {
    ratings: Vec<Vec<Option<f64>>>,
    percentile: [f64; 2],
}

/// The package's α on 10,000 resamples of units by NumPy: within several Monte-Carlo errors
#[test]
fn resampled_alphas() {
    for row in table::<Resampled>("resampled_alpha") {
        let r = Resampling { method: IntervalMethod::Percentile, ..Resampling::default() };
        let ours = alpha_interval(&row.ratings, &r).expect("exists").interval.expect("exists");
        let allowed = 0.05 * (row.percentile[1] - row.percentile[0]);
        assert!((ours.low - row.percentile[0]).abs() < allowed, "{ours:?} for {:?}", row.percentile);
        assert!((ours.high - row.percentile[1]).abs() < allowed, "{ours:?} for {:?}", row.percentile);
    }
}

#[derive(Deserialize)]
struct Pairs {
    a: Vec<f64>,
    b: Vec<f64>,
    mean_absolute_difference: f64,
    kappa: Option<f64>,
    pearson: Option<f64>,
    undefined: Option<String>,
}

/// `sklearn.metrics.cohen_kappa_score(weights="quadratic")`, thirds as whole numbers; `scipy.stats.pearsonr`
#[test]
fn kappas_and_correlations() {
    for row in table::<Pairs>("pairs") {
        let pairs: Vec<(f64, f64)> = row.a.iter().copied().zip(row.b.iter().copied()).collect();
        near(mean_absolute_difference(&pairs).expect("exists"), row.mean_absolute_difference);
        for (ours, expected) in [(weighted_kappa_quadratic(&pairs), row.kappa), (pearson(&pairs), row.pearson)] {
            match (ours, expected) {
                (Ok(ours), Some(expected)) => near(ours, expected),
                (ours, _) => assert_eq!(ours.err().map(kebab), row.undefined.as_deref()),
            }
        }
    }
}

#[derive(Deserialize)]
struct Powered {
    human: Vec<f64>,
    judge: Vec<f64>,
    unlabelled: Vec<f64>,
    level: f64,
    estimate: f64,
    asymptotic: [f64; 2],
    lam: f64,
    low: f64,
    high: f64,
    effective_n: f64,
}

/// `ppi_py.ppi_mean_pointestimate`, `ppi_py.ppi_mean_ci`; the interval for few labels from its formula by NumPy and SciPy
#[test]
fn prediction_powered_means() {
    let rows = table::<Powered>("ppi");
    for row in &rows {
        let pairs = row.human.iter().zip(&row.judge);
        let labelled: Vec<Labelled> = pairs.map(|(&human, &judge)| Labelled { human, judge }).collect();
        let ours = ppi_mean(&labelled, &row.unlabelled, row.level).expect("exists");
        near(ours.estimate, row.estimate);
        near(ours.lambda, row.lam);
        near_bounds(ours.asymptotic, row.asymptotic);
        near_bounds(ends(&ours.interval), [row.low, row.high]);
        near(ours.effective_n.expect("exists"), row.effective_n);
        let why = if row.lam < 1e-12 { Tuning::Unrelated } else { Tuning::Tuned };
        assert_eq!((ours.tuning, ours.labelled, ours.unlabelled), (why, row.human.len(), row.unlabelled.len()));
    }
    // both ends of the clip are among the data
    assert!(rows.iter().any(|r| (r.lam - 1.0).abs() < 1e-12) && rows.iter().any(|r| r.lam < 1e-12));
}

#[derive(Deserialize)]
struct Line {
    d: Vec<f64>,
    length: Vec<f64>,
    level: f64,
    intercept: f64,
    slope: f64,
    of_intercept: [f64; 2],
    of_slope: [f64; 2],
}

/// `statsmodels.api.OLS(d, [1, z]).fit(cov_type="HC3", use_t=True).conf_int()`
#[test]
fn differences_at_equal_length() {
    for row in table::<Line>("line") {
        let both = row.d.iter().zip(&row.length);
        let pairs: Vec<LengthPair> =
            both.map(|(&difference, &longer_by)| LengthPair { difference, longer_by }).collect();
        let ours = difference_at_equal_length(&pairs, row.level).expect("exists");
        near(ours.difference, row.intercept);
        near(ours.slope, row.slope);
        near_bounds(ends(&ours.interval), row.of_intercept);
        near_bounds(ends(&ours.slope_interval), row.of_slope);
    }
}

#[derive(Deserialize)]
struct Tournament {
    items: usize,
    played: Vec<(usize, usize, String)>,
    choix: Vec<f64>,
    zermelo: Vec<f64>,
}

/// `choix.opt_pairwise(alpha=0)` to 1e-6; Zermelo's fixed-point iteration by NumPy to 1e-9
#[test]
fn bradley_terry_strengths() {
    for row in table::<Tournament>("tournament") {
        let comparison = |(first, second, outcome): &(usize, usize, String)| {
            let outcome = match outcome.as_str() {
                "first" => PairOutcome::First,
                "second" => PairOutcome::Second,
                _ => PairOutcome::Tie,
            };
            PairComparison { first: *first, second: *second, outcome }
        };
        let units: Vec<[PairComparison; 1]> = row.played.iter().map(|p| [comparison(p)]).collect();
        let few = Resampling { resamples: 200, ..Resampling::default() };
        let ours = bradley_terry(row.items, &units, Weighing::Comparisons, &few).expect("exists");
        for (i, strength) in ours.strengths.iter().enumerate() {
            assert!((strength.log_strength - row.choix[i]).abs() < 1e-6, "{strength:?} for {:?}", row.choix);
            near(strength.log_strength, row.zermelo[i]);
        }
        for c in ours.contrasts {
            near(c.log_odds, row.zermelo[c.item] - row.zermelo[c.against]);
        }
        assert_eq!(ours.comparisons, row.played.len());
    }
}
