//! Entering a network namespace that has nothing but a loopback interface.

use std::{fs, io};

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::process::{getegid, geteuid};
use rustix::thread::UnshareFlags;

/// Moves this process, which must have one thread, into a network namespace of its own; whoever isn't root needs a user
/// namespace for it, in which they stay who they are.
pub(crate) fn enter() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    match leave(UnshareFlags::NEWNET) {
        Err(Errno::PERM) => {
            leave(UnshareFlags::NEWUSER | UnshareFlags::NEWNET)?;
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        }
        left => left?,
    }
    start_loopback()
}

#[expect(deprecated, reason = "it is unsafe where file descriptors are unshared, which these flags don't do")]
fn leave(flags: UnshareFlags) -> Result<(), Errno> {
    rustix::thread::unshare(flags)
}

/// `RTM_NEWLINK`: changes an interface.
const CHANGE_LINK: u16 = 16;
/// `NLM_F_REQUEST` and `NLM_F_ACK`.
const ASK: u16 = 1 | 4;
/// `IFF_UP`.
const UP: u32 = 1;
/// The loopback interface is the first one of a namespace.
const LOOPBACK: i32 = 1;
/// The length of a message's header and of the change.
const LENGTH: u32 = 16 + 16;

fn start_loopback() -> io::Result<()> {
    // `NETLINK_ROUTE` is 0, the default.
    let socket = rustix::net::socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    let mut message = Vec::new();
    message.extend(LENGTH.to_ne_bytes());
    message.extend(CHANGE_LINK.to_ne_bytes());
    message.extend(ASK.to_ne_bytes());
    // Number and sender of the message, family and type of the interface: all 0.
    message.extend([0; 8 + 4]);
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    rustix::net::sendto(&socket, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0; 64];
    rustix::net::recv(&socket, &mut answer, RecvFlags::empty())?;
    // The code of the error follows the header: 0 is none.
    let code = i32::from_ne_bytes([answer[16], answer[17], answer[18], answer[19]]);
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(-code)) }
}
