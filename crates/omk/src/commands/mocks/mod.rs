//! `omk mocks record`: runs the samples of a project once for real, and writes the tool calls as mocks for review.

mod place;
mod yaml;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_exec::{CallDenial, RecordedMocks, RecordedRun};
use eval_load as load;
use eval_message::plain::shortened;
use eval_message::{Message, msg};
use eval_spec::Context;
use eval_spec::call::ToolCall;
use eval_spec::suite::{Settings, VariantRef};
use serde_json::json;

use self::place::MocksPlace;
use super::project::purpose::Purpose;
use super::project::{Chosen, InputPlaces, settings};
use super::work::ProjectWork;
use crate::cli::{Directories, MocksRecordArgs};

/// Characters of the input of a call that has no mock.
const SHOWN: usize = 120;

/// Records, and writes after each sample: what was paid for is kept.
pub(crate) fn record(context: &Context, terminal: &Terminal, arguments: &MocksRecordArgs) -> Result<u8, CommandError> {
    let found = InputPlaces::find(context, arguments.project.as_deref())?;
    let mut chosen = settings(context, arguments.written(), Directories::default(), &found)?;
    check_executor(context, &chosen.settings)?;
    // Also those of variants that aren't run.
    let inputs: Vec<PathBuf> = found.file.iter().cloned().chain(place::inputs(context, &chosen.settings)).collect();
    let variant = only_variant(&mut chosen, arguments.variant.as_deref())?;
    let place = MocksPlace::new(context, &chosen.settings, arguments.output.as_deref());
    place.check_absent(context, arguments.force)?;
    let work = ProjectWork::load(context, chosen, Purpose::Record)?;
    terminal.diagnostics(&work.project.suite.warnings);
    let samples = chosen_samples(&work, &arguments.sample)?;
    place.check(context, inputs.into_iter().chain(work.project.files_read(context)).collect())?;
    let header = header(&work, &variant).text(context.lang);
    let text = header.lines().map(|line| yaml::comment(0, line)).collect();
    let mut recording = Recording { text, ..Default::default() };
    let runtime = eval_cli::threads::runtime();
    let runtime = runtime.map_err(CommandError::io(msg!("cli-runtime")))?;
    for at in samples {
        let id = &work.project.suite.samples[at].id;
        let ran = runtime.block_on(run(&work, at));
        if let Some(recorded) = recording.told(terminal, id, ran, context) {
            recording.add(context, terminal, id, &recorded, &place)?;
        }
    }
    recording.tell(context, terminal, &place.file);
    Ok(if recording.failed > 0 { exit::INVALID } else { exit::OK })
}

fn header(work: &ProjectWork, variant: &str) -> Message {
    let identity = work.project.executor.identity();
    let by = [&identity.executor, identity.version.as_deref().unwrap_or_default()].join(" ");
    msg!("cli-mocks-header", variant = variant, executor = by.trim())
}

/// What came of a sample.
struct RecordedSample {
    /// What the agent's calls become, as far as it came.
    mocks: RecordedMocks,
    /// Why it came no further.
    failure: Option<Message>,
}

async fn run(work: &ProjectWork, sample: usize) -> RecordedSample {
    let settings = &work.project.suite.settings;
    let failed = |why: Message| RecordedSample { mocks: RecordedMocks::default(), failure: Some(why) };
    let unable = || failed(msg!("cli-mocks-no-executor", executor = &settings.executor));
    let Some(cell) = work.plan.cells.iter().find(|cell| cell.sample == sample) else { return unable() };
    let call = work.project.call(cell);
    let (trace, failure) = match work.project.executor.call(&call).await {
        Ok(output) => (output.trace, None),
        // What was paid for until then.
        Err(error) => (error.partial.map(|partial| partial.trace).unwrap_or_default(), Some(error.message)),
    };
    let open = (!settings.strict_baseline).then(|| call.cwd.unwrap_or_else(|| work.context.cwd.clone()));
    let sandbox = work.project.executor.identity().sandbox.as_ref();
    let real = RecordedRun { trace: &trace, cwd: open.as_deref(), sandbox };
    let mocks = eval_exec::recorded_mocks(&settings.executor, &real);
    mocks.map_or_else(unable, |mocks| RecordedSample { mocks, failure })
}

/// Refuses executors whose calls can't become mocks.
fn check_executor(context: &Context, settings: &Settings) -> Result<(), CommandError> {
    let able = eval_exec::recording_executors();
    if able.contains(&settings.executor.as_str()) {
        return Ok(());
    }
    let executor = eval_exec::masked(context, &settings.executor);
    let is_known = eval_exec::named(&settings.executor).is_some();
    let help = match eval_load::closest(&settings.executor, &able).filter(|_| !is_known) {
        Some(meant) => msg!("load-did-you-mean", suggestion = meant),
        None => msg!("cli-mocks-no-executor-help", executors = able.join(", ")),
    };
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
        looks: 0,
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
    let mut found = names.iter().map(at).collect::<Result<Vec<usize>, _>>()?;
    // One that is named twice is paid for once.
    let mut seen = BTreeSet::new();
    found.retain(|at| seen.insert(*at));
    Ok(found)
}

/// What was recorded so far.
#[derive(Default)]
struct Recording {
    text: String,
    samples: usize,
    mocks: usize,
    left: usize,
    denied: usize,
    failed: usize,
}

impl Recording {
    /// Says what came of a sample, and gives what is to be written of it.
    fn told(
        &mut self,
        terminal: &Terminal,
        id: &str,
        ran: RecordedSample,
        context: &Context,
    ) -> Option<RecordedSample> {
        let count = ran.mocks.mocks.len();
        let Some(why) = &ran.failure else {
            terminal.note(&msg!("cli-mocks-recorded-sample", sample = id, mocks = count));
            return Some(ran);
        };
        self.failed += 1;
        if count > 0 {
            return Some(ran);
        }
        terminal.warn(&msg!("cli-mocks-failed", sample = id, why = why.text(context.lang)));
        None
    }

    fn add(
        &mut self,
        context: &Context,
        terminal: &Terminal,
        id: &str,
        recorded: &RecordedSample,
        place: &MocksPlace,
    ) -> Result<(), CommandError> {
        let RecordedSample { mocks, failure } = recorded;
        let cut = failure.iter().map(|why| msg!("cli-mocks-cut", sample = id, why = why.text(context.lang)));
        let denied = mocks.denied.iter().map(|(call, by)| denied(id, call, *by));
        let doubtful = mocks.doubtful.iter().map(|(call, by)| doubtful(id, call, *by));
        let denied = denied.chain(doubtful);
        let notes: Vec<Message> = cut.chain(denied).chain(mocks.left.iter().map(|call| left(id, call))).collect();
        notes.iter().for_each(|message| terminal.warn(message));
        let notes: Vec<String> = notes.iter().map(|message| message.text(context.lang)).collect();
        let made = yaml::sample(id, &mocks.mocks, &notes, &place.folder_name());
        for (name, bytes) in made.files {
            place.write(context, &place.folder.join(name), &bytes)?;
        }
        self.text.push_str(&made.text);
        self.samples += 1;
        self.mocks += mocks.mocks.len();
        self.left += mocks.left.len();
        self.denied += mocks.denied.len();
        place.write(context, &place.file, self.text.as_bytes())
    }

    fn tell(&self, context: &Context, terminal: &Terminal, path: &Path) {
        let shown = context.display(path);
        terminal.json(|| {
            let file = (self.samples > 0).then_some(&shown);
            json!({"file": file, "samples": self.samples, "mocks": self.mocks, "notRecorded": self.left, "denied": self.denied, "failed": self.failed})
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

/// The note on a call that was denied, with what lets it pass.
fn denied(sample: &str, call: &ToolCall, by: CallDenial) -> Message {
    let (tool, input) = (&call.name, shortened(&call.input.to_string(), SHOWN));
    match by {
        CallDenial::Agent => {
            let why = call.output.as_ref().map(|output| shortened(&output.text, SHOWN)).unwrap_or_default();
            msg!("cli-mocks-denied", sample = sample, tool = tool, input = input, why = why)
        }
        CallDenial::Sandbox => msg!("cli-mocks-denied-sandbox", sample = sample, tool = tool, input = input),
        CallDenial::Network => msg!("cli-mocks-denied-network", sample = sample, tool = tool, input = input),
    }
}

/// The note on a call whose mock may be of a denial.
fn doubtful(sample: &str, call: &ToolCall, by: CallDenial) -> Message {
    let (tool, input) = (&call.name, shortened(&call.input.to_string(), SHOWN));
    match by {
        CallDenial::Network => msg!("cli-mocks-doubtful-network", sample = sample, tool = tool, input = input),
        CallDenial::Sandbox | CallDenial::Agent => {
            msg!("cli-mocks-doubtful-sandbox", sample = sample, tool = tool, input = input)
        }
    }
}
