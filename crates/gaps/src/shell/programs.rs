//! Which programs search, and for what.

use super::{ShellPipeline, base};

/// A pipeline that looks for something.
#[derive(Clone, Debug)]
pub(crate) struct PipelineSearch {
    /// What it looks for.
    pub(crate) query: String,
    /// The files and folders that it looks in, or that it prints.
    pub(crate) paths: Vec<String>,
    /// Whether it prints files by their names.
    pub(crate) is_read: bool,
    /// Whether it prints nothing in any case: its exit code tells.
    pub(crate) is_quiet: bool,
    /// Whether it prints how many it found.
    pub(crate) counts: bool,
    /// Whether it prints records of JSON, not all of them of what it found.
    pub(crate) is_json: bool,
    /// The program that searches.
    pub(crate) program: String,
}

/// The search of one simple command.
type SearchReader = fn(&[String]) -> Option<PipelineSearch>;

/// Programs that search, list or print files.
const PROGRAMS: &[(&[&str], SearchReader)] = &[
    (&["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"], grep),
    (&["fd", "fdfind"], fd),
    (&["find"], find),
    (&["ls", "tree", "dir"], list),
    (&["cat", "head", "tail", "less", "more", "bat", "nl", "tac"], print),
    (&["sed"], sed),
    (&["git"], git),
];

/// Options of `grep` and its like whose value is the next word.
const WITH_VALUE: [&str; 30] = [
    "-A",
    "-B",
    "-C",
    "-m",
    "-g",
    "-t",
    "-T",
    "-f",
    "-j",
    "-r",
    "-E",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--glob",
    "--iglob",
    "--type",
    "--type-not",
    "--max-count",
    "--context",
    "--after-context",
    "--before-context",
    "--max-depth",
    "--color",
    "--colors",
    "--sort",
    "--sortr",
    "--file",
    "--engine",
    "--ignore",
];

/// The search of a pipeline; `None` where it filters what another program prints, or isn't one.
pub(crate) fn search(pipeline: &ShellPipeline) -> Option<PipelineSearch> {
    let (first, rest) = pipeline.commands.split_first()?;
    let mut found = of(first)?;
    found.is_quiet |= pipeline.is_silent;
    for command in rest {
        let words = if base(&command[0]) == "xargs" { started_by_xargs(command) } else { &command[..] };
        let Some(program) = words.first().map(|word| base(word)) else { continue };
        match program {
            "sed" if short(words, 'i') => return None,
            // A file without lines was read all the same.
            "wc" => found.counts = !found.is_read,
            // What is listed or printed is filtered: the filter says what is looked for.
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" => {
                if let Some(filter) =
                    grep(words).filter(|_| !words.iter().any(|word| word == "-v" || word == "--invert-match"))
                {
                    found = PipelineSearch {
                        paths: found.paths,
                        is_read: false,
                        is_quiet: found.is_quiet || filter.is_quiet,
                        ..filter
                    };
                }
            }
            "head" | "tail" | "sort" | "uniq" | "cut" | "sed" | "awk" | "tr" | "cat" | "nl" | "less" | "column"
            | "tee" => {}
            // What is found is used by another program, whose output it is.
            _ => return None,
        }
    }
    Some(found)
}

fn started_by_xargs(command: &[String]) -> &[String] {
    let options =
        command[1..].iter().take_while(|word| word.starts_with('-') || word.parse::<u32>().is_ok() || *word == "{}");
    &command[1 + options.count()..]
}

fn of(words: &[String]) -> Option<PipelineSearch> {
    let program = base(words.first()?);
    PROGRAMS.iter().find(|(names, _)| names.contains(&program)).and_then(|(_, read)| read(words))
}

fn of_program(words: &[String], query: String, paths: Vec<String>) -> PipelineSearch {
    let program = base(&words[0]).to_owned();
    PipelineSearch { query, paths, is_read: false, is_quiet: false, counts: false, is_json: false, program }
}

/// The words that are no options, nor values of these.
fn operands(words: &[String], with_value: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let (mut skip, mut only) = (false, false);
    for word in &words[1..] {
        match word.as_str() {
            _ if std::mem::take(&mut skip) => {}
            "--" => only = true,
            option if !only && option.starts_with('-') && option.len() > 1 => skip = with_value.contains(&option),
            operand => found.push(operand.to_owned()),
        }
    }
    found
}

fn short(words: &[String], letter: char) -> bool {
    words[1..].iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
}

fn long(words: &[String], options: &[&str]) -> bool {
    words[1..].iter().any(|word| options.contains(&word.as_str()))
}

fn grep(words: &[String]) -> Option<PipelineSearch> {
    if long(words, &["--version", "--help"]) {
        return None;
    }
    let is_rg = base(&words[0]) == "rg";
    let mut given = words.iter().skip(1).zip(words.iter().skip(2).chain(words.first()));
    let explicit =
        given.find(|(option, _)| matches!(option.as_str(), "-e" | "--regexp")).map(|(_, value)| value.clone());
    // `grep -r` and `-E` take no value, those of `rg` do.
    let with_value: Vec<&str> = WITH_VALUE
        .into_iter()
        .filter(|option| is_rg || !matches!(*option, "-r" | "-E" | "-T" | "-t" | "-g"))
        .chain(["-e", "--regexp"])
        .collect();
    let mut operands = operands(words, &with_value);
    let lists = long(words, &["--files"]);
    let query = match explicit {
        Some(query) => query,
        None if lists || operands.is_empty() => String::new(),
        None => operands.remove(0),
    };
    let mut found = of_program(words, query, operands);
    let is_listing = short(words, 'l') || short(words, 'L');
    found.is_quiet = (short(words, 'q') && !is_listing) || long(words, &["--quiet", "--silent"]);
    found.is_json = long(words, &["--json"]);
    found.counts = short(words, 'c') || long(words, &["--count", "--count-matches"]);
    Some(found)
}

fn fd(words: &[String]) -> Option<PipelineSearch> {
    if short(words, 'x') || short(words, 'X') || long(words, &["--exec", "--exec-batch"]) {
        return None;
    }
    let mut operands = operands(words, &["-e", "-t", "-d", "-E", "--extension", "--type", "--max-depth", "--exclude"]);
    let query = if operands.is_empty() { String::new() } else { operands.remove(0) };
    Some(of_program(words, query, operands))
}

/// What `find` does with what it finds, other than printing it.
const ACTIONS: [&str; 6] = ["-delete", "-execdir", "-ok", "-okdir", "-fprint", "-fls"];

fn find(words: &[String]) -> Option<PipelineSearch> {
    if long(words, &ACTIONS) {
        return None;
    }
    let paths = words[1..].iter().take_while(|word| !word.starts_with(['-', '(', '!', '\\'])).cloned().collect();
    let value = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(&word.as_str()));
        at.and_then(|at| words.get(at + 1)).cloned()
    };
    if let Some(at) = words.iter().position(|word| word == "-exec") {
        let started = of(&words[at + 1..])?;
        return Some(PipelineSearch { paths, is_read: false, ..started });
    }
    let named = value(&["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"]);
    Some(of_program(words, named.unwrap_or_default(), paths))
}

fn list(words: &[String]) -> Option<PipelineSearch> {
    let paths = operands(words, &["-L", "-I", "-P"]);
    Some(of_program(words, paths.join(" "), paths))
}

fn print(words: &[String]) -> Option<PipelineSearch> {
    let is_bare_number = |word: &String| word.parse::<u64>().is_ok();
    let paths = operands(words, &["-n", "-c", "-r", "--lines", "--bytes", "--line-range"]);
    let paths: Vec<String> = paths.into_iter().filter(|path| !is_bare_number(path) && path != "-").collect();
    let follows = base(&words[0]) == "tail" && short(words, 'f');
    if paths.is_empty() || follows {
        return None;
    }
    Some(PipelineSearch { is_read: true, ..of_program(words, paths.join(" "), paths) })
}

fn sed(words: &[String]) -> Option<PipelineSearch> {
    if !short(words, 'n') || short(words, 'i') {
        return None;
    }
    let mut paths = operands(words, &["-e", "-f"]);
    let script =
        if words.iter().any(|word| word == "-e") || paths.is_empty() { String::new() } else { paths.remove(0) };
    // Lines by their numbers are read, lines by a pattern looked for.
    let is_read = !script.contains('/');
    (!paths.is_empty()).then(|| PipelineSearch { is_read, ..of_program(words, paths.join(" "), paths) })
}

/// Options of `git ls-files` that ask for the state of the work tree.
const STATES: [&str; 4] = ["--modified", "--deleted", "--others", "--unmerged"];

fn git(words: &[String]) -> Option<PipelineSearch> {
    let mut skip = false;
    let is_option = |word: &&String| {
        let was_value = std::mem::take(&mut skip);
        skip = matches!(word.as_str(), "-C" | "-c" | "--git-dir" | "--work-tree");
        was_value || word.starts_with('-')
    };
    let options = words[1..].iter().take_while(is_option).count();
    let words = &words[1 + options..];
    let found = match words.first()?.as_str() {
        "grep" => grep(words)?,
        // What is changed or new in the work tree is its state, as `git status` tells.
        "ls-files" if "mdou".chars().any(|letter| short(words, letter)) || long(words, &STATES) => return None,
        "ls-files" | "ls-tree" => list(words)?,
        "log" => {
            let query =
                words.iter().zip(words[1..].iter().map(Some).chain([None])).find_map(|(word, next)| {
                    match word.as_str() {
                        "-S" | "-G" | "--grep" => next.cloned(),
                        word => ["--grep=", "-S", "-G"]
                            .iter()
                            .find_map(|option| word.strip_prefix(option))
                            .map(str::to_owned),
                    }
                })?;
            of_program(words, query, Vec::new())
        }
        _ => return None,
    };
    Some(PipelineSearch { program: "git".to_owned(), ..found })
}
