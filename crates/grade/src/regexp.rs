//! ECMAScript regular expressions, run by QuickJS: exact semantics, and a deadline that even a
//! catastrophic pattern obeys. Each thread has one engine with its compiled patterns.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use rquickjs::{CatchResultExt, Context, Ctx, Function, Runtime};

use crate::script::deadline::Deadline;

/// The memory one match may take, backtracking included.
const MEMORY: usize = 256 << 20;

/// A thread's engine is rebuilt at this many compiled patterns, which bounds the memory of a long-lived process.
const PATTERNS: usize = 4096;

/// How long compiling a pattern may take.
const COMPILE_TIME: Duration = Duration::from_secs(1);

/// Our functions in the engine; no other code runs in it.
const HOST: &str = "
    const table = [];
    globalThis.compile = (pattern, flags) => table.push(new RegExp(pattern, flags)) - 1;
    globalThis.find = (id, text) => {
        const regexp = table[id];
        regexp.lastIndex = 0;
        const match = regexp.exec(text);
        return match === null ? [] : [match.index, match[0].length];
    };
";

/// A pattern that compiles.
pub(crate) struct Regexp {
    pattern: String,
    flags: String,
}

/// The first match.
#[derive(Debug, PartialEq)]
pub(crate) struct Match {
    /// How many characters (Unicode scalar values) precede it.
    pub(crate) at: usize,
    /// The text that matched.
    pub(crate) text: String,
}

/// Why it is unknown whether there is a match.
#[derive(Debug, PartialEq)]
pub(crate) enum MatchFailure {
    /// The time limit passed.
    Time,
    /// The engine failed, such as by running out of memory; its message.
    Engine(String),
}

impl Regexp {
    /// Compiles the pattern once, to know that it does.
    ///
    /// # Errors
    /// The engine's error message.
    pub(crate) fn new(pattern: &str, flags: &str) -> Result<Regexp, String> {
        let regexp = Regexp { pattern: pattern.to_owned(), flags: flags.to_owned() };
        match with_engine(|engine| engine.id(&regexp).map(drop)) {
            Ok(()) => Ok(regexp),
            Err(MatchFailure::Time) => Err("it takes too long to compile".to_owned()),
            Err(MatchFailure::Engine(error)) => Err(error),
        }
    }

    pub(crate) fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The first match in `text`.
    ///
    /// # Errors
    /// The limit passed, or the engine failed.
    pub(crate) fn find(&self, text: &str, limit: Duration) -> Result<Option<Match>, MatchFailure> {
        let range = with_engine(|engine| {
            let id = engine.id(self)?;
            engine.find(id, text, limit)
        })?;
        Ok(range.map(|(start, units)| locate(text, start, units)))
    }
}

thread_local! {
    static ENGINE: RefCell<Option<RegexEngine>> = const { RefCell::new(None) };
}

struct RegexEngine {
    ids: HashMap<(String, String), usize>,
    deadline: Deadline,
    context: Context,
}

fn with_engine<T>(work: impl FnOnce(&mut RegexEngine) -> Result<T, MatchFailure>) -> Result<T, MatchFailure> {
    ENGINE.with_borrow_mut(|slot| {
        let engine = match slot.take().filter(|engine| engine.ids.len() < PATTERNS) {
            Some(engine) => engine,
            None => RegexEngine::new().map_err(|error| MatchFailure::Engine(error.to_string()))?,
        };
        let engine = slot.insert(engine);
        let result = work(engine);
        // An engine that was interrupted or ran out of memory is not trusted again.
        if result.is_err() {
            *slot = None;
        }
        result
    })
}

impl RegexEngine {
    fn new() -> rquickjs::Result<RegexEngine> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MEMORY);
        let deadline = Deadline::default();
        runtime.set_interrupt_handler(Some(deadline.handler()));
        let context = Context::full(&runtime)?;
        context.with(|ctx| ctx.eval::<(), _>(HOST))?;
        Ok(RegexEngine { ids: HashMap::new(), deadline, context })
    }

    fn id(&mut self, regexp: &Regexp) -> Result<usize, MatchFailure> {
        let key = (regexp.pattern.clone(), regexp.flags.clone());
        if let Some(id) = self.ids.get(&key) {
            return Ok(*id);
        }
        let id =
            self.run(COMPILE_TIME, |ctx| host(ctx, "compile")?.call((regexp.pattern.as_str(), regexp.flags.as_str())))?;
        self.ids.insert(key, id);
        Ok(id)
    }

    // Where the match begins and how long it is, in UTF-16 units.
    fn find(&self, id: usize, text: &str, limit: Duration) -> Result<Option<(usize, usize)>, MatchFailure> {
        let range: Vec<usize> = self.run(limit, |ctx| host(ctx, "find")?.call((id, text)))?;
        Ok(range.first().zip(range.get(1)).map(|(start, units)| (*start, *units)))
    }

    fn run<T>(
        &self,
        limit: Duration,
        work: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<T>,
    ) -> Result<T, MatchFailure> {
        self.deadline.set(limit);
        let result = self.context.with(|ctx| {
            work(&ctx).catch(&ctx).map_err(|error| match error {
                rquickjs::CaughtError::Exception(thrown) => thrown.message().unwrap_or_default(),
                other => other.to_string(),
            })
        });
        match result {
            Ok(value) => Ok(value),
            Err(_) if self.deadline.fired() => Err(MatchFailure::Time),
            Err(error) => Err(MatchFailure::Engine(error)),
        }
    }
}

fn host<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    ctx.globals().get(name)
}

// From UTF-16 units to characters; half a surrogate pair counts as the whole.
fn locate(text: &str, start: usize, units: usize) -> Match {
    let mut passed = 0;
    let mut at = 0;
    let mut found = String::new();
    for c in text.chars() {
        if passed >= start + units && (units > 0 || passed >= start) {
            break;
        }
        if passed + c.len_utf16() > start {
            found.push(c);
        } else {
            at += 1;
        }
        passed += c.len_utf16();
    }
    Match { at, text: found }
}
