//! `evals/evals.json` of an Agent Skill, as a sample file of our own: for those who go on writing it with our assertions.
//! `omk eval --samples evals/evals.json` reads the file itself.

use eval_message::msg;

use super::reader::{Case, CaseReader, CaseSource, RowColumns};
use crate::agent_evals;

pub(super) fn detect(source: &CaseSource) -> bool {
    source.root.as_ref().is_some_and(|root| agent_evals::list(root).is_some())
}

pub(super) fn read(reader: &mut CaseReader, source: &CaseSource, _: &RowColumns) {
    let Some(root) = &source.root else { return };
    for sample in agent_evals::evals(root, reader.folder, reader.problems) {
        let criteria: Vec<String> = sample
            .assertions
            .iter()
            .filter_map(|assertion| assertion.written.get("value")?.as_str().map(str::to_owned))
            .collect();
        reader.checks.same += criteria.len();
        let named = sample.eval.and_then(|eval| eval.name);
        let has_files = sample.environment.is_some();
        if has_files {
            reader.differs("`files`", true, msg!("import-evals-files"), root.span);
        }
        reader.cases.push(Case {
            id: Some(named.unwrap_or(sample.id)),
            prompt: sample.prompt,
            criteria,
            is_partial: has_files,
            ..Case::default()
        });
    }
}
