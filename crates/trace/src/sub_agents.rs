//! Sub-agents that have a session of their own → their calls below the call that started them.

use std::collections::HashMap;

use eval_spec::call::Step;

/// The steps of the main thread, and after each call those of the sub-agents that it started, theirs included. Texts of
/// sub-agents are left out, as they are no answers.
///
/// `threads` are the steps of each sub-agent with the call that started it. Where the transcript doesn't tell the call, it is
/// the id of the sub-agent, and its steps are last.
pub(crate) fn nested(main: Vec<Step>, threads: Vec<(String, Vec<Step>)>) -> Vec<Step> {
    let mut below: HashMap<String, Vec<Step>> = HashMap::new();
    let mut order = Vec::new();
    for (parent, steps) in threads {
        if !below.contains_key(&parent) {
            order.push(parent.clone());
        }
        let calls = steps.into_iter().filter_map(|step| match step {
            Step::Tool(mut call) => {
                call.parent = Some(parent.clone());
                Some(Step::Tool(call))
            }
            Step::Text { .. } => None,
        });
        let calls: Vec<Step> = calls.collect();
        below.entry(parent).or_default().extend(calls);
    }
    let mut steps = Vec::new();
    main.into_iter().for_each(|step| add(step, &mut below, &mut steps));
    for parent in order {
        let rest = below.remove(&parent).unwrap_or_default();
        rest.into_iter().for_each(|step| add(step, &mut below, &mut steps));
    }
    steps
}

/// Adds a step and what is below it; each is taken once, so that threads which name each other end.
fn add(step: Step, below: &mut HashMap<String, Vec<Step>>, steps: &mut Vec<Step>) {
    let inner = match &step {
        Step::Tool(call) => below.remove(&call.id),
        Step::Text { .. } => None,
    };
    steps.push(step);
    inner.into_iter().flatten().for_each(|step| add(step, below, steps));
}
