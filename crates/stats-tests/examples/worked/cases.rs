//! Small data, and the lines with the numbers computed from them.

use eval_stats::*;

/// Lines of an example.
type Case = fn() -> Vec<String>;

/// Every example by name, in the order of the chapters.
pub(crate) const CASES: &[(&str, Case)] = &[
    ("paired", paired),
    ("interval", interval),
    ("sign-flip", sign_flip),
    ("effect", effect),
    ("wilson", wilson_rate),
    ("mcnemar", mcnemar),
    ("welch", welch_runs),
    ("components", components),
    ("holm", holm_three),
    ("max-t", max_t),
    ("power", power),
    ("unseen", unseen_kinds),
    ("decisive", decisive_samples),
    ("saturation", saturation_curve),
    ("alpha", alpha),
    ("kappa", kappa),
    ("ppi", ppi),
    ("bradley-terry", strengths),
    ("equal-length", equal_length),
    ("item-total", item_total),
    ("outliers", outliers),
];

const CONTROL: [f64; 12] = [3.0, 2.0, 4.0, 3.0, 5.0, 1.0, 3.0, 2.0, 4.0, 3.0, 2.0, 4.0];
const TREATMENT: [f64; 12] = [4.0, 3.0, 4.0, 4.0, 5.0, 3.0, 2.0, 4.0, 5.0, 4.0, 2.0, 4.0];

fn differences() -> Vec<f64> {
    TREATMENT.iter().zip(CONTROL).map(|(treatment, control)| treatment - control).collect()
}

fn values(xs: &[f64]) -> String {
    xs.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn nan(x: Option<f64>) -> f64 {
    x.unwrap_or(f64::NAN)
}

fn ends(interval: Option<Interval>) -> String {
    interval.map_or("none".to_owned(), |i| format!("{:+.3} to {:+.3}", i.low, i.high))
}

/// The risk that a verdict allows.
const UNSEEN_RISK: f64 = 0.05;

fn unseen_kinds() -> Vec<String> {
    let seen = SeenDifferences { n: 24, mean: 0.24, sd: 0.4, widest: 4.0 };
    let share = seen.mean / (seen.widest + seen.mean);
    let missed = (1.0 - share).powi(24);
    let needed = seen.pairs_against_unseen(UNSEEN_RISK);
    vec![
        format!("gain {:.2} on {} samples, standard deviation {:.2}", seen.mean, seen.n, seen.sd),
        format!("a kind that loses 4 points and makes the gain 0: {:.1} % of all samples", 100.0 * share),
        format!("24 samples miss all of it in {:.0} % of draws", 100.0 * missed),
        format!("the worst over all shares and sizes, chance of a smaller gain included: {:.2}", seen.unseen_risk(0.0)),
        format!("samples with which it is at most {UNSEEN_RISK}: {}", needed.unwrap_or(0)),
    ]
}

fn decisive_samples() -> Vec<String> {
    let pilot = Pilot { sd: 0.6, n: 24, widest: 4.0 };
    let bound = sd_bound(pilot.sd, pilot.n, 0.35);
    // the second look at a test set that grows
    let reading = PlannedReading { tail: 0.025 / 2.0, unseen_risk: UNSEEN_RISK / 2.0 };
    vec![
        format!("pilot: standard deviation {:.2}, {} pairs", pilot.sd, pilot.n),
        format!("planned with {:.4}", nan(bound)),
        format!("samples that settle ±0.20: {}", pilot.pairs_to_settle(0.2, &reading).unwrap_or(0)),
        format!("samples if the gain is 0.40: {}", pilot.pairs_for_gain(0.4, 0.1, &reading).unwrap_or(0)),
    ]
}

fn paired() -> Vec<String> {
    let d = differences();
    vec![
        format!("control      {}", values(&CONTROL)),
        format!("treatment    {}", values(&TREATMENT)),
        format!("differences  {}", values(&d)),
        format!("mean {:+.4}, standard deviation {:.4}, {} pairs", nan(mean(&d)), nan(sd(&d)), d.len()),
    ]
}

fn interval() -> Vec<String> {
    let d = differences();
    let methods = [
        ("expanded-percentile-bootstrap", IntervalMethod::Expanded),
        ("percentile-bootstrap", IntervalMethod::Percentile),
        ("bca-bootstrap", IntervalMethod::Bca),
        ("student-t", IntervalMethod::T),
    ];
    let line = |(name, method): (&str, IntervalMethod)| {
        let r = Resampling { method, ..Resampling::default() };
        format!("{name:30} {}", ends(mean_interval(&d, &r)))
    };
    methods.map(line).to_vec()
}

fn sign_flip() -> Vec<String> {
    let test = sign_flip_test(&differences(), 0);
    test.map(|t| format!("p = {:.4} from {} sign patterns (exact: {})", t.p_value, t.patterns, t.exact))
        .into_iter()
        .collect()
}

fn effect() -> Vec<String> {
    let (d, r) = (differences(), Resampling::default());
    let line = |name: &str, effect: Option<Effect>| {
        effect.map(|e| format!("{name} {:.3}, interval {}", e.estimate, ends(e.interval)))
    };
    [line("d_z", cohen_dz(&d, &r)), line("superiority", probability_of_superiority(&d, &r))]
        .into_iter()
        .flatten()
        .collect()
}

fn wilson_rate() -> Vec<String> {
    let line = |(passed, trials)| {
        wilson(passed, trials, 0.95)
            .map(|w| format!("{passed} of {trials}: {:.3}, interval {:.3} to {:.3}", w.estimate, w.low, w.high))
    };
    [(18, 20), (20, 20)].into_iter().filter_map(line).collect()
}

fn mcnemar() -> Vec<String> {
    vec![format!("2 only with the control, 9 only with the treatment: p = {:.4}", mcnemar_exact(2, 9))]
}

fn welch_runs() -> Vec<String> {
    let (a, b) = ([3.9, 4.1, 4.0, 3.8, 4.2], [4.3, 4.2, 4.5, 4.4, 4.1]);
    let line = |w: Welch| format!("t = {:.3}, df = {:.2}, p = {:.4}", w.t, w.df, w.p_value);
    let runs = [format!("v1: {}", values(&a)), format!("v2: {}", values(&b))];
    runs.into_iter().chain(welch(&b, &a).map(line)).collect()
}

fn components() -> Vec<String> {
    // two opinions on each of two repeats of three samples
    let scores = [[[4.0, 5.0], [4.0, 4.0]], [[2.0, 3.0], [1.0, 2.0]], [[3.0, 3.0], [5.0, 4.0]]];
    let nested: Vec<Vec<Vec<f64>>> = scores.iter().map(|s| s.iter().map(|r| r.to_vec()).collect()).collect();
    let part =
        |name: &str, c: Option<Component>| c.map(|c| format!("{name:16} {:.4}  {:3.0} %", c.variance, 100.0 * c.share));
    let Ok(components) = variance_components(&nested) else { return Vec::new() };
    let parts = [
        part("between samples", Some(components.samples)),
        part("between repeats", components.repeats),
        part("between opinions", components.opinions),
    ];
    parts.into_iter().flatten().collect()
}

fn holm_three() -> Vec<String> {
    let p = [0.01, 0.04, 0.03];
    vec![format!("{} become {}", values(&p), values(&holm(&p)))]
}

fn max_t() -> Vec<String> {
    // two treatments against one control, on twelve samples
    let first = [0.4, -0.2, 0.9, 0.6, 0.1, 1.1, -0.4, 0.8, 0.3, 0.7, -0.1, 0.5];
    let second = [0.2, 0.6, -0.3, 0.5, 0.9, -0.1, 0.4, 0.0, 0.8, -0.2, 0.7, 0.1];
    let columns = [first, second].map(|c| c.map(Some));
    let r = Resampling::default();
    let joint = simultaneous_mean_intervals(&columns, &r);
    let line = |(column, joint): (&[Option<f64>; 12], Option<Interval>)| {
        let alone = mean_interval(&column.iter().copied().flatten().collect::<Vec<_>>(), &r);
        format!("alone {}, both at once {}", ends(alone), ends(joint))
    };
    columns.iter().zip(joint).map(line).collect()
}

fn power() -> Vec<String> {
    let least = minimum_detectable_difference(0.9, 50, 0.05, 0.8);
    let needed = pairs_needed(0.9, 0.2, 0.05, 0.8).unwrap_or(0);
    let narrow = pairs_for_half_width(0.9, 0.2, 0.95).unwrap_or(0);
    vec![
        format!("50 pairs, SD 0.9: {:.3} points are seen in 80 % of runs", nan(least)),
        format!("0.2 points, SD 0.9: {needed} pairs for 80 %"),
        format!("interval of ±0.2, SD 0.9: {narrow} pairs"),
    ]
}

fn saturation_curve() -> Vec<String> {
    let d: Vec<f64> = (0..40).map(|i| f64::from([1, 0, -1, 2, 0, 1, 0, -1][i % 8])).collect();
    let Ok(curve) = saturation(&shuffled(&d, 1), 0.95, 0.2) else { return Vec::new() };
    let line = |w: &Window| {
        let shrink = w.shrink.map_or(String::new(), |s| format!("  {:5.1} %", 100.0 * s));
        format!("{:3} samples: width {:.3}, expected {:.3}{shrink}", w.n, nan(w.width), w.expected_width)
    };
    let needed = curve.pairs_for_min_effect.unwrap_or(0);
    let last = format!("saturated: {}; ±0.2 needs {needed} samples", curve.saturated.unwrap_or(false));
    curve.windows.iter().map(line).chain([last]).collect()
}

const HUMAN: [f64; 10] = [5.0, 4.0, 2.0, 3.0, 1.0, 4.0, 5.0, 2.0, 3.0, 4.0];
const JUDGE: [f64; 10] = [5.0, 5.0, 3.0, 3.0, 2.0, 4.0, 5.0, 2.0, 4.0, 4.0];

fn alpha() -> Vec<String> {
    let units: Vec<[Option<f64>; 2]> = HUMAN.iter().zip(JUDGE).map(|(h, j)| [Some(*h), Some(j)]).collect();
    let line = |a: AlphaInterval| format!("α = {:.3}, interval {}", a.alpha.value, ends(a.interval));
    let scores = [format!("human  {}", values(&HUMAN)), format!("judge  {}", values(&JUDGE))];
    scores.into_iter().chain(alpha_interval(&units, &Resampling::default()).map(line)).collect()
}

fn kappa() -> Vec<String> {
    let pairs: Vec<(f64, f64)> = HUMAN.into_iter().zip(JUDGE).collect();
    let labelled: Vec<Labelled> = pairs.iter().map(|&(human, judge)| Labelled { human, judge }).collect();
    let bias = signed_bias(&labelled, &Resampling::default());
    let of_bias = bias.map(|b| format!("bias {:+.2}, interval {}", b.estimate, ends(b.interval)));
    let of_kappa = weighted_kappa_quadratic(&pairs).ok().map(|k| format!("κ = {k:.3}"));
    of_kappa.into_iter().chain(of_bias).collect()
}

fn ppi() -> Vec<String> {
    // differences that people saw and the judge saw on ten samples, and the judge alone on twenty more
    let human = [0.0, 1.0, -1.0, 0.0, 1.0, 0.0, 2.0, 0.0, -1.0, 1.0];
    let judge = [1.0, 1.0, 0.0, 0.0, 2.0, 1.0, 2.0, 0.0, 0.0, 1.0];
    let alone = [1.0, 0.0, 1.0, 2.0, 0.0, 1.0, 1.0, 0.0, 1.0, -1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 0.0, 1.0];
    let labelled: Vec<Labelled> =
        human.into_iter().zip(judge).map(|(human, judge)| Labelled { human, judge }).collect();
    let judged: Vec<f64> = judge.into_iter().chain(alone).collect();
    let people = format!("people alone, 10 samples   {:+.3}, {}", nan(mean(&human)), ends(t_interval(&human, 0.95)));
    let machine = format!("judge alone, 30 samples    {:+.3}, {}", nan(mean(&judged)), ends(t_interval(&judged, 0.95)));
    let both = |p: PredictionPowered| {
        format!("both, by PPI++             {:+.3}, {} (λ = {:.2})", p.estimate, ends(Some(p.interval)), p.lambda)
    };
    [people, machine].into_iter().chain(ppi_mean(&labelled, &alone, 0.95).map(both)).collect()
}

fn strengths() -> Vec<String> {
    // v2 beats v1 in 7 samples of 10, v3 beats v1 in 8, v3 beats v2 in 6: one comparison per sample
    let won = |first, second, wins: usize| {
        (0..10).map(move |i| {
            [PairComparison { first, second, outcome: if i < wins { PairOutcome::First } else { PairOutcome::Second } }]
        })
    };
    let units: Vec<[PairComparison; 1]> = won(1, 0, 7).chain(won(2, 0, 8)).chain(won(2, 1, 6)).collect();
    let Ok(fit) = bradley_terry(3, &units, Weighing::Units, &Resampling::default()) else { return Vec::new() };
    let contrast = |c: &Contrast| {
        let odds =
            format!("log odds {:+.3}, interval {:+.3} to {:+.3}", c.log_odds, nan(c.bounds.low), nan(c.bounds.high));
        format!("v{} against v{}: {odds}; wins {:.0} %", c.item + 1, c.against + 1, 100.0 / (1.0 + (-c.log_odds).exp()))
    };
    fit.contrasts.iter().map(contrast).collect()
}

fn equal_length() -> Vec<String> {
    let d = [0.0, 1.0, 1.0, 2.0, 0.0, 1.0, -1.0, 2.0];
    let longer = [-50.0, 100.0, 150.0, 300.0, 20.0, 120.0, -100.0, 260.0];
    let pairs: Vec<LengthPair> =
        d.into_iter().zip(longer).map(|(difference, longer_by)| LengthPair { difference, longer_by }).collect();
    let line =
        |e: EqualLengthEstimate| format!("at equal length {:+.3}, interval {}", e.difference, ends(Some(e.interval)));
    let raw =
        format!("as it is {:+.3}, treatment's answers longer by {:.0} characters", nan(mean(&d)), nan(mean(&longer)));
    std::iter::once(raw).chain(difference_at_equal_length(&pairs, 0.95).map(line)).collect()
}

fn item_total() -> Vec<String> {
    // ten runs (columns) of four samples
    let samples = [
        [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0],
        [1.0, 1.0, 3.0, 2.0, 3.0, 4.0, 3.0, 5.0, 4.0, 5.0],
        [2.0, 1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 4.0, 5.0, 4.0],
        [5.0, 4.0, 4.0, 3.0, 4.0, 3.0, 3.0, 2.0, 2.0, 1.0],
    ];
    let items: Vec<[Option<f64>; 10]> = samples.iter().map(|s| s.map(Some)).collect();
    let correlations = corrected_item_total_correlations(&items, 0.95);
    let line = |(i, item): (usize, Result<ItemTotal, Undefined>)| {
        item.ok().map(|r| format!("sample {}: {:+.3}, interval {:+.3} to {:+.3}", i + 1, r.correlation, r.low, r.high))
    };
    correlations.into_iter().enumerate().filter_map(line).collect()
}

fn outliers() -> Vec<String> {
    let seconds = [2.1, 1.8, 2.4, 3.0, 1.9, 2.2, 2.7, 2.0, 2.5, 21.0, 2.3, 3.4];
    let Ok(outliers) = high_outliers(&seconds, OUTLIER_DEVIATIONS) else { return Vec::new() };
    let named: Vec<f64> = outliers.positions.iter().map(|&i| seconds[i]).collect();
    vec![
        format!("seconds   {}", values(&seconds)),
        format!("median {:.2}, limit {:.2}, outliers: {}", outliers.median, outliers.limit, values(&named)),
    ]
}
