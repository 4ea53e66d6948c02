//! Which samples a split holds out.

use eval_analysis::recomputing::Split;
use eval_spec::suite::Settings;

fn split(share: f64, seed: u64) -> Split {
    let settings = Settings { holdout: Some(share), seed: Some(seed), ..Settings::default() };
    Split::of(&settings).expect("a holdout")
}

#[test]
fn a_larger_share_holds_out_what_a_smaller_one_did() {
    let ids: Vec<String> = (0..4000).map(|i| format!("s{i}")).collect();
    let held = |share| ids.iter().filter(|id| split(share, 3).holds_out(id)).count();
    assert!(ids.iter().all(|id| !split(0.2, 3).holds_out(id) || split(0.4, 3).holds_out(id)));
    // within 4 standard deviations of the binomial
    assert!(held(0.2).abs_diff(800) < 102 && held(0.4).abs_diff(1600) < 124, "{} {}", held(0.2), held(0.4));
}

#[test]
fn the_split_is_the_same_today_and_tomorrow() {
    let split = split(0.5, 0);
    let held: String = (0..24).map(|i| if split.holds_out(&format!("s{i:03}")) { '1' } else { '0' }).collect();
    assert_eq!(held, "011011001101011011100101");
}
