//! Simultaneous intervals: correlated, constant and incomplete columns.

use eval_stats::internals::{Streams, TableColumn, TaskRow, Urn, compare, means_by_column, means_by_value};
use eval_stats::*;

fn some(xs: &[f64]) -> Vec<Option<f64>> {
    xs.iter().copied().map(Some).collect()
}

const A: [f64; 8] = [1.0, 2.0, -1.0, 0.5, 0.0, 3.0, 1.5, -0.5];

const B: [f64; 8] = [0.0, -2.0, 1.0, 1.5, 2.0, 0.0, -1.5, 0.5];

#[test]
fn one_column_is_its_own_interval() {
    let r = Resampling::default();
    let joint = simultaneous_mean_intervals(&[some(&A)], &r);
    assert_eq!(joint, [mean_interval(&A, &r)]);
}

#[test]
fn equal_columns_cost_nothing_and_different_ones_do() {
    let r = Resampling::default();
    let alone = mean_interval(&A, &r).expect("exists");
    let width = |columns: &[Vec<Option<f64>>]| simultaneous_mean_intervals(columns, &r)[0].map(|i| i.width());
    let twice = width(&[some(&A), some(&A)]).expect("exists");
    let both = width(&[some(&A), some(&B)]).expect("exists");
    assert!((twice / alone.width() - 1.0).abs() < 0.02, "{twice} {alone:?}");
    assert!(both > 1.03 * alone.width(), "{both} {alone:?}");
}

#[test]
fn the_common_level_lies_between_single_and_bonferroni() {
    let r = Resampling::default();
    let alpha = |columns: &[Vec<Option<f64>>]| simultaneous_means(columns, &r).alpha.expect("exists");
    assert!((alpha(&[some(&A)]) - 0.05).abs() < 1e-12);
    assert!((alpha(&[some(&A), some(&A)]) - 0.05).abs() < 0.003, "equal columns cost nothing");
    let both = alpha(&[some(&A), some(&B)]);
    assert!((0.025..0.045).contains(&both), "{both}");
}

#[test]
fn columns_without_uncertainty_dont_count() {
    let r = Resampling::default();
    let columns = [some(&A), some(&[1.0; 8]), some(&[f64::NAN; 8]), vec![None; 8]];
    let joint = simultaneous_mean_intervals(&columns, &r);
    assert_eq!(joint[0], mean_interval(&A, &r));
    assert!(joint[1].is_some_and(|i| i.degenerate));
    assert_eq!(joint[2..], [None, None]);
}

#[test]
fn missing_values_leave_the_others_of_their_row() {
    let r = Resampling::default();
    let mut gaps = some(&B);
    gaps[3] = None;
    gaps.truncate(6);
    let joint = simultaneous_mean_intervals(&[some(&A), gaps], &r);
    let alone = mean_interval(&[0.0, -2.0, 1.0, 2.0, 0.0], &r).expect("exists");
    assert!(joint[1].is_some_and(|i| i.low <= alone.low && i.high >= alone.high));
}

#[test]
fn many_sparse_columns_are_strict_and_cheap() {
    let r = Resampling { resamples: 2000, ..Resampling::default() };
    // 2,000 columns of 6 rows each that no other column has: as a table, 24 million places
    let value = |row: usize| f64::from(u16::try_from(row * 37 % 101).expect("small")) - 50.0;
    let column = |c: usize| (c * 6..c * 6 + 6).map(|row| (row, value(row))).collect::<Vec<_>>();
    let columns: Vec<Vec<(usize, f64)>> = (0..2000).map(column).collect();
    let intervals = simultaneous_sparse_means(&columns, &r);
    assert!(intervals.alpha.is_some_and(|alpha| alpha <= 0.005), "{:?}", intervals.alpha);
    for ((interval, alone), column) in intervals.intervals.iter().zip(&intervals.alone).zip(&columns) {
        let values: Vec<f64> = column.iter().map(|(_, value)| *value).collect();
        assert_eq!(*alone, mean_interval(&values, &r));
        assert!(interval.zip(*alone).is_some_and(|(wide, narrow)| wide.low < narrow.low && wide.high > narrow.high));
    }
}

#[test]
fn column_at_the_level_of_its_family_has_the_same_interval_alone() {
    let r = Resampling::default();
    let column = |values: &[f64]| values.iter().copied().enumerate().collect::<Vec<_>>();
    let columns = [column(&A), column(&B)];
    let both = simultaneous_sparse_means(&columns, &r);
    let alpha = both.alpha.expect("exists");
    let single = simultaneous_sparse_means_up_to(&columns[..1], alpha, &r);
    assert_eq!((single.intervals[0], single.alone[0], single.alpha), (both.intervals[0], both.alone[0], both.alpha));
    // a level that is no stricter changes nothing
    assert_eq!(simultaneous_sparse_means_up_to(&columns[..1], 0.2, &r), simultaneous_sparse_means(&columns[..1], &r));
}

#[test]
fn sparse_columns_equal_columns_with_gaps() {
    let r = Resampling { resamples: 500, ..Resampling::default() };
    let gaps: Vec<Vec<Option<f64>>> = (0..5)
        .map(|c| A.iter().chain(&B).enumerate().map(|(i, x)| (i % 5 == c || i % 3 == 0).then_some(*x)).collect())
        .collect();
    let named: Vec<Vec<(usize, f64)>> =
        gaps.iter().map(|c| c.iter().enumerate().filter_map(|(i, x)| Some((i, (*x)?))).collect()).collect();
    assert_eq!(simultaneous_sparse_means(&named, &r), simultaneous_means(&gaps, &r));
}

#[test]
fn both_ways_to_add_up_agree() {
    let value = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f64 - 4.5;
    let holds = |row: usize, column: usize| (row * 5 + column).is_multiple_of(6) || column == row % 9;
    let row = |row: usize| (0..9).filter(|&c| holds(row, c)).map(|c| (c, value(row, c))).collect::<TaskRow>();
    let rows: Vec<TaskRow> = (0..30).map(row).collect();
    let fields: Vec<TableColumn> = (0..9).map(|column| TableColumn::new(&rows, column)).collect();
    let streams = Streams::joint_bootstrap(3);
    // drawn row by row, and by how often each comes up
    for counts in [vec![1; 30], vec![64; 30]] {
        let (urn, _) = Urn::new(&counts).expect("rows");
        let plain = urn.replicates(&streams, 500, |draw| means_by_column(&fields, &draw));
        let quick = urn.replicates(&streams, 500, |draw| means_by_value(&rows, 9, &draw));
        let mut absent = 0;
        for (plain, quick) in plain.iter().flatten().zip(quick.iter().flatten()) {
            absent += usize::from(plain.is_nan());
            assert!((plain - quick).abs() < 1e-12 || (plain.is_nan() && quick.is_nan()), "{quick} for {plain}");
        }
        assert_eq!(absent > 0, counts[0] == 1, "a column of few values is sometimes not drawn");
    }
}

#[test]
fn rows_are_in_the_order_of_tables_with_gaps() {
    let rows = [vec![], vec![(2, 5.0)], vec![(1, -1.0)], vec![(1, -1.0), (2, -9.0)], vec![(0, -3.0)], vec![(0, 1.0)]];
    assert!(rows.is_sorted_by(|a, b| compare(a, b).is_lt()));
}
