//! A report as programs read it: [`cases`] for what reads test results, [`rows`] for spreadsheets.

pub(crate) mod cases;
pub(crate) mod comparison;
pub(crate) mod evaluation;
pub(crate) mod rows;
pub(crate) mod threads;
