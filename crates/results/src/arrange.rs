//! From the results of files to arms × cases × trials.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use eval_format::{ImportedFile, ImportedResults, PairedBy, UnknownFact, UnpairedCase};
use eval_message::{Message, msg};
use eval_spec::units::Ratio;

use crate::arms::ResultArms;
use crate::error::ResultsError;
use crate::formats::{name_suites, number_trials, tell_models};
use crate::mapping::{ScaleRange, ScoreReader, check_direction, check_scales};
use crate::row::{ForeignRow, ReadResults, RowEnd};

/// Cases without a pair that a report lists.
const UNPAIRED: usize = 200;
/// The most trials of a case.
const MOST_TRIALS: usize = 10_000;
/// The most arms that are compared.
const MOST_ARMS: usize = 100;
/// The most results that a report has, those that lack among them.
const MOST_CELLS: usize = 4_000_000;
/// Names of arms that are a control by themselves.
const CONTROLS: [&str; 18] = [
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

/// What is to be compared.
#[derive(Clone, Debug, Default)]
pub struct ArrangeOptions {
    /// The control's name.
    pub control: Option<String>,
    /// The treatments' names; all other arms when there are none.
    pub treatments: Vec<String>,
    /// The score's name; the one that the tool decides by when absent.
    pub score: Option<String>,
    /// What arms are made of; all that varies when absent.
    pub by: Option<String>,
    /// What cases are matched by; ids where all results have one when absent, else what was asked.
    pub pair_by: Option<PairedBy>,
    /// The scale of the scores; 0..=1 when absent.
    pub scale: Option<ScaleRange>,
    /// Acceptance of a scale that is many times wider than the scores.
    pub accepts_wide_scale: bool,
    /// Reading of cases that an arm lacks as not planned in it; otherwise they are missing.
    pub paired_only: bool,
}

/// Which arm is compared with which, and how that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmChoice {
    /// The control's name.
    pub control: String,
    /// How it was chosen.
    pub by: ControlChoice,
}

/// How the control was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlChoice {
    /// It was named.
    Named,
    /// By its name, such as `baseline`.
    ByName,
    /// It is the first of the files.
    First,
}

/// Arms × cases × trials.
#[derive(Clone, Debug)]
pub struct ArrangedResults {
    /// The arms, the control first.
    pub arms: Vec<String>,
    /// How the control was chosen.
    pub choice: ArmChoice,
    /// The cases, in the order of the files.
    pub cases: Vec<ArrangedCase>,
    /// How many trials each arm has.
    pub arm_trials: Vec<ArmTrials>,
    /// What the report says of it.
    pub imported: ImportedResults,
    /// What was chosen on the way.
    pub notes: Vec<Message>,
    /// Number of treatments that the files have, compared or not.
    pub file_treatments: usize,
}

/// A case.
#[derive(Clone, Debug)]
pub struct ArrangedCase {
    /// Its id.
    pub id: String,
    /// What was asked.
    pub input: Option<Arc<str>>,
    /// The question that it is a version of, where another case asks the same.
    pub cluster: Option<String>,
    /// The trials of each arm, in the order of the arms.
    pub trials: Vec<Vec<ArrangedTrial>>,
}

impl ArrangedResults {
    /// How many trials of `case` were planned in `arm`: as many as the arm's trials have numbers, or else the most that any
    /// arm has of the case, and no more than this arm has of any. None where the arm lacks the case and such cases are left
    /// out.
    #[must_use]
    pub fn planned(&self, case: &ArrangedCase, arm: usize) -> usize {
        planned(case, arm, &self.arm_trials, self.imported.paired_only)
    }
}

fn planned(case: &ArrangedCase, arm: usize, arm_trials: &[ArmTrials], paired_only: bool) -> usize {
    if paired_only && case.trials[arm].is_empty() { 0 } else { arm_trials[arm].planned(case) }
}

/// The trials of an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmTrials {
    /// The most that it has of a case; where they are numbered, how many numbers there are.
    pub most: usize,
    /// Whether its trials have numbers, so that a number which a case lacks was dropped.
    pub numbered: bool,
}

impl ArmTrials {
    /// `labels` has what the trials are called, with the case and the arm of each. A name that comes again in another case
    /// is a trial's number; names of which none does are ids of results.
    fn of(arm: usize, cases: &[ArrangedCase], labels: &BTreeSet<(usize, usize, Arc<str>)>) -> ArmTrials {
        let most = cases.iter().map(|case| case.trials[arm].len()).max().unwrap_or_default();
        let own = || labels.iter().filter(|(_, of, _)| *of == arm).map(|(_, _, label)| label);
        let numbers = own().collect::<BTreeSet<_>>().len();
        let numbered = numbers < own().count();
        ArmTrials { most: if numbered { numbers.max(most) } else { most }, numbered }
    }

    fn planned(self, case: &ArrangedCase) -> usize {
        match self.numbered {
            true => self.most,
            false => case.trials.iter().map(Vec::len).max().unwrap_or_default().min(self.most),
        }
    }
}

/// A trial: the result, and its score where it has one.
#[derive(Clone, Debug)]
pub struct ArrangedTrial {
    /// The result.
    pub row: ForeignRow,
    /// The score.
    pub share: Option<Ratio>,
}

/// Arranges the results of files, of which the first has the control where nothing else says which it is.
///
/// # Errors
/// When there are no two arms, or more than two and nothing says which are meant; when cases have nothing to be matched by,
/// or none is in all arms; when a score is none of the scale.
pub fn arrange(mut files: Vec<ReadResults>, options: &ArrangeOptions) -> Result<ArrangedResults, ResultsError> {
    files.iter_mut().for_each(|file| file.rows.retain(|row| !row.is_further));
    // ids that are said to be right are not read as anything else
    if options.pair_by != Some(PairedBy::Id) {
        name_suites(&mut files);
        number_trials(&mut files);
    }
    tell_models(&mut files);
    let arms = ResultArms::of(&files, options.by.as_deref())?;
    let paired_by = paired_by(&files, options.pair_by)?;
    let (chosen, choice) = choose(&files, &arms, paired_by, options)?;
    let score = choose_score(&files, options.score.as_deref())?;
    check_direction(&files, &score, options.scale)?;
    check_scales(&files, &score, options.scale)?;
    let mut reader = ScoreReader::new(options.scale);
    let mut cases: Vec<ArrangedCase> = Vec::new();
    let mut known: HashMap<(Arc<str>, Option<Arc<str>>), usize> = HashMap::new();
    let mut labels: BTreeSet<(usize, usize, Arc<str>)> = BTreeSet::new();
    let mut models: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut names = CaseNames::default();
    // where each case was asked first
    let mut asked: Vec<Option<String>> = Vec::new();
    for (file, of_file) in files.iter_mut().zip(&arms.of) {
        let rows = std::mem::take(&mut file.rows);
        for (row, (arm, beside)) in rows.into_iter().zip(of_file) {
            let Some(arm) = chosen.iter().position(|chosen| chosen == arm) else { continue };
            // it was checked to be there
            let key = case_key(&row, paired_by).unwrap_or_default();
            let case = *known.entry((Arc::clone(&key), beside.clone())).or_insert_with(|| {
                names.add(paired_by, &row, beside.as_deref());
                cases.push(ArrangedCase {
                    id: String::new(),
                    input: None,
                    cluster: beside.is_some().then(|| key.to_string()),
                    trials: vec![Vec::new(); chosen.len()],
                });
                asked.push(None);
                cases.len() - 1
            });
            if let Some(input) = &row.input {
                match &asked[case] {
                    None => {
                        asked[case] = Some(file.place(row.at));
                        cases[case].input = Some(Arc::clone(input));
                    }
                    // files that number their cases may number different ones
                    Some(first)
                        if options.pair_by.is_none()
                            && !cases[case].input.as_deref().is_none_or(|of| asks_the_same(of, input)) =>
                    {
                        return Err(ResultsError::new(msg!(
                            "results-asks-else",
                            place = file.place(row.at),
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
                    place = file.place(row.at),
                    case = names.candidate(case),
                    arm = &arms.names[chosen[arm]],
                    trial = &**trial
                ))
                .help(msg!("results-twice-help")));
            }
            if let Some(model) = &row.model {
                let of_arm = models.entry(arms.names[chosen[arm]].clone()).or_default();
                if of_arm.len() < 20 && !of_arm.iter().any(|known| **known == **model) {
                    of_arm.push(model.to_string());
                }
            }
            let trials = &mut cases[case].trials[arm];
            if trials.len() >= MOST_TRIALS {
                return Err(ResultsError::new(msg!(
                    "results-many-trials",
                    place = file.place(row.at),
                    case = names.candidate(case),
                    most = MOST_TRIALS
                )));
            }
            trials.push(trial(file, row, &score, &mut reader)?);
        }
    }
    names.settle(&mut cases);
    models.values_mut().for_each(|of_arm| of_arm.sort());
    let arm_names: Vec<String> = chosen.iter().map(|arm| arms.names[*arm].clone()).collect();
    let mut imported = imported(&files, &score, paired_by, options.paired_only);
    imported.numbered_trials = !labels.is_empty();
    imported.by_model = arms.by_model;
    imported.models = models;
    let arm_trials: Vec<ArmTrials> = (0..arm_names.len()).map(|arm| ArmTrials::of(arm, &cases, &labels)).collect();
    list_unpaired(&cases, &arm_names, &mut imported)?;
    imported.mapping = reader.mapping();
    let too_wide = reader.too_wide(&score);
    if let Some(refusal) = too_wide.clone().filter(|_| !options.accepts_wide_scale) {
        return Err(ResultsError::new(refusal).help(msg!("results-wide-scale-help")));
    }
    let arms_of = |case| (0..arm_names.len()).map(move |arm| (case, arm));
    let of_arm = |(case, arm)| planned(case, arm, &arm_trials, options.paired_only);
    let cells = cases.iter().flat_map(arms_of).map(of_arm).sum::<usize>();
    if cells > MOST_CELLS {
        return Err(ResultsError::new(msg!("results-many-cells", count = cells, most = MOST_CELLS))
            .help(msg!("results-many-cells-help")));
    }
    let notes = files.into_iter().flat_map(|file| file.notes).chain(too_wide).collect();
    let file_treatments = arms.names.len() - 1;
    Ok(ArrangedResults { arms: arm_names, choice, cases, arm_trials, imported, notes, file_treatments })
}

/// The arms that are compared, the control first.
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
    let (control, by) = match &options.control {
        Some(name) => (arms.named(name)?, ControlChoice::Named),
        None => {
            let left: Vec<usize> = (0..arms.names.len()).filter(|arm| !treatments.contains(arm)).collect();
            let is_control = |arm: &&usize| CONTROLS.contains(&&*arms.names[**arm].to_lowercase());
            let called: Vec<usize> = left.iter().filter(is_control).copied().collect();
            match (&called[..], &left[..]) {
                ([control], _) => (*control, ControlChoice::ByName),
                (_, [control]) => (*control, ControlChoice::First),
                (called, [first, second]) if treatments.is_empty() => {
                    let why = if called.is_empty() {
                        unordered(files, arms, paired_by, [*first, *second])
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
    if chosen.len() > MOST_ARMS {
        return Err(ResultsError::new(msg!("results-many-arms", count = chosen.len(), most = MOST_ARMS))
            .help(msg!("results-arms", list = arms.listed())));
    }
    Ok((chosen, ArmChoice { control: arms.names[control].clone(), by }))
}

/// Why the order of two arms in files says nothing: rows have now the one first, now the other, as they finished; or the
/// names count the other way round.
fn unordered(
    files: &[ReadResults],
    arms: &ResultArms,
    paired_by: PairedBy,
    [first, second]: [usize; 2],
) -> Option<&'static str> {
    for (file, of_file) in files.iter().zip(&arms.of) {
        let mut seen: HashSet<(Arc<str>, Option<Arc<str>>)> = HashSet::new();
        let mut early: HashSet<(Arc<str>, Option<Arc<str>>)> = HashSet::new();
        for (row, (arm, beside)) in file.rows.iter().zip(of_file) {
            let key = (case_key(row, paired_by).unwrap_or_default(), beside.clone());
            if *arm == first {
                if early.contains(&key) {
                    return Some("rows");
                }
                seen.insert(key);
            } else if *arm == second && !seen.contains(&key) {
                early.insert(key);
            }
        }
    }
    (numbers(&arms.names[first])?.cmp(&numbers(&arms.names[second])?) == Ordering::Greater
        && numberless(&arms.names[first]) == numberless(&arms.names[second]))
    .then_some("numbers")
}

/// The score that is read.
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
    let is_there = |score: &&Arc<str>| names.is_empty() || names.contains(*score);
    let mut overall: Vec<&Arc<str>> = files.iter().filter_map(|file| file.overall.as_ref()).filter(is_there).collect();
    overall.dedup();
    // Where every result is an error there is nothing to choose, and nothing to measure.
    let is_lost = |row: &ForeignRow| !matches!(row.end, RowEnd::Graded | RowEnd::Unanswered(_));
    if names.is_empty() && overall.is_empty() {
        return match files.iter().flat_map(|file| &file.rows).all(is_lost) {
            true => Ok("score".into()),
            false => {
                Err(ResultsError::new(msg!("results-no-scores", file = files.first().map_or("", |file| &file.file))))
            }
        };
    }
    match (&overall[..], names.len()) {
        ([one], _) => Ok(Arc::clone(one)),
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

/// Whether two texts differ in white space at most.
fn asks_the_same(one: &str, other: &str) -> bool {
    one == other || one.split_whitespace().eq(other.split_whitespace())
}

/// What was chosen, else ids where all have one, else what was asked.
fn paired_by(files: &[ReadResults], given: Option<PairedBy>) -> Result<PairedBy, ResultsError> {
    let lacking = |by: PairedBy| {
        let lacks = |row: &&ForeignRow| case_key(row, by).is_none();
        files.iter().find_map(|file| file.rows.iter().find(lacks).map(|row| file.place(row.at)))
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
    let found = row.scores.iter().find(|of| of.name == *score).map(|of| of.value);
    let share = match (&row.end, found) {
        (RowEnd::Graded, Some(value)) => Some(reader.share(file, row.at, score, value)?),
        (RowEnd::Graded, None) => {
            row.end = RowEnd::Ungraded(row.lacks.take().unwrap_or_default());
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
        files: files.iter().map(|of| ImportedFile { name: of.file.clone(), sha256: of.sha256.clone() }).collect(),
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

/// Lists the cases that not all arms have.
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
        if imported.unpaired.len() < UNPAIRED {
            let has = arms.iter().zip(&case.trials).filter(|(_, trials)| !trials.is_empty());
            let only_in = has.map(|(arm, _)| arm.clone()).collect();
            imported.unpaired.push(UnpairedCase { case: case.id.clone(), only_in });
        }
    }
    Ok(())
}

fn count(of: usize) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}

/// The ids of cases: their own, or names that tell them apart.
#[derive(Default)]
struct CaseNames {
    candidates: Vec<Option<String>>,
}

impl CaseNames {
    fn add(&mut self, by: PairedBy, row: &ForeignRow, beside: Option<&str>) {
        let name = match by {
            PairedBy::Id => row.id.as_deref(),
            PairedBy::Input => row.name.as_deref(),
        };
        let name = name.map(|name| match beside {
            Some(beside) => format!("{name} · {beside}"),
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
        for (at, (case, name)) in cases.iter_mut().zip(&self.candidates).enumerate() {
            let own = name.as_ref().filter(|name| count.get(name.as_str()) == Some(&1) && !name.trim().is_empty());
            case.id = own.cloned().unwrap_or_else(|| {
                let mut id = numbered(at, total);
                while count.contains_key(id.as_str()) {
                    id.push('\'');
                }
                id
            });
        }
    }
}

/// The numbers of a name, `3.5` as one of two parts, without leading zeros; nothing where there is none.
fn numbers(name: &str) -> Option<Vec<(usize, &str)>> {
    let parts = name.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<(usize, &str)> =
        parts.map(|part| part.trim_start_matches('0')).map(|digits| (digits.len(), digits)).collect();
    (!numbers.is_empty()).then_some(numbers)
}

/// A name with one mark in place of each of its numbers.
fn numberless(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            letter => out.push(letter),
        }
    }
    // `4` counts as `3.5` does
    while let Some(at) = out.find("#.#") {
        out.replace_range(at..at + 3, "#");
    }
    out
}

fn numbered(at: usize, total: usize) -> String {
    let width = total.to_string().len().max(3);
    format!("case-{:0width$}", at + 1)
}
