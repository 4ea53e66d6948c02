//! Sample files: loading, checking, quality.

mod loading;
mod malformed;
mod quality;
mod urls;
