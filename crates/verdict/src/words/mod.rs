//! Reasons and advice as messages: the only place where their keys and the digits of their numbers are chosen.

mod advice;
mod reason;
