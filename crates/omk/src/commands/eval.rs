//! `omk eval`: runs a project, resumes an interrupted run, or grades the answers of an earlier run anew.

use std::path::PathBuf;

use eval_analysis::{Cells, Meta, RunStatus};
use eval_cli::driver::{Driven, PartialRun, Ran, Reporting, Start, WrittenFiles, drive};
use eval_cli::output::check_not_input;
use eval_cli::{CommandError, Terminal, ending, exit};
use eval_format::Analysis;
use eval_history::GroupingKey;
use eval_message::msg;
use eval_render::{Show, StoredAt};
use eval_run::RunEnding;
use eval_spec::Context;

use super::export::{self, Export};
use super::hedging::HedgingRun;
use super::project::{Chosen, InputPlaces, settings, urls};
use super::report::Style;
use super::resume::Reopening;
use super::stored::unreadable;
use super::work::ProjectWork;
use super::{preview, report, since};
use crate::cli::EvalCommandArgs;
use crate::commands::project::purpose::Purpose;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &EvalCommandArgs) -> Result<u8, CommandError> {
    let EvalCommandArgs {
        eval: arguments,
        since,
        trust_mcp,
        resume,
        retry_failed,
        strict_journal,
        accept_changes,
        regrade,
        by,
        details,
        export,
    } = arguments;
    // The parser would not: what a variant conflicts with counts as given.
    if *retry_failed && resume.is_none() {
        return Err(CommandError::usage(msg!("cli-retry-alone"), msg!("cli-retry-alone-help")));
    }
    if *strict_journal && resume.is_none() {
        return Err(CommandError::usage(msg!("cli-strict-journal-alone"), msg!("cli-strict-journal-alone-help")));
    }
    if *accept_changes && resume.is_none() {
        return Err(CommandError::usage(msg!("cli-accept-alone"), msg!("cli-accept-alone-help")));
    }
    let how = Reopening {
        retries_failed: *retry_failed,
        is_strict: *strict_journal,
        accepts_changes: *accept_changes,
        trusts_servers: *trust_mcp,
    };
    let exports = Export::all(context, export)?;
    let by = by.as_deref().and_then(GroupingKey::named);
    let report = RunReport { terminal, style: Style::Eval, exports, by, is_brief: !details };
    let changed = match since {
        None => None,
        Some(reference) => {
            let place = InputPlaces::find(context, arguments.project.as_deref())?;
            let Some(changed) = since::changed(context, arguments, &place, reference)? else {
                since::say_nothing(terminal, reference);
                return Ok(exit::OK);
            };
            Some(changed)
        }
    };
    let driven = drive(terminal, &report, || match (resume, regrade) {
        (Some(id), _) => super::resume::open(context, terminal, id, arguments.written(), how),
        (None, Some(id)) => {
            let work = super::regrade::open(context, terminal, id, arguments.written(), *trust_mcp)?;
            Ok((work, Start::New))
        }
        (None, None) => {
            let place = InputPlaces::find(context, arguments.project.as_deref())?;
            for export in &report.exports {
                check_not_input(context, &export.path, place.file.as_deref())?;
            }
            let chosen = match changed {
                Some(changed) => changed,
                None => settings(context, arguments.written(), arguments.directories(), &place)?,
            };
            if *trust_mcp {
                urls::trust(context, terminal, &chosen)?;
            }
            load(context, chosen, arguments.flags.dry_run)
        }
    });
    driven.map(|driven: Driven<Analysis>| driven.code)
}

pub(crate) fn load(context: &Context, chosen: Chosen, dry_run: bool) -> Result<(ProjectWork, Start), CommandError> {
    match dry_run {
        true => Ok((ProjectWork::load(context, chosen, Purpose::Preview)?, Start::Preview)),
        false => Ok((ProjectWork::load(context, chosen, Purpose::Run)?, Start::New)),
    }
}

/// What `omk eval` and `omk bench` make of a run: one report.
pub(crate) struct RunReport<'a> {
    pub(crate) terminal: &'a Terminal,
    pub(crate) style: Style,
    pub(crate) exports: Vec<Export>,
    /// What the table below the summary groups by, if there is one.
    pub(crate) by: Option<GroupingKey>,
    /// Whether the summary is what fits one screen.
    pub(crate) is_brief: bool,
}

impl Reporting<ProjectWork> for RunReport<'_> {
    type Analysis = Analysis;

    fn partial(&self) -> PartialRun {
        PartialRun::ReportedUnlessInterrupted
    }

    fn resume_command(&self, id: &str) -> String {
        format!("omk eval --resume {id}")
    }

    fn preview(&self, work: &ProjectWork) -> Result<(), CommandError> {
        preview::show(&work.context, self.terminal, &work.project, &work.plan)
    }

    fn prepare(&self, work: &ProjectWork) -> Result<(), CommandError> {
        export::check_overwritten(&self.exports, work)?;
        report::prepare(&work.context, &work.project.suite.settings)
    }

    fn analyse(
        &self,
        work: &ProjectWork,
        ran: &Ran<'_>,
        hedging: Option<HedgingRun>,
    ) -> Result<Analysis, CommandError> {
        work.with_cells(ran.journal, |cells| analysed(self.terminal, work, ran, cells, hedging.as_ref()))
    }

    fn write(&self, work: &ProjectWork, ran: &Ran<'_>, analysis: &Analysis) -> WrittenFiles {
        if let Some(kept) = report::complete_one(work, analysis) {
            self.terminal.note(&msg!("cli-report-kept", path = work.context.display(&kept)));
            return WrittenFiles::default();
        }
        let report = work.with_cells(ran.journal, |cells| report::write(work, analysis, cells));
        let mut files = written(report);
        if let Some(path) = files.paths.first() {
            let failures = export::write_all(&work.context, self.terminal, &self.exports, path);
            files.failures.extend(failures);
        }
        files
    }

    fn show(
        &self,
        work: &ProjectWork,
        ran: &Ran<'_>,
        analysis: &Analysis,
        files: &WrittenFiles,
    ) -> Result<(), CommandError> {
        let terminal = self.terminal;
        let show = Show { exit_code: self.style == Style::Eval, ..terminal.show() };
        let Some(path) = files.paths.first() else {
            // What was paid for is in the journal: what it says is shown, and how to get the report.
            terminal.text(&self.summary(analysis, show, None));
            if files.failures.is_empty() {
                return Ok(());
            }
            let command = format!("omk eval --resume {} --output-dir DIR", analysis.id);
            terminal.note(&msg!("cli-resume-with", command = command));
            return Ok(());
        };
        let shown = work.context.display(path);
        if terminal.is_json() || self.style == Style::BenchRun {
            work.with_cells(ran.journal, |cells| report::print(work, analysis, cells))?;
            terminal.note(&msg!("cli-report-saved", path = shown));
            return Ok(());
        }
        // The verdict and the report's path come last.
        if let Some(key) = self.by {
            let report = eval_history::read_slim(path).map_err(unreadable)?;
            terminal.text(&eval_render::by_key_text(&eval_history::by_key(&report, key), show));
            terminal.text("");
        }
        // A report elsewhere isn't found by `latest`.
        let is_elsewhere = work.project.suite.settings.output_dir.is_some();
        let stored = StoredAt { path: &shown, report: if is_elsewhere { &shown } else { "latest" } };
        terminal.text(&self.summary(analysis, show, Some(stored)));
        if work.project.suite.settings.blind {
            terminal.say(&msg!("cli-blind-next", report = stored.report));
        }
        Ok(())
    }

    fn code(&self, _: &ProjectWork, _: &Ran<'_>, analysis: &Analysis) -> u8 {
        match self.style {
            Style::Eval => analysis.verdict.exit_code,
            Style::BenchRun if analysis.verdict.valid => exit::OK,
            Style::BenchRun => exit::INVALID,
            Style::BenchCi => self.threshold(analysis),
        }
    }
}

impl RunReport<'_> {
    fn summary(&self, analysis: &Analysis, show: Show, at: Option<StoredAt<'_>>) -> String {
        match self.is_brief {
            true => eval_render::brief_text(analysis, show, at),
            false => eval_render::summary_text(analysis, show, at.map(|at| at.path)),
        }
    }

    /// Whether every variant reaches the threshold, and which don't.
    fn threshold(&self, analysis: &Analysis) -> u8 {
        let gate = eval_verdict::threshold_gate(&analysis.verdict.inputs);
        let threshold = format!("{:.2}", analysis.verdict.inputs.limits.threshold);
        for (variant, mean) in &gate.below {
            self.terminal.say(&match mean.map(|mean| format!("{mean:.2}")) {
                Some(mean) => msg!("cli-bench-below", variant = variant, mean = mean, threshold = &threshold),
                None => msg!("cli-bench-unscored", variant = variant, threshold = &threshold),
            });
        }
        gate.unmeasured.iter().for_each(|why| self.terminal.say(&why.into()));
        if gate.exit_code == exit::OK {
            self.terminal.say(&msg!("cli-bench-passed", threshold = threshold));
        }
        gate.exit_code
    }
}

pub(super) fn analysed(
    terminal: &Terminal,
    work: &ProjectWork,
    ran: &Ran<'_>,
    cells: &Cells,
    hedging: Option<&HedgingRun>,
) -> Result<Analysis, CommandError> {
    work.waits_for_other_reports();
    let (suite, meta) = (&work.project.suite, report::meta(terminal, work, ran.journal));
    let meta = Meta { hedging: hedging.map(|of| of.review(ran.journal)), ..meta };
    Ok(eval_analysis::analyse_with(work.project.alike(), suite, cells, meta, status(work, ran))
        .map(eval_verdict::decide)?)
}

fn status(work: &ProjectWork, ran: &Ran<'_>) -> RunStatus {
    let is_regrade = ran.journal.header().regrade_of.is_some();
    match &ran.end.ended {
        // The earlier run may have ended as decided: then it has no more answers.
        RunEnding::Complete if is_regrade && work.project.suite.settings.planned_looks().is_some() => {
            RunStatus::AnswersEnd
        }
        ended => ending::status(ended),
    }
}

/// The files of a report that is one file.
pub(super) fn written(report: Result<PathBuf, CommandError>) -> WrittenFiles {
    match report {
        Ok(path) => WrittenFiles { paths: vec![path], failures: Vec::new() },
        Err(failure) => WrittenFiles { paths: Vec::new(), failures: vec![failure] },
    }
}
