//! Student's bounds of a mean, with a term for skewness.

use crate::distribution::t_upper_quantile;
use crate::oriented::Oriented;

/// Student's bounds about the mean of one column, in units of its largest deviation.
pub(crate) struct Student {
    standard_error: f64,
    df: f64,
    /// `s · G / 3n`, the lean of the mean towards the long tail.
    lean: f64,
}

impl Student {
    /// Expects at least two values with spread.
    pub(crate) fn new(values: &Oriented) -> Self {
        let deviations = &values.deviations().scaled;
        let n = deviations.len() as f64;
        let squares: f64 = deviations.iter().map(|u| u * u).sum();
        let sd = (squares / (n - 1.0)).sqrt();
        let skewness = if values.is_symmetric() { 0.0 } else { skewness(deviations, squares) };
        Self { standard_error: sd / n.sqrt(), df: n - 1.0, lean: sd * skewness / (3.0 * n) }
    }

    /// `∓ t · s / sqrt(n)`.
    pub(crate) fn bounds(&self, tail: f64) -> (f64, f64) {
        let reach = t_upper_quantile(tail, self.df) * self.standard_error;
        (-reach, reach)
    }

    /// [`Student::bounds`], moved out by `|k|` on the side of the long tail, `k = s · G · (2t² + 1) / 3n`.
    pub(crate) fn skewed_bounds(&self, tail: f64) -> (f64, f64) {
        let t = t_upper_quantile(tail, self.df);
        let (reach, k) = (t * self.standard_error, self.lean * (2.0 * t * t + 1.0));
        (-reach + k.min(0.0), reach + k.max(0.0))
    }
}

/// `G = g · sqrt(n(n − 1)) / (n − 2)` with `g = (Σu³/n) / (Σu²/n)^{3/2}`: SciPy's `skew(bias=False)`. 0 below three values.
fn skewness(deviations: &[f64], squares: f64) -> f64 {
    let n = deviations.len() as f64;
    if n < 3.0 {
        return 0.0;
    }
    let cubes: f64 = deviations.iter().map(|u| u * u * u).sum();
    let plain = cubes / n / (squares / n).powf(1.5);
    plain * (n * (n - 1.0)).sqrt() / (n - 2.0)
}
