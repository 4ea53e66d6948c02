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

skills-report-about-benchmark = benchmark `{ $id }` { $version }, { $tasks ->
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
  }
skills-report-bad-id = `{ $id }` can't be part of a report's file name: letters, digits, `.`, `_` and `-` can
skills-report-by-method = The interval is a 95 % interval: { $method }.
skills-report-completion = completion
skills-report-composite = composite
skills-report-consistency = consistency
skills-report-counts = { $total } planned: { $pass } passed, { $fail } failed, { $error } errors, { $timeout } timeouts; not counted: { $unscored } unscored, { $harness } harness errors.
skills-report-damaged = `{ $path }` is damaged: { $why }
skills-report-damaged-help = write it again with `eval-skills eval`, or take a copy that is whole
skills-report-diff-about = benchmark `{ $benchmark }`; { $a } is `{ $ida }`, { $b } is `{ $idb }`
skills-report-diff-benchmark = the reports are of different benchmarks: `{ $a }` and `{ $b }`
skills-report-diff-contents = the contents of benchmark `{ $benchmark }` changed: { $a } → { $b }
skills-report-diff-differs = `{ $what }` differs too: { $a } → { $b }
skills-report-diff-force = evaluate both on the same benchmark, or compare the tasks that they share with `--force`
skills-report-diff-forced = the benchmarks are not the same (`{ $a }`, `{ $b }`): only tasks with equal input and expectation are compared, the rates are of all
skills-report-diff-legend = ▲ better, ▼ worse, whichever way the number went; pp are percentage points
skills-report-diff-no-skill = no skill is in both reports: { $a } against { $b }
skills-report-diff-no-skill-help = compare reports with a skill of the same id, or with one skill each
skills-report-diff-only = only in { $label }: { $skills }
skills-report-diff-other-files = { $skill } (its files changed)
skills-report-diff-same-files = { $skill } (the same files: what moved is chance or surroundings)
skills-report-diff-test = { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  } on both sides, { $left } left out; McNemar's exact p { $mcnemar } (two-sided, tasks), exact p for fewer passes { $regression } (one-sided, all runs)
skills-report-diff-title = { $a } → { $b }
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
skills-report-gate-passed = gate passed: every skill completes at least { $least }
skills-report-gate-passes = passes
skills-report-gate-regressed = regression: { $skills }
skills-report-gate-unmeasured = nothing can be said of { $skills }, so the gate stays shut
skills-report-gate-unsound = too much of `{ $id }` could not be counted, so the gate stays shut
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
skills-report-in-runs = in { $count } of { $runs } runs
skills-report-interrupted = the evaluation is incomplete: { $why }
skills-report-interval = 95 % interval
skills-report-is-benchmark = a benchmark
skills-report-is-directory = a directory
skills-report-is-list = a JSON list
skills-report-is-no-json = no JSON
skills-report-is-omk = a report of `omk`
skills-report-is-other = other JSON
skills-report-is-selection = a selection of skills
skills-report-is-skill = a `skill.json`
skills-report-is-too-large = no regular file, or larger than 2 GiB
skills-report-latency = latency
skills-report-method-bootstrap = bootstrap over tasks with all their runs
skills-report-method-clustered-wilson = Wilson's, a task with all its runs counting as one
skills-report-method-wilson = Wilson's
skills-report-more = { $count ->
    [one] 1 more
   *[other] { $count } more
  }
skills-report-newer = `{ $path }` was written by a newer version of this program (format { $version }): update to use it
skills-report-newly-failing = Newly failing
skills-report-newly-passing = Newly passing
skills-report-next-error = errors are the skill's own: its message and the end of its standard error stand in the report
skills-report-next-resume = go on where it stopped: `eval-skills eval --resume { $id }`
skills-report-next-runs = one run can't tell luck from skill: `--runs 3` shows how stable the results are
skills-report-next-schema = some outputs don't match the skill's `outputSchema`; the report says where
skills-report-next-timeout = for slow tasks raise `--timeout`, or the task's `timeoutMs`
skills-report-next-unsound = more than { $limit } could not be counted, so the numbers say little about the skills; mend that first
skills-report-no-answer = the skill returned nothing
skills-report-no-format = `{ $format }` is no format: markdown, html, csv and junit are
skills-report-no-such-file = there is no `{ $path }`
skills-report-not-a-result = `{ $path }` is not an eval-skills result: it is { $instead }
skills-report-not-a-result-help = name an `eval-result-….json` that `eval-skills eval --format json` wrote
skills-report-not-passed = Not passed
skills-report-not-scored = the answer was not scored
skills-report-note-uncounted = `{ $skill }`: { $count ->
    [one] 1 result is
   *[other] { $count } results are
  } not counted, first: { $reason }
skills-report-one = { $skill }
skills-report-onto-itself = the report would overwrite `{ $path }`, which it is made of: name another file with `--output`
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
skills-report-select-benchmarks = the candidates were measured on different benchmarks: { $one } and { $other }
skills-report-select-benchmarks-help = name reports of one benchmark with `--reports`, or evaluate them together
skills-report-select-candidates = the list of candidates can't be read: { $why }
skills-report-select-candidates-help = a list is a JSON array of skills with `id`, `adapterType` and `tags`, or what `select --output` wrote
skills-report-select-entry = entry { $place }: { $why }
skills-report-select-no-list = it is no array of skills
skills-report-selected = selected { $count } of { $all }
skills-report-skill = skill
skills-report-skills = Skills
skills-report-stability = { $skill }: consistency { $consistency }, { $flips } of tasks flip between runs, { $all } pass all { $k } (pass^{ $k })
skills-report-standing-higher = completes more: { $passing ->
    [one] 1 task passes
   *[other] { $passing } tasks pass
  } anew, { $failing } fail anew
skills-report-standing-lower = completes less, but that may be chance: { $failing } newly failing, { $passing } newly passing; more runs (`--runs 3`) would tell
skills-report-standing-regressed = regression: completes less than chance explains, { $failing } newly failing, { $passing } newly passing
skills-report-standing-same = completes as much: { $failing } newly failing, { $passing } newly passing
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
skills-report-trend-changed = * the skill's files changed
skills-report-trend-nothing = the store holds no finished evaluation of `{ $skill }`; `eval-skills eval` adds one
skills-report-trend-other = { $skill } on { $benchmark } ({ $hash }): other contents, so another series
skills-report-trend-partial = (incomplete)
skills-report-trend-series = { $skill } on { $benchmark } ({ $hash })
skills-report-trend-when = when
skills-report-version = version
skills-report-why = why
skills-report-why-adapter = its adapter `{ $value }` is not asked for
skills-report-why-completion = completes { $value }, under { $least }
skills-report-why-errors = errors { $value }, over { $most }
skills-report-why-latency = P95 { $value }, over { $most }
skills-report-why-no-report = no report has it: evaluate it first
skills-report-why-same-id = another candidate has the same id
skills-report-why-tags = lacks the tags { $missing }
skills-report-why-top = ranked { $rank }, only { $kept } are kept

## skills-store: the store

skills-store-content = the store `{ $path }` holds something that can't be read: { $why }
skills-store-file = the store `{ $path }` can't be opened: { $why }
skills-store-missing = there is no store `{ $path }`
skills-store-missing-help = `eval-skills eval` makes one; name another with `--store`
skills-store-newer = the store `{ $path }` was written by a newer version of this program (format { $version })
skills-store-newer-help = update, or name another file with `--store`
skills-store-not-a-store = `{ $path }` is not a store of `eval-skills`
skills-store-not-a-store-help = nothing was changed in it; name another file with `--store`
skills-store-sqlite = the store `{ $path }`: { $why }
skills-store-taken = the store has another evaluation with the id `{ $id }`
skills-store-unknown = the store has no evaluation `{ $id }`
