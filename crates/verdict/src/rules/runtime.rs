//! Whether one and the same agent answered in both arms: its version, its program, its tools, its MCP servers.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{ArmInputs, Limits, RuntimeCounts, TreatmentInputs};

use super::share::{CountShare, gap};
use crate::reason::{Alarm, Reason, ShareGap};

/// The tool by which agents load skills: only an arm with skills has it.
const LOADER: &str = "Skill";
/// The beginning of the names of tools that MCP servers offer, some of them only after the agent has begun.
const OF_SERVER: &str = "mcp__";

/// What shows that the agents of control and treatment were not the same.
pub(super) fn alarms(limits: &Limits, treated: &TreatmentInputs, arms: [&ArmInputs; 2]) -> Vec<Reason> {
    let differ = [versions(arms), replaced(arms), changed_cwds(arms), tools(limits, treated, arms)];
    let differ = differ.into_iter().flatten();
    differ.chain(arms.into_iter().flat_map(failed_servers)).map(Reason::from).collect()
}

/// Answers of two versions are two measurements, however they are spread over the arms.
fn versions(arms: [&ArmInputs; 2]) -> Option<Alarm> {
    let of = |arm: &ArmInputs, version: &str| counted(arm, |of| of.versions.get(version).copied().unwrap_or(0));
    let all = names(arms, |of| &of.versions);
    let versions = || all.iter().map(|version| (version.clone(), of(arms[0], version), of(arms[1], version))).collect();
    (all.len() > 1).then(|| Alarm::VersionsDiffer { versions: versions() })
}

fn replaced(arms: [&ArmInputs; 2]) -> Option<Alarm> {
    let [control, treatment] = arms.map(|arm| counted(arm, |of| of.replaced_by.values().sum()));
    (control + treatment > 0).then_some(Alarm::ProgramReplaced { control, treatment })
}

/// Answers beside other files than the run began with; a change before the first answer is none.
fn changed_cwds(arms: [&ArmInputs; 2]) -> Option<Alarm> {
    let [control, treatment] = arms.map(|arm| counted(arm, |of| of.changed_cwds.values().sum()));
    let answers: u64 = arms.iter().map(|arm| arm.outcomes.came_back()).sum();
    let is_mixed = names(arms, |of| &of.changed_cwds).len() > 1 || control + treatment < answers;
    (control + treatment > 0 && is_mixed).then_some(Alarm::FilesChanged { control, treatment })
}

/// Files of the project may decide on tools, so where the artifact is such files, other tools are its doing.
fn tools(limits: &Limits, treated: &TreatmentInputs, arms: [&ArmInputs; 2]) -> Option<Alarm> {
    let gives_files = |arm: &ArmInputs| arm.delivery.is_some_and(|delivery| delivery.loaded.is_none());
    let is_own = |tool: &String| tool != LOADER && !tool.starts_with(OF_SERVER);
    let says_tools = |arm: &ArmInputs| counted(arm, |of| u64::from(!of.tools.is_empty())) > 0;
    if gives_files(&treated.arm) || !arms.into_iter().all(says_tools) {
        return None;
    }
    names(arms, |of| &of.tools).into_iter().filter(is_own).find_map(|tool| {
        let share = |arm: &ArmInputs| CountShare {
            part: counted(arm, |of| of.tools.get(&tool).copied().unwrap_or(0)),
            whole: counted(arm, |of| of.executions),
        };
        let ShareGap { control, treatment, .. } = gap(arms.map(share), limits.share_points)?;
        Some(Alarm::ToolsDiffer { tool, control, treatment })
    })
}

fn failed_servers(arm: &ArmInputs) -> Vec<Alarm> {
    let Some(runtimes) = &arm.runtimes else { return Vec::new() };
    let alarm = |(server, failed): (&String, &u64)| Alarm::ServerFailed {
        variant: arm.name.clone(),
        server: server.clone(),
        failed: *failed,
        executions: runtimes.executions,
    };
    runtimes.failed_servers.iter().map(alarm).collect()
}

fn counted(arm: &ArmInputs, of: impl Fn(&RuntimeCounts) -> u64) -> u64 {
    arm.runtimes.as_ref().map_or(0, of)
}

fn names(arms: [&ArmInputs; 2], of: fn(&RuntimeCounts) -> &BTreeMap<String, u64>) -> BTreeSet<String> {
    arms.iter().filter_map(|arm| arm.runtimes.as_ref()).flat_map(|all| of(all).keys()).cloned().collect()
}
