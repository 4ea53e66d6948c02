//! The page of one comparison: the verdict and what to do, every pair's difference, what pays for it, and each sample with
//! what was asked, answered and measured.
//!
//! It is one file that works from disk ([`run_file`]), or a page of the report server, which has the details of a sample on
//! a page of its own ([`run_page`], [`sample_page`]). Texts of others are escaped by the templates, and what can't be seen
//! in them is made visible. Nothing is computed here that the report doesn't hold.

mod arms;
pub(crate) mod difference;
mod extras;
mod fallen;
mod frame;
mod gaps;
pub(crate) mod labels;
mod plots;
mod rows;
mod sample;
mod story;
pub(crate) mod timeline;
mod words;

use askama::Template;
use eval_format::{Analysis, Report, SampleResult};
use eval_message::plain::{clean, clip};
use eval_message::{Lang, msg};

pub use frame::{PageFrame, SiteLinks};
pub(crate) use rows::anchor;
pub use rows::{RowFilter, RowOrder, RowReader, RowsView, SampleRow};

use crate::document::difference::apart;
use crate::document::stopping::stopping;
use crate::document::{about as extent, imported};
use crate::page::Frame;
use crate::voice::unmarked;
use arms::ArmTable;
use extras::Extra;
use fallen::Fallen;
use gaps::GapsView;
use plots::RunPlot;
use rows::{RowsPart, SampleRows};
use sample::SampleView;
use story::PageStory;
use words::{RunWords, words_of};

/// The largest file with the answers of all samples, in bytes of their results; beyond, only unequal samples have them.
const MOST_BYTES: usize = 8 << 20;

#[derive(Template)]
#[template(path = "run/page.html")]
struct RunPage<'a> {
    frame: Frame,
    site: Option<&'a SiteLinks>,
    words: RunWords,
    title: String,
    about: Vec<String>,
    /// Source of imported results, and the planned look that ended the run.
    notes: Vec<String>,
    stories: Vec<PageStory>,
    plots: Vec<RunPlot>,
    parts: Vec<RunPlot>,
    costs: Option<RunPlot>,
    arms: ArmTable,
    /// Which samples a difference and a score are of, where these aren't the same.
    apart: Vec<String>,
    fallen: Vec<Fallen>,
    rows: SampleRows,
    gaps: Option<GapsView>,
    extras: Vec<Extra>,
    samples_file: String,
    foot: String,
}

#[derive(Template)]
#[template(path = "run/sample_page.html")]
struct SamplePage<'a> {
    frame: Frame,
    site: Option<&'a SiteLinks>,
    words: RunWords,
    title: String,
    run: String,
    place: Vec<String>,
    previous: Option<String>,
    next: Option<String>,
    sample: SampleView,
    gaps: Vec<(String, Vec<String>)>,
    samples_file: String,
    foot: String,
}

/// The page as one file, which needs no other.
///
/// # Errors
/// When the template fails.
pub fn run_file(report: &Report, lang: Lang) -> std::io::Result<String> {
    let (analysis, results) = report.clone().take_results();
    let reader = RowReader::new(&analysis);
    let rows: Vec<SampleRow> = results.iter().enumerate().map(|(at, result)| reader.row(at, result)).collect();
    let sizes: usize = results.iter().map(size).sum();
    let is_shown = |row: &SampleRow| sizes <= MOST_BYTES || row.is_unequal();
    let mut view = RowsView::all();
    view.is_cut = sizes > MOST_BYTES;
    let page = PageFrame::file(lang);
    let detail = |row: &SampleRow| {
        let result = results.get(row.index).filter(|_| is_shown(row))?;
        Some(SampleView::of(&analysis, result, lang))
    };
    page_of(&analysis, SampleRows::of(&rows, &view, &page, detail), &page)
}

fn size(result: &SampleResult) -> usize {
    let runs = result.variants.values().flat_map(|of| of.executions());
    runs.map(|run| run.full_output.as_ref().map_or(0, String::len) + 1000).sum()
}

/// The page with a part of the samples, whose details are on pages of their own.
///
/// # Errors
/// When the template fails.
pub fn run_page(analysis: &Analysis, rows: &[SampleRow], view: &RowsView, page: &PageFrame) -> std::io::Result<String> {
    page_of(analysis, SampleRows::of(rows, view, page, |_| None), page)
}

fn page_of(analysis: &Analysis, rows: RowsPart, page_frame: &PageFrame) -> std::io::Result<String> {
    let lang = page_frame.lang;
    let page = RunPage {
        frame: page_frame.frame(),
        site: page_frame.site.as_ref(),
        words: words_of(lang),
        title: title(analysis, lang),
        about: about(analysis, lang),
        notes: imported(analysis).iter().chain(&stopping(analysis)).map(|of| unmarked(of, lang)).collect(),
        stories: story::stories(analysis, lang),
        plots: plots::differences(analysis, lang),
        parts: plots::parts(analysis, lang),
        costs: plots::costs(analysis, lang),
        arms: ArmTable::of(analysis, lang),
        apart: analysis.comparisons.iter().filter_map(|of| apart(analysis, of)).map(|of| unmarked(&of, lang)).collect(),
        fallen: fallen::fallen(analysis, page_frame, lang),
        rows: rows.0,
        gaps: gaps::gaps(analysis, page_frame),
        extras: extras::extras(analysis, lang),
        samples_file: analysis.meta.test_set.path.clone(),
        foot: foot(analysis, lang),
    };
    page.render().map_err(std::io::Error::other)
}

/// Place of a sample among those that the reader came by.
#[derive(Clone, Copy, Debug)]
pub struct SamplePlace<'r> {
    pub beside: [Option<&'r str>; 2],
    /// Number, from 1, and how many there are; `None` where it isn't among them.
    pub number: Option<(usize, usize)>,
    /// Filter that lets them through.
    pub filter: RowFilter,
}

/// One sample: what was asked, how each check ended, all answers side by side.
///
/// # Errors
/// When the template fails.
pub fn sample_page(
    analysis: &Analysis,
    result: &SampleResult,
    at: SamplePlace<'_>,
    page: &PageFrame,
) -> std::io::Result<String> {
    let lang = page.lang;
    let link = |id: &str| page.site.as_ref().map(|site| site.sample_among(id, &site.query()));
    let [before, after] = at.beside;
    let number = at.number.map(|(number, count)| {
        let of = msg!("report-of", part = number, whole = count).text(lang);
        if at.filter == RowFilter::default() { of } else { format!("{of} · {}", at.filter.name().text(lang)) }
    });
    let page = SamplePage {
        frame: page.frame(),
        site: page.site.as_ref(),
        words: words_of(lang),
        title: clip(&result.sample_id, 80),
        run: title(analysis, lang),
        place: [Some(clean(&analysis.id)), number].into_iter().flatten().collect(),
        previous: before.and_then(link),
        next: after.and_then(link),
        sample: SampleView::of(analysis, result, lang),
        gaps: gaps::of_sample(analysis, &result.sample_id, lang),
        samples_file: analysis.meta.test_set.path.clone(),
        foot: foot(analysis, lang),
    };
    page.render().map_err(std::io::Error::other)
}

fn title(analysis: &Analysis, lang: Lang) -> String {
    let names: Vec<String> = analysis.meta.variants.iter().map(|name| clip(name, 40)).collect();
    let message = match names.split_first() {
        Some((control, treatments)) if !treatments.is_empty() => {
            msg!("page-title", treatments = treatments.to_vec(), control = control)
        }
        Some((only, _)) => msg!("page-title-solo", variant = only),
        None => msg!("page-title-solo", variant = "–"),
    };
    message.text(lang)
}

/// On what, with what, when, and at which commit.
fn about(analysis: &Analysis, lang: Lang) -> Vec<String> {
    let meta = &analysis.meta;
    let when = meta.timestamp.get(..16).unwrap_or(&meta.timestamp).replace('T', " ");
    let commit = meta.git_info.as_ref().map(|git| {
        let branch = git.branch.as_ref().map(|branch| format!("{}@", clip(branch, 30))).unwrap_or_default();
        let dirty = if git.dirty { "*" } else { "" };
        format!("{branch}{}{dirty}", clip(&git.commit, 10).trim_end_matches('…'))
    });
    let what = extent(analysis).text(lang);
    [Some(clip(&meta.test_set.path, 60)), Some(what), Some(clean(&when)), commit].into_iter().flatten().collect()
}

fn foot(analysis: &Analysis, lang: Lang) -> String {
    let (id, version) = (clip(&analysis.id, 80), clip(&analysis.meta.cli_version, 20));
    unmarked(&msg!("report-md-foot", id = id, version = version), lang)
}
