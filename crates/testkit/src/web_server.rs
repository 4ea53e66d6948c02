//! A web server on 127.0.0.1 whose replies are raw bytes.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Reply of the server.
#[derive(Clone, Debug)]
pub enum WebReply {
    /// Raw bytes, head included.
    Raw(Vec<u8>),
    /// A body without an end.
    Endless,
    /// A body with one byte per second.
    Slow,
}

impl WebReply {
    /// A page with this media type.
    pub fn page(content_type: &str, body: impl AsRef<[u8]>) -> WebReply {
        WebReply::with(&format!("200 OK\r\nContent-Type: {content_type}"), body)
    }

    /// A redirect.
    pub fn redirect(to: &str) -> WebReply {
        WebReply::with(&format!("302 Found\r\nLocation: {to}"), "")
    }

    /// A body after this status line and these headers.
    pub fn with(head: &str, body: impl AsRef<[u8]>) -> WebReply {
        let body = body.as_ref();
        let mut bytes =
            format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        WebReply::Raw(bytes)
    }
}

#[derive(Debug)]
pub struct WebServer {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl WebServer {
    /// Starts a server; `reply` gets the target of each request: a path, or a whole URL if the server is used as a
    /// proxy.
    pub fn start(reply: impl Fn(&str) -> WebReply + Send + Sync + 'static) -> WebServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no port: {error}"));
        let port = listener.local_addr().map_or(0, |address| address.port());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let (seen, reply) = (Arc::clone(&requests), Arc::new(reply));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, reply) = (Arc::clone(&seen), Arc::clone(&reply));
                std::thread::spawn(move || drop(serve(stream, &seen, &*reply)));
            }
        });
        WebServer { port, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the targets of all requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<String>>,
    reply: &(dyn Fn(&str) -> WebReply + Send + Sync),
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(target.clone());
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n";
    match reply(&target) {
        WebReply::Raw(bytes) => stream.write_all(&bytes),
        WebReply::Endless => {
            stream.write_all(HEAD)?;
            loop {
                stream.write_all(&[b'x'; 4096])?;
            }
        }
        WebReply::Slow => {
            stream.write_all(HEAD)?;
            loop {
                stream.write_all(b"x")?;
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }
}
