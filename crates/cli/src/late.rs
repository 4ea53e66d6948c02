//! Arguments that are only defined when their command is asked for. Most of what `omk --version` takes
//! would go into the definition of flags that nobody reads.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::{Resettable, StyledStr};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Whether definitions may wait. Whoever walks the whole tree, as the translation does, needs them at once.
static MAY_WAIT: AtomicBool = AtomicBool::new(false);

/// Lets definitions wait from now on.
pub fn may_wait() {
    MAY_WAIT.store(true, Ordering::Relaxed);
}

/// `T`, defined late; boxed, since these are large.
#[derive(Debug)]
pub struct Late<T>(pub Box<T>);

impl<T: Args> Args for Late<T> {
    fn augment_args(command: Command) -> Command {
        match MAY_WAIT.load(Ordering::Relaxed) {
            true => command.defer(define::<T>),
            false => T::augment_args(command),
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

/// The command keeps what is said of it; the doc comment of `T` is not for readers of the help.
fn define<T: Args>(command: Command) -> Command {
    let (about, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    let kept = |text: Option<StyledStr>| text.map_or(Resettable::Reset, Resettable::Value);
    T::augment_args(command).about(kept(about)).long_about(kept(long))
}

impl<T: FromArgMatches> FromArgMatches for Late<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Late<T>, Error> {
        T::from_arg_matches(matches).map(|arguments| Late(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
