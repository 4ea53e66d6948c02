//! The benchmarks that are compiled in.

use std::sync::Arc;

use eval_spec::callable::{Benchmark, BenchmarkSource, ScorerType};
use eval_spec::source::SourceFile;
use eval_spec::{Context, Diagnostics};

use super::{BenchmarkForm, BenchmarkReading};
use crate::Loaded;

/// Their ids and texts, in the order of the seed.
pub const BUILT_IN_BENCHMARKS: &[(&str, &str)] = &[
    ("coding-easy", include_str!("../../../../benchmarks/coding-easy.json")),
    ("skill-quality", include_str!("../../../../benchmarks/skill-quality.json")),
    ("web-search-basic", include_str!("../../../../benchmarks/web-search-basic.json")),
    ("gaia-v1", include_str!("../../../../benchmarks/gaia-v1.json")),
    ("toolbench-lite", include_str!("../../../../benchmarks/toolbench-lite.json")),
];

/// The built-in benchmark of this id.
pub(super) fn benchmark(
    context: &Context,
    id: &str,
    default: ScorerType,
) -> Option<Result<Loaded<Benchmark>, Diagnostics>> {
    let (_, text) = BUILT_IN_BENCHMARKS.iter().find(|(known, _)| *known == id)?;
    let source = Arc::new(SourceFile { name: format!("{id} (built in)"), text: (*text).to_owned() });
    Some(
        BenchmarkReading { source: BenchmarkSource::BuiltIn, default, form: BenchmarkForm::Benchmark }
            .read(context, &source),
    )
}
