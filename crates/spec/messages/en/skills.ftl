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

## skills-load: reading skills, benchmarks, configuration

## skills-report: results for people

## skills-store: the store
