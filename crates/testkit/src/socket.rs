//! TCP connections that a handler can cut, and whose client process it can find.

use std::fs;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Cuts a connection: the next write fails, and the socket closes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scissors {
    is_cut: Arc<AtomicBool>,
    /// Port of the client.
    pub(crate) port: u16,
}

impl Scissors {
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
    }
}

impl Connected<IncomingStream<'_, CuttableListener>> for Scissors {
    fn connect_info(stream: IncomingStream<'_, CuttableListener>) -> Scissors {
        stream.io().scissors.clone()
    }
}

/// Accepts [`Cuttable`] connections.
pub(crate) struct CuttableListener(pub(crate) TcpListener);

impl Listener for CuttableListener {
    type Io = Cuttable;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Cuttable, Self::Addr) {
        loop {
            if let Ok((stream, address)) = self.0.accept().await {
                // With Nagle's algorithm, a small reply would wait for the acknowledgement of the previous one.
                let _ = stream.set_nodelay(true);
                let scissors = Scissors { port: address.port(), ..Scissors::default() };
                return (Cuttable { stream, scissors }, address);
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

/// A TCP stream with [`Scissors`].
pub(crate) struct Cuttable {
    stream: TcpStream,
    scissors: Scissors,
}

impl AsyncRead for Cuttable {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Cuttable {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.scissors.is_cut.load(Ordering::SeqCst) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Finds the process on this machine whose connection has this local port, in `/proc`.
pub(crate) fn process_of(port: u16) -> Option<i32> {
    let table = fs::read_to_string("/proc/net/tcp").ok()?;
    // Number, local address, remote address, state, …; the tenth column is the inode.
    let of_port =
        |line: &&str| line.split_whitespace().nth(1).is_some_and(|word| word.ends_with(&format!(":{port:04X}")));
    let inode = table.lines().find(of_port)?.split_whitespace().nth(9)?.to_owned();
    let socket = std::path::PathBuf::from(format!("socket:[{inode}]"));
    let has_socket = |pid: &i32| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.into_iter().any(|file| fs::read_link(file.path()).is_ok_and(|link| link == socket))
    };
    let processes = fs::read_dir("/proc").ok()?.flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find(has_socket)
}
