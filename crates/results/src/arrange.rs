//! Arranges the results of files by arm, case and trial.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use eval_format::{ImportedFile, ImportedResults, PairedBy, UnknownFact, UnpairedCase};
use eval_message::{Message, msg};
use eval_spec::units::Ratio;

use crate::arms::ResultArms;
use crate::error::ResultsError;
use crate::formats::{merge_numbered_tests, qualify_by_suite, split_by_model};
use crate::mapping::{ScaleRange, ScoreReader, check_direction, check_scales};
use crate::row::{ForeignRow, ReadResults, RowEnd};

/// Number of unpaired cases that a report lists.
const MAX_LISTED_UNPAIRED: usize = 200;
/// Limit on the trials of a case in one arm.
const MAX_TRIALS: usize = 10_000;
/// Limit on the compared arms.
const MAX_ARMS: usize = 100;
/// Limit on the results of a report, including missing ones.
const MAX_CELLS: usize = 4_000_000;
/// Names, in lower case, that mark an arm as the control.
const CONTROL_NAMES: [&str; 18] = [
    "control",
    "none",
    "no",
    "off",
    "false",
    "0",
    "0.0",
    "no_skill",
    "no-skill",
    "baseline",
    "base",
    "without",
    "without_skill",
    "without-skill",
    "old_skill",
    "old",
    "before",
    "reference",
];

#[derive(Clone, Debug, Default)]
pub struct ArrangeOptions {
    /// Name of the control.
    pub control: Option<String>,
    /// Names of the treatments; empty for all other arms.
    pub treatments: Vec<String>,
    /// Name of the score; if absent, the one that the tool decides by.
    pub score: Option<String>,
    /// Dimension that the arms are made of; if absent, all that vary.
    pub by: Option<String>,
    /// Key that matches cases; if absent, ids where all results have one, else prompts.
    pub pair_by: Option<PairedBy>,
    /// Scale of the scores; 0..=1 if absent.
    pub scale: Option<ScaleRange>,
    /// `true` to accept a scale that is many times wider than the scores.
    pub accepts_wide_scale: bool,
    /// `true` to treat cases that an arm lacks as not planned in it; otherwise they are missing.
    pub paired_only: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ArmChoice {
    /// Name of the control.
    pub control: String,
    pub by: ControlChoice,
}

/// How the control was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlChoice {
    /// By the user.
    Named,
    /// By a usual name of controls, such as `baseline`.
    ByName,
    /// By position: the first arm in the files.
    First,
}

/// Results by arm, case and trial.
#[derive(Clone, Debug)]
pub struct ArrangedResults {
    /// Names of the compared arms, the control first.
    pub arms: Vec<String>,
    pub choice: ArmChoice,
    /// Cases, in the order of the files.
    pub cases: Vec<ArrangedCase>,
    /// Number of trials of each arm.
    pub arm_trials: Vec<ArmTrials>,
    /// The report's description of the import.
    pub imported: ImportedResults,
    /// Choices made while reading.
    pub notes: Vec<Message>,
    /// Number of treatments in the files, compared or not.
    pub file_treatments: usize,
}

#[derive(Clone, Debug)]
pub struct ArrangedCase {
    pub id: String,
    /// Prompt.
    pub input: Option<Arc<str>>,
    /// Key shared by all cases of one question, if several dimensions make several cases of it.
    pub cluster: Option<String>,
    /// Trials of each arm, in the order of the arms.
    pub trials: Vec<Vec<ArrangedTrial>>,
}

impl ArrangedResults {
    /// Returns how many trials of `case` were planned in `arm`. With numbered trials: as many as the arm has numbers.
    /// Otherwise: the most that any arm has of the case, at most what this arm has of any case. 0 if the arm lacks the
    /// case and only paired cases count.
    #[must_use]
    pub fn planned(&self, case: &ArrangedCase, arm: usize) -> usize {
        planned(case, arm, &self.arm_trials, self.imported.paired_only)
    }
}

fn planned(case: &ArrangedCase, arm: usize, arm_trials: &[ArmTrials], paired_only: bool) -> usize {
    if paired_only && case.trials[arm].is_empty() { 0 } else { arm_trials[arm].planned(case) }
}

/// Number of trials of an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmTrials {
    /// Most trials of any case; with numbered trials, at least how many numbers there are.
    pub most: usize,
    /// `true` if trials have numbers, so that a number that a case lacks is a lost trial.
    pub numbered: bool,
}

impl ArmTrials {
    /// Counts the trials of `arm`. `labels` holds case, arm and label of each labelled trial. Labels that recur in several
    /// cases are numbers of trials; if none recurs, they are ids of results.
    fn count(arm: usize, cases: &[ArrangedCase], labels: &BTreeSet<(usize, usize, Arc<str>)>) -> ArmTrials {
        let most = cases.iter().map(|case| case.trials[arm].len()).max().unwrap_or_default();
        let arm_labels = || labels.iter().filter(|(_, labelled, _)| *labelled == arm).map(|(_, _, label)| label);
        let numbers = arm_labels().collect::<BTreeSet<_>>().len();
        let numbered = numbers < arm_labels().count();
        ArmTrials { most: if numbered { numbers.max(most) } else { most }, numbered }
    }

    fn planned(self, case: &ArrangedCase) -> usize {
        match self.numbered {
            true => self.most,
            false => case.trials.iter().map(Vec::len).max().unwrap_or_default().min(self.most),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ArrangedTrial {
    pub row: ForeignRow,
    /// Score in 0..=1; `None` if it is missing.
    pub share: Option<Ratio>,
}

/// Arranges the results of files. The first file has the control unless a name or an option says otherwise.
///
/// # Errors
/// If there are fewer than two arms, or more and the control is unclear; if cases can't be matched, or none is in all arms;
/// if a score is outside the scale.
pub fn arrange(mut files: Vec<ReadResults>, options: &ArrangeOptions) -> Result<ArrangedResults, ResultsError> {
    files.iter_mut().for_each(|file| file.rows.retain(|row| !row.is_further));
    // the user chose ids: take them as they are
    if options.pair_by != Some(PairedBy::Id) {
        qualify_by_suite(&mut files);
        merge_numbered_tests(&mut files);
    }
    split_by_model(&mut files);
    let arms = ResultArms::find(&files, options.by.as_deref())?;
    let paired_by = paired_by(&files, options.pair_by)?;
    let (chosen, choice) = choose(&files, &arms, paired_by, options)?;
    let score = choose_score(&files, options.score.as_deref())?;
    check_direction(&files, &score, options.scale)?;
    check_scales(&files, &score, options.scale)?;
    let mut reader = ScoreReader::new(options.scale);
    let mut cases: Vec<ArrangedCase> = Vec::new();
    let mut case_indices: HashMap<(Arc<str>, Option<Arc<str>>), usize> = HashMap::new();
    let mut labels: BTreeSet<(usize, usize, Arc<str>)> = BTreeSet::new();
    let mut models: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut names = CaseNames::default();
    // place of the first prompt of each case
    let mut first_places: Vec<Option<String>> = Vec::new();
    for (file, row_arms) in files.iter_mut().zip(&arms.row_arms) {
        let rows = std::mem::take(&mut file.rows);
        for (row, (arm, context)) in rows.into_iter().zip(row_arms) {
            let Some(arm) = chosen.iter().position(|chosen| chosen == arm) else { continue };
            // `paired_by` has checked that the key exists
            let key = case_key(&row, paired_by).unwrap_or_default();
            let case = *case_indices.entry((Arc::clone(&key), context.clone())).or_insert_with(|| {
                names.add(paired_by, &row, context.as_deref());
                cases.push(ArrangedCase {
                    id: String::new(),
                    input: None,
                    cluster: context.is_some().then(|| key.to_string()),
                    trials: vec![Vec::new(); chosen.len()],
                });
                first_places.push(None);
                cases.len() - 1
            });
            if let Some(input) = &row.input {
                match &first_places[case] {
                    None => {
                        first_places[case] = Some(file.place(row.position));
                        cases[case].input = Some(Arc::clone(input));
                    }
                    // equal numbers in two files may be different cases
                    Some(first)
                        if options.pair_by.is_none()
                            && !cases[case].input.as_deref().is_none_or(|first| is_same_prompt(first, input)) =>
                    {
                        return Err(ResultsError::new(msg!(
                            "results-asks-else",
                            place = file.place(row.position),
                            case = names.candidate(case),
                            first = first
                        ))
                        .help(msg!("results-asks-else-help")));
                    }
                    Some(_) => {}
                }
            }
            if let Some(trial) = &row.trial
                && !labels.insert((case, arm, Arc::clone(trial)))
            {
                return Err(ResultsError::new(msg!(
                    "results-twice",
                    place = file.place(row.position),
                    case = names.candidate(case),
                    arm = &arms.names[chosen[arm]],
                    trial = &**trial
                ))
                .help(msg!("results-twice-help")));
            }
            if let Some(model) = &row.model {
                let arm_models = models.entry(arms.names[chosen[arm]].clone()).or_default();
                if arm_models.len() < 20 && !arm_models.iter().any(|name| **name == **model) {
                    arm_models.push(model.to_string());
                }
            }
            let trials = &mut cases[case].trials[arm];
            if trials.len() >= MAX_TRIALS {
                return Err(ResultsError::new(msg!(
                    "results-many-trials",
                    place = file.place(row.position),
                    case = names.candidate(case),
                    most = MAX_TRIALS
                )));
            }
            trials.push(trial(file, row, &score, &mut reader)?);
        }
    }
    names.settle(&mut cases);
    models.values_mut().for_each(|arm_models| arm_models.sort());
    let arm_names: Vec<String> = chosen.iter().map(|arm| arms.names[*arm].clone()).collect();
    let mut imported = imported(&files, &score, paired_by, options.paired_only);
    imported.numbered_trials = !labels.is_empty();
    imported.by_model = arms.by_model;
    imported.models = models;
    let arm_trials: Vec<ArmTrials> = (0..arm_names.len()).map(|arm| ArmTrials::count(arm, &cases, &labels)).collect();
    list_unpaired(&cases, &arm_names, &mut imported)?;
    imported.mapping = reader.mapping();
    let too_wide = reader.too_wide(&score);
    if let Some(refusal) = too_wide.clone().filter(|_| !options.accepts_wide_scale) {
        return Err(ResultsError::new(refusal).help(msg!("results-wide-scale-help")));
    }
    let case_cells =
        |case| (0..arm_names.len()).map(|arm| planned(case, arm, &arm_trials, options.paired_only)).sum::<usize>();
    let cells = cases.iter().map(case_cells).sum::<usize>();
    if cells > MAX_CELLS {
        return Err(ResultsError::new(msg!("results-many-cells", count = cells, most = MAX_CELLS))
            .help(msg!("results-many-cells-help")));
    }
    let notes = files.into_iter().flat_map(|file| file.notes).chain(too_wide).collect();
    let file_treatments = arms.names.len() - 1;
    Ok(ArrangedResults { arms: arm_names, choice, cases, arm_trials, imported, notes, file_treatments })
}

/// Chooses the arms to compare, the control first.
fn choose(
    files: &[ReadResults],
    arms: &ResultArms,
    paired_by: PairedBy,
    options: &ArrangeOptions,
) -> Result<(Vec<usize>, ArmChoice), ResultsError> {
    if arms.names.len() < 2 {
        let file = files.first().map(|file| file.file.clone()).unwrap_or_default();
        return Err(ResultsError::new(msg!("results-one-arm", file = file, arm = arms.listed()))
            .help(msg!("results-one-arm-help")));
    }
    let named = |names: &[String]| names.iter().map(|name| arms.named(name)).collect::<Result<Vec<_>, _>>();
    let treatments = named(&options.treatments)?;
    let (control, method) = match &options.control {
        Some(name) => (arms.named(name)?, ControlChoice::Named),
        None => {
            let candidates: Vec<usize> = (0..arms.names.len()).filter(|arm| !treatments.contains(arm)).collect();
            let is_control = |arm: &&usize| CONTROL_NAMES.contains(&&*arms.names[**arm].to_lowercase());
            let by_name: Vec<usize> = candidates.iter().filter(is_control).copied().collect();
            match (&by_name[..], &candidates[..]) {
                ([control], _) => (*control, ControlChoice::ByName),
                (_, [control]) => (*control, ControlChoice::First),
                (by_name, [first, second]) if treatments.is_empty() => {
                    let why = if by_name.is_empty() {
                        unclear_order(files, arms, paired_by, [*first, *second])
                    } else {
                        Some("names")
                    };
                    if let Some(why) = why.filter(|_| !arms.by_file) {
                        return Err(ResultsError::new(msg!("results-control-unsaid", why = why))
                            .help(msg!("results-arms", list = arms.listed())));
                    }
                    (*first, ControlChoice::First)
                }
                _ => {
                    return Err(ResultsError::new(msg!("results-which-control", count = arms.names.len()))
                        .help(msg!("results-arms", list = arms.listed())));
                }
            }
        }
    };
    if treatments.contains(&control) {
        return Err(ResultsError::new(msg!("results-control-is-treatment", control = &arms.names[control])));
    }
    let treatments = match treatments.is_empty() {
        true => (0..arms.names.len()).filter(|arm| *arm != control).collect(),
        false => treatments,
    };
    let mut chosen = vec![control];
    for arm in treatments {
        if !chosen.contains(&arm) {
            chosen.push(arm);
        }
    }
    if chosen.len() > MAX_ARMS {
        return Err(ResultsError::new(msg!("results-many-arms", count = chosen.len(), most = MAX_ARMS))
            .help(msg!("results-arms", list = arms.listed())));
    }
    Ok((chosen, ArmChoice { control: arms.names[control].clone(), by: method }))
}

/// Returns why the order of two arms in the files doesn't make the first one the control. `rows`: which arm comes first
/// changes from case to case. `numbers`: the first name has the higher number.
fn unclear_order(
    files: &[ReadResults],
    arms: &ResultArms,
    paired_by: PairedBy,
    [first, second]: [usize; 2],
) -> Option<&'static str> {
    for (file, row_arms) in files.iter().zip(&arms.row_arms) {
        let mut seen: HashSet<(Arc<str>, Option<Arc<str>>)> = HashSet::new();
        let mut second_first: HashSet<(Arc<str>, Option<Arc<str>>)> = HashSet::new();
        for (row, (arm, context)) in file.rows.iter().zip(row_arms) {
            let key = (case_key(row, paired_by).unwrap_or_default(), context.clone());
            if *arm == first {
                if second_first.contains(&key) {
                    return Some("rows");
                }
                seen.insert(key);
            } else if *arm == second && !seen.contains(&key) {
                second_first.insert(key);
            }
        }
    }
    (numbers(&arms.names[first])?.cmp(&numbers(&arms.names[second])?) == Ordering::Greater
        && numberless(&arms.names[first]) == numberless(&arms.names[second]))
    .then_some("numbers")
}

/// Chooses the score to read.
fn choose_score(files: &[ReadResults], given: Option<&str>) -> Result<Arc<str>, ResultsError> {
    let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
    for score in files.iter().flat_map(|file| &file.rows).flat_map(|row| &row.scores) {
        if !names.contains(&score.name) {
            names.insert(Arc::clone(&score.name));
        }
    }
    let list = || names.iter().take(30).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if let Some(given) = given {
        return names.get(given).cloned().ok_or_else(|| {
            ResultsError::new(msg!("results-no-score", score = given)).help(msg!("results-scores", list = list()))
        });
    }
    let exists = |score: &&Arc<str>| names.is_empty() || names.contains(*score);
    let mut overall: Vec<&Arc<str>> = files.iter().filter_map(|file| file.overall.as_ref()).filter(exists).collect();
    overall.dedup();
    // if every result is an error, there is no score to choose
    let is_ungraded = |row: &ForeignRow| !matches!(row.end, RowEnd::Graded | RowEnd::Unanswered(_));
    if names.is_empty() && overall.is_empty() {
        return match files.iter().flat_map(|file| &file.rows).all(is_ungraded) {
            true => Ok("score".into()),
            false => {
                Err(ResultsError::new(msg!("results-no-scores", file = files.first().map_or("", |file| &file.file))))
            }
        };
    }
    match (&overall[..], names.len()) {
        ([score], _) => Ok(Arc::clone(score)),
        ([], 1) => Ok(names.first().cloned().unwrap_or_default()),
        _ => Err(ResultsError::new(msg!("results-which-score", count = names.len()))
            .help(msg!("results-scores", list = list()))),
    }
}

fn case_key(row: &ForeignRow, by: PairedBy) -> Option<Arc<str>> {
    match by {
        PairedBy::Id => row.id.clone(),
        PairedBy::Input => row.pair.clone().or_else(|| row.input.clone()),
    }
}

/// Compares two prompts, ignoring differences of white space.
fn is_same_prompt(first: &str, other: &str) -> bool {
    first == other || first.split_whitespace().eq(other.split_whitespace())
}

/// Returns the user's choice if given; otherwise ids if all results have one, else prompts. Fails if a result lacks the key.
fn paired_by(files: &[ReadResults], given: Option<PairedBy>) -> Result<PairedBy, ResultsError> {
    let lacking = |by: PairedBy| {
        let lacks = |row: &&ForeignRow| case_key(row, by).is_none();
        files.iter().find_map(|file| file.rows.iter().find(lacks).map(|row| file.place(row.position)))
    };
    let by = given.unwrap_or(PairedBy::Id);
    match (lacking(by), given) {
        (None, _) => Ok(by),
        (Some(place), Some(PairedBy::Id)) => {
            Err(ResultsError::new(msg!("results-no-case-id", place = place)).help(msg!("results-no-case-help")))
        }
        (Some(place), Some(PairedBy::Input)) => Err(ResultsError::new(msg!("results-no-case-input", place = place))),
        (Some(_), None) => match lacking(PairedBy::Input) {
            None => Ok(PairedBy::Input),
            Some(place) => {
                Err(ResultsError::new(msg!("results-no-case", place = place)).help(msg!("results-no-case-help")))
            }
        },
    }
}

fn trial(
    file: &ReadResults,
    mut row: ForeignRow,
    score: &Arc<str>,
    reader: &mut ScoreReader,
) -> Result<ArrangedTrial, ResultsError> {
    let value = row.scores.iter().find(|named| named.name == *score).map(|named| named.value);
    let share = match (&row.end, value) {
        (RowEnd::Graded, Some(value)) => Some(reader.share(file, row.position, score, value)?),
        (RowEnd::Graded, None) => {
            row.end = RowEnd::Ungraded(row.missing_reason.take().unwrap_or_default());
            None
        }
        _ => None,
    };
    row.scores = Vec::new();
    Ok(ArrangedTrial { row, share })
}

fn imported(files: &[ReadResults], score: &str, paired_by: PairedBy, paired_only: bool) -> ImportedResults {
    let mut versions: Vec<&str> = files.iter().filter_map(|file| file.tool_version.as_deref()).collect();
    versions.dedup();
    let mut formats: Vec<&str> = files.iter().map(|file| file.format.name).collect();
    formats.dedup();
    let mut tools: Vec<&str> = files.iter().filter_map(|file| file.format.tool).collect();
    tools.dedup();
    let unknown: BTreeSet<UnknownFact> = files.iter().flat_map(|file| file.unknown.iter().copied()).collect();
    ImportedResults {
        format: formats.join(", "),
        tool: (!tools.is_empty()).then(|| tools.join(", ")),
        tool_version: (!versions.is_empty()).then(|| versions.join(", ")),
        files: files.iter().map(|file| ImportedFile { name: file.file.clone(), sha256: file.sha256.clone() }).collect(),
        score: score.to_owned(),
        mapping: eval_format::ScoreMapping::AsIs,
        paired_by,
        unpaired: Vec::new(),
        unpaired_cases: 0,
        cases: 0,
        most_lacking: 0,
        paired_only,
        numbered_trials: false,
        models: BTreeMap::new(),
        by_model: false,
        unknown: unknown.into_iter().collect(),
        family: None,
    }
}

/// Records in `imported` the cases that not all arms have.
fn list_unpaired(cases: &[ArrangedCase], arms: &[String], imported: &mut ImportedResults) -> Result<(), ResultsError> {
    let is_paired = |case: &ArrangedCase| case.trials.iter().all(|trials| !trials.is_empty());
    if !cases.iter().any(is_paired) {
        let by = match imported.paired_by {
            PairedBy::Id => "id",
            PairedBy::Input => "input",
        };
        return Err(ResultsError::new(msg!("results-no-pairs", by = by)).help(msg!("results-no-pairs-help", by = by)));
    }
    imported.cases = count(cases.len());
    let lacking = |arm: usize| cases.iter().filter(|case| case.trials[arm].is_empty()).count();
    imported.most_lacking = count((0..arms.len()).map(lacking).max().unwrap_or_default());
    for case in cases.iter().filter(|case| !is_paired(case)) {
        imported.unpaired_cases += 1;
        if imported.unpaired.len() < MAX_LISTED_UNPAIRED {
            let has = arms.iter().zip(&case.trials).filter(|(_, trials)| !trials.is_empty());
            let only_in = has.map(|(arm, _)| arm.clone()).collect();
            imported.unpaired.push(UnpairedCase { case: case.id.clone(), only_in });
        }
    }
    Ok(())
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Chooses unique ids for cases: names from the files where unique, else numbers.
#[derive(Default)]
struct CaseNames {
    candidates: Vec<Option<String>>,
}

impl CaseNames {
    fn add(&mut self, by: PairedBy, row: &ForeignRow, context: Option<&str>) {
        let name = match by {
            PairedBy::Id => row.id.as_deref(),
            PairedBy::Input => row.name.as_deref(),
        };
        let name = name.map(|name| match context {
            Some(context) => format!("{name} · {context}"),
            None => name.to_owned(),
        });
        self.candidates.push(name);
    }

    fn candidate(&self, case: usize) -> String {
        self.candidates[case].clone().unwrap_or_else(|| numbered(case, self.candidates.len()))
    }

    fn settle(self, cases: &mut [ArrangedCase]) {
        let mut count: HashMap<&str, usize> = HashMap::new();
        self.candidates.iter().flatten().for_each(|name| *count.entry(name).or_default() += 1);
        let total = cases.len();
        for (index, (case, name)) in cases.iter_mut().zip(&self.candidates).enumerate() {
            let unique = name.as_ref().filter(|name| count.get(name.as_str()) == Some(&1) && !name.trim().is_empty());
            case.id = unique.cloned().unwrap_or_else(|| {
                let mut id = numbered(index, total);
                while count.contains_key(id.as_str()) {
                    id.push('\'');
                }
                id
            });
        }
    }
}

/// Returns the numbers in a name in comparable form, each as its length and digits without leading zeros; `None` if there
/// are none. `3.5` gives 3 and 5.
fn numbers(name: &str) -> Option<Vec<(usize, &str)>> {
    let parts = name.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<(usize, &str)> =
        parts.map(|part| part.trim_start_matches('0')).map(|digits| (digits.len(), digits)).collect();
    (!numbers.is_empty()).then_some(numbers)
}

/// Replaces each number in a name by `#`.
fn numberless(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            letter => out.push(letter),
        }
    }
    // `3.5` becomes one `#`, as `4` does
    while let Some(start) = out.find("#.#") {
        out.replace_range(start..start + 3, "#");
    }
    out
}

fn numbered(index: usize, total: usize) -> String {
    let width = total.to_string().len().max(3);
    format!("case-{:0width$}", index + 1)
}
