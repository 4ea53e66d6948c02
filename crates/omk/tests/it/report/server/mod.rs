//! `omk report` as a server: who may ask, what is answered, and that it ends.

mod browser;
mod feedback;
mod live;
mod pages;
mod refused;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use testkit::http_client::{RawReply, exchange};

use crate::fixtures::context::TestContext;

/// A report server of the built binary.
pub(super) struct ReportSite {
    process: Child,
    pub(super) port: u16,
}

impl ReportSite {
    pub(super) fn start(context: &TestContext, arguments: &[&str]) -> ReportSite {
        let all = [&["report", "--port", "0", "--json"], arguments].concat();
        let mut process = context.command(&all).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut text = String::new();
        let announced = loop {
            assert!(out.read_line(&mut text).unwrap() > 0, "it ended: {text}");
            if let Ok(announced) = serde_json::from_str::<Value>(&text) {
                break announced;
            }
        };
        let port = u16::try_from(announced["port"].as_u64().unwrap()).unwrap();
        assert_eq!(announced["address"], format!("http://127.0.0.1:{port}/"));
        ReportSite { process, port }
    }

    pub(super) fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A request with these further header lines, and a body.
    pub(super) fn send(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> RawReply {
        let own = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close", self.port);
        let length = if body.is_empty() { String::new() } else { format!("\r\nContent-Length: {}", body.len()) };
        let head = [&[own.as_str()], headers].concat().join("\r\n") + &length + "\r\n\r\n";
        exchange(self.port, &[head.as_bytes(), body].concat())
    }

    pub(super) fn get(&self, path: &str) -> RawReply {
        self.send("GET", path, &[], b"")
    }

    #[track_caller]
    pub(super) fn page(&self, path: &str) -> String {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.text()
    }

    #[track_caller]
    pub(super) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.page(path)).unwrap()
    }

    pub(super) fn post(&self, id: &str, kind: &str, body: &str) -> RawReply {
        let path = format!("/api/run/{id}/feedback");
        self.send("POST", &path, &[&format!("Content-Type: {kind}")], body.as_bytes())
    }

    /// Ends it as Ctrl-C does; its exit code.
    pub(super) fn interrupt(mut self) -> Option<i32> {
        // SAFETY: the process is a child that was not waited for, so its id is its own.
        #[expect(unsafe_code, reason = "a signal can't be sent otherwise")]
        unsafe {
            libc::kill(i32::try_from(self.process.id()).unwrap(), libc::SIGINT);
        }
        self.process.wait().unwrap().code()
    }
}

impl Drop for ReportSite {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A project with one run of two variants over three samples, and the report's id.
pub(super) fn with_report() -> (TestContext, String) {
    let context = TestContext::with_agent();
    context.samples(3, &json!([{"type": "contains", "value": "better"}]));
    let id = run(&context, "v1,v2");
    (context, id)
}

/// A run of these variants; its report's id.
pub(super) fn run(context: &TestContext, variants: &str) -> String {
    context.run(&["eval", "--variants", variants, "--executor", "./agent", "--report-only"]).expect(0);
    context.report()["id"].as_str().unwrap().to_owned()
}
