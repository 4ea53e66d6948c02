//! `omk doctor --isolation`: whether an agent shows the model of one variant what belongs to another one.
//!
//! Each variant's agent is called once, as a run would call it, but its requests go to a [server of ours](StandIn). Lines that
//! only one variant's artifact has are looked for in all that was sent.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_cli::CommandError;
use eval_exec::{Access, ExecutorKind};
use eval_format::write_private;
use eval_message::plain::shortened;
use eval_message::{Message, msg};
use eval_spec::hash::short_hash;
use eval_spec::sandbox::MissingGuard;
use eval_spec::suite::{Delivery, Settings};
use eval_spec::variant::ArtifactKind;
use eval_spec::{Call, Cell, Context, Variant};
use serde_json::{Value, json};

use super::finding::{DoctorLine, DoctorStatus, DoctorTopic, of_failure};
use super::stand_in::{SentRequest, StandIn};
use crate::commands::own_prompt;
use crate::commands::project::Chosen;
use crate::commands::project::purpose::Purpose;
use crate::commands::work::ProjectWork;

/// How long one call may take: an agent in Node starts in seconds, on a busy machine in more.
const PATIENCE: Duration = Duration::from_secs(90);
/// Columns of a line that is looked for: shorter ones, such as a heading, may be in the agent's own instructions.
const LEAST: usize = 20;
/// Lines of an artifact that are looked for.
const MARKS: usize = 500;
/// Characters of a line that leaked.
const SHOWN: usize = 40;
/// What the agent is asked; so a request of the call is known from others.
const PROMPT: &str = "omk checks the isolation of this agent. Answer with OK.";
/// The key that the agent gets: nothing else than the stand-in ever sees it.
const KEY: &str = "omk-isolation-check";
/// The version of the file that remembers an outcome.
const VERSION: u32 = 1;

/// Calls the agent once for each variant and says what leaked.
pub(super) fn check(context: &Context, chosen: Chosen) -> Result<Vec<DoctorLine>, CommandError> {
    let topic = DoctorTopic::Isolation;
    let settings = chosen.settings.clone();
    if eval_exec::kind(&settings.executor) != ExecutorKind::Agent {
        let text = msg!("doctor-isolation-no-agent", executor = eval_exec::masked(context, &settings.executor));
        return Ok(vec![DoctorLine::info(topic, text)]);
    }
    let agent = match StoodIn::start(context, chosen)? {
        Ok(agent) => agent,
        Err(failure) => return Ok(of_failure(topic, &failure)),
    };
    let work = &agent.work;
    if work.project.executor.identity().version.is_none() {
        return Ok(vec![DoctorLine::problem(topic, msg!("doctor-isolation-no-program"), None)]);
    }
    let variants = &work.project.suite.variants;
    let marks: Vec<BTreeSet<String>> = variants.iter().map(marks).collect();
    let mut lines = Vec::new();
    for (at, variant) in variants.iter().enumerate() {
        let Some(cell) = work.plan.cells.iter().find(|cell| cell.subject == at) else { continue };
        let (sent, failed) = agent.ask(cell);
        let is_asked = sent.iter().any(|request| request.contains(PROMPT));
        lines.push(match (is_asked, failed) {
            (false, why) => DoctorLine::problem(
                topic.clone(),
                match why {
                    Some(why) => msg!("doctor-isolation-failed", variant = &variant.name, why = why.text(context.lang)),
                    None => msg!("doctor-isolation-silent", variant = &variant.name),
                },
                None,
            ),
            (true, _) => judged(&settings, variants, &marks, at, &sent),
        });
    }
    remember(context, work, &lines);
    Ok(lines)
}

/// Measures what the agent sends of its own, unless that is known of this version: one call whose requests go to our server.
pub(super) fn measure(context: &Context, chosen: Chosen, work: &ProjectWork) {
    let is_agent = eval_exec::kind(&work.project.suite.settings.executor) == ExecutorKind::Agent;
    if !is_agent
        || work.project.executor.identity().version.is_none()
        || own_prompt::tokens(context, &work.project).is_some()
    {
        return;
    }
    // It is only an estimate's: what is wrong with the agent is said elsewhere.
    let Ok(Ok(agent)) = StoodIn::start(context, chosen) else { return };
    let Some(cell) = agent.work.plan.cells.first() else { return };
    let (sent, _) = agent.ask(cell);
    let longest = sent.iter().filter(|request| request.contains(PROMPT)).map(|request| request.texts.len()).max();
    let given = PROMPT.len() + agent.work.project.call(cell).system.map_or(0, |system| system.len());
    let row = eval_exec::named(&work.project.suite.settings.executor);
    if let Some((bytes, row)) = longest.zip(row) {
        own_prompt::remember(context, &work.project, bytes.saturating_sub(given) / row.bytes_per_token);
    }
}

/// An agent whose requests go to a server of ours.
struct StoodIn {
    runtime: tokio::runtime::Runtime,
    server: StandIn,
    work: ProjectWork,
}

impl StoodIn {
    fn start(context: &Context, chosen: Chosen) -> Result<Result<StoodIn, CommandError>, CommandError> {
        let unavailable = |error| CommandError::io(msg!("cli-runtime"))(error);
        let runtime = eval_cli::threads::runtime().map_err(unavailable)?;
        let server = runtime.block_on(StandIn::start()).map_err(unavailable)?;
        let elsewhere = redirected(context, &chosen.settings, &server.url);
        let work = ProjectWork::load(&elsewhere, chosen, Purpose::Checkup);
        Ok(work.map(|work| StoodIn { runtime, server, work }))
    }

    /// Makes one call as in a run, with another prompt; returns what was sent, and why the call failed if it did.
    fn ask(&self, cell: &Cell) -> (Vec<SentRequest>, Option<Message>) {
        let call = Call { prompt: Arc::from(PROMPT), timeout: PATIENCE, ..self.work.project.call(cell) };
        let failed = self.runtime.block_on(self.work.project.executor.call(&call)).err();
        (self.server.take(), failed.map(|error| error.message))
    }
}

/// The surroundings of a call whose requests go to `url`, with a key of ours and no way to a cloud.
fn redirected(context: &Context, settings: &Settings, url: &str) -> Context {
    let mut elsewhere = context.clone();
    elsewhere.env.retain(|name, _| !name.starts_with("CLAUDE_CODE_USE_") && name != "CLAUDE_CODE_OAUTH_TOKEN");
    let access = eval_exec::named(&settings.executor).and_then(|row| (row.access)(context).ok().flatten());
    for (at, name) in access.map(|Access { variables, .. }| variables).unwrap_or_default().into_iter().enumerate() {
        elsewhere.env.remove(name);
        if at == 0 {
            elsewhere.env.insert(name.to_owned(), KEY.to_owned());
        }
    }
    elsewhere.env.insert("CCV_PROXY_URL".to_owned(), url.to_owned());
    for name in ["NO_PROXY", "no_proxy"] {
        elsewhere.env.insert(name.to_owned(), "127.0.0.1,localhost".to_owned());
    }
    elsewhere
}

/// The lines of a variant's artifact and of the skills that it is offered.
fn marks(variant: &Variant) -> BTreeSet<String> {
    let artifacts = std::iter::once(&variant.artifact).chain(&variant.skills);
    let files = artifacts.clone().flat_map(|artifact| &artifact.files);
    let texts = files.filter_map(|file| std::str::from_utf8(&file.bytes).ok());
    // An agent lists skills by it.
    let described = artifacts.filter_map(|artifact| artifact.front_matter.as_ref()?.get("description")?.as_str());
    let lines = described.chain(texts).flat_map(str::lines).map(str::trim).filter(|line| is_telling(line));
    lines.take(MARKS).map(str::to_owned).collect()
}

/// Whether a line is long enough to say where it comes from.
fn is_telling(line: &str) -> bool {
    line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum::<usize>() >= LEAST
}

/// What the requests of one variant show of the others, and of itself.
fn judged(
    settings: &Settings,
    variants: &[Variant],
    marks: &[BTreeSet<String>],
    at: usize,
    sent: &[SentRequest],
) -> DoctorLine {
    let topic = DoctorTopic::Isolation;
    let name = &variants[at].name;
    let is_sent = |line: &&String| sent.iter().any(|request| request.contains(line.as_str()));
    for (other, lines) in marks.iter().enumerate().filter(|(other, _)| *other != at) {
        if let Some(line) = lines.difference(&marks[at]).find(is_sent) {
            let line = shortened(line, SHOWN);
            let text = msg!("doctor-isolation-leak", variant = name, other = &variants[other].name, line = line);
            let remedy = match settings.strict_baseline {
                true => msg!("doctor-isolation-leak-remedy"),
                false => msg!("doctor-isolation-open-remedy"),
            };
            return DoctorLine::problem(topic, text, remedy);
        }
        let (one, own) = (&variants[other].artifact, &variants[at].artifact);
        if one.kind != ArtifactKind::Baseline && one.hash() != own.hash() && lines.is_subset(&marks[at]) {
            let text = msg!("doctor-isolation-unmarked", variant = name, other = &variants[other].name);
            return DoctorLine::warning(topic, text, msg!("doctor-isolation-unmarked-remedy"));
        }
    }
    let is_told = settings.delivery_of_variant(&variants[at]) == Delivery::SystemPrompt;
    let body = variants[at].artifact.body.as_deref().filter(|_| is_told).unwrap_or_default();
    let own = || body.lines().map(str::trim).filter(|line| is_telling(line));
    let is_lost = own().next().is_some() && !own().any(|line| sent.iter().any(|request| request.contains(line)));
    match is_lost {
        true => DoctorLine::problem(topic, msg!("doctor-isolation-lost", variant = name), None),
        false => DoctorLine::ok(topic, msg!("doctor-isolation-clean", variant = name, requests = sent.len())),
    }
}

/// The file that remembers the outcome for this version of the agent, its flags, and these artifacts.
fn memory(context: &Context, work: &ProjectWork) -> PathBuf {
    let identity = work.project.executor.identity();
    let artifacts: Vec<String> = work.project.suite.variants.iter().map(|of| of.artifact.hash()).collect();
    let key = json!([identity.executor, identity.version, identity.details, artifacts, context.cwd]).to_string();
    context.home.join("cache").join("isolation").join(format!("{}.json", short_hash(key.as_bytes(), 16)))
}

fn remember(context: &Context, work: &ProjectWork, lines: &[DoctorLine]) {
    let identity = work.project.executor.identity();
    let is_clean = lines.iter().all(|line| line.status == DoctorStatus::Ok);
    let document = json!({
        "formatVersion": VERSION,
        "executor": identity.executor,
        "version": identity.version,
        "flags": identity.details,
        "checkedAt": context.now().to_string(),
        "clean": is_clean,
    });
    // It is only a memory: the outcome has been said.
    let _ = write_private(&memory(context, work), format!("{document:#}\n").as_bytes());
}

/// What the agents may do without asking, and what of their sandbox is in force.
pub(super) fn sandbox(work: &ProjectWork) -> Vec<DoctorLine> {
    let (suite, identity) = (&work.project.suite, work.project.executor.identity());
    if eval_exec::kind(&suite.settings.executor) != ExecutorKind::Agent || identity.version.is_none() {
        return Vec::new();
    }
    let topic = || DoctorTopic::Sandbox;
    let modes: BTreeSet<&str> =
        suite.variants.iter().map(|of| suite.settings.permissions_of_variant(of).word()).collect();
    let modes = modes.into_iter().collect::<Vec<_>>().join(", ");
    let Some(sandbox) = &identity.sandbox else {
        return vec![DoctorLine::info(topic(), msg!("doctor-sandbox-off", modes = modes))];
    };
    // Without devices of its own a call is as confined as with them.
    let line = |of: &MissingGuard, text: Message| match ["shared-memory", "terminals"].contains(&of.guard.as_str()) {
        true => DoctorLine { remedy: Some(msg!("doctor-sandbox-mounts-remedy")), ..DoctorLine::info(topic(), text) },
        false => DoctorLine::warning(topic(), text, msg!("doctor-sandbox-remedy")),
    };
    let missing = sandbox.not_enforced.iter().filter_map(|of| Some(line(of, of.why.message(&of.guard)?)));
    let guards = sandbox.enforced.join(", ");
    let enforced = || DoctorLine::ok(topic(), msg!("doctor-sandbox", guards = guards, modes = modes));
    (!sandbox.enforced.is_empty()).then(enforced).into_iter().chain(missing).collect()
}

/// What an earlier check of the same agent, flags and artifacts found.
pub(super) fn remembered(context: &Context, work: &ProjectWork) -> Option<DoctorLine> {
    let topic = DoctorTopic::Isolation;
    if eval_exec::kind(&work.project.suite.settings.executor) != ExecutorKind::Agent {
        return None;
    }
    let stored = std::fs::read(memory(context, work)).ok();
    let stored: Option<Value> = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(stored) = stored.filter(|stored| stored["formatVersion"] == VERSION) else {
        return Some(DoctorLine::info(topic, msg!("doctor-isolation-never")));
    };
    let at = stored["checkedAt"].as_str().unwrap_or_default().split('T').next().unwrap_or_default();
    Some(match stored["clean"] == true {
        true => DoctorLine::ok(topic, msg!("doctor-isolation-was-clean", date = at)),
        false => DoctorLine::problem(
            topic,
            msg!("doctor-isolation-was-open", date = at),
            msg!("doctor-isolation-again-remedy"),
        ),
    })
}
