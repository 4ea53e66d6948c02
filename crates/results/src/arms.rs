//! Assigns results to arms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use eval_message::msg;

use crate::error::{ResultsError, listed};
use crate::row::{ForeignRow, ReadResults};

/// Name of the dimension whose values are the files.
const FILE: &str = "file";
/// Limit, in characters, on an arm's name from within a file.
const MAX_NAME: usize = 40;
/// Number of arms that an error lists.
const MAX_LISTED: usize = 20;

/// The arms of some files, and the arm of each result.
pub(crate) struct ResultArms {
    /// Names of the arms, in the order of the files.
    pub(crate) names: Vec<String>,
    /// Per file and result: index of the arm, and the values of the other dimensions, which tell cases with one id apart.
    pub(crate) row_arms: Vec<Vec<(usize, Option<Arc<str>>)>>,
    /// `true` if the arms are models.
    pub(crate) by_model: bool,
    /// `true` if no file has two arms, so that their order is the user's.
    pub(crate) by_file: bool,
}

impl ResultArms {
    /// Finds the arms by one dimension, or by all that vary.
    pub(crate) fn find(files: &[ReadResults], by: Option<&str>) -> Result<ResultArms, ResultsError> {
        let file_names = file_names(files);
        let varying = varying(files);
        if by.is_none()
            && let Some(shared) = &varying.shared
        {
            let dimensions = std::iter::once(FILE).chain(varying.names.iter().map(|name| &**name));
            let list = dimensions.map(|name| format!("`--by {name}`")).collect::<Vec<_>>().join(", ");
            return Err(ResultsError::new(msg!("results-arms-shared", list = listed(shared.iter(), MAX_LISTED)))
                .help(msg!("results-arms-shared-help", list = list)));
        }
        let varying = varying.names;
        let (chosen, others): (Vec<Arc<str>>, Vec<Arc<str>>) = match by {
            Some(by) => {
                let dimensions = dimensions(files);
                if !dimensions.contains(by) {
                    let list = dimensions.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    return Err(ResultsError::new(msg!("results-no-dimension", name = by))
                        .help(msg!("results-no-dimension-help", list = list)));
                }
                // a dimension whose values differ between the files can't tell cases apart
                let is_other = |name: &&Arc<str>| {
                    ***name != *by
                        && ***name != *FILE
                        && (by != FILE || files.iter().all(|file| values(file, name) == values(&files[0], name)))
                };
                (vec![by.into()], varying.iter().filter(is_other).cloned().collect())
            }
            None => (varying, Vec::new()),
        };
        let mut arms = ResultArms { names: Vec::new(), row_arms: Vec::new(), by_model: false, by_file: false };
        let mut indices: BTreeMap<String, usize> = BTreeMap::new();
        for (file, file_name) in files.iter().zip(&file_names) {
            let mut row_arms = Vec::with_capacity(file.rows.len());
            for row in &file.rows {
                let values: Vec<&str> = chosen.iter().map(|name| value(row, name, file_name)).collect();
                let name = match values.is_empty() {
                    true => file_name.clone(),
                    false => values.join(" · "),
                };
                let next = indices.len();
                let arm = *indices.entry(name.clone()).or_insert(next);
                if arm == next {
                    arms.names.push(name);
                }
                let rest: Vec<&str> = others.iter().map(|name| value(row, name, file_name)).collect();
                row_arms.push((arm, (!rest.is_empty()).then(|| rest.join(" · ").into())));
            }
            arms.row_arms.push(row_arms);
        }
        arms.by_model = chosen.iter().any(|name| ["provider", "model"].contains(&&**name));
        arms.by_file = arms.row_arms.iter().all(|rows| rows.windows(2).all(|pair| pair[0].0 == pair[1].0));
        Ok(arms)
    }

    /// Lists the arms, for an error.
    pub(crate) fn listed(&self) -> String {
        listed(self.names.iter(), MAX_LISTED)
    }

    /// Finds an arm by its name, or by one ` · ` part of it that no other arm has.
    pub(crate) fn named(&self, name: &str) -> Result<usize, ResultsError> {
        if let Some(arm) = self.names.iter().position(|arm| arm == name) {
            return Ok(arm);
        }
        let has_part = |arm: &usize| self.names[*arm].split(" · ").any(|part| part == name);
        let matches: Vec<usize> = (0..self.names.len()).filter(has_part).collect();
        match matches[..] {
            [arm] => Ok(arm),
            _ => Err(ResultsError::new(msg!("results-no-arm-named", name = name))
                .help(msg!("results-arms", list = self.listed()))),
        }
    }
}

/// Returns the values of a dimension in a file.
fn values<'r>(file: &'r ReadResults, name: &str) -> BTreeSet<&'r str> {
    file.rows.iter().map(|row| value(row, name, "")).collect()
}

fn value<'r>(row: &'r ForeignRow, name: &str, file: &'r str) -> &'r str {
    if name == FILE {
        return file;
    }
    row.arm.iter().find(|(dimension, _)| &**dimension == name).map_or("", |(_, value)| value)
}

fn dimensions(files: &[ReadResults]) -> BTreeSet<Arc<str>> {
    let rows = files.iter().flat_map(|file| &file.rows);
    let mut names: BTreeSet<Arc<str>> = rows.flat_map(|row| row.arm.iter().map(|(name, _)| Arc::clone(name))).collect();
    names.extend((files.len() > 1).then(|| FILE.into()));
    names
}

/// Dimensions in which results differ.
struct VaryingDimensions {
    /// Names, in the order of the rows; if each file is one arm, only the dimension that names it.
    names: Vec<Arc<str>>,
    /// Arms that several files have. It's unclear then whether the files themselves are the arms.
    shared: Option<Vec<String>>,
}

fn varying(files: &[ReadResults]) -> VaryingDimensions {
    let mut values: Vec<(Arc<str>, BTreeSet<&str>)> = Vec::new();
    let mut combinations: BTreeSet<(usize, Vec<&str>)> = BTreeSet::new();
    for (index, file) in files.iter().enumerate() {
        for row in &file.rows {
            for (name, value) in &row.arm {
                match values.iter_mut().find(|(dimension, _)| dimension == name) {
                    Some((_, seen)) => {
                        seen.insert(value);
                    }
                    None => values.push((Arc::clone(name), BTreeSet::from([&**value]))),
                }
            }
            combinations.insert((index, row.arm.iter().map(|(_, value)| &**value).collect()));
        }
    }
    if files.len() > 1 && combinations.len() == files.len() {
        // if each file is one arm, a dimension with short, distinct values names the arms; else the files' names do
        let is_name =
            |value: &&str| !value.is_empty() && value.chars().count() <= MAX_NAME && !value.contains(['\n', '…']);
        let is_naming = |(_, seen): &&(Arc<str>, BTreeSet<&str>)| seen.len() == files.len() && seen.iter().all(is_name);
        let name = values.iter().find(is_naming).map_or_else(|| FILE.into(), |(name, _)| Arc::clone(name));
        return VaryingDimensions { names: vec![name], shared: None };
    }
    let mut names: Vec<Arc<str>> =
        values.into_iter().filter(|(_, seen)| seen.len() > 1).map(|(name, _)| name).collect();
    let mut arms: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for file in files {
        let file_arms: BTreeSet<Vec<&str>> =
            file.rows.iter().map(|row| names.iter().map(|name| value(row, name, "")).collect()).collect();
        file_arms.into_iter().for_each(|arm| *arms.entry(arm).or_default() += 1);
    }
    let shared: Vec<String> =
        arms.into_iter().filter(|(_, files)| *files > 1).map(|(values, _)| values.join(" · ")).collect();
    if names.is_empty() && !shared.is_empty() {
        names.push(FILE.into());
        return VaryingDimensions { names, shared: None };
    }
    VaryingDimensions { names, shared: (!shared.is_empty()).then_some(shared) }
}

/// Names files as arms: by stem or folder if that tells them apart, else by path.
fn file_names(files: &[ReadResults]) -> Vec<String> {
    let stem = |file: &ReadResults| {
        let path = Path::new(&file.file);
        path.file_stem().map_or_else(|| file.file.clone(), |stem| stem.to_string_lossy().into_owned())
    };
    let folder = |file: &ReadResults| {
        let parent = Path::new(&file.file).parent().and_then(Path::file_name);
        parent.map_or_else(|| file.file.clone(), |parent| parent.to_string_lossy().into_owned())
    };
    let are_distinct = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let candidates: [Vec<String>; 2] = [files.iter().map(stem).collect(), files.iter().map(folder).collect()];
    let shown = files.iter().map(|file| file.file.clone()).collect();
    candidates.into_iter().find(|names| are_distinct(names)).unwrap_or(shown)
}
