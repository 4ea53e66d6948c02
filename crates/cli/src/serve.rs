//! The report server as a command: `omk report`, `eval-skills report serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use eval_message::msg;
use eval_serve::http::{ReportServer, ServerSettings};
use eval_serve::library::{Library, LibrarySettings, RunFacts, StoredAnalyses};
use eval_spec::Context;
use eval_spec::record::Header;

use crate::signals::Signals;
use crate::{CommandError, Terminal, exit};

/// Default port.
const PORT: u16 = 7799;
/// Environment variable that overrides the port.
const PORT_VARIABLE: &str = "OMK_BENCH_PORT";

/// The flags of a report server.
#[derive(Args, Clone, Copy, Debug)]
pub struct ServeArgs {
    /// Port of the report server; 0 is any free one [default: OMK_BENCH_PORT, then 7799]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Don't open a browser; without a terminal none is opened anyway
    #[arg(long)]
    pub no_open: bool,
}

/// Directories and settings of a report server.
#[derive(Clone, Debug)]
pub struct ServedReports {
    /// Directory of the reports.
    pub reports: PathBuf,
    /// Directory of stored observations, if the program has one.
    pub analyses: Option<PathBuf>,
    /// Comparisons are blind until their names are revealed.
    pub blind: bool,
}

/// Serves the reports of a directory until a signal ends it. `facts` reads the header of a run without a report.
pub fn run(
    context: &Context,
    terminal: &Terminal,
    program: &'static str,
    served: ServedReports,
    arguments: ServeArgs,
    facts: impl Fn(&Header) -> Option<RunFacts> + Send + Sync + 'static,
) -> Result<u8, CommandError> {
    let port = port(context, arguments.port)?;
    let library = Library::new(LibrarySettings {
        reports: served.reports,
        home: context.home.clone(),
        blind: served.blind,
        facts: Box::new(facts),
    });
    let analyses = StoredAnalyses::new(served.analyses);
    let settings = ServerSettings { program, lang: context.lang, clock: context.clock, library, analyses };
    let directory = context.display(settings.library.directory());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(CommandError::io(msg!("cli-serve-failed")))?;
    runtime.block_on(async {
        let mut signals = Signals::new().map_err(CommandError::io(msg!("cli-serve-failed")))?;
        let server = ReportServer::bind(port, settings).await;
        let server = server.map_err(|error| CommandError::Usage {
            message: msg!("cli-serve-port", port = port.to_string(), error = error.to_string()),
            help: Some(msg!("cli-serve-port-help")),
        })?;
        announce(terminal, server.address(), &directory);
        if context.stdout_is_terminal && !arguments.no_open && !terminal.is_json() {
            open(&address(server.address()));
        }
        server.run(async { _ = signals.next().await }).await;
        Ok(exit::OK)
    })
}

fn port(context: &Context, given: Option<u16>) -> Result<u16, CommandError> {
    match (given, context.var(PORT_VARIABLE)) {
        (Some(port), _) => Ok(port),
        (None, Some(value)) => value
            .parse()
            .map_err(|_| CommandError::usage(msg!("cli-serve-variable", name = PORT_VARIABLE, value = value), None)),
        (None, None) => Ok(PORT),
    }
}

fn address(socket: SocketAddr) -> String {
    format!("http://{socket}/")
}

fn announce(terminal: &Terminal, socket: SocketAddr, directory: &str) {
    let address = address(socket);
    terminal.json(|| serde_json::json!({ "address": address, "port": socket.port(), "reports": directory }));
    terminal.say(&msg!("cli-serve-address", address = &address, dir = directory));
}

/// Opens a page in a browser; errors are ignored, since the address is on the screen.
fn open(address: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let streams = || (Stdio::null(), Stdio::null(), Stdio::null());
    let (input, output, errors) = streams();
    let started = Command::new(opener).arg(address).stdin(input).stdout(output).stderr(errors).spawn();
    if let Ok(mut child) = started {
        // Without a thread, the system reaps the child when the server ends.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
