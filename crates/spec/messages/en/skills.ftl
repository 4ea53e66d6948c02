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
skills-exec-bridge-help = set `adapters.{ $kind }` in the configuration to a command: it gets the skill's directory and entrypoint as its last arguments and speaks JSON-RPC as a subprocess skill does
skills-exec-closed = the skill closed its output without an answer
skills-exec-cpu-time = the skill's process used up its CPU time (`cpuSeconds` in `adapter.config.json`)
skills-exec-crowded = the skill had more than { $processes } processes at once (`processes` in `adapter.config.json`)
skills-exec-error = the skill answered with an error: { $why }
skills-exec-exit = the skill ended without an answer, with exit code { $code }
skills-exec-file-size = the skill's process wrote a file longer than it may (`fileSizeMb` in `adapter.config.json`)
skills-exec-http-address = the address of `{ $skill }` is not an `http://` or `https://` URL: `{ $address }`
skills-exec-http-header = `{ $name }` can't be the name of an HTTP header
skills-exec-http-input = the input of the task can't be sent: { $why }
skills-exec-http-no-token = `{ $skill }` needs a token: set `{ $name }` in the environment
skills-exec-http-redirect = `{ $host }` redirects elsewhere (HTTP status { $status }), where nothing is sent: give the final address
skills-exec-http-status = `{ $host }` answered with HTTP status { $status }
skills-exec-no-answer = the skill ended without an answer: it must print one JSON-RPC 2.0 object with the `id` of the request and a `result` or an `error`
skills-exec-no-bridge = `{ $skill }` has the adapter type `{ $kind }`, which takes a command of the configuration
skills-exec-no-bridge-program = there is no program `{ $name }` for skills of the type `{ $kind }`
skills-exec-no-mcp = `{ $skill }` has the adapter type `mcp`, which is not there yet
skills-exec-not-utf8 = the skill's answer is not UTF-8
skills-exec-other-id = the skill answered the request with id { $id }, not the one with id { $expected }
skills-exec-signal = the skill was ended by signal { $signal } before it answered
skills-exec-spawn = the skill's program `{ $program }` could not be started
skills-exec-timeout = the skill gave no answer within { $seconds } s
skills-exec-too-long = the skill printed more than { $mib } MiB
skills-exec-wait = the skill's program could not be waited for: { $why }
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
