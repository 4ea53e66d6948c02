### What `eval-skills` says, by part, in alphabetical order of the parts.

## skills-cli: the command line

skills-cli-cannot-read = cannot read `{ $path }`
skills-cli-cell = { $skill }/{ $task } (run { $run })
skills-cli-config-default = default
skills-cli-config-file = { $path }, line { $line }
skills-cli-config-hidden = another file says otherwise, and wins: `{ $key }` in `{ $path }`
skills-cli-config-keys = `eval-skills config list` shows the keys
skills-cli-config-set = { $key } is set in { $path }
skills-cli-config-unknown = there is no key `{ $key }`
skills-cli-config-unset = not set
skills-cli-copies-left = of an earlier evaluation still: { $paths }
skills-cli-create-broken = `{ $id }` is skipped: what the document says of it can't be loaded: { $why }
skills-cli-create-changes = { $count ->
    [one] evaluating `{ $first }` changes data at { $hosts }
   *[other] evaluating { $count } of the skills, such as `{ $first }`, changes data at { $hosts }
}: put a test server into `baseUrl` first
skills-cli-create-exists = `{ $path }` is there already
skills-cli-create-exists-help = nothing was written; `--force` overwrites it
skills-cli-create-id = the id made of `{ $name }` is `{ $id }`; letters other than a to z can't stand in an id
skills-cli-create-link = `{ $path }` is a link; what is created must stay in its directory
skills-cli-create-next = { $template ->
    [python_script] write what the skill does into `run` of { $directory }/skill.py, and an example into { $directory }/tests/basic.eval.json
    [mcp_tool] write what the tool does into `run` of { $directory }/server.py, and an example of it into tests/basic.eval.json; or name a server of your own in `entrypoint` of skill.json
    [openapi] check baseUrl and authorisation in { $directory }/adapter.config.json, and put real values into tests/basic.eval.json
   *[http_request] name your service in `baseUrl` of { $directory }/adapter.config.json and `entrypoint` of skill.json, and an example in tests/basic.eval.json
}
skills-cli-create-no-id = no id can be made of the name `{ $name }`
skills-cli-create-no-template = there is no template `{ $name }`
skills-cli-create-other = `{ $path }` must be a { $kind ->
    [file] file
   *[directory] directory
}, and something else is there; nothing was written
skills-cli-find-more = { $shown } of { $count } skills; `--limit` shows more
skills-cli-find-no-history = `{ $store }` has no evaluations yet, so no skill has a completion rate
skills-cli-find-none = no skill fits
skills-cli-find-stale = * its files changed since it was evaluated
skills-cli-init-steps =
    eval-skills create --name my_calc --from-template python_script
    eval-skills eval --skills ./skills/my_calc --benchmark coding-easy
skills-cli-lint = { $skills ->
    [one] 1 skill
   *[other] { $skills } skills
}, { $files ->
    [one] 1 file
   *[other] { $files } files
}: { $errors ->
    [one] 1 error
   *[other] { $errors } errors
}, { $warnings ->
    [one] 1 warning
   *[other] { $warnings } warnings
}
skills-cli-not-rendered = the report can't be made
skills-cli-openapi-cut = a schema with more than { $limit } parts is cut short; anything is accepted in the rest
skills-cli-lint-lacks = it can't be called on this machine: { $why }
skills-cli-openapi-dangling = `{ $reference }` leads to nothing in the document; anything is accepted there
skills-cli-openapi-external = `{ $reference }` leads out of the document; anything is accepted there
skills-cli-openapi-form-style = { $operation }: `{ $name }` of the form is written without its style `{ $style }`, which no form has
skills-cli-openapi-file = `{ $path }` can't be read: { $why }; what the document refers to there is missing
skills-cli-openapi-files = { $count ->
    [one] one more file is read: `{ $first }`
   *[other] { $count } more files are read, such as `{ $first }`
    }
skills-cli-openapi-file-many = the document has more than { $limit } files or { $mib } MiB
skills-cli-openapi-file-outside = it is outside of the document's folder; copy it into the folder
skills-cli-openapi-large = a schema refers to more than { $limit } others; anything is accepted in the rest
skills-cli-openapi-left-out = { $operation }: the parameter `{ $name }` is left out, since its form can't be sent
skills-cli-openapi-lost-body = { $operation }: the body is left out, since `{ $reference }` can't be followed
skills-cli-openapi-lost-operation = { $operation } is skipped: `{ $reference }` can't be followed
skills-cli-openapi-lost-parameter = { $operation }: a parameter is left out, since `{ $reference }` can't be followed
skills-cli-openapi-lost-response = { $operation }: nothing is known of its answer, since `{ $reference }` can't be followed
skills-cli-openapi-more = { $count ->
    [one] one more warning
   *[other] { $count } more warnings
    } about the document
skills-cli-openapi-no-body = { $operation }: the body is left out, since `{ $content }` can't be sent
skills-cli-openapi-none = `{ $path }` has no operation that can be called
skills-cli-openapi-no-place = { $operation }: the parameter `{ $name }` in `{ $place }` is left out, since no request has a place for it
skills-cli-openapi-not = `{ $path }` is neither an OpenAPI 3 nor a Swagger 2.0 document: it has no `openapi: 3.…` and no `swagger: 2.0`
skills-cli-openapi-schema = { $operation }: a schema checks no types, since it can't be used: { $why }
skills-cli-openapi-no-scheme = { $place }: `security` names `{ $scheme }`, which `securitySchemes` doesn't define, so no request has its credential: define it and create the skill again, or add `auth` to `adapter.config.json`
skills-cli-openapi-security-malformed = { $place }: `security` is no list of objects, so no request has a credential: write a list with items such as `- SCHEME: []`, and create the skill again
skills-cli-openapi-part-header = { $operation }: the part `{ $part }` is sent without the header `{ $name }`, for which the document has no value: add it to `headers` in `adapter.config.json`
skills-cli-openapi-security = nothing is authorised by `{ $schemes }`: expected bearer tokens, basic authentication or API keys, each in a place of its own
skills-cli-openapi-server = the document names no whole address of a server; change `baseUrl`, which is `{ $base }` now
skills-cli-openapi-skipped-body = { $operation } is skipped: it needs a body, and `{ $content }` can't be sent
skills-cli-openapi-skipped-parameter = { $operation } is skipped: it needs the parameter `{ $name }`, whose form can't be sent
skills-cli-openapi-skipped-method = { $operation } is skipped: no skill can send this method
skills-cli-openapi-skipped-many = { $operation } is skipped: it has more than { $limit } parameters
skills-cli-openapi-stopped = stopped before { $operation }: { $count } skills are made, and the document would give too many more

skills-cli-evals-moved = `eval-skills evals` is gone: omk compares answers with and without a skill
skills-cli-evals-moved-help = run `omk eval --samples { $path }`; `omk report export latest --format agent-skills` writes grading.json and benchmark.json
skills-cli-incomplete = the evaluation is incomplete: { $why }
skills-cli-no-judge = a task is scored by `llm_judge`, and nobody says who judges
skills-cli-no-judge-help = name a judge: `--judge-executor openai-api --judge-model gpt-4o`, or `eval-skills config set llm.model gpt-4o`
skills-cli-not-selected = nothing is selected of an evaluation that is not complete: `{ $output }` is not written
skills-cli-not-utf8 = a path of this evaluation is not UTF-8
skills-cli-not-utf8-help = rename the directory or file, or use a link to it with a plain name
skills-cli-not-ours = `{ $id }` is no evaluation of `eval-skills`
skills-cli-no-tag = no task of `{ $benchmark }` has the tag `{ $tag }`
skills-cli-no-task = `{ $benchmark }` has no task `{ $task }`
skills-cli-no-tasks-left = no task has all these tags and one of these ids
skills-cli-no-tasks-left-help = `--tag` takes tasks with every tag that is named, `--task` one of the ids
skills-cli-nothing-to-resume = no evaluation was begun in this directory
skills-cli-output-is-other = `{ $path }` is { $what }, and is not written over: name another file, or remove it first
skills-cli-output-twice = `--json` and `--output -` both write to standard output: leave out one of them
skills-cli-part = { $chosen } of the { $all ->
    [one] 1 task
   *[other] { $all } tasks
  } of { $benchmark } were chosen: compare it with evaluations of the same tasks only
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
skills-cli-plan-built-in = built-in
skills-cli-plan-how = settings   { $concurrency } at once, { $timeout } ms each, { $retries ->
    [one] 1 retry
   *[other] { $retries } retries
  }{ $transport ->
    [0] { "" }
   *[other] {" "}({ $transport } where the connection fails)
  }, sandbox { $sandbox ->
    [on] on
   *[off] off
}
skills-cli-plan-judge = judge      { $judge }
skills-cli-plan-nothing = nothing was run, nothing was written
skills-cli-plan-scorers = scorers    { $scorers }
skills-cli-plan-skill = skill      { $id } { $version } ({ $adapter }) { $path }
skills-cli-resume-server = `{ $skill }`: the MCP server is { $now } now; the finished results come from { $before }
skills-cli-resume-server-help = put the earlier server back, or start a new evaluation: one report should have the answers of one server
skills-cli-resume-service = `{ $skill }`: whether the service at its address changed since the evaluation began is not known
skills-cli-result = { $cell }: { $status }
skills-cli-result-why = { $cell }: { $status }: { $why }
skills-cli-run-none-fits = no skill in `{ $path }` fits "{ $query }"
skills-cli-run-none-fits-help = see what is there with `eval-skills find`
skills-cli-secret-help = give `--judge-executor` again, whole
skills-cli-select-elsewhere = the newest complete report is of `{ $benchmark }`, and only its reports count: { $count ->
    [one] 1 candidate was
   *[other] { $count } candidates were
  } measured on other benchmarks or contents only; `--benchmark` names another one
skills-cli-select-stale = the files of `{ $skill }` changed since it was evaluated: evaluate it again
skills-cli-strict-journal-help = `eval-skills eval --resume ID --strict-journal`, or `--resume latest`
skills-cli-trend-no-benchmark = the store holds no evaluation of `{ $skill }` on `{ $benchmark }`
skills-cli-trend-no-skill = the store holds no evaluation of `{ $skill }`
skills-cli-unready-help = it is described in `{ $path }`
skills-cli-written = written: { $paths }

## skills-config: the keys of the configuration, for the docs

skills-config-benchmark = the benchmark of `eval` and `run`: its id, or its file
skills-config-benchmarks-dir = where further benchmarks are looked for, and where `benchmark import` writes
skills-config-concurrency = tasks at once
skills-config-custom = the command that answers for skills of the type `custom`
skills-config-evaluator = the scorer of tasks that name none
skills-config-format = report formats
skills-config-langchain = the command that answers for skills of the type `langchain`
skills-config-llm-executor = the executor of judges, as in `omk`
skills-config-llm-model = the model of judges
skills-config-llm-temperature = the sampling temperature of judges
skills-config-min-completion = the lowest completion rate: of `--exit-on-fail`, and of what `select` and `run` keep
skills-config-output-dir = where reports go
skills-config-retries = further attempts at a task that ends in an error or a timeout, never at a wrong answer
skills-config-runs = how often each task is run
skills-config-sandbox = whether skills run in a sandbox (`false` is `--no-sandbox`)
skills-config-seed = the seed of everything drawn; without it, made from skills and benchmark
skills-config-skills-dir = where skills are searched and created
skills-config-store = the SQLite database of all results
skills-config-timeout = the time limit of one attempt at a task without a limit of its own, in milliseconds

## skills-evals: evals of an Agent Skill

skills-evals-format = the files of Agent Skills: `grading.json` for each run, `benchmark.json`, `benchmark.md`
skills-evals-about = { $skill }: { $evals ->
    [one] 1 eval
   *[other] { $evals } evals
}, { $runs ->
    [one] 1 run
   *[other] { $runs } runs
} each with and without the skill, answered by { $model }
skills-evals-blind = `{ $id }` is a blind report and does not say which variant is the skill
skills-evals-no-evals = the samples of `{ $id }` are no evals of an `evals.json`
skills-evals-not-two = the format compares a skill with a control, and `{ $id }` has { $count } variants
skills-evals-column-eval = eval
skills-evals-column-run = run
skills-evals-cost = cost: ${ $cost }, judges included
skills-evals-cost-unknown = cost: not known in full
skills-evals-difference = difference: { $points } points [{ $low }, { $high }], p = { $p }, paired over { $evals } evals
skills-evals-difference-alone = difference: { $points } points, without an interval: there is one eval, or they do not differ
skills-evals-difference-none = difference: no eval has a pass rate both with and without the skill
skills-evals-empty = the answer has no text
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
skills-evals-rate-with = pass rate with the skill: { $rate }
skills-evals-rate-without = pass rate without it: { $rate }
skills-evals-refused = the model declined
skills-evals-time = time: { $with } with the skill, { $without } without it
skills-evals-title = Evals of { $skill }
skills-evals-truncated = the answer was cut off
skills-evals-ungraded = without a pass rate: { $count } of { $all } runs
skills-evals-verdict = verdict: { $valid ->
    [yes] { $verdict }
   *[no] none, for this is no valid measurement (its numbers would say { $verdict })
}
skills-evals-written = written to `{ $path }`: benchmark.json, benchmark.md, and a folder for each eval

## skills-exec: calling skills
skills-exec-bridge-help = set `adapters.{ $kind }` in the configuration to a command: it gets the skill's directory and entrypoint as its last arguments and speaks JSON-RPC as a subprocess skill does
skills-exec-closed = the skill closed its output without an answer
skills-exec-cpu-time = the skill's process used up its CPU time (`cpuSeconds` in `adapter.config.json`)
skills-exec-crowded = the skill had more than { $processes } processes at once (`processes` in `adapter.config.json`)
skills-exec-error = the skill answered with an error: { $why }
skills-exec-exit = the skill ended without an answer, with exit code { $code }
skills-exec-file-size = the skill's process wrote a file longer than it may (`fileSizeMb` in `adapter.config.json`)
skills-exec-http-address = the address of `{ $skill }` is not an `http://` or `https://` URL: `{ $address }`
skills-exec-http-basic = `{ $skill }` needs a user and a password: set `{ $name }` to `USER:PASSWORD`
skills-exec-http-cookie = `{ $skill }`: the value of `{ $name }` can't be sent in a cookie: spaces, quotes, commas, semicolons and backslashes are not allowed there
skills-exec-http-header = `{ $name }` can't be the name of an HTTP header
skills-exec-http-input = the input of the task can't be sent: { $why }
skills-exec-http-no-token = `{ $skill }` needs a token: set `{ $name }` in the environment
skills-exec-http-redirect = `{ $host }` redirects elsewhere (HTTP status { $status }), where nothing is sent: give the final address
skills-exec-http-status = `{ $host }` answered with HTTP status { $status }
skills-exec-no-answer = the skill ended without an answer: it must print one JSON-RPC 2.0 object with the `id` of the request and a `result` or an `error`
skills-exec-not-one-line = the skill's answer is not one line: with `jsonrpc-lines` each answer stands on a line of its own, and a line break ends it
skills-exec-no-bridge = `{ $skill }` has the adapter type `{ $kind }`, which takes a command of the configuration
skills-exec-no-bridge-program = there is no program `{ $name }` for skills of the type `{ $kind }`
skills-exec-not-utf8 = the skill's answer is not UTF-8
skills-exec-other-id = the skill answered the request with id { $id }, not the one with id { $expected }
skills-exec-signal = the skill was ended by signal { $signal } before it answered
skills-exec-scratch-size = the skill kept more than { $mib } MiB in its own folders (`scratchMb` in `adapter.config.json`)
skills-exec-spawn = the skill's program `{ $program }` could not be started
skills-exec-timeout = the skill gave no answer within { $seconds } s
skills-exec-timeout-start = the skill had not begun to read its request after { $seconds } s: it takes too long to start, or never reads
skills-exec-timeout-other-id = the skill gave no answer within { $seconds } s: it answered the request with id { $id }, not the one with id { $expected }
skills-exec-too-long = the skill printed more than { $mib } MiB
skills-exec-unreadable = the skill's answer can't be read as JSON: { $why }
skills-exec-wait = the skill's program could not be waited for: { $why }
skills-exec-empty = the entrypoint of `{ $skill }` names no program
skills-exec-quotes = a quote in the command line of `{ $skill }` is not closed: `{ $line }`
skills-exec-no-program = there is no program `{ $name }` in `PATH` or in the directory of `{ $skill }`
skills-exec-no-program-file = `{ $name }` is not there or is not executable: `{ $skill }` is run in its own directory
skills-exec-no-watchdog = nothing watches over the skills' processes if this program is killed: { $why }
skills-exec-lack-not-linux = `{ $guard }` does not hold: it takes Linux
skills-exec-lack-no-landlock = `{ $guard }` does not hold: this kernel has no Landlock
skills-exec-lack-landlock-off = `{ $guard }` does not hold: Landlock is not switched on in this kernel
skills-exec-lack-landlock-old = `{ $guard }` does not hold: it takes version { $needed } of Landlock, and this kernel has version { $version }
skills-exec-lack-refused = `{ $guard }` does not hold: { $why }

skills-exec-input-header = `{ $field }` of the input holds what no HTTP header can carry, such as a line break
skills-exec-input-no-file = `{ $field }` of the input is sent as a file: expected text, or an object with `text` or `base64`
skills-exec-input-no-form = `{ $field }` of the input is sent as a form: expected an object
skills-exec-input-no-path = the input lacks `{ $field }`, which the path needs
skills-exec-input-path = `{ $field }` of the input is `{ $value }`, which would lead to another path
skills-exec-mcp-ended = the server of `{ $skill }` ended the connection before it answered
skills-exec-mcp-failed = the tool `{ $tool }` says that it failed
skills-exec-mcp-malformed = the server of `{ $skill }` answered what the protocol doesn't allow here
skills-exec-mcp-no-tools = the server of `{ $skill }` has no tools
skills-exec-mcp-not-object = a tool takes an object, and the task's input for `{ $skill }` is none
skills-exec-mcp-not-ready = the server of `{ $skill }` was not ready in time
skills-exec-mcp-refused = the server answered with the error { $code }
skills-exec-mcp-status = the server of `{ $skill }` answered with HTTP status { $status }
skills-exec-mcp-timeout = the tool `{ $tool }` did not answer within { $seconds } s
skills-exec-mcp-too-long = the server of `{ $skill }` sent a message of more than { $mib } MiB
skills-exec-denied = the sandbox kept it from writing `{ $path }`: name it in `sandbox.write` of the skill.json, or run with `--no-sandbox`. It counts as not measured
skills-exec-denied-socket = the sandbox kept it from sockets that are files (D-Bus, Docker, tmux, its own): set `"sockets": true` in `sandbox` of the skill.json, or run with `--no-sandbox`. It counts as not measured
skills-exec-disk-full = it ran out of disk space, and so did this machine: less than { $mib } MiB are free where its files lie. Free some; it counts as not measured
skills-exec-may-connect = `{ $skill }` may use sockets that are files, as its skill.json asks: programs of yours that answer there (D-Bus, Docker, ssh-agent) act for it outside of the sandbox
skills-exec-may-write = `{ $skill }` may write { $paths }, as its skill.json asks
skills-exec-mcp-other-id = the server of `{ $skill }` answers with a text as the id, where the request had a number
skills-exec-mcp-unreadable = a message of the server of `{ $skill }` can't be read: each must be JSON on one line
skills-exec-mcp-too-many = the server of `{ $skill }` sends requests without reading the answers
skills-exec-mcp-unreachable = the server of `{ $skill }` can't be reached
skills-exec-mcp-wants-more = the tool `{ $tool }` asks for more than its arguments, and nobody is here to give it
skills-exec-mcp-which-tool = the server of `{ $skill }` has { $count } tools and none of that name: name one as `tool` in `adapter.config.json`

## skills-grade: scoring answers

skills-grade-benchmark-imported = { $count ->
    [one] 1 task
   *[other] { $count } tasks
} written to { $path }; use { $count ->
    [one] it
   *[other] them
} with `--benchmark { $use }`
skills-grade-benchmark-empty = no data, to be imported
skills-grade-benchmark-exists = { $path } is there already
skills-grade-benchmark-exists-help = name another file with `--output`, or overwrite it with `--force`
skills-grade-benchmark-level = `--level` is for gaia
skills-grade-benchmark-columns = `--input`, `--expected-column`, `--id-column` and `--scorer` are for rows
skills-grade-benchmark-count = { $count ->
    [one] 1 task
   *[other] { $count } tasks
}
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
skills-grade-import-call = this is no call
skills-grade-import-call-help = a call is `{ "{" }"name": …, "arguments": { "{" }…{ "}" }{ "}" }`; `tool` and `args` are read too
skills-grade-import-call-key = `{ $key }` of a call is not understood
skills-grade-import-empty = there is nothing in it that can be scored
skills-grade-import-file-name = `{ $name }` is no name of a file beside this one
skills-grade-import-files = attached files that are not there: { $count }, such as `{ $name }`
skills-grade-import-files-help = put the attached files beside the data, and import it again if it moves: tasks name them by their paths
skills-grade-import-level = `Level` is 1, 2 or 3
skills-grade-import-no-json = this line is not JSON: { $error }
skills-grade-import-no-object = this line is not a JSON object
skills-grade-import-no-text = `{ $key }` must be a text that is not blank
skills-grade-import-twice = `{ $id }` is there twice
skills-grade-import-levels = `gaia-v1` is level { $level }: { $count ->
    [one] 1 question of another level is
   *[other] { $count } questions of other levels are
  } left out
skills-grade-import-levels-help = `--level 2` and `--level 3` make benchmarks of their own
skills-grade-import-withheld = withheld answers (`?`), as in the test set: { $count } left out
skills-grade-input-unsendable = the task `{ $task }` can't be sent to `{ $skill }`: { $why }
skills-grade-input-unsendable-help = mend its `inputData`, or choose a benchmark that fits the skill
skills-grade-inputs-misfit = `{ $skill }`: { $count } of { $total } inputs don't match its `inputSchema`, such as that of `{ $task }`: { $mismatch }
skills-grade-inputs-misfit-help = they are sent as they are; if the skill answers them with errors, choose a benchmark that fits it
skills-grade-judge-too-long = the answer is longer than { $kib } KiB, more than is sent to a judge
skills-grade-judged = { $score } of 5: { $reasoning }
skills-grade-keywords-all = all { $total } keywords are there
skills-grade-keywords-some = { $matched } of { $total } keywords are there; `{ $first }` is missing
skills-grade-patterns-all = all { $total } patterns match
skills-grade-patterns-some = { $matched } of { $total } patterns match; `{ $first }` does not
skills-grade-no-answer = there is no answer to compare with; the public answers are in the validation set
skills-grade-no-judge = this task is scored by a model; name one with `--judge-executor` and `--judge-model`, or as `llm` in the configuration
skills-grade-no-keywords = `contains` needs at least one keyword
skills-grade-no-rubric = `llm_judge` needs a rubric that says what a good answer is
skills-grade-not-json = what the skill returned is not JSON: { $error }
skills-grade-quality-all = all { $total } points hold
skills-grade-quality-few-tasks = there { $count ->
    [one] is 1 task
   *[other] are { $count } tasks
  }, at least { $least } make a test
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

skills-load-path-missing = there is no file or directory `{ $path }`
skills-load-path-missing-help = `eval-skills init` makes a project, `eval-skills create` a skill; or name the directory that the skills are in (`--skills-dir`, `--skills`)
skills-load-no-skill = there is no skill in `{ $path }`
skills-load-no-skill-help = a skill is a directory with a `skill.json`; `eval-skills create --name NAME` makes one
skills-load-no-skill-text-help = its `SKILL.md` is for agents to read; to be called, a skill needs a `skill.json` beside it
skills-load-tree-too-deep = what lies deeper than { $limit } directories is not searched, such as `{ $path }`
skills-load-tree-too-large = there are more than { $limit } files and directories below the path; stopped at `{ $path }`
skills-load-tree-too-large-help = name the directories of the skills instead
skills-load-hash-cut = `{ $path }` has more than 10,000 files; changes in the others go unnoticed
skills-load-left-out = `{ $path }` is left out: it has { $count ->
    [one] an error
   *[other] { $count } errors
}
skills-load-duplicate-id = another skill has the id `{ $id }` already
skills-load-duplicate-first = the first one is in `{ $path }`, line { $line }

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
skills-load-adapter-key-not-address = `{ $key }` does nothing for an MCP server that has an address: no program is started
skills-load-adapter-key-not-program = `{ $key }` does nothing for an MCP server that is a program
skills-load-adapter-key-not-program-help = a program reads its token from its environment: name the variable in `env`
skills-load-workers-unused = `workers` does nothing with the protocol `jsonrpc`: each task has a process of its own
skills-load-workers-unused-help = say `"protocol": "jsonrpc-lines"` if the program answers many requests; how many tasks run at once is up to `--concurrency`
skills-load-adapter-env = this is not the name of an environment variable
skills-load-adapter-env-help = list names only, such as ["MY_API_KEY"]; their values come from the environment
skills-load-adapter-env-object = expected a list of names of environment variables
skills-load-auth-no-type = `{ $key }` does nothing without `authType`
skills-load-auth-type-help = add `"authType"`: `"bearer"`, `"basic"` or `"api-key"`
skills-load-auth-no-token = `authType` `{ $kind }` needs `authTokenEnvKey`
skills-load-auth-token-help = name the environment variable that holds the token: "authTokenEnvKey": "MY_API_KEY"
skills-load-auth-unused = this does nothing with the `authType` `{ $kind }`
skills-load-auth-places = a key goes into a header, the query or a cookie: give only one of `authHeader`, `authQuery` and `authCookie`
skills-load-auth-both = `auth` lists all credentials: move this one into the list
skills-load-auth-twice = two credentials go into the same place of a request
skills-load-header = `{ $name }` is not the name of a header or a cookie
skills-load-request-twice = the parameter `{ $name }` is there twice
skills-load-request-no-parameter = no parameter fills in `{ "{" }{ $name }{ "}" }` of the entrypoint
skills-load-request-no-placeholder = the entrypoint has no `{ "{" }{ $name }{ "}" }` for this parameter of the path
skills-load-request-encoding-unused = `encoding` does nothing with this `contentType`: it belongs to forms
skills-load-request-reserved-unused = `allowReserved` has no effect outside of the query
skills-load-part-header = `{ $name }` can't be a header of a part: `Content-Type` is written as `contentType`
skills-load-request-style = the style `{ $style }` can't be used in `{ $place }`
skills-load-request-type = a body can't be sent as `{ $written }`
skills-load-request-type-help = expected a media type such as `application/json`, `application/x-www-form-urlencoded`, `multipart/form-data`, `text/plain` or `application/octet-stream`

skills-load-benchmark-empty = the file is empty, expected a benchmark
skills-load-benchmark-unknown = there is no benchmark `{ $id }`
skills-load-benchmark-twice = the benchmark `{ $id }` is there twice: `{ $first }` and `{ $second }`
skills-load-benchmark-no-data = the benchmark `{ $id }` has no tasks: its data is not included
skills-load-benchmark-import-help = make it of the data set's own files: `eval-skills benchmark import { $format } FILE`
skills-load-tasks-empty = there are no tasks
skills-load-task-id = `{ $id }` can't be an id: it may not begin or end with a space, contain line breaks, or be longer than { $limit } characters
skills-load-task-twice = another task has the id `{ $id }` already
skills-load-number-inexact = the number `{ $number }` has more digits than a number of JSON keeps here: it would become another one
skills-load-number-inexact-help = write it in quotes: a text is equal to the number that it spells
skills-load-scorer-needs = the scorer `{ $scorer }` needs `{ $key }` in `expectedOutput`
skills-load-no-keywords = there are no keywords: every answer would pass
skills-load-no-patterns = there are no patterns: every answer would pass
skills-load-two-patterns = there are `pattern` and `patterns`: write all of them in `patterns`
skills-load-weightless = every task has weight 0, so no score counts: give one a weight above 0
skills-load-weight-unused = the weights of tasks do not count: the scoring method is not `weighted_mean`
skills-load-weight-unused-help = write `"scoringMethod": "weighted_mean"`, or leave `weight` out
skills-load-scorer-outside = the scorer `{ $path }` is not in the benchmark's folder
skills-load-scorer-outside-help = copy it beside the benchmark, so that they are reviewed and moved together

skills-load-strategy-empty = the file is empty, expected a strategy
skills-load-strategy-no-adapter = no adapter type is allowed: no skill could be selected
skills-load-config-no-format = there are no formats: nothing would be reported
skills-load-config-no-command = expected a program and its arguments
skills-load-config-quotes = a quote isn't closed
skills-load-data-empty = the file is empty

## skills-report: results for people

skills-report-about-benchmark = benchmark `{ $id }`{ $version }, { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  } × { $runs ->
    [one] 1 run
   *[other] { $runs } runs
  }, contents { $hash }
skills-report-about-run = evaluation `{ $id }`, begun { $started }, `eval-skills` { $version }, seed { $seed }
skills-report-about-settings = { $concurrency } at once, { $timeout } a task, { $retries ->
    [one] 1 retry
   *[other] { $retries } retries
  }{ $transport ->
    [0] {""}
   *[other] { "" }, { $transport } more where the connection fails
  }
skills-report-alike = { $count ->
    [one] 1 task
   *[other] { $count } tasks
  } ({ $tasks })
skills-report-bad-id = `{ $id }` can't be part of a report's file name: letters, digits, `.`, `_` and `-` can
skills-report-by-method = The interval is a 95 % interval: { $method }.
skills-report-completion = completion
skills-report-composite = composite
skills-report-consistency = consistency
skills-report-contradiction = `{ $path }` contradicts itself: { $scope ->
    [whole] { "" }
   *[other] of `{ $skill }`{ " " }
  }`{ $field }` is { $stored }, and its task results come to { $follows }
skills-report-counts = { $total } planned: { $pass } passed, { $fail } failed, { $error ->
    [one] 1 error
   *[other] { $error } errors
  }, { $timeout ->
    [one] 1 timeout
   *[other] { $timeout } timeouts
  }; not counted: { $unscored } unscored, { $harness ->
    [one] 1 harness error
   *[other] { $harness } harness errors
  }.
skills-report-damaged = `{ $path }` is damaged: { $why }
skills-report-damaged-help = write it again with `eval-skills eval`, or take a copy that is whole
skills-report-diff-about = benchmark `{ $benchmark }`; { $a } is `{ $ida }`, { $b } is `{ $idb }`
skills-report-diff-benchmark = the reports are of different benchmarks: `{ $a }` and `{ $b }`
skills-report-diff-contents = the contents of benchmark `{ $benchmark }` changed: { $a } → { $b }
skills-report-diff-differs = `{ $what }` differs too: { $a } → { $b }
skills-report-diff-force = evaluate both on the same benchmark, or compare the tasks that they share with `--force`
skills-report-diff-forced = the benchmarks are not the same (`{ $a }`, `{ $b }`): only tasks with equal input and expectation are compared
skills-report-diff-incomplete = { $label } is incomplete: only the tasks that both have are compared
skills-report-diff-legend = ▲ better, ▼ worse, whichever way the number went; pp are percentage points
skills-report-diff-empty-a = the earlier report holds no skill
skills-report-diff-empty-b = the later report holds no skill
skills-report-diff-no-skill = no skill is in both reports: { $a } against { $b }
skills-report-diff-no-skill-help = compare reports with a skill of the same id, or with one skill each
skills-report-diff-only = only in { $label }: { $skills }
skills-report-diff-other-files = { $skill } (its files changed)
skills-report-diff-servers = { $skill } (its server changed: { $a } → { $b })
skills-report-diff-same-files = { $skill } (the same files: what moved is chance, or what they don't contain, such as a service or an installed program)
skills-report-diff-unknown-files = { $skill } (it is not known whether its files changed)
skills-report-diff-test = { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  } on both sides, { $left } left out; McNemar's exact p { $mcnemar } (two-sided, tasks), exact p for fewer passes { $regression } (one-sided, all runs)
skills-report-diff-title = { $a } → { $b }
skills-report-diff-uneven = { $count ->
    [one] 1 task
   *[other] { $count } tasks
  } ran more often on one side: what flipped is decided by the first runs there, as many as the other side has; the rates are of all runs
skills-report-diff-unsound = too much of { $label } could not be counted, so its numbers say little
skills-report-diff-versions = { $a } → { $b }
skills-report-errors = errors
skills-report-excluded = { $count ->
    [one] 1 not selected
   *[other] { $count } not selected
  }
skills-report-failing = { $skill }: { $count ->
    [one] 1 task did not pass
   *[other] { $count } tasks did not pass
  }
skills-report-file = `{ $path }`: { $why }
skills-report-filter-missed = only what did not pass
skills-report-gate = gate
skills-report-gate-failed = gate refused: { $count ->
    [one] 1 skill is
   *[other] { $count } skills are
  } below { $least }: { $skills }
skills-report-gate-fails = fails
skills-report-gate-incomplete = gate refused: the evaluation is incomplete, so nothing is known of the rest
skills-report-gate-passed = gate passed: every skill completes at least { $least }
skills-report-gate-passes = passes
skills-report-gate-regressed = regression: { $skills }
skills-report-gate-side-incomplete = { $label } is incomplete, so the gate stays shut: go on with it, or evaluate it anew
skills-report-gate-side-unsound = too much of { $label } could not be counted, so the gate stays shut
skills-report-gate-tasks-missing = { $label } lacks { $count ->
    [one] a task
   *[other] { $count } tasks
  } of { $skill } that the other report has, so the gate stays shut: { $tasks }
skills-report-gate-uncounted = gate refused: more than { $limit } could not be counted of { $count ->
    [one] 1 skill
   *[other] { $count } skills
  }: { $skills }
skills-report-gate-unknown = gate refused: nothing counted of { $count ->
    [one] 1 skill
   *[other] { $count } skills
  }: { $skills }
skills-report-gate-unmeasured = nothing can be said of { $skills }, so the gate stays shut
skills-report-heading = { $benchmark }: { $skills ->
    [one] 1 skill
   *[other] { $skills } skills
  } × { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  } × { $runs ->
    [one] 1 run
   *[other] { $runs } runs
  }
skills-report-impossible = `{ $path }` can't be believed: { $scope ->
    [whole] { "" }
   *[other] of `{ $skill }`{ " " }
  }`{ $field }` is { $stored }, which can't be
skills-report-in-runs = in { $count } of { $runs } runs
skills-report-interrupted = the evaluation is incomplete: { $why }
skills-report-interval = 95 % interval
skills-report-is-benchmark = a benchmark
skills-report-is-directory = a directory
skills-report-is-list = a JSON list
skills-report-is-no-json = no JSON
skills-report-is-omk = a report of `omk`
skills-report-is-other = other JSON
skills-report-is-result = an eval-skills result
skills-report-is-selection = a selection of skills
skills-report-is-skill = a `skill.json`
skills-report-is-too-large = no regular file, or larger than 2 GiB
skills-report-latency = latency
skills-report-less-often = Passing less often
skills-report-method-bootstrap = bootstrap over tasks with all their runs
skills-report-method-clustered-wilson = Wilson's, a task with all its runs counting as one
skills-report-method-wilson = Wilson's
skills-report-more = { $count ->
    [one] 1 more
   *[other] { $count } more
  }
skills-report-more-often = Passing more often
skills-report-other-version = `{ $path }` has format version { $version }, and this program reads version { $reads }
skills-report-other-version-help = use the `eval-skills` that wrote it, or evaluate again with this one
skills-report-newly-failing = Newly failing
skills-report-newly-passing = Newly passing
skills-report-next-error = errors are the skill's own: its message and the end of its standard error stand in the report
skills-report-next-resume = go on where it stopped: `eval-skills eval --resume { $id }`
skills-report-next-runs = one run can't tell luck from skill: `--runs 3` shows how stable the results are
skills-report-next-schema = some outputs don't match the skill's `outputSchema`; the report says where
skills-report-next-timeout = for slow tasks raise `--timeout`, or the task's `timeoutMs`
skills-report-next-unsound = more than { $limit } could not be counted, so the numbers say little about the skills; mend that first
skills-report-no-answer = the skill returned nothing
skills-report-no-format = `{ $format }` is no format: there are { $known }
skills-report-no-such-file = there is no `{ $path }`
skills-report-not-a-result = `{ $path }` is not an eval-skills result: it is { $instead ->
    [benchmark] { skills-report-is-benchmark }
    [directory] { skills-report-is-directory }
    [list] { skills-report-is-list }
    [text] { skills-report-is-no-json }
    [omk] { skills-report-is-omk }
    [result] { skills-report-is-result }
    [selection] { skills-report-is-selection }
    [skill] { skills-report-is-skill }
    [large] { skills-report-is-too-large }
   *[other] { skills-report-is-other }
  }
skills-report-not-a-result-help = name an `eval-result-….json` that `eval-skills eval --format json` wrote
skills-report-not-passed = Not passed
skills-report-not-run = { $count } of { $total } results were planned and not run
skills-report-not-scored = the answer was not scored
skills-report-note-servers = `{ $skill }`: the server changed within the run, so that its answers come from several versions: { $servers }
skills-report-note-uncalled = `{ $skill }` was never called, so it has no latency and no composite score
skills-report-note-uncounted = `{ $skill }`: { $count ->
    [one] 1 result is
   *[other] { $count } results are
  } not counted, first: { $reason }
skills-report-one = { $skill }
skills-report-p50 = P50
skills-report-p95 = P95
skills-report-p99 = P99
skills-report-page-composite-help = 0.5 × completion + 0.2 × (1 − P95 ÷ { $limit }) + 0.3 × (1 − errors)
skills-report-page-cut = … ({ $count } characters; the JSON report has all)
skills-report-page-description = description
skills-report-page-enforced = held by: { $guards }
skills-report-page-error = error
skills-report-page-expected = expected
skills-report-page-facts = { $scorer }; { $attempts ->
    [one] 1 attempt
   *[other] { $attempts } attempts
  }; process start { $start }; tokens { $tokens }
skills-report-page-failed-attempts = earlier attempts
skills-report-page-flips = { $flips } of tasks flip
skills-report-page-foot = written by `eval-skills` { $version }; evaluation { $id }, seed { $seed }
skills-report-page-how = how
skills-report-page-input = input
skills-report-page-latency-title = Latency
skills-report-page-left-out = { $count } results that passed are not on this page; the JSON report has all
skills-report-page-mismatches = output schema
skills-report-page-not-enforced = asked for, not enforced: { $guards }
skills-report-page-output = output
skills-report-page-pass-k = pass all { $k } runs
skills-report-page-results = Results
skills-report-page-run-bar = run { $run }: { $rate }
skills-report-page-runs = Completion by run
skills-report-page-scores = Scores
skills-report-page-scores-bar = { $count } with a score of { $from } to { $to }
skills-report-page-skip = Skip to the results
skills-report-page-stderr = standard error
skills-report-partial = partial score
skills-report-reason = reason
skills-report-returned = returned { $output }
skills-report-run = run
skills-report-score = score
skills-report-select-benchmark = no candidate was measured on the benchmark `{ $benchmark }`
skills-report-select-benchmark-help = the reports are of: { $known }
skills-report-select-candidates-help = a list is a JSON array of skills with `id`, `adapterType` and `tags`, or what `select --output` wrote
skills-report-select-entry = the list of candidates can't be read: entry { $place }: { $why }
skills-report-select-no-list = the list of candidates can't be read: it is no array of skills
skills-report-selected = selected { $count } of { $all }
skills-report-skill = skill
skills-report-skills = Skills
skills-report-stability = { $skill }: consistency { $consistency }, { $flips } of tasks flip between runs, { $all } pass all { $k } (pass^{ $k })
skills-report-standing-higher = completes more: { $passing ->
    [one] 1 task passes
   *[other] { $passing } tasks pass
  } anew, { $failing } fail anew{ $often ->
    [0] {""}
   *[other] ; { $more } pass more often, { $less } less often
  }
skills-report-standing-lower = completes less, but that may be chance: { $failing } newly failing, { $passing } newly passing{ $often ->
    [0] {""}
   *[other] ; { $more } pass more often, { $less } less often
  }; more runs (`--runs 3`) would tell
skills-report-standing-regressed = regression: it fell by more than chance explains, { $failing } newly failing, { $passing } newly passing{ $often ->
    [0] {""}
   *[other] ; { $more } pass more often, { $less } less often
  }
skills-report-standing-same = completes as much: { $failing } newly failing, { $passing } newly passing{ $often ->
    [0] {""}
   *[other] ; { $more } pass more often, { $less } less often
  }
skills-report-standing-unmeasured = no task counts on both sides, so nothing can be said
skills-report-status = status
skills-report-status-error = error
skills-report-status-fail = failed
skills-report-status-harness = harness error
skills-report-status-pass = passed
skills-report-status-timeout = timed out
skills-report-status-unscored = unscored
skills-report-tag = tag
skills-report-tags = By tag
skills-report-taken = `{ $path }` belongs to another evaluation
skills-report-task = task
skills-report-tasks = tasks
skills-report-title = { $benchmark }
skills-report-tokens = Tokens: { $total } in all, over the { $count ->
    [one] 1 result that reports them
   *[other] { $count } results that report them
  }.
skills-report-trend-changed = * the skill's files changed
skills-report-trend-nothing = the store holds no finished evaluation of `{ $skill }`; `eval-skills eval` adds one
skills-report-trend-other = { $skill } on { $benchmark } ({ $hash }): other contents, so another series
skills-report-trend-partial = (incomplete)
skills-report-trend-series = { $skill } on { $benchmark } ({ $hash })
skills-report-trend-when = when
skills-report-version = version
skills-report-why = why
skills-report-why-adapter = its adapter `{ $value }` is not asked for
skills-report-why-benchmark = measured on another benchmark only: `{ $benchmark }` in `{ $evaluation }`
skills-report-why-completion = completes { $value }, under { $least }
skills-report-why-errors = errors { $value }, over { $most }
skills-report-why-incomplete = its evaluation `{ $evaluation }` is incomplete: go on with it, or evaluate it anew
skills-report-why-latency = P95 { $value }, over { $most }
skills-report-why-no-report = no report has it: evaluate it first
skills-report-why-same-id = another candidate has the same id
skills-report-why-tags = lacks the tags { $missing }
skills-report-why-top = ranked { $rank }, only { $kept ->
    [one] 1 is
   *[other] { $kept } are
  } kept
skills-report-why-uncounted = { $uncounted } of its { $tried } results could not be counted, so its numbers say little
skills-report-why-unmeasured = nothing of it counted, so nothing is known of it

## skills-store: the store

skills-store-endless = stopped reading the store `{ $path }`: it takes more steps than a store of this program can. It is damaged, or made to keep its reader busy
skills-store-content = the store `{ $path }` holds something that can't be read: { $why }
skills-store-file = the store `{ $path }` can't be opened: { $why }
skills-store-missing = there is no store `{ $path }`
skills-store-missing-help = `eval-skills eval` makes one; name another with `--store`
skills-store-version = the store `{ $path }` has version { $version }, and this program reads version { $reads }
skills-store-version-help = use the `eval-skills` that wrote it, or name another file with `--store`
skills-store-not-a-store = `{ $path }` is not a store of `eval-skills`
skills-store-not-a-store-help = nothing was changed in it; name another file with `--store`
skills-store-sqlite = the store `{ $path }`: { $why }
skills-store-taken = the store has another evaluation with the id `{ $id }`
skills-store-unknown = the store has no evaluation `{ $id }`
