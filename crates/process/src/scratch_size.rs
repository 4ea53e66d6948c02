//! How much a program keeps in its folders, measured a little at a time.

use std::collections::HashSet;
use std::fs::Permissions;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, open, openat2, statat};
use rustix::io::Errno;
use rustix::process::Pid;

/// How long one step takes at most, but for one system call.
const STEP: Duration = Duration::from_millis(5);

/// What an entry counts at least: names and empty files take room that no size tells.
const LEAST: u64 = 4096;

/// The folders that a program fills, and how much of them was counted.
///
/// The program is hostile and runs meanwhile: no link is followed, and no path leaves its folder.
pub(super) struct ScratchSize {
    folders: Vec<PathBuf>,
    roots: Vec<OwnedFd>,
    most: u64,
    counted: u64,
    /// Directories that are to be read: their root and their path below it.
    pending: Vec<(usize, PathBuf)>,
    current: Option<(usize, PathBuf, Dir)>,
    /// Files with several names, which count once.
    linked: HashSet<(u64, u64)>,
}

impl ScratchSize {
    /// Folders that may hold `most` bytes together; one that is missing holds none.
    pub(super) fn new(folders: &[PathBuf], most: u64) -> ScratchSize {
        let directory = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        let roots = folders.iter().filter_map(|folder| open(folder, directory, Mode::empty()).ok()).collect();
        let mut size = ScratchSize {
            folders: folders.to_vec(),
            roots,
            most,
            counted: 0,
            pending: Vec::new(),
            current: None,
            linked: HashSet::new(),
        };
        size.begin(&[]);
        size
    }

    /// Counts on for a moment; true when there is more than there may be. `processes` are those that may hold files
    /// without a name.
    pub(super) fn is_exceeded(&mut self, processes: impl FnOnce() -> Vec<Pid>) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < STEP && self.counted <= self.most {
            if !self.count_entry() {
                if self.counted > self.most {
                    break;
                }
                self.begin(&processes());
                return self.counted > self.most;
            }
        }
        self.counted > self.most
    }

    /// Starts again, with the files that have no name any more.
    fn begin(&mut self, processes: &[Pid]) {
        self.linked.clear();
        self.counted = 0;
        self.pending = (0..self.roots.len()).map(|root| (root, PathBuf::from("."))).collect();
        for &process in processes {
            self.count_unnamed(process);
        }
    }

    /// Counts one entry; false when nothing is left to count.
    fn count_entry(&mut self) -> bool {
        let Some((root, path, entries)) = &mut self.current else {
            let Some((root, path)) = self.pending.pop() else { return false };
            self.current = self.read(root, &path).map(|entries| (root, path, entries));
            return true;
        };
        let Some(Ok(entry)) = entries.next() else {
            self.current = None;
            return true;
        };
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            return true;
        }
        let below = |path: &Path, name: &std::ffi::CStr| path.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        let Some(found) = entries.fd().ok().and_then(|fd| statat(fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()) else {
            return true;
        };
        let is_directory = FileType::from_raw_mode(found.st_mode) == FileType::Directory;
        if is_directory {
            self.pending.push((*root, below(path, name)));
        }
        if is_directory || found.st_nlink < 2 || self.linked.insert((found.st_dev, found.st_ino)) {
            self.add(found.st_blocks.try_into().unwrap_or(0));
        }
        true
    }

    fn add(&mut self, blocks: u64) {
        self.counted = self.counted.saturating_add(blocks.saturating_mul(512).max(LEAST));
    }

    /// Opens a directory, also one that its owner may not read.
    fn read(&mut self, root: usize, path: &Path) -> Option<Dir> {
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        let root = self.roots.get(root)?;
        let opened = |flags| openat2(root, path, flags | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty(), beneath);
        let directory = match opened(OFlags::RDONLY) {
            Err(Errno::ACCESS) => {
                let found = opened(OFlags::PATH | OFlags::NOFOLLOW).ok()?;
                open_up(&found);
                opened(OFlags::RDONLY)
            }
            directory => directory,
        };
        match directory {
            Ok(directory) => Dir::new(directory).ok(),
            // Too deep to be looked into: nobody needs that, but to hide something.
            Err(Errno::NAMETOOLONG) => {
                self.counted = u64::MAX;
                None
            }
            Err(_) => None,
        }
    }

    /// Counts what a process has open and has removed.
    fn count_unnamed(&mut self, process: Pid) {
        let open_files = format!("/proc/{}/fd", process.as_raw_pid());
        for file in std::fs::read_dir(open_files).into_iter().flatten().flatten() {
            let Ok(was) = std::fs::read_link(file.path()) else { continue };
            if !self.folders.iter().any(|folder| was.starts_with(folder)) {
                continue;
            }
            let Ok(found) = std::fs::metadata(file.path()) else { continue };
            if found.is_file() && found.nlink() == 0 && self.linked.insert((found.dev(), found.ino())) {
                self.add(found.blocks());
            }
        }
    }
}

/// Lets the owner into a directory that was opened as a path.
fn open_up(directory: &OwnedFd) {
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", directory.as_raw_fd());
    // If it stays closed, so it is to its owner.
    let _ = std::fs::set_permissions(path, Permissions::from_mode(0o700));
}
