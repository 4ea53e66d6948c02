//! All treatments of the files, where fewer are compared. Whoever picks the best of twelve has looked at twelve.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eval_message::{Message, msg};

use crate::arrange::{ArrangeOptions, ArrangedResults, arrange};
use crate::mapping::ScaleRange;
use crate::row::{ForeignRow, ReadResults, ScoreValue};

/// Columns that a note lists.
const LISTED: usize = 20;

/// Every treatment of the files.
#[derive(Clone, Debug)]
pub struct WholeFile {
    /// Their number.
    pub treatments: usize,
    /// All of them and the control; absent if they can't be read together.
    pub arranged: Option<ArrangedResults>,
    /// Columns that were taken for treatments without being named.
    pub note: Option<Message>,
}

impl WholeFile {
    /// Arranges all treatments of the files beside the control of `compared`; `None` if all of them are compared.
    #[must_use]
    pub fn arrange(
        mut files: Vec<ReadResults>,
        options: &ArrangeOptions,
        compared: &ArrangedResults,
    ) -> Option<WholeFile> {
        let further = admit(&mut files, options.scale);
        let treatments = compared.file_treatments + further.len();
        if treatments < compared.arms.len() {
            return None;
        }
        let note = (!further.is_empty()).then(|| {
            let more = if further.len() > LISTED { ", …" } else { "" };
            let names: Vec<String> = further.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
            msg!("results-further-columns", list = names.join(", ") + more, count = further.len())
        });
        let all = ArrangeOptions {
            control: Some(compared.choice.control.clone()),
            treatments: Vec::new(),
            accepts_wide_scale: true,
            ..options.clone()
        };
        Some(WholeFile { treatments, arranged: arrange(files, &all).ok(), note })
    }
}

/// Makes further columns of scores arms if all their scores lie on the scale, and returns their names.
fn admit(files: &mut [ReadResults], scale: Option<ScaleRange>) -> BTreeSet<Arc<str>> {
    let scale = scale.unwrap_or(ScaleRange { worst: 0.0, best: 1.0 });
    let fits = |row: &ForeignRow| {
        row.scores.iter().all(|score| match score.value {
            ScoreValue::Number(number) | ScoreValue::Share(number) => scale.has(number),
            ScoreValue::Passed(_) => true,
        })
    };
    let name = |row: &ForeignRow| row.arm.first().map(|(_, column)| Arc::clone(column)).unwrap_or_default();
    let mut columns: BTreeMap<Arc<str>, bool> = BTreeMap::new();
    for row in files.iter().flat_map(|file| &file.rows).filter(|row| row.is_further) {
        *columns.entry(name(row)).or_insert(true) &= fits(row);
    }
    let admitted: BTreeSet<Arc<str>> = columns.into_iter().filter(|(_, fits)| *fits).map(|(name, _)| name).collect();
    for row in files.iter_mut().flat_map(|file| &mut file.rows) {
        row.is_further &= !admitted.contains(&name(row));
    }
    admitted
}
