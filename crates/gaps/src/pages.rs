//! Pages that have the words that were looked for in vain.

use std::collections::BTreeSet;

use crate::similarity::{singular, without_classes, words};

/// Pages that are named at most for what is missing.
const NAMED: usize = 3;

/// The texts of a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct KnowledgePages {
    pages: Vec<KnowledgePage>,
}

#[derive(Clone, Debug)]
struct KnowledgePage {
    name: String,
    text: String,
    words: BTreeSet<String>,
}

impl KnowledgePages {
    /// Pages with their names and texts.
    #[must_use]
    pub fn new(pages: impl IntoIterator<Item = (String, String)>) -> KnowledgePages {
        let page = |(name, text): (String, String)| {
            let words = singulars(&name).into_iter().chain(singulars(&text)).collect();
            KnowledgePage { name, text, words }
        };
        KnowledgePages { pages: pages.into_iter().map(page).collect() }
    }

    /// The pages that have all words of what was looked for, with the line where one line has them all; those first.
    #[must_use]
    pub fn having(&self, subject: &str) -> Vec<String> {
        let subject = last_segment(subject);
        let wanted = singulars(&without_classes(subject));
        // Letters of Chinese are no words: they stand for one only side by side.
        let runs: Vec<&str> = subject.split(|letter: char| letter.is_ascii() || !letter.is_alphanumeric()).collect();
        let has_runs = |text: &str| runs.iter().all(|run| text.contains(run));
        if wanted.is_empty() {
            return Vec::new();
        }
        let (mut lines, mut whole) = (Vec::new(), Vec::new());
        for page in self.pages.iter().filter(|page| wanted.is_subset(&page.words)) {
            let mut numbered = (1..).zip(page.text.lines());
            let line = numbered.find(|(_, line)| has_runs(line) && wanted.is_subset(&singulars(line)));
            match line {
                Some((number, _)) => lines.push(format!("{}:{number}", page.name)),
                None if has_runs(&page.text) || has_runs(&page.name) => whole.push(page.name.clone()),
                None => {}
            }
        }
        lines.into_iter().chain(whole).take(NAMED).collect()
    }
}

/// The name of a path without its end; another text as it is.
fn last_segment(subject: &str) -> &str {
    let subject = subject.trim();
    let name = match subject.contains('/') && !subject.contains(char::is_whitespace) {
        true => subject.trim_end_matches('/').rsplit('/').next().unwrap_or(subject),
        false => subject,
    };
    let stem = name.rsplit_once('.').filter(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()));
    let is_name = !name.contains(char::is_whitespace);
    stem.filter(|(_, end)| is_name && end.chars().all(|letter| letter.is_ascii_alphabetic()))
        .map_or(name, |(stem, _)| stem)
}

fn singulars(text: &str) -> BTreeSet<String> {
    words(text).iter().map(|word| singular(word)).collect()
}
