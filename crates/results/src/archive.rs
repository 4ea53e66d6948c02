//! Reads ZIP archives within size limits.

use std::fs::File;
use std::io::{BufReader, Read};

use eval_message::msg;
use zip::{CompressionMethod, ZipArchive};

use crate::error::ResultsError;
use crate::source::{MAX_LINE, ResultSource};

/// Limit on the unpacked bytes of all entries together.
const MAX_UNPACKED: u64 = 2 << 30;

pub(crate) struct Archive<'s> {
    source: &'s ResultSource,
    zip: ZipArchive<BufReader<File>>,
    /// Unpacked bytes that entries may still have.
    left: u64,
}

impl<'s> Archive<'s> {
    pub(crate) fn open(source: &'s ResultSource) -> Result<Archive<'s>, ResultsError> {
        let file = File::open(&source.path).map_err(|error| source.io(&error))?;
        let zip = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(source, &error.to_string()))?;
        // an archive that declares too much isn't unpacked at all
        if let Some(size) = zip.decompressed_size().filter(|size| *size > u128::from(MAX_UNPACKED)) {
            return Err(ResultsError::new(msg!(
                "results-unpacks-all",
                file = &source.shown,
                megabytes = u64::try_from(size >> 20).unwrap_or(u64::MAX),
                most = MAX_UNPACKED >> 20
            ))
            .help(msg!("results-unpacks-all-help")));
        }
        Ok(Archive { source, zip, left: MAX_UNPACKED })
    }

    /// Returns index and name of each entry whose name can be decoded.
    pub(crate) fn names(&self) -> Vec<(usize, String)> {
        let names = self.zip.file_names().enumerate();
        names.filter_map(|(index, name)| Some((index, name.ok()?.into_owned()))).collect()
    }

    /// Unpacks one entry; fails beyond [`MAX_LINE`] bytes or what is left of [`MAX_UNPACKED`].
    pub(crate) fn entry(&mut self, index: usize) -> Result<Vec<u8>, ResultsError> {
        let most = MAX_LINE.min(self.left);
        let source = self.source;
        let entry = self.zip.by_index_raw(index).map_err(|error| damaged(source, &error.to_string()))?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let mut bytes = Vec::new();
        let unpacked = match entry.compression() {
            CompressionMethod::STORE => entry.take(most + 1).read_to_end(&mut bytes),
            CompressionMethod::DEFLATE => {
                flate2::read::DeflateDecoder::new(entry).take(most + 1).read_to_end(&mut bytes)
            }
            CompressionMethod::ZSTD => match ruzstd::decoding::StreamingDecoder::new(BufReader::new(entry)) {
                Ok(decoder) => decoder.take(most + 1).read_to_end(&mut bytes),
                Err(error) => return Err(damaged(source, &format!("{name}: {error}"))),
            },
            other => return Err(damaged(source, &format!("{name}: {other:?}"))),
        };
        unpacked.map_err(|error| damaged(source, &format!("{name}: {error}")))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > most {
            return Err(ResultsError::new(msg!("results-unpacks", file = &source.shown, entry = name)));
        }
        self.left -= length;
        Ok(bytes)
    }
}

fn damaged(source: &ResultSource, why: &str) -> ResultsError {
    ResultsError::new(msg!("results-bad-archive", file = &source.shown, why = why))
        .help(msg!("results-bad-archive-help"))
}
