//! Defines arguments and subcommands of a command only when that command is parsed.
//!
//! Defining hundreds of flags would take longer than everything else that `--version` does.

use std::cell::Cell;
use std::ops::Deref;

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id, Subcommand};

thread_local! {
    static IS_DEFERRING: Cell<bool> = const { Cell::new(false) };
}

/// Makes a command whose [`Deferred`] arguments are defined when they are needed. Code that inspects the arguments of
/// all commands must not use this.
pub fn deferring(make: impl FnOnce() -> Command) -> Command {
    IS_DEFERRING.set(true);
    let command = make();
    IS_DEFERRING.set(false);
    command
}

/// Arguments or subcommands `T` of a command.
#[derive(Debug)]
pub struct Deferred<T>(Box<T>);

impl<T> Deferred<T> {
    /// Returns the parsed value.
    pub fn into_inner(self) -> T {
        *self.0
    }
}

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|arguments| Deferred(Box::new(arguments)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|arguments| Deferred(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        if IS_DEFERRING.get() {
            command.defer(|command| define(command, T::augment_args))
        } else {
            T::augment_args(command)
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }

    fn group_id() -> Option<Id> {
        T::group_id()
    }
}

impl<T: Subcommand> Subcommand for Deferred<T> {
    fn augment_subcommands(command: Command) -> Command {
        if IS_DEFERRING.get() {
            command.defer(|command| define(command, T::augment_subcommands))
        } else {
            T::augment_subcommands(command)
        }
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        T::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

/// Adds the arguments or subcommands, and keeps the command's description.
fn define(command: Command, augment: fn(Command) -> Command) -> Command {
    let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
    augment(command).about(Resettable::from(about)).long_about(Resettable::from(long_about))
}
