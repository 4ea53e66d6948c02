//! A column or its mirror image, whichever one rule picks: what is computed of it is mirrored back.
//!
//! Which of two variants is called the control is the caller's choice, and exchanging them turns the sign of every
//! difference. Random draws must not see that: the same numbers have to come out, mirrored to the last bit.

use crate::describe::{Deviations, sorted};

/// Deviations, in units of the largest, that are nearer than this are equal: rounding must not pick the image.
const TIE: f64 = 1e-12;

/// Which image of a column is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// The values themselves.
    AsGiven,
    /// The values with their signs turned.
    Turned,
    /// Both are the same.
    Symmetric,
}

impl Orientation {
    /// With `u` the ascending deviations and `v` the ascending `−u`: the one of the two that comes first, compared from the
    /// smallest value on. It is the one whose long tail points down.
    pub(crate) fn of(ascending: &[f64]) -> Self {
        let mut ends = ascending.iter().zip(ascending.iter().rev());
        let lean = ends.find_map(|(low, high)| Some(low + high).filter(|lean| lean.abs() > TIE));
        match lean {
            Some(lean) if lean > 0.0 => Self::Turned,
            Some(_) => Self::AsGiven,
            None => Self::Symmetric,
        }
    }
}

/// A column as it is computed with: its deviations ascend.
pub(crate) struct Oriented {
    orientation: Orientation,
    deviations: Deviations,
}

impl Oriented {
    /// `None` without values, or where their mean is not finite.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let deviations = Deviations::balanced(&sorted(values.to_vec()))?;
        let orientation = Orientation::of(&deviations.scaled);
        let deviations = match orientation {
            Orientation::AsGiven => deviations,
            Orientation::Turned => turned(deviations),
            Orientation::Symmetric => evened(deviations),
        };
        Some(Self { orientation, deviations })
    }

    /// For statistics of more than the deviations: a column that is symmetric about its mean is turned so that the mean
    /// isn't above 0, and only one that is symmetric about 0 stays so.
    pub(crate) fn by_sign(mut self) -> Self {
        let mean = self.deviations.mean;
        if self.is_symmetric() && mean != 0.0 {
            self.orientation = if mean > 0.0 { Orientation::Turned } else { Orientation::AsGiven };
            self.deviations.mean = -mean.abs();
        }
        self
    }

    pub(crate) fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    pub(crate) fn is_symmetric(&self) -> bool {
        self.orientation == Orientation::Symmetric
    }

    /// Bounds about 0, which of a symmetric column are equally far from it: random draws seldom are.
    pub(crate) fn evened(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let half = (high - low) / 2.0;
        if self.is_symmetric() { (-half, half) } else { (low, high) }
    }

    /// A number of this image as one of the values.
    pub(crate) fn back(&self, x: f64) -> f64 {
        if self.orientation == Orientation::Turned { -x } else { x }
    }

    /// Bounds of this image as bounds of the values.
    pub(crate) fn bounds_back(&self, (low, high): (f64, f64)) -> (f64, f64) {
        if self.orientation == Orientation::Turned { (-high, -low) } else { (low, high) }
    }

    /// Bounds about the mean, in units of the largest deviation, in the unit of the values.
    pub(crate) fn placed(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let place = |x: f64| self.deviations.mean + self.deviations.scale * x;
        self.bounds_back((place(low), place(high)))
    }
}

fn turned(d: Deviations) -> Deviations {
    let scaled = d.scaled.iter().rev().map(|u| 0.0 - u).collect();
    Deviations { mean: -d.mean, scaled, ..d }
}

/// Without what rounding left of a difference between the two images.
fn evened(d: Deviations) -> Deviations {
    let ends = d.scaled.iter().zip(d.scaled.iter().rev());
    let scaled = ends.map(|(low, high)| (low - high) / 2.0).collect();
    Deviations { scaled, ..d }
}
