//! Scripts in QuickJS: a fresh engine for each call, so no call sees another; with a limit on time and
//! memory, without files, network or processes. Imports stay in the folder of the samples.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use eval_message::{Message, msg};
use eval_spec::files;
use rquickjs::function::Args;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::promise::MaybePromise;
use rquickjs::{Context, Ctx, Error, Function, Module, Object, Runtime, Value};

use super::deadline::Deadline;
use super::{Input, Returned, SOURCE_LIMIT, ScriptSubject, Trouble, threw_message};
use crate::excerpt::excerpt;
use crate::setup::{GraderSetup, GradingLimits};

/// The engine's own stack, well below that of its thread.
const STACK: usize = 1 << 20;
const THREAD_STACK: usize = 8 << 20;

/// An engine that exceeds its limit by this much is in a loop that never checks the deadline; its thread is abandoned.
const GRACE: Duration = Duration::from_secs(2);

/// The longest excerpt of a thrown error, in characters.
const THROWN: usize = 500;

/// A script and its imports. Files are read once: changes on disk during a run change no result.
pub(crate) struct Folder {
    root: PathBuf,
    main: String,
    limits: GradingLimits,
    sources: Mutex<HashMap<String, Arc<str>>>,
}

impl Folder {
    /// Reads `file` and all it imports from `root`, runs their top level, finds the default function.
    pub(super) fn load(root: &Path, file: &Path, setup: &GraderSetup) -> Result<Arc<Folder>, Message> {
        let folder = |limits, sources| {
            let main = module_name(root, file).unwrap_or_default();
            Arc::new(Folder { root: root.to_owned(), main, limits, sources: Mutex::new(sources) })
        };
        let loading = folder(setup.limits.of_loading(), HashMap::new());
        run(&loading, None).map_err(|trouble| trouble.why)?;
        let sources = loading.sources().clone();
        Ok(folder(setup.limits, sources))
    }

    /// The files read so far, by their path in the folder.
    pub(super) fn files(&self) -> Vec<(String, Arc<str>)> {
        self.sources().iter().map(|(name, source)| (name.clone(), Arc::clone(source))).collect()
    }

    /// The script's path in the folder.
    pub(super) fn name(&self) -> &str {
        &self.main
    }

    /// Calls the default function.
    pub(super) fn call(self: &Arc<Folder>, input: Input) -> Result<Returned, Trouble> {
        run(self, Some(input))
    }

    fn sources(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<str>>> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn source(&self, name: &str) -> std::io::Result<Arc<str>> {
        if let Some(source) = self.sources().get(name) {
            return Ok(Arc::clone(source));
        }
        let path = self.root.join(name);
        let source: Arc<str> = files::read_regular_text(&path, SOURCE_LIMIT)?.into();
        self.sources().insert(name.to_owned(), Arc::clone(&source));
        Ok(source)
    }
}

// Modules are named by their path in the folder, so traces read the same on every machine.
fn module_name(root: &Path, file: &Path) -> Option<String> {
    file.strip_prefix(root).ok()?.to_str().map(str::to_owned)
}

// An own thread gives the engine a stack of known size, and us a way out when it never asks for the
// time: some built-in loops of QuickJS don't.
fn run(folder: &Arc<Folder>, input: Option<Input>) -> Result<Returned, Trouble> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let job = Arc::clone(folder);
    let work = move || {
        let result = evaluate(&job, input);
        drop(job);
        // The receiver is gone when the grace period has passed.
        let _ = sender.send(result);
    };
    if let Err(error) = thread::Builder::new().name("custom assertion".into()).stack_size(THREAD_STACK).spawn(work) {
        return Err(Trouble::new(msg!("grade-custom-engine", error = error.to_string())));
    }
    match receiver.recv_timeout(folder.limits.custom_time.saturating_add(GRACE)) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => Err(Trouble::new(too_slow(folder))),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(Trouble::new(msg!("grade-custom-engine", error = "it ended without a result")))
        }
    }
}

fn too_slow(folder: &Folder) -> Message {
    msg!("grade-custom-timeout", file = &folder.main, seconds = folder.limits.custom_time.as_secs_f64())
}

fn too_large(folder: &Folder) -> Message {
    msg!("grade-custom-memory", file = &folder.main, mib = folder.limits.custom_memory >> 20)
}

fn evaluate(folder: &Arc<Folder>, input: Option<Input>) -> Result<Returned, Trouble> {
    let broke = |error: Error| Trouble::new(msg!("grade-custom-engine", error = error.to_string()));
    let deadline = Deadline::default();
    let runtime = Runtime::new().map_err(broke)?;
    runtime.set_memory_limit(folder.limits.custom_memory);
    runtime.set_max_stack_size(STACK);
    runtime.set_interrupt_handler(Some(deadline.handler()));
    runtime.set_loader(InFolder(Arc::clone(folder)), InFolder(Arc::clone(folder)));
    let context = Context::full(&runtime).map_err(broke)?;
    context.with(|ctx| {
        let host = ScriptHost::new(&ctx).map_err(broke)?;
        deadline.set(folder.limits.custom_time);
        let call = ScriptCall { ctx: &ctx, folder, host: &host, deadline: &deadline };
        let result = call.run(input).map_err(|stopped| call.explain(stopped));
        deadline.set(GRACE);
        let log = host.log();
        match result {
            Ok(value) => Ok(Returned { value, log }),
            Err(why) => Err(Trouble { why, log }),
        }
    })
}

// Our functions inside the engine, fetched before the script could change them.
struct ScriptHost<'js> {
    tick: Function<'js>,
    log: Function<'js>,
}

impl<'js> ScriptHost<'js> {
    fn new(ctx: &Ctx<'js>) -> rquickjs::Result<ScriptHost<'js>> {
        let host: Object<'js> = ctx.eval(include_str!("prelude.js"))?;
        Ok(ScriptHost { tick: host.get("tick")?, log: host.get("log")? })
    }

    fn log(&self) -> Vec<String> {
        self.log.call(()).unwrap_or_default()
    }
}

enum ScriptFailure {
    NoFunction,
    Error(Error),
}

impl From<Error> for ScriptFailure {
    fn from(error: Error) -> ScriptFailure {
        ScriptFailure::Error(error)
    }
}

struct ScriptCall<'a, 'js> {
    ctx: &'a Ctx<'js>,
    folder: &'a Arc<Folder>,
    host: &'a ScriptHost<'js>,
    deadline: &'a Deadline,
}

impl<'js> ScriptCall<'_, 'js> {
    // Without input the module is only loaded.
    fn run(&self, input: Option<Input>) -> Result<Option<String>, ScriptFailure> {
        let function = self.default_function()?;
        let Some(Input { output, context }) = input else { return Ok(None) };
        let mut arguments = Args::new(self.ctx.clone(), 1 + context.len());
        match output {
            ScriptSubject::Text(text) => arguments.push_arg(text)?,
            ScriptSubject::Json(json) => arguments.push_arg(self.ctx.json_parse(json)?)?,
        }
        for json in context {
            arguments.push_arg(self.ctx.json_parse(json)?)?;
        }
        let value = self.settle(function.call_arg(arguments)?)?;
        let json = self.ctx.json_stringify(value)?;
        Ok(json.map(|json| json.to_string()).transpose()?)
    }

    fn default_function(&self) -> Result<Function<'js>, ScriptFailure> {
        let source = self.folder.source(&self.folder.main).map_err(Error::from)?;
        let module = Module::declare(self.ctx.clone(), self.folder.main.as_str(), &*source)?;
        let (module, top_level) = module.eval()?;
        self.settle(MaybePromise::from_value(top_level.into_value()))?;
        let default: Option<Value<'js>> = module.get("default").ok();
        default.and_then(Value::into_function).ok_or(ScriptFailure::NoFunction)
    }

    fn settle(&self, value: MaybePromise<'js>) -> rquickjs::Result<Value<'js>> {
        loop {
            if let Some(result) = value.result() {
                return result;
            }
            if self.deadline.passed() {
                return Err(Error::WouldBlock);
            }
            if !self.ctx.execute_pending_job() && !self.host.tick.call::<_, bool>(())? {
                return Err(Error::WouldBlock);
            }
        }
    }

    fn explain(&self, stopped: ScriptFailure) -> Message {
        let file = &self.folder.main;
        let error = match stopped {
            _ if self.deadline.fired() => return too_slow(self.folder),
            ScriptFailure::NoFunction => return msg!("grade-custom-no-function", file = file),
            ScriptFailure::Error(error) => error,
        };
        match error {
            Error::WouldBlock => msg!("grade-custom-never", file = file),
            Error::Allocation => too_large(self.folder),
            Error::Exception => match thrown(&self.ctx.catch()) {
                Some(text) if !text.contains("out of memory") => threw_message(file, &excerpt(&text, THROWN)),
                _ => too_large(self.folder),
            },
            other => msg!("grade-custom-threw", file = file, error = excerpt(&other.to_string(), THROWN)),
        }
    }
}

// The thrown value as text; `None` for `null`, which the engine throws when it has no memory for an error.
fn thrown(value: &Value<'_>) -> Option<String> {
    if let Some(exception) = value.as_exception() {
        let message = exception.message().unwrap_or_default();
        let stack = exception.stack().unwrap_or_default();
        return Some(format!("{message} {}", stack.trim()).trim().to_owned());
    }
    if value.is_null() {
        return None;
    }
    let json = value.ctx().json_stringify(value.clone()).ok().flatten();
    Some(json.and_then(|json| json.to_string().ok()).unwrap_or_else(|| value.type_name().to_owned()))
}

// Finds and reads modules: relative ones, inside the folder.
struct InFolder(Arc<Folder>);

impl Resolver for InFolder {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        let refuse = |why: &str| Err(Error::new_resolving_message(base, name, why));
        if !(name.starts_with("./") || name.starts_with("../")) {
            return refuse("only relative imports work here; `--custom-runtime node` has packages");
        }
        let from = self.0.root.join(base);
        let Ok(file) = from.parent().unwrap_or(&self.0.root).join(name).canonicalize() else {
            return refuse("no such file");
        };
        module_name(&self.0.root, &file).map_or_else(|| refuse("outside the folder of the samples"), Ok)
    }
}

impl Loader for InFolder {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let failed = |error: std::io::Error| Error::new_loading_message(name, error.to_string());
        let source = self.0.source(name).map_err(failed)?;
        if !name.ends_with(".json") {
            return Module::declare(ctx.clone(), name, &*source);
        }
        // JSON is ECMAScript, once it is known to be JSON.
        crate::json::check(&source).map_err(|error| Error::new_loading_message(name, error))?;
        Module::declare(ctx.clone(), name, format!("export default {source};"))
    }
}
