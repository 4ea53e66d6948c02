//! The noncentral t distribution, for power and exact effect-size intervals.

use crate::distribution::{NEARLY_NORMAL, normal_cdf};

/// Noncentral t distributions with one number of degrees of freedom.
pub struct NoncentralT {
    df: f64,
    /// Values of `sqrt(χ²_ν/ν)` and their relative densities.
    nodes: Vec<(f64, f64)>,
    /// Largest noncentrality for which the nodes are close enough.
    pub most_ncp: f64,
}

impl NoncentralT {
    pub fn new(df: f64) -> Self {
        const STEP: f64 = 0.05;
        // Φ rises within 1/ncp, and the density within 1/sqrt(2ν)
        let step = STEP.min(0.25 / df.sqrt());
        let density = |u: f64| (df * (u - (2.0 * u).exp_m1() / 2.0)).exp();
        let side = |sign: f64| {
            let places = (1..).map(move |i| sign * step * f64::from(i));
            places.map(|u| (u.exp(), density(u))).take_while(|(_, share)| *share > 1e-18)
        };
        let nodes = match df > NEARLY_NORMAL {
            true => Vec::new(),
            false => side(-1.0).chain([(1.0, 1.0)]).chain(side(1.0)).collect(),
        };
        Self { df, nodes, most_ncp: 0.4 / step }
    }

    /// `P(T' > x)` for the noncentrality `ncp`: `∫ Φ(ncp − x s) g(s) ds / ∫ g(s) ds` with `g(s) = s^{ν−1} e^{−νs²/2}`, the
    /// density of `sqrt(χ²_ν/ν)` up to a constant (Johnson, Kotz & Balakrishnan 1995, *Continuous Univariate
    /// Distributions* 2, ch. 31).
    ///
    /// Both integrals in `u = ln s` by the trapezoidal rule, whose error falls exponentially with the step for functions
    /// that fade on both sides (Trefethen & Weideman 2014, *SIAM Review* 56); for a large noncentrality by adaptive Simpson.
    /// So no gamma function and no series that grows with `ncp`; good to about 1e-12, Simpson's to 1e-10. Above 10⁵ degrees of freedom:
    /// Abramowitz & Stegun 26.7.10, `Φ( (ncp − x (1 − 1/4ν)) / sqrt(1 + x²/2ν) )`.
    pub fn tail(&self, x: f64, ncp: f64) -> f64 {
        let df = self.df;
        if df > NEARLY_NORMAL {
            return normal_cdf((ncp - x * (1.0 - 0.25 / df)) / (1.0 + x * x / (2.0 * df)).sqrt());
        }
        if ncp.abs() > self.most_ncp {
            return tail_by_simpson(x, df, ncp);
        }
        let add =
            |(above, all): (f64, f64), &(s, share): &(f64, f64)| (above + share * normal_cdf(ncp - x * s), all + share);
        let (above, all) = self.nodes.iter().fold((0.0, 0.0), add);
        (above / all).clamp(0.0, 1.0)
    }
}

pub fn tail_by_simpson(x: f64, df: f64, ncp: f64) -> f64 {
    let mode = ((df - 1.0) / df).sqrt();
    let density = |s: f64| relative_density(s, mode, df);
    let (from, to) = ((mode - 10.0 / df.sqrt()).max(0.0), mode + 10.0 / df.sqrt());
    let above = integral(&|s| normal_cdf(ncp - x * s) * density(s), from, to);
    (above / integral(&density, from, to)).clamp(0.0, 1.0)
}

/// `g(s)/g(mode)`.
fn relative_density(s: f64, mode: f64, df: f64) -> f64 {
    let power = if df > 1.0 { (df - 1.0) * (s / mode).ln() } else { 0.0 };
    (power - df * (s - mode) * (s + mode) / 2.0).exp()
}

fn integral(f: &dyn Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    const PANELS: u32 = 32;
    const HALVINGS: u32 = 14;
    let width = (to - from) / f64::from(PANELS);
    (0..PANELS)
        .map(|i| SimpsonPanel::new(f, from + f64::from(i) * width, width).refined(f, width * 1e-12, HALVINGS))
        .sum()
}

/// One panel of Simpson's rule with its three values.
struct SimpsonPanel {
    from: f64,
    width: f64,
    values: [f64; 3],
}

impl SimpsonPanel {
    fn new(f: &dyn Fn(f64) -> f64, from: f64, width: f64) -> Self {
        let values = [f(from), f(from + width / 2.0), f(from + width)];
        Self { from, width, values }
    }

    fn area(&self) -> f64 {
        let [a, m, b] = self.values;
        self.width * (a + 4.0 * m + b) / 6.0
    }

    /// Halves the panel until both halves agree with the whole, then applies Richardson's correction.
    fn refined(&self, f: &dyn Fn(f64) -> f64, tolerance: f64, depth: u32) -> f64 {
        let half = self.width / 2.0;
        let left = Self::new(f, self.from, half);
        let right = Self::new(f, self.from + half, half);
        let change = left.area() + right.area() - self.area();
        if depth == 0 || change.abs() <= 15.0 * tolerance {
            return self.area() + change + change / 15.0;
        }
        left.refined(f, tolerance / 2.0, depth - 1) + right.refined(f, tolerance / 2.0, depth - 1)
    }
}
