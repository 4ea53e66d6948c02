//! Texts that name a working directory by its path, of which the agent gets a copy.

use std::path::Path;

/// Whether a text names a path, or one below it.
pub fn names_path(text: &str, path: &Path) -> bool {
    forms(path).iter().any(|form| places(text, form).next().is_some())
}

/// A text in which `to` is named in the place of `from`.
pub(super) fn moved(text: &str, from: &Path, to: &Path) -> String {
    let to = to.display().to_string();
    forms(from).iter().fold(text.to_owned(), |text, form| {
        let mut rest = 0;
        let mut moved = String::new();
        for place in places(&text, form) {
            moved.push_str(&text[rest..place]);
            moved.push_str(&to);
            rest = place + form.len();
        }
        moved + &text[rest..]
    })
}

/// A path as it was given and with its links followed, the longer one first; not the root, which is in every path.
fn forms(path: &Path) -> Vec<String> {
    let given = path.is_absolute().then(|| path.to_owned());
    let mut forms: Vec<String> = given
        .into_iter()
        .chain(path.canonicalize().ok())
        .filter_map(|path| Some(path.to_str()?.trim_end_matches('/').to_owned()))
        .filter(|path| !path.is_empty())
        .collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.dedup();
    forms
}

/// Where a path begins in a text: not within a longer path, and not as the beginning of a longer name.
fn places<'t>(text: &'t str, path: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let ends = move |after: &str| {
        let mut after = after.chars();
        match after.next() {
            // The end of a sentence, or of a name's first part.
            Some('.') => after.next().is_none_or(|c| !is_name(c)),
            next => next.is_none_or(|c| !is_name(c)),
        }
    };
    let begins = move |before: &str| before.chars().next_back().is_none_or(|c| !is_name(c) && c != '/' && c != '.');
    text.match_indices(path)
        .filter(move |(place, of)| begins(&text[..*place]) && ends(&text[place + of.len()..]))
        .map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_named_by_its_whole_path() {
        let from = Path::new("/no/such/project");
        let is = |text: &str, moved_to: &str| assert_eq!(moved(text, from, Path::new("/tmp/c")), moved_to, "{text}");
        is("Read /no/such/project/a.txt, then (/no/such/project).", "Read /tmp/c/a.txt, then (/tmp/c).");
        is("`/no/such/project` and x/no/such/project", "`/tmp/c` and x/no/such/project");
        for other in ["/no/such/project2", "/no/such/project-b/x", "/home/no/such/project", "/no/such/project.old/x"] {
            is(other, other);
            assert!(!names_path(other, from), "{other}");
        }
        assert!(names_path("in /no/such/project", from) && !names_path("/a/b", Path::new("/")));
    }
}
