//! Fenced code blocks of Markdown.

/// Why there is no single JSON block.
pub(crate) enum NoBlock {
    /// There is none.
    None,
    /// There are several.
    Several(usize),
}

/// The text of the one fenced JSON block of `markdown`: the only block marked `json`, or, where none
/// is marked so, the only block without a mark. A fence that is never closed goes to the end.
pub(crate) fn json_block(markdown: &str) -> Result<&str, NoBlock> {
    let blocks = blocks(markdown);
    let of = |mark: &str| -> Vec<&str> {
        blocks.iter().filter(|block| block.mark.eq_ignore_ascii_case(mark)).map(|block| block.text).collect()
    };
    let marked = of("json");
    let candidates = if marked.is_empty() { of("") } else { marked };
    match candidates.as_slice() {
        [] => Err(NoBlock::None),
        [only] => Ok(only),
        several => Err(NoBlock::Several(several.len())),
    }
}

struct FencedBlock<'a> {
    mark: &'a str,
    text: &'a str,
}

struct Open<'a> {
    fence: &'a str,
    mark: &'a str,
    start: usize,
}

// CommonMark's fences, but with any indentation: models put them into lists.
fn blocks(markdown: &str) -> Vec<FencedBlock<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Open<'_>> = None;
    let mut at = 0;
    for line in markdown.split_inclusive('\n') {
        let end = at + line.len();
        match (&open, fence(line)) {
            (None, Some((fence, mark))) => open = Some(Open { fence, mark, start: end }),
            (Some(block), Some((fence, ""))) if fence.starts_with(block.fence) => {
                blocks.push(FencedBlock { mark: block.mark, text: &markdown[block.start..at] });
                open = None;
            }
            _ => {}
        }
        at = end;
    }
    blocks.extend(open.map(|block| FencedBlock { mark: block.mark, text: &markdown[block.start..] }));
    blocks
}

// The fence of a line and the first word after it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let first = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(first);
    let fence = &line[..line.len() - rest.len()];
    let inline = first == '`' && rest.contains('`');
    (fence.len() >= 3 && !inline).then(|| (fence, rest.split_whitespace().next().unwrap_or_default()))
}
