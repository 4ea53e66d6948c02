//! `omk debias length ID`: judges the answers of a run again with the opposite length setting, and shows the difference.

use eval_analysis::{Cells, LengthShift};
use eval_cli::driver::{PartialRun, Ran, Reporting, Start, WrittenFiles, drive};
use eval_cli::{CommandError, Terminal, exit};
use eval_format::Analysis;
use eval_message::msg;
use eval_run::Journal;
use eval_spec::Context;
use eval_spec::record::Header;
use eval_spec::suite::{Settings, Written};
use serde_json::{Value, json};

use super::eval::{analysed, written};
use super::hedging::HedgingRun;
use super::project::Project;
use super::work::ProjectWork;
use super::{preview, regrade, report, stored_run};
use crate::cli::DebiasLengthArgs;

/// Judges, stores the second report, and shows the shift with its intervals. It exits with 0 once the shift is measured,
/// whatever its size. After an interruption the same command resumes; once finished, it shows the shift again without
/// asking judges.
pub(crate) fn length(context: &Context, terminal: &Terminal, arguments: &DebiasLengthArgs) -> Result<u8, CommandError> {
    let path = stored_run::find(context, &arguments.id)?;
    let header = Journal::read_header(&path)?;
    let stored = stored_run::stored_settings(context, &path, &header)?;
    let report = LengthReport { terminal, of: &header, stored: &stored };
    let driven = drive(terminal, &report, || load(context, terminal, &header, &stored, arguments))?;
    Ok(driven.code)
}

/// The answers of the run, to be judged with the opposite setting; or the judging that an earlier call began.
fn load(
    context: &Context,
    terminal: &Terminal,
    of: &Header,
    stored: &Settings,
    arguments: &DebiasLengthArgs,
) -> Result<(ProjectWork, Start), CommandError> {
    let flags = Written {
        debias_length: Some(!stored.debias_length),
        concurrency: arguments.concurrency.map(|n| n as usize),
        budget_usd: arguments.budget_usd.map(Some),
        ..Written::default()
    };
    let work = regrade::open(context, terminal, &of.id, flags, false)?;
    let project = &work.project;
    // A pairwise comparison has no score that could change.
    let is_scored = (0..project.suite.samples.len()).any(|sample| project.grading.questions(sample) > 0);
    if is_scored && project.has_only_expectations() {
        return Err(CommandError::usage(msg!("cli-debias-expectations", id = &of.id), None));
    }
    if project.judges.is_empty() || !is_scored {
        let help = match project.is_pairwise() {
            true => msg!("cli-debias-compared-help", id = &of.id),
            false => msg!("cli-debias-unjudged-help", id = &of.id),
        };
        return Err(CommandError::usage(msg!("cli-debias-unjudged", id = &of.id), help));
    }
    refuse_changed(of, project)?;
    let start = begun(&work, of)?.map_or(Start::New, |journal| Start::GoOn(Box::new(journal)));
    Ok((work, start))
}

/// The result of judging again: a report of its own, and the difference to the first.
struct LengthReport<'a> {
    terminal: &'a Terminal,
    /// The run that was judged first, and its settings.
    of: &'a Header,
    stored: &'a Settings,
}

impl Reporting<ProjectWork> for LengthReport<'_> {
    type Analysis = (Analysis, LengthShift);

    fn partial(&self) -> PartialRun {
        PartialRun::Unreported
    }

    fn resume_command(&self, _: &str) -> String {
        format!("omk debias length {}", self.of.id)
    }

    fn preview(&self, work: &ProjectWork) -> Result<(), CommandError> {
        preview::show(&work.context, self.terminal, &work.project, &work.plan)
    }

    fn prepare(&self, work: &ProjectWork) -> Result<(), CommandError> {
        report::prepare(&work.context, &work.project.suite.settings)
    }

    fn analyse(
        &self,
        work: &ProjectWork,
        ran: &Ran<'_>,
        hedging: Option<HedgingRun>,
    ) -> Result<Self::Analysis, CommandError> {
        let analyse = |cells: &Cells| analysed(self.terminal, work, ran, cells, hedging.as_ref());
        let analysis = work.with_cells(ran.journal, analyse)?;
        let before = work.answers.as_ref().map_or(ran.journal, |answers| &answers.journal);
        let shift = work.with_cells(ran.journal, |now| {
            work.with_cells(before, |before| {
                let (with, without) = if self.stored.debias_length { (before, now) } else { (now, before) };
                eval_analysis::length_shift(&work.project.suite, work.project.seed, with, without)
            })
        })?;
        Ok((analysis, shift))
    }

    fn write(&self, work: &ProjectWork, ran: &Ran<'_>, (analysis, _): &Self::Analysis) -> WrittenFiles {
        written(work.with_cells(ran.journal, |cells| report::write(work, analysis, cells)))
    }

    fn show(
        &self,
        work: &ProjectWork,
        ran: &Ran<'_>,
        (_, shift): &Self::Analysis,
        files: &WrittenFiles,
    ) -> Result<(), CommandError> {
        let Some(path) = files.paths.first() else { return Ok(()) };
        let terminal = self.terminal;
        terminal.json(|| json!({"of": self.of.id, "judgedAgain": ran.journal.header().id, "lengthShift": shift}));
        terminal.text(&eval_render::length_shift_text(shift, terminal.show()));
        terminal.note(&msg!("cli-report-saved", path = work.context.display(path)));
        Ok(())
    }

    fn code(&self, _: &ProjectWork, _: &Ran<'_>, (_, shift): &Self::Analysis) -> u8 {
        // Without a sample that was judged both ways, nothing is measured.
        if shift.samples == 0 { exit::INVALID } else { exit::OK }
    }
}

/// Refuses changed samples or judges: another rubric or another judge changes scores, too.
fn refuse_changed(before: &Header, project: &Project) -> Result<(), CommandError> {
    let inputs = project.inputs();
    let judged_by = |inputs: &Value| {
        let judge = &inputs["judge"];
        (judge["judges"].clone(), judge["repeat"].clone())
    };
    let mut changes: Vec<String> = super::resume::differing(&before.inputs["samples"], &inputs["samples"]).collect();
    if judged_by(&before.inputs) != judged_by(&inputs) {
        changes.push("judge".to_owned());
    }
    if changes.is_empty() {
        return Ok(());
    }
    let more = if changes.len() > 5 { ", …" } else { "" };
    let named = changes.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    Err(CommandError::usage(
        msg!("cli-debias-changed", id = &before.id, changes = format!("{named}{more}")),
        msg!("cli-debias-changed-help", id = &before.id),
    ))
}

/// The journal of an earlier call of this command on the same answers with the same questions: its replies are not paid
/// for again.
fn begun(work: &ProjectWork, of: &Header) -> Result<Option<Journal>, CommandError> {
    let inputs = work.project.inputs();
    let is_same = |header: &Header| {
        header.regrade_of.as_ref() == Some(&of.id) && header.plan_hash == work.plan.hash && header.inputs == inputs
    };
    let path = eval_run::latest_where(&work.context.home, is_same)?;
    Ok(path.map(|path| Journal::resume(&path)).transpose()?)
}
