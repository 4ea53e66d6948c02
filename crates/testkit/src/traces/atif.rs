//! Checks ATIF 1.7, by its RFC and the models of Harbor 0.25.

use std::collections::HashSet;

use serde_json::Value;

use super::{check_fields, check_type, items};

/// Returns the errors of a trajectory.
#[must_use]
pub fn atif_errors(trajectory: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    check(trajectory, "$", &mut errors);
    errors
}

fn check(trajectory: &Value, path: &str, errors: &mut Vec<String>) {
    let optional = "session_id trajectory_id notes final_metrics continued_trajectory_ref extra subagent_trajectories";
    check_fields(trajectory, optional, "schema_version agent steps", path, errors);
    if trajectory["schema_version"] != "ATIF-v1.7" {
        errors.push(format!("{path}.schema_version: {}", trajectory["schema_version"]));
    }
    for key in ["session_id", "trajectory_id", "notes"] {
        check_type(trajectory, key, Value::is_string, path, errors);
    }
    check_type(trajectory, "extra", Value::is_object, path, errors);
    let agent = format!("{path}.agent");
    check_fields(&trajectory["agent"], "model_name tool_definitions extra", "name version", &agent, errors);
    for key in ["name", "version", "model_name"] {
        check_type(&trajectory["agent"], key, Value::is_string, &agent, errors);
    }
    if items(trajectory, "steps").is_empty() {
        errors.push(format!("{path}.steps: at least one is needed"));
    }
    let inner = items(trajectory, "subagent_trajectories");
    let ids: Vec<&str> = inner.iter().filter_map(|inner| inner["trajectory_id"].as_str()).collect();
    if ids.len() < inner.len() || ids.iter().collect::<HashSet<_>>().len() < ids.len() {
        errors.push(format!("{path}.subagent_trajectories: each needs a trajectory_id of its own"));
    }
    for (i, step) in items(trajectory, "steps").iter().enumerate() {
        check_step(step, i + 1, &ids, &format!("{path}.steps[{i}]"), errors);
    }
    for (i, inner_trajectory) in inner.iter().enumerate() {
        check(inner_trajectory, &format!("{path}.subagent_trajectories[{i}]"), errors);
    }
    if let Some(metrics) = trajectory.get("final_metrics") {
        let path = format!("{path}.final_metrics");
        let tokens = "total_prompt_tokens total_completion_tokens total_cached_tokens total_steps";
        check_fields(metrics, &format!("{tokens} total_cost_usd extra"), "", &path, errors);
        tokens.split(' ').for_each(|key| check_type(metrics, key, Value::is_u64, &path, errors));
        check_type(metrics, "total_cost_usd", Value::is_number, &path, errors);
        if metrics.get("total_steps").is_some_and(|count| count != items(trajectory, "steps").len()) {
            errors.push(format!("{path}.total_steps: {}", metrics["total_steps"]));
        }
    }
}

fn check_step(step: &Value, number: usize, sub_agents: &[&str], path: &str, errors: &mut Vec<String>) {
    let of_agents = "model_name reasoning_effort reasoning_content tool_calls metrics";
    let optional = format!("timestamp observation is_copied_context llm_call_count extra {of_agents}");
    check_fields(step, &optional, "step_id source message", path, errors);
    if step["step_id"] != number {
        errors.push(format!("{path}.step_id: {} where {number} comes next", step["step_id"]));
    }
    check_type(step, "message", Value::is_string, path, errors);
    let is_time = |value: &Value| value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok());
    check_type(step, "timestamp", is_time, path, errors);
    match step["source"].as_str() {
        Some("agent") => {}
        Some("user" | "system") => {
            let wrong = of_agents.split(' ').filter(|key| step.get(*key).is_some());
            errors.extend(wrong.map(|key| format!("{path}.{key}: only agents have it")));
        }
        _ => errors.push(format!("{path}.source: {}", step["source"])),
    }
    let mut calls = HashSet::new();
    for (i, call) in items(step, "tool_calls").iter().enumerate() {
        let path = format!("{path}.tool_calls[{i}]");
        check_fields(call, "extra", "tool_call_id function_name arguments", &path, errors);
        check_type(call, "function_name", Value::is_string, &path, errors);
        check_type(call, "arguments", Value::is_object, &path, errors);
        check_type(call, "tool_call_id", Value::is_string, &path, errors);
        if !calls.insert(call["tool_call_id"].as_str().unwrap_or_default()) {
            errors.push(format!("{path}.tool_call_id: {} again", call["tool_call_id"]));
        }
    }
    if let Some(observation) = step.get("observation") {
        check_fields(observation, "", "results", path, errors);
        for (i, result) in items(observation, "results").iter().enumerate() {
            let path = format!("{path}.observation.results[{i}]");
            check_result(result, &calls, sub_agents, &path, errors);
        }
    }
    if let Some(metrics) = step.get("metrics") {
        let path = format!("{path}.metrics");
        check_fields(metrics, "prompt_tokens completion_tokens cached_tokens cost_usd extra", "", &path, errors);
        for key in ["prompt_tokens", "completion_tokens", "cached_tokens"] {
            check_type(metrics, key, Value::is_u64, &path, errors);
        }
    }
}

fn check_result(result: &Value, calls: &HashSet<&str>, sub_agents: &[&str], path: &str, errors: &mut Vec<String>) {
    check_fields(result, "source_call_id content subagent_trajectory_ref extra", "", path, errors);
    check_type(result, "content", Value::is_string, path, errors);
    if !result["source_call_id"].as_str().is_none_or(|id| calls.contains(id)) {
        errors.push(format!("{path}.source_call_id: {} is no call of this step", result["source_call_id"]));
    }
    for reference in items(result, "subagent_trajectory_ref") {
        check_fields(reference, "session_id trajectory_path extra", "trajectory_id", path, errors);
        if !reference["trajectory_id"].as_str().is_some_and(|id| sub_agents.contains(&id)) {
            errors.push(format!("{path}: {} is no trajectory of a sub-agent", reference["trajectory_id"]));
        }
    }
}
