//! Names beside points of a plot.

use eval_render::internals::{LabelPlace, NamedPoint, TakenSpots, places};

const NAME: f64 = 120.0;

fn placed(points: &[(f64, f64)]) -> Vec<Option<LabelPlace>> {
    let points: Vec<NamedPoint> = points.iter().map(|&(x, y)| NamedPoint { x, y, width: NAME }).collect();
    let places = places(&points, 0.0, 150.0);
    let found = points.iter().zip(&places).filter_map(|(of, at)| Some(TakenSpots::of_name(of, (*at)?)));
    let names: Vec<TakenSpots> = found.collect();
    for (at, name) in names.iter().enumerate() {
        assert!(name.down[0] >= 0.0 && name.down[1] <= 150.0, "{places:?}");
        assert!(!names[..at].iter().any(|other| name.meets(other)), "{places:?}");
    }
    places
}

#[test]
fn name_is_beside_its_point_where_there_is_room() {
    let at = |is_left, y| Some(LabelPlace { is_left, y });
    assert_eq!(placed(&[(20.0, 30.0), (80.0, 90.0)]), [at(false, 30.0), at(true, 90.0)]);
}

#[test]
fn points_in_one_place_have_names_apart_as_far_as_the_plot_reaches() {
    assert!(placed(&[(40.0, 60.0); 8]).iter().all(Option::is_some));
    assert!(
        placed(&[(49.0, 60.0), (52.0, 62.0), (50.5, 61.0), (48.0, 140.0), (53.0, 149.0)]).iter().all(Option::is_some)
    );
    let crowd = placed(&[(40.0, 60.0); 60]);
    assert!((8..=11).contains(&crowd.iter().flatten().count()), "{crowd:?}");
}
