//! Runs the report server of a built binary.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::http_client::{RawReply, exchange};

/// A report server started with `--port 0 --json`; stopped when dropped.
#[derive(Debug)]
pub struct ReportSite {
    process: Child,
    pub port: u16,
}

impl ReportSite {
    /// Starts the command, and waits until it prints its port.
    #[track_caller]
    pub fn start(mut command: Command) -> ReportSite {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("a server that starts");
        let mut out = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut text = String::new();
        let announced = loop {
            assert!(out.read_line(&mut text).is_ok_and(|length| length > 0), "it ended: {text}");
            if let Ok(announced) = serde_json::from_str::<Value>(&text) {
                break announced;
            }
        };
        let port = announced["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
        assert_eq!(announced["address"], format!("http://127.0.0.1:{port}/"));
        ReportSite { process, port }
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Sends a request with additional header lines and a body.
    pub fn send(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> RawReply {
        let head_start = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close", self.port);
        let length = if body.is_empty() { String::new() } else { format!("\r\nContent-Length: {}", body.len()) };
        let head = [&[head_start.as_str()], headers].concat().join("\r\n") + &length + "\r\n\r\n";
        exchange(self.port, &[head.as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> RawReply {
        self.send("GET", path, &[], b"")
    }

    /// Returns the text of an existing page.
    #[track_caller]
    pub fn page(&self, path: &str) -> String {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.text()
    }

    /// Returns the JSON at an existing address.
    #[track_caller]
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.page(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Sends feedback on a report.
    pub fn post(&self, id: &str, kind: &str, body: &str) -> RawReply {
        let path = format!("/api/run/{id}/feedback");
        self.send("POST", &path, &[&format!("Content-Type: {kind}")], body.as_bytes())
    }

    /// Returns the peak memory so far, in MiB.
    pub fn peak_mib(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.and_then(|peak| peak.split_whitespace().next()).and_then(|kib| kib.parse::<f64>().ok());
        kib.expect("Linux says it") / 1024.0
    }

    /// Interrupts the server like Ctrl-C, and returns its exit code.
    pub fn interrupt(mut self) -> Option<i32> {
        let sent = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|sent| sent.success()), "no signal was sent");
        self.process.wait().expect("a child").code()
    }
}

impl Drop for ReportSite {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
