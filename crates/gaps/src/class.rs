//! What a search is for: a fact that a page could hold, or a place in code.

use std::sync::LazyLock;

use eval_spec::call::ToolCall;
use eval_spec::gap::GapClass;
use regex::Regex;

use crate::conversation::Conversation;
use crate::prose::pattern;
use crate::search::{SearchCall, SearchTool};
use crate::similarity::words;

/// Where was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SearchedPlaces {
    /// In the working directory.
    #[default]
    Here,
    /// In these folders, and for these files.
    Paths(Vec<String>),
    /// By a search of a server.
    Server,
    /// In the web.
    Web,
}

/// How searches of servers and of the web are written among places.
const SERVER: &str = "server:";
const WEB: &str = "web:";

impl SearchedPlaces {
    /// The places as texts, those in the working directory as seen from there.
    #[must_use]
    pub fn texts(&self, cwd: Option<&str>) -> Vec<String> {
        let own = |path: &String| {
            let inside =
                cwd.and_then(|cwd| path.strip_prefix(cwd)).filter(|rest| rest.is_empty() || rest.starts_with('/'));
            match inside.map(|rest| rest.trim_start_matches('/')) {
                Some("") => ".".to_owned(),
                inside => inside.unwrap_or(path).to_owned(),
            }
        };
        match self {
            SearchedPlaces::Here => vec![".".to_owned()],
            SearchedPlaces::Paths(paths) => paths.iter().map(own).collect(),
            SearchedPlaces::Server => vec![SERVER.to_owned()],
            SearchedPlaces::Web => vec![WEB.to_owned()],
        }
    }

    /// The place of a text.
    #[must_use]
    pub fn of_text(text: &str) -> SearchedPlaces {
        match text {
            SERVER => SearchedPlaces::Server,
            WEB => SearchedPlaces::Web,
            path => SearchedPlaces::Paths(vec![path.to_owned()]),
        }
    }

    pub(crate) fn of(search: &SearchCall) -> SearchedPlaces {
        match search.tool {
            SearchTool::WebSearch | SearchTool::WebFetch => return SearchedPlaces::Web,
            SearchTool::Server => return SearchedPlaces::Server,
            SearchTool::Grep | SearchTool::Glob | SearchTool::Read | SearchTool::List | SearchTool::Shell => {}
        }
        match paths(search) {
            paths if paths.is_empty() => SearchedPlaces::Here,
            paths => SearchedPlaces::Paths(paths),
        }
    }
}

/// The folders and files in which a search looks; of a pattern of paths, the part before the first mark of a pattern.
fn paths(search: &SearchCall) -> Vec<String> {
    let of_line = search.line.iter().flat_map(|line| &line.searches).flat_map(|(_, of)| of.paths.iter().cloned());
    let named = match search.tool {
        SearchTool::Glob => fixed_part(&search.query).map(|begin| match &search.place {
            Some(place) if !begin.starts_with('/') => format!("{}/{begin}", place.trim_end_matches('/')),
            _ => begin.to_owned(),
        }),
        _ => None,
    };
    let named = named.or_else(|| search.place.clone());
    of_line.chain(named).filter(|path| !path.is_empty()).collect()
}

fn fixed_part(glob: &str) -> Option<&str> {
    let end = glob.find(['*', '?', '[', '{']).unwrap_or(glob.len());
    glob[..end].rfind('/').map(|end| &glob[..end]).filter(|part| !part.is_empty())
}

/// Files beside code, lower case: of builds, of dependencies, of tools.
const MANIFESTS: &str = "package.json package-lock.json cargo.toml pyproject.toml setup.py setup.cfg requirements.txt \
    requirements-dev.txt cmakelists.txt go.mod go.sum pom.xml gemfile rakefile makefile justfile dockerfile \
    jenkinsfile procfile pipfile composer.json tsconfig.json deno.json docker-compose.yml docker-compose.yaml \
    compose.yaml pnpm-workspace.yaml .gitignore .gitmodules .dockerignore .editorconfig .gitlab-ci.yml .npmrc \
    .nvmrc";

/// The ends of files of code, of builds and of logs.
const CODE: &str = "rs py pyi ipynb ts tsx js jsx mjs cjs vue svelte go java kt kts scala groovy c h cc cpp cxx hpp hh m mm cs fs \
    vb swift rb erb php pl pm lua r jl dart ex exs erl hs ml clj zig nim sol sh bash zsh fish ps1 bat css scss \
    sass less proto graphql gradle cmake mk tf hcl toml lock ini cfg conf env properties csproj sln wasm so dylib \
    dll class jar o a map snap patch diff log trace out err pid";

/// The ends of pages.
const PAGES: &str =
    "md mdx mdc markdown rst adoc asciidoc txt org wiki tex html htm pdf doc docx odt rtf ppt pptx epub";

/// Folders of what is built, and of others' code.
const BUILT: &str = "node_modules site-packages dist-packages __pycache__ target dist vendor .venv venv .git";

/// Folders of pages.
const DOCS: &str = "docs doc documentation wiki handbook knowledge knowledge-base kb guides runbooks playbooks policies manual faq \
    adr notes";

/// Folders of code and of logs.
const SOURCES: &str = "src lib libs crates packages test tests __tests__ include cmd pkg internal scripts migrations components bin \
    build log logs";

/// What a path leads to, by its end and its folders; `None` where these don't tell.
fn of_path(path: &str, cwd: Option<&str>) -> Option<GapClass> {
    let path = path.trim_matches(['"', '\'', ' ']).replace('\\', "/");
    let own = cwd.and_then(|cwd| path.strip_prefix(cwd)).unwrap_or(&path).to_lowercase();
    let segments: Vec<&str> = own.split('/').filter(|segment| !segment.is_empty()).collect();
    let name = segments.last().copied().unwrap_or_default();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end.trim_start_matches(['{', '(']));
    let end = end.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_in = |list: &str, word: &str| list.split(' ').any(|of| of == word);
    let has = |folders: &str| segments.iter().any(|segment| is_in(folders, segment));
    let is_hidden = segments.iter().any(|segment| segment.len() > 2 && segment.starts_with('.'));
    let is_log = name.contains(".log") || own.starts_with("/var/log/") || own.starts_with("/proc/");
    match () {
        () if has(BUILT) || is_in(MANIFESTS, name) || is_in(CODE, end) || is_log => Some(GapClass::Code),
        () if is_in(PAGES, end) || has(DOCS) => Some(GapClass::Knowledge),
        () if has(SOURCES) || is_hidden => Some(GapClass::Code),
        () => None,
    }
}

/// What only code has: the keywords of definitions, calls, and the marks of types and paths.
static SYNTAX: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(^|[\^|(\s])(def|fn|func|impl|struct|typedef|enum|trait|elif|namespace|#include|#define)(\s|\\s)|\b(class|interface|function|import|export|public|private|static|const|async|await|module|return|require)\\[sb]|\^(class|import|from|export|function|interface|const|pub|use)\b|\w\\\(|\w\(\)|\w\($|::|->|=>|==|#\[|</|\b(TODO|FIXME|XXX)\b",
    )
});

/// An identifier that no prose has: `userProfile`, `UserProfile`, `USER_PROFILE`, `__init__`, `_private`.
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(^|[^\w])([a-z][a-z0-9]*([A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+([A-Z][a-z0-9]+)+|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|_+[A-Za-z]\w*)($|[^\w])",
    )
});

/// Words between spaces, as people write them.
static PROSE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Za-z][a-z'-]+ +[A-Za-z][a-z'-]+\b"));

/// The last of the letters of Latin script, in which code is written.
const LATIN: char = '\u{24f}';

/// What the pattern of a search in the content of files is for; `None` where it doesn't tell.
fn of_pattern(query: &str) -> Option<GapClass> {
    let is_prose = PROSE.is_match(query) || query.chars().any(|letter| letter > LATIN && letter.is_alphabetic());
    match () {
        () if SYNTAX.is_match(query) => Some(GapClass::Code),
        () if is_prose => Some(GapClass::Knowledge),
        () if IDENTIFIER.is_match(query) => Some(GapClass::Code),
        () => None,
    }
}

/// The kinds of files to which a search is limited, as paths.
fn filters(call: &ToolCall, search: &SearchCall) -> Vec<String> {
    let own = ["glob", "include", "include_pattern", "file_pattern", "includePattern"];
    let mut all: Vec<String> = match search.tool {
        SearchTool::Grep => {
            let kind = call.input["type"].as_str().map(|kind| format!("*.{}", extension(kind)));
            own.iter().filter_map(|name| call.input[*name].as_str()).map(str::to_owned).chain(kind).collect()
        }
        _ => Vec::new(),
    };
    let line = search.line.iter().flat_map(|line| line.searches.iter().map(move |(at, _)| &line.line.pipelines[*at]));
    for words in line.flat_map(|pipeline| &pipeline.commands) {
        let next = words.iter().skip(1).map(Some).chain([None]);
        for (word, next) in words.iter().zip(next) {
            let value = ["--include=", "--glob=", "--iglob="].iter().find_map(|option| word.strip_prefix(option));
            let kind = word.strip_prefix("--type=");
            match (word.as_str(), next) {
                ("--include" | "-g" | "--glob" | "--iglob", Some(next)) => all.push(next.clone()),
                ("-t" | "--type", Some(next)) => all.push(format!("*.{}", extension(next))),
                _ => all.extend(value.map(str::to_owned).or_else(|| kind.map(|kind| format!("*.{}", extension(kind))))),
            }
        }
    }
    all.retain(|filter| !filter.starts_with('!'));
    all
}

/// An end of the files that `rg --type` means.
fn extension(kind: &str) -> &str {
    match kind {
        "markdown" => "md",
        "rust" => "rs",
        "python" => "py",
        "typescript" => "ts",
        "javascript" => "js",
        "ruby" => "rb",
        kind => kind,
    }
}

/// What a search is for. What neither its words nor its places tell is code where the agent works on code.
pub(crate) fn class(
    conversation: &Conversation,
    call: &ToolCall,
    search: &SearchCall,
    works_on_code: impl FnOnce() -> bool,
) -> GapClass {
    let cwd = conversation.cwd.as_deref();
    let is_of_code = |name: &str| {
        words(name)
            .iter()
            .any(|word| matches!(word.as_str(), "code" | "symbol" | "symbols" | "repo" | "commits" | "logs"))
    };
    let of_paths = |paths: &[String]| {
        let known: Vec<GapClass> = paths.iter().filter_map(|path| of_path(path, cwd)).collect();
        known.iter().min().copied()
    };
    let places = || of_paths(&paths(search));
    let is_history = || search.line.iter().flat_map(|line| &line.searches).any(|(_, of)| of.program == "git");
    let finds_names = match search.tool {
        SearchTool::WebSearch | SearchTool::WebFetch => return GapClass::Knowledge,
        SearchTool::Server => return if is_of_code(&call.name) { GapClass::Code } else { GapClass::Knowledge },
        SearchTool::Glob | SearchTool::Read | SearchTool::List => true,
        SearchTool::Shell => search.line.iter().flat_map(|line| &line.searches).all(|(_, of)| {
            of.is_read || matches!(of.program.as_str(), "find" | "fd" | "fdfind" | "ls" | "tree" | "dir")
        }),
        SearchTool::Grep => false,
    };
    let told = if finds_names {
        of_path(&search.query, cwd).or_else(places)
    } else {
        let (filters, places) = (of_paths(&filters(call, search)), places());
        match [filters, places].contains(&Some(GapClass::Knowledge)) {
            true => Some(GapClass::Knowledge),
            false => of_pattern(&search.query).filter(|of| *of == GapClass::Code || filters.or(places).is_none()),
        }
        .or(filters)
        .or(places)
    };
    let told = told.or_else(|| is_history().then_some(GapClass::Code));
    told.unwrap_or_else(|| if works_on_code() { GapClass::Code } else { GapClass::Knowledge })
}

/// Arguments that name the file that a tool reads or changes.
const FILES: [&str; 7] =
    ["file_path", "path", "absolute_path", "target_file", "targetFile", "notebook_path", "relative_workspace_path"];

/// Whether a call of the conversation reads or changes a file of code.
pub(crate) fn works_on_code(conversation: &Conversation) -> bool {
    let cwd = conversation.cwd.as_deref();
    let is_code = |text: &str| has_end(text) && of_path(text, cwd) == Some(GapClass::Code);
    let calls = conversation.turns.iter().flat_map(|turn| &turn.calls);
    calls.map(|call| &call.input).any(|input| {
        let named = FILES.iter().filter_map(|name| input[*name].as_str()).any(is_code);
        let line = ["command", "cmd"].iter().filter_map(|name| input[*name].as_str());
        named || line.flat_map(str::split_whitespace).any(is_code)
    })
}

/// Whether a path ends as a file.
fn has_end(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.') && !name.contains('*'))
}
