//! p-values adjusted for multiple tests.

/// Holm's step-down adjusted p-values, in the order given (Holm 1979, "A simple sequentially rejective multiple test
/// procedure"): with `p₍₁₎ ≤ … ≤ p₍ₘ₎`, `p̃₍ᵢ₎ = max_{j ≤ i} min(1, (m − j + 1) p₍ⱼ₎)`.
///
/// An adjusted p-value of at most α may be called significant, with probability α at most of any false call among all.
/// Values are clamped to 0..=1. A NaN is a test without result: it counts as 1, for itself and in `m`.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let p: Vec<f64> = p.iter().map(|&x| as_probability(x)).collect();
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0_f64;
    for (done, &i) in order.iter().enumerate() {
        let remaining = (p.len() - done) as f64;
        largest = largest.max((remaining * p[i]).min(1.0));
        adjusted[i] = largest;
    }
    adjusted
}

fn as_probability(x: f64) -> f64 {
    if x.is_nan() { 1.0 } else { x.clamp(0.0, 1.0) }
}
