//! Sample files: loading, checking, quality.

mod import;
mod loading;
mod malformed;
mod quality;
mod urls;
