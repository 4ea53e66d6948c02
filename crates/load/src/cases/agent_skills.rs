//! `evals/evals.json` of an Agent Skill, as a sample file of our own: for those who go on writing it with our assertions.
//! `omk eval --samples evals/evals.json` reads the file itself.

use eval_message::msg;

use super::reader::{Case, CaseReader, CaseSource, RowColumns};
use crate::agent_evals;
use crate::tree::NodeData;

pub(super) fn detect(source: &CaseSource) -> bool {
    source.root.as_ref().is_some_and(|root| agent_evals::list(root).is_some())
}

pub(super) fn read(reader: &mut CaseReader, source: &CaseSource, _: &RowColumns) {
    let Some(root) = &source.root else { return };
    let list = root.get("evals").unwrap_or(root);
    let items = if let NodeData::List(items) = &list.data { items.as_slice() } else { &[] };
    for item in items {
        let is_stated = ["expectations", "assertions"].iter().any(|key| item.get(key).is_some());
        if let (true, Some(node)) = (is_stated, item.get("expected_output")) {
            reader.differs("`expected_output`", true, msg!("import-evals-expected"), node.span);
        }
    }
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
