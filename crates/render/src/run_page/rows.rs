//! The samples as rows: what is needed to list, filter and sort them, without their texts.

use std::collections::{BTreeMap, HashMap};

use crate::minus::{points, signed};
use eval_analysis::grouping::label_of;
use eval_format::{Analysis, AssertionDetail, Comparison, Excluded, SampleResult, VariantResult};
use eval_message::plain::{clean, clip};
use eval_message::{Lang, Message, MessageKey, key, msg};
use eval_spec::page::with_urls;
use eval_spec::sample::Difficulty;

use super::frame::PageFrame;
use super::sample::SampleView;
use crate::document::text::harmless;

/// Rows of one page of the server.
const PAGE: usize = 200;
/// Characters of a row's title.
const TITLE: usize = 90;

#[derive(Clone, Debug)]
pub struct SampleRow {
    /// Place in the report.
    pub(super) index: usize,
    pub id: String,
    title: String,
    /// The score of each variant, in the report's order.
    scores: Vec<Option<f64>>,
    differences: Vec<Option<f64>>,
    /// The most telling of the differences: the lowest, if there is a fall, else the highest.
    difference: Option<f64>,
    /// Why it is no pair.
    excluded: Option<Message>,
    is_wavering: bool,
    is_failed: bool,
    /// Of which variants there is an answer to look at, in the report's order.
    answered: Vec<bool>,
    /// `true` if any check ended otherwise for a treatment.
    is_different: bool,
    /// `true` if it crossed between passing all checks and not.
    is_flipped: bool,
    is_tripwire: bool,
    capability: Vec<String>,
    difficulty: Option<Difficulty>,
    /// The check that moved most, and whether it got worse.
    moved: Option<(bool, String)>,
}

/// Makes rows of the results of a report, one at a time.
#[derive(Debug)]
pub struct RowReader<'a> {
    variants: &'a [String],
    /// The differences of each treatment, by sample.
    pairs: Vec<HashMap<&'a str, f64>>,
    excluded: HashMap<&'a str, &'a Excluded>,
}

impl<'a> RowReader<'a> {
    #[must_use]
    pub fn new(analysis: &'a Analysis) -> RowReader<'a> {
        let pairs = |of: &'a Comparison| of.pairs.iter().map(|pair| (pair.sample_id.as_str(), pair.diff)).collect();
        let excluded = analysis.comparisons.iter().flat_map(|of| &of.excluded);
        RowReader {
            variants: &analysis.meta.variants,
            pairs: analysis.comparisons.iter().map(pairs).collect(),
            excluded: excluded.map(|of| (of.sample_id.as_str(), of)).collect(),
        }
    }

    /// The row of the sample at `index` among the report's results.
    #[must_use]
    pub fn row(&self, index: usize, result: &SampleResult) -> SampleRow {
        let arms: Vec<Option<&VariantResult>> = self.variants.iter().map(|name| result.variants.get(name)).collect();
        let differences = self.pairs.iter().map(|pairs| pairs.get(result.sample_id.as_str()).copied()).collect();
        let excluded = self.excluded.get(result.sample_id.as_str()).and_then(|of| of.why_keys.first().cloned());
        SampleRow::new(index, result, &arms, differences, excluded)
    }
}

impl SampleRow {
    fn new(
        index: usize,
        result: &SampleResult,
        arms: &[Option<&VariantResult>],
        differences: Vec<Option<f64>>,
        excluded: Option<Message>,
    ) -> SampleRow {
        let known = || differences.iter().copied().flatten();
        let lowest = known().min_by(f64::total_cmp);
        let difference = lowest.filter(|low| *low < 0.0).or_else(|| known().max_by(f64::total_cmp));
        let (control, treatments) = arms.split_first().map_or((None, arms), |(control, rest)| (*control, rest));
        let moves = || treatments.iter().flatten().flat_map(|treated| moves(control, treated));
        let prompt = result.texts.as_ref().map(|texts| texts.prompt.as_str());
        let prompt = prompt.or_else(|| result.eval.as_ref().map(|eval| eval.prompt.as_str())).unwrap_or_default();
        let written = with_urls(prompt);
        let first = written.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        SampleRow {
            index,
            id: result.sample_id.clone(),
            title: clip(first, TITLE),
            scores: arms.iter().map(|arm| score(arm.as_ref()?)).collect(),
            is_wavering: arms.iter().flatten().any(|arm| wavers(arm)),
            is_failed: arms.iter().any(|arm| !arm.is_some_and(|arm| arm.ok)),
            answered: arms.iter().map(|arm| arm.is_some_and(|arm| arm.answer().is_some())).collect(),
            is_different: known().any(|diff| diff != 0.0) || moves().any(|moved| moved.rise != 0.0),
            is_flipped: treatments.iter().flatten().any(|treated| control.is_some_and(|of| flipped(of, treated))),
            is_tripwire: result.tripwire,
            capability: result.capability.iter().map(|name| clip(name, TITLE)).collect(),
            difficulty: result.difficulty,
            moved: moves()
                .filter(|moved| moved.rise != 0.0)
                .max_by(|a, b| a.rise.abs().total_cmp(&b.rise.abs()).then((b.rise > 0.0).cmp(&(a.rise > 0.0))))
                .map(|moved| (moved.rise < 0.0, moved.label)),
            excluded,
            difference,
            differences,
        }
    }

    /// Of which variants there is an answer to look at, in the report's order.
    #[must_use]
    pub fn answered(&self) -> &[bool] {
        &self.answered
    }

    /// Returns `true` if control and treatment differ, or were not compared.
    pub(super) fn is_unequal(&self) -> bool {
        self.is_different || self.is_failed || self.excluded.is_some()
    }
}

fn score(of: &VariantResult) -> Option<f64> {
    of.composite_score.filter(|score| *score > 0.0)
}

fn wavers(of: &VariantResult) -> bool {
    let scores: Vec<Option<f64>> = of.executions().iter().map(|run| run.composite_score).collect();
    scores.windows(2).any(|pair| pair[0] != pair[1])
}

/// Returns `true` if one passes every check and the other doesn't.
fn flipped(control: &VariantResult, treated: &VariantResult) -> bool {
    let passes = |of: &VariantResult| of.assertions.total > 0 && of.assertions.passed == of.assertions.total;
    passes(control) != passes(treated)
}

struct CheckRise {
    rise: f64,
    label: String,
}

fn moves<'a>(
    control: Option<&'a VariantResult>,
    treated: &'a VariantResult,
) -> impl Iterator<Item = CheckRise> + use<'a> {
    let before = control.map(|of| of.assertions.details.as_slice()).unwrap_or_default();
    before.iter().zip(&treated.assertions.details).filter_map(|(before, after)| {
        let label = clip(&label_of(&after.kind, after.not, &after.written), 60);
        Some(CheckRise { rise: rate(after)? - rate(before)?, label })
    })
}

/// The share of runs that passed a check.
#[expect(clippy::cast_precision_loss, reason = "counts of repeats")]
pub(super) fn rate(of: &AssertionDetail) -> Option<f64> {
    match (of.passed_runs, of.evaluated_runs) {
        (Some(passed), Some(runs)) if runs > 0 => Some(passed as f64 / runs as f64),
        _ => of.passed.map(|passed| f64::from(u8::from(passed))).or(of.rating),
    }
}

/// Filter of the rows, by its place in [`FILTERS`]; the first one lets all through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowFilter(usize);

struct FilterSpec {
    /// Word in a URL.
    word: &'static str,
    name: MessageKey,
    is_shown: fn(&SampleRow) -> bool,
}

const fn filter(word: &'static str, name: MessageKey, is_shown: fn(&SampleRow) -> bool) -> FilterSpec {
    FilterSpec { word, name, is_shown }
}

/// Filters in the order of their buttons.
const FILTERS: [FilterSpec; 9] = [
    filter("all", key!("page-filter-all"), |_| true),
    filter("worse", key!("page-filter-worse"), |row| row.difference.is_some_and(|diff| diff < 0.0)),
    filter("better", key!("page-filter-better"), |row| row.difference.is_some_and(|diff| diff > 0.0)),
    filter("equal", key!("page-filter-equal"), |row| row.difference == Some(0.0)),
    filter("different", key!("page-filter-different"), |row| row.is_different),
    filter("flipped", key!("page-filter-flipped"), |row| row.is_flipped),
    filter("wavering", key!("page-filter-wavering"), |row| row.is_wavering),
    filter("left-out", key!("page-filter-left-out"), |row| row.excluded.is_some()),
    filter("failed", key!("page-filter-failed"), |row| row.is_failed),
];

impl RowFilter {
    fn all() -> impl Iterator<Item = RowFilter> {
        (0..FILTERS.len()).map(RowFilter)
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        FILTERS[self.0].word
    }

    #[must_use]
    pub fn named(word: &str) -> Option<RowFilter> {
        RowFilter::all().find(|filter| filter.word() == word)
    }

    pub(super) fn name(self) -> Message {
        FILTERS[self.0].name.message()
    }

    fn has(self, row: &SampleRow) -> bool {
        (FILTERS[self.0].is_shown)(row)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// Largest falls first, then what wasn't compared, then the rest.
    Worst,
    /// Order of the sample file.
    File,
}

/// Which part of the rows a page shows.
#[derive(Clone, Debug)]
pub struct RowsView {
    pub filter: RowFilter,
    pub order: RowOrder,
    /// RunWords that id, title or capability must have.
    pub search: String,
    /// Only samples with this capability.
    pub capability: Option<String>,
    /// Only samples of this difficulty, by its word.
    pub difficulty: Option<String>,
    /// The page, from 0.
    pub page: usize,
    /// `true` if the answers of equal samples are left out.
    pub(super) is_cut: bool,
}

impl Default for RowsView {
    fn default() -> RowsView {
        RowsView::all()
    }
}

impl RowsView {
    /// All rows, worst first.
    #[must_use]
    pub fn all() -> RowsView {
        RowsView {
            filter: RowFilter::default(),
            order: RowOrder::Worst,
            search: String::new(),
            capability: None,
            difficulty: None,
            page: 0,
            is_cut: false,
        }
    }

    /// The rows that it lets through, in its order: of all pages.
    #[must_use]
    pub fn chosen<'r>(&self, rows: &'r [SampleRow]) -> Vec<&'r SampleRow> {
        let search = self.search.trim().to_lowercase();
        let has_words = |row: &SampleRow| {
            search.is_empty()
                || row.id.to_lowercase().contains(&search)
                || row.title.to_lowercase().contains(&search)
                || row.capability.iter().any(|name| name.to_lowercase().contains(&search))
        };
        let has_part = |row: &SampleRow| {
            self.capability.as_ref().is_none_or(|name| row.capability.contains(name))
                && self.difficulty.as_ref().is_none_or(|word| difficulty(row).as_ref() == Some(word))
        };
        let is_chosen = |row: &&SampleRow| self.filter.has(row) && has_part(row) && has_words(row);
        let mut chosen: Vec<&SampleRow> = rows.iter().filter(is_chosen).collect();
        if self.order == RowOrder::Worst {
            let rank = |row: &SampleRow| match row.difference {
                Some(diff) if diff < 0.0 => (0, diff),
                None if row.excluded.is_some() || row.is_failed => (1, 0.0),
                Some(diff) if diff > 0.0 => (2, -diff),
                _ => (3, 0.0),
            };
            chosen.sort_by(|a, b| {
                let (a, b) = (rank(a), rank(b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
        }
        chosen
    }

    /// Returns the view's query in a URL, with another filter and page.
    fn query(&self, filter: RowFilter, page: usize) -> RowsQuery {
        let is_filtered = filter != RowFilter::default();
        let all = [
            ("filter", is_filtered.then(|| filter.word().to_owned())),
            ("order", (self.order == RowOrder::File).then(|| "file".to_owned())),
            ("search", Some(self.search.clone())),
            ("capability", self.capability.clone()),
            ("difficulty", self.difficulty.clone()),
            ("page", (page > 0).then(|| (page + 1).to_string())),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// Names and values of a query.
type RowsQuery = Vec<(&'static str, String)>;

fn borrowed<'q>(query: &'q [(&'static str, String)]) -> Vec<(&'q str, &'q str)> {
    query.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

fn difficulty(row: &SampleRow) -> Option<String> {
    serde_json::to_value(row.difficulty?).ok()?.as_str().map(str::to_owned)
}

pub(super) struct SampleRows {
    pub(super) title: String,
    pub(super) filters: Vec<FilterLink>,
    pub(super) capabilities: Vec<String>,
    pub(super) difficulties: Vec<String>,
    pub(super) search: String,
    pub(super) chosen_capability: String,
    pub(super) chosen_difficulty: String,
    pub(super) action: String,
    pub(super) filter: &'static str,
    pub(super) rows: Vec<RowView>,
    pub(super) pages: Vec<FilterLink>,
    pub(super) note: String,
}

/// The rows with the details of those that have any.
pub(super) struct RowsPart(pub(super) SampleRows);

/// A filter or a page: its words, its count, where it leads.
pub(super) struct FilterLink {
    pub(super) word: String,
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) link: String,
    pub(super) is_on: bool,
}

/// A row, with its sample's details in a file.
pub(super) struct RowView {
    pub(super) anchor: String,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) class: &'static str,
    pub(super) mark: &'static str,
    pub(super) word: String,
    pub(super) difference: String,
    pub(super) scores: String,
    pub(super) note: String,
    pub(super) link: Option<String>,
    pub(super) tags: String,
    pub(super) kinds: String,
    pub(super) capability: String,
    pub(super) difficulty: String,
    pub(super) search: String,
    pub(super) sample: Option<SampleView>,
}

impl SampleRows {
    pub(super) fn of(
        rows: &[SampleRow],
        view: &RowsView,
        page: &PageFrame,
        detail: impl Fn(&SampleRow) -> Option<SampleView>,
    ) -> RowsPart {
        let lang = page.lang;
        let chosen = view.chosen(rows);
        let link = |query: RowsQuery| {
            page.site.as_ref().map(|site| format!("{}#samples", site.run(&borrowed(&query)))).unwrap_or_default()
        };
        let filters = RowFilter::all().map(|filter| FilterLink {
            word: filter.word().to_owned(),
            name: filter.name().text(lang),
            count: RowsView { filter, ..view.clone() }.chosen(rows).len(),
            link: link(view.query(filter, 0)),
            is_on: filter == view.filter,
        });
        let filters: Vec<FilterLink> = filters.filter(|of| of.count > 0 || of.is_on).collect();
        let (shown, pages) = match &page.site {
            None => (chosen.as_slice(), Vec::new()),
            Some(_) => paged(&chosen, view, &link),
        };
        let query = view.query(view.filter, 0);
        let note = match view.is_cut {
            true => msg!("page-cut", equal = rows.iter().filter(|row| !row.is_unequal()).count()).text(lang),
            false => String::new(),
        };
        RowsPart(SampleRows {
            title: msg!("page-samples", count = chosen.len()).text(lang),
            capabilities: capabilities(rows),
            difficulties: difficulties(rows),
            search: clean(&view.search),
            chosen_capability: view.capability.clone().unwrap_or_default(),
            chosen_difficulty: view.difficulty.clone().unwrap_or_default(),
            action: page.site.as_ref().map(|site| site.run(&[])).unwrap_or_default(),
            filter: view.filter.word(),
            rows: shown.iter().map(|row| RowView::of(row, page, &borrowed(&query), detail(row))).collect(),
            filters,
            pages,
            note,
        })
    }
}

fn paged<'c, 'r>(
    chosen: &'c [&'r SampleRow],
    view: &RowsView,
    link: &impl Fn(RowsQuery) -> String,
) -> (&'c [&'r SampleRow], Vec<FilterLink>) {
    let count = chosen.len().div_ceil(PAGE).max(1);
    let at = view.page.min(count - 1);
    let one = |page: usize| FilterLink {
        word: String::new(),
        name: (page + 1).to_string(),
        count: 0,
        link: link(view.query(view.filter, page)),
        is_on: page == at,
    };
    let near = |page: &usize| *page == 0 || *page + 1 == count || page.abs_diff(at) <= 2;
    let pages = if count > 1 { (0..count).filter(near).map(one).collect() } else { Vec::new() };
    (&chosen[at * PAGE..((at + 1) * PAGE).min(chosen.len())], pages)
}

fn capabilities(rows: &[SampleRow]) -> Vec<String> {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().flat_map(|row| &row.capability).for_each(|name| *all.entry(name).or_default() += 1);
    all.into_keys().take(200).map(str::to_owned).collect()
}

fn difficulties(rows: &[SampleRow]) -> Vec<String> {
    let mut all: Vec<Difficulty> = rows.iter().filter_map(|row| row.difficulty).collect();
    all.sort_unstable();
    all.dedup();
    all.iter().filter_map(|of| serde_json::to_value(of).ok()?.as_str().map(str::to_owned)).collect()
}

impl RowView {
    fn of(row: &SampleRow, page: &PageFrame, query: &[(&str, &str)], sample: Option<SampleView>) -> RowView {
        let lang = page.lang;
        let (class, mark, word) = direction(row.difference, row.excluded.is_some());
        let kinds = RowFilter::all().filter(|filter| filter.has(row)).map(RowFilter::word);
        let moved = row.moved.as_ref().map(|(is_worse, label)| {
            let mark = if *is_worse { "✗" } else { "✓" };
            format!("{mark} {label}")
        });
        let why = row.excluded.as_ref().map(|why| harmless(why).text(lang));
        RowView {
            anchor: anchor(row.index),
            id: clip(&row.id, 60),
            title: row.title.clone(),
            class,
            mark,
            word: word.text(lang),
            difference: row.difference.map(signed).unwrap_or_default(),
            scores: scores(row, lang),
            note: why.or(moved).unwrap_or_default(),
            link: page.site.as_ref().map(|site| site.sample_among(&row.id, query)),
            tags: tags(row, lang),
            kinds: kinds.collect::<Vec<_>>().join(" "),
            capability: row.capability.join("\u{1f}"),
            difficulty: difficulty(row).unwrap_or_default(),
            search: format!("{} {} {}", clip(&row.id, 2 * TITLE), row.title, row.capability.join(" ")).to_lowercase(),
            sample,
        }
    }
}

/// The id of a sample's row, by its place in the report.
pub(crate) fn anchor(index: usize) -> String {
    format!("s-{}", index + 1)
}

pub(super) fn direction(difference: Option<f64>, is_excluded: bool) -> (&'static str, &'static str, Message) {
    match difference {
        Some(diff) if diff < 0.0 => ("worse", "▼", msg!("page-word-worse")),
        Some(diff) if diff > 0.0 => ("better", "▲", msg!("page-word-better")),
        Some(_) => ("equal", "●", msg!("page-word-equal")),
        None if is_excluded => ("doubt", "–", msg!("page-word-left-out")),
        None => ("equal", "–", msg!("page-word-none")),
    }
}

fn scores(row: &SampleRow, lang: Lang) -> String {
    let unknown = || msg!("report-unknown").text(lang);
    let each: Vec<String> = row.scores.iter().map(|score| score.map_or_else(unknown, points)).collect();
    each.join(" → ")
}

fn tags(row: &SampleRow, lang: Lang) -> String {
    let tripwire = row.is_tripwire.then(|| msg!("page-tag-tripwire").text(lang));
    let wavering = row.is_wavering.then(|| msg!("page-filter-wavering").text(lang));
    let others = row.differences.len() > 1;
    let each = row.differences.iter().filter(|_| others).map(|diff| diff.map_or("–".to_owned(), signed));
    let each = each.collect::<Vec<_>>().join(" / ");
    let all = [Some(each).filter(|text| !text.is_empty()), tripwire, wavering, difficulty(row)];
    all.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
