//! Headless Chromium, driven over its debugging pipe: NUL-delimited JSON on two file descriptors.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::tools::tool;

/// Idle browsers. They end with this process, which closes their pipes.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// A page in a browser with its own cookies, storage and cache; the browser process may have shown pages of other
/// tests.
#[derive(Debug)]
pub struct Browser {
    /// `None` only while the value is dropped.
    chromium: Option<Chromium>,
    context: Value,
    session: Value,
    /// Errors of the console and the network.
    complaints: Vec<String>,
    requests: Vec<String>,
}

#[derive(Debug)]
struct Chromium {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last_id: u64,
}

impl Chromium {
    /// Starts `program` with a fresh profile, which is removed when it ends.
    fn start(program: &Path) -> Chromium {
        const SCRIPT: &str = "profile=$(mktemp -d)
            \"$0\" --user-data-dir=\"$profile\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null
            rm -rf \"$profile\"";
        // The pipe uses descriptors 3 and 4. The second line of switches stops the browser's own requests.
        let mut process = Command::new("sh")
            .args(["-c", SCRIPT])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a browser that starts");
        let (to, from) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        Chromium { process, to, from: BufReader::new(from), last_id: 0 }
    }

    #[track_caller]
    fn send(&mut self, session: &Value, method: &str, parameters: Value) -> u64 {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !session.is_null() {
            message["sessionId"] = session.clone();
        }
        let sent = self.to.write_all(format!("{message}\0").as_bytes()).and_then(|()| self.to.flush());
        sent.unwrap_or_else(|error| panic!("the browser has gone: {error}"));
        self.last_id
    }

    #[track_caller]
    fn message(&mut self) -> Value {
        let mut text = Vec::new();
        self.from.read_until(0, &mut text).expect("a browser that answers");
        assert_eq!(text.pop(), Some(0), "the browser has gone");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn end(mut self) {
        // Closing its input would also end the browser, but only after a while.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        drop(self.to);
        let deadline = Instant::now() + Duration::from_secs(5);
        while Instant::now() < deadline && matches!(self.process.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// Opens a page in an idle browser or a new one, or [skips](crate::tools::skip) the test. The program is Debian's
    /// Chromium.
    pub fn start() -> Option<Browser> {
        let program = tool(&["chromium", "chromium-browser", "google-chrome"])?;
        let idle = IDLE.lock().expect("a list of browsers").pop();
        let mut browser = Browser {
            chromium: Some(idle.unwrap_or_else(|| Chromium::start(&program))),
            context: Value::Null,
            session: Value::Null,
            complaints: Vec::new(),
            requests: Vec::new(),
        };
        browser.context = browser.call("Target.createBrowserContext", json!({}))["browserContextId"].clone();
        let page = json!({ "url": "about:blank", "browserContextId": browser.context });
        let target = browser.call("Target.createTarget", page)["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        browser.session = browser.call("Target.attachToTarget", attach)["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Opens an address, and waits until it is loaded.
    #[track_caller]
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.until(&format!("{address} is loaded"), "location.href !== 'about:blank'");
    }

    /// Returns the value of a JavaScript expression on the page. The page's content security policy doesn't apply to
    /// it.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let request = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", request);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until the page is loaded and an expression is true. While the browser leaves a page, expressions have no
    /// value.
    #[track_caller]
    pub fn until(&mut self, what: &str, expression: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let loaded = format!("document.readyState === 'complete' && ({expression})");
            let request = json!({ "expression": loaded, "returnByValue": true });
            if self.call("Runtime.evaluate", request)["result"]["value"] == true {
                return;
            }
            assert!(Instant::now() < deadline, "waited in vain for: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Enables or disables scripts of pages.
    pub fn scripts(&mut self, run: bool) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": !run }));
    }

    /// Sets the size of the page in pixels, and the preferred colours.
    pub fn screen(&mut self, width: u32, height: u32, colours: &str) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{ "name": "prefers-color-scheme", "value": colours }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Presses a key: a character, or a name such as `Enter`.
    pub fn press(&mut self, key: &str) {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Escape" => ("", 27),
            key if key.chars().count() == 1 => (key, 0),
            _ => ("", 0),
        };
        for (kind, text) in [("keyDown", text), ("keyUp", "")] {
            let event = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Connects pages to the network, or disconnects them.
    pub fn network(&mut self, is_on: bool) {
        let none = json!({ "offline": !is_on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.call("Network.emulateNetworkConditions", none);
    }

    /// Returns the accessibility problems that axe-core, at `OMK_TEST_AXE`, finds on the page; `None` where
    /// [it isn't there](crate::tools::skip). The page's policy doesn't apply to it.
    #[track_caller]
    pub fn violations(&mut self) -> Option<Vec<String>> {
        let source = std::fs::read_to_string(crate::tools::axe()?).expect("a script");
        if self.value("typeof axe") != "object" {
            self.value(&format!("{source};0"));
        }
        let run = "axe.run(document, { resultTypes: ['violations'] }).then((results) => results.violations.flatMap((rule) => rule.nodes.map((node) => [rule.impact, rule.id, node.html.slice(0, 200), (node.any[0] ?? node.all[0] ?? node.none[0])?.message].join(' | '))))";
        let violations = self.value(run);
        Some(violations.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Writes the visible part of the page, or all of it, to a PNG file.
    pub fn picture(&mut self, path: &Path, is_whole: bool) {
        self.call("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
        let what = json!({ "format": "png", "captureBeyondViewport": is_whole });
        let data = self.call("Page.captureScreenshot", what)["data"].clone();
        std::fs::write(path, base64(data.as_str().expect("a picture"))).expect("a file that can be written");
    }

    /// Returns the errors of the console and the network so far.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Returns the addresses of all requests so far.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    #[track_caller]
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let chromium = self.chromium.as_mut().expect("a browser in use");
        let id = chromium.send(&self.session, method, parameters);
        loop {
            let message = self.chromium.as_mut().expect("a browser in use").message();
            if message["id"] == id {
                // A page that is being left answers with this error.
                let is_left = message["error"]["message"] == "Inspected target navigated or closed";
                assert!(is_left || message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            // Late events of an earlier page have another session.
            if message["sessionId"] == self.session {
                self.note(&message);
            }
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => self.complaints.push(parameters["exceptionDetails"].to_string()),
            "Runtime.consoleAPICalled" if parameters["type"] == "error" => self.complaints.push(parameters.to_string()),
            "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
                self.complaints.push(parameters["entry"].to_string());
            }
            "Page.javascriptDialogOpening" => self.complaints.push(format!("a dialog: {parameters}")),
            "Network.requestWillBeSent" => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let Some(mut chromium) = self.chromium.take() else { return };
        if std::thread::panicking() {
            return chromium.end();
        }
        let dispose = json!({ "browserContextId": self.context });
        chromium.send(&Value::Null, "Target.disposeBrowserContext", dispose);
        IDLE.lock().expect("a list of browsers").push(chromium);
    }
}

/// Decodes RFC 4648, §4.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut group, mut bits) = (Vec::new(), 0_usize, 0);
    for digit in digits {
        group = group << 6 | digit;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(group >> bits & 0xff).unwrap_or_default());
        }
    }
    bytes
}
