//! Whether a path is the user's own, or one that the agent has made up.

/// Whether the path, or at least its last two segments, stand in what the user wrote.
pub(crate) fn is_given(path: &str, cwd: Option<&str>, prompts: &[String]) -> bool {
    let path = path.replace('\\', "/");
    let whole = path.trim_start_matches("./");
    let below = cwd.and_then(|cwd| whole.strip_prefix(cwd)).map(|below| below.trim_start_matches('/'));
    let segments: Vec<&str> = whole.split('/').filter(|segment| !segment.is_empty()).collect();
    let end = (segments.len() > 2).then(|| segments[segments.len() - 2..].join("/"));
    let forms = [Some(whole.to_owned()), below.map(str::to_owned), end];
    forms
        .into_iter()
        .flatten()
        .filter(|form| !form.is_empty())
        .any(|form| prompts.iter().any(|text| names(&text.replace('\\', "/"), &form)))
}

/// Whether a text names a path: no part of a longer name.
fn names(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + path.len()..].chars();
        let ends = match after.next() {
            // The point of a sentence, and not that of a longer name.
            Some('.') => after.next().is_none_or(|next| !is_of_name(next)),
            next => next.is_none_or(|next| !is_of_name(next)),
        };
        before.is_none_or(|before| !is_of_name(before)) && ends
    })
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}
