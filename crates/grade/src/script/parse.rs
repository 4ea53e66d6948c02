//! Whether a text is a function, before a file is made of it.

use std::cell::RefCell;
use std::time::Duration;

use rquickjs::{CatchResultExt, Context, Function, Runtime};

use super::deadline::Deadline;
use crate::excerpt::{EVIDENCE, excerpt};

/// The memory and the time that reading one function may take.
const MEMORY: usize = 64 << 20;
const TIME: Duration = Duration::from_secs(1);

/// A body that closes the function and goes on with other code is more than the function that comes of it.
const HOST: &str = "(body) => {
    const made = new Function('output', 'context', body);
    if (!String(made).endsWith(`) {\\n${body}\\n}`)) throw new SyntaxError('it is more than the body of a function');
}";

struct ParseEngine {
    deadline: Deadline,
    context: Context,
}

thread_local! {
    static ENGINE: RefCell<Option<ParseEngine>> = const { RefCell::new(None) };
}

/// Whether `body` can be the body of a function of `output` and `context`; it is not called.
///
/// # Errors
/// The engine's message.
pub fn parse_function(body: &str) -> Result<(), String> {
    ENGINE.with_borrow_mut(|slot| {
        // One that failed is not used again.
        let engine = match slot.take() {
            Some(engine) => engine,
            None => ParseEngine::new().map_err(|error| error.to_string())?,
        };
        engine.parse(body)?;
        *slot = Some(engine);
        Ok(())
    })
}

impl ParseEngine {
    fn new() -> rquickjs::Result<ParseEngine> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MEMORY);
        let deadline = Deadline::default();
        runtime.set_interrupt_handler(Some(deadline.handler()));
        Ok(ParseEngine { deadline, context: Context::full(&runtime)? })
    }

    fn parse(&self, body: &str) -> Result<(), String> {
        self.context.with(|ctx| {
            self.deadline.set(TIME);
            let parsed = ctx.eval::<Function, _>(HOST).and_then(|parse| parse.call::<_, ()>((body,)));
            parsed.catch(&ctx).map_err(|error| match error {
                rquickjs::CaughtError::Exception(thrown) => {
                    excerpt(&thrown.message().unwrap_or_else(|| "no message".to_owned()), EVIDENCE)
                }
                other => excerpt(other.to_string().lines().next().unwrap_or_default(), EVIDENCE),
            })
        })
    }
}
