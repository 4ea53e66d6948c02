//! The programs that an evaluation may need, and which of them this one does.

use std::collections::BTreeSet;
use std::io;
use std::thread::{self, ScopedJoinHandle};

use eval_cli::judges::judge_executors;
use eval_exec::{EXECUTORS, ExecutorKind, ExecutorType, Probe, version_of};
use eval_message::{Message, msg};
use eval_process::programs::find;
use eval_spec::suite::Settings;
use eval_spec::{Assertion, Context, Sample};

use super::asks_judges;
use super::finding::{DoctorLine, DoctorTopic};
use crate::commands::unmet::is_script;

/// What a run can't do without.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The executors that answer and judge, by name.
    pub(super) executors: BTreeSet<String>,
    git: bool,
    node: bool,
}

impl Needs {
    /// The needs of a project.
    pub(super) fn of(context: &Context, settings: &Settings, samples: &[Sample]) -> Needs {
        let mut executors = BTreeSet::from([settings.executor.clone()]);
        if asks_judges(settings, samples) {
            executors.extend(judge_executors(settings, context));
        }
        let variants = settings.control.iter().chain(&settings.treatments);
        let mut references = variants.flat_map(|of| std::iter::once(&of.artifact).chain(&of.allowed_skills));
        Needs {
            executors,
            git: references.any(|reference| reference.starts_with("git:")),
            node: settings.custom_runtime == "node" && samples.iter().any(|sample| has_script(&sample.assertions)),
        }
    }
}

fn has_script(assertions: &[Assertion]) -> bool {
    assertions.iter().any(|assertion| is_script(assertion) || has_script(&assertion.children))
}

/// A program with its version, or why it says none; `None` where it is missing.
type Asked = Option<Result<String, Message>>;

/// The agents, git and Node: a problem only where the run needs one that is missing.
pub(super) fn lines(context: &Context, needs: &Needs) -> Vec<DoctorLine> {
    // Of the others with a program, the ones that are used.
    let is_shown = |of: &&ExecutorType| of.kind == ExecutorKind::Agent || needs.executors.contains(of.name);
    let agents: Vec<&ExecutorType> = EXECUTORS.iter().filter(|of| of.version.is_some()).filter(is_shown).collect();
    // A version of an agent that runs in Node takes a second.
    let versions: Vec<Asked> = thread::scope(|scope| {
        let ask =
            |agent: &ExecutorType| agent.version?(context).map(|said| said.map_err(|error| error.message().clone()));
        let start = |agent: &&'static ExecutorType| {
            let agent = *agent;
            (agent, thread::Builder::new().spawn_scoped(scope, move || ask(agent)))
        };
        let started: Vec<_> = agents.iter().map(start).collect();
        // Under a limit on threads, one after the other.
        let answer = |(agent, thread): (_, io::Result<ScopedJoinHandle<'_, Asked>>)| match thread {
            Ok(thread) => thread.join().unwrap_or_default(),
            Err(_) => ask(agent),
        };
        started.into_iter().map(answer).collect()
    });
    // It says how to install it.
    let missing = |of: &ExecutorType| match (of.probe)(context) {
        Probe::Missing { why } => (why, None),
        Probe::Ready => (msg!("doctor-missing"), None),
    };
    let of_agents = agents
        .iter()
        .zip(versions)
        .map(|(of, asked)| line(of.name, asked, needs.executors.contains(of.name), missing(of)));
    let other = |name: &str| find(name, context).map(|program| version_of(name, &program, context));
    let others = [("git", needs.git, msg!("doctor-git-remedy")), ("node", needs.node, msg!("doctor-node-remedy"))];
    of_agents
        .chain(
            others
                .map(|(name, needed, remedy)| line(name, other(name), needed, (msg!("doctor-missing"), Some(remedy)))),
        )
        .collect()
}

/// `missing` is what to say, and to do, where the program is needed and missing.
fn line(name: &str, asked: Asked, is_needed: bool, missing: (Message, Option<Message>)) -> DoctorLine {
    let topic = DoctorTopic::Program(name.to_owned());
    match (asked, is_needed) {
        (Some(Ok(version)), true) => DoctorLine::ok(topic, msg!("doctor-version", version = version)),
        (Some(Ok(version)), false) => DoctorLine::info(topic, msg!("doctor-version-unneeded", version = version)),
        (Some(Err(why)), true) => DoctorLine::problem(topic, why, msg!("doctor-version-remedy", name = name)),
        (Some(Err(why)), false) => DoctorLine::info(topic, why),
        (None, true) => DoctorLine::problem(topic, missing.0, missing.1),
        (None, false) => DoctorLine::info(topic, msg!("doctor-missing-unneeded")),
    }
}
