//! The built binary, as its users run it. Modules are named after the rows of the specification
//! that they show: `c` command line, `s` samples, `v` variants, `x` execution, `g` grading, `r`
//! report, `t` statistics.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod agent_skills_evals;
mod architecture;
mod c;
mod c1;
mod c1_init;
mod c2;
mod c2_errors;
mod c3;
mod c4;
mod c5;
mod c5_home;
mod c6;
mod catalogue;
mod context;
mod court;
mod docs;
mod enough;
mod g;
mod g5_gold;
mod g5_judges;
mod g5_pairwise;
mod g5_regrade;
mod g5_report;
mod malformed;
mod malformed_reports;
mod prepared;
mod r;
mod s;
mod t;
mod t10_edits;
mod t10_older;
mod t10_report;
mod t_compare;
mod t_failures;
mod t_quality;
mod v;
mod x;
