//! `omk verdict`: decides on results that another tool wrote. Nothing is executed and no model is asked; analysis, rules,
//! report and exit codes are those of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eval_analysis::{AlikeSamples, Cells, GapHistory, Meta, RunStatus};
use eval_cli::driver::journal::seed_of;
use eval_cli::{CommandError, Terminal, exit, origin};
use eval_exec::Redact;
use eval_format::{Analysis, FileFamily, ReadError, ReportError};
use eval_history::{LookArm, LookQuestion};
use eval_message::msg;
use eval_render::{Show, StoredAt};
use eval_results::{
    ArrangedResults, ControlChoice, ImportedRun, ResultsError, WholeFile, arrange, imported_run, is_own_report,
    read_results,
};
use eval_run::journal_path;
use eval_spec::hash::short_hash;
use eval_spec::{Context, Identity};

use super::export::{self, Export};
use super::project::check_settings;
use super::unmet::wide_margin;
use super::{report, stored, verdict};
use crate::cli::{ReportsDir, StoredReport, VerdictArgs};

/// What lacks in more than half of a file decides nothing, however much of it may.
const MOST_FAILURES: f64 = 0.5;
/// Hexadecimal digits that the seed is made of where none is given.
const SEED_DIGITS: usize = 12;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &VerdictArgs) -> Result<u8, CommandError> {
    let paths: Vec<PathBuf> = arguments.files.iter().map(|file| context.absolute(file)).collect();
    if let Some(own) = paths.iter().find(|path| is_own_report(path)) {
        return recompute(context, terminal, arguments, own);
    }
    let mut written = arguments.written();
    written.output_dir = written.output_dir.map(|path| path.map(|path| context.absolute(&path)));
    if written.margin.is_some() && written.goal.is_none() {
        return Err(CommandError::usage(msg!("cli-margin-without-goal"), msg!("cli-margin-without-goal-help")));
    }
    let settings = written.resolve();
    check_settings(&settings)?;
    terminal.diagnostics(wide_margin(&settings).as_slice());
    if settings.max_failure_rate > MOST_FAILURES {
        return Err(CommandError::usage(msg!("results-failure-rate"), msg!("results-failure-rate-help")));
    }
    let exports = Export::all(context, &arguments.export)?;
    export::check_inputs(context, &exports, &paths)?;
    let reading = arguments.reading();
    let read = paths.iter().map(|path| read_results(path, context.display(path), &reading));
    let files = read.collect::<Result<Vec<_>, _>>().map_err(unusable)?;
    let whole = (!arguments.treatment.is_empty()).then(|| files.clone());
    let mut arranged = arrange(files, &arguments.arranging()).map_err(unusable)?;
    tell(terminal, &arranged);
    let whole = whole.and_then(|files| WholeFile::arrange(files, &arguments.arranging(), &arranged));
    let secrets = Redact::new(context);
    let mask = |text: &str| secrets.clean(text).into_owned();
    let imported = imported_run(&arranged, settings, &mask);
    if let Some(whole) = whole {
        whole.note.iter().for_each(|note| terminal.note(note));
        let import = ResultsImport { context, terminal, arranged: &arranged, run: &imported };
        arranged.imported.family = Some(import.family(&whole, &mask)?);
    }
    report::prepare(context, &imported.suite.settings)?;
    let import = ResultsImport { context, terminal, arranged: &arranged, run: &imported };
    let analysis = import.analysis(&mask)?;
    import.end(&analysis, arguments.details, &exports, &mask)
}

/// A report of ours is computed again from its own results.
fn recompute(context: &Context, terminal: &Terminal, arguments: &VerdictArgs, own: &Path) -> Result<u8, CommandError> {
    let shown = context.display(own);
    if arguments.files.len() > 1 {
        let help = msg!("results-own-report-beside-help");
        return Err(CommandError::usage(msg!("results-own-report-beside", file = shown), help));
    }
    terminal.note(&msg!("results-own-report", file = &shown));
    let reports = ReportsDir { reports_dir: None };
    verdict::run(context, terminal, &StoredReport { report: own.display().to_string(), reports })
}

fn unusable(error: ResultsError) -> CommandError {
    CommandError::usage(error.message, error.help)
}

/// What was chosen without being asked for.
fn tell(terminal: &Terminal, of: &ArrangedResults) {
    of.notes.iter().for_each(|note| terminal.note(note));
    let control = &of.choice.control;
    match of.choice.by {
        ControlChoice::Named => {}
        ControlChoice::ByName => terminal.note(&msg!("results-control-by-name", control = control)),
        ControlChoice::First => terminal.note(&msg!("results-control-first", control = control)),
    }
}

/// Hashes of the cases.
struct TestSetHashes {
    /// Id of the test set.
    id: String,
    /// Hash of each case.
    samples: BTreeMap<String, String>,
}

struct ResultsImport<'a> {
    context: &'a Context,
    terminal: &'a Terminal,
    arranged: &'a ArrangedResults,
    run: &'a ImportedRun,
}

impl ResultsImport<'_> {
    fn with_cells<T>(&self, mask: &(dyn Fn(&str) -> String + Sync), make: impl FnOnce(&Cells) -> T) -> T {
        let ImportedRun { suite, plan, records } = self.run;
        let read = |cell: usize| Ok(records.get(cell).cloned());
        let texts = suite.settings.texts && (0..suite.samples.len()).any(|case| self.asks(case));
        make(&Cells {
            plan,
            read: &read,
            replaced: &|_| Ok(None),
            pair: &|_| -> Result<_, ReadError> { Ok(None) },
            texts: texts.then_some(mask),
        })
    }

    /// Whether the files tell what was asked in a case.
    fn asks(&self, case: usize) -> bool {
        self.arranged.cases[case].input.is_some()
    }

    fn analysis(&self, mask: &(dyn Fn(&str) -> String + Sync)) -> Result<Analysis, CommandError> {
        let suite = &self.run.suite;
        let alike = self.alike();
        let meta = self.meta();
        let analysed =
            self.with_cells(mask, |cells| eval_analysis::analyse_with(&alike, suite, cells, meta, RunStatus::Complete));
        Ok(analysed.map(eval_verdict::decide)?)
    }

    /// Computes the family of all treatments of the files.
    fn family(&self, whole: &WholeFile, mask: &(dyn Fn(&str) -> String + Sync)) -> Result<FileFamily, CommandError> {
        let Some(arranged) = &whole.arranged else { return Ok(eval_analysis::unread_family(whole.treatments)) };
        let run = imported_run(arranged, self.run.suite.settings.clone(), mask);
        let all = ResultsImport { arranged, run: &run, ..*self };
        let (alike, (_, seed)) = (all.alike(), self.test_set());
        let compared = &self.arranged.arms[1..];
        Ok(all.with_cells(mask, |cells| eval_analysis::file_family(&alike, &run.suite, cells, seed, compared))?)
    }

    /// Finds samples that ask nearly the same; ids that look alike are no questions that do.
    fn alike(&self) -> AlikeSamples {
        AlikeSamples::among(&self.run.suite, &|case| self.asks(case))
    }

    /// Computes the hashes of the cases, and the seed.
    fn test_set(&self) -> (TestSetHashes, u64) {
        let (suite, imported) = (&self.run.suite, &self.arranged.imported);
        let samples: BTreeMap<String, String> = suite
            .samples
            .iter()
            .map(|sample| (sample.id.clone(), short_hash(format!("{}\0{}", sample.id, sample.prompt).as_bytes(), 12)))
            .collect();
        let all: String = samples.values().map(String::as_str).collect();
        let id = format!("{}@{}", imported.format, short_hash(all.as_bytes(), 8));
        let seed = suite.settings.seed.unwrap_or_else(|| seed_of(&id, SEED_DIGITS));
        (TestSetHashes { id, samples }, seed)
    }

    /// Calls `ask` about reports in which arms of the same names were compared on cases of these.
    fn ask_earlier<T>(&self, samples: &BTreeMap<String, String>, ask: impl Fn(&LookQuestion) -> T) -> T {
        let arm = |name: &String| LookArm { name: name.clone(), hash: String::new(), text_hash: String::new() };
        ask(&LookQuestion {
            id: None,
            model: None,
            arms: self.arranged.arms.iter().map(arm).collect(),
            imported: Some(&self.arranged.imported),
            samples,
            not_read: &BTreeSet::new(),
            until: None,
        })
    }

    fn meta(&self) -> Meta {
        let (context, imported, suite) = (self.context, &self.arranged.imported, &self.run.suite);
        let directory = stored::directory(context, &suite.settings);
        let names: Vec<&str> = self.arranged.arms.iter().map(String::as_str).collect();
        let now = context.now();
        let is_taken =
            |id: &str| directory.join(format!("{id}.json")).exists() || journal_path(&context.home, id).exists();
        let id = eval_format::report_id(now, &names, is_taken);
        let (test_set, seed) = self.test_set();
        let files: Vec<&str> = imported.files.iter().map(|file| file.name.as_str()).collect();
        let test_set_path = files.join(", ");
        let tool = imported.tool.clone().unwrap_or_else(|| imported.format.clone());
        Meta {
            labels: self.arranged.arms.clone(),
            timestamp: now,
            cli_version: env!("CARGO_PKG_VERSION").to_owned(),
            node_version: None,
            seed,
            earlier_looks: self
                .ask_earlier(&test_set.samples, |question| eval_history::earlier_looks(&directory, question)),
            earlier_readings: self
                .ask_earlier(&test_set.samples, |question| eval_history::earlier_readings(&directory, question)),
            id,
            test_set_path,
            test_set_id: test_set.id,
            project: None,
            sample_hashes: test_set.samples,
            not_read: BTreeSet::new(),
            urls: Vec::new(),
            executor: Identity { executor: tool, version: imported.tool_version.clone(), ..Identity::default() },
            judge: None,
            hedging: None,
            regrade_of: None,
            imported: Some(imported.clone()),
            skill_isolation: BTreeMap::new(),
            uncopied: Vec::new(),
            gap_history: GapHistory::default(),
            lost_calls: 0,
            git: origin::git_info(self.terminal, context, &context.cwd),
            artifact_commits: BTreeMap::new(),
            gold: None,
        }
    }

    /// Writes the report, shows it, and ends with the verdict's code.
    fn end(
        &self,
        analysis: &Analysis,
        details: bool,
        exports: &[Export],
        mask: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<u8, CommandError> {
        let (context, terminal, suite) = (self.context, self.terminal, &self.run.suite);
        let directory = stored::directory(context, &suite.settings);
        let path = self.with_cells(mask, |cells| eval_analysis::write(analysis, suite, cells, &directory))?;
        let shown = context.display(&path);
        let failures = export::write_all(context, terminal, exports, &path);
        if terminal.is_json() {
            let mut out = std::io::stdout().lock();
            match self.with_cells(mask, |cells| eval_analysis::report_json(analysis, suite, cells, &mut out)) {
                Err(ReportError::Output { source }) if source.kind() == std::io::ErrorKind::BrokenPipe => {}
                printed => printed?,
            }
            terminal.note(&msg!("cli-report-saved", path = shown));
        } else {
            let show = Show { exit_code: true, ..terminal.show() };
            // Among the reports of all projects, `latest` goes by the directory that a run was started in.
            let report = match suite.settings.output_dir.is_some() {
                true => shown.as_str(),
                false if directory == context.home.join("reports") => analysis.id.as_str(),
                false => "latest",
            };
            terminal.text(&match details {
                false => eval_render::brief_text(analysis, show, Some(StoredAt { path: &shown, report })),
                true => eval_render::summary_text(analysis, show, Some(&shown)),
            });
        }
        failures.iter().for_each(|failure| terminal.print_failure(context, failure));
        Ok(if failures.is_empty() { analysis.verdict.exit_code } else { exit::INVALID })
    }
}
