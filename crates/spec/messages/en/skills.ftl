### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

skills-cli-incomplete = the evaluation is incomplete: { $why }
skills-cli-no-judge = a task is scored by `llm_judge`, and nobody says who judges
skills-cli-no-judge-help = name a judge: `--judge-executor openai-api --judge-model gpt-4o`, or `eval-skills config set llm.model gpt-4o`
skills-cli-not-ours = `{ $id }` is no evaluation of `eval-skills`
skills-cli-nothing-to-resume = no evaluation was begun in this directory
skills-cli-plan = { $skills ->
    [one] 1 skill
   *[other] { $skills } skills
  } × { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  } × { $runs ->
    [one] 1 run
   *[other] { $runs } runs
  } = { $total ->
    [one] 1 execution
   *[other] { $total } executions
  }
skills-cli-plan-benchmark = benchmark  { $id } { $version } ({ $source })
skills-cli-plan-how = settings   { $concurrency } at once, { $timeout } ms each, { $retries } retries, sandbox { $sandbox }
skills-cli-plan-judge = judge      { $judge }
skills-cli-plan-nothing = nothing was run, nothing was written
skills-cli-plan-scorers = scorers    { $scorers }
skills-cli-plan-skill = skill      { $id } { $version } ({ $adapter }) { $path }
skills-cli-result = { $skill }  { $task }  run { $run }  { $status }  { $why }
skills-cli-written = written: { $paths }

## skills-exec: calling skills

## skills-grade: scoring answers

skills-grade-benchmark-imported = { $count } tasks written to { $path }; use them with `--benchmark { $use }`
skills-grade-benchmark-exists = { $path } is there already
skills-grade-benchmark-exists-help = name another file with `--output`, or overwrite it with `--force`
skills-grade-benchmark-is-data = { $path } is the data itself
skills-grade-benchmark-level = `--level` is for gaia
skills-grade-benchmark-line = { $id }  { $domain }  { $count ->
    [0] no data, import it
    [one] 1 task
   *[other] { $count } tasks
}  { $scorers }  { $source }
skills-grade-benchmark-not-written = { $path } can't be written
skills-grade-blank-keyword = a keyword is blank; every answer would contain it
skills-grade-calls = { $matched } of { $expected } expected calls match, { $found } were made; expected: { $expectedNames }; made: { $foundNames }
skills-grade-calls-many = the answer has more than { $limit } calls
skills-grade-calls-no-list = the expected `calls` are not a list of calls
skills-grade-calls-unread = an expected call is not an object with a `name`, such as `{"{"} "name": "search", "arguments": {"{"}{"}"} {"}"}`
skills-grade-custom-improper = the scorer must return a number, a boolean or an object with `score` or `passed`; it returned `{ $found }`
skills-grade-custom-score = the scorer gave { $score }
skills-grade-differs = the result is `{ $actual }`, expected was `{ $expected }`
skills-grade-equal = the result is `{ $expected }`
skills-grade-import-apis = { $count } queries name an API that is not in their list; they are left out
skills-grade-import-empty = there is nothing in it that can be scored
skills-grade-import-file-name = `{ $name }` is no name of a file beside this one
skills-grade-import-files = the attached file `{ $name }` is not there; { $count } are missing
skills-grade-import-files-help = put the attached files beside the data, and import it again if it moves: tasks name them by their paths
skills-grade-import-level = `Level` is 1, 2 or 3
skills-grade-import-no-json = this line is not JSON: { $error }
skills-grade-import-no-object = this line is not a JSON object
skills-grade-import-no-text = `{ $key }` must be a text that is not blank
skills-grade-import-twice = `{ $id }` is there twice
skills-grade-import-withheld = the answers of { $count } questions are withheld (`?`), as in the test set; they are left out
skills-grade-inputs-misfit = `{ $skill }`: { $count } of { $total } inputs don't match its `inputSchema`, such as that of `{ $task }`: { $mismatch }
skills-grade-inputs-misfit-help = they are sent as they are; if the skill answers them with errors, choose a benchmark that fits it
skills-grade-judge-too-long = the answer is longer than { $kib } KiB, more than is sent to a judge
skills-grade-judged = { $score } of 5: { $reasoning }
skills-grade-keywords-all = all { $total } keywords are there
skills-grade-keywords-some = { $matched } of { $total } keywords are there; `{ $first }` is missing
skills-grade-no-answer = there is no answer to compare with; the public answers are in the validation set
skills-grade-no-judge = this task is scored by a model; name one with `--judge-executor` and `--judge-model`, or as `llm` in the configuration
skills-grade-no-keywords = `contains` needs at least one keyword
skills-grade-no-rubric = `llm_judge` needs a rubric that says what a good answer is
skills-grade-not-json = what the skill returned is not JSON: { $error }
skills-grade-quality-all = all { $total } points hold
skills-grade-quality-few-tasks = there are { $count } tasks, at least { $least } make a test
skills-grade-quality-holds = it holds
skills-grade-quality-length = the description has { $length } characters, it should have { $least } to { $most }
skills-grade-quality-link = `{ $file }` is a link that leads out of the skill's directory, or nowhere
skills-grade-quality-misfit = an input doesn't match `inputSchema`: { $mismatch }
skills-grade-quality-missing = `{ $field }` is missing
skills-grade-quality-no-address = `{ $entrypoint }` is no http address, and there is no `baseUrl`
skills-grade-quality-no-command = the entrypoint is no command line
skills-grade-quality-no-file = the entrypoint names `{ $file }`, which is not there
skills-grade-quality-no-properties = `inputSchema` names no property
skills-grade-quality-no-tasks = there is no file with tasks in `tests`, `evals` or `benchmarks`
skills-grade-quality-outputs-vague = `outputSchema` doesn't say what an output is
skills-grade-quality-own-words = the description says nothing beyond the name
skills-grade-quality-placeholder = `{ $text }` is a placeholder
skills-grade-quality-required = `{ $property }` is required, but is no property
skills-grade-quality-some = { $held } of { $total } points hold; missing: { $missing }
skills-grade-quality-stray = `{ $file }` doesn't belong into a skill
skills-grade-quality-tags = `tags` needs at least one tag, none blank, none twice
skills-grade-quality-undescribed = `{ $property }` has no `description`
skills-grade-quality-undocumented = there is no SKILL.md and no README
skills-grade-quality-untyped = the property `{ $property }` has no type
skills-grade-schema-broken = `{ $skill }`: nothing is checked against its `{ $field }`: { $error }
skills-grade-unreadable = what the skill returned is JSON, but can't be read: { $error }

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
