//! Random runs, computed again with their variants exchanged, their samples in another order, and on other threads.
//!
//! Which variant is called the control turns every difference around and changes nothing else, to the last bit; orders and
//! threads change no number at all. `OMK_TEST_MIRRORS` says how many runs, 10 by default; a failure names the run.

use std::collections::BTreeMap;

use eval_spec::call::{Cost, CostSource};
use eval_spec::units::Usd;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Map, Value, json};

use crate::fixtures::context::Finished;
use crate::fixtures::recorded::{CellIndex, RecordedProject, RecordedResult, assertions, both, checked, ended};

/// SplitMix64 (Steele, Lea & Flood 2014): the same runs on every machine.
#[derive(Clone, Copy)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

const VARIANTS: [&str; 3] = ["v1", "v2", "v3"];

/// A run to be made: its samples, and the flags of every command.
struct RandomRun {
    prepared: RecordedProject,
    samples: Vec<Value>,
    flags: Vec<&'static str>,
}

impl RandomRun {
    fn new(number: u64) -> RandomRun {
        let mut random = Random(number);
        let layers: &[Layer] = random.pick(&[[Layer::Fact].as_slice(), &[Layer::Fact, Layer::Behavior]]);
        let (count, repeats) = (random.pick(&[2, 5, 6, 7, 12, 19, 20, 21, 30, 44]), random.pick(&[1, 1, 2, 3]));
        let (clusters, capabilities) = (random.pick(&[0, 0, 3, 9]), random.pick(&[0, 1, 3]));
        let is_priced = random.below(4) == 0;
        let sample = |i: usize, random: &mut Random| {
            let mut checks = assertions(layers);
            if is_priced {
                // without a price it can't be evaluated, so that the arms may have been measured unlike
                checks.as_array_mut().unwrap().push(json!({"type": "cost_max", "value": 1, "weight": 9}));
            }
            let mut sample =
                json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": checks});
            if clusters > 0 && random.below(2) == 0 {
                sample["cluster"] = json!(format!("cluster {}", random.below(clusters)));
            }
            let of = |name: u64, random: &mut Random| (random.below(2) == 0).then(|| format!("capability {name}"));
            let named: Vec<String> = (0..capabilities).filter_map(|name| of(name, random)).collect();
            sample["capability"] = json!(named);
            sample
        };
        let samples: Vec<Value> = (0..count).map(|i| sample(i, &mut random)).collect();
        // few levels make ties, and missing runs are none, some, or many
        let levels = random.pick(&[2, 3, 101]);
        let (missing, shift) = (random.pick(&[0, 0, 5, 25]), random.below(30));
        let result = move |at: CellIndex| {
            let place = (at.sample as u64) << 32 | (at.variant as u64) << 16 | u64::from(at.repeat);
            let mut random = Random(number ^ Random(place).next());
            if random.below(100) < missing {
                return match random.below(4) {
                    0 | 1 => RecordedResult::Failed(Failure::Timeout),
                    2 => ended(Outcome::Refused),
                    _ => ended(Outcome::Truncated),
                };
            }
            let mut score = |towards: u64| {
                let level = random.below(levels) * 100 / (levels - 1);
                u32::try_from((level + towards * shift).min(100)).unwrap()
            };
            let result = both(score(at.variant as u64), score(0));
            let RecordedResult::Output(mut output) = result else { return result };
            output.cost =
                (is_priced && random.below(8) > 0).then_some(Cost { usd: Usd(0.5), source: CostSource::Reported });
            RecordedResult::Output(output)
        };
        let prepared = RecordedProject::with_samples(samples.clone().into(), &VARIANTS, repeats, result);
        let repeat = ["1", "2", "3"][repeats as usize - 1];
        let mut flags = vec!["--repeat", repeat, "--report-only", "--max-failure-rate", "1"];
        flags.extend(["--bootstrap-samples", "1000", "--no-cache", "--retry", "0"]);
        flags.extend(random.pick(&[[].as_slice(), &[], &["--ci", "bca"], &["--ci", "percentile"], &["--ci", "t"]]));
        flags.extend(random.pick(&[[].as_slice(), &[], &["--holdout", "0.3"]]));
        RandomRun { prepared, samples, flags }
    }

    fn report(&self, variants: &str, threads: &str) -> Value {
        let context = &self.prepared.context;
        let output = context.path("out");
        let _ = std::fs::remove_dir_all(&output);
        let base = ["eval", "--variants", variants, "--executor", "replay", "--recordings", "recordings"];
        let more = ["--output-dir", "out", "--concurrency", threads];
        let mut command = context.command(&[&base, self.flags.as_slice(), &more].concat());
        Finished::from(command.env("RAYON_NUM_THREADS", threads).output().unwrap()).expect(0);
        checked(&std::fs::read_dir(output).unwrap().next().unwrap().unwrap().path())
    }

    /// The samples in the file's order from now on.
    fn order(&self, samples: &[Value]) {
        self.prepared.context.write("eval-samples.json", &Value::from(samples).to_string());
    }
}

/// The numbers of a report, without lists in the order of the file.
fn numbers(report: &Value) -> Value {
    let mut clusters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for of in report["clusters"].as_array().into_iter().flatten() {
        let mut samples: Vec<String> = of["samples"].as_array().unwrap().iter().map(Value::to_string).collect();
        samples.sort();
        clusters.insert(of["name"].to_string(), samples);
    }
    let mut comparisons = report["comparisons"].clone();
    for of in comparisons.as_array_mut().unwrap() {
        ["moved", "checks", "fallenChecks", "excluded"]
            .iter()
            .for_each(|list| drop(of.as_object_mut().unwrap().remove(*list)));
        if let Some(pairs) = of["pairs"].as_array_mut() {
            pairs.sort_by_key(|pair| pair["sample_id"].to_string());
        }
    }
    json!({"clusters": clusters, "comparisons": comparisons, "summary": report["summary"], "verdict": report["verdict"],
        "variance": report["variance"], "holdout": report["holdout"], "saturation": report["analysis"]["saturation"]})
}

/// What has to be the same of a comparison and of the one with its arms exchanged.
fn differences(report: &Value) -> Value {
    let mut all = json!({"comparison": report["comparisons"][0], "holdout": report["holdout"]["comparisons"],
        "variance": report["variance"]["comparisons"]});
    without(
        &mut all,
        &["moved", "checks", "fallenChecks", "excluded", "best", "decisive", "decisiveForGain", "superiority"],
    );
    all
}

fn without(of: &mut Value, names: &[&str]) {
    match of {
        Value::Object(fields) => {
            fields.retain(|name, value| !names.contains(&name.as_str()) && !value.is_string());
            fields.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(all) => all.iter_mut().for_each(|value| without(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Numbers that the exchange turns around; bounds change places, too.
const SIGNED: [&str; 7] = ["mean", "overSamples", "estimate", "longerBy", "gap", "diff", "tStatistic"];
const EXCHANGED: [[&str; 2]; 4] =
    [["control", "treatment"], ["controlMean", "treatmentMean"], ["wins", "losses"], ["low", "high"]];

fn mirrored(of: &Value, name: &str) -> Value {
    let negative = |of: &Value| of.as_f64().map_or_else(|| of.clone(), |number| json!(0.0 - number));
    match of {
        Value::Object(fields) => {
            let other = |name: &str| {
                let pair = EXCHANGED.iter().find(|pair| pair.contains(&name));
                pair.map_or(name.to_owned(), |[a, b]| (if name == *a { *b } else { *a }).to_owned())
            };
            let one = |(name, value): (&String, &Value)| {
                let value = match name.as_str() {
                    "low" | "high" => negative(value),
                    name => mirrored(value, name),
                };
                (other(name), value)
            };
            Value::Object(fields.iter().map(one).collect::<Map<_, _>>())
        }
        Value::Array(all) => all.iter().map(|of| mirrored(of, name)).collect(),
        of if SIGNED.contains(&name) => negative(of),
        of => of.clone(),
    }
}

/// The first place at which two documents differ.
fn first_difference(a: &Value, b: &Value, path: &str) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find_map(|(name, value)| first_difference(value, &y[name], &format!("{path}/{name}")))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).enumerate().find_map(|(i, (x, y))| first_difference(x, y, &format!("{path}/{i}")))
        }
        // a number that is whole may be written without a point; 0 has one sign
        (Value::Number(x), Value::Number(y)) if (x.as_f64().unwrap() + 0.0) == (y.as_f64().unwrap() + 0.0) => None,
        (a, b) => (a != b).then(|| format!("{path}: {a} and {b}")),
    }
}

#[track_caller]
fn assert_same(a: &Value, b: &Value, what: &str) {
    if let Some(difference) = first_difference(a, b, "") {
        panic!("{what}: {difference}");
    }
}

/// 1 less each number, to rounding in the last place.
fn assert_superiority_is_mirrored(a: &Value, b: &Value, what: &str) {
    let [a, b] = [a, b].map(|of| of["comparisons"][0]["diff"]["effect"]["superiority"].clone());
    let number = |of: &Value, path: &str| of.pointer(path).and_then(Value::as_f64);
    for [one, other] in [["/estimate", "/estimate"], ["/ci/low", "/ci/high"], ["/ci/high", "/ci/low"]] {
        let (one, other) = (number(&a, one), number(&b, other));
        let is_mirrored = one.zip(other).map_or(one == other, |(one, other)| (one - (1.0 - other)).abs() < 1e-11);
        assert!(is_mirrored, "{what}: superiority {a} and {b}");
    }
}

fn check(number: u64) {
    let run = RandomRun::new(number);
    let what = format!("run {number}, {:?}", run.flags);
    let report = run.report("v1,v2", "2");
    let swapped = run.report("v2,v1", "2");
    assert_same(&mirrored(&differences(&report), ""), &differences(&swapped), &format!("{what}, arms exchanged"));
    assert_superiority_is_mirrored(&report, &swapped, &what);

    let mut random = Random(number);
    let mut shuffled = run.samples.clone();
    (1..shuffled.len()).rev().for_each(|i| shuffled.swap(i, usize::try_from(random.below(i as u64 + 1)).unwrap()));
    run.order(&shuffled);
    let other = run.report("v1,v2", "1");
    assert_same(&numbers(&report), &numbers(&other), &format!("{what}, samples in another order, on one thread"));
    run.order(&run.samples);

    let by_treatment = |report: &Value| {
        let all = report["comparisons"].as_array().unwrap().iter();
        let named = all.map(|of| (of["treatment"].as_str().unwrap().to_owned(), of.clone()));
        let mut all = json!({"comparisons": named.collect::<BTreeMap<_, _>>(), "summary": report["summary"]});
        without(&mut all, &["moved", "checks", "fallenChecks", "excluded"]);
        all
    };
    let three = [run.report("v1,v2,v3", "8"), run.report("v1,v3,v2", "1")];
    assert_same(&by_treatment(&three[0]), &by_treatment(&three[1]), &format!("{what}, treatments in another order"));
}

/// Half of the runs: the two tests share them.
fn check_half(half: u64) {
    let count: u64 = std::env::var("OMK_TEST_MIRRORS").map_or(10, |count| count.parse().unwrap());
    (0..count).filter(|number| number % 2 == half).for_each(check);
}

#[test]
fn exchanged_arms_mirror_every_number_and_orders_change_none_in_even_runs() {
    check_half(0);
}

#[test]
fn exchanged_arms_mirror_every_number_and_orders_change_none_in_odd_runs() {
    check_half(1);
}
