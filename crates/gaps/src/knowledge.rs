//! Which files of a knowledge base an agent met.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use eval_spec::files::{below_home, home_in};
use eval_spec::gap::{AccessKind, GapClass, LineRange};
use eval_spec::knowledge::KnowledgeBase;
use globset::GlobBuilder;

use crate::class::SearchedPlaces;
use crate::looked_up::{LookedUp, PathAccess};

/// The files of a knowledge base, found by the paths in a transcript.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeFiles {
    /// The files and folders of which it consists.
    roots: Vec<PathBuf>,
    /// As they are shown.
    names: Vec<String>,
    /// What stands for each one's content, where it is known.
    hashes: Vec<Option<String>>,
    by_path: HashMap<PathBuf, usize>,
    /// Files that lie elsewhere for each agent, by the end of their path.
    by_end: Vec<(String, usize)>,
}

/// What one conversation looked up in a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeLookup {
    /// Whether it looked up anything anywhere.
    pub has_looked: bool,
    /// The files by their numbers, how they were met, and which of their lines, where the transcript tells.
    accesses: Vec<(usize, AccessKind, Option<LineRange>)>,
}

/// How a search concerns a knowledge base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnowledgeConcern {
    /// It looks in the knowledge base.
    In,
    /// It looks for a fact where the knowledge base is a part, or asks a server.
    For,
    /// It looks elsewhere, or for code.
    None,
}

/// How one asker met a file, and which of its lines: none for a whole file, and where a transcript doesn't tell.
pub type KnowledgeAccess = (AccessKind, usize, Vec<LineRange>);

/// The lines of each way in which each asker met a file.
type LinesOfAccesses = BTreeMap<(AccessKind, usize), Vec<Option<LineRange>>>;

impl KnowledgeLookup {
    /// Whether no file was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }
}

impl KnowledgeFiles {
    /// The files of a knowledge base.
    #[must_use]
    pub fn new(base: &KnowledgeBase) -> KnowledgeFiles {
        let mut all = KnowledgeFiles { roots: base.roots.clone(), ..KnowledgeFiles::default() };
        for file in &base.files {
            all.by_path.insert(file.path.clone(), all.names.len());
            all.names.push(file.name.clone());
            all.hashes.push(file.hash.clone());
        }
        all
    }

    /// Adds a file that is shown as `name`, lies at `path` if anywhere, and for an agent wherever a path ends with its name;
    /// `hash` stands for its content.
    pub fn add_elsewhere(&mut self, name: &str, path: Option<PathBuf>, hash: String) {
        let at = path.as_ref().and_then(|own| self.by_path.get(own)).copied().unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.hashes.push(Some(hash));
            self.names.len() - 1
        });
        self.by_path.extend(path.map(|own| (own, at)));
        self.by_end.push((format!("/{name}"), at));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the files with what stands for their contents, where that is known.
    pub fn hashes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().zip(&self.hashes).filter_map(|(name, hash)| Some((name.as_str(), hash.as_deref()?)))
    }

    /// How a search of a session in `cwd` concerns the knowledge base of the project at `project`, of which `cwd` may be a copy.
    #[must_use]
    pub fn concern(
        &self,
        searched: &SearchedPlaces,
        class: GapClass,
        project: &Path,
        cwd: Option<&str>,
    ) -> KnowledgeConcern {
        let paths = match searched {
            SearchedPlaces::Paths(paths) => paths.as_slice(),
            SearchedPlaces::Here => &[".".to_owned()],
            SearchedPlaces::Server => return KnowledgeConcern::For,
            SearchedPlaces::Web => return KnowledgeConcern::None,
        };
        let cwd = cwd.map_or(project, Path::new);
        let candidates = paths.iter().flat_map(|path| {
            let at_home = self.at_home(path);
            let whole = normal(&cwd.join(path));
            let moved = whole.strip_prefix(cwd).ok().map(|below| normal(&project.join(below)));
            std::iter::once(whole).chain(moved).chain(at_home)
        });
        let mut concern = KnowledgeConcern::None;
        for path in candidates {
            // A missing file is looked for in its folder.
            let folder = if path.extension().is_some() { path.parent().unwrap_or(&path) } else { &path };
            if self.roots.iter().any(|root| path.starts_with(root)) || self.is_of_skill(folder) {
                return KnowledgeConcern::In;
            }
            if self.roots.iter().any(|root| root.starts_with(folder)) && class == GapClass::Knowledge {
                concern = KnowledgeConcern::For;
            }
        }
        concern
    }

    /// Returns the places in the homes of the knowledge base that a path with `~` may mean.
    fn at_home(&self, path: &str) -> Vec<PathBuf> {
        let homes: BTreeSet<&Path> = self.roots.iter().filter_map(|root| home_in(root)).collect();
        let below = below_home(path);
        homes.into_iter().filter_map(|home| Some(normal(&home.join(below?)))).collect()
    }

    /// Returns whether a folder is that of a skill whose files are among them, wherever it was put, or one below.
    fn is_of_skill(&self, folder: &Path) -> bool {
        let folders =
            self.by_end.iter().flat_map(|(end, _)| Path::new(end.trim_start_matches('/')).ancestors().skip(1));
        folders.filter(|path| !path.as_os_str().is_empty()).any(|path| folder.ends_with(Path::new("skills").join(path)))
    }

    /// Which of the files were met. The base directory that a relative path refers to is `source`; `copy` is where the agent
    /// worked instead, if it worked in a copy of it.
    #[must_use]
    pub fn met(&self, looked: &LookedUp, source: &Path, copy: Option<&str>) -> KnowledgeLookup {
        let mut accesses = Vec::new();
        for access in &looked.paths {
            accesses.extend(self.files_at(access, source, copy).into_iter().map(|at| (at, access.kind, access.lines)));
        }
        accesses.sort_unstable();
        accesses.dedup();
        KnowledgeLookup { has_looked: looked.searches > 0, accesses }
    }

    /// The files that a path, or a pattern of paths, names.
    fn files_at(&self, access: &PathAccess, source: &Path, copy: Option<&str>) -> Vec<usize> {
        let path = access.path.trim_matches(['"', '\'']).trim_start_matches("@");
        let inside = copy.and_then(|copy| Path::new(path).strip_prefix(copy).ok());
        let mut places = self.at_home(path);
        if places.is_empty() {
            places.push(normal(&source.join(inside.unwrap_or(Path::new(path)))));
        }
        if path.contains('*') && access.kind == AccessKind::Read {
            let glob =
                |place: &PathBuf| GlobBuilder::new(&place.to_string_lossy()).literal_separator(true).build().ok();
            let globs: Vec<_> = places.iter().filter_map(glob).map(|glob| glob.compile_matcher()).collect();
            let is_meant = |file: &Path| globs.iter().any(|glob| glob.is_match(file));
            return self.by_path.iter().filter(|(file, _)| is_meant(file)).map(|(_, at)| *at).collect();
        }
        if let Some(at) = places.iter().find_map(|place| self.by_path.get(place)) {
            return vec![*at];
        }
        let ends = |end: &str| places.iter().any(|place| place.to_string_lossy().ends_with(end));
        self.by_end.iter().find(|(end, _)| ends(end)).map(|(_, at)| *at).into_iter().collect()
    }

    /// Every file with how it was met, by the numbers of those who looked things up.
    #[must_use]
    pub fn accesses<'l>(
        &self,
        lookups: impl IntoIterator<Item = (usize, &'l KnowledgeLookup)>,
    ) -> Vec<(String, Vec<KnowledgeAccess>)> {
        let mut by_file = vec![LinesOfAccesses::new(); self.names.len()];
        for (asker, lookup) in lookups {
            for (at, kind, lines) in &lookup.accesses {
                if let Some(of) = by_file.get_mut(*at) {
                    of.entry((*kind, asker)).or_default().push(*lines);
                }
            }
        }
        let of =
            |of: LinesOfAccesses| of.into_iter().map(|((kind, asker), lines)| (kind, asker, merged(lines))).collect();
        self.names.iter().cloned().zip(by_file.into_iter().map(of)).collect()
    }
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

/// The ranges in order, those that touch as one; none where one access was to the whole file or its lines are unknown.
fn merged(lines: Vec<Option<LineRange>>) -> Vec<LineRange> {
    let Some(mut all) = lines.into_iter().collect::<Option<Vec<LineRange>>>() else { return Vec::new() };
    all.sort_unstable();
    let mut merged: Vec<LineRange> = Vec::new();
    for range in all {
        match merged.last_mut() {
            Some(last) if last.last.is_none_or(|end| range.first <= end.saturating_add(1)) => {
                last.last = last.last.zip(range.last).map(|(a, b)| a.max(b));
            }
            _ => merged.push(range),
        }
    }
    merged
}
