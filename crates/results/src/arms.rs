//! Which results belong to which arm.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use eval_message::msg;

use crate::error::ResultsError;
use crate::row::{ForeignRow, ReadResults};

/// The dimension that the files themselves are.
const FILE: &str = "file";
/// The longest name, in characters, that a file may give its arm.
const NAME: usize = 40;
/// Arms that an error lists.
const LISTED: usize = 20;

/// The arms of some files, and which each result is of.
pub(crate) struct ResultArms {
    /// Their names, in the order of the files.
    pub(crate) names: Vec<String>,
    /// For each file, for each of its results: its arm, and what beside the arm distinguishes its case.
    pub(crate) of: Vec<Vec<(usize, Option<Arc<str>>)>>,
    /// Whether the arms are models.
    pub(crate) by_model: bool,
    /// Whether each file is one arm, so that their order is the user's.
    pub(crate) by_file: bool,
}

impl ResultArms {
    /// The arms by one dimension, or by all that vary.
    pub(crate) fn of(files: &[ReadResults], by: Option<&str>) -> Result<ResultArms, ResultsError> {
        let file_names = file_names(files);
        let varying = varying(files);
        if by.is_none()
            && let Some(shared) = &varying.shared
        {
            let dimensions = std::iter::once(FILE).chain(varying.names.iter().map(|name| &**name));
            let list = dimensions.map(|name| format!("`--by {name}`")).collect::<Vec<_>>().join(", ");
            return Err(ResultsError::new(msg!("results-arms-shared", list = named_list(shared)))
                .help(msg!("results-arms-shared-help", list = list)));
        }
        let varying = varying.names;
        let (chosen, beside): (Vec<Arc<str>>, Vec<Arc<str>>) = match by {
            Some(by) => {
                let known = dimensions(files);
                if !known.contains(by) {
                    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    return Err(ResultsError::new(msg!("results-no-dimension", name = by))
                        .help(msg!("results-no-dimension-help", list = list)));
                }
                // what files differ in anyway tells no cases apart
                let is_beside = |name: &&Arc<str>| {
                    ***name != *by
                        && ***name != *FILE
                        && (by != FILE || files.iter().all(|file| values(file, name) == values(&files[0], name)))
                };
                (vec![by.into()], varying.iter().filter(is_beside).cloned().collect())
            }
            None => (varying, Vec::new()),
        };
        let mut arms = ResultArms { names: Vec::new(), of: Vec::new(), by_model: false, by_file: false };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (file, file_name) in files.iter().zip(&file_names) {
            let mut of_file = Vec::with_capacity(file.rows.len());
            for row in &file.rows {
                let values: Vec<&str> = chosen.iter().map(|name| value(row, name, file_name)).collect();
                let name = match values.is_empty() {
                    true => file_name.clone(),
                    false => values.join(" · "),
                };
                let next = known.len();
                let arm = *known.entry(name.clone()).or_insert(next);
                if arm == next {
                    arms.names.push(name);
                }
                let rest: Vec<&str> = beside.iter().map(|name| value(row, name, file_name)).collect();
                of_file.push((arm, (!rest.is_empty()).then(|| rest.join(" · ").into())));
            }
            arms.of.push(of_file);
        }
        arms.by_model = chosen.iter().any(|name| ["provider", "model"].contains(&&**name));
        arms.by_file = arms.of.iter().all(|of| of.windows(2).all(|pair| pair[0].0 == pair[1].0));
        Ok(arms)
    }

    /// The arms, for an error.
    pub(crate) fn listed(&self) -> String {
        named_list(&self.names)
    }

    /// The arm of a name; of its beginning or end, where that is of one arm only.
    pub(crate) fn named(&self, name: &str) -> Result<usize, ResultsError> {
        if let Some(arm) = self.names.iter().position(|known| known == name) {
            return Ok(arm);
        }
        let parts = |known: &&String| known.split(" · ").any(|part| part == name);
        let near: Vec<usize> = (0..self.names.len()).filter(|arm| parts(&&self.names[*arm])).collect();
        match near[..] {
            [one] => Ok(one),
            _ => Err(ResultsError::new(msg!("results-no-arm-named", name = name))
                .help(msg!("results-arms", list = self.listed()))),
        }
    }
}

fn named_list(names: &[String]) -> String {
    let more = if names.len() > LISTED { ", …" } else { "" };
    names.iter().take(LISTED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ") + more
}

/// What a file has in a dimension.
fn values<'r>(file: &'r ReadResults, name: &str) -> BTreeSet<&'r str> {
    file.rows.iter().map(|row| value(row, name, "")).collect()
}

fn value<'r>(row: &'r ForeignRow, name: &str, file: &'r str) -> &'r str {
    if name == FILE {
        return file;
    }
    row.arm.iter().find(|(known, _)| &**known == name).map_or("", |(_, value)| value)
}

fn dimensions(files: &[ReadResults]) -> BTreeSet<Arc<str>> {
    let rows = files.iter().flat_map(|file| &file.rows);
    let mut names: BTreeSet<Arc<str>> = rows.flat_map(|row| row.arm.iter().map(|(name, _)| Arc::clone(name))).collect();
    names.extend((files.len() > 1).then(|| FILE.into()));
    names
}

/// In what results differ.
struct VaryingDimensions {
    /// The dimensions, in the order in which rows have them; where files are one arm each, the one that they are called by.
    names: Vec<Arc<str>>,
    /// The arms that several files have, where files aren't one arm each. Whether the files are the arms isn't known then.
    shared: Option<Vec<String>>,
}

fn varying(files: &[ReadResults]) -> VaryingDimensions {
    let mut values: Vec<(Arc<str>, BTreeSet<&str>)> = Vec::new();
    let mut combinations: BTreeSet<(usize, Vec<&str>)> = BTreeSet::new();
    for (at, file) in files.iter().enumerate() {
        for row in &file.rows {
            for (name, value) in &row.arm {
                match values.iter_mut().find(|(known, _)| known == name) {
                    Some((_, seen)) => {
                        seen.insert(value);
                    }
                    None => values.push((Arc::clone(name), BTreeSet::from([&**value]))),
                }
            }
            combinations.insert((at, row.arm.iter().map(|(_, value)| &**value).collect()));
        }
    }
    if files.len() > 1 && combinations.len() == files.len() {
        // files that are one arm each are called by what they say of themselves, where that is short
        let is_name = |value: &&str| !value.is_empty() && value.chars().count() <= NAME && !value.contains(['\n', '…']);
        let tells = |(_, seen): &&(Arc<str>, BTreeSet<&str>)| seen.len() == files.len() && seen.iter().all(is_name);
        let name = values.iter().find(tells).map_or_else(|| FILE.into(), |(name, _)| Arc::clone(name));
        return VaryingDimensions { names: vec![name], shared: None };
    }
    let mut names: Vec<Arc<str>> =
        values.into_iter().filter(|(_, seen)| seen.len() > 1).map(|(name, _)| name).collect();
    let mut arms: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for file in files {
        let of_file: BTreeSet<Vec<&str>> =
            file.rows.iter().map(|row| names.iter().map(|name| value(row, name, "")).collect()).collect();
        of_file.into_iter().for_each(|arm| *arms.entry(arm).or_default() += 1);
    }
    let shared: Vec<String> =
        arms.into_iter().filter(|(_, files)| *files > 1).map(|(values, _)| values.join(" · ")).collect();
    if names.is_empty() && !shared.is_empty() {
        names.push(FILE.into());
        return VaryingDimensions { names, shared: None };
    }
    VaryingDimensions { names, shared: (!shared.is_empty()).then_some(shared) }
}

/// The names of files as arms: as short as tells them apart.
fn file_names(files: &[ReadResults]) -> Vec<String> {
    let stem = |file: &ReadResults| {
        let path = Path::new(&file.file);
        path.file_stem().map_or_else(|| file.file.clone(), |stem| stem.to_string_lossy().into_owned())
    };
    let folder = |file: &ReadResults| {
        let parent = Path::new(&file.file).parent().and_then(Path::file_name);
        parent.map_or_else(|| file.file.clone(), |parent| parent.to_string_lossy().into_owned())
    };
    let is_told = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let ways: [Vec<String>; 2] = [files.iter().map(stem).collect(), files.iter().map(folder).collect()];
    let shown = files.iter().map(|file| file.file.clone()).collect();
    ways.into_iter().find(|names| is_told(names)).unwrap_or(shown)
}
