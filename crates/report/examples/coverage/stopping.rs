//! How often a run that stops when decided decides what isn't so, and how many samples it saves.

use eval_report::verdict::{DiffInputs, Limits};
use eval_report::{FIRST_LOOK, Sequences, Tier, verdict};
use eval_spec::suite::Written;

use crate::likert::Design;
use crate::random::{Random, likert};
use crate::{Options, Share, data_sets, decide};

/// A decision that isn't so may be made at most so often, of all treatments together.
const FALSE_DECISIONS: f64 = 0.05;
const BASE: f64 = 3.5;

/// One cell: so many samples are planned, and each treatment truly differs by so many points.
struct Cell {
    planned: usize,
    rho: f64,
    differences: Vec<f64>,
}

/// How one run ended.
struct End {
    samples: usize,
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
    println!(
        "`--stop-when-decided`, Likert scores 1 to 5, {} data sets a cell; in percent ± one Monte-Carlo error:",
        o.data_sets
    );
    println!(
        "decisions that aren't so, of any treatment (first look at {FIRST_LOOK} pairs): better or worse where nothing differs;"
    );
    println!(
        "no difference that matters, or worse, where all differ by the smallest that matters (0.2); better or worse of"
    );
    println!(
        "one that doesn't differ beside one that does (0.5). Then decided runs and mean samples at true differences.\n"
    );
    println!("treat-    N  rho  0: better,     0.2: none      one of two      0     0.2           0.5");
    println!("ments             worse          that matters   is false     samples  decided samples  decided samples");
    let cells = [1, 2].into_iter().flat_map(|k| [100, 200].map(|n| (k, n)));
    let cells = cells.flat_map(|(k, n)| [0.0, 0.6, 0.9].map(|rho| (k, n, rho)));
    cells.flat_map(|(treatments, planned, rho)| row(treatments, planned, rho, o)).collect()
}

/// Prints one line; the bounds that it misses.
fn row(treatments: usize, planned: usize, rho: f64, o: &Options) -> Vec<String> {
    let run = |differences: Vec<f64>| {
        let cell = Cell { planned, rho, differences };
        let shifts: Vec<f64> = cell.differences.iter().map(|d| shift_of(*d)).collect();
        data_sets(o, |_, random| cell.run(&shifts, random))
    };
    let [none, least, large] = [0.0, 0.2, 0.5].map(|difference| run(vec![difference; treatments]));
    let sides = [Tier::Progress, Tier::Cautious, Tier::Regress];
    let off_zero = Share::of(&none, |end| end.is_any(&sides));
    let small = Share::of(&least, |end| end.is_any(&[Tier::Noise, Tier::Regress]));
    let beside = (treatments > 1).then(|| run(vec![0.0, 0.5]));
    let beside = beside.map(|ends| Share::of(&ends, |end| sides.contains(&end.tiers[0])));
    let of = |ends: &[End]| format!("{} {:5.1}", Share::of(ends, End::is_decided).text(), samples(ends));
    println!(
        "{treatments:5}  {planned:3}  {rho:.1}  {}  {}  {}  {:6.1}  {}  {}",
        off_zero.text(),
        small.text(),
        beside.map_or_else(|| " ".repeat(13), Share::text),
        samples(&none),
        of(&least),
        of(&large)
    );
    let cell = format!("{treatments} treatments, N {planned}, rho {rho}");
    let all = [("no difference", Some(off_zero)), ("the smallest that matters", Some(small)), ("one of two", beside)];
    let missed = |(what, share): (&str, Option<Share>)| {
        let share = share.filter(|share| share.value > FALSE_DECISIONS)?;
        Some(format!("{cell}, {what}: {} % false decisions, to be at most 5", share.text().trim()))
    };
    all.into_iter().filter_map(missed).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of samples")]
fn samples(ends: &[End]) -> f64 {
    ends.iter().map(|end| end.samples as f64).sum::<f64>() / ends.len() as f64
}

impl Cell {
    /// Samples one after another until all treatments are decided; then the verdict's own rules.
    fn run(&self, shifts: &[f64], random: &mut Random) -> End {
        let limits = Limits::new(&Written::default().resolve());
        let mut sequences = Sequences::new(shifts.len(), self.planned, &limits).unwrap_or_else(|| unreachable!());
        let mut samples = 0;
        while samples < self.planned {
            samples += 1;
            if sequences.push(differences(self.rho, shifts, random).into_iter().map(Some)) {
                break;
            }
        }
        let tiers = sequences.looks().map(|look| look.map_or(Tier::Underpowered, tier)).collect();
        End { samples, tiers }
    }
}

fn tier(look: eval_stats::Look) -> Tier {
    let diff = DiffInputs {
        n: look.n as u64,
        mean: Some(look.mean),
        low: Some(look.low),
        high: Some(look.high),
        degenerate: look.degenerate,
        // as the report has it, for differences that are all equal
        p: look.degenerate.then(|| if look.mean == 0.0 { 1.0 } else { 0.5_f64.powi(9) }),
    };
    let mut inputs = decide::inputs(diff);
    inputs.limits.min_pairs = FIRST_LOOK as u64;
    verdict(&inputs).tier
}

/// One sample: each treatment less the control, as in [`Design`].
fn differences(rho: f64, shifts: &[f64], random: &mut Random) -> Vec<f64> {
    let item = rho.sqrt() * random.normal();
    let mut score = |shift: f64| likert(BASE + shift + item + (1.0 - rho).sqrt() * random.normal());
    let control = score(0.0);
    shifts.iter().map(|shift| score(*shift) - control).collect()
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
