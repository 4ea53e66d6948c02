//! A column or its mirror image, chosen by a fixed rule; results are mirrored back.
//!
//! The caller chooses which of two variants is the control, and exchanging them turns the sign of every difference.
//! Random draws must not depend on that: the results must be the same numbers, mirrored to the last bit.

use crate::describe::{Deviations, sorted};

/// Deviations closer than this, in units of the largest, are equal: rounding must not pick the image.
const TIE: f64 = 1e-12;

/// The image of a column that is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// The values themselves.
    AsGiven,
    /// The values with their signs turned.
    Turned,
    /// Both images are the same.
    Symmetric,
}

impl Orientation {
    /// Compares the ascending deviations `u` with the ascending `−u`, from the smallest value on, and picks the one
    /// that comes first: the one whose long tail points down.
    pub(crate) fn new(ascending: &[f64]) -> Self {
        let mut ends = ascending.iter().zip(ascending.iter().rev());
        let lean = ends.find_map(|(low, high)| Some(low + high).filter(|lean| lean.abs() > TIE));
        match lean {
            Some(lean) if lean > 0.0 => Self::Turned,
            Some(_) => Self::AsGiven,
            None => Self::Symmetric,
        }
    }
}

/// The image of a column that is computed with; its deviations ascend.
pub(crate) struct Oriented {
    orientation: Orientation,
    deviations: Deviations,
}

impl Oriented {
    /// `None` without values, or if their mean is not finite.
    pub(crate) fn new(values: &[f64]) -> Option<Self> {
        let deviations = Deviations::balanced(&sorted(values.to_vec()))?;
        let orientation = Orientation::new(&deviations.scaled);
        let deviations = match orientation {
            Orientation::AsGiven => deviations,
            Orientation::Turned => turned(deviations),
            Orientation::Symmetric => evened(deviations),
        };
        Some(Self { orientation, deviations })
    }

    /// Orients a symmetric column by its mean, for statistics that need more than deviations: its mean is then at most
    /// 0, and only a column symmetric about 0 stays symmetric.
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

    /// Makes bounds of a symmetric column equally far from 0; random draws seldom are.
    pub(crate) fn evened(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let half = (high - low) / 2.0;
        if self.is_symmetric() { (-half, half) } else { (low, high) }
    }

    /// Maps a number of this image back to the values.
    pub(crate) fn back(&self, x: f64) -> f64 {
        if self.orientation == Orientation::Turned { -x } else { x }
    }

    /// Maps bounds of this image back to the values.
    pub(crate) fn bounds_back(&self, (low, high): (f64, f64)) -> (f64, f64) {
        if self.orientation == Orientation::Turned { (-high, -low) } else { (low, high) }
    }

    /// Converts bounds about the mean, in units of the largest deviation, to the unit of the values.
    pub(crate) fn placed(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let place = |x: f64| self.deviations.mean + self.deviations.scale * x;
        self.bounds_back((place(low), place(high)))
    }
}

fn turned(d: Deviations) -> Deviations {
    let scaled = d.scaled.iter().rev().map(|u| 0.0 - u).collect();
    Deviations { mean: -d.mean, scaled, ..d }
}

/// Removes the differences that rounding left between the two images.
fn evened(d: Deviations) -> Deviations {
    let ends = d.scaled.iter().zip(d.scaled.iter().rev());
    let scaled = ends.map(|(low, high)| (low - high) / 2.0).collect();
    Deviations { scaled, ..d }
}
