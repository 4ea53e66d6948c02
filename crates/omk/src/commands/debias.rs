//! `omk debias length ID`: the answers of a run judged again with the opposite length setting, and what that changes.

use std::sync::Arc;

use eval_analysis::Cells;
use eval_cli::{Failure, Terminal, ending, exit};
use eval_format::ReadError;
use eval_message::msg;
use eval_render::Show;
use eval_run::{Ended, Journal};
use eval_spec::Context;
use eval_spec::plan::Plan;
use eval_spec::record::Header;
use eval_spec::suite::Written;
use serde_json::{Value, json};

use super::eval::{self, create_journal, run_engine};
use super::project::Project;
use super::regrade::{self, Regrade};
use super::{report, resume};
use crate::cli::DebiasLengthArgs;

/// Judges, stores the second report, and shows the shift with its intervals. It exits with 0 once it is measured:
/// how much is too much is for people to say. Interrupted, the same command goes on; once finished, it shows the shift
/// again and asks nobody.
pub(crate) fn length(context: &Context, terminal: &Terminal, arguments: &DebiasLengthArgs) -> Result<u8, Failure> {
    let path = resume::find(context, &arguments.id)?;
    let header = Journal::read_header(&path)?;
    let stored = resume::stored_settings(context, &path, &header)?;
    let flags = Written {
        debias_length: Some(!stored.debias_length),
        concurrency: arguments.concurrency.map(|n| n as usize),
        budget_usd: arguments.budget_usd.map(Some),
        ..Written::default()
    };
    let graded = regrade::open(context, &header.id, flags)?;
    let Regrade { project, plan, answers, .. } = &graded;
    // A pairwise comparison has no score that could move.
    let is_scored = (0..project.suite.samples.len()).any(|sample| project.grading.questions(sample) > 0);
    if project.judges.is_empty() || !is_scored {
        let help = match project.is_pairwise() {
            true => msg!("cli-debias-compared-help", id = &header.id),
            false => msg!("cli-debias-unjudged-help", id = &header.id),
        };
        return Err(Failure::usage(msg!("cli-debias-unjudged", id = &header.id), help));
    }
    refuse_changed(&header, project)?;
    eval::refuse_unknown_price(context, project, true)?;
    eval::prepare(context, &project.suite.settings)?;
    let journal = Arc::new(match begun(context, &header, project, plan)? {
        Some(journal) => journal,
        None => create_journal(context, project, plan, Some(answers.header()))?,
    });
    graded.adopt_into(&journal)?;
    let id = journal.header().id.clone();
    terminal.note(&msg!("cli-run-id", id = &id));
    let end = run_engine(context, terminal, project, plan, &journal)?;
    if !matches!(end.ended, Ended::Complete | Ended::Decided) {
        let resume = msg!("cli-resume-with", command = format!("omk debias length {}", header.id));
        let Some(reason) = ending::ended_early(&end, &journal, context.lang) else {
            return Ok(ending::interrupted(terminal, &end, &resume));
        };
        terminal.usage(&reason, &[resume]);
        return Ok(exit::INVALID);
    }
    let path = report::store(context, project, plan, &journal, &end.ended)?;
    let shift = {
        let (now, before) = (reader(&journal, plan), reader(answers, plan));
        let now = Cells { plan, read: &now, pair: &|_| Ok(None) };
        let before = Cells { plan, read: &before, pair: &|_| Ok(None) };
        let (with, without) = if stored.debias_length { (&before, &now) } else { (&now, &before) };
        eval_analysis::length_shift(&project.suite, project.seed, with, without)?
    };
    terminal.json(|| json!({"of": header.id, "judgedAgain": id, "lengthShift": shift}));
    let show = Show { lang: terminal.lang(), width: terminal.width, color: terminal.color, exit_code: false };
    terminal.text(&eval_render::length_shift_text(&shift, show));
    terminal.note(&msg!("cli-report-saved", path = context.display(&path)));
    // Nothing that was judged both ways is no measurement.
    Ok(if shift.samples == 0 { exit::INVALID } else { exit::OK })
}

/// What judges are asked must be what they were asked then: another rubric or another judge moves scores, too.
fn refuse_changed(before: &Header, project: &Project) -> Result<(), Failure> {
    let inputs = project.inputs();
    let judged_by = |inputs: &Value| {
        let judge = &inputs["judge"];
        (judge["judges"].clone(), judge["repeat"].clone())
    };
    let mut changes: Vec<String> = resume::differing(&before.inputs["samples"], &inputs["samples"]).collect();
    if judged_by(&before.inputs) != judged_by(&inputs) {
        changes.push("judge".to_owned());
    }
    if changes.is_empty() {
        return Ok(());
    }
    let more = if changes.len() > 5 { ", …" } else { "" };
    let named = changes.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    Err(Failure::usage(
        msg!("cli-debias-changed", id = &before.id, changes = format!("{named}{more}")),
        msg!("cli-debias-changed-help", id = &before.id),
    ))
}

/// The judging that an earlier call of this command began, or finished, on the same answers with the same questions:
/// what it paid for is not asked again.
fn begun(context: &Context, of: &Header, project: &Project, plan: &Plan) -> Result<Option<Journal>, Failure> {
    let inputs = project.inputs();
    let is_same = |header: &Header| {
        header.regrade_of.as_ref() == Some(&of.id) && header.plan_hash == plan.hash && header.inputs == inputs
    };
    let path = eval_run::latest_where(&context.home, is_same)?;
    Ok(path.map(|path| Journal::resume(&path)).transpose()?)
}

fn reader<'a>(
    journal: &'a Journal,
    plan: &'a Plan,
) -> impl Fn(usize) -> Result<Option<eval_spec::record::Record>, ReadError> + Sync + 'a {
    move |cell| journal.record(&plan.cells[cell]).map_err(|error| Box::new(error) as ReadError)
}
