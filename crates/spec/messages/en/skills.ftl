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

## skills-evals: `eval-skills evals`

skills-evals-about = { $skill }: { $evals ->
    [one] 1 eval
   *[other] { $evals } evals
}, { $runs ->
    [one] 1 run
   *[other] { $runs } runs
} each with and without the skill, answered by { $model }
skills-evals-column-eval = eval
skills-evals-column-run = run
skills-evals-cost = cost: ${ $cost }, judges included
skills-evals-cost-unknown = cost: not known in full
skills-evals-difference = difference: { $points } points [{ $low }, { $high }], p = { $p }, paired over { $evals } evals
skills-evals-difference-alone = difference: { $points } points, without an interval: there is one eval, or they do not differ
skills-evals-difference-none = difference: no eval has a pass rate both with and without the skill
skills-evals-empty = the answer has no text
skills-evals-no-expectations = no eval says what is expected, so there is nothing to judge
skills-evals-no-place = there is no place beside `{ $path }` for a workspace: name one with `--output-dir`
skills-evals-no-skill = there is no `SKILL.md` in `{ $path }`
skills-evals-no-skill-help = name the skill's directory, with `SKILL.md` and `evals/evals.json`
skills-evals-not-graded = the answer was not judged
skills-evals-not-run = it was not run
skills-evals-note-always = eval { $eval }: “{ $text }” holds in every run, with and without the skill: it tells nothing of the skill
skills-evals-note-files = { $count ->
    [one] 1 eval names files: they are
   *[other] { $count } evals name files: they are
} named in the prompt, and neither copied nor opened
skills-evals-note-never = eval { $eval }: “{ $text }” holds in no run, with or without the skill: it may be out of reach, or wrong
skills-evals-note-ungraded = { $count } of { $all } runs have no pass rate and are counted neither as passed nor as failed: see `ungraded_runs`
skills-evals-notes = Notes
skills-evals-nothing-expected = the eval says nothing of what is expected
skills-evals-other-name = the skill calls itself `{ $own }`, its `evals.json` calls it `{ $other }`
skills-evals-price-help = give its price in `{ $path }`, or leave out `--budget-usd`
skills-evals-rate-with = pass rate with the skill: { $rate }
skills-evals-rate-without = pass rate without it: { $rate }
skills-evals-refused = the model declined
skills-evals-secret-help = give `--executor` or `--judge-executor` again, whole
skills-evals-time = time: { $with } with the skill, { $without } without it
skills-evals-title = Evals of { $skill }
skills-evals-truncated = the answer was cut off
skills-evals-ungraded = without a pass rate: { $count } of { $all } runs
skills-evals-verdict = verdict: { $valid ->
    [yes] { $verdict }
   *[no] none, for this is no valid measurement (its numbers would say { $verdict })
}
skills-evals-written = written to `{ $path }`: benchmark.json, benchmark.md, report.json, and a folder for each eval

## skills-exec: calling skills
skills-exec-empty = the entrypoint of `{ $skill }` names no program
skills-exec-quotes = a quote in the command line of `{ $skill }` is not closed: `{ $line }`
skills-exec-no-program = there is no program `{ $name }` in `PATH` or in the directory of `{ $skill }`
skills-exec-no-program-file = `{ $name }` is not there or is not executable: `{ $skill }` is run in its own directory
skills-exec-host = no place can be made for skills to run in: { $why }
skills-exec-no-watchdog = nothing watches over the skills' processes if this program is killed: { $why }
skills-exec-lack-not-linux = `{ $guard }` does not hold: it takes Linux
skills-exec-lack-no-landlock = `{ $guard }` does not hold: this kernel has no Landlock
skills-exec-lack-landlock-off = `{ $guard }` does not hold: Landlock is not switched on in this kernel
skills-exec-lack-landlock-old = `{ $guard }` does not hold: it takes version { $needed } of Landlock, and this kernel has version { $version }
skills-exec-lack-refused = `{ $guard }` does not hold: { $why }

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

skills-load-path-missing = there is no file or directory `{ $path }`
skills-load-no-skill = there is no skill in `{ $path }`
skills-load-no-skill-help = a skill is a directory with a `skill.json`; `eval-skills create --name NAME` makes one
skills-load-no-skill-text-help = its `SKILL.md` is for agents to read; to be called, a skill needs a `skill.json` beside it
skills-load-tree-too-large = there are more than { $limit } files and directories below the path; stopped at `{ $path }`
skills-load-tree-too-large-help = name the directories of the skills instead
skills-load-hash-cut = `{ $path }` has more than 10,000 files; changes in the others go unnoticed
skills-load-left-out = `{ $path }` is left out: it has { $count ->
    [one] an error
   *[other] { $count } errors
}
skills-load-duplicate-id = another skill has the id `{ $id }` already

skills-load-skill-empty = the file is empty, expected an object that describes the skill
skills-load-skill-id = `{ $id }` is not an id
skills-load-skill-id-help = an id has lowercase letters, digits, `_` and `-`
skills-load-skill-version = `{ $version }` is not a version
skills-load-skill-version-help = write it as semantic versioning does: `1.0.0`

skills-load-entrypoint-no-base = the entrypoint is a path, but there is no `baseUrl` in `adapter.config.json`
skills-load-entrypoint-not-url = the entrypoint is not an address
skills-load-entrypoint-help = write `https://host/path`, or `/path` and a `baseUrl` in `adapter.config.json`
skills-load-url = expected an address
skills-load-url-help = write it as `https://host/path`
skills-load-url-scheme = `{ $scheme }` is not a scheme to call a skill by, expected `http` or `https`
skills-load-url-credentials = an address may not hold a user name or a password
skills-load-url-credentials-help = name an environment variable in `authTokenEnvKey` of `adapter.config.json`
skills-load-url-secret = the parameter `{ $name }` of the address looks like a secret
skills-load-base-query = `baseUrl` may not have a query or a fragment

skills-load-adapter-empty = the file is empty, expected an object
skills-load-adapter-key-unused = `{ $key }` does nothing for skills of type `{ $adapter }`
skills-load-adapter-env = this is not the name of an environment variable
skills-load-adapter-env-help = list names only, such as ["MY_API_KEY"]; their values come from the environment
skills-load-adapter-env-object = expected a list of names of environment variables
skills-load-auth-no-type = `authTokenEnvKey` does nothing without `authType`
skills-load-auth-type-help = add `"authType": "bearer"` or `"authType": "api-key"`
skills-load-auth-no-token = `authType` `{ $kind }` needs `authTokenEnvKey`
skills-load-auth-token-help = name the environment variable that holds the token: "authTokenEnvKey": "MY_API_KEY"
skills-load-auth-unused = this does nothing with the `authType` `{ $kind }`
skills-load-auth-header-and-query = a key goes either into a header or into the query
skills-load-header = `{ $name }` is not the name of a header or a cookie
skills-load-request-twice = the parameter `{ $name }` is there twice
skills-load-request-no-parameter = no parameter fills in `{ "{" }{ $name }{ "}" }` of the entrypoint
skills-load-request-no-placeholder = the entrypoint has no `{ "{" }{ $name }{ "}" }` for this parameter of the path
skills-load-request-type = a body can't be sent as `{ $written }`
skills-load-request-type-help = expected `application/json`, `application/x-www-form-urlencoded` or `text/plain`

skills-load-benchmark-empty = the file is empty, expected a benchmark
skills-load-benchmark-unknown = there is no benchmark `{ $id }`
skills-load-benchmark-twice = the benchmark `{ $id }` is there twice: `{ $first }` and `{ $second }`
skills-load-benchmark-no-data = the benchmark `{ $id }` has no tasks: its data is not included
skills-load-benchmark-import-help = make it of the data set's own files: `eval-skills benchmark import { $format } FILE`
skills-load-tasks-empty = there are no tasks
skills-load-task-id = `{ $id }` can't be an id: it may not begin or end with a space, contain line breaks, or be longer than { $limit } characters
skills-load-task-twice = another task has the id `{ $id }` already
skills-load-scorer-needs = the scorer `{ $scorer }` needs `{ $key }` in `expectedOutput`
skills-load-no-keywords = there are no keywords: every answer would pass
skills-load-scorer-outside = the scorer `{ $path }` is not in the benchmark's folder
skills-load-scorer-outside-help = copy it beside the benchmark, so that they are reviewed and moved together

skills-load-strategy-empty = the file is empty, expected a strategy
skills-load-strategy-no-adapter = no adapter type is allowed: no skill could be selected
skills-load-config-no-format = there are no formats: nothing would be reported
skills-load-config-no-command = expected a program and its arguments
skills-load-data-empty = the file is empty

## skills-report: results for people

## skills-store: the store
