//! Scores read again by other settings: whoever chooses them after looking chooses the verdict.

use std::collections::BTreeMap;

use eval_format::{
    EarlierReading, EarlierReadingInputs, GoldReport, ReadTreatment, ReadingOutcome, Report, ReportMeta, Undecided,
    VerdictInputs,
};
use eval_spec::hash::short_hash;
use serde_json::{Value, json};

/// Settings that change nothing but how scores are read, by their names in a report, with their flags.
const SETTINGS: [(&str, &str); 17] = [
    ("bootstrapSamples", "--bootstrap-samples"),
    ("ci", "--ci"),
    ("gap", "gap"),
    ("gapRateRegression", "--gap-rate-regression"),
    ("goal", "--goal"),
    ("holdout", "--holdout"),
    ("looks", "--looks"),
    ("margin", "--margin"),
    ("maxFailureRate", "--max-failure-rate"),
    ("maxGapRate", "--max-gap-rate"),
    ("maxSamples", "--max-samples"),
    ("minEffect", "--min-effect"),
    ("minPrecision", "--min-precision"),
    ("minPreference", "--min-preference"),
    ("minRecall", "--min-recall"),
    ("threshold", "--threshold"),
    ("trivialDiff", "--trivial-diff"),
];

/// Returns the settings by which a report reads its scores, by their flags.
pub fn reading<R, V>(report: &Report<R, V>) -> BTreeMap<String, String> {
    let ReportMeta { settings, seed, variants, imported, .. } = &report.meta;
    let settings = serde_json::to_value(settings).unwrap_or_default();
    let stored = SETTINGS.iter().filter_map(|(name, flag)| Some((*flag, settings.get(name)?.clone())));
    let is_paired_only = imported.as_ref().is_some_and(|results| results.paired_only);
    let others = [
        ("--seed", json!(seed)),
        // intervals of several treatments hold at once
        ("--variants", json!(variants.len())),
        ("--gold", report.gold.as_ref().map_or(Value::Null, |gold| json!(hash_of(gold)))),
        ("--scale", imported.as_ref().map_or(Value::Null, |results| json!(results.mapping.range()))),
        ("--paired-only", if is_paired_only { json!("yes") } else { Value::Null }),
    ];
    let written = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let all = stored.chain(others).filter(|(_, value)| !value.is_null());
    all.map(|(flag, value)| (flag.to_owned(), written(value))).collect()
}

fn hash_of(gold: &GoldReport) -> String {
    short_hash(&serde_json::to_vec(gold).unwrap_or_default(), 8)
}

/// Returns what the inputs of a verdict come to, treatment by treatment.
pub(crate) fn outcomes(inputs: &VerdictInputs) -> Vec<ReadingOutcome> {
    let decision = eval_verdict::decision(inputs);
    let outcome = |treatment: &eval_verdict::TreatmentDecision| ReadingOutcome {
        valid: decision.valid,
        reached: treatment.reaches_goal(),
        tier: treatment.tier,
    };
    decision.per_treatment.iter().map(outcome).collect()
}

/// Adds the worst outcome of the earlier readings of the same scores to what the verdict reads. Those that came to no less are dropped.
pub(crate) fn add_earlier(numbers: &mut Undecided) {
    let (settings, now) = (reading(numbers), outcomes(&numbers.verdict));
    let ReportMeta { variants, scores_hashes, earlier_readings, .. } = &mut numbers.meta;
    let hashes: Vec<Option<&String>> = variants.iter().map(|label| scores_hashes.get(label)).collect();
    let worse = |earlier: &EarlierReading, place: usize| {
        let ReadTreatment { scores, outcome } = earlier.treatments.get(&place)?;
        let is_same = hashes.first() == Some(&Some(&scores[0])) && hashes.get(place) == Some(&Some(&scores[1]));
        (is_same && *outcome < now[place - 1]).then_some(*outcome)
    };
    earlier_readings.retain(|earlier| (1..=now.len()).any(|place| worse(earlier, place).is_some()));
    for (place, inputs) in (1..).zip(&mut numbers.verdict.treatments) {
        let all = earlier_readings.iter().filter_map(|earlier| Some((worse(earlier, place)?, earlier)));
        inputs.earlier_reading =
            all.min_by_key(|(outcome, _)| *outcome).map(|(outcome, earlier)| EarlierReadingInputs {
                report: earlier.report.clone(),
                changed: changed(&earlier.settings, &settings),
                outcome,
            });
    }
}

fn changed(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> BTreeMap<String, [Option<String>; 2]> {
    let values = |flag: &String| [before, now].map(|settings| settings.get(flag).cloned());
    let all = before.keys().chain(now.keys()).map(|flag| (flag.clone(), values(flag)));
    all.filter(|(_, [before, now])| before != now).collect()
}
