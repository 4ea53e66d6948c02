//! `--regrade ID`: grades the answers of an earlier run with the project as it is now. Nothing is executed; only judges are
//! asked.

use eval_cli::driver::journal::begun_in;
use eval_cli::{CommandError, Terminal};
use eval_message::msg;
use eval_run::Journal;
use eval_spec::plan::Plan;
use eval_spec::record::{Executed, Header, Record};
use eval_spec::suite::{Settings, Written};
use eval_spec::{Context, Failure, Identity, Suite};

use super::project::{self, Chosen, KnownUrls, Named, Project, urls};
use super::work::{ProjectWork, decider};
use crate::commands::project::purpose::Purpose;
use crate::commands::stored_run::{find, refuse_masked_judge, stored_settings, trees};

pub(crate) struct Answers {
    /// The journal of the graded run, open for reading.
    pub(crate) journal: Journal,
    /// If that is a regraded run itself, the runs that its answers come from: killed while it copied them, it lacks some.
    origins: Vec<Journal>,
}

impl Answers {
    /// Copies every answer into the journal of the new run.
    pub(crate) fn adopt_into(&self, journal: &Journal, plan: &Plan) -> Result<(), CommandError> {
        for answers in std::iter::once(&self.journal).chain(&self.origins) {
            journal.adopt(plan, answers)?;
        }
        Ok(())
    }
}

/// Opens the answers of the run `id`, or of the last one with `latest`. Flags override the run's settings; the calls of the
/// model must be the same.
pub(crate) fn open(
    context: &Context,
    terminal: &Terminal,
    id: &str,
    flags: Written,
    trusts_servers: bool,
) -> Result<ProjectWork, CommandError> {
    let flags = project::absolute(context, flags);
    let names_servers = flags.mcp_config.is_some();
    let path = find(context, id)?;
    let journal = Journal::read(&path)?;
    journal.check_lines(false)?;
    journal.bad_lines().for_each(|bad| terminal.warn(&bad));
    let header = journal.header();
    let stored = stored_settings(context, &path, header)?;
    refuse_masked_judge(&flags, &stored, &header.id)?;
    // Nothing is executed, so nothing is recorded.
    let unrecorded = Settings { record: None, ..stored };
    let settings = project::merge(flags, unrecorded.clone().into_written()).resolve();
    project::check_settings(&settings)?;
    let order_seed = order_seed(&settings, header);
    let urls = Some(KnownUrls { run: header.id.clone(), urls: header.urls.clone(), names_servers });
    let chosen = Chosen { settings, named: Named::default(), trees: Some(trees(header)), order_seed, urls };
    let purpose = Purpose::Regrade(Box::new(answered_by(header)?));
    let begun_in = begun_in(context, header);
    if trusts_servers {
        urls::trust(&begun_in, terminal, &chosen)?;
    }
    let work = ProjectWork::load(&begun_in, chosen, purpose)?;
    let origins = origins(context, header)?;
    refuse_missing(context, &work, &unrecorded, &journal, &origins)?;
    Ok(ProjectWork { answers: Some(Answers { journal, origins }), context: context.clone(), ..work })
}

/// Every cell must have its answer, unless the run ended as soon as it was decided.
fn refuse_missing(
    context: &Context,
    work: &ProjectWork,
    stored: &Settings,
    answers: &Journal,
    origins: &[Journal],
) -> Result<(), CommandError> {
    let first = origins.last().unwrap_or(answers);
    let first_settings = stored_settings(context, first.path(), first.header())?;
    let (project, plan) = (&work.project, &work.plan);
    // If the first run's journal is gone, a graded copy has all of its answers.
    let is_believed = first.header().regrade_of.is_some() && may_end(project, stored) && is_graded(first, plan)?;
    if is_believed || was_decided(project, &first_settings, plan, first)? {
        return Ok(());
    }
    check(&answers.header().id, std::iter::once(answers).chain(origins), plan)
}

/// The seed of the earlier run's order, if it may have ended early: its answers are a prefix in that order.
pub(crate) fn order_seed(settings: &Settings, header: &Header) -> Option<u64> {
    settings.planned_looks().is_some().then_some(header.order_seed)
}

/// The runs that a regraded run's answers come from, as far as their journals exist; the original run is last.
fn origins(context: &Context, header: &Header) -> Result<Vec<Journal>, CommandError> {
    let mut found: Vec<Journal> = Vec::new();
    let mut next = header.regrade_of.clone();
    while let Some(id) = next.take() {
        // A header is a file that anybody may edit: it may name itself.
        let is_known = id == header.id || found.iter().any(|known| known.header().id == id);
        let Some(path) = find(context, &id).ok().filter(|_| !is_known) else { break };
        let journal = Journal::read(&path)?;
        next.clone_from(&journal.header().regrade_of);
        found.push(journal);
    }
    Ok(found)
}

fn may_end(project: &Project, stored: &Settings) -> bool {
    stored.planned_looks().is_some() && project.suite.settings.planned_looks().is_some()
}

/// Whether any record is graded: grading begins once all answers are copied.
fn is_graded(journal: &Journal, plan: &Plan) -> Result<bool, CommandError> {
    for (_, record) in journal.records(plan) {
        if record?.is_some_and(|record| record.grade.is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the first run ended as soon as it was decided, by its own grades and settings; it has no further answers. It is read as
/// the first look at its artifacts, by which no run goes on longer.
fn was_decided(project: &Project, stored: &Settings, plan: &Plan, answers: &Journal) -> Result<bool, CommandError> {
    if !may_end(project, stored) {
        return Ok(false);
    }
    let suite = Suite {
        samples: project.suite.samples.clone(),
        variants: project.suite.variants.clone(),
        settings: stored.clone(),
        knowledge: eval_spec::knowledge::KnowledgeBase::default(),
        warnings: Vec::new(),
    };
    Ok(eval_run::is_decided(plan, answers, decider(&suite, project, plan, Vec::new))?)
}

/// The part of `plan` with answers: whole samples in its order, up to the first that lacks one. `None` if the run is not
/// regraded, or can't have ended early.
pub(super) fn answered(project: &Project, plan: &Plan, journal: &Journal) -> Result<Option<Plan>, CommandError> {
    if journal.header().regrade_of.is_none() || project.suite.settings.planned_looks().is_none() {
        return Ok(None);
    }
    let mut end = plan.cells.len();
    for (at, record) in journal.records(plan) {
        if !record?.as_ref().is_some_and(is_answer) {
            let sample = plan.cells[at].sample;
            end = plan.cells.iter().position(|cell| cell.sample == sample).unwrap_or(at);
            break;
        }
    }
    Ok(Some(Plan { cells: plan.cells[..end].to_vec(), hash: plan.hash.clone() }))
}

/// Whether a record has an answer, or a failure in its place.
fn is_answer(record: &Record) -> bool {
    !matches!(&record.execution.result, Executed::Failed(error) if error.failure == Failure::Interrupted)
}

/// Copies the answers that a regraded run lacks because it was killed while it copied them.
pub(crate) fn take_over_rest(
    context: &Context,
    project: &Project,
    journal: &Journal,
    plan: &Plan,
) -> Result<(), CommandError> {
    let Some(graded) = &journal.header().regrade_of else { return Ok(()) };
    if journal.is_answered(plan) {
        return Ok(());
    }
    let may_end_early = project.suite.settings.planned_looks().is_some();
    let origins = origins(context, journal.header())?;
    if origins.is_empty() && !(may_end_early && is_graded(journal, plan)?) {
        // The copy is incomplete, and its source is gone: an error that names the source.
        find(context, graded)?;
    }
    if !may_end_early {
        check(graded, std::iter::once(journal).chain(&origins), plan)?;
    }
    for answers in &origins {
        journal.adopt(plan, answers)?;
    }
    Ok(())
}

/// The identity of the executor that answered in the earlier run.
pub(crate) fn answered_by(header: &Header) -> Result<Identity, CommandError> {
    let identity = header.inputs.get("executor").cloned().unwrap_or_default();
    serde_json::from_value(identity)
        .map_err(|_| CommandError::usage(msg!("cli-regrade-unknown-executor", id = &header.id), None))
}

/// Refuses cells that have neither an answer nor a failure.
fn check<'a>(id: &str, answers: impl Iterator<Item = &'a Journal>, plan: &Plan) -> Result<(), CommandError> {
    let mut has = vec![false; plan.cells.len()];
    for journal in answers {
        for (at, record) in journal.records(plan) {
            has[at] |= record?.is_some();
        }
    }
    match has.iter().filter(|has| !**has).count() {
        0 => Ok(()),
        count => Err(CommandError::usage(
            msg!("cli-regrade-without", id = id, count = count, total = plan.cells.len()),
            msg!("cli-regrade-without-help", id = id),
        )),
    }
}
