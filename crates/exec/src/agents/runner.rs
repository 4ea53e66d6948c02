//! The runner of all agents: one process a call, its transcript read while it runs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, OpenOptions, create_dir_all};
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use eval_message::msg;
use eval_process::programs::find;
use eval_process::{ClosedNetwork, Launch, ProcessError, ProcessExit, run};
use eval_spec::call::{AgentRuntime, Trace};
use eval_spec::files::FileMode;
use eval_spec::hash::short_hash;
use eval_spec::page::with_changed_pages;
use eval_spec::suite::{PermissionMode, Settings};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Outcome, Output};
use eval_trace::{AgentExit, AgentSetup, TranscriptReader, without_noise};
use tokio::sync::OnceCell;

use super::access::check_login;
use super::confined::AgentSandbox;
use super::folder::RunFolder;
use super::moved::moved;
use super::program::AgentProgram;
use super::relay::{Route, ports, relay};
use super::skills::lay;
use super::tree::CopyError;
use super::workspace::{Copying, Workspaces};
use super::{
    AgentCall, AgentCli, AgentEndpoint, AgentEnvironment, AgentHome, CallFolder, Invocation, without_attachments,
};
use crate::access::ask_version;
use crate::executor_type::{Build, BuildError, Probe};
use crate::mocks::{MockServer, MockSession, MocksOfCall};
use crate::places::WORKSPACE;
use crate::prices::Prices;
use crate::program_error::{process_error, signal, with_detail};
use crate::secrets::{Redact, environment};

/// The longest transcript, in bytes.
const MAX_OUTPUT: usize = 256 << 20;

/// Variables that name the user's own files: start-up files of shells, then plugins, notes and settings of agents.
const OF_USER: [&str; 11] = [
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "CLAUDE_ENV_FILE",
    "CLAUDE_CODE_PLUGIN_DIRS",
    "CLAUDE_CODE_PLUGIN_SEED_DIR",
    "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "CODEX_SQLITE_HOME",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
];

/// The name of a call's own home of the agent.
const HOME: &str = "home";
/// The name of its folder for temporary files.
const TEMPORARY: &str = "tmp";
/// The name of its folder for the files that stand in for real ones.
const STAND_INS: &str = "files";

struct Agent {
    cli: &'static AgentCli,
    program: Arc<AgentProgram>,
    environment: Vec<(OsString, OsString)>,
    isolation: &'static [&'static str],
    sandbox: Option<AgentSandbox>,
    endpoint: AgentEndpoint,
    /// The user's own home of the agent; `None` unless a call gets a fresh one.
    home: Option<PathBuf>,
    /// The logins that calls were last given, by their file.
    logins: Mutex<HashMap<&'static str, Vec<u8>>>,
    cwd: PathBuf,
    temporary: PathBuf,
    /// Made by the first call.
    folder: OnceCell<RunFolder>,
    workspaces: Workspaces,
    git: Option<PathBuf>,
    /// Started by the first call with mocks.
    mocks: OnceCell<MockServer>,
    identity: Identity,
    redact: Redact,
    prices: Arc<Prices>,
}

/// Whether the agent's program is there.
pub(crate) fn probe(cli: &AgentCli, context: &Context) -> Probe {
    match find(cli.name, context) {
        Some(_) => Probe::Ready,
        None => Probe::Missing { why: (cli.missing)() },
    }
}

/// Builds the executor of an agent.
pub(crate) fn build(cli: &'static AgentCli, b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    let Some(program) = find(cli.name, b.context) else { return Err(BuildError::missing((cli.missing)())) };
    (cli.check)(b.settings)?;
    let environment = cli.environment.of(b.context, b.settings);
    let isolation = cli.isolation.in_force(b.settings);
    let endpoint = (cli.endpoint)(b.context)?;
    let home = cli.home.as_ref().filter(|_| b.settings.strict_baseline).map(|home| home.of_user(b.context));
    if home.is_some() {
        check_login(cli, b.context)?;
    }
    let version = ask_version(&program, cli.version, &environment, b.context).map_err(|why| cli.no_version(why))?;
    let program = AgentProgram::new(program).map_err(|error| cli.no_version(error.to_string()))?;
    let temporary = b.context.var("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    // Agents know where they are by the path without links.
    let temporary = temporary.canonicalize().unwrap_or(temporary);
    let sandbox = AgentSandbox::of(cli, b.context, b.settings, &temporary)?;
    let identity = Identity {
        executor: cli.name.to_owned(),
        version: Some(version),
        provider: endpoint.provider.clone(),
        base_url: endpoint.base_url.clone(),
        details: Some(cli.environment.details(isolation, &environment)),
        program: Some(program.hash.clone()),
        sandbox: sandbox.as_ref().map(AgentSandbox::state),
    };
    Ok(Arc::new(Agent {
        cli,
        program: Arc::new(program),
        environment,
        isolation,
        sandbox,
        endpoint,
        home,
        logins: Mutex::default(),
        cwd: b.context.cwd.clone(),
        temporary,
        folder: OnceCell::new(),
        workspaces: Workspaces::default(),
        git: find("git", b.context),
        mocks: OnceCell::new(),
        identity,
        redact: Redact::new(b.context),
        prices: b.prices.clone(),
    }))
}

impl AgentHome {
    /// The user's own.
    pub(super) fn of_user(&self, context: &Context) -> PathBuf {
        let below_home = || Path::new(context.var("HOME").unwrap_or("/")).join(self.folder);
        context.var(self.variable).map_or_else(below_home, PathBuf::from)
    }
}

impl AgentCli {
    /// It does not say which version it is.
    pub(super) fn no_version(&self, why: String) -> BuildError {
        BuildError::missing(msg!("exec-agent-version", agent = self.name, why = why))
    }
}

impl AgentEnvironment {
    /// The clouds that are switched on.
    pub(super) fn clouds_on(&self, context: &Context) -> Vec<(&'static str, &'static str)> {
        let is_on = |name: &str| context.var(name).is_some_and(|value| value != "0" && value != "false");
        self.clouds.iter().copied().filter(|(switch, _)| is_on(switch)).collect()
    }

    /// The whole environment: its own keys and no others; those of a cloud only when it is switched on.
    pub(super) fn of(&self, context: &Context, settings: &Settings) -> Vec<(OsString, OsString)> {
        let clouds: Vec<&str> = self.clouds_on(context).into_iter().map(|(_, prefix)| prefix).collect();
        let needs = |name: &str| self.prefixes.iter().chain(&clouds).any(|prefix| name.starts_with(prefix));
        let mut environment = environment(context, needs);
        // `OLDPWD`: it names a directory of the user's.
        environment.retain(|(name, _)| name != "OLDPWD" && !self.removed.iter().any(|removed| name == removed));
        if settings.strict_baseline {
            environment.retain(|(name, _)| !OF_USER.iter().any(|of_user| name == of_user));
        }
        let quiet = self.quiet.iter().map(|(name, value)| (*name, (*value).to_owned()));
        for (name, value) in quiet.chain((self.derived)(context, settings)) {
            set(&mut environment, name.into(), value.into());
        }
        environment
    }

    /// For the identity: the isolation, and a hash of the variables that steer the program (which model a short name
    /// stands for, which cloud answers). Keys and addresses decide nothing.
    fn details(&self, isolation: &[&str], environment: &[(OsString, OsString)]) -> String {
        let steers = |name: &str| {
            self.prefixes.iter().any(|prefix| name.starts_with(prefix))
                && !["KEY", "TOKEN", "SECRET", "BASE_URL"].iter().any(|end| name.ends_with(end))
                && !self.quiet.iter().any(|(quiet, _)| *quiet == name)
        };
        let mut steering: Vec<String> = environment
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_string_lossy())))
            .filter(|(name, _)| steers(name))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        steering.sort_unstable();
        let isolation = if isolation.is_empty() { "open".to_owned() } else { isolation.join(" ") };
        format!("{isolation} env:{}", short_hash(steering.join("\n").as_bytes(), 12))
    }
}

/// Replaces a file that only the user may read, whole or not at all.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn set(environment: &mut Vec<(OsString, OsString)>, name: OsString, value: OsString) {
    environment.retain(|(known, _)| *known != name);
    environment.push((name, value));
}

/// Has an agent that uses a proxy reach this machine without it.
fn reach_directly(environment: &mut Vec<(OsString, OsString)>) {
    for name in ["NO_PROXY", "no_proxy"] {
        let known = environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.to_string_lossy());
        let value = known.filter(|known| !known.is_empty()).map_or_else(String::new, |known| format!("{known},"));
        set(environment, name.into(), format!("{value}127.0.0.1").into());
    }
}

/// What is known of the program behind a call; `None` where nothing is.
fn runtime(
    setup: Option<&AgentSetup>,
    replaced_by: Option<String>,
    changed_cwd: Option<&str>,
) -> Option<Box<AgentRuntime>> {
    let setup = setup.cloned().unwrap_or_default();
    let failed = setup.mcp_servers.into_iter().filter(|(_, status)| status == "failed");
    let runtime = AgentRuntime {
        version: setup.version,
        replaced_by,
        changed_cwd: changed_cwd.map(str::to_owned),
        tools: setup.tools,
        failed_servers: failed.map(|(name, _)| name).collect(),
    };
    (runtime != AgentRuntime::default()).then(|| Box::new(runtime))
}

/// How a call is started in its sandbox.
struct ConfinedCommand {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// What leads out of its network namespace; `None` where it has the network.
    network: Option<ClosedNetwork>,
}

/// The result of a future, beside one that works for it and is dropped with it.
async fn beside<T>(result: impl Future<Output = T>, work: impl Future) -> T {
    tokio::pin!(result);
    tokio::select! {
        result = &mut result => return result,
        // A relay that breaks off is seen by the agent, which reaches nothing then.
        _ = work => {}
    }
    result.await
}

/// What the agent of a call may do without asking; a judge has nothing to do.
fn permissions(call: &Call) -> PermissionMode {
    call.surroundings.as_ref().map(|around| around.permissions).unwrap_or_default()
}

/// The result of a call with what its mocks answered; an error where a tool call passed them by.
fn settled(mocks: &MocksOfCall, result: Result<Output, ExecError>) -> Result<Output, ExecError> {
    match result {
        Ok(mut output) => match mocks.session.settle(&mut output.trace) {
            Ok(()) => Ok(output),
            Err(message) => {
                Err(ExecError { partial: Some(Box::new(output)), ..ExecError::new(Failure::Mock, message) })
            }
        },
        Err(mut error) => {
            if let Some(partial) = &mut error.partial {
                // It has failed in any case.
                drop(mocks.session.settle(&mut partial.trace));
            }
            Err(error)
        }
    }
}

impl Executor for Agent {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let result = self.run(call).await;
            result
                .map(|output| self.redact.for_answers().clean_value(output))
                .map_err(|error| self.redact.for_errors().clean_value(error))
        })
    }
}

impl Agent {
    async fn run(&self, call: &Call) -> Result<Output, ExecError> {
        let of_run = self.folder.get_or_try_init(|| async { RunFolder::below(&self.temporary) }).await;
        let of_run = of_run.map_err(|error| self.no_file(&error))?;
        // Removed when the call is over.
        let folder = CallFolder::below(of_run.path());
        let cwd = self.workspace(call, of_run, &folder).await?;
        let call = &self.in_copy(call, &cwd);
        let mocks = self.mocks(call, &folder, &cwd).await?;
        let mut environment = self.environment.clone();
        if mocks.is_some() {
            reach_directly(&mut environment);
        }
        let Invocation { arguments, variables } = self.invocation(call, &folder, &cwd, &environment, mocks.as_ref())?;
        variables.into_iter().for_each(|(name, value)| set(&mut environment, name, value));
        let replaced_by = self.replaced_by().await;
        let routes = self.routes(mocks.as_ref());
        let ConfinedCommand { program, arguments, network } =
            self.confined(call, &folder, arguments, &mut environment, &routes)?;
        let told_cwd = cwd.display().to_string();
        let launch = Launch {
            program: &program,
            arguments: &arguments,
            environment: &environment,
            cwd,
            stdin: call.prompt.as_bytes(),
            timeout: call.timeout,
        };
        let (mut reader, mut printed) = (self.cli.format.reader(), 0);
        let (began, mut spoke) = (Instant::now(), Duration::ZERO);
        let running = run(&launch, |bytes| {
            reader.push(bytes);
            printed += bytes.len();
            spoke = began.elapsed();
            if printed > MAX_OUTPUT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let ended = match network {
            Some(network) => beside(running, relay(network, routes)).await,
            None => running.await,
        };
        self.read_sessions(&folder, &mut reader);
        self.keep_login(&folder);
        let changed_cwd = call.surroundings.as_ref().and_then(|around| around.changed_cwd.as_deref());
        let runtime = runtime(reader.transcript().setup(), replaced_by, changed_cwd);
        let result = match ended {
            Ok(exit) => self.finish(reader, &exit, call),
            // Something that it waits for keeps it: its answer is there, and paid.
            Err(ProcessError::Timeout { stderr }) if reader.transcript().is_done() => {
                self.finish(reader, &ProcessExit { status: ExitStatus::default(), stderr, latency: spoke }, call)
            }
            Err(error) => Err(self.stopped(error, reader, call.timeout)),
        };
        folder.remove().await;
        let result =
            result.map(|output| Output { runtime, trace: Trace { cwd: Some(told_cwd), ..output.trace }, ..output });
        match mocks {
            Some(mocks) => settled(&mocks, result),
            None => result,
        }
    }

    /// The hash of the program that has taken the place of the one that this run began with.
    async fn replaced_by(&self) -> Option<String> {
        let program = Arc::clone(&self.program);
        tokio::task::spawn_blocking(move || program.replaced_by()).await.ok().flatten()
    }

    /// What leads out of the network namespace of a call; nothing where it has the network.
    fn routes(&self, mocks: Option<&MocksOfCall>) -> Vec<Route> {
        let model = self.sandbox.as_ref().and_then(|sandbox| sandbox.model.clone());
        let of_mocks = mocks.and_then(|mocks| Route::to_local(&mocks.desk.hook()));
        model.map(|model| std::iter::once(model).chain(of_mocks).collect()).unwrap_or_default()
    }

    /// The command line of a call in its sandbox, where it has temporary files of its own.
    fn confined(
        &self,
        call: &Call,
        folder: &CallFolder<'_>,
        arguments: Vec<OsString>,
        environment: &mut Vec<(OsString, OsString)>,
        routes: &[Route],
    ) -> Result<ConfinedCommand, ExecError> {
        let Some(sandbox) = &self.sandbox else {
            return Ok(ConfinedCommand { program: self.program.path.clone(), arguments, network: None });
        };
        let made = || {
            let folder = folder.path()?;
            let temporary = folder.join(TEMPORARY);
            DirBuilder::new().file_mode(0o700).create(&temporary)?;
            let network = (!routes.is_empty()).then(|| ClosedNetwork::new(folder, ports(routes))).transpose()?;
            Ok((folder, temporary, network))
        };
        let (folder, temporary, network) = made().map_err(|error: io::Error| self.no_file(&error))?;
        set(environment, "TMPDIR".into(), temporary.into());
        if let Some(model) = &sandbox.model {
            model.tell(environment);
        }
        let is_read_only = self.cli.has_sandbox && permissions(call).is_default();
        let writable = match is_read_only {
            true => [HOME, TEMPORARY].map(|name| folder.join(name)).to_vec(),
            false => vec![folder.to_owned()],
        };
        let secret = self.secret(call, environment);
        let (program, arguments) =
            sandbox.wrap(folder, &secret, &writable, &self.program.path, arguments, network.as_ref());
        Ok(ConfinedCommand { program, arguments, network })
    }

    /// What an agent can't read where it lies, as its copy lacks it: artifacts, reports, journals. A folder with programs that
    /// it needs stays open.
    fn secret(&self, call: &Call, environment: &[(OsString, OsString)]) -> Vec<PathBuf> {
        let withheld = call.surroundings.as_ref().and_then(|around| around.withheld.as_ref());
        let path =
            environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone()).unwrap_or_default();
        let programs = std::env::split_paths(&path).chain([self.program.path.clone()]);
        let ends = |path: PathBuf| path.canonicalize().into_iter().chain([path]);
        let needed: Vec<PathBuf> = programs.flat_map(ends).collect();
        let is_needed = |secret: &Path| needed.iter().any(|needed| needed.starts_with(secret));
        let paths = withheld.into_iter().flat_map(|withheld| &withheld.paths);
        paths.filter(|path| path.canonicalize().is_ok_and(|path| !is_needed(&path))).cloned().collect()
    }

    /// What answers the tool calls of a call in their place.
    async fn mocks(&self, call: &Call, folder: &CallFolder<'_>, cwd: &Path) -> Result<Option<MocksOfCall>, ExecError> {
        let given = call.surroundings.as_ref().and_then(|around| around.mocks.as_ref());
        let Some((mocks, of)) = given.zip(self.cli.mocks) else { return Ok(None) };
        let open = async {
            let own = folder.path()?;
            let stand_ins = own.join(STAND_INS);
            DirBuilder::new().file_mode(0o700).create(&stand_ins)?;
            let readable = of.artifacts.iter().map(|below| own.join(below)).collect();
            let session = Arc::new(MockSession::new(Arc::clone(mocks), of, cwd.to_owned(), stand_ins, readable));
            let desk = self.mocks.get_or_try_init(MockServer::start).await?.open(&session)?;
            Ok(MocksOfCall { session, desk })
        };
        open.await.map(Some).map_err(|error| self.no_file(&error))
    }

    fn invocation(
        &self,
        call: &Call,
        folder: &CallFolder<'_>,
        cwd: &Path,
        environment: &[(OsString, OsString)],
        mocks: Option<&MocksOfCall>,
    ) -> Result<Invocation, ExecError> {
        let model = if call.model.is_empty() { self.cli.default_model } else { &call.model };
        let has_key = self.environment.iter().any(|(name, value)| name == self.cli.key && !value.is_empty());
        let invocation = self.fresh_home(folder).and_then(|home| {
            let (isolation, endpoint, home) = (self.isolation, &self.endpoint, home.as_deref());
            let user_home =
                self.environment.iter().find(|(name, _)| name == "HOME").and_then(|(_, home)| home.to_str());
            let around = call.surroundings.as_deref();
            let (skills, reads_project) = around.map_or((&[][..], false), |of| (&of.skills[..], of.reads_project));
            let call = AgentCall {
                call,
                model,
                isolation,
                permissions: permissions(call),
                is_confined: self.sandbox.as_ref().is_some_and(AgentSandbox::guards_writing),
                folder,
                cwd,
                environment,
                home,
                user_home,
                endpoint,
                skills,
                reads_project,
                has_key,
                mocks,
            };
            let mut invocation = (self.cli.invocation)(&call)?;
            if let (Some(home), Some(of)) = (home, &self.cli.home) {
                invocation.variables.push((of.variable.into(), home.into()));
            }
            Ok(invocation)
        });
        invocation.map_err(|error| self.no_file(&error))
    }

    fn no_file(&self, error: &io::Error) -> ExecError {
        let folder = self.temporary.display().to_string();
        let message = msg!("exec-agent-file", agent = self.cli.name, folder = folder);
        with_detail(Failure::Spawn, message, &error.to_string())
    }

    /// A call whose texts name the copy where they name the directory that it was made of, that is no command to the program
    /// itself (the program of one arm may know a command that the other one's takes for text), and whose pages are no more
    /// than text.
    fn in_copy(&self, call: &Call, cwd: &Path) -> Call {
        let source = call.cwd.as_ref().unwrap_or(&self.cwd);
        let told = |text: &str| if source == cwd { text.to_owned() } else { moved(text, source, cwd) };
        let is_command = self.home.is_some() && self.cli.command.is_some_and(|of| call.prompt.starts_with(of));
        // A line of its own makes it text.
        let before = if is_command { "\n" } else { "" };
        // Neither a page that somebody else wrote nor an answer that a judge reads may read files of this machine: an
        // agent without tools, as judges are, attaches none at all.
        let has_tools = call.allowed_tools.as_ref().is_none_or(|tools| !tools.is_empty());
        let prompt = match self.cli.attaches {
            false => Cow::Borrowed(&*call.prompt),
            true if has_tools => with_changed_pages(&call.prompt, without_attachments),
            true => Cow::Owned(without_attachments(&call.prompt)),
        };
        Call {
            prompt: format!("{before}{}", told(&prompt)).into(),
            system: call.system.as_deref().map(|system| told(system).into()),
            ..call.clone()
        }
    }

    /// The working directory of a call: a copy of its own where artifacts are withheld.
    async fn workspace(&self, call: &Call, of_run: &RunFolder, folder: &CallFolder<'_>) -> Result<PathBuf, ExecError> {
        let source = call.cwd.as_ref().unwrap_or(&self.cwd);
        let around = call.surroundings.as_deref();
        let given = around.and_then(|around| Some((around, around.withheld.clone()?)));
        // A judge has nothing to do with a directory, whose files would be read unasked.
        let is_needless =
            around.is_none() && self.home.is_some() && call.allowed_tools.as_ref().is_some_and(Vec::is_empty);
        if given.is_none() && !is_needless {
            return Ok(source.clone());
        }
        let target = folder.path().map_err(|error| self.no_file(&error))?.join(WORKSPACE);
        let Some((around, withheld)) = given else {
            let made = DirBuilder::new().file_mode(0o700).create(&target);
            return made.map(|()| target).map_err(|error| self.no_file(&error));
        };
        let unasked = if around.reads_project { &[] } else { self.cli.isolation.unasked };
        let (below, git) = (of_run.path().to_owned(), self.git.clone());
        let copied = self.workspaces.copy(source, target.clone(), &Copying { below, withheld, unasked, git }).await;
        let laid = copied.and_then(|()| Ok(lay(&around.files, &target)?));
        laid.map(|()| target).map_err(|error| {
            let failure = error.message(source);
            let about = if let CopyError::Io(error) = error { error.to_string() } else { String::new() };
            with_detail(Failure::Spawn, failure, &about)
        })
    }

    /// A home for one call, with nothing but the user's login in it; `None` where the user's own is used.
    fn fresh_home(&self, folder: &CallFolder<'_>) -> io::Result<Option<PathBuf>> {
        let (Some(of), Some(user)) = (&self.cli.home, &self.home) else { return Ok(None) };
        let home = folder.path()?.join(HOME);
        DirBuilder::new().file_mode(0o700).create(&home)?;
        for name in of.credentials {
            if let Some(folder) = Path::new(name).parent() {
                create_dir_all(home.join(folder))?;
            }
            match std::fs::read(user.join(name)) {
                Ok(login) => {
                    OpenOptions::new()
                        .write(true)
                        .create_new(true)
                        .file_mode(0o600)
                        .open(home.join(name))?
                        .write_all(&login)?;
                    self.logins.lock().unwrap_or_else(PoisonError::into_inner).insert(name, login);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(home))
    }

    /// Gives the user the login that the agent has renewed: the vendor may not take the old one any more. Not where the
    /// user's own has changed since, and without a word where it can't be written: the answer is there.
    fn keep_login(&self, folder: &CallFolder<'_>) {
        let (Some(of), Some(user), Ok(folder)) = (&self.cli.home, &self.home, folder.path()) else { return };
        for &name in of.credentials {
            let mut logins = self.logins.lock().unwrap_or_else(PoisonError::into_inner);
            let (Some(given), Ok(renewed)) = (logins.get(name), std::fs::read(folder.join(HOME).join(name))) else {
                continue;
            };
            let path = user.join(name);
            let is_renewed =
                *given != renewed && !renewed.is_empty() && std::fs::read(&path).is_ok_and(|now| now == *given);
            if is_renewed && replace(&path, &renewed).is_ok() {
                logins.insert(name, renewed);
            }
        }
    }

    /// Reads the files of the sessions of a call that had a home of its own, as far as they are no longer than an output.
    fn read_sessions(&self, folder: &CallFolder<'_>, reader: &mut TranscriptReader) {
        let (Some(of), Some(_), Ok(folder)) = (&self.cli.home, &self.home, folder.path()) else { return };
        let mut room = MAX_OUTPUT as u64;
        for path in (of.sessions)(&folder.join(HOME)) {
            let Ok(file) = File::open(path) else { continue };
            let mut file = BufReader::new(file.take(room));
            reader.session(&mut file);
            room = file.get_ref().limit();
        }
    }

    fn finish(&self, reader: TranscriptReader, exit: &ProcessExit, call: &Call) -> Result<Output, ExecError> {
        let killed = || format!("signal {}\n{}", signal(exit.status), exit.stderr);
        let stderr = if exit.status.code().is_none() { killed() } else { exit.stderr.clone() };
        let offered = reader.transcript().setup().and_then(|setup| setup.skills.clone());
        let threads = reader.transcript().usage_by_thread();
        let mut output = reader.finish(&AgentExit { code: exit.status.code(), stderr: &stderr })?;
        output.delivered =
            call.surroundings.as_ref().and_then(|around| around.delivered(&output.trace, offered.as_deref()));
        let asks_for_load = call.surroundings.as_ref().is_some_and(|around| around.asks_for_load);
        let is_loaded = output.delivered.as_ref().is_some_and(|delivered| delivered.loaded == Some(true));
        if asks_for_load && is_loaded && output.outcome == Outcome::LimitHit {
            output.outcome = Outcome::Answered;
        }
        output.latency_ms = u64::try_from(exit.latency.as_millis()).ok();
        let answered_by = output.model.clone().unwrap_or_else(|| call.model.clone());
        output.cost = output.cost.or_else(|| match &threads[..] {
            [] => self.prices.cost(&answered_by, output.usage.as_ref()?),
            threads => self.prices.cost_of_all(threads, &answered_by),
        });
        Ok(output)
    }

    /// The error of a run that was stopped, with the trace so far.
    fn stopped(&self, error: ProcessError, reader: TranscriptReader, timeout: Duration) -> ExecError {
        let late = msg!("exec-agent-timeout", agent = self.cli.name, seconds = timeout.as_secs_f64());
        let error = process_error(error, &self.program.path, late, MAX_OUTPUT);
        let detail = error.detail.as_deref().map(without_noise);
        ExecError { partial: reader.partial(), detail, ..error }
    }
}
