//! What is masked before it is stored or sent.

use eval_exec::known_secrets;
use eval_observe::Mask;
use eval_spec::Context;

/// Masks what is known to be secret here, too.
pub(super) fn mask(context: &Context) -> Mask {
    Mask { home: context.var("HOME").map(str::to_owned), secrets: known_secrets(context) }
}
