//! Downloads of a report: as stored, or in another format.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::http::header::{CONTENT_DISPOSITION, HeaderValue};
use axum::response::Response;
use eval_format::Report;
use eval_history::read_revealed;
use eval_message::msg;
use eval_render::Show;
use eval_render::formats::{FormatSpec, ReportKind, format_named, formats_of};
use eval_render::site::encoded;
use futures::stream;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::reply::{HttpFailure, failed, reply, whole};
use super::served::Served;
use super::site_request::SiteRequest;
use crate::library::OpenReport;

/// Bytes per piece.
const PIECE: usize = 64 << 10;
/// Most pieces that wait to be sent.
const WAITING: usize = 4;
/// Time limits of an export, for a client that receives nothing and for a slow one in total; after that it is cut, so
/// that others get their turn.
const PATIENCE: Patience = Patience { at_once: Duration::from_secs(15), in_all: Duration::from_secs(120) };

/// Sends the report as stored.
pub(super) async fn stored(State(served): State<Arc<Served>>, Path(name): Path<String>, uri: Uri) -> Response {
    reply(&served, &uri, move |served, _| {
        let path = served.settings.library.path(&name).map_err(|error| HttpFailure::library(served, &name, error))?;
        let file = File::open(path).map_err(|error| HttpFailure::page(&error))?;
        Ok(whole("application/json", streamed(None, move |to| copied(file, to))))
    })
    .await
}

fn copied(mut file: File, to: &mut dyn Write) -> std::io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            length => to.write_all(&piece[..length])?,
        }
    }
}

/// Sends the report in another format.
pub(super) async fn export(
    State(served): State<Arc<Served>>,
    Path((name, format)): Path<(String, String)>,
    uri: Uri,
) -> Response {
    let Ok(turn) = Arc::clone(&served.exports).acquire_owned().await else {
        return super::reply::busy(&served, &uri);
    };
    let show = Show::file(SiteRequest::parse(&uri).lang(&served));
    let of_work = Arc::clone(&served);
    let made = tokio::task::spawn_blocking(move || exported(&of_work, &name, &format, show, turn)).await;
    match made {
        Ok(Ok(response)) => response,
        Ok(Err(why)) => failed(&served, &uri, why),
        Err(error) => failed(&served, &uri, HttpFailure::page(&std::io::Error::other(error))),
    }
}

fn exported(
    served: &Served,
    name: &str,
    format: &str,
    show: Show,
    turn: OwnedSemaphorePermit,
) -> Result<Response, HttpFailure> {
    let library = &served.settings.library;
    let lost = |error| HttpFailure::library(served, name, error);
    let path = library.path(name).map_err(lost)?;
    let opened = library.open(name).map_err(lost)?;
    match &*opened {
        OpenReport::Skills(evaluation) => {
            let format = named::<eval_format::skills::SkillEvaluation>(format)?;
            let evaluation = (**evaluation).clone();
            Ok(attached(name, format, streamed(Some(Turn::new(turn)), move |to| format.render(&evaluation, show, to))))
        }
        OpenReport::Comparison(_) => {
            let format = named::<Report>(format)?;
            let report = read_whole(served, name, &path)?;
            Ok(attached(name, format, streamed(Some(Turn::new(turn)), move |to| format.render(&report, show, to))))
        }
    }
}

fn read_whole(served: &Served, name: &str, path: &FilePath) -> Result<Report, HttpFailure> {
    let unreadable = |error: eval_format::ReportError| crate::library::LibraryError::Unreadable(error.message());
    read_revealed(path).map_err(|error| HttpFailure::library(served, name, unreadable(error)))
}

fn named<T: ReportKind>(name: &str) -> Result<&'static FormatSpec, HttpFailure> {
    format_named::<T>(name).ok_or_else(|| {
        let names: Vec<String> = formats_of::<T>().map(|format| format!("`{}`", format.name)).collect();
        HttpFailure::not_found(msg!("site-no-format", format = name, known = names.join(", ")))
    })
}

/// Makes a download: models wrote the content, so no browser may open it at this address.
fn attached(name: &str, format: &FormatSpec, body: Body) -> Response {
    let kind = match format.extension {
        "json" => "application/json",
        "html" => "text/html; charset=utf-8",
        "xml" => "application/xml",
        "csv" => "text/csv; charset=utf-8",
        "jsonl" => "application/jsonl",
        _ => "text/plain; charset=utf-8",
    };
    let mut response = whole(kind, body);
    let file = format!("attachment; filename*=UTF-8''{}.{}", encoded(name), format.extension);
    let disposition = HeaderValue::from_str(&file).unwrap_or(HeaderValue::from_static("attachment"));
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    response
}

/// Time limits of waiting for a client.
pub struct Patience {
    pub at_once: Duration,
    pub in_all: Duration,
}

/// Permit of the only export at a time, released when dropped.
pub struct Turn {
    pub patience: Patience,
    pub permit: OwnedSemaphorePermit,
}

impl Turn {
    fn new(permit: OwnedSemaphorePermit) -> Turn {
        Turn { patience: PATIENCE, permit }
    }
}

/// Makes a body that is sent while it is written; with a turn, within its time limits.
pub fn streamed(
    turn: Option<Turn>,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()> + Send + 'static,
) -> Body {
    let (pieces, body) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut writer = PieceWriter { pieces, piece: Vec::with_capacity(PIECE), turn };
        // an error cuts the response, which the client notices
        if let Err(error) = write(&mut writer).and_then(|()| writer.flush()) {
            let PieceWriter { pieces, turn, .. } = writer;
            drop(turn);
            let _ = pieces.blocking_send(Err(error));
        }
    });
    let next = async |mut body: Receiver<std::io::Result<Vec<u8>>>| Some((body.recv().await?, body));
    Body::from_stream(stream::unfold(body, next))
}

struct PieceWriter {
    pieces: Sender<std::io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    turn: Option<Turn>,
}

impl PieceWriter {
    fn send(&mut self, piece: Vec<u8>) -> std::io::Result<()> {
        let Some(Turn { patience, .. }) = &mut self.turn else {
            return self.pieces.blocking_send(Ok(piece)).map_err(|_| ErrorKind::BrokenPipe.into());
        };
        let began = Instant::now();
        let sent = self.pieces.send_timeout(Ok(piece), patience.at_once.min(patience.in_all));
        let sent = Handle::current().block_on(sent);
        patience.in_all = patience.in_all.saturating_sub(began.elapsed());
        sent.map_err(|_| ErrorKind::TimedOut.into())
    }
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.send(piece)
    }
}
