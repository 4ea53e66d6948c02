//! Reads the files of a session.

use std::collections::BTreeSet;
use std::io::{self, BufRead};
use std::path::PathBuf;

use eval_gaps::{GapPatterns, KnowledgeFiles};
use eval_trace::SkippedRecords;
use eval_trace::sessions::{LineKind, SessionEvent, SessionFormat, SessionInfo};

use crate::lines::lines;
use crate::mask::Mask;
use crate::recent_lines::RecentLines;
use crate::segment::Segment;
use crate::segmenter::{Segmenter, Thread};

/// Options for reading sessions.
#[derive(Clone, Debug, Default)]
pub struct SessionReading {
    /// Mask for secrets and personal data.
    pub mask: Mask,
    /// Knowledge base whose accesses are counted.
    pub knowledge: Option<Knowledge>,
    /// The team's own patterns for gaps.
    pub rules: GapPatterns,
    /// `true` to look for marks and doubts in the models' thinking, too.
    pub thinking: bool,
}

/// A knowledge base of a project.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Absolute path of the project; a session may have worked in another copy of it.
    pub project: PathBuf,
    pub files: KnowledgeFiles,
}

/// The file of a sub-agent.
#[derive(Debug)]
pub struct SubAgentFile<R> {
    /// Path for messages.
    pub path: String,
    /// Id of the call that started the sub-agent, if something outside the file says so.
    pub started_by: Option<String>,
    pub file: R,
}

/// Contents of a session.
#[derive(Debug, Default)]
pub struct SessionRead {
    /// Facts about the session from its file.
    pub info: SessionInfo,
    /// Segments in order, without those that have no message of the model.
    pub segments: Vec<Segment>,
    /// Names of the skills that the model was offered.
    pub offered: BTreeSet<String>,
    /// Number of skipped lines, including those in the files of sub-agents.
    pub skipped: SkippedRecords,
}

/// Reads a session and its sub-agents.
///
/// # Errors
/// If reading a file fails. Lines that can't be parsed are no error.
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

/// Calls `take` with each event of a file and its line: where it begins if that was found, else where it ends.
fn each_event(
    format: &SessionFormat,
    file: impl BufRead,
    skipped: &mut SkippedRecords,
    mut take: impl FnMut(u64, SessionEvent),
) -> io::Result<()> {
    let (mut reader, mut events, mut last) = ((format.reader)(), Vec::new(), 0);
    let mut recent = RecentLines::default();
    let mut count = |kind: LineKind| match kind {
        LineKind::Known => {}
        LineKind::Unknown => skipped.unknown += 1,
        LineKind::Unreadable => skipped.unreadable += 1,
    };
    lines(file, |number, line| {
        last = number;
        count(reader.line(line, &mut events));
        recent.add(number, line);
        let starts = recent.place(&mut events);
        let starts = starts.into_iter().chain(std::iter::repeat(None));
        events.drain(..).zip(starts).for_each(|(event, start)| take(start.unwrap_or(number), event));
    })?;
    count(reader.end(&mut events));
    let starts = recent.place(&mut events);
    let starts = starts.into_iter().chain(std::iter::repeat(None));
    events.drain(..).zip(starts).for_each(|(event, start)| take(start.unwrap_or(last), event));
    Ok(())
}
