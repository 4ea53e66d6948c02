//! Uncertainty: how much the samples of a run can show.

mod sample_size;
