//! Questions about files that the system answers and std doesn't ask.

use std::path::Path;

/// Whether this process may write to the path. On Windows, whether the path isn't marked as read-only.
#[must_use]
pub fn is_writable(path: &Path) -> bool {
    #[cfg(unix)]
    return rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok();
    #[cfg(not(unix))]
    path.metadata().is_ok_and(|about| about.is_dir() || !about.permissions().readonly())
}

/// Returns the free space for this user where a folder lies, in bytes; `None` where the system doesn't tell.
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let about = rustix::fs::statvfs(folder).ok()?;
        Some(about.f_bavail.saturating_mul(about.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
