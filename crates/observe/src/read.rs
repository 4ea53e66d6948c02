//! A session's files → its segments.

use std::collections::BTreeSet;
use std::io::{self, BufRead};
use std::path::PathBuf;

use eval_gaps::{GapPatterns, KnowledgeFiles};
use eval_trace::SkippedRecords;
use eval_trace::sessions::{LineKind, SessionEvent, SessionFormat, SessionInfo};

use crate::lines::lines;
use crate::mask::Mask;
use crate::passed::PassedLines;
use crate::segment::Segment;
use crate::segmenter::{Segmenter, Thread};

/// How sessions are read.
#[derive(Clone, Debug, Default)]
pub struct SessionReading {
    /// What masks secrets and personal data.
    pub mask: Mask,
    /// The knowledge base whose files are counted, if any.
    pub knowledge: Option<Knowledge>,
    /// What the team says of gaps.
    pub rules: GapPatterns,
    /// Whether marks and doubts are looked for in what models think, too.
    pub thinking: bool,
}

/// A knowledge base of a project.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Where the project lies, absolute. A session may have worked in another copy of it.
    pub project: PathBuf,
    /// Its files.
    pub files: KnowledgeFiles,
}

/// The file of a sub-agent.
#[derive(Debug)]
pub struct SubAgentFile<R> {
    /// The file's path, as it is shown.
    pub path: String,
    /// The call that started it, where something beside the file tells.
    pub started_by: Option<String>,
    /// The file.
    pub file: R,
}

/// What was read of a session.
#[derive(Debug, Default)]
pub struct SessionRead {
    /// What the file says of itself.
    pub info: SessionInfo,
    /// Its segments in order; those without an answer of the model are left out.
    pub segments: Vec<Segment>,
    /// The skills that the model was offered.
    pub offered: BTreeSet<String>,
    /// Lines that were passed over, in the files of sub-agents, too.
    pub skipped: SkippedRecords,
}

/// Reads a session and its sub-agents.
///
/// # Errors
/// A file can't be read on; a line that isn't readable is no error.
pub fn read_session<R: BufRead>(
    format: &SessionFormat,
    reading: &SessionReading,
    session: R,
    sub_agents: impl IntoIterator<Item = SubAgentFile<R>>,
) -> io::Result<SessionRead> {
    let mut skipped = SkippedRecords::default();
    let mut threads = Vec::new();
    for sub_agent in sub_agents {
        let mut thread = Thread::new(sub_agent.path.into(), sub_agent.started_by);
        each_event(format, sub_agent.file, &mut skipped, |line, event| thread.event(line, event))?;
        threads.push(thread);
    }
    let mut segmenter = Segmenter::new(reading, threads);
    each_event(format, session, &mut skipped, |line, event| segmenter.event(line, event))?;
    Ok(SessionRead { skipped, ..segmenter.end() })
}

/// Calls `take` with each event of a file and the line that ended it.
fn each_event(
    format: &SessionFormat,
    file: impl BufRead,
    skipped: &mut SkippedRecords,
    mut take: impl FnMut(u64, SessionEvent),
) -> io::Result<()> {
    let (mut reader, mut events, mut last) = ((format.reader)(), Vec::new(), 0);
    let mut unread = PassedLines::default();
    let mut count = |kind: LineKind| match kind {
        LineKind::Known => {}
        LineKind::Unknown => skipped.unknown += 1,
        LineKind::Unreadable => skipped.unreadable += 1,
    };
    lines(file, |number, line| {
        last = number;
        count(reader.line(line, &mut events));
        unread.add(number, line);
        let places = unread.place(&mut events);
        let places = places.into_iter().chain(std::iter::repeat(None));
        events.drain(..).zip(places).for_each(|(event, place)| take(place.unwrap_or(number), event));
    })?;
    count(reader.end(&mut events));
    let places = unread.place(&mut events);
    let places = places.into_iter().chain(std::iter::repeat(None));
    events.drain(..).zip(places).for_each(|(event, place)| take(place.unwrap_or(last), event));
    Ok(())
}
