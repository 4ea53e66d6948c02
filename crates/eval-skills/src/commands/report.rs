use eval_cli::Terminal;
use eval_cli::exit::Failure;
use eval_spec::Context;

use crate::cli::{ConvertArgs, DiffArgs};

pub(crate) fn convert(_context: &Context, _terminal: &Terminal, _arguments: &ConvertArgs) -> Result<u8, Failure> {
    todo!("a builder of this issue fills it")
}

pub(crate) fn diff(_context: &Context, _terminal: &Terminal, _arguments: &DiffArgs) -> Result<u8, Failure> {
    todo!("a builder of this issue fills it")
}
