//! Places of the names of points in a plot: none covers another name or point at any width of the page.

/// The widths that a plot may have, in pixels: places across are percents of it.
const WIDTHS: [f64; 2] = [250.0, 1120.0];
/// The height of a name, the gap beside its point, and the radius of a point.
const LINE: f64 = 14.0;
const GAP: f64 = 10.0;
const POINT: f64 = 7.0;

/// A point with a name: percents across, pixels down, and the pixels that its name takes.
#[derive(Clone, Copy, Debug)]
pub struct NamedPoint {
    pub x: f64,
    pub y: f64,
    pub width: f64,
}

/// A name's middle in pixels down, and the side of its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelPlace {
    pub is_left: bool,
    pub y: f64,
}

/// Taken area: its place in percents, and pixels around it, across and down.
pub struct TakenSpots {
    pub x: f64,
    pub across: [f64; 2],
    pub down: [f64; 2],
}

impl TakenSpots {
    fn of_point(of: &NamedPoint) -> TakenSpots {
        TakenSpots { x: of.x, across: [-POINT, POINT], down: [of.y - POINT, of.y + POINT] }
    }

    pub fn of_name(of: &NamedPoint, at: LabelPlace) -> TakenSpots {
        let across = if at.is_left { [-GAP - of.width, -GAP] } else { [GAP, GAP + of.width] };
        TakenSpots { x: of.x, across, down: [at.y - LINE / 2.0, at.y + LINE / 2.0] }
    }

    /// Returns `true` if they meet at any of the widths.
    pub fn meets(&self, other: &TakenSpots) -> bool {
        let apart = WIDTHS.map(|width| (self.x - other.x) / 100.0 * width);
        let (least, most) = (apart[0].min(apart[1]), apart[0].max(apart[1]));
        let is_beside = most <= other.across[0] - self.across[1] || least >= other.across[1] - self.across[0];
        !is_beside && self.down[0] < other.down[1] && other.down[0] < self.down[1]
    }
}

/// A place for each name between `top` and `bottom`, as near to its point as there is room; `None` where there is none.
pub fn places(points: &[NamedPoint], top: f64, bottom: f64) -> Vec<Option<LabelPlace>> {
    let mut taken: Vec<TakenSpots> = points.iter().map(TakenSpots::of_point).collect();
    let one = |(own, of): (usize, &NamedPoint)| {
        let is_inside = |at: &LabelPlace| at.y - LINE / 2.0 >= top && at.y + LINE / 2.0 <= bottom;
        let is_free = |at: &LabelPlace| {
            let name = TakenSpots::of_name(of, *at);
            !taken.iter().enumerate().any(|(other, one)| other != own && name.meets(one))
        };
        let place = steps().map(|step| LabelPlace { is_left: of.x > 50.0, y: of.y + step });
        let found = place.filter(is_inside).find(is_free)?;
        taken.push(TakenSpots::of_name(of, found));
        Some(found)
    };
    points.iter().enumerate().map(one).collect()
}

/// 0, then further and further down and up.
fn steps() -> impl Iterator<Item = f64> {
    let apart = (1..24).map(|step| f64::from(step) * LINE / 2.0);
    std::iter::once(0.0).chain(apart.flat_map(|step| [step, -step]))
}
