//! Kinds of samples that never came up: how often PROGRESS is false where a few samples fall far, and NOISE and *not worse* where
//! the truth is a loss that matters; by the interval alone, and by all rules.

use eval_analysis::Risk;
use eval_analysis::measure::Strictness;

use crate::decide::{Call, MARGIN, Readings, readings};
use crate::shapes::{Family, Shape, brief, shapes, sweep};
use crate::{Options, Share, data_sets, resampling};

pub(crate) const SIZES: [usize; 6] = [20, 30, 40, 60, 80, 100];
/// The sizes of the short form: the worst shapes differ.
const BRIEF_SIZES: [usize; 2] = [20, 60];
/// No shape is called PROGRESS, or not worse, falsely more often. The guard lets 5 % through, next to its own limit.
const MOST: f64 = 0.065;

/// Shapes that are printed by themselves.
const NAMED: [&str; 4] =
    ["10 % solved, half break", "3 % solved, all break", "6 % solved, all break", "5 % fall by 3, spread 0"];

const FAMILIES: [(Family, &str); 6] = [
    (Family::RareFalls, "rare falls, 1-15 % by 2, 3, 4"),
    (Family::HardSets, "hard sets, 3-20 % solved"),
    (Family::PassFail, "pass/fail"),
    (Family::Ties, "mostly ties"),
    (Family::Ordinary, "ordinary"),
    (Family::HeldOut, "held out (no rule chosen with them)"),
];

/// How often one shape is called so at each size: by the interval alone, and by all rules.
pub(crate) struct ShapeShares {
    what: String,
    family: Family,
    shares: Vec<[Share; 2]>,
}

pub(crate) fn table(o: &Options) -> Vec<String> {
    println!("Kinds that never came up, {} data sets a cell, {} resamples; in percent.", o.data_sets, o.resamples);
    println!("`largest`: that of all shapes. Left by the interval alone, right by all rules.\n");
    if o.is_short {
        return report(
            "false PROGRESS, true mean difference 0",
            &called(&brief(), &BRIEF_SIZES, Call::Progress, o),
            &BRIEF_SIZES,
            o,
        );
    }
    let mut missed = Vec::new();
    let all = called(&shapes(0.0), &SIZES, Call::Progress, o);
    missed.extend(report("false PROGRESS, true mean difference 0", &all, &SIZES, o));
    for (call, what) in [(Call::Noise, "NOISE"), (Call::NotWorse, "not worse by more than 0.2")] {
        let all = called(&shapes(-MARGIN), &SIZES, call, o);
        missed.extend(report(&format!("false {what}, true mean difference -0.2"), &all, &SIZES, o));
    }
    missed
}

pub(crate) fn swept(o: &Options) -> Vec<String> {
    println!(
        "1, 2 ... 20 % fall by 3 and 4, spreads .05-.6; {} data sets a cell, {} resamples.\n",
        o.data_sets, o.resamples
    );
    report("false PROGRESS, true mean difference 0", &called(&sweep(), &SIZES, Call::Progress, o), &SIZES, o)
}

/// The shares of all shapes.
fn called(shapes: &[Shape], sizes: &[usize], call: Call, o: &Options) -> Vec<ShapeShares> {
    let of_shape = |shape: &Shape| {
        let shares = sizes.iter().map(|&n| both(&read(shape, n, call, o))).collect();
        ShapeShares { what: shape.what.clone(), family: shape.family, shares }
    };
    shapes.iter().map(of_shape).collect()
}

fn read(shape: &Shape, n: usize, call: Call, o: &Options) -> Vec<Readings> {
    let strictness = Strictness::once(Risk::default());
    data_sets(o, |i, random| {
        let pairs: Vec<[f64; 2]> = (0..n).map(|_| (shape.draw)(random)).collect();
        readings(&pairs, call, &strictness, &resampling(o, i))
    })
}

/// The shares by the interval alone and by all rules.
pub(crate) fn both(found: &[Readings]) -> [Share; 2] {
    [Share::of(found, |of| of.interval), Share::of(found, |of| of.all)]
}

/// Prints the largest shares of each family and of all, and the named shapes; the cells that are over the bound.
fn report(title: &str, all: &[ShapeShares], sizes: &[usize], o: &Options) -> Vec<String> {
    println!("{title}; {} shapes", all.len());
    println!("{:38}{}", "", [heading(sizes), heading(sizes)].join("   "));
    let largest = |of: &[&ShapeShares]| -> Vec<[f64; 2]> {
        let at = |place: usize| [0, 1].map(|rule| of.iter().map(|of| of.shares[place][rule].value).fold(0.0, f64::max));
        (0..sizes.len()).map(at).collect()
    };
    line("largest", &largest(&all.iter().collect::<Vec<_>>()));
    for (family, what) in FAMILIES {
        let of: Vec<&ShapeShares> = all.iter().filter(|of| of.family == family).collect();
        if !of.is_empty() && of.len() < all.len() {
            line(&format!("  {what}"), &largest(&of));
        }
    }
    for of in all.iter().filter(|of| NAMED.contains(&of.what.as_str()) || of.family == Family::HeldOut) {
        line(&format!("  {}", of.what), &of.shares.iter().map(|of| of.map(|share| share.value)).collect::<Vec<_>>());
    }
    let cells = || all.iter().flat_map(|of| of.shares.iter().zip(sizes).map(move |(shares, n)| (of, shares[1], n)));
    let above = cells().filter(|(_, share, _)| share.value > 0.043).count();
    println!("cells above 4.3 by all rules: {above} of {}", cells().count());
    let mut worst: Vec<_> = cells().collect();
    worst.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    for (of, share, n) in worst.iter().take(if o.is_short { 0 } else { 3 }) {
        println!("  {}, N {n}: {}", of.what, share.text());
    }
    println!();
    let over = cells().filter(|(_, share, _)| !share.is_within([0.0, MOST], o.slack));
    over.map(|(of, share, n)| format!("{title}, {}, N {n}: {} %", of.what, share.text())).collect()
}

pub(crate) fn heading(sizes: &[usize]) -> String {
    sizes.iter().map(|n| format!("{n:6}")).collect()
}

/// Prints the shares by the interval alone, and by all rules.
pub(crate) fn line(what: &str, shares: &[[f64; 2]]) {
    let side = |rule: usize| shares.iter().map(|of| format!("{:6.1}", 100.0 * of[rule])).collect::<String>();
    println!("{what:38}{}   {}", side(0), side(1));
}
