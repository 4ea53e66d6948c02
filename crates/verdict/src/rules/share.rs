//! Shares as counts, compared as whole numbers, so that "5 points" means 5 points and not 5.000000000000001.

use crate::reason::ShareGap;

/// A part of a whole, in counts.
#[derive(Clone, Copy)]
pub(super) struct CountShare {
    pub(super) part: u64,
    pub(super) whole: u64,
}

impl CountShare {
    pub(super) fn exceeds(self, limit_percent: u64) -> bool {
        u128::from(self.part) * 100 > u128::from(self.whole) * u128::from(limit_percent)
    }

    /// Whether two shares are more than `points` percentage points apart; a share of nothing differs from none.
    pub(super) fn differs(self, other: CountShare, points: u64) -> bool {
        let (a, b) = (u128::from(self.part), u128::from(other.part));
        let (na, nb) = (u128::from(self.whole), u128::from(other.whole));
        (a * nb).abs_diff(b * na) * 100 > na * nb * u128::from(points)
    }

    /// The share, 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub(super) fn value(self) -> f64 {
        if self.whole == 0 { 0.0 } else { self.part as f64 / self.whole as f64 }
    }
}

/// The shares of control and treatment, where they are more than `limit` percentage points apart.
pub(super) fn gap([control, treatment]: [CountShare; 2], limit: u64) -> Option<ShareGap> {
    let gap = || ShareGap { control: control.value(), treatment: treatment.value(), limit };
    control.differs(treatment, limit).then(gap)
}
