//! Entering a network namespace that has nothing but a loopback interface, and a mount namespace with devices of its own.

use std::ffi::CStr;
use std::{fs, io};

use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::process::{getegid, geteuid};
use rustix::thread::UnshareFlags;

use crate::guards::OWN_DEVICES;

/// Moves this process, which must have one thread, into a network namespace of its own; whoever isn't root needs a user
/// namespace for it, in which they stay who they are.
pub(crate) fn enter() -> io::Result<()> {
    leave_as_user(UnshareFlags::NEWNET)?;
    start_loopback()
}

/// A folder of devices that a call gets for itself.
pub(crate) struct OwnDevices {
    /// The guard that it is.
    pub(crate) guard: &'static str,
    pub(crate) folder: &'static str,
    /// Why it is not.
    pub(crate) refused: Option<String>,
}

/// Gives this process, which must have one thread, a `/dev/shm` and terminals of its own, so that nothing passes through them to
/// or from any other; not where that folder `is_needed` as it is.
pub(crate) fn own_devices(is_needed: impl Fn(&str) -> bool) -> Vec<OwnDevices> {
    let quiet = MountFlags::NOSUID | MountFlags::NOEXEC;
    let rows: [(&str, &CStr, MountFlags, &CStr); 2] = [
        ("/dev/shm", c"tmpfs", quiet | MountFlags::NODEV, c"mode=1777"),
        // `/dev/ptmx` opens the terminals of the folder beside it.
        ("/dev/pts", c"devpts", quiet, c"newinstance,ptmxmode=0666,mode=0620"),
    ];
    let entered = enter_mounts();
    let made = |(guard, (folder, kind, flags, options)): (&'static str, (&'static str, &CStr, MountFlags, &CStr))| {
        let mounted = match &entered {
            Ok(()) => mount(kind, folder, kind, flags, options).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        OwnDevices { guard, folder, refused: mounted.err() }
    };
    OWN_DEVICES.into_iter().zip(rows).filter(|(_, (folder, ..))| !is_needed(folder)).map(made).collect()
}

fn enter_mounts() -> io::Result<()> {
    leave_as_user(UnshareFlags::NEWNS)?;
    // What is mounted here is mounted nowhere else.
    Ok(mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::DOWNSTREAM)?)
}

fn leave_as_user(into: UnshareFlags) -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    match leave(into) {
        Err(Errno::PERM) => {
            leave(UnshareFlags::NEWUSER | into)?;
            fs::write("/proc/self/setgroups", "deny")?;
            fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
            fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
        }
        left => left.map_err(io::Error::from),
    }
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
