//! References in skills.

use eval_load::internals::{is_at, references};

#[test]
fn references_are_links_and_paths_in_the_folders_of_a_skill() {
    let body = "See [a](references/A.md \"t\") and [b](guide.md#part), [c](https://x.y/scripts/z.md), `[d](no.md)`.\n\
                ```sh\n[e](no.md)\npython scripts/run.py --to assets/<name>.png\n```\n\
                Run ./scripts/other.sh. Not src/scripts/no.sh, scripts/*.sh, scripts/ or assets/{x}.md; scripts/run.py.\n";
    let found: Vec<String> = references(body).into_iter().map(|(_, reference)| reference).collect();
    assert_eq!(found, ["references/A.md", "guide.md", "scripts/run.py", "scripts/other.sh"]);
    for (at, reference) in references(body) {
        assert_eq!(&body[at..at + reference.len()], reference);
    }
}

#[test]
fn a_reference_means_a_file_or_a_folder() {
    assert!(is_at("references/a b.md", "./references/a%20b.md"));
    assert!(is_at("references/a.md", "references/") && is_at("SKILL.md", "./"));
    assert!(!is_at("references/a.md", "references/a") && !is_at("a.md", "../a.md"));
}

/// What skills of public repositories say.
#[test]
fn paths_of_examples_are_no_references() {
    let body = "- **Examples**: `scripts/rotate_pdf.py` for PDF rotation\n\
                - A `references/finance.md` would hold schemas\n- 例如 `assets/logo.png`\n- Link such as [a](references/A.md)\n\
                - Run `scripts/run.py`\n";
    let found: Vec<String> = references(body).into_iter().map(|(_, reference)| reference).collect();
    assert_eq!(found, ["references/A.md", "scripts/run.py"]);
}

/// Lines of public skills that name files of the reader's own project.
#[test]
fn paths_that_are_written_cloned_or_made_up_are_no_references() {
    let body = "Paste the result into `scripts/structure-output.json`.\n\
        node scripts/tool.mjs prompt > scripts/prompt.md\n\
        python scripts/script_name.py --help\n\
        convert --files assets/my-diagram.drawio -o assets/picture.png\n\
        ```bash\npython scripts/own.py\ngit clone https://github.com/jquesnelle/yarn\ncd yarn\npython scripts/train.py\n```\n\
        Read references/guide.md.\n";
    let found: Vec<String> = references(body).into_iter().map(|(_, reference)| reference).collect();
    assert_eq!(found, ["scripts/tool.mjs", "scripts/own.py", "references/guide.md"]);
}

/// Kinds of false alarms that public skills showed.
#[test]
fn labels_functions_and_files_of_others_are_no_references() {
    let body = "See [`references/label.md`](../other/references/target.md) and [page](.wiki/entities/page.md).\n\
        Call `scripts/lib/names.build_all()` or `scripts/lib/names.check_all`; `pdf:scripts/pack.py`; the pdf skill's \
        `references/its.md`.\n\
        Prefer relative paths (`scripts/foo.py`, `references/bar.md`). Run `scripts/maybe.py` if available.\n\
        The template creates `scripts/made.py`, then run scripts/made.py.\n\
        ### `scripts/given.sh`\n\n```bash\nscripts/given.sh --help\n```\n\
        **File**: `scripts/also-given.py`\n```python\nx = new uint32[](2)\n```\n\
        ### `scripts/not-given.sh`\nText.\nSee:\n- `references/last.md`\n";
    let paths: Vec<String> = references(body).into_iter().map(|(_, reference)| reference).collect();
    assert_eq!(paths, ["../other/references/target.md", "scripts/not-given.sh", "references/last.md"]);
}
