//! `contains`: keywords in the result's values.
//!
//! The result is searched value by value: texts as they are, numbers and booleans as JSON writes them, lists and
//! objects by what is in them; keys and `null` are not searched, and no keyword reaches over two values. Unless
//! `caseSensitive` is set, keyword and value are compared under full Unicode case folding (`STRASSE` has `straße`).
//! The score is found / all; it passes when all are found.

use eval_message::{Message, msg};
use memchr::memmem::Finder;
use serde_json::{Value, json};

use super::result::result;
use super::shown::share;
use crate::excerpt::{INLINE, excerpt, excerpts};
use crate::fields::without_line_ends;
use crate::finding::CheckFinding;
use crate::fold::fold_fully;
use crate::scorer::scored::CompiledScorer;

/// How many missing keywords are listed.
const LISTED: usize = 20;

struct Keywords {
    written: Vec<String>,
    finders: Vec<Finder<'static>>,
    case_sensitive: bool,
}

pub(super) fn compile(keywords: &[String], case_sensitive: bool) -> Result<CompiledScorer, Message> {
    if keywords.is_empty() {
        return Err(msg!("skills-grade-no-keywords"));
    }
    if keywords.iter().any(|keyword| keyword.trim().is_empty()) {
        return Err(msg!("skills-grade-blank-keyword"));
    }
    let keywords = Keywords::new(keywords, case_sensitive);
    Ok(CompiledScorer::quick(move |seen| keywords.score(result(seen.output))))
}

impl Keywords {
    fn new(written: &[String], case_sensitive: bool) -> Keywords {
        let folded = |keyword: &String| {
            let keyword = without_line_ends(keyword);
            if case_sensitive { keyword.to_owned() } else { fold_fully(keyword) }
        };
        let finders = written.iter().map(|keyword| Finder::new(folded(keyword).as_bytes()).into_owned()).collect();
        Keywords { written: written.to_vec(), finders, case_sensitive }
    }

    fn score(&self, result: &Value) -> CheckFinding {
        let found = self.found(result);
        let missing = || self.written.iter().zip(&found).filter(|(_, found)| !**found).map(|(word, _)| word.as_str());
        let (matched, total) = (found.iter().filter(|found| **found).count(), found.len());
        let reason = match missing().next() {
            None => msg!("skills-grade-keywords-all", total = total),
            Some(first) => {
                msg!("skills-grade-keywords-some", matched = matched, total = total, first = excerpt(first, INLINE))
            }
        };
        let seen = json!({ "matched": matched, "total": total, "missing": excerpts(missing(), LISTED) });
        CheckFinding::partial(matched == total, share(matched, total), reason).having_seen(seen)
    }

    fn found(&self, result: &Value) -> Vec<bool> {
        let mut found = vec![false; self.finders.len()];
        let mut rest = vec![result];
        while let Some(value) = rest.pop() {
            match value {
                Value::Null => {}
                Value::String(text) => self.search(text, &mut found),
                Value::Bool(_) | Value::Number(_) => self.search(&value.to_string(), &mut found),
                Value::Array(items) => rest.extend(items),
                Value::Object(fields) => rest.extend(fields.values()),
            }
        }
        found
    }

    fn search(&self, text: &str, found: &mut [bool]) {
        let folded = (!self.case_sensitive).then(|| fold_fully(text));
        let text = folded.as_deref().unwrap_or(text).as_bytes();
        for (finder, found) in self.finders.iter().zip(found).filter(|(_, found)| !**found) {
            *found = finder.find(text).is_some();
        }
    }
}
