#![allow(clippy::print_stdout, reason = "a command-line example; its output is its purpose")]
mod random;
use eval_stats::*;
use random::{Random, likert};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};
const BASE: f64 = 3.5;
fn truth(shift: f64) -> f64 {
    let expected =
        |centre: f64| -> f64 { [1.5, 2.5, 3.5, 4.5].map(|cut| Normal::standard().cdf(centre - cut)).iter().sum() };
    expected(BASE + shift) - expected(BASE)
}
fn shift_for(delta: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 2.0);
    for _ in 0..60 {
        let m = (lo + hi) / 2.0;
        if truth(m) < delta { lo = m } else { hi = m }
    }
    lo
}
#[derive(Clone, Copy, PartialEq, Debug)]
enum L {
    Below,
    Above,
    Inside,
    Open,
}
fn lies(s: &MeanSequence, margin: f64, scale: f64, first: usize, above: usize) -> L {
    let Some(l) = s.look() else { return L::Open };
    if l.degenerate || l.n < first {
        return L::Open;
    }
    let (low, high) = (l.mean - (l.mean - l.low) * scale, l.mean + (l.high - l.mean) * scale);
    if low > 0.0 && l.n >= above {
        L::Above
    } else if high < 0.0 {
        L::Below
    } else if low >= -margin && high <= margin {
        L::Inside
    } else {
        L::Open
    }
}
fn main() {
    let arg: Vec<String> = std::env::args().skip(1).collect();
    let sets: u64 = arg[0].parse().unwrap();
    let tight: String = arg[1].clone();
    let scale: f64 = arg[2].parse().unwrap();
    let first: usize = arg[3].parse().unwrap();
    let above: usize = arg[4].parse().unwrap();
    for kind in ["likert", "binary"] {
        for k in [1usize, 2] {
            for n in [100usize, 200] {
                let t = match tight.as_str() {
                    "N" => n,
                    "N2" => n / 2,
                    "N4" => n / 4,
                    x => x.parse().unwrap(),
                };
                for rho in [0.0, 0.6, 0.9] {
                    print!("{kind} k{k} N{n} rho{rho}  ");
                    for delta in [0.0, 0.2, 0.5] {
                        let shift = if kind == "likert" {
                            shift_for(delta)
                        } else {
                            Normal::standard().inverse_cdf(0.7 + delta / 4.0) - Normal::standard().inverse_cdf(0.7)
                        };
                        let cut = -Normal::standard().inverse_cdf(0.7);
                        let out: Vec<(usize, Vec<L>)> = (0..sets)
                            .into_par_iter()
                            .map(|i| {
                                let mut r = Random::new(1, i);
                                let mut s = vec![MeanSequence::new(1.0 - 0.05 / k as f64, t).unwrap(); k];
                                let mut at = n;
                                for j in 1..=n {
                                    let item = f64::sqrt(rho) * r.normal();
                                    let mut score = |v: f64| {
                                        let x = v + item + f64::sqrt(1.0 - rho) * r.normal();
                                        if kind == "likert" {
                                            likert(BASE + x)
                                        } else if x > cut {
                                            5.0
                                        } else {
                                            1.0
                                        }
                                    };
                                    let c = score(0.0);
                                    for q in &mut s {
                                        q.push(score(shift) - c);
                                    }
                                    if s.iter().all(|q| lies(q, 0.2, scale, first, above) != L::Open) {
                                        at = j;
                                        break;
                                    }
                                }
                                (at, s.iter().map(|q| lies(q, 0.2, scale, first, 0)).collect())
                            })
                            .collect();
                        let share = |l: L| out.iter().filter(|o| o.1.contains(&l)).count() as f64 / sets as f64;
                        let mean = out.iter().map(|o| o.0 as f64).sum::<f64>() / sets as f64;
                        print!(
                            "D{delta}: <{:.4} >{:.4} in{:.4} n{:.1} | ",
                            share(L::Below),
                            share(L::Above),
                            share(L::Inside),
                            mean
                        );
                    }
                    println!();
                }
            }
        }
    }
}
