//! Scripts in Node, for those that import packages: one process per call, killed with everything it started when its
//! time is up.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{io, thread};

use eval_message::{Message, msg};
use eval_process::{ProcessTree, command, spawn};
use eval_spec::files;
use eval_spec::halves::read_mended;
use eval_spec::hash::sha256_hex;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Child;

use super::{Input, Returned, SOURCE_LIMIT, ScriptSubject, Trouble, threw_message};
use crate::excerpt::{EVIDENCE, excerpt};
use crate::setup::{GraderSetup, GradingLimits};

/// The environment that a script's Node gets: enough to find programs, packages and a language. Keys
/// for models are not among it.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "NODE_PATH",
    "NODE_OPTIONS",
    "SYSTEMROOT",
];

/// The longest reply.
const REPLY: u64 = 4 << 20;

/// The longest excerpt of an exception, in characters.
const THROWN: usize = 500;

/// A script for Node.
pub(crate) struct NodeScript {
    program: PathBuf,
    root: PathBuf,
    file: PathBuf,
    name: String,
    hash: String,
    limits: GradingLimits,
    environment: Vec<(OsString, OsString)>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScriptRequest<'a> {
    url: String,
    text: Option<&'a str>,
    json: Option<&'a str>,
    context: Option<&'a [String]>,
    #[serde(rename = "memoryMiB")]
    memory_mib: usize,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeReply {
    value: Option<String>,
    threw: Option<String>,
    no_function: bool,
    memory: bool,
    never: bool,
    log: Vec<String>,
}

impl NodeScript {
    /// Loads the script in Node, to know that there is a Node and that the script has a default
    /// function.
    pub(super) fn load(program: &Path, root: &Path, file: &Path, setup: &GraderSetup) -> Result<NodeScript, Message> {
        let passed = |(name, _): &(&String, &String)| ENVIRONMENT.contains(&name.as_str());
        let source = files::read_regular(file, SOURCE_LIMIT).map_err(|error| {
            msg!("grade-custom-missing", file = file.display().to_string(), error = error.to_string())
        })?;
        let script = NodeScript {
            hash: sha256_hex(&source),
            program: program.to_owned(),
            root: root.to_owned(),
            file: file.to_owned(),
            name: file.strip_prefix(root).unwrap_or(file).display().to_string(),
            limits: setup.limits,
            environment: setup.env.iter().filter(passed).map(|(name, value)| (name.into(), value.into())).collect(),
        };
        script.run(None).map_err(|trouble| trouble.why)?;
        Ok(script)
    }

    /// The script's path in the folder of the samples, and its SHA-256.
    pub(super) fn hash(&self) -> (String, String) {
        (self.name.clone(), self.hash.clone())
    }

    /// Calls the default function.
    pub(super) fn call(&self, input: &Input) -> Result<Returned, Trouble> {
        self.run(Some(input))
    }

    fn run(&self, input: Option<&Input>) -> Result<Returned, Trouble> {
        let request = ScriptRequest {
            url: file_url(&self.file),
            text: input.and_then(|input| match &input.output {
                ScriptSubject::Text(text) => Some(text.as_str()),
                ScriptSubject::Json(_) => None,
            }),
            json: input.and_then(|input| match &input.output {
                ScriptSubject::Text(_) => None,
                ScriptSubject::Json(json) => Some(json.as_str()),
            }),
            context: input.map(|input| input.context.as_slice()),
            memory_mib: self.limits.custom_memory >> 20,
        };
        let broke = |error: String| Trouble::new(msg!("grade-custom-engine", error = error));
        let line = serde_json::to_string(&request).map_err(|error| broke(error.to_string()))? + "\n";
        // Grading runs on threads with and without a runtime; a new thread has none.
        thread::scope(|scope| {
            let waiting = thread::Builder::new().spawn_scoped(scope, || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.map_err(|error| broke(error.to_string()))?.block_on(self.ask(&line))
            });
            let waiting = waiting.map_err(|error| broke(error.to_string()))?;
            waiting.join().unwrap_or_else(|_| Err(broke("it ended without a result".to_owned())))
        })
    }

    async fn ask(&self, line: &str) -> Result<Returned, Trouble> {
        let (mut child, tree) = self.spawn().map_err(|error| {
            let program = self.program.display().to_string();
            Trouble::new(msg!("grade-node-missing", program = program, error = error.to_string()))
        })?;
        let answer = tokio::time::timeout(self.limits.custom_time, converse(&mut child, line)).await;
        // Killed with or without an answer.
        tree.end(false).await;
        let _ = child.wait().await;
        match answer {
            Ok(Ok(reply)) => self.read(&reply),
            Ok(Err(error)) => Err(Trouble::new(msg!("grade-custom-engine", error = error.to_string()))),
            Err(_) => Err(Trouble::new(msg!(
                "grade-custom-timeout",
                file = &self.name,
                seconds = self.limits.custom_time.as_secs_f64()
            ))),
        }
    }

    fn spawn(&self) -> io::Result<(Child, ProcessTree)> {
        let bootstrap = include_str!("node.mjs");
        let arguments = ["--input-type=module", "-e", bootstrap].map(OsString::from);
        spawn(command(&self.program, &arguments, &self.environment, &self.root))
    }

    fn read(&self, reply: &str) -> Result<Returned, Trouble> {
        let file = &self.name;
        let reply: NodeReply =
            read_mended(reply).map_err(|error| Trouble::new(msg!("grade-custom-engine", error = error.to_string())))?;
        let why = if reply.memory {
            msg!("grade-custom-memory", file = file, mib = self.limits.custom_memory >> 20)
        } else if reply.never {
            msg!("grade-custom-never", file = file)
        } else if reply.no_function {
            msg!("grade-custom-no-function", file = file)
        } else if let Some(threw) = &reply.threw {
            threw_message(file, &excerpt(threw, THROWN))
        } else {
            return Ok(Returned { value: reply.value, log: reply.log });
        };
        Err(Trouble { why, log: reply.log })
    }
}

// Sends the request and waits for the line that answers it. Standard input stays open until then: its end makes
// Node stop.
async fn converse(child: &mut Child, line: &str) -> io::Result<String> {
    let gone = || io::Error::other("its pipes are closed");
    let mut stdin = child.stdin.take().ok_or_else(gone)?;
    let stdout = child.stdout.take().ok_or_else(gone)?;
    let mut stderr = child.stderr.take().ok_or_else(gone)?;
    let mut reply = String::new();
    let mut reader = BufReader::new(stdout.take(REPLY));
    let mut stderr_text = Vec::new();
    let talk = async {
        // If Node has ended, the reply is missing.
        let _ = stdin.write_all(line.as_bytes()).await;
        let _ = stdin.flush().await;
        reader.read_line(&mut reply).await
    };
    let listen = async {
        let mut block = [0; 4096];
        while let Ok(count @ 1..) = stderr.read(&mut block).await {
            let room = 65536_usize.saturating_sub(stderr_text.len()).min(count);
            stderr_text.extend_from_slice(&block[..room]);
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        biased;
        read = talk => read?,
        () = listen => 0,
    };
    drop(stdin);
    match reply.ends_with('\n') {
        true => Ok(reply),
        false => Err(io::Error::other(format!(
            "it ended without a reply: {}",
            excerpt(String::from_utf8_lossy(&stderr_text).trim(), EVIDENCE)
        ))),
    }
}

fn file_url(path: &Path) -> String {
    let mut url = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => url.push(char::from(*byte)),
            other => url.push_str(&format!("%{other:02X}")),
        }
    }
    url
}
