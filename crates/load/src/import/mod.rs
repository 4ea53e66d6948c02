//! Published data sets → benchmarks. Their licences don't allow us to include the data, so users import the files as they
//! are published.

mod gaia;
pub(crate) mod toolbench;

use std::path::Path;

use eval_message::msg;
use eval_spec::source::Span;
use eval_spec::{Context, Diagnostics};
use serde_json::{Value, json};

use super::problems::Problems;
use super::{Loaded, benchmark, file};

/// A data set that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataSet {
    /// GAIA's `metadata.jsonl`: one question a line.
    Gaia {
        /// Only questions of this level, 1–3; of level 1 and with a warning without it.
        level: Option<u32>,
    },
    /// ToolBench's query files, such as `G1_instruction.json`; or a list of queries with the calls that answer them.
    ToolBench,
}

/// Makes a benchmark, as its file would say it, of a data set's own file at `path`. Its id is that of the built-in
/// benchmark that holds the place, so that it is used instead of that once it lies in the benchmarks' directory.
///
/// What can't be scored, such as a question whose answer is withheld, is left out with a warning.
///
/// # Errors
/// Everything in the file that isn't as its publishers describe it, each at its line; that nothing is left; or what
/// [`benchmark_file`](super::benchmark_file) would refuse in the benchmark.
pub fn import(context: &Context, path: &Path, set: DataSet) -> Result<Loaded<Value>, Diagnostics> {
    let path = context.absolute(path);
    let source = file::read(context, &path)?;
    let mut problems = Problems::new(context, &source);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (head, tasks) = match set {
        DataSet::Gaia { level } => {
            let folder = path.parent().unwrap_or(Path::new("/"));
            (gaia::head(level), gaia::tasks(&source.text, folder, level, &mut problems))
        }
        DataSet::ToolBench => (toolbench::head(), toolbench::tasks(&source.text, &mut problems)),
    };
    if tasks.is_empty() && !problems.has_errors() {
        problems.error(Span::default(), msg!("skills-grade-import-empty"));
    }
    let imported = problems.finish(head.document(&name, tasks))?;
    benchmark::check(
        context,
        &format!("{name} → {}", imported.value["id"].as_str().unwrap_or_default()),
        &imported.value,
    )?;
    Ok(imported)
}

/// The description of a benchmark.
struct ImportHead {
    id: String,
    name: String,
    domain: &'static str,
    description: &'static str,
    max_latency_ms: u64,
    source: &'static str,
}

impl ImportHead {
    fn document(self, file: &str, tasks: Vec<Value>) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "version": "1.0.0",
            "domain": self.domain,
            "description": self.description,
            "scoringMethod": "mean",
            "maxLatencyMs": self.max_latency_ms,
            "metadata": { "source": self.source, "importedFrom": file },
            "tasks": tasks,
        })
    }
}
