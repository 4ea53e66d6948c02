//! Runs a program in its own network namespace, where it reaches only the ports that omk listens on.
//!
//! A helper process enters the namespace, listens on each port, and passes the listening sockets to omk through a Unix
//! socket. A socket stays in the namespace where it was made, so omk, outside, accepts connections from inside.

#[cfg(target_os = "linux")]
pub use linux::ClosedNetwork;
#[cfg(target_os = "linux")]
pub(crate) use linux::{listen, pass};
#[cfg(not(target_os = "linux"))]
pub use other::ClosedNetwork;

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{self, IoSlice, IoSliceMut};
    use std::mem::MaybeUninit;
    use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};

    use rustix::net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    };
    use tokio::io::Interest;
    use tokio::net::UnixListener;

    /// The most ports that the helper listens on.
    const MOST_PORTS: usize = 8;

    /// What leads out of the network namespace of one program.
    #[derive(Debug)]
    pub struct ClosedNetwork {
        pub(crate) socket: PathBuf,
        pub(crate) ports: Vec<u16>,
        listener: UnixListener,
    }

    impl ClosedNetwork {
        /// With these ports, eight at most, whose sockets are passed by a file in `folder`.
        ///
        /// # Errors
        /// The file can't be made: its path may be too long for a socket.
        pub fn new(folder: &Path, ports: Vec<u16>) -> io::Result<ClosedNetwork> {
            let socket = folder.join("network");
            Ok(ClosedNetwork { listener: UnixListener::bind(&socket)?, socket, ports })
        }

        /// The sockets that listen in the program's namespace, in the order of the ports, once it is there.
        ///
        /// # Errors
        /// They can't be received.
        pub async fn listeners(self) -> io::Result<Vec<tokio::net::TcpListener>> {
            let (stream, _) = self.listener.accept().await?;
            // The program can't connect again.
            let _ = std::fs::remove_file(&self.socket);
            drop(self.listener);
            let received = stream.async_io(Interest::READABLE, || receive(&stream)).await?;
            received
                .into_iter()
                .map(|listener| {
                    listener.set_nonblocking(true)?;
                    tokio::net::TcpListener::from_std(listener)
                })
                .collect()
        }
    }

    fn receive(stream: impl AsFd) -> io::Result<Vec<TcpListener>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_PORTS))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        rustix::net::recvmsg(stream, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
        let mut found = Vec::new();
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(sockets) = message {
                found.extend(sockets.map(TcpListener::from));
            }
        }
        Ok(found)
    }

    /// Passes listening sockets to the process that waits for them.
    pub(crate) fn pass(socket: &Path, listeners: &[TcpListener]) -> io::Result<()> {
        let stream = UnixStream::connect(socket)?;
        let sockets: Vec<_> = listeners.iter().map(AsFd::as_fd).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_PORTS))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&sockets)) {
            return Err(io::Error::other("too many ports"));
        }
        rustix::net::sendmsg(&stream, &[IoSlice::new(&[0])], &mut ancillary, rustix::net::SendFlags::empty())?;
        Ok(())
    }

    /// Listens on a port, for both versions of the protocol where there are both.
    pub(crate) fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::convert::Infallible;
    use std::io;
    use std::path::Path;

    /// What leads out of the network namespace of one program: there is none on this system.
    #[derive(Debug)]
    pub struct ClosedNetwork(Infallible);

    impl ClosedNetwork {
        /// Refuses: [`closed_network_error`](crate::closed_network_error) says why.
        ///
        /// # Errors
        /// Always.
        pub fn new(_: &Path, _: Vec<u16>) -> io::Result<ClosedNetwork> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Never called.
        ///
        /// # Errors
        /// None.
        #[expect(clippy::unused_async, reason = "as on Linux")]
        pub async fn listeners(self) -> io::Result<Vec<tokio::net::TcpListener>> {
            match self.0 {}
        }
    }
}
