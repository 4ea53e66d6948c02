//! `omk mocks record`: runs the samples of a project once for real, and writes the tool calls as mocks for review.

mod yaml;

use std::path::{Path, PathBuf};

use eval_cli::output::check_not_input;
use eval_cli::{CommandError, Terminal, exit};
use eval_exec::RecordedMocks;
use eval_format::{WriteError, write_whole};
use eval_load as load;
use eval_message::plain::shortened;
use eval_message::{Message, msg};
use eval_spec::Context;
use eval_spec::call::ToolCall;
use eval_spec::suite::{Settings, VariantRef};
use serde_json::json;

use super::project::purpose::Purpose;
use super::project::{Chosen, InputPlaces, settings};
use super::work::ProjectWork;
use crate::cli::{Directories, MocksRecordArgs};

/// Characters of the input of a call that has no mock.
const SHOWN: usize = 120;

/// Records, and writes after each sample: what was paid for is kept.
pub(crate) fn record(context: &Context, terminal: &Terminal, arguments: &MocksRecordArgs) -> Result<u8, CommandError> {
    let place = InputPlaces::find(context, arguments.project.as_deref())?;
    let mut chosen = settings(context, arguments.written(), Directories::default(), &place)?;
    check_executor(context, &chosen.settings)?;
    let variant = only_variant(&mut chosen, arguments.variant.as_deref())?;
    let beside = chosen.settings.samples.parent().unwrap_or(&context.cwd).to_path_buf();
    let path = arguments.output.as_ref().map_or_else(|| beside.join("mocks.yaml"), |path| context.absolute(path));
    let inputs = [Some(chosen.settings.samples.as_path()), place.file.as_deref()];
    check_not_input(context, &path, inputs.into_iter().flatten())?;
    let folder = path.with_extension("files");
    if let Some(there) = [&path, &folder].into_iter().find(|path| path.exists() && !arguments.force) {
        let message = msg!("cli-mocks-exists", path = context.display(there));
        return Err(CommandError::usage(message, msg!("cli-mocks-exists-help")));
    }
    let work = ProjectWork::load(context, chosen, Purpose::Record)?;
    terminal.diagnostics(&work.project.suite.warnings);
    let samples = chosen_samples(&work, &arguments.sample)?;
    let identity = work.project.executor.identity();
    let by = [&identity.executor, identity.version.as_deref().unwrap_or_default()].join(" ");
    let header = msg!("cli-mocks-header", variant = &variant, executor = by.trim()).text(context.lang);
    let file = MocksFile { context, path: &path, folder: &folder, beside: &beside };
    let mut recording =
        Recording { text: header.lines().map(|line| format!("# {line}\n")).collect(), ..Default::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(CommandError::io(msg!("cli-runtime")))?;
    for at in samples {
        let id = &work.project.suite.samples[at].id;
        match runtime.block_on(run(&work, at)) {
            Ok(mocks) => {
                terminal.note(&msg!("cli-mocks-recorded-sample", sample = id, mocks = mocks.mocks.len()));
                recording.add(context, terminal, id, &mocks, &file)?;
            }
            Err(why) => {
                recording.failed += 1;
                terminal.warn(&msg!("cli-mocks-failed", sample = id, why = why.text(context.lang)));
            }
        }
    }
    recording.tell(context, terminal, &path);
    Ok(if recording.failed > 0 { exit::INVALID } else { exit::OK })
}

/// What the agent's calls in a sample become; why it has none, if it failed.
async fn run(work: &ProjectWork, sample: usize) -> Result<RecordedMocks, Message> {
    let settings = &work.project.suite.settings;
    let cell = work.plan.cells.iter().find(|cell| cell.sample == sample);
    let cell = cell.ok_or_else(|| msg!("cli-mocks-no-executor", executor = &settings.executor))?;
    let call = work.project.call(cell);
    let output = work.project.executor.call(&call).await.map_err(|error| error.message)?;
    let open = (!settings.strict_baseline).then(|| call.cwd.unwrap_or_else(|| work.context.cwd.clone()));
    let recorded = eval_exec::recorded_mocks(&settings.executor, &output.trace, open.as_deref());
    recorded.ok_or_else(|| msg!("cli-mocks-no-executor", executor = &settings.executor))
}

/// Refuses executors whose calls can't become mocks.
fn check_executor(context: &Context, settings: &Settings) -> Result<(), CommandError> {
    let able = eval_exec::recording_executors();
    if able.contains(&settings.executor.as_str()) {
        return Ok(());
    }
    let executor = eval_exec::masked(context, &settings.executor);
    let help = msg!("cli-mocks-no-executor-help", executors = able.join(", "));
    Err(CommandError::usage(msg!("cli-mocks-no-executor", executor = executor), help))
}

/// Leaves one variant of the settings, and nothing that needs more than its tool calls: the first treatment, which has
/// something to do, else the control.
fn only_variant(chosen: &mut Chosen, name: Option<&str>) -> Result<String, CommandError> {
    let settings = &chosen.settings;
    let variants: Vec<&VariantRef> = settings.treatments.iter().chain(&settings.control).collect();
    let found = variants.iter().find(|variant| name.is_none_or(|name| load::variant_name(variant) == name));
    let Some(&variant) = found else {
        let known: Vec<String> = variants.iter().map(|of| format!("`{}`", load::variant_name(of))).collect();
        let help = msg!("cli-gold-variants", variants = known.join(", "));
        return Err(CommandError::usage(msg!("cli-mocks-no-variant", variant = name.unwrap_or_default()), help));
    };
    let variant = variant.clone();
    let name = load::variant_name(&variant);
    chosen.settings = Settings {
        control: Some(variant),
        treatments: Vec::new(),
        repeat: 1,
        judge: false,
        cache: false,
        report_only: true,
        stop_when_decided: false,
        aa: false,
        record: None,
        gold_dir: None,
        ..chosen.settings.clone()
    };
    Ok(name)
}

/// The samples by their place; those that are named, else all.
fn chosen_samples(work: &ProjectWork, names: &[String]) -> Result<Vec<usize>, CommandError> {
    let samples = &work.project.suite.samples;
    if names.is_empty() {
        return Ok((0..samples.len()).collect());
    }
    let at = |name: &String| {
        let found = samples.iter().position(|sample| sample.id == *name);
        let ids: Vec<String> = samples.iter().map(|sample| format!("`{}`", sample.id)).collect();
        found.ok_or_else(|| {
            let help = msg!("cli-cache-unknown-sample-help", samples = shortened(&ids.join(", "), SHOWN));
            CommandError::usage(msg!("cli-mocks-no-sample", sample = name), help)
        })
    };
    names.iter().map(at).collect()
}

/// Where the recording is written.
struct MocksFile<'a> {
    context: &'a Context,
    path: &'a Path,
    /// For long answers.
    folder: &'a Path,
    /// The folder of the sample file, to which paths in it refer.
    beside: &'a Path,
}

impl MocksFile<'_> {
    /// The folder as a sample file names it.
    fn folder_name(&self) -> String {
        self.folder.strip_prefix(self.beside).unwrap_or(self.folder).display().to_string()
    }

    fn write(&self, path: PathBuf, bytes: &[u8]) -> Result<(), CommandError> {
        let failed = |path: &Path| CommandError::io(msg!("cli-cannot-write", path = self.context.display(path)));
        let folder = path.parent().unwrap_or(self.beside);
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let written = write_whole(&path, |file| file.write_all(bytes));
        written.map_err(|WriteError { path, source }| failed(&path)(source))
    }
}

/// What was recorded so far.
#[derive(Default)]
struct Recording {
    text: String,
    samples: usize,
    mocks: usize,
    left: usize,
    failed: usize,
}

impl Recording {
    fn add(
        &mut self,
        context: &Context,
        terminal: &Terminal,
        id: &str,
        recorded: &RecordedMocks,
        file: &MocksFile<'_>,
    ) -> Result<(), CommandError> {
        let left: Vec<Message> = recorded.left.iter().map(|call| left(id, call)).collect();
        left.iter().for_each(|message| terminal.warn(message));
        let notes: Vec<String> = left.iter().map(|message| message.text(context.lang)).collect();
        let made = yaml::sample(id, &recorded.mocks, &notes, &file.folder_name());
        for (name, bytes) in made.files {
            file.write(file.folder.join(name), &bytes)?;
        }
        self.text.push_str(&made.text);
        self.samples += 1;
        self.mocks += recorded.mocks.len();
        self.left += left.len();
        file.write(file.path.to_owned(), self.text.as_bytes())
    }

    fn tell(&self, context: &Context, terminal: &Terminal, path: &Path) {
        let shown = context.display(path);
        terminal.json(|| {
            let file = (self.samples > 0).then_some(&shown);
            json!({"file": file, "samples": self.samples, "mocks": self.mocks, "notRecorded": self.left, "failed": self.failed})
        });
        if self.samples > 0 {
            terminal.say(&msg!("cli-mocks-recorded", mocks = self.mocks, samples = self.samples, path = shown));
        }
    }
}

/// The note on a call without a mock.
fn left(sample: &str, call: &ToolCall) -> Message {
    msg!("cli-mocks-left", sample = sample, tool = &call.name, input = shortened(&call.input.to_string(), SHOWN))
}
