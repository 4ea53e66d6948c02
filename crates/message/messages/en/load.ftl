# load: files, their syntax, samples, eval.yaml, variants

## Files

load-file-missing = there is no file `{ $path }`
load-file-is-directory = `{ $path }` is a directory, expected a file
load-file-not-regular = `{ $path }` is not a regular file
load-file-too-large = `{ $path }` is larger than { $mib } MiB
load-file-unreadable = cannot read `{ $path }`: { $detail }
load-not-a-directory = `{ $path }` is not a directory
load-not-utf8 = not UTF-8 text
load-lookalike = `{ $character }` ({ $code }) looks like `{ $sign }` and isn't: write `{ $sign }` where it is meant
load-lookalike-space = this line has a space of another kind ({ $code }), which doesn't indent: write plain spaces
load-is-json-lines = this is JSON Lines, an object in each line; expected one list
load-is-json-lines-help = put the objects into one list, with commas between them: `jq -s . FILE` does it
load-is-csv = this is CSV, expected a list of samples in JSON or YAML
load-is-csv-help = write each row as an object with `sample_id` and `prompt` in a `.yaml` or `.json` file
load-utf16 = `{ $path }` is UTF-16, expected UTF-8 text
load-not-utf8-help = save the file as UTF-8
load-name-not-utf8 = the name of `{ $path }` is not UTF-8
load-first-here = first here
load-more-problems = and { $count ->
    [one] one more problem
   *[other] { $count } more problems
} in this file

## Expectations

# What was found instead; used inside other messages.
load-found = { $kind ->
    [null] nothing
    [bool] `{ $written }`
    [number] the number `{ $written }`
    [empty] empty text
    [text] the text `{ $written }`
    [empty-list] an empty list
    [list] a list
   *[object] an object
}
load-expected = expected { $expected ->
    [text] text
    [filled-text] text
    [text-like] text, a number, `true` or `false`
    [path] a path
    [flag] `true` or `false`
    [number] a number
    [whole-number] a whole number
    [list-of-texts] a list of texts
    [list-of-queries] a list of queries
    [list-of-calls] a list of calls, each the name of a tool or an object with `tool` and `input_contains`
    [list] a list
    [list-of-tasks] a list of tasks
    [list-of-samples] a list of samples
    [list-of-assertions] a list of assertions
    [list-of-mocks] a list of mocks
    [list-of-answers] a list of answers
    [list-of-annotations] a list of annotations
    [list-of-variants] a variant or a list of variants
    [variant] the name of an artifact, or an object with `artifact`, `name` and `cwd`
    [schema] a JSON Schema: an object, `true` or `false`
    [answer] text, or an object with `stdout`, `stderr` and `exit`
   *[object] an object
}, found { load-found }
load-quote-it = to make it text, put it in quotes: "{ $written }"
load-list-help = write it as a list: ["{ $written }"]
load-null-help = give the key a value, or remove it
load-unknown-key = unknown key `{ $key }`
load-key-ignored = unknown key `{ $key }` is ignored
load-missing-key = missing key `{ $key }`
load-duplicate-key = key `{ $key }` is there twice
load-variant-key = `{ $key }` belongs to a variant, beside its `artifact`
load-did-you-mean = did you mean `{ $suggestion }`?
load-known-words = expected one of { $known }
load-not-one-of = `{ $written }` is not one of { $known }
load-out-of-range = { $written } is out of range, expected { $low } to { $high }
load-too-small = { $written } is too small, expected at least { $low }
load-too-large = { $written } is too large, expected at most { $high }
load-number-too-large = the number `{ $written }` is too large
load-too-deep = nested deeper than { $limit } levels

## JSON

load-json-expected-value = expected a JSON value, found { $found }
load-json-expected-key = expected a key in double quotes, found { $found }
load-json-expected-colon = expected `:` after the key `{ $key }`, found { $found }
load-json-expected-comma = expected `,` or `{ $close }`, found { $found }
load-json-missing-comma = a comma is missing here
load-json-trailing-comma = JSON allows no comma after the last element
load-json-comment = JSON allows no comments
load-json-after-end = the document ends before this
load-json-ends = the file ends in the middle of a value
load-json-number = `{ $written }` is not a JSON number
load-json-word = `{ $written }` is not JSON, expected `true`, `false`, `null`, a number or text in double quotes
load-json-escape = `{ $written }` is not an escape of JSON
load-json-line-break = a text must not run over the end of the line, close it or write `\n`
load-json-control = a text must not hold this character, write `{ $code }`
load-json-text-open = the text that begins here has no closing quote

## YAML

load-yaml-syntax = not valid YAML: { $detail }
load-yaml-tab = YAML allows no tab here
load-yaml-tab-help = indent with spaces
load-yaml-quote-open = a quoted text has no closing quote
load-yaml-quote-indent = the quoted text that began before is not closed, or this line of it is not indented
load-yaml-colon-help = if this is part of a text, put the text in quotes; if it is a key, check its indentation
load-yaml-quote-help = if this is part of a text, put the text in quotes
load-yaml-bracket-open = `{ $open }` is not closed
load-yaml-bracket-wrong = `{ $open }` is closed by `{ $close }`
load-yaml-colon = a `:` must not stand here
load-yaml-character = `{ $character }` must not stand here
load-yaml-indentation = the indentation does not fit what comes before
load-yaml-indentation-help = the keys of one object, and the items of one list, begin in the same column
load-yaml-escape = unknown escape in a text in double quotes
load-yaml-escape-help = write `\\` for a backslash, or use single quotes
load-yaml-second-document = a second YAML document begins here, expected one only
load-yaml-key = expected text as a key
load-yaml-merge = `<<` takes an object or a list of objects
load-yaml-tag = the tag `{ $tag }` is unknown or does not fit the value
load-yaml-unknown-alias = there is no anchor `&{ $name }` before this alias
load-yaml-star-help = text that begins with `*` needs quotes
load-yaml-recursive-alias = an anchor must not contain itself
load-yaml-alias-bomb = aliases copy more than { $mib } MiB together
load-yaml-leading-zero = `{ $written }` would be read as a number, without its leading zeros
load-yaml-not-finite = `{ $written }` is no number that JSON can hold

## Samples

load-samples-empty = there are no samples in this file
load-samples-format = `{ $path }` is not a sample file, expected `.json`, `.yaml` or `.yml`
load-samples-none = there is no sample file in `{ $dir }`
load-samples-none-help = create `eval-samples.yaml` or `eval-samples.json`, or name a file with `--samples`; `omk init` makes a small project to start from
load-samples-none-evals = to use the Agent Skills file that is there, add `--samples { $path }`
load-samples-several = there is more than one sample file: { $files }
load-samples-several-help = choose one with `--samples`
load-duplicate-sample = sample `{ $id }` is there twice
load-alike-ids = the ids `{ $id }` and `{ $other }` differ only by characters that nobody sees, such as spaces, or by their Unicode form
load-alike-ids-help = write one of them differently, or both the same if they are one
load-sample-id-space = the id `{ $id }` must not begin or end with white space, or hold control characters
load-sample-id-long = an id must not be longer than { $limit } characters
load-empty-context = the empty context is taken as no context
load-dimensions-empty = expected at least one dimension
load-dimension-unnamed = a dimension needs a name
load-nothing-scored = this sample has nothing that scores it
load-nothing-scored-help = add `assertions`, a `rubric` or `dimensions`
load-rubric-unused = the rubric is not used, because `dimensions` win over it
load-triggers-one-kind = all queries want the same: { $should ->
    [true] the skill should be loaded for each
   *[other] the skill should be loaded for none
}
load-triggers-one-kind-help = write queries of both kinds; those that almost fit (`near_miss: true`) say most
load-triggers-instead = only a query that the skill should not be loaded for (`should_trigger: false`) can name another skill
load-evals-no-expectations = no eval says what is expected, so there is nothing to judge
load-evals-other-name = the skill's folder is called `{ $own }`, its `evals.json` calls the skill `{ $other }`
load-evals-unknown-skill = no skill beside these evals has the folder `{ $name }`; there are { $known }
load-evals-unscored-help = add `expectations` or an `expected_output`
load-evals-files = the files are named in the prompt as available, not copied; run in a directory that has them

## Assertions and mocks

load-unknown-type = unknown assertion type `{ $kind }`
load-weight = the weight is { $written }, expected more than 0
load-mock-no-answer = a mock needs `return`, `return_file` or `return_seq`
load-mock-two-answers = `return` and `return_file` exclude each other
load-mock-schema = the `type` of the input of a tool is not `object`, so that agents would drop every tool of its server
load-mock-schema-help = write `type: object`, and what the input consists of in `properties`
load-mock-tool-star = `{ $tool }` names no tool: `*` stands for every tool, and only by itself
load-mock-tool-name = no tool of a server has the name `{ $tool }`
load-mock-tool-name-help = letters, digits, `_`, `-` and `.` make a name: `mcp__SERVER__TOOL`
load-mock-tool-star-help = write a mock for each tool, or `*` alone

## The keys of sample files, for the docs

load-sample-id = text: the name of the sample, unique in the file; at most 200 characters, no control characters, no space at the ends
load-sample-prompt = text: what the model is asked
load-sample-context = text: appended to the prompt in a code block
load-sample-agent-markup = `true` or `false`: with `false`, `@path` and `$skill` in prompt and context of this sample are text: agents attach and load nothing by them
load-sample-url-fetch = `true` or `false`: `false` leaves the URLs in prompt and context of this sample as they are
load-sample-cwd = a directory: the working directory of this sample's executions; it takes precedence over the variant's
load-sample-rubric = text: what judges score the answer against, 1–5
load-sample-assertions = a list of assertions: the checks that the answer must pass
load-sample-dimensions = an object, name → rubric: several rubrics, each scored by itself; they replace `rubric`
load-sample-capability = a list of texts: what the sample covers; each is analysed by itself, and those with too few samples are named
load-sample-cluster = the task that it is a version of: samples of one cluster count as one
load-sample-difficulty = `easy`, `medium` or `hard`, documentation
load-sample-construct = text, documentation: `necessity`, `quality`, `capability`, or a word of your own
load-sample-provenance = `human`, `llm-generated` or `production-trace`, documentation: where the sample comes from
load-sample-mocks = a list of prepared answers to tool calls
load-sample-mocks-strict = `true` or `false`: whether tool calls that no mock answers are denied
load-sample-tripwire = `true` or `false`: a sample that the model should fail; it enters no mean and no comparison
load-sample-judge = `rubric` or `pairwise`: whether judges score each answer or compare them; it takes precedence over the setting
load-sample-environment = an object: what a short “Already available” note before the prompt lists
load-sample-environment-cli = a list of texts: command-line programs
load-sample-environment-files = a list of texts: files
load-sample-environment-notes = text: anything else
load-sample-mock-tool = text: the name of the tool, or `*` for every tool
load-sample-mock-match = an object: which calls of the tool the mock answers; all of its keys must match
load-sample-mock-return = the answer: text, or an object with `stdout`, `stderr` and `exit`
load-sample-mock-return-file = a file with the answer, instead of `return`
load-sample-mock-return-seq = a list of answers: one for each hit in turn, then `return`
load-sample-mock-description = text: what the model is told of a tool of an MCP server that is not there
load-sample-mock-input-schema = a JSON Schema: the input of such a tool
load-sample-match-file-path = text: the path in the arguments is this one
load-sample-match-file-path-endswith = text: the path ends so, at a path separator
load-sample-match-url = text: the URL is this one
load-sample-match-url-glob = text: the URL matches the glob
load-sample-match-command-glob = text: the command matches the glob; `*` spans lines
load-sample-match-input = an object: the arguments contain it
load-sample-match-input-contains = text or a list of texts: they occur in the texts of the arguments, in any case

## eval.yaml

load-settings-empty = this file has no settings
load-key-samples = the sample file; without it, the only `eval-samples.json`, `.yaml` or `.yml` of the project
load-key-skill-dir = where named variants are looked for
load-key-control = the variant that the others are compared with
load-key-treatments = the variants that are compared with the control; a single one needs no list
load-key-delivery = how artifacts reach the model: `system-prompt` adds their text to the system prompt; `skill` offers them to an agent, which may load them; `project` lays their files into its working directory
load-key-triggers = Queries that the skill should or should not be loaded for: a file, a list, or `queries` and the skills on offer beside it (`with`)
load-key-min-recall = Of the runs in which the skill should be loaded, the share in which it must be
load-key-min-precision = Of the runs in which the skill is loaded, the share in which it must be right
load-key-max-gap-rate = The highest gap rate that passes
load-key-gap-rate-regression = By how much the gap rate may rise since the last report of the same test set and variant
load-key-gap = `markers`: texts by which your agents mark a gap, such as `NEEDS CLARIFICATION`; `searchTools`: names of tools that search, `*` for any text; `emptyResult`: regular expressions of what these return when they find nothing
load-key-hedging-classifier = A model's second look at sentences of doubt: `model` (the first judge by default), `maxCandidates` (50), `enabled` (in runs with a judge)
load-key-kb = The files and folders of the knowledge base whose coverage is measured
load-gap-empty = `gap` says nothing: give it `markers`, `searchTools` or `emptyResult`
load-search-tool-letters = `{ $tool }` would make every tool a search: name the tools, such as `mcp__wiki__search` or `mcp__wiki__*`
load-empty-result = `{ $pattern }` in `emptyResult` is no regular expression: { $why }
load-empty-result-alone = `emptyResult` is what the tools of `searchTools` return when they find nothing: name them
load-marker-letters = the mark `{ $marker }` has no letter or digit: it would be found in texts that mark nothing
load-kb-empty = `{ $path }` has no file that could be a part of the knowledge base
load-kb-unreadable = the knowledge base `{ $path }` can't be read: { $why }
load-kb-help = name files and folders that are there with `--kb`, or `kb` in eval.yaml
load-key-varies = What may differ between the variants; any other difference is an error
load-key-executor = what answers: the name of an executor, or a command line
load-key-model = the model under test; without it, the executor's own
load-key-effort = the reasoning effort, where the model knows one
load-key-temperature = the sampling temperature; without it, the vendor's; not with `claude`
load-key-max-tokens = the longest answer, in tokens; without it, the vendor's limit, and 8192 with `anthropic-api`
load-key-max-turns = the most turns of an agent: `claude` and commands; without it, the agent's own limit
load-key-allowed-tools = the tools that `claude` may use without asking, `[]` for none; without it, the agent's own
load-key-permissions = what agents may do without asking: `default` is what their program allows; `edits` lets them edit files in their copy of the working directory; `bypass` lets them use every tool. A variant may have its own
load-key-sandbox = whether isolated agents run in a sandbox, where the system has one
load-key-network = what isolated agents and their tools reach: `open` is all that this machine does; `none` is nothing but the model
load-key-recordings = where the `replay` executor reads recordings
load-key-record = where every execution is recorded
load-key-judge = whether judges run (`false` is `--no-judge`); `rubric` or `pairwise` say how (`--judge-mode`)
load-key-judge-model = the judge: a model, or `executor:model`; without it, the executor's own judge
load-key-judge-models = several judges
load-key-judge-executor = the executor of judges that name none; without it, that of the run
load-key-judge-repeat = opinions of each judge on each answer
load-key-debias-length = whether judges are told that length is no quality (`false` is `--no-debias-length`)
load-key-gold-dir = the directory with people's scores that judges are compared with
load-key-concurrency = calls at once, at most
load-key-repeat = executions of each sample and variant
load-key-timeout = the time limit of a call, in seconds, queueing aside
load-key-retry = further attempts after a failure that may pass
load-key-rpm = requests a minute, at most, per provider
load-key-tpm = tokens a minute, at most, per provider
load-key-url-fetch = whether the URLs in prompts and contexts are replaced by what stands there
load-key-allow-missing-urls = whether a URL that can't be fetched stays as text, and the run goes on
load-key-allow-private-urls = whether URLs may lead to addresses of this machine and its own network
load-key-mcp-config = the file of the MCP servers that fetch URLs, in the format of `.mcp.json`
load-key-cache = whether answers are stored and used again
load-key-budget-usd = the money the whole run may cost, in US dollars
load-key-budget-per-sample-usd = the money one sample may cost over all variants and repeats, in US dollars
load-key-budget-per-sample-ms = the time the executions of one sample may take together, in milliseconds
load-key-allow-unknown-cost = whether a money budget may run with a model whose price is unknown
load-key-seed = the seed of order and resampling; without it, derived from the test set
load-key-bootstrap-samples = bootstrap resamples, at least 1000
load-key-ci = the kind of interval
load-key-min-effect = the smallest difference that matters, in points of the 1–5 scale
load-key-min-preference = the smallest preference that matters where judges compare answers, from 0 to 1
load-key-trivial-diff = a difference below this is not progress, in points
load-key-threshold = the gate of every layer, in points
load-key-looks = how often to look at the run while it goes on; it ends with the first look that decides every treatment
load-key-max-samples = the most samples to run, in a drawn order; with 5 looks unless `looks` says otherwise
load-key-stop-when-decided = the same as `looks: 5`
load-key-report-only = exit 0 whatever the verdict
load-key-gate = the worst tier that the gate lets through
load-key-goal = what a treatment must be for the gate: `better` than the control, or `not-worse` by more than `margin`
load-key-margin = the loss that is still not worse, in points; needs `goal: not-worse`
load-key-holdout = the share of the samples that are held out
load-key-max-failure-rate = the share of executions that may fail; above it the run is no measurement
load-key-output-dir = where reports go; without it, `reports` in the home of omk
load-key-blind = whether reports say `Variant A`, `Variant B` instead of names
load-key-texts = whether reports have the texts of samples and artifacts
load-key-strict-baseline = whether variants are kept from seeing each other's artifacts
load-key-custom-runtime = what runs custom assertions

## Variants

load-variant-name = `{ $name }` cannot name a variant, expected up to 200 printable characters
load-variants-many = there are { $count } variants; a run compares at most { $most }
load-variants-many-help = compare them in several runs
load-variant-twice = two variants are named `{ $name }`
load-variant-twice-help = give one of them another `name`
load-baseline-unused = `{ $path }` is not used: `baseline` means that nothing is injected
load-no-skill = there is no skill `{ $name }` in `{ $directory }`
load-no-skill-meant = did you mean `{ $suggestion }`? There are { $names }; a path needs a `/`
load-control-only-help = `{ $word }` is a control: `--control { $word }`
load-no-skill-there = there are { $names }; a path needs a `/`
load-no-skill-dir = there is no skill `{ $name }`, because there is no directory `{ $directory }`
load-no-skill-dir-help = name the directory with `--skill-dir`, or write a path with a `/`
load-files-not-delivered = only the text of `{ $name }` reaches the model, not its { $count ->
    [one] other file
   *[other] { $count } other files
}
load-files-not-delivered-help = `--delivery skill` gives an agent all files of a skill
load-skill-not-offered = `{ $name }` can't be offered as a skill: an agent chooses by the name and the description
load-skill-not-offered-help = write both into the front matter at the beginning of the file: `---`, `name: …` (letters, digits and hyphens), `description: …` (what it does and when to use it), `---`
load-no-skill-md = there is no `SKILL.md` in `{ $path }`
load-skill-both = both `{ $file }` and `{ $folder }` exist, remove one or use its path
load-skill-empty = there is nothing to inject
load-skill-empty-help = write the skill's text, or use `baseline` to inject nothing
load-skill-file-link = the link `{ $path }` leads out of the skill directory
load-skill-file-link-help = copy the file there, or name it by its own path
load-skill-link = the link `{ $path }` does not lead to a file inside the skill: put the file itself there
load-skill-too-large = the skill `{ $path }` is too large, at most { $files } files and { $mib } MiB are read
load-skill-too-deep = `{ $path }` is nested too deeply

load-skill-no-front-matter = a SKILL.md should begin with front matter that has `name` and `description`
load-skill-front-help = begin the file with a line `---`, the keys, and another line `---`
load-skill-open-front = the front matter that begins here has no closing `---`
load-skill-open-front-help = close it with a line `---`; if `---` is a rule in the text, put an empty line before it
load-skill-front-not-map = expected keys and values between the two lines `---`
load-skill-front-not-map-help = if `---` is a rule in the text, put an empty line before it
load-skill-missing = the front matter should have `{ $key }`
load-skill-not-text = `{ $key }` should be text, in quotes if it looks like something else
load-skill-length = `{ $key }` has { $chars ->
    [one] one character
   *[other] { $chars } characters
}, the specification wants 1 to { $limit }
load-skill-name = the name `{ $name }` should have only `a`–`z`, `0`–`9` and single hyphens between them
load-skill-name-directory = the name `{ $name }` should be that of its directory, `{ $directory }`
load-skill-metadata = `metadata` should be an object of texts
load-skill-tools = `allowed-tools` should be text, or a list of texts
load-skill-lines = the text has { $lines } lines; the specification advises { $limit } at most
load-skill-tokens = the text has about { $tokens } tokens; the specification advises { $limit } at most
load-skill-size-help = an agent reads all of it when it loads the skill: move details to files in `references/` and link them
load-settings-foreign = `{ $path }` has no key of omk's: it is the file of another tool
load-settings-foreign-help = name omk's own file (`omk eval FILE`), or move this one out of the folder
load-skill-reference = the skill has no file `{ $path }`
load-skill-reference-help = paths are relative to the skill's directory: add the file, or correct the path
load-skill-unknown-key = the specification knows no key `{ $key }`

## git

load-git-form = `{ $written }` is not `git:name`, `git:REF:name` or `git:REF:path`
load-control-of-many = `{ $word }` is made from one other artifact, and there are { $count }
load-control-of-many-help = name one artifact to make it from, such as `--control { $word } --treatment NAME`
load-previous-none = git has no earlier version of `{ $name }` to compare with
load-previous-none-help = commit the earlier version, or name one: `--control git:BRANCH:NAME`
load-previous-shallow-help = this clone lacks the earlier commits: fetch them (`git fetch --unshallow`; in a workflow `fetch-depth: 0`)
load-placebo-language = the placebo is in English, because there is no neutral text in the language of the treatment
load-placebo-files = { $count ->
    [one] one file of the treatment is
   *[other] { $count } files of the treatment are
} left out of the placebo: only Markdown and plain text have a neutral form
load-git-reference = `{ $reference }` cannot be a git reference
load-git-no-repository = `{ $path }` is in no git repository: { $detail }
load-git-no-commit = git knows no commit `{ $reference }` here
load-git-no-commit-meant = git knows no commit `{ $reference }` here; did you mean `{ $suggestion }`? There are { $names }
load-git-no-commit-there = git knows no commit `{ $reference }` here; there are { $names }
load-git-nothing-there = at `{ $reference }` there is no skill `{ $name }`, nor any other in `{ $directory }`
load-git-not-there = at `{ $reference }` there is no skill `{ $name }` in `{ $directory }`, there are { $names }
load-git-lfs = `{ $path }` is kept in Git LFS, this repository has only a pointer to it: check it out and name the file
load-git-submodule = `{ $path }` is a submodule, its content is not in this repository
load-git-cannot-run = cannot run `git`: { $detail }
load-git-odd-file = `{ $path }` is no file, such as a pipe, that can be read to its end, so `git` would never end: remove it, or get the repository anew
load-git-timeout = `git` read from `{ $path }` for { $seconds } seconds without an end and was stopped; check that the disk responds
load-git-order = the commit comes first: write `git:{ $revision }:{ $name }`
load-git-failed = git failed: { $detail }

## gold

load-gold-no-directory = there is no directory `{ $path }` with gold
load-gold-no-directory-help = `omk gold init REPORT --gold-dir DIR` fills one with outputs to score
load-gold-too-many = `{ $path }` has more than { $limit } files
load-gold-link = the link `{ $path }` leads out of the gold directory
load-gold-link-help = copy the file there: gold is what lies in its directory
load-gold-more = { $count ->
    [one] one more problem
   *[other] { $count } more problems
} in further gold files
load-gold-empty = this file has no scores
load-gold-version = this version of omk reads gold of version { $reads } only: use the omk that wrote the file
load-gold-name = this file is named like another sample than `{ $id }`
load-gold-name-help = name it `{ $name }`
load-gold-sample = the test set has no sample `{ $id }`: its scores are left out
load-gold-question = `{ $key }` is no question of this sample
load-gold-no-question = the sample has neither a rubric nor dimensions, so no judge scores it
load-gold-hash = `{ $written }` is no SHA-256: 64 hex digits
load-gold-output = the `output` shown here is not the one that `outputSha256` names
load-gold-output-help = undo the edit of `output`; if other text was scored, remove `outputSha256`
load-gold-half = `{ $written }` is no score: 1 to 5 in steps of a half
load-gold-twice = `{ $annotator }` scored this output twice
import-unknown = the file has no cases in a format that is known
import-unknown-help = `--format` names it: promptfoo, agent-skills, plugin-eval (a folder), or rows (JSON lines, CSV)
import-nothing = no test of the file could be carried over
import-file-unreadable = `{ $path }` can't be read: { $detail }
import-file-outside = `{ $path }` is outside of the configuration's folder and the working directory, and is not read
import-promptfoo-code = a configuration in JavaScript or TypeScript is a program, and is not run
import-promptfoo-code-help = have promptfoo write it as YAML: `promptfoo export` or a copy by hand
import-key-unused = has no equal here
import-prompt-shape = a prompt is a text, a file, or has `raw` or `id`
import-prompt-code = a prompt made by a program is not run: write its text into a file
import-prompt-turns = a conversation of several turns, or with pictures, is no prompt of ours: write its last question as the prompt, and what came before as `context`
import-prompt-statements = loops, conditions and expressions in a prompt can't be told apart from its variables: write the text out
import-prompt-named = the prompts have their variables in different places: the artifacts name them as `<name>`, and each sample's prompt gives their values
import-prompt-row = a row has nothing in its column `prompt`
import-prompts-static = the prompts have no variable, so nothing is asked beside them: write each as the `prompt` of a sample
import-redteam = promptfoo generates the tests of a red team when it runs, and none of them are written in the file: have `promptfoo redteam generate` write them
import-prompt-none = there is no prompt that could be carried over
import-prompt-empty = there is nothing to ask: the prompt is empty
import-template = the template can't be rendered: { $error }
import-template-comparison = the template can't be rendered: `{ $text }` compares values of different kinds, or of one that isn't known, and JavaScript makes numbers of texts there: write the rendered text into the test
import-template-empty = the template can't be rendered: `{ $text }` is empty, which counts as true there and as false here: write the rendered text into the test
import-test-shape = a test is an object, with `vars` or `assert`
import-vars-shape = `{ $path }` has no object of variables
import-assert-shape = the checks of a test are a list; promptfoo reads them from a file in files of tests only: write them into the test
import-scenario-shape = a scenario has tests, and sets of values in `config`
import-too-many = more than { $count } tests come of it
import-tests-code = tests made by a program, or fetched from the network, are not: have them written into a CSV, JSON or YAML file
import-tests-no-file = no file has such a name
import-test-threshold = a test has no threshold of its own: each check counts in the score of its layer
import-test-only-for = a test for some providers or prompts only becomes one for all variants
import-test-option = outputs and prompts are not changed on their way: the checks see the answer as it is
import-var-program = `{ $path }` is a program, and is not run: write what it returns into the configuration
import-var-code = `{ $path }` is no text: write its content into the configuration
import-no-reference = names nothing that is in the file, such as an entry of `assertionTemplates`
import-no-type = is no assertion type that is known
import-value = its value has another shape than the documented one
import-near-trim = `equals` ignores white space around the answer
import-near-json = JSON within an answer is found in its one fenced block only; else the whole answer must be JSON
import-near-rouge = `rouge_n_min` is the recall of single words
import-near-bleu = `bleu_min` is not smoothed
import-near-words = each Han or Kana character counts as a word
import-near-similar = `semantic_similarity` asks a judge for 1 to 5, in place of the distance of embeddings; its threshold is 3
import-near-judge = a judge scores it from 1 to 5
import-near-threshold = a judge's score counts as it is, without a threshold
import-use = write `{ $name }`
import-use-context = write `{ $name }`, and the passages as `context` of the sample
import-use-rubric = write a `rubric` for a judge
import-use-rubric-not = write a `rubric` that states the opposite
import-use-pairwise = have judges compare the answers: `judge: pairwise`
import-use-gold = people's ratings are kept by `omk gold` and on the pages of `omk report`
import-use-custom = write a `custom` check: a function in JavaScript
import-use-none = nothing here measures it
import-use-outcome = how an answer ended is a part of every report
import-weightless = has weight 0: it counts for nothing there, and a weight is above 0 here
import-transform = the answer is changed before this check: write a `custom` check
import-set-threshold = a set passes with any or all of its checks: another threshold has no equal
import-set-child = has `{ $name }` among its checks, which has no equal in a set
import-no-column = there is no column `{ $column }`; there are { $columns }
import-no-prompt-column = no column is the prompt by its name; there are { $columns }
import-no-prompt-column-help = name it with `--prompt-column`, and the answer's with `--expected-column`
import-row-unchecked = a row without an expected answer becomes a sample without a check
import-row-choices = choices are a list of up to 26 texts; these are not printed below the prompt
import-row-no-choice = is none of the choices: no label, text, place or letter of one
import-row-check = the expected answer becomes `{ $name }`; `--check` chooses another
import-row-system = a system message that not all rows share stands before the prompt
import-csv = the table can't be read: { $error }
import-parquet = { $path } is Parquet, which is not read here: have it written as JSON lines
import-parquet-help = `python -c "import json, sys, pyarrow.parquet as p; [print(json.dumps(row, default=str)) for row in p.read_table(sys.argv[1]).to_pylist()]" { $path } > { $to }` (`pip install pyarrow`), then import { $to }
import-task-agents = `{ $format }` has cases of agents, which a callable skill can't be given
import-task-agents-help = `omk import` makes samples of them
import-task-unscored = has no check that can be carried over, and a task needs a scorer
import-task-row-unchecked = a row without an expected answer becomes no task: name its column with `--expected-column`
import-task-row-check = the expected answer is compared by `exact_match`; `--scorer` chooses another
import-task-column-help = name the columns that the skill is given with `--input`, and the answer's with `--expected-column`
import-task-prompts = a skill is given the variables of a test, and no prompt
import-task-no-scorer = no scorer does this: write a `custom` one (`customScorerPath`)
import-task-one-scorer = a task has one scorer, which is that of its first check: a `custom` one (`customScorerPath`) can do several
import-task-schema = the schema is applied to the whole of what the skill returns
import-task-json = a skill returns JSON in any case: say with `json_schema` what is in it
import-task-judge = a judge is asked (`llm_judge`)
import-task-latency = set `timeoutMs` of the task
import-evals-files = files of an eval are not copied: see `environment` and `cwd`
import-evals-beside = the cases of `claude plugin eval` were read; import this file by its name for its evals
import-case-rubric = a judge scores the answer by the whole text
import-case-file = files of a case are not copied: see `environment` and `cwd`
import-no-folder = the cases of `claude plugin eval` are a folder: name it
import-case-setting = is set for the whole run, in `eval.yaml`
import-grader-target = reads files, mocks or the trace: write a check of tools (`tools_called`, `tool_output_contains`), or a `custom` check
import-regex-sticky = flag `y` holds the match to the beginning: write `^` into the pattern
import-grader-arm = counts for every variant
import-function = it is no function that can be read: { $error }
import-near-context = its `context` has `vars`, `config` and the prompt of the sample, and no more
import-use-context-absent = reads something of its `context` that isn't there, such as `providerResponse`, and might pass always: write a check of tools (`tools_called`, `tools_count_max`), tokens or cost
import-near-parsed = there an answer that is JSON is parsed and written anew before this check, without white space (a text loses its quotes); here it is checked as it was given
import-near-schema = `{ $keyword }` is later than draft 7: promptfoo's check ends in an error, or passes over it where its strict mode is off; here it is checked
import-provider-unknown = is no executor here: name what answers, with `executor` and `model`
import-label = is a label there, and changes no result
import-column-unused = no check or prompt is made of this column: `--prompt-column`, `--expected-column`, `--id-column` and `--context-column` choose others
import-evals-expected = the expectations stand in its place, as in the format itself
import-near-weight = what a judge scores has no weight: each criterion counts alike
import-near-grader = the judge and its prompt are those of the run
import-provider-output = the answer is written there; here the model gives it
import-conversation = tests of one conversation build on each other; here each is asked by itself
import-prefix = stands before the prompt of each sample, and after the artifact
import-providers = one run asks one model: the first that is known is taken
import-provider-config = is not carried over: the model runs as `eval.yaml` says
import-repeat = write `repeat` in `eval.yaml`
import-link = a link that leads out of the folder of the cases is not followed
import-row-shape = a row is an object, with a field for each column
import-too-large = the variables of all tests have more than { $mib } MiB of text
import-value-empty = its value is empty: is the variable in it set?

## MCP servers that fetch URLs

load-mcp-empty = the file has no servers
load-mcp-nowhere = the server has neither `command` nor `url`
load-mcp-type = a server of the type `{ $kind }` can't be asked for URLs
load-mcp-type-help = `stdio` (a program) and `http` (Streamable HTTP) can
load-mcp-variable = the variable `{ $name }` is not set
load-mcp-variable-help = set it, or give it a default: `${"{"}{ $name }:-default{"}"}`
load-mcp-regex = the regular expression can't be read: { $why }
