# What the command `omk` says itself.

cli-error = error:
cli-warning = warning:
cli-hint = hint:
cli-io = { $what }: { $error }
cli-more-alike = { $count } more like these in `{ $file }`: lines { $lines }
cli-more-alike-nowhere = { $count } more like these
cli-input-errors = { $count ->
    [one] one error in the input; nothing was executed
   *[other] { $count } errors in the input; nothing was executed
}
cli-disk-full = the disk is full: free some space, or name a folder on another one
cli-other-folder = name a folder that you may write to
cli-other-home = set `OMK_HOME` (of eval-skills: `EVAL_SKILLS_HOME`) to a folder that you may write to
cli-cannot-write = cannot write `{ $path }`
cli-program-timeout = `{ $program }` did not finish within { $seconds } s and was stopped: the report lacks its answer
cli-cannot-read = cannot read `{ $path }`
cli-record-in-use = another run is recording into `{ $path }`
cli-record-in-use-help = wait until that run has ended, or record into another folder with `--record`

cli-init-created = created { $path }
cli-init-kept = kept    { $path } (it was there already)
cli-init-next = Next:
cli-init-steps =
    omk eval --executor replay   compare the two skills with recorded answers
    omk eval --dry-run           what a real run would do, and what it would cost
    omk eval                     ask the model that eval.yaml names
cli-init-steps-own =
    omk eval --dry-run   what a real run would do, and what it would cost
    omk eval             ask the model that eval.yaml names

cli-project-missing = `{ $path }` does not exist
cli-project-no-file = `{ $path }` is neither a file nor a directory
cli-project-missing-help = name an `eval.yaml` or a directory with one; `omk init DIR` makes one
cli-no-variants = nothing to compare: no skill was found in `{ $dir }`
cli-no-variants-help = put `NAME.md` or `NAME/SKILL.md` there, or name artifacts with `--control` and `--treatment`
cli-out-of-range = `{ $flag }` is { $value }, expected { $low } to { $high }
cli-margin-wide = `--margin { $margin }`: not worse by more than { $margin } points lets nearly everything through; scores range from 1 to 5 points
cli-margin-wide-help = take a loss that nobody would mind: 0.2 is the default
cli-same-variants = `{ $a }` and `{ $b }` are the same: artifact and everything else that reaches the model; a difference between them is chance
cli-same-variants-help = name another artifact; if chance is to be measured, run one artifact with `--aa`
cli-margin-without-goal = a margin is given (`--margin`, or `margin` in eval.yaml), but no goal
cli-margin-without-goal-help = add `--goal not-worse`, or leave the margin out
cli-goal-excludes = `{ $flag }` can't be used with `--goal not-worse`
cli-goal-excludes-help = leave out `{ $flag }`, or the goal; the settings of eval.yaml count too
cli-too-many-directories = `--treatment-cwd` names { $directories } directories for { $treatments } treatments
cli-too-many-directories-help = give one directory per treatment, in their order
cli-cwd = cannot read the working directory `{ $path }`

cli-run-id = run { $id }
cli-report-saved = report: { $path }
cli-interrupted = interrupted: { $done } of { $total } results are kept
cli-resume-with = go on with: { $command }
cli-no-journal = there is no run of this directory to go on with
cli-no-journal-id = there is no run `{ $id }` in `{ $dir }`
cli-no-journal-help = `omk eval` starts a new run
cli-journal-settings = the journal `{ $path }` was written by another version of omk and its settings can't be read: { $error }
cli-plan-changed = the inputs changed since run `{ $id }` began: { $changes }
cli-plan-changed-help = start a new run with `omk eval`; answers that still fit come from the cache
cli-plan-changed-program-help = put the program of then back, or start a new run with `omk eval`, which asks everything again
cli-change-program = the program ({ $before } then, { $now } now)
cli-change-permissions = permissions of `{ $name }`
cli-change-sample = sample `{ $name }`
cli-change-variant = variant `{ $name }`
cli-change-other = { $name }
cli-change-cwd = working directory `{ $path }`
cli-change-unknown = something that this version does not name
cli-resume-secret = the command line `{ $executor }` held a secret, which is not kept
cli-resume-secret-help = give it once more: `omk eval --resume { $id } --executor …`
cli-budget-unknown-price = a money budget was given, but the price of model `{ $model }` is unknown
cli-budget-unknown-price-help = add the model to `{ $path }`, or let it run with `--allow-unknown-cost`

cli-incomplete-budget = the budget stopped the run after { $done } of { $total } results: { $why }
cli-incomplete-aborted = the run was ended: { $error }
cli-report-kept = the report of the complete run is kept, since this one ended early: { $path }
cli-incomplete-judge = the judge failed, so the run was ended; answers are kept: { $error }
cli-incomplete-first-call = the first call failed, so no other was made: { $error }
cli-incomplete-start = no call succeeded, and they all failed alike, so no more were made: { $error }

cli-unknown-language = OMK_LANG is `{ $tag }`, which is neither en nor zh: messages are in the language of the locale, or in English
cli-usage-unknown-argument = unknown argument `{ $argument }`
cli-usage-unexpected-value = `{ $argument }` takes no value, found `{ $value }`
cli-usage-unknown-command = unknown command `{ $command }`
cli-usage-commas = separate several values by spaces, not by commas
cli-usage-no-option = the command takes no more words: write a value behind its option (`--option VALUE`)
cli-usage-missing-argument = `{ $argument }` is required
cli-usage-missing-command = a command is required
cli-usage-conflict = `{ $argument }` and `{ $other }` exclude each other
cli-usage-twice = `{ $argument }` can be given only once
cli-usage-value-missing = `{ $argument }` needs a value
cli-usage-value = `{ $value }` is no value for `{ $argument }`
cli-usage-valid = expected one of { $values }
cli-usage-range = expected { $low } to { $high }
cli-usage-at-least = expected at least { $low }
cli-usage-not-negative = expected a number that is not negative
cli-usage-number = expected a number
cli-usage-scale = expected the worst and the best score, such as 1..10
cli-usage-suggestion = did you mean `{ $suggestion }`?
cli-usage-planned = `{ $word }` isn't there yet
cli-usage-more = `--help` lists what there is
cli-usage-other = { $error }

cli-output-lost = standard output could not be written: { $why }
cli-progress-resumed = { $resumed } of { $total } executions are in the journal already
cli-progress-comparing = all answers are in; judges compare { $total ->
    [one] 1 pair
   *[other] { $total } pairs
  } of them
cli-progress-classifying = all answers are in; a model looks again at { $total ->
    [one] 1 sentence
   *[other] { $total } sentences
  } of doubt
cli-hedging-truncated = agents said { $found } different sentences of doubt, and the model is asked about { $most } (`hedgingClassifier.maxCandidates`); the other { $beyond } are kept as signals
cli-progress-done = { $done }/{ $total } done, { $text } ({ $cell })
cli-progress-done-pairs = { $done }/{ $total } done, { $text }
cli-progress-look = look { $number } of { $looks }
cli-progress-answered = { $answered } answered, { $failed } failed
cli-progress-unanswered = { $count } without an answer
cli-progress-spent = { $usd }
cli-progress-spent-assumed = { $usd } ({ $assumed } of it estimated for failed calls)
cli-progress-spent-unknown = cost unknown
cli-progress-rate = { $rate } a minute
cli-progress-left = about { $amount } { $unit ->
    [seconds] s
    [minutes] min
   *[hours] h
} left
cli-progress-failed = { $cell } failed: { $error }
cli-progress-more-failures = further failures are counted here, and listed in the report
cli-progress-more-retries = further attempts are made without a word here, and listed in the report
cli-progress-retry = { $cell }: { $error }; trying again in { $seconds } s
cli-progress-throttled = { $provider } limits the rate: { $limit } at once, nothing is sent for { $seconds } s
cli-progress-ending = ending: { $running ->
    [one] one call under way is finished first
   *[other] { $running } calls under way are finished first
}
cli-progress-grace = stopping: { $running ->
    [one] one call under way has { $seconds } s to finish; once more ends it at once
   *[other] { $running } calls under way have { $seconds } s to finish; once more ends them at once
}
cli-progress-stopping = stopping: { $running ->
    [0] no call is under way
    [one] one call under way is finished first; once more ends it at once
   *[other] { $running } calls under way are finished first; once more ends them at once
}
cli-progress-waiting = still waiting for { $running ->
    [one] one call
   *[other] { $running } calls
}; the longest, { $cell }, since { $seconds } s
cli-progress-awaited = waiting { $seconds } s for { $provider }, which limits the rate
cli-progress-queued = waiting for the rate limit

cli-show-no-sample = there is no sample `{ $sample }` in { $report }
cli-journal-line = { $id }, last written { $date }, { $size }
cli-journal-in-use = a run is writing { $id }: it stays
cli-journal-removed = { $count } of { $all } journals removed, { $size }
cli-journal-would = { $count } of { $all } journals would be removed, { $size }
cli-cache-unknown-sample = there is no sample `{ $sample }`
cli-cache-unknown-sample-help = the samples are: { $samples }
cli-cache-cell = { $cell }: { $state }
cli-cache-hit = in the cache
cli-cache-miss = not in the cache
cli-cache-key = key { $key }
cli-cache-part = { $name } = { $value }
cli-cache-differs = the nearest stored answer differs in `{ $name }`: { $stored } there, { $asked } here
cli-cache-nothing = nothing is stored for this sample and variant
cli-report-large = the report of this plan would have at least { $mib } MiB, and at most { $most } MiB are read
cli-report-large-help = run the tasks or samples in parts, with fewer repeats, or with smaller inputs (`omk eval --no-texts` leaves them out of the report); nothing was called
cli-few-threads = the system lets this program have { $threads } threads, too few for any work
cli-limit = a limit of the system stopped the program: { $why }
cli-limits-help = raise the limit of processes (`ulimit -u`, a container's `--pids-limit`), of open files (`ulimit -n`) or of memory (`ulimit -v`); a run that has begun goes on with `--resume`
cli-runtime = cannot start the runtime
cli-temporary = cannot make temporary files in `{ $folder }`: { $cause }
cli-temporary-help = set `TMPDIR` to a folder that is there and that you may write to

cli-bench-below = `{ $variant }` is below the threshold: { $mean } < { $threshold }
cli-bench-unscored = `{ $variant }` has no score to hold against { $threshold }
cli-bench-passed = every variant reaches { $threshold }
cli-estimate-basis-assumed = prompts at 4 bytes a token and { $own } tokens of the agent's own (assumed: `omk doctor` measures them); from one request with an answer of { $short } tokens to { $most } requests, each with the conversation so far from the cache and { $turn } tokens more, and answers of { $answers } tokens
cli-estimate-basis-measured = prompts at 4 bytes a token and { $own } tokens of the agent's own (measured by `omk doctor`); from one request with an answer of { $short } tokens to { $most } requests, each with the conversation so far from the cache and { $turn } tokens more, and answers of { $answers } tokens
cli-estimate-basis = prompts at 4 bytes a token, answers of { $short } to { $long } tokens; an agent makes several calls
cli-estimate-classifier = for at most { $most } sentences of doubt
cli-executors = the executors, and what is ready here:
cli-dry-run-broken-report = `{ $path }` is not a report that can be read, and is passed over
cli-dry-run-not-ready = this run could not start yet: { $why }
cli-executor-not-ready = the executor is not ready

cli-pairwise-alone = sample `{ $sample }` is judged pairwise, and there is only one variant
cli-pairwise-alone-help = name a `--treatment`, or judge by `rubric`
cli-stop-alone = planned looks (`--looks`) have nothing to decide: there is only one variant
cli-stop-alone-help = name a `--treatment`, or leave `--looks` out
cli-stop-pairwise = planned looks (`--looks`) decide on scores, and sample `{ $sample }` is judged pairwise
cli-stop-pairwise-help = judge by `rubric`, or leave `--looks` out
cli-nothing-scores = no sample has anything that scores its answers
cli-nothing-scores-help = add `assertions`, a `rubric` or `dimensions`; `--report-only` collects answers without scores
cli-nothing-scored = without judges nothing would score the answers
cli-nothing-scored-help = add `assertions` that need no judge, or leave `--no-judge` out
cli-judge-left-out = { $count ->
    [one] one sample is
   *[other] { $count } samples are
} scored without a judge: rubrics, dimensions and judged assertions are left out
cli-delivery-no-agent = `{ $executor }` can't be offered skills or files of a project: it gets a text and nothing else
cli-delivery-no-agent-help = use an agent (`--executor claude`, `codex` or `gemini`), or `--delivery system-prompt`
cli-permissions-no-agent = `{ $executor }` has no permission mode `{ $mode }`: it is no agent whose tools ask
cli-permissions-no-agent-help = use an agent (`--executor claude`, `codex` or `gemini`), or leave `permissions` out
cli-permissions-open = the permission mode `{ $mode }` is for an agent in a throwaway copy of its working directory, and without isolation it works in yours
cli-permissions-open-help = leave `--no-strict-baseline` out (`strictBaseline: false`), or use `--permissions default` (`permissions`, also of a variant)
cli-permissions-no-sandbox = an agent that may use every tool is only run in a sandbox
cli-permissions-no-sandbox-help = leave `--no-sandbox` out (`sandbox: false`), or use `--permissions edits` (`permissions`, also of a variant)
cli-network-no-agent = `{ $executor }` is no agent: the network of its tools can't be closed
cli-network-no-agent-help = use an agent (`--executor claude`, `codex` or `gemini`), or leave `network: none` out
cli-network-open = the network is closed by the sandbox of an isolated agent, which is off
cli-network-open-help = leave `--no-sandbox` and `--no-strict-baseline` out, or use `--network open`
cli-drift-artifact = `{ $variant }` has another artifact than the control `{ $control }`, and `varies` doesn't say so
cli-drift-delivery = the artifact of `{ $variant }` reaches the model in another way than that of the control `{ $control }`, and `varies` doesn't say so
cli-drift-skills = `{ $variant }` is offered other skills than the control `{ $control }`, and `varies` doesn't say so
cli-drift-cwd = the files around `{ $variant }` differ from those around the control `{ $control }`, and `varies` doesn't say so
cli-drift-permissions = the agent of `{ $variant }` has other permissions than that of the control `{ $control }`, and `varies` doesn't say so
cli-drift-help = give both the same `{ $part }`, so that the result shows one difference alone; or declare what you compare: `varies: [{ $varies }]` in eval.yaml
cli-triggers-none = there are no queries to run: `triggers` is missing
cli-triggers-none-help = write `triggers: FILE` in eval.yaml, or name the file with `--samples FILE`
cli-triggers-which = the queries are about one skill, and there are several: { $names }
cli-triggers-which-help = name it with `--control NAME`, and another version of it with `--treatment NAME`
cli-triggers-only = `{ $flag }` needs queries that a skill should or should not be loaded for
cli-triggers-only-help = run those of eval.yaml with `--triggers`, or name their file with `--samples FILE`
cli-gaps-unknown = report { $report } has no gap `{ $id }`
cli-gaps-unknown-help = `omk gaps list` shows the ids; `--report` names another report
cli-gaps-no-reason = a gap is dismissed with a reason: `--reason TEXT`
cli-gaps-damaged = `{ $path }` can't be read, line { $line }: { $why }
cli-gaps-damaged-help = mend the line, or remove the file: all gaps are open then
cli-gaps-done = { $id } is done: `{ $subject }` (in `{ $path }`)
cli-gaps-dismissed = { $id } is dismissed: `{ $subject }` (in `{ $path }`)
cli-gaps-open = { $id } is open: `{ $subject }` (in `{ $path }`)
cli-delivery-open = skills and files of a project can only be given to an agent that is isolated
cli-delivery-open-help = leave `--no-strict-baseline` out, or use `--delivery system-prompt`
cli-mocks-exists = { $path } exists
cli-mocks-exists-help = name another file with `--output`, or overwrite it with `--force`
cli-mocks-no-executor = the tool calls of `{ $executor }` can't be recorded
cli-mocks-no-executor-help = record with an agent whose calls can be recorded: { $executors }
cli-mocks-no-variant = there is no variant `{ $variant }`
cli-mocks-no-sample = there is no sample `{ $sample }`
cli-mocks-header = Recorded by `omk mocks record`: variant { $variant }, { $executor }.
    Read it, shorten what varies, then put the `mocks` of each sample into the sample file.
    Paths in it refer to the folder of the sample file.
cli-mocks-recorded-sample = sample `{ $sample }`: { $mocks ->
    [one] 1 mock
   *[other] { $mocks } mocks
}
cli-mocks-failed = sample `{ $sample }` was not recorded: { $why }
cli-mocks-cut = sample `{ $sample }` was cut short, and what it did until then is recorded: { $why }
cli-mocks-no-file = `{ $path }` is there and can't be replaced by a recording
cli-mocks-no-file-help = name another file with `--output`: what is no regular file, or a link to nothing, is left alone
cli-mocks-denied = sample `{ $sample }`: the agent was denied this call of `{ $tool }`, which is not recorded: { $input } (“{ $why }”); let it pass with `--allowed-tools` or `--permissions`
cli-mocks-denied-sandbox = sample `{ $sample }`: the sandbox stopped this call of `{ $tool }` from writing, and it is not recorded: { $input }; `--permissions edits` lets the agent write in its copy, `--no-sandbox` anywhere
cli-mocks-denied-network = sample `{ $sample }`: this call of `{ $tool }` found the network closed, and is not recorded: { $input }; record with `--network open`
cli-mocks-doubtful-sandbox = sample `{ $sample }`: check the mock of this call of `{ $tool }`, in which the sandbox may have stopped something from writing: { $input }; `--permissions edits` lets the agent write in its copy, `--no-sandbox` anywhere
cli-mocks-doubtful-network = sample `{ $sample }`: check the mock of this call of `{ $tool }`, which may have found the network closed: { $input }; record with `--network open`
cli-mocks-left = sample `{ $sample }`: no mock can answer this call of `{ $tool }`: { $input }
cli-mocks-recorded = { $mocks ->
    [one] 1 mock
   *[other] { $mocks } mocks
} of { $samples ->
    [one] one sample
   *[other] { $samples } samples
} in { $path }: read them, then put them into the sample file
cli-mocks-open = sample `{ $sample }` has mocks, and without isolation (`--no-strict-baseline`) an agent works on the real files
cli-no-agent = `{ $executor }` answers in one turn without tools: allowed tools and turn limits have no effect

cli-resume-record = a run that was begun without `--record DIR` can't start to record: what it has already is not in the recordings
cli-resume-record-help = leave `--record` out, or start a new run with it
cli-accept-alone = `--accept-changes` goes on with an earlier run, so it takes `--resume`
cli-accept-alone-help = `omk eval --resume ID --accept-changes`, or `--resume latest`
cli-resume-answers-gone = the journal of `{ $id }` lacks { $count ->
    [one] 1 answer
   *[other] { $count } answers
  } that its report has: lines were deleted, and asked again they would replace what was measured
cli-resume-answers-gone-help = begin a new run, which takes what it can from the cache and counts as another look
cli-files-changed = files that the agents work beside changed since run `{ $id }` began: { $files }
cli-files-removed = `{ $folder }` (something in it was removed)
cli-files-changed-help = put back what was changed or removed, remove what is new (`git stash --include-untracked` does both) and resume again, or go on with `omk eval --resume { $id } --accept-changes`: every answer is kept, the report says which were given beside the changed files, and a gain is CAUTIOUS instead of PROGRESS
cli-files-accepted = the agents find changed files: { $files }; a gain will be CAUTIOUS, not PROGRESS
cli-cwd-withheld = the working directory `{ $directory }` is itself what agents must not find, such as an artifact, so that their copy of it would be empty
cli-cwd-withheld-help = set `cwd` to the directory with the files that the task needs; it may lie inside
cli-cwd-empty = agents work in an empty directory: `{ $directory }` is itself what they must not find, such as an artifact
cli-prompt-loads-skill = the prompt of sample `{ $sample }` loads the skill `{ $skill }` by its name, which `{ $executor }` replaces by the skill's text where it is on offer: the variants would get different prompts
cli-prompt-loads-skill-help = write the name without the mark before it
cli-prompt-names-artifact = sample `{ $sample }` says where an artifact lies (`{ $path }`), so that the agents of every variant can read it there
cli-prompt-names-artifact-help = leave the path out of the prompt and its context: each variant gets its artifact from omk
cli-copy-left-out = agents don't find { $count ->
    [one] { $count } path
   *[other] { $count } paths
} of the working directory that are copies or other versions of what is tested, or recordings: { $paths }
cli-prompt-names-cwd = { $count ->
    [one] sample `{ $sample }` names the working directory `{ $directory }` by its whole path: each agent is told the path of its copy instead
   *[other] { $count } samples, `{ $sample }` first, name the working directory `{ $directory }` by its whole path: each agent is told the path of its copy instead
}
cli-strict-journal-alone = `--strict-journal` checks the journal of an earlier run, so it takes `--resume`
cli-strict-journal-alone-help = `omk eval --resume ID --strict-journal`, or `--resume latest`
cli-retry-alone = `--retry-failed` asks again what failed in an earlier run, so it takes `--resume`
cli-retry-alone-help = `omk eval --resume ID --retry-failed`, or `--resume latest`
cli-retry-nothing = no result failed, so none is asked for again
cli-retry-failed = asking again: { $executions ->
    [one] 1 failed execution
   *[other] { $executions } failed executions
  }, { $answers ->
    [one] 1 answer
   *[other] { $answers } answers
  } and { $pairs ->
    [one] 1 pair of answers
   *[other] { $pairs } pairs of answers
  } without a usable opinion of every judge; where one variant is asked again more often after time limits or errors, the verdict counts those first attempts as bad

cli-no-report = there is no report `{ $report }` in `{ $dir }`
cli-no-report-help = name a report's file, `latest`, or its id and `--reports-dir`
cli-judge-instead = it is to judge: name another with `--judge-executor` or `--judge-model`, or leave judges out with `--no-judge`
cli-replay-instead = `--executor replay` compares the recorded answers in `{ $dir }`, without an account
cli-judge-other = it is to judge: name another with `--judge-executor` or `--judge-model`
cli-dry-run-judge-not-ready = the judge can't run here yet: { $why }
cli-regrade-unknown-executor = run `{ $id }` does not say who answered
cli-regrade-without = { $count } of { $total } cells have no answer in run `{ $id }` to what is asked now
cli-regrade-without-help = a run is graded anew when only rubrics, assertions or judges have changed; `omk eval --resume { $id }` finishes one that was interrupted
cli-regrade-no-answer = a run that is graded anew executes nothing
cli-debias-unjudged = no answer of run `{ $id }` is scored by judges
cli-debias-unjudged-help = add rubrics to the samples and grade it anew: `omk eval --regrade { $id }`
cli-debias-compared-help = its judges compare answers; have them scored first: `omk eval --regrade { $id } --judge-mode rubric`
cli-debias-expectations = the judges of run `{ $id }` check expectations as passed or failed, and get no instruction about length: there is nothing to measure
cli-debias-changed = judges would be asked something else than in run `{ $id }`: { $changes } changed since
cli-debias-changed-help = grade it anew by the files as they are, then measure that run: `omk eval --regrade { $id }`, `omk debias length latest`

## gold

cli-gold-no-reports = there is no report in `{ $dir }`
cli-latest = report: { $path }
cli-no-latest = there is no report of a run that was started in `{ $dir }` or above it, in `{ $reports }`
cli-no-latest-help = `latest` is the last report of this project: name one of another by its id, such as `{ $id }`
cli-gold-nothing = the report has no output that a judge scored
cli-gold-nothing-help = people are compared with a judge: give samples a `rubric` or `dimensions`, and run `omk eval`
cli-gold-link = `{ $path }` is a link, and nothing is written through it
cli-gold-written = { $outputs ->
    [0] nothing new to score
    [one] one output to score
   *[other] { $outputs } outputs to score
} in `{ $dir }`, { $samples ->
    [one] one sample
   *[other] { $samples } samples
}
cli-gold-kept = { $count ->
    [one] one output was there already and is kept as it is
   *[other] { $count } outputs were there already and are kept as they are
}
cli-gold-fill-in = fill in `scores`: 1 to 5, halves allowed, `null` for not scored; then
cli-gold-command = {"  "}omk gold compare { $report } --gold-dir { $dir }
cli-gold-no-prompts = prompts and criteria are not shown: `{ $path }` is not the sample file of this report any more
cli-gold-valid = `{ $dir }` is in order: { $files ->
    [one] one file
   *[other] { $files } files
}, { $annotations ->
    [one] one annotation
   *[other] { $annotations } annotations
}, { $scores ->
    [one] one score
   *[other] { $scores } scores
}, { $open } still open
cli-gold-fits = { $used } of { $annotations } annotations fit the report
cli-gold-no-variant = the report has no variant `{ $variant }`
cli-gold-variants = the variants are: { $variants }
cli-judge-no-executor = there is no executor `{ $executor }` for the judge `{ $model }`; if that is a model's name, write `{ $whole }`
cli-judge-no-model = a judge needs a model: `{ $executor }:MODEL`
cli-judges-many = there are { $count } judges; a run asks at most { $most }
cli-judge-twice = the judge `{ $judge }` is named twice; for several opinions of one judge there is `--judge-repeat`
cli-resume-judge-secret-help = name the judge of run `{ $id }` once more: `--judge-executor COMMAND`

cli-diff-two-orders = both runs ended when they were decided, over the samples in another order, so nothing guards against their luck: give both the same `--seed`, or run one to its end
cli-diff-invalid = run `{ $id }` is no valid measurement, so nothing can be said of a regression
cli-diff-few = too few pairs of { $variants } to see a regression: it takes { $needed }
cli-diff-regressed = { $variants } got worse
cli-no-reports-dir = there is no directory `{ $dir }`
cli-trend-left = { $count ->
    [one] one older report was
   *[other] { $count } older reports were
} left out (`--limit { $limit }`)
cli-power-nothing = name a pilot report, or give `--sd` and `--correlation`
cli-power-range = `{ $flag } { $value }` has no answer: it must lie above { $low } and below { $high }
cli-power-below-alpha = a power of { $power } is no more than the risk { $alpha } of a false alarm: no samples are needed for it
cli-several-reports = { $count } reports have an id that begins with `{ $report }`
cli-several-reports-help = such as { $ids }

## omk failures
cli-failures-interrupted = interrupted: these are the names that came until then, and asking again pays for the rest only
cli-failures-no-judge = the answers were replayed: nobody is named who could name their clusters
cli-failures-no-judge-help = name a model: `--judge-model anthropic-api:claude-haiku-4-5`, or `--judge-executor claude`
cli-failures-asking = asking { $judge } for { $count ->
    [one] 1 name
   *[other] { $count } names
  }

## Exit codes, for the docs
cli-exit-ok = the gate allows shipping; or the command has no gate and did its work
cli-exit-refused = the gate refuses
cli-exit-usage = wrong usage, configuration or input; nothing was executed
cli-exit-invalid = no valid measurement, or a result could not be written; what was measured is stored
cli-exit-interrupted = interrupted; what was finished is stored, and the run can be resumed

## Environment variables, for the docs
cli-variable-omk-home = the home of `omk`, with `reports`, `journal`, `cache` and `prices.json`; without it, `~/.oh-my-knowledge`
cli-variable-omk-executor = the executor, if neither a flag nor `eval.yaml` names one
cli-variable-omk-model = the model, if neither a flag nor `eval.yaml` names one; ignored if `OMK_EXECUTOR` names another executor than the one that is used
cli-variable-omk-lang = `en` or `zh`; `--lang` takes precedence, the locale comes last
cli-variable-omk-bench-port = port of the report server, unless `--port` is given (7799)
cli-variable-omk-pass-env = names of variables, separated by commas, that programs may see although they look like secrets
cli-variable-omk-fixed-time = an instant, such as `2026-03-01T10:00:00Z`, that stands for now: for tests and reproducible reports
cli-variable-eval-skills-home = the home of `eval-skills`, with `config.yaml` and the journals; without it, `~/.eval-skills`
cli-variable-anthropic-key = the key of `anthropic-api`; `claude` gets it too
cli-variable-anthropic-token = a bearer token for `anthropic-api`, instead of a key; `claude` gets it too
cli-variable-anthropic-base = the base URL of `anthropic-api` and `claude`
cli-variable-claude-bedrock = `claude` uses Amazon Bedrock and gets the variables that begin with `AWS_`
cli-variable-claude-vertex = `claude` uses Google Vertex AI and gets the variables that begin with `GOOGLE_`
cli-variable-claude-foundry = `claude` uses Microsoft Foundry and gets the variables that begin with `AZURE_`
cli-variable-openai-key = the key of `openai-api`
cli-variable-openai-base = the base URL of `openai-api`; a server that it names needs no key
cli-variable-ccv-proxy = replaces the base URL of `anthropic-api`, `openai-api` and `claude`
cli-variable-proxy = a proxy for requests; the same name in lower case takes precedence
cli-variable-no-proxy = hosts that are reached without a proxy; the same name in lower case takes precedence
cli-variable-no-color = no colour, like `--no-color`
cli-variable-force-color = colour although the output is no terminal, unless it is `0`
cli-variable-term = `dumb`: no colour
cli-variable-columns = the width of texts, from 40 to 200; without it the terminal's, or 80 in a file or a pipe
cli-variable-ci = set: progress is printed in lines, for a log
cli-variable-locale = the locale, which chooses the language if neither `--lang` nor `OMK_LANG` does
cli-variable-path = where programs are looked for
cli-variable-tmpdir = where temporary files go
cli-variable-user = the annotator of `omk gold init`, unless `--annotator` names one

## omk report export, --export
cli-export-unknown = `{ $format }` is no format of this report: there are { $known }
cli-export-shape = `{ $given }` does not say which format goes to which file
cli-export-shape-help = write `--export FORMAT=FILE`, such as `--export junit=report.xml`
cli-export-twice = two exports go to `{ $path }`
cli-output-is-input = `{ $path }` is an input of this command, and is not written over: name another file
cli-export-stored = `{ $path }` is a file that omk keeps (a report, a journal, the cache), and is not written over: name another file
cli-export-two-documents = `--json` prints one document, and the export would be a second: name a file with `--output`
cli-export-failed = can't write the report as `{ $format }`
cli-export-inspect-written = written to `{ $path }`: { $count ->
    [one] one log
   *[other] { $count } logs
}, one for each variant; `inspect view --log-dir` shows them
cli-export-written = written: { $path }

cli-since-nothing = nothing that is evaluated changed since `{ $reference }`: nothing was run
cli-since-help = name a commit, branch or tag of this repository, and fetch enough of its history (`fetch-depth: 0` in GitHub Actions)

## the report server
cli-serve-failed = the report server can't be started
cli-serve-address = { $address } shows the reports in { $dir }; Ctrl-C ends it
cli-serve-port = port { $port } can't be listened on: { $error }
cli-serve-port-help = `--port 0` takes any free one
cli-serve-variable = `{ $name }` is no port: `{ $value }`

cli-reveal-now = names revealed at { $time } (UTC); opinions from now on are not marked as blind
cli-reveal-before = the names were revealed at { $time } (UTC)
cli-reveal-name = { $label } is `{ $name }`
cli-reveal-open = { $path } is not read blind: nothing is hidden
cli-blind-next = names are hidden: `omk report` lets people judge the answers blind, `omk report reveal { $report }` shows the names
cli-import-none = the report has no ratings to be written as gold
cli-import-none-help = people rate answers on the pages of `omk report`
cli-import-none-blind = without `--blind`, ratings that were given with names in sight are written, too
cli-import-unscored = { $count ->
    [one] the rating stands beside no score of a judge
   *[other] none of the { $count } ratings stands beside a score of a judge
  } ({ $list }), so { $count ->
    [one] it
   *[other] they
  } can't be written as gold
cli-import-unscored-help = gold corrects a judge, and needs its one score of the same answer: give the samples a `rubric`, and have the stored answers judged with `omk eval --regrade { $id }`
cli-import-done = { $written ->
    [one] 1 rating
   *[other] { $written } ratings
  } written to { $dir }
cli-import-kept = { $count } were there already, by the same person about the same output
cli-import-removed = { $count } removed: they were settled as wrong
cli-disputes-none = nobody has said anything about this report's answers
cli-settle-none-help = `{ $command }` lists the ratings
cli-settle-none-gold = { $path } has no scores of an answer that this variant gave
cli-settled-gold = { $count ->
    [one] one rating counts
   *[other] { $count } ratings count
} no longer; `omk gold import` removes what it wrote of that
cli-settled-judge = { $count ->
    [one] one rating is
   *[other] { $count } ratings are
} confirmed; scores and verdict stay as they are
import-exists = `{ $path }` exists
import-exists-help = nothing was written; name another directory with `--output`
import-tests = tests: { $whole } of { $all } carried over whole, { $partly } in part, { $not } not
import-unchecked = { $count ->
    [one] one of those carried over has
   *[other] { $count } of those carried over have
} no check: write `assertions` or a `rubric`
import-checks = checks: { $same } of { $all } in the same meaning, { $nearly } nearly so, { $not } not
import-lacking = not carried over:
import-near = carried over with a difference:
import-difference = { $count } × { $what } ({ $place }): { $why }
import-next = read them, then: { $command }

cli-url-failed = `{ $url }` can't be fetched: { $why }
cli-url-failed-help = `--allow-missing-urls` leaves it as text; `urlFetch: false` in a sample fetches none of its URLs
cli-url-missing = `{ $url }` stays as text: { $why }
cli-url-used = in the `{ $field }` of sample `{ $sample }`
cli-url-and = ; 
cli-url-changed = `{ $url }` has changed since the run began, and neither beside the run's journal nor in its report is the text that it had
cli-url-lost = `{ $url }` can't be fetched again ({ $why }), and neither beside the run's journal nor in its report is the text that it had
cli-url-lost-help = bring back `{ $path }` or the run's report: the run's answers are in its journal, and it goes on from there; with the page as it is now, only a new run can be made
cli-url-doubtful = sample `{ $sample }`: `{ $url }` is taken for the whole URL, and `{ $rest }`, which follows at once, for text
cli-url-doubtful-help = put a space after the URL if that is right; write it as `<{ $url }{ $rest }…>` if it goes on
cli-url-open = it can't be seen whether `{ $rest }`, which follows at once, belongs to it
cli-url-open-help = put a space after `{ $url }` if the URL ends there; write it as `<{ $url }{ $rest }…>` if it goes on
cli-urls-private = this file lets URLs of the samples be fetched from addresses of this machine and its network
cli-urls-private-help = what answers there goes into the prompts: take `allowPrivateUrls` out if the file isn't yours
cli-mcp-untrusted = the MCP servers in `{ $file }` fetch URLs of these samples, and nobody has consented to starting them: { $servers }
cli-mcp-server = `{ $name }`: { $what }
cli-mcp-server-with = `{ $name }`: { $what }, which is given { $given }
cli-mcp-no-program = `{ $name }` (not installed)
cli-mcp-unfit-regex = MCP server `{ $server }` isn't asked: the `urlTransform` of its tool, `{ $regex }`, doesn't match
cli-mcp-unfit-pattern = MCP server `{ $server }` isn't asked: its pattern `{ $pattern }` doesn't fit, as `{ $plain }` would
cli-mcp-unfit-help = `urlPatterns` are hosts and beginnings of paths, in which `*` is any text; `urlTransform` is a regular expression
cli-mcp-untrusted-help = look at `{ $file }`; then `omk eval --trust-mcp` once, or `--mcp-config { $file }` each time
cli-mcp-trusted = MCP servers of `{ $file }`, as long as it stays as it is: { $servers }
cli-mcp-nothing = the project has no MCP servers that fetch URLs
cli-mcp-nothing-help = such a server has `urlPatterns` and a `fetchTool`
cli-prices-head = US dollars per million tokens: input, output, read from the cache, written to it; day of the price
cli-prices-none = `{ $model }` has no price
cli-prices-own = other prices go into `{ $file }`: {"{"} "version": 1, "models": {"{"} "MODEL": {"{"} "input": 2, "output": 10, "cacheRead": 0.2, "cacheWrite": 2.5 {"}"} {"}"} {"}"}
