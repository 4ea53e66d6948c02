//! How often a run that stops when decided decides what isn't so, and how many samples it saves.
//!
//! Samples are handed to the sequences of the program itself, and what they say to its verdict.

use eval_analysis::{FIRST_LOOK, Sequences, raise_limits};
use eval_format::{DiffInputs, LayerInputs, Layers, Limits, Tier, TreatmentInputs, VerdictInputs};
use eval_spec::suite::Written;
use eval_verdict::verdict;
use statrs::distribution::{ContinuousCDF, Normal};

use crate::likert::Design;
use crate::random::{Random, likert};
use crate::{Options, Share, data_sets, decide};

/// A decision that isn't so may be made at most so often, of all treatments together.
const FALSE_DECISIONS: f64 = 0.05;
/// Where differences are rare and large, no interval that rests on the spread seen so far holds its level: as often as this
/// it ends for what isn't so, and the documentation says it.
const WHERE_RARE: f64 = 0.15;
const BASE: f64 = 3.5;
const SIDES: [Tier; 3] = [Tier::Progress, Tier::Cautious, Tier::Regress];

/// One sample: of each treatment the differences of its layers; the composite's is their mean.
type Draw<'a> = &'a (dyn Fn(&mut Random) -> Vec<Vec<f64>> + Sync);

/// How one run ended.
struct End {
    samples: usize,
    /// Whether it ended because it was decided.
    early: bool,
    tiers: Vec<Tier>,
}

impl End {
    fn is_any(&self, wanted: &[Tier]) -> bool {
        self.tiers.iter().any(|tier| wanted.contains(tier))
    }

    fn is_decided(&self) -> bool {
        !self.tiers.contains(&Tier::Underpowered)
    }
}

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("`--stop-when-decided`, {} data sets a cell; in percent ± one Monte-Carlo error.", o.data_sets);
    println!("Likert scores 1 to 5, first look at {FIRST_LOOK} pairs. Decisions that aren't so, of any treatment:");
    println!("  zero        better or worse where nothing differs");
    println!("  least       no difference that matters, or worse, where all differ by the smallest that matters (0.2)");
    println!("  one of two  better or worse of one that doesn't differ beside one that does (0.5)");
    println!("Then the mean number of samples where nothing differs, decided runs and mean samples at 0.2 and 0.5.\n");
    println!("treat-    N  rho  zero         least        one of two    zero     0.2           0.5");
    println!("ments                                                  samples  decided samples  decided samples");
    let cells = [(1, 10), (1, 20), (1, 100), (1, 200), (2, 100), (2, 200)];
    let cells = cells.into_iter().flat_map(|(k, n)| [0.0, 0.6, 0.9].map(|rho| (k, n, rho)));
    let mut missed: Vec<String> =
        cells.flat_map(|(treatments, planned, rho)| row(treatments, planned, rho, o)).collect();
    println!("\nTwo layers of one treatment, no score of which passes the gate, so that each can be REGRESS:\n");
    println!("          N  rho  zero         least");
    let cells = [20, 100, 200].into_iter().flat_map(|n| [0.0, 0.6, 0.9].map(|rho| (n, rho)));
    missed.extend(cells.flat_map(|(planned, rho)| layers_row(planned, rho, o)));
    println!(
        "\nRare and large: a few samples differ by 4 points, all others as named. Bound for runs that end early: 15."
    );
    println!("\n     N  what                                                false        of them early");
    missed.extend(RARE.iter().flat_map(|rare| [20, 50, 100, 200].map(|n| rare.row(n, o))).flatten());
    missed
}

/// Prints one line; the bounds that it misses.
fn row(treatments: usize, planned: usize, rho: f64, o: &Options) -> Vec<String> {
    let run = |truths: Vec<f64>| {
        let shifts: Vec<f64> = truths.iter().map(|truth| shift_of(*truth)).collect();
        ends(o, planned, treatments, 1.0, &|random| likert_differences(rho, &shifts, 1, random))
    };
    let [none, least, large] = [0.0, 0.2, 0.5].map(|truth| run(vec![truth; treatments]));
    let off_zero = Share::of(&none, |end| end.is_any(&SIDES));
    let small = Share::of(&least, |end| end.is_any(&[Tier::Noise, Tier::Regress]));
    let beside = (treatments > 1).then(|| run(vec![0.0, 0.5]));
    let beside = beside.map(|ends| Share::of(&ends, |end| SIDES.contains(&end.tiers[0])));
    let of = |ends: &[End]| format!("{} {:5.1}", Share::of(ends, End::is_decided).text(), samples(ends));
    println!(
        "{treatments:5}  {planned:3}  {rho:.1}  {:<11}  {:<11}  {}  {:6.1}  {}  {}",
        off_zero.text(),
        small.text(),
        beside.map_or_else(|| " ".repeat(11), Share::text),
        samples(&none),
        of(&least),
        of(&large)
    );
    let cell = format!("{treatments} treatments, N {planned}, rho {rho}");
    let all = [("no difference", Some(off_zero)), ("the smallest that matters", Some(small)), ("one of two", beside)];
    all.into_iter().filter_map(|(what, share)| missed(&format!("{cell}, {what}"), share?, FALSE_DECISIONS, o)).collect()
}

fn layers_row(planned: usize, rho: f64, o: &Options) -> Vec<String> {
    // a mean of 1 in every layer is under any gate
    let run = |truth: f64| {
        let shifts = [shift_of(truth)];
        ends(o, planned, 1, GATED, &|random| likert_differences(rho, &shifts, 2, random))
    };
    let (none, least) = (run(0.0), run(0.2));
    let off_zero = Share::of(&none, |end| end.is_any(&SIDES));
    let small = Share::of(&least, |end| end.is_any(&[Tier::Noise, Tier::Regress]));
    println!("        {planned:3}  {rho:.1}  {:<11}  {}", off_zero.text(), small.text());
    let cell = format!("two layers, N {planned}, rho {rho}");
    [("no difference", off_zero), ("the smallest that matters", small)]
        .into_iter()
        .filter_map(|(what, share)| missed(&format!("{cell}, {what}"), share, FALSE_DECISIONS, o))
        .collect()
}

fn missed(what: &str, share: Share, most: f64, o: &Options) -> Option<String> {
    let is_over = !share.is_within([0.0, most], o.slack);
    is_over.then(|| format!("{what}: {} % false decisions, to be at most {}", share.text().trim(), most * 100.0))
}

/// Samples of two kinds: a share of them falls by 4 points, as many more rise, and the others differ as told.
struct Rare {
    what: &'static str,
    falls: f64,
    rises: f64,
    others: f64,
    /// The others differ by this more or less, at random.
    around: f64,
    /// What may not be decided, since it isn't so.
    wrong: &'static [Tier],
}

const RARE: &[Rare] = &[
    Rare {
        what: "zero: 1 % up, 1 % down, others tie",
        falls: 0.01,
        rises: 0.01,
        others: 0.0,
        around: 0.0,
        wrong: &SIDES,
    },
    Rare {
        what: "zero: 1 % up, 1 % down, others ±0.2",
        falls: 0.01,
        rises: 0.01,
        others: 0.0,
        around: 0.2,
        wrong: &SIDES,
    },
    Rare {
        what: "zero: 2 % fall, others +0.08 ± 0.1",
        falls: 0.02,
        rises: 0.0,
        others: 0.08 / 0.98,
        around: 0.1,
        wrong: &SIDES,
    },
    Rare {
        what: "zero: 5 % fall, others +0.21 ± 0.2",
        falls: 0.05,
        rises: 0.0,
        others: 0.2 / 0.95,
        around: 0.2,
        wrong: &SIDES,
    },
    Rare {
        what: "zero: 10 % fall, others +0.44 ± 0.2",
        falls: 0.1,
        rises: 0.0,
        others: 0.4 / 0.9,
        around: 0.2,
        wrong: &SIDES,
    },
    Rare {
        what: "−0.2: 5 % fall, others tie",
        falls: 0.05,
        rises: 0.0,
        others: 0.0,
        around: 0.0,
        wrong: &WRONG_OF_LOSS,
    },
    Rare {
        what: "−0.2: 5 % fall, others ±0.2",
        falls: 0.05,
        rises: 0.0,
        others: 0.0,
        around: 0.2,
        wrong: &WRONG_OF_LOSS,
    },
];

/// What a loss as large as the smallest that matters must not be called.
const WRONG_OF_LOSS: [Tier; 3] = [Tier::Noise, Tier::Cautious, Tier::Progress];

impl Rare {
    fn row(&self, planned: usize, o: &Options) -> Option<String> {
        let ends = ends(o, planned, 1, 1.0, &|random| vec![vec![self.difference(random)]]);
        let wrong = Share::of(&ends, |end| end.is_any(self.wrong));
        let early = Share::of(&ends, |end| end.early && end.is_any(self.wrong));
        println!("   {planned:3}  {:<50}  {:<11}  {}", self.what, wrong.text(), early.text().trim_end());
        missed(&format!("N {planned}, {}", self.what), early, WHERE_RARE, o)
    }

    fn difference(&self, random: &mut Random) -> f64 {
        let drawn = uniform(random);
        match drawn {
            _ if drawn < self.falls => -4.0,
            _ if drawn < self.falls + self.rises => 4.0,
            _ if uniform(random) < 0.5 => self.others - self.around,
            _ => self.others + self.around,
        }
    }
}

/// Between 0 and 1.
fn uniform(random: &mut Random) -> f64 {
    Normal::standard().cdf(random.normal())
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn samples(ends: &[End]) -> f64 {
    ends.iter().map(|end| end.samples as f64).sum::<f64>() / ends.len() as f64
}

/// A gate that no layer passes.
const GATED: f64 = 5.0;

fn ends(o: &Options, planned: usize, treatments: usize, threshold: f64, draw: Draw) -> Vec<End> {
    let mut limits = Limits { threshold, ..Limits::new(&Written::default().resolve()) };
    raise_limits(&mut limits);
    data_sets(o, |_, random| end(&limits, planned, treatments, draw, random))
}

/// Samples one after another until all treatments are decided; then the verdict's own rules.
fn end(limits: &Limits, planned: usize, treatments: usize, draw: Draw, random: &mut Random) -> End {
    let mut composites = Sequences::new(treatments, planned, limits).unwrap_or_else(|| unreachable!());
    let mut layers = Sequences::of_layers(treatments, planned, limits).unwrap_or_else(|| unreachable!());
    let (mut samples, mut early) = (0, false);
    while samples < planned && !early {
        samples += 1;
        let differences = draw(random);
        #[expect(clippy::cast_precision_loss, reason = "two layers")]
        let composite = |of: &Vec<f64>| Some(of.iter().sum::<f64>() / of.len() as f64);
        early = composites.push(differences.iter().map(composite));
        layers.push(differences.iter().flat_map(|of| (0..3).map(|layer| of.get(layer).copied())));
    }
    let layers: Vec<DiffInputs> = layers.inputs().collect();
    let inputs = inputs(limits, &composites.inputs().collect::<Vec<_>>(), &layers);
    let tiers = verdict(&inputs).per_treatment.iter().map(|of| of.tier).collect();
    End { samples, early, tiers }
}

/// A sound run. Where the gate is shut, the treatment's layers lie under it.
fn inputs(limits: &Limits, composites: &[DiffInputs], layers: &[DiffInputs]) -> VerdictInputs {
    let mean = if limits.threshold == GATED { 1.0 } else { 5.0 };
    let layer = |of: &DiffInputs| (of.n > 0).then_some(LayerInputs { mean: Some(mean), diff: *of, best: None });
    let treatment = |(diff, layers): (&DiffInputs, &[DiffInputs])| -> TreatmentInputs {
        let [fact, behavior, judge] = [&layers[0], &layers[1], &layers[2]].map(layer);
        let alone = decide::inputs(*diff).treatments.swap_remove(0);
        TreatmentInputs { layers: Layers { fact, behavior, judge }, ..alone }
    };
    let treatments = composites.iter().zip(layers.chunks(3)).map(treatment).collect();
    VerdictInputs { limits: *limits, treatments, ..decide::inputs(composites[0]) }
}

/// One sample: each treatment less the control, layer by layer, as in [`Design`]. Layers are drawn independently.
fn likert_differences(rho: f64, shifts: &[f64], layers: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new(); shifts.len()];
    for _ in 0..layers {
        let item = rho.sqrt() * random.normal();
        let mut score = |shift: f64| likert(BASE + shift + item + (1.0 - rho).sqrt() * random.normal());
        let control = score(0.0);
        all.iter_mut().zip(shifts).for_each(|(of, shift)| of.push(score(*shift) - control));
    }
    all
}

/// The shift that makes a true difference, by bisection: rounding takes a part of it.
fn shift_of(difference: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let is_less = Design { n: 0, rho: 0.0, shift: middle }.true_difference() < difference;
        (low, high) = if is_less { (middle, high) } else { (low, middle) };
    }
    low
}
