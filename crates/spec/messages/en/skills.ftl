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

skills-exec-mcp-bad-address = the address of `{ $skill }` can't be made of `baseUrl` and the entrypoint
skills-exec-mcp-bad-header = `{ $header }` can't be the name of a header
skills-exec-mcp-bad-token = what `{ $variable }` holds can't be sent in a header
skills-exec-mcp-ended = the server of `{ $skill }` ended the connection before it answered
skills-exec-mcp-failed = the tool `{ $tool }` says that it failed
skills-exec-mcp-malformed = the server of `{ $skill }` answered what the protocol doesn't allow here
skills-exec-mcp-no-token = the variable `{ $variable }`, which holds the token, is not set
skills-exec-mcp-no-tools = the server of `{ $skill }` has no tools
skills-exec-mcp-not-object = a tool takes an object, and the task's input for `{ $skill }` is none
skills-exec-mcp-not-ready = the server of `{ $skill }` was not ready in time
skills-exec-mcp-refused = the server answered with the error { $code }
skills-exec-mcp-status = the server of `{ $skill }` answered with HTTP status { $status }
skills-exec-mcp-timeout = the tool `{ $tool }` did not answer within { $seconds } s
skills-exec-mcp-too-long = the server of `{ $skill }` sent a message of more than { $mib } MiB
skills-exec-mcp-too-many = the server of `{ $skill }` sends requests without reading the answers
skills-exec-mcp-unreachable = the server of `{ $skill }` can't be reached
skills-exec-mcp-wants-more = the tool `{ $tool }` asks for more than its arguments, and nobody is here to give it
skills-exec-mcp-which-tool = the server of `{ $skill }` has { $count } tools and none of that name: name one as `tool` in `adapter.config.json`

## skills-grade: scoring answers

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
