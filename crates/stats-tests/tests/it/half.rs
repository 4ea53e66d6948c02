//! Fair coins in blocks.

use eval_stats::internals::{BLOCKS, SIZES, blocks};

/// Compares the probability of each number of heads, summed over the columns, with `ln Γ`.
#[test]
fn tables_hold_the_binomial() {
    for block in BLOCKS.iter() {
        let mut given = vec![0.0; block.coins as usize + 1];
        for column in &block.columns {
            let first = column.first_chance as f64 / 2.0_f64.powi(64);
            let each = 1.0 / block.columns.len() as f64;
            given[column.heads[0] as usize] += first * each;
            given[column.heads[1] as usize] += (1.0 - first) * each;
        }
        let m = f64::from(block.coins);
        let ln_gamma = statrs::function::gamma::ln_gamma;
        for (h, given) in given.iter().enumerate() {
            let h = h as f64;
            let ln = ln_gamma(m + 1.0) - ln_gamma(h + 1.0) - ln_gamma(m - h + 1.0) - m * std::f64::consts::LN_2;
            assert!((given - ln.exp()).abs() < 1e-9 * ln.exp() + 1e-15, "{h} of {m}: {given} {}", ln.exp());
        }
    }
}

#[test]
fn extreme_words_have_heads() {
    for block in BLOCKS.iter() {
        for word in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63] {
            assert!(block.heads(word) <= block.coins);
        }
    }
}

#[test]
fn blocks_are_those_that_fit() {
    let sizes = |flips| blocks(flips).iter().map(|block| block.coins).collect::<Vec<_>>();
    assert!(sizes(1023).is_empty());
    assert_eq!(sizes(5000), [4096, 1024]);
    assert_eq!(sizes(1_000_000), SIZES);
}
