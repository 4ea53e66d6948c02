//! HTTP byte by byte: requests that no client library would send.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

#[derive(Debug)]
pub struct RawReply {
    /// Status; 0 if the connection was closed without one.
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl RawReply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns a header's value; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        let named = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(named).and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim())
    }
}

/// Connects to a port of this machine.
pub fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server that listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    stream
}

/// Sends bytes on a new connection, and reads the response to its end: the request should ask to close the connection.
pub fn exchange(port: u16, request: &[u8]) -> RawReply {
    let mut stream = connect(port);
    // a server that rejects a large body closes the connection before all of it is sent
    let _ = stream.write_all(request);
    read_reply(stream)
}

/// Reads the response on a connection to its end.
pub fn read_reply(mut stream: TcpStream) -> RawReply {
    let mut bytes = Vec::new();
    // bytes that arrived before a reset count
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let body = bytes.get(end + 4..).unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    RawReply { status, body: if is_chunked { unchunked(body) } else { body.to_vec() }, head }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&body[..end]), 16).unwrap_or(0);
        let chunk = body.get(end + 2..end + 2 + length).unwrap_or_default();
        whole.extend_from_slice(chunk);
        body = body.get(end + 4 + length..).unwrap_or_default();
    }
    whole
}
