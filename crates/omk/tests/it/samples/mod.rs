//! How files of samples are read and checked.

mod loading;
mod malformed;
mod quality;
