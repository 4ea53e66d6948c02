//! All treatments in the files, if only some are compared. Whoever picks the best of twelve has looked at twelve.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eval_message::{Message, msg};

use crate::arrange::{ArrangeOptions, ArrangedResults, arrange};
use crate::error::listed;
use crate::mapping::ScaleRange;
use crate::row::{ForeignRow, ReadResults, ScoreValue};

/// Number of columns that a note lists.
const MAX_LISTED: usize = 20;

/// All treatments in the files.
#[derive(Clone, Debug)]
pub struct WholeFile {
    /// Number of treatments.
    pub treatments: usize,
    /// All treatments and the control; `None` if they can't be compared together.
    pub arranged: Option<ArrangedResults>,
    /// Names the columns that count as treatments although the user did not name them.
    pub note: Option<Message>,
}

impl WholeFile {
    /// Arranges all treatments in the files with the control of `compared`; `None` if `compared` has all of them.
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
            let list = listed(further.iter(), MAX_LISTED);
            msg!("results-further-columns", list = list, count = further.len())
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

/// Makes extra score columns arms if all their scores are on the scale; returns their names.
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
