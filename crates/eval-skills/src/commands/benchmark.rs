use eval_cli::Terminal;
use eval_cli::exit::Failure;
use eval_spec::Context;

use crate::cli::{BenchmarkArgs, Global};

pub(crate) fn run(
    _context: &Context,
    _terminal: &Terminal,
    _global: &Global,
    _arguments: &BenchmarkArgs,
) -> Result<u8, Failure> {
    todo!("a builder of this issue fills it")
}
