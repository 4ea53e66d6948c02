# report: summary, comparison, verdict, report files

## errors
report-error-record = the record of a run can't be read: { $why }
report-error-no-variant = there is no variant to report on
report-error-interval = `{ $method }` is no kind of interval: use `expanded`, `percentile`, `bca` or `t`
report-error-id = `{ $id }` can't be a report's name: use letters, digits, `.`, `_` and `-`
format-version = `{ $path }` has format version { $version }, and this program reads version { $reads }: use the omk that wrote it, or move the file away and make it anew
report-error-damaged = `{ $path }` is not a report of omk: what stands at line { $line }, column { $column } is something else
report-error-cut = `{ $path }` is not a report of omk: it ends too soon, in line { $line }
report-error-json = `{ $path }` is not a report of omk: no JSON at line { $line }, column { $column }
report-error-field = `{ $path }` is not a report of omk: the object that ends in line { $line } has no `{ $field }`
report-error-names-damaged = `{ $path }` is damaged; it says whether the names of the report beside it are hidden, and has those of a blind run. Put it back from a copy. Without one, remove it: a report that has its names opens, and of a blind run `omk eval --regrade { $id }` makes another report
report-error-names-lost = `{ $path }` is missing: it has the names of the variants, and says whether they are revealed. Put it back beside the report. Without a copy, `omk eval --regrade { $id }` makes another report of the same answers
report-error-names-other = `{ $path }` is not the one that was written with the report beside it: it lacks the report's labels ({ $labels }), has others, or has names that are not this report's. Put the right one back from a copy. Without one, `omk eval --regrade { $id }` makes another report of the same answers
report-error-lock = can't lock the directory `{ $path }`: { $why }; another program keeps it, or its file system has no locks
report-error-file = `{ $path }`: { $why }
report-error-output = the report can't be written: { $why }

## why there is no score
report-missing-not-run = it was not run
report-missing-not-needed = it was not run: the run was decided without it
report-missing-ungraded = the answer was not graded
report-missing-not-planned = the sample has nothing to score
report-missing-refused = the model declined to answer
report-missing-truncated = the answer was cut at the output limit
report-missing-limit-hit = a limit of turns or money stopped the agent
report-missing-empty = the answer was empty
report-missing-timeout = the call timed out
report-missing-rate-limited = the provider refused the call: too many requests
report-missing-server = the provider's server failed
report-missing-dropped = the connection broke
report-missing-malformed = the answer could not be read
report-missing-unreachable = no connection could be made
report-missing-auth = the key was refused
report-missing-no-credit = the account has no credit left
report-missing-rejected = the provider rejected the request
report-missing-spawn = the program could not be started
report-missing-mock = a tool call was not answered by its mock
report-missing-crashed = the program ended badly
report-missing-killed = something else ended the agent
report-missing-skill = the skill reported an error
report-missing-no-recording = there is no recording of the call
report-missing-interrupted = the run was interrupted
report-missing-budget = the budget did not allow the call
report-missing-recorded = the results have an error in its place
report-missing-absent = the results lack it
report-missing-replaced = another answer was recorded in its place
report-missing-checks = `{ $checks }` could not be evaluated in every run, so the scores don't rest on the same checks

## no valid measurement
report-invalid-interrupted = the run was interrupted before it was complete
report-invalid-budget = the budget was used up before the run was complete
report-invalid-aborted = the run was stopped because no call could succeed
report-invalid-judge-failed = the run was stopped because a judge could not be reached or gave no usable reply
report-invalid-records-missing = some planned executions have no record
report-invalid-failures = { $failed } of { $ran ->
    [one] 1 execution
   *[other] { $ran } executions
  } failed; at most { $limit } may fail
report-invalid-dead = every execution of `{ $variant }` failed
report-invalid-not-delivered = no agent had the artifact of `{ $variant }` on offer: it was not measured
report-invalid-leak = { $count ->
    [one] 1 execution
   *[other] { $count } executions
} of `{ $variant }` read the artifact of another variant: they don't measure `{ $variant }` alone
report-invalid-unscored = no answer of `{ $variant }` has a score: its checks could not be evaluated

## one variant
report-solo-unscored = no answer of `{ $variant }` could be scored
report-solo-under = `{ $variant }` scores { $mean }, below the threshold of { $threshold }
report-solo-reached = `{ $variant }` scores { $mean }, at or above the threshold of { $threshold }

## why this tier
report-why-few-pairs = { $n ->
    [0] no sample has a score in both variants; a comparison needs at least { $needed } pairs
    [one] there is only 1 pair of scores; a comparison needs at least { $needed }
   *[other] there are only { $n } pairs of scores; a comparison needs at least { $needed }
  }
report-why-unscored = no answer of `{ $variant }` could be scored: { $outcome ->
    [answered] { $count } of { $total } executions were answered, but a planned layer could not be evaluated
    [refused] the model declined to answer in { $count } of { $total } executions
    [truncated] the answer was cut at the output limit in { $count } of { $total } executions
    [limit-hit] a limit of turns or money stopped the agent in { $count } of { $total } executions
    [empty] the answer was empty in { $count } of { $total } executions
    [failed] { $count } of { $total } executions failed
    [over-budget] the budget did not allow { $count } of { $total } executions
   *[not-run] { $count } of { $total } executions were not run
  }
report-why-below = the interval of the difference lies below 0 ({ $low } to { $high })
report-why-below-all = all { $n } differences are { $diff } (p { $p })
report-why-layer-below = the `{ $layer }` layer fell by { $diff }, and its mean of { $mean } is below the threshold of { $threshold }
report-why-above = the interval of the difference lies above 0 ({ $low } to { $high })
report-why-above-all = all { $n } differences are { $diff } (p { $p })
report-why-inside = the interval of the difference ({ $low } to { $high }) stays within ±{ $limit }, so a difference that matters is ruled out
report-why-refused-first = the model's API refused { $ofVariant } of the runs of `{ $variant }` at first, and { $ofControl } of `{ $control }`, before an answer began: this selects no answers, but the variants were not asked under the same conditions
report-why-looser-limits = looser limits than the defaults decided this ({ $flags }): with the defaults it is { $tier }
report-why-look = this is look { $number } at these two artifacts{ $changed ->
    [yes] {", "}and the samples changed in between
   *[no] {", "}on the same samples
  }: intervals leave out { $risk } on each side instead of 2.5 %
report-why-look-without = this is look { $number } at these two artifacts, and { $samples ->
    [one] 1 sample of the looks before is gone or changed, with which the difference is { $mean }
   *[other] { $samples } samples of the looks before are gone or changed, with which the difference is { $mean }
  }: intervals leave out { $risk } on each side instead of 2.5 %
report-why-not-worse = the difference to `{ $control }` is { $low } or more; a loss of more than { $margin } is excluded
report-why-inside-all = all { $n } differences are { $diff }, within ±{ $limit }, so a difference that matters is ruled out
report-why-wide = the interval of the difference ({ $low } to { $high }) includes 0 and reaches beyond ±{ $limit }, so it rules out neither chance nor a difference that matters
report-why-wide-all = all { $n } differences are { $diff } (p { $p }), too few to rule out chance or a difference of { $limit }
report-doubt-trivial = the gain of { $diff } points is smaller than { $limit }, too small to count as progress
report-doubt-pairs = there are only { $n ->
    [one] 1 pair
   *[other] { $n } pairs
  }; progress needs at least { $needed }
report-doubt-layer = the `{ $layer }` layer scores { $mean }, below the threshold of { $threshold }
report-doubt-layer-missing = the `{ $layer }` layer could not be scored
report-doubt-unanswered = { $control ->
    [one] 1 run
   *[other] { $control } runs
  } of the control and { $treatment } of the treatment ended without an answer (refused, truncated, empty, or stopped at a limit): scored 1 each, the difference is { $diff } ({ $low } to { $high })
report-doubt-lost = { $samples } of { $planned } pairs are missing, and could turn this: with them the difference may be anything from { $low } to { $high }; run them again: `omk eval --retry-failed --resume` with the id of this run
report-doubt-lost-elsewhere = { $samples } of { $planned } pairs are missing, and could turn this: with them the difference may be anything from { $low } to { $high }; repeat them{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] {" "}with { $tool }
  }
report-doubt-left-out = { $samples } of { $planned } cases lack a result in one arm. They are left out of the mean and could turn this: with them the difference may be anything from { $low } to { $high }; repeat them{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] {" "}with { $tool }
  }
report-doubt-unseen = a kind of case that none of these { $n } samples shows could undo this gain: at worst, such a test set comes up in { $risk } of draws (at most { $most } may); from about { $needed } samples on a gain like this holds
report-doubt-unseen-ever = a kind of case that none of these { $n } samples shows could undo this gain: at worst, such a test set comes up in { $risk } of draws (at most { $most } may)
report-doubt-gain-of-clusters = { $mean } where the samples of a cluster count once, { $over } over all samples: the gain is one of clusters
report-doubt-clusters-hide = over all samples the difference is { $over }, beyond { $limit }: the samples of a cluster count once and hide it
report-why-loss-of-clusters = over all samples the difference is { $over }: the loss is one of clusters
report-next-clusters = look at the samples of each cluster of `{ $treatment }` one by one: do they ask the same thing?
report-doubt-asked-again = { $runs ->
    [one] 1 answer
   *[other] { $runs } answers
  } of `{ $variant }` and { $controlRuns } of `{ $control }` were asked for again after a failure (time limit, error, unreadable answer); if the first attempts were bad, the difference could be { $low } to { $high }
report-doubt-redrawn = { $runs ->
    [one] 1 answer
   *[other] { $runs } answers
  } of `{ $variant }` and { $controlRuns } of `{ $control }` replace answers that were there before (deleted from the cache, the journal or recordings, while others were kept); if those were bad, the difference could be { $low } to { $high }
report-next-both-again = mend what made the first attempts of `{ $treatment }` fail (a higher `--timeout`?), and run both variants again
report-doubt-nothing-to-lose = `{ $variant }` has next to nothing to lose on these samples: it scores only { $room } above the lowest score, so a loss of { $limit } can't show
report-why-loss-unseen = on these { $n } samples it is worse; a kind of case that none of them shows, and that it improves, could make up for it (about { $needed } samples would tell)
report-why-loss-unseen-ever = on these { $n } samples it is worse; a kind of case that none of them shows, and that it improves, could make up for it
report-why-small-loss = a small loss is real ({ $mean }); one of { $limit } or more is ruled out
report-doubt-unseen-difference = a kind of case that none of these { $n } samples shows could make a difference of more than { $limit }: at worst, such a test set comes up in { $risk } of draws (at most { $most } may)
report-doubt-low-recall = the skill is loaded in { $share } of the runs that should load it; { $limit } is asked for
report-doubt-low-precision = { $share } of the loads are for queries that should load it; { $limit } is asked for
report-doubt-never-loaded = in none of { $executions } executions did an agent load the skill: a gain is none of its content
report-doubt-margin = the interval reaches down to { $low }: a loss of more than { $margin } isn't excluded
report-doubt-margin-unmeasured = no difference of scores was measured, so that a loss of more than { $margin } isn't excluded
report-doubt-layer-fell = the `{ $layer }` layer fell by { $fell } on average over { $n } pairs: its interval ends below 0, at { $high }
report-doubt-capability-fell = `{ $name }` fell by { $fell } on average over { $n } pairs: its interval ends below 0, at { $high }
report-doubt-dimension-fell = the judged dimension `{ $name }` fell by { $fell } on average over { $n } pairs: its interval ends below 0, at { $high }
report-doubt-dimension-collapsed = the judged dimension `{ $name }` fell in all { $n } samples that have it, by { $fell } on average
report-doubt-layer-collapsed = the `{ $layer }` layer fell in all { $n } samples that have it, by { $fell } on average
report-doubt-capability-collapsed = all { $n } samples of `{ $name }` fell, by { $fell } on average
report-doubt-invalid = the run is not a valid measurement
report-why-tasks = { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
  } are { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
  }: near-duplicates and samples of one `cluster` count once
report-why-loss-lost-elsewhere = { $samples } of { $planned } pairs are missing, and could turn this loss: repeat them{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] {" "}with { $tool }
  }
report-why-one-of-file = read as one of { $count } treatments in the file: its interval is the one that it has where all of them are compared
report-why-rests-on-file = it rests on the file's own scores, `{ $score }`{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] {" "}of { $tool }
  }{ $grader ->
    [no] ; it doesn't tell who judged
   *[yes] {""}
  }{ $order ->
    [no] ; a drift between the arms' executions can't be told from a gain
   *[yes] {""}
  }
report-why-loss-lost = { $samples } of { $planned } pairs are missing, and could turn this loss: run them again: `omk eval --retry-failed --resume` with the id of this run
report-next-lost = run what was lost of `{ $treatment }` again: `omk eval --retry-failed --resume` with the id of this run
report-next-imported = repeat{ $tool ->
    [csv] {""}
    [jsonl] {""}
    [junit] {""}
   *[other] {" "}with { $tool }
  } what failed or is missing, and ask for the verdict on the new file; with `--paired-only`, cases that were never meant for one arm don't count as failed
report-next-part = read the samples of the capability in which `{ $treatment }` fell, and mend the artifact for them

## alarms
report-alarm-missing = `{ $variant }` has no score for { $missing } of { $planned ->
    [one] 1 execution
   *[other] { $planned } executions
  }; at most { $limit } % may be missing
report-alarm-budget = { $count ->
    [one] the budget kept 1 execution of `{ $variant }` from running
   *[other] the budget kept { $count } executions of `{ $variant }` from running
  }
report-alarm-checks = { $control } of the control's checks and { $treatment } of the treatment's could not be evaluated; the shares may differ by at most { $limit } percentage points
report-alarm-unlike = { $count ->
    [one] 1 sample is left out because these checks could be evaluated in only some of its runs: `{ $checks }`
   *[other] { $count } samples are left out because these checks could be evaluated in only some of their runs: `{ $checks }`
  }
report-alarm-unscored = { $share } of the weight in the `{ $layer }` layer of `{ $variant }` could not be evaluated; at most { $limit } % may be missing
report-alarm-cached = the cache answered { $control } of the control's calls and { $treatment } of the treatment's (at most { $limit } percentage points apart), so the two were not measured at the same time: run again with `--no-cache`
report-cached-control = { $count ->
    [one] 1 answer
   *[other] { $count } answers
  } of `{ $control }` are from the cache, given { $oldest } to { $newest }{ $named ->
    [no] {""}
   *[yes] {" "}by { $by }
  }; { $again }
report-cached-control-again = { $count } of them were asked again
report-cached-control-moved = { $count } of them, asked again, moved by { $mean } ({ $low } to { $high })
report-cached-control-moved-alike = { $count } of them, asked again, moved by { $mean }
report-alarm-drifted = the control has drifted since its cached answers were given: { $n ->
    [one] 1 sample that was asked again moved
   *[other] { $n } samples that were asked again moved
  } by { $mean } ({ $low } to { $high })
report-alarm-may-have-drifted = part of the control is from the cache: allowing for what the { $n } samples asked again show, the difference is { $mean } and may be as low as { $low }
report-alarm-models-unnamed = { $control } of the control's answers and { $treatment } of the treatment's don't name their model, so the two may have been measured with different models
report-alarm-versions = answers come from more than one version of the agent (answers of control : of treatment): { $versions }, so the two were not measured with the same agent
report-alarm-program = the agent's program was replaced during the run: the new one gave { $control } of the control's answers and { $treatment } of the treatment's, so the two were not measured with the same agent
report-alarm-files = files of a working directory changed before the run was resumed: { $control } of the control's answers and { $treatment } of the treatment's were given beside the new ones, the others beside the old
report-alarm-tools = the tool `{ $tool }` was on offer in { $control } of the control's runs and { $treatment } of the treatment's, so the agents of the two could not do the same
report-alarm-server = the MCP server `{ $server }` could not be used in { $failed } of { $executions } runs of `{ $variant }`, so its agents lacked the tools of that server
report-alarm-models = `{ $model }` answered { $control } of the control's calls and { $treatment } of the treatment's, so the two were not measured with the same model

## enough samples
report-saturation-few = fewer than 6 pairs
report-saturation-variance = all differences are equal
report-why-more-border = the interval is narrow enough but crosses ±{ $limit }: more samples would show on which side the difference lies
report-why-more-hopeless = more samples alone won't narrow the interval to ±{ $limit }
report-why-saturated = more samples would help little: the interval has stopped narrowing because later samples vary more than earlier ones
report-shares-few = fewer than two samples have scores
report-shares-one-run = each sample was run once, so repeats can't be told from samples
report-shares-one-opinion = one opinion on each answer, so the judge's wavering can't be told from the rest
report-shares-unjudged = no judge had a part in the scores

report-next-twice = the interval of `{ $treatment }` would shrink to { $samples } of its width with twice the samples{ $repeats ->
    [none] {""}
   *[other] , { $repeats } with twice the repeats
  }{ $opinions ->
    [none] {""}
   *[other] , { $opinions } with twice the judges' opinions
  }: { $best ->
    [opinions] more opinions help nearly as much as more samples
    [repeats] more repeats help nearly as much as more samples
   *[samples] more samples help most
  }
report-repeats-title = { $runs } runs of each sample
report-repeats-run = `{ $variant }` { $mean } ± { $sd }
report-repeats-runs = whole runs: { $list }
report-repeats-tests = `{ $b }` against `{ $a }`: p { $runs } over runs (Welch's t), p { $samples } over samples, which the verdict reads
report-repeats-spread = spread of `{ $treatment }` − `{ $control }`: { $list }
report-repeats-spread-one = spread of `{ $variant }`: { $list }
report-repeats-part = { $share } { $part ->
    [samples] between samples
    [repeats] between repeats
   *[opinions] of the judges
  }

## held-out samples
report-doubt-holdout-few = the holdout has too few pairs to compare: { $holdout } held out and { $train } others; each part needs at least 2
report-doubt-holdout = the gain does not carry over to the held-out samples: { $train } points on the others, { $holdout } on the { $n } held out
report-doubt-gap = the gain is smaller on the held-out samples, by { $gap } points ({ $low } to { $high })
report-next-holdout-few = add samples, or hold out a larger share: `--holdout` is the chance of each sample to be held out
report-next-holdout = `{ $treatment }` may fit the samples that it was tuned on: tune it on other, more varied samples, and leave the held-out ones alone
report-holdout-few = a part has fewer than two pairs ({ $train } to tune on, { $holdout } held out), so nothing can be said of the gap
report-holdout-title = held out: { $count ->
    [one] 1 sample
   *[other] { $count } samples
  } of { $total } (each with a chance of { $share })
report-holdout-part = { $part ->
    [train] on the others
   *[holdout] held out
  }: { $mean } points, { $interval }, { $n ->
    [one] 1 pair
   *[other] { $n } pairs
  }
report-holdout-part-none = { $part ->
    [train] on the others
   *[holdout] held out
  }: no pair of scores
report-holdout-gap = gap: { $gap } points, { $interval }
report-holdout-of = `{ $treatment }` − `{ $control }`
report-holdout-solo = `{ $variant }`: { $train } on { $n ->
    [one] 1 sample
   *[other] { $n } samples
  }, { $holdout } on { $m } held out

## insights
report-insight-prompt-ignored = all answers of { $variants } are the same text: does what answers read the prompt?
report-insight-artifact-ignored = { $variants } gave the same answers, word for word, to all { $count } samples: does what answers read the artifact? (a command gets it as `system`)
report-insight-uniform = { $count }/{ $total } samples show score difference < { $limit } between variants
report-insight-turning-check = without check `{ $check }` the difference of `{ $treatment }` is { $rest }, not { $difference }
report-insight-low-discrimination = { $count }/{ $total } assertions have the same result for every variant: they can't tell the variants apart
report-insight-all-fail = { $count }/{ $total } assertions failed for every variant in every run: they may be too strict, or wrong
report-insight-all-pass = { $count }/{ $total } assertions passed for every variant in every run: they may be too loose
report-insight-unmatched = { $count }/{ $total } `regex` patterns matched no answer of any variant: check the patterns first, a wrong one looks like this
report-insight-unmatched-not = { $count }/{ $total } `regex` patterns under `not:` matched no answer, so they tell nothing: check the patterns, a wrong one passes always
report-insight-high-cost = { $count }/{ $total } samples cost far more than the others, at least { $factor } times the median: { $share } of the cost

## what to do next
report-next-delivery = look at what the agent says of its skills (`omk show SAMPLE`), and check the name and front matter of the SKILL.md; then run again with `--no-cache`
report-next-description = say in the description of `{ $treatment }` what it does and when to use it, in the words of the prompts; then measure the content
report-next-separate = see with `omk show SAMPLE` how the agent came to the artifact, keep it out of reach (a `cwd` without it, and no `--no-strict-baseline`), and run again with `--no-cache`
report-next-resume = continue the run: `omk eval --resume latest`
report-next-budget = raise the budget, or set the price of the model, and continue with `omk eval --resume latest`: paid answers are kept
report-next-aborted = fix what made the first calls fail, then run again
report-next-judge-failed = fix the judge, then continue with `omk eval --resume latest --retry-failed`: paid answers are kept, and only missing opinions are asked for
report-next-records = continue the run to fill in what is missing: `omk eval --resume latest`
report-next-failures = fix the errors that the report lists, and continue with `omk eval --resume latest`: paid answers are kept
report-next-regress = don't ship `{ $treatment }`: read what it lost on the samples that fell most
report-next-regress-yet = don't ship `{ $treatment }` yet: add samples, and read what it lost on those that fell most
report-next-floor = add samples that the control solves: on these, `{ $treatment }` and its control have nothing to lose, so that no loss can show
report-next-ceiling = add harder samples: both `{ $treatment }` and its control score 5 of 5 on all of these, so they can't show a difference
report-next-regress-layer = don't ship `{ $treatment }`: read in the report which checks of that layer it fails
report-next-noise = keep the simpler or cheaper of the two: if `{ $treatment }` changes the scores at all, it is by less than { $limit } points
report-next-ship = ship `{ $treatment }`
report-next-not-worse = ship `{ $treatment }` if it is cheaper, faster or simpler: a loss of more than { $margin } is excluded
report-next-ship-but = ship `{ $treatment }`, and look at the samples it lost most on
report-next-alarm = find out why `{ $treatment }` or its control lacks scores or ended differently, fix it, and run again
report-next-checks = fix `{ $checks }`, which could not be evaluated in every run of `{ $treatment }` and its control, and run again
report-next-runtime = have one and the same agent answer `{ $treatment }` and the control, beside the same files: switch off its updates, make its MCP servers start, and run again
report-next-afresh = measure `{ $treatment }` and its control at the same time: run again with `--no-cache`
report-next-unscored = { $outcome ->
    [answered] find out why the checks of `{ $variant }` could not be evaluated, and fix them
    [refused] find out why the model declines to answer as `{ $variant }`: read its outputs in the report
    [truncated] give `{ $variant }` more room with `--max-tokens`, or ask it for shorter answers
    [limit-hit] raise the limit that stops `{ $variant }`, or ask less of it
    [empty] find out why the answers of `{ $variant }` are empty: run one of its prompts by hand
    [failed] look at the errors of `{ $variant }` in the report, and mend them
    [over-budget] raise the budget
   *[not-run] go on with the run
  }, then run again; more samples won't help
report-next-layer = raise the layer of `{ $treatment }` that is under the threshold, or say with `--threshold` that it is good enough
report-next-trivial = weigh whether so small a gain is worth what `{ $treatment }` costs
report-next-first-samples = add samples: `{ $treatment }` has { $n ->
    [one] 1 pair
   *[other] { $n } pairs
  }, and progress can be seen from { $needed } on
report-why-more = about { $needed } samples settle ±{ $limit } (now { $n })
report-why-more-gain = about { $enough } samples if the gain is as seen ({ $gain }), { $needed } to settle ±{ $limit } (now { $n })
report-next-more-samples = add about { $more ->
    [one] 1 sample
   *[other] { $more } samples
  } for `{ $treatment }`, to settle ±{ $limit }
report-next-two-numbers = for `{ $treatment }`, add about { $enough } samples if the gain is as seen ({ $gain }), { $more } to settle ±{ $limit }
report-next-gain-samples = add about { $more ->
    [one] 1 sample
   *[other] { $more } samples
  } for `{ $treatment }`: with them a gain as seen ({ $gain }) is PROGRESS
report-next-repeats = { $same ->
    [yes] or ask the same { $n } samples for `{ $treatment }` with `--repeat { $repeat }`
   *[no] for `{ $treatment }`, repeats save samples: { $needed } samples at { $runs } repeats, { $samples } at { $repeat }
  }
report-next-try-repeats = one run of each sample can't tell whether repeats would do in place of more samples; `--repeat 3` would
report-next-hopeless = samples alone won't decide this: the scores spread too widely; use sharper assertions or rubrics, or `--repeat`
report-saturation-reach = the interval reaches ±{ $reach }{ $saturated ->
    [yes] ; it has stopped narrowing
   *[no] {""}
  }
report-next-some-samples = add samples like { $n ->
    [one] this one
   *[other] these { $n }
  }, or repeat each more often with `--repeat`, until the interval decides
report-next-solo = compare `{ $variant }` with something: `--control baseline` shows what it is worth

## the verdict in sentences
story-progress = `{ $treatment }` is better than `{ $control }`: { $figures }.
story-regress = `{ $treatment }` is worse than `{ $control }`: { $figures }.
story-regress-layer = `{ $treatment }` is worse than `{ $control }`: its `{ $layer }` layer fell by { $fell }.
story-cautious = { $lies ->
    [inside] No difference that matters between `{ $treatment }` and `{ $control }` ({ $figures })
    [preferred] Judges prefer `{ $treatment }` to `{ $control }` ({ $figures })
   *[above] `{ $treatment }` scores higher than `{ $control }` ({ $figures })
  }, but { $doubt }.
story-noise = No difference that matters between `{ $treatment }` and `{ $control }`: { $range }, and only ±{ $limit } would matter.
story-underpowered = Too little data to tell `{ $treatment }` from `{ $control }`: anything from { $range } fits.
story-underpowered-equal = Too little data to tell `{ $treatment }` from `{ $control }`: { $figures }, and nothing is known of how far other samples would spread.
story-underpowered-few = Too little data to tell `{ $treatment }` from `{ $control }`: { $n ->
    [0] no sample has a score of both
    [one] only 1 sample has a score of both
   *[other] only { $n } samples have a score of both
  }, and { $needed } are needed.
story-underpowered-doubt = Too little data to tell `{ $treatment }` from `{ $control }`: { $doubt }.
story-unscored = `{ $treatment }` and `{ $control }` can't be compared: nothing of one of them could be scored.
story-numberless = `{ $treatment }` against `{ $control }`: { $tier }; this report lacks the numbers.
story-solo = Only `{ $variant }` was run: { $score }, { $reaches ->
    [under] under
   *[reached] at or above
  } the threshold of { $threshold }.
story-solo-doubt = Only `{ $variant }` was run: { $score }, at or above the threshold of { $threshold }, but { $doubt }.
story-solo-unscored = Only `{ $variant }` was run, and nothing of it could be scored.
story-invalid = Not a valid measurement: { $why }. Nothing follows from its numbers.
story-not-worse = `{ $treatment }` is not worse than `{ $control }` by more than { $margin }.
story-not-worse-cost = `{ $treatment }` is not worse than `{ $control }` by more than { $margin }, at { $share } of the cost.
story-may-be-worse = `{ $treatment }` may be worse than `{ $control }` by more than { $margin }.
story-score = { $mean } ({ $range })
story-figures = { $mean } { $unit ->
    [preference] on a scale of −1 to 1
   *[points] points
  } ({ $level } interval { $range }, { $of ->
    [tasks] { $n ->
        [one] 1 task
       *[other] { $n } tasks
    }
   *[samples] { $n ->
        [one] 1 sample
       *[other] { $n } samples
    }
  })
story-figures-equal = { $mean } { $unit ->
    [preference] on a scale of −1 to 1
   *[points] points
  } on { $of ->
    [tasks] { $n ->
        [one] the only task
       *[other] each of { $n } tasks
    }
   *[samples] { $n ->
        [one] the only sample
       *[other] each of { $n } samples
    }
  } (p { $p })
story-figures-short = { $mean }, { $range }
story-figures-short-equal = { $mean } on every { $of ->
    [tasks] task
   *[samples] sample
  }
story-left-out = { $n } of { $planned } compared; { $why }
story-left-out-class = { $count }: { $why }
story-left-out-rest = { $count } for other reasons

## the terminal
report-goal-reached = GOAL REACHED
report-goal-missed = GOAL NOT REACHED
report-no-verdict = NO VERDICT
report-numbers-would-say = what the numbers so far would say, and nobody should act on:
report-exit-ship = exit code 0: the gate lets it through
report-exit-cautious = exit code 0: the gate lets CAUTIOUS through (`--gate cautious`)
report-exit-goal = exit code 0: the gate lets it through (`--goal not-worse`)
report-exit-goal-missed = exit code 1: the gate refuses (`--goal not-worse`)
report-exit-off = exit code 0: the gate is off (`--report-only`)
report-exit-aa = exit code 0: no false alarm (`--aa`)
report-exit-aa-alarm = exit code 1: a false alarm (`--aa`)
report-exit-refused = exit code 1: the gate refuses
report-exit-invalid = exit code 3: no valid measurement
report-exit-interrupted = exit code 130: interrupted
report-uncopied = the agents' copies of `{ $directory }` lack { $count ->
    [one] { $count } path
   *[other] { $count } paths
  } that { $why ->
    [ignored] Git ignores
   *[unreadable] could not be read
  }: { $list }{ $more ->
    [0] {""}
   *[other] {""} and { $more } more
  }
report-permissions = what the agents could do without asking: { $list }; each worked in a throwaway copy, { $sandbox ->
    [yes] and could write no files elsewhere
   *[no] without a sandbox
  }
report-about = { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
  } × { $repeat ->
    [one] 1 run
   *[other] { $repeat } runs
  }, { $executor }{ $model ->
    [none] {""}
   *[other] {" "}{ $model }
  }
report-row-score = score (1–5)
report-row-interval = { $level } interval
report-row-layer = { $layer ->
    [fact] · fact
    [behavior] · behavior
   *[judge] · judge
  }
report-row-checks = checks passed
report-row-answered = answered
report-row-cost = cost per answer
report-row-time = time per answer
report-row-tokens = tokens per answer
report-control = { $name } (control)
report-of = { $part } of { $whole }
report-range = { $low } to { $high }
report-no-spread = no spread
report-unknown = unknown
report-difference-title = difference
report-difference = `{ $treatment }` − `{ $control }`: { $mean } points, { $interval }, { $pairs ->
    [one] 1 pair
   *[other] { $pairs } pairs
  }
report-difference-over-samples = over all samples { $over }
report-difference-none = `{ $treatment }` − `{ $control }`: no pair of scores to compare
report-interval-of = { $level } interval { $low } to { $high }
report-interval-family = { $level } interval { $low } to { $high } (simultaneous for { $family } treatments)
report-interval-not-yet = too few pairs for an interval that holds at every look
report-interval-none = no interval
report-interval-point = no spread, so no interval
report-difference-more = { $wins } better, { $losses } worse, { $ties } equal
report-p = p { $p }
report-p-holm = p { $p } (Holm)
report-effect = effect size d_z = { $dz }
report-by-layer = by layer: { $list }
report-layer-difference = { $layer ->
    [fact] fact
    [behavior] behavior
   *[judge] judge
  } { $mean } ({ $low } to { $high })
report-layer-difference-point = { $layer ->
    [fact] fact
    [behavior] behavior
   *[judge] judge
  } { $mean }
report-moved-title = moved most
report-moved-better = better: { $list }
report-moved-worse = worse: { $list }
report-checks-title = checks that moved most
report-check-moved = { $check }: { $control } → { $treatment }
report-noticed-title = noticed
report-and-more = { $list }, and { $more } more
report-lost-title = not measured
report-lost = `{ $variant }`: { $list }
report-lost-class = { $count } × { $why }
report-lost-checks = { $count } × `{ $check }` could not be evaluated ({ $why })
report-excluded = { $count ->
    [one] 1 sample is left out of the comparison with `{ $treatment }`: { $list }
   *[other] { $count } samples are left out of the comparison with `{ $treatment }`: { $list }
  }
report-excluded-why = { $samples } ({ $why })
report-next-title = next
report-in-samples = { $text }: { $list }
report-cost = cost: { $usd }
report-cost-at-least = cost: at least { $usd }; { $count ->
        [one] 1 call was
       *[other] { $count } calls were
    } under way when the run was killed and may have been billed
report-cost-unknown = cost: at least { $usd }, the rest is unknown
report-cost-unknown-all = cost: unknown
report-cached = { $count ->
    [one] 1 answer from the cache
   *[other] { $count } answers from the cache
  }
report-retried = { $count ->
    [one] 1 attempt failed and was made again
   *[other] { $count } attempts failed and were made again
  }
report-path = report: { $path }

## The summary that fits one screen
report-brief-about = { $treatments } against { $control }: { $about }
report-brief-solo = { $variant }: { $about }
report-brief-head = { $what ->
    [score] score
    [interval] { $level } interval
    [difference] difference
    [pairs] pairs
    [fact] fact
    [behavior] behavior
    [judge] judge
    [checks] checks
    [answered] answered
    [cost] cost each
    [time] time each
   *[tokens] tokens each
  }
report-brief-gaps = gap rate { $rates } on { $set } ({ $count ->
    [one] 1 sample
   *[other] { $count } samples
  }); holds for this test set only{ $named ->
    [0] {""}
   *[other] ; looked for in vain: { $list }
  }
report-brief-apart = { $left } left out; over { $pairs ->
    [one] 1 pair
   *[other] { $pairs } pairs
  }: `{ $control }` { $a }, `{ $treatment }` { $b } (scores above: of { $all_a } and { $all_b })
report-brief-apart-several = samples are left out: differences are over the pairs, scores over all that were scored
report-brief-moved = { $wins } better, { $ties } equal, { $losses } worse{ $list ->
    [none] {""}
   *[other] : { $list }
  }
report-brief-left-out = { $count } left out: { $list }
report-brief-why = { $why } ({ $variants })
report-brief-cause = fails more: { $check }, { $control } → { $treatment } on { $samples }
report-brief-holdout = { $count } held out; { $text }
report-brief-more = { $count } more: `omk report export { $report } --format terminal` (or `--details`)
report-brief-more-details = { $count } more: `--details`
report-brief-more-treatments = { $count ->
    [one] 1 more treatment: `--details`
   *[other] { $count } more treatments: `--details`
  }
report-brief-family = the { $family } intervals of differences hold at once
report-brief-reasons = { $count ->
    [one] 1 more reason: `--details`
   *[other] { $count } more reasons: `--details`
  }
report-brief-next = next: { $text }
report-brief-show-worse = the sample that fell most: both answers, checks, reasons
report-brief-show-better = the sample that rose most: both answers, checks, reasons
report-brief-show-excluded = a sample that is not compared: what came instead
report-brief-failures = what fails, by cause
report-brief-diff = every sample and check that moved

## --dry-run
report-plan-title = plan: { $calls ->
    [one] 1 call
   *[other] { $calls } calls
  }, nothing is run or written
report-plan-grid = { $left ->
    [0] { $samples ->
        [one] 1 sample
       *[other] { $samples } samples
    }
   *[other] { $samples } of { $all } samples
  } × { $variants ->
    [one] 1 variant
   *[other] { $variants } variants
  } × { $repeat ->
    [one] 1 run
   *[other] { $repeat } runs
  }
report-plan-row-variants = variants
report-plan-row-differs = varies
report-plan-differs = { $parts }; model, tools, samples and limits are the same
report-plan-differs-nothing = nothing
report-plan-row-executor = executor
report-plan-row-sandbox = sandbox
report-plan-sandbox = in force: { $guards }
report-plan-sandbox-none = nothing of it is in force on this system
report-plan-row-uncopied = not copied
report-plan-row-permissions = permissions
report-plan-row-urls = URLs
report-plan-url-http = { $url } over HTTP ({ $samples })
report-plan-url-mcp = { $url } by MCP server { $server } ({ $samples })
report-plan-row-grading = grading
report-plan-row-cost = cost
report-plan-row-order = order
report-plan-row-power = power
report-plan-asked-again = { $count ->
    [one] 1 of these calls of the control is made again beside the treatment
   *[other] { $count } of these calls of the control are made again beside the treatment
  }; all of them are, where these have moved
report-plan-row-cached = cache
report-plan-executor = { $executor }{ $model ->
    [none] {""}
   *[other] {", model "}{ $model }
  }, at most { $concurrency ->
    [one] 1 call
   *[other] { $concurrency } calls
  } at once
report-plan-grading = { $assertions ->
    [one] 1 assertion
   *[other] { $assertions } assertions
  }, { $judged ->
    [0] no judge
    [one] 1 sample with a judge
   *[other] { $judged } samples with a judge
  }
report-plan-unscored = { $count ->
    [one] 1 sample has nothing to score: { $list }
   *[other] { $count } samples have nothing to score: { $list }
  }
report-plan-cost = about { $low } to { $high } ({ $basis })
report-plan-cost-unknown = unknown: no price is known for this executor and model
report-plan-cost-urls = without the { $count ->
    [one] page of 1 URL
   *[other] pages of { $count } URLs
}
report-plan-budget = limit { $usd }
report-plan-cached = { $cached } of { $calls ->
    [one] 1 call
   *[other] { $calls } calls
  } would be answered from the cache
report-plan-order = { $list }, …
report-plan-earlier = with the spread in `{ $report }`, of the same test set:
report-plan-earlier-changed = with the spread in `{ $report }`, of another form of the test set ({ $same } of { $samples } samples are unchanged):
report-plan-earlier-repeat = (there each sample was run { $then ->
    [one] once
   *[other] { $then } times
  }, now { $now ->
    [one] once
   *[other] { $now } times
  })
report-plan-earlier-more = and { $more ->
    [one] 1 more treatment
   *[other] { $more } more treatments
  }
report-plan-expected = `{ $treatment }`{ $known ->
    [yes] {""}
   *[no] {" "}(not in it, so its widest spread)
  }: { $samples ->
    [one] 1 sample shows
   *[other] { $samples } samples show
  } { $detectable ->
    [none] nothing
   *[other] a difference of { $detectable } points
  } (80 % power); { $needed ->
    [0] no number of samples that anybody writes shows { $effect }
    [one] 1 sample shows { $effect }
   *[other] { $needed } samples show { $effect }
  }{ $observed ->
    [none] {""}
   *[other] {", "}{ $shows } the { $observed } seen then
  }
report-invalid-no-answer = { $count ->
    [one] the only execution that came back has no answer
   *[other] none of the { $count } executions that came back has an answer
  }: refused, cut off, or empty
report-next-no-answer = read in the report what came back instead of answers: refusals, truncated answers (raise `--max-tokens`), or empty ones; more samples won't help

## judges
report-invalid-judges = { $missing } of { $planned ->
    [one] { $planned } planned judge opinion is
   *[other] { $planned } planned judge opinions are
  } missing; at most { $limit } may be
report-alarm-judges-missing = { $missing } of { $planned } judge opinions on `{ $variant }` are missing; at most { $limit } % may be
report-alarm-judges-differ = { $control } of the judge opinions on the control are missing and { $treatment } of those on the treatment; the shares may differ by at most { $limit } percentage points
report-alarm-agreement = the judges disagree: Krippendorff's α is { $alpha }, and relying on them takes at least { $limit }
report-alarm-pair-agreement = the judges disagree on which answer is better: Krippendorff's α is { $alpha }, and relying on them takes at least { $limit }
report-delivery-loaded = `{ $variant }` was loaded in { $loaded } of { $executions } executions
report-delivery-read = files of `{ $variant }` were opened in { $read } of { $executions } executions
report-note-rarely-loaded = `{ $variant }` was loaded in { $loaded } of { $executions }: the description is the problem, not the content
report-note-self-preference = `{ $judges }` and the model under test come from the same vendor: judges may favour their own family
report-insight-agreement-undefined = how far the judges agree is undefined: { $why ->
    [few] { report-undefined-few }
    [variance] { report-undefined-variance }
    [one] { report-undefined-one }
    [numbers] { report-undefined-numbers }
   *[other] see `judging.agreement` in the report
}
report-insight-tripwire = { $count }/{ $total } samples that are meant to fail were passed: they, or their checks, are not what they should be
report-next-judges = read in the report, under `missing`, what the judges replied; if they were unreachable, continue with `omk eval --resume latest`, otherwise choose another `--judge-model` with `omk eval --regrade latest`, which calls only the judges
report-next-agreement = sharpen the rubrics or choose other judges: the judges of this run read the same answers differently
report-next-position = choose another judge, or several: the judges of this run go by the position of an answer
report-undefined-few = fewer than two scores can be compared
report-undefined-variance = no variance: all scores are equal
report-undefined-one = one sample decides
report-undefined-numbers = the numbers are too large
report-undefined-unsaid = the report gives no reason
report-undefined-interval = no interval: too few samples, or too many that hold one value only
report-unadjusted-few = at equal length: too few pairs to tell
report-unadjusted-variance = at equal length: all pairs of answers differ equally in length, so length can't be told from treatment
report-unadjusted-one = at equal length: one sample alone differs in length, and would decide
report-unadjusted-outside = at equal length: undefined, one variant's answers are the longer ones in every pair
report-equal-length = at equal length: { $mean } points, 95 % interval { $low } to { $high } (the answers differ by { $longer } characters on average)
report-judges-title = judges
report-judge = `{ $judge }`: { $mean } ± { $sd } over { $count ->
    [one] { $count } opinion
   *[other] { $count } opinions
  }
report-judge-one = `{ $judge }`: { $mean }, one opinion
report-judge-none = `{ $judge }`: no score from { $count ->
    [one] { $count } opinion
   *[other] { $count } opinions
  }
report-judge-missing = { $missing } of { $planned } missing, mostly: { $why }
report-judge-kin = of the vendor of the model under test
report-agreement = agreement: Krippendorff's α { $alpha }, { $interval }
report-agreement-undefined = agreement: undefined, { $why }
report-agreement-question = on `{ $question }`: α { $alpha }
report-agreement-question-undefined = on `{ $question }`: undefined, { $why }
report-judge-pair = `{ $a }` and `{ $b }`: { $apart } points apart, r { $r }
report-judge-pair-undefined = `{ $a }` and `{ $b }`: { $apart } points apart, r undefined, { $why }
report-judge-pair-none = `{ $a }` and `{ $b }`: no answer that both scored
report-repeats = `{ $judge }` asked { $repeat } times: ± { $sd } points on the same answer, α { $alpha }
report-repeats-undefined = `{ $judge }` asked { $repeat } times: ± { $sd } points on the same answer, α undefined, { $why }
report-repeats-none = `{ $judge }` scored no answer twice
report-triggers-title = triggers: { $should } queries should load the skill, { $others } should not ({ $near } of them near misses)
report-triggers-recall = recall
report-triggers-precision = precision
report-triggers-f1 = F1
report-triggers-rate = { $share } ({ $low }–{ $high })
report-triggers-flips = { $treatment } against { $control }: right more often for { $better } ({ $gained }), less often for { $worse } ({ $lost }); McNemar's p { $p }
report-triggers-wrong = { $variant } went wrong for { $list }
report-triggers-unmeasured = { $count ->
    [one] one execution of { $variant } tells nothing: it
   *[other] { $count } executions of { $variant } tell nothing: they
} failed, or a limit came before a skill was loaded
report-triggers-confusion = loaded with { $variant }, in executions:
report-triggers-expected = queries for
report-triggers-self = this skill
report-triggers-no-skill = no skill
report-tripwires-title = tripwires (meant to fail, in no score)
report-tripwires = `{ $variant }` failed { $failed } of { $samples } as designed
report-tripwires-passed = passed { $count }: { $list }
report-tripwires-missing = no score for { $count }: { $list }

# Pairwise judging

report-missing-no-opinion = the judges gave no verdict
report-missing-not-compared = the answers were not compared
report-why-preference = the judges' preference for the treatment is { $preference } ({ $low } to { $high }; { $n ->
    [one] 1 sample
   *[other] { $n } samples
  })
report-why-preference-points = the points are the judges' preference of { $preference } on a scale of −1 to 1, where 1 equals 4 points
report-why-preference-decides = only { $n } samples have scores and a comparison needs { $needed }, so the judges' preference decides
report-doubt-scores = the scores of the other layers don't show this gain
report-alarm-pairs = { $missing } of { $planned } pairs of answers were not compared; at most { $limit } % may be missing
report-alarm-position = the judges prefer a position: the answer shown first won { $share } of the time ({ $low } to { $high }), and 50 % is unbiased
report-invalid-pairs = the judges gave no usable verdict on { $unjudged } of { $answered } pairs of answers; at most { $limit } may be missing
report-pairwise-title = Pairwise
report-pairwise-none = `{ $treatment }` − `{ $control }`: no sample was compared
report-pairwise-preference = `{ $treatment }` against `{ $control }`: preference { $preference }, { $interval }, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
report-pairwise-verdicts = { $wins } won, { $losses } lost, { $ties } tied, { $inconsistent } of them because the orders disagree; p { $p }
report-pair-judge = `{ $judge }`: { $decided } verdicts, the orders disagree in { $inconsistent }
report-pair-judge-none = `{ $judge }`: no verdict in { $planned ->
    [one] one comparison
   *[other] { $planned } comparisons
}
report-pairwise-position = shown first won { $share } of { $count } ({ $low } to { $high })
report-pairwise-missing = { $missing } of { $planned } pairs have no verdict: { $list }
report-strengths = strengths (log odds): { $list }
report-strength = `{ $variant }` { $strength } ({ $low } to { $high })
report-strengths-why = no strengths: { $why }
report-strengths-apart = some variants were never compared with the others: { $groups }
report-strengths-unbounded = { $best } never lost and { $worst } never won, so that no finite strength is large enough
report-strengths-many = strengths are for 2 to 64 variants, not { $count }
report-strengths-none = they can't be computed
report-plan-requests = judges are asked { $scores ->
    [0] { $comparisons }
   *[other] { $comparisons ->
        [0] { $scores }
       *[other] { $scores } + { $comparisons }
    }
} times, unusable replies aside{ $comparisons ->
    [0] {""}
   *[other] {" "}({ $comparisons } to compare, both orders)
}
report-plan-judge-cost = judges: { $low } to { $high }
report-plan-classifier = sentences of doubt: { $model } is asked about at most { $most }
report-plan-classifier-cost = sentences of doubt: { $model } is asked about at most { $most }, for up to { $high }

## What length does to judges

report-length-shift = telling judges that length is no quality moves their scores by { $mean } points ({ $low } to { $high }, { $n ->
    [one] 1 sample
   *[other] { $n } samples
  })
report-length-shift-variant = `{ $name }`: { $mean } ({ $low } to { $high }, { $n ->
    [one] 1 sample
   *[other] { $n } samples
  })
report-length-shift-difference = difference of `{ $name }` from the control: { $mean } ({ $low } to { $high }, { $n ->
    [one] 1 sample
   *[other] { $n } samples
  })
report-length-shift-missing = { $count } { $count ->
    [one] answer
   *[other] answers
 } left out: judged one way only
report-length-shift-meaning = with the text minus without it, 95 % intervals over samples; a shift of the difference means that length had a part in it
## gold

report-gold-title = judge and people
report-gold-none = none of the { $annotations ->
    [one] 1 annotation
   *[other] { $annotations } annotations
  } in { $files ->
    [one] 1 file
   *[other] { $files } files
  } stands beside a judge's score
report-gold-about = { $used } of { $annotations } annotations by { $people }, over { $samples ->
    [one] one sample
   *[other] { $samples } samples
}
report-gold-overall = all questions
report-gold-agreement = { $name }: α { $alpha }, κ { $kappa }, bias { $bias }, apart { $apart } on average, n = { $n }
report-gold-ci = { $value } [{ $low }, { $high }]
report-gold-undefined = undefined, { $why ->
    [no-variance] no variance
    [unstable] the scores hardly vary
    [not-finite] a number is not finite
   *[other] too few scores
}
report-gold-adjusted = without annotators that are judges themselves: α { $alpha }, n = { $n }
report-gold-among = among the annotators: α { $alpha }
report-gold-mean = judge layer, `{ $variant }`
report-gold-difference = judge layer, `{ $treatment }` − `{ $control }`
report-gold-estimate = { $name }: the judge says { $judge }, people would say { $people } (PPI++, λ { $lambda }, { $n } labelled)
report-gold-collusion = `{ $annotator }` seems to be the judge `{ $judge }`: agreement with oneself shows nothing, so the verdict reads the scores of the others
report-gold-stale = { $count ->
    [one] one annotation is stale: it scores an output that is none of this run's
   *[other] { $count } annotations are stale: they score outputs that are none of this run's
}
report-gold-unplaced = { $count ->
    [one] one annotation names neither variant nor output, and there are several
   *[other] { $count } annotations name neither variant nor output, and there are several
}
report-gold-unknown-sample = { $count ->
    [one] one annotation is about a sample that this run has not
   *[other] { $count } annotations are about samples that this run has not
}
report-gold-unknown-variant = { $count ->
    [one] one annotation is about a variant or repeat that this run has not
   *[other] { $count } annotations are about variants or repeats that this run has not
}
report-gold-unjudged = { $count ->
    [one] one annotation is about an output that the judge has no score for
   *[other] { $count } annotations are about outputs that the judge has no score for
}
report-gold-open = { $count ->
    [one] one annotation has no score yet
   *[other] { $count } annotations have no score yet
}
report-gold-twice = { $count ->
    [one] one annotation scores an output that the same person scored already
   *[other] { $count } annotations score outputs that the same person scored already
}
report-gold-tripwire = { $count ->
    [one] one annotation is about a tripwire: a sample that is meant to fail enters nothing that is held against people
   *[other] { $count } annotations are about tripwires: samples that are meant to fail enter nothing that is held against people
}
report-gold-not-needed = { $count ->
    [one] one annotation is about a sample that the run was decided without: no number rests on it
   *[other] { $count } annotations are about samples that the run was decided without: no number rests on them
}
report-gold-withdrawn = { $count ->
    [one] one annotation was settled as wrong
   *[other] { $count } annotations were settled as wrong
}: only disagreements are looked at, so what is left flatters the judge
report-gold-unverified = { $count ->
    [one] one annotation names
   *[other] { $count } annotations name
} no `outputSha256`: nothing shows that this output was scored
report-doubt-gold-alpha = the judge's agreement with people is α { $alpha } and may be as low as { $low }; relying on the judge takes at least { $limit }
report-doubt-gold-undefined = the { $n } usable gold scores can't show whether the judge agrees with people
report-doubt-gold-worse = people score the treatment lower than the control on the judge layer: { $low } to { $high } by prediction-powered inference
report-doubt-gold-interval = the judge sees a gain that people's scores don't confirm: { $low } to { $high } by prediction-powered inference
report-doubt-gold-few = people saw a difference in only { $n ->
    [one] 1 sample
   *[other] { $n } samples
  }; confirming the judge's gain takes { $needed }
report-doubt-gold-none = people scored no sample completely (every question, the answers of both variants), so nothing confirms the judge's gain
report-doubt-gold-pairwise = gold scores single answers, so it can't show whether the judges' comparisons are right
report-doubt-gold-gate = the judge layer of `{ $variant }` averages { $mean } as people would have scored it, below the threshold of { $threshold }
report-next-gold = score more outputs of `{ $treatment }` by hand (`omk gold init`), or improve the judge with a clearer rubric or another model

report-error-unverifiable = `{ $path }` can't be used: { $why }
report-impossible = `{ $field }` is { $value }, which nothing can have measured
report-error-edited = { $what }. Put it back from a copy, or make the report again: `omk eval --regrade { $id }`
report-error-feedback = `{ $field }` is { $value }, which nobody can have given. Put the report back from a copy, or take this opinion out of its `feedback`
report-unverifiable-comparisons = it has { $count } comparisons of { $variants } variants
report-unverifiable-variants = it names no variant, or one twice, or more than any run has
report-unverifiable-size = { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
  }, { $variants ->
    [one] 1 variant
   *[other] { $variants } variants
  } and { $repeat ->
    [one] 1 repeat
   *[other] { $repeat } repeats
  } are more than the { $held ->
    [one] 1 execution
   *[other] { $held } executions
  } in its results
report-unverifiable-judges = { $count } judges are more than any run asks
report-unverifiable-resamples = { $count } resamples are more than any run draws
report-error-rules = its verdict is by rules { $rules }, and this program reads rules { $reads }: use the omk that wrote it, or evaluate again with this one
report-verdict-agrees = { $tier }, exit code { $code }: every stored number follows from the results
report-verdict-disagrees = { $count ->
    [one] one stored number does not follow
   *[other] { $count } stored numbers do not follow
}
report-verdict-same = the verdict is { $tier } with exit code { $code } all the same
report-replaced = the stored verdict is { $stored }, but the report's own numbers say { $shown }, which is used here: the file was edited; `omk report verdict` recomputes the numbers, too
report-replaced-treatment = the stored tier of `{ $treatment }` is { $stored }, but the report's own numbers say { $shown }, which is used here: the file was edited; `omk report verdict` recomputes the numbers, too
report-replaced-code = the stored exit code is { $stored }, but the report's own numbers say { $shown }, which is used here: the file was edited; `omk report verdict` recomputes the numbers, too
report-replaced-parts = parts of the stored verdict don't follow from the report's own numbers; those that follow are used here: the file was edited; `omk report verdict` recomputes the numbers, too
report-replaced-of = { $id }: { $text }
report-verdict-other = the stored verdict is { $stored } (exit code { $storedCode }); what follows is { $tier } (exit code { $code })
report-verdict-version = it was written by omk { $version }, which may have computed otherwise
report-reasons-more = { $count ->
    [one] and one more; the JSON report lists it
   *[other] and { $count } more; the JSON report lists all
}
report-verdict-more = { $count ->
    [one] and one more (`--json` lists it)
   *[other] and { $count } more (`--json` lists all)
}
report-not-following = stored { $stored }, but { $recomputed } follows from { $from }
report-from-checks = the sample's checks and opinions
report-from-results = the results
report-from-pairs = the judges' comparisons
report-from-opinions = the judges' opinions
report-from-summary = summary and comparisons
report-from-inputs = the verdict's inputs
report-from-verdict = the verdict
report-from-costs = the costs of results, variants and judges
report-from-findings = the findings and their weights
report-from-gold = the counts and the judges' scores
report-from-key = `messageKey`
report-as-stored-title = Taken as stored, because the report doesn't hold what they rest on:
report-as-stored-checks = what each check found in an answer (`omk eval --regrade` with its id grades it again), and each judge's opinion
report-as-stored-delivered = what agents were offered, loaded and read: the skills' files are not in the report
report-as-stored-artifacts-read = whose artifacts the agents read: the artifacts are not in the report
report-as-stored-meta = `meta`, its counts and sums aside: what was run, with which settings and seed, and what judges cost
report-as-stored-family = how many treatments the file had, and at which level the intervals of all hold at once: the results of those that were not compared are in the file, not in the report
report-as-stored-cached = answers of the cache that newer ones replaced are not in the report
report-as-stored-feedback = people gave it, after the run
report-as-stored-gold = what `gold` computes of people's scores: they are in the gold directory (`omk gold compare` computes it again)
report-as-stored-ended = why the run ended early
report-as-stored-samples = what `analysis.sampleQuality` finds in texts, its points and score aside: it reads the samples as they were written
report-as-stored-gaps = `analysis.gap`: the traces that tell what agents looked for are not in the report
report-as-stored-coverage = it is read from the traces of the run, which the report holds in part only

report-diff-unlike = other checks could be evaluated in A than in B
report-diff-blind = a report is judged blind: what it has in common with another one would tell whose answers are whose
report-diff-blind-help = `omk report reveal ID` shows its names
report-diff-no-pair = no variant has the same name in both reports
report-diff-name-variants = say which variants to compare: `--variant NAME_IN_A:NAME_IN_B`
report-diff-no-variant = report `{ $report }` has no variant `{ $variant }`
report-diff-variants = there are { $variants }
report-diff-alone = the report has one variant only: there is nothing to hold it against
report-diff-second = name a second report
report-diff-samples = the reports are of different test sets{ $changed ->
    [0] {""}
   *[other] ; { $changed } changed: { $changedList }
}{ $added ->
    [0] {""}
   *[other] ; { $added } only in B: { $addedList }
}{ $removed ->
    [0] {""}
   *[other] ; { $removed } only in A: { $removedList }
}
report-diff-force = `--force` compares the { $count ->
    [one] one sample that is
   *[other] { $count } samples that are
} the same in both
report-diff-nothing = no sample is the same in both
report-diff-inside = report
report-diff-a = A
report-diff-b = B
report-diff-nothing-help = compare runs of one sample file (`omk trend` lists which belong together), or grade one of them anew: `omk eval --regrade` with its id
report-power-beyond = { $n } samples none (the scale ends at { $most })
report-diff-common = { $count ->
    [one] One sample is
   *[other] { $count } samples are
} the same in both
report-diff-changed = { $count } changed: { $list }
report-diff-added = { $count } only in B: { $list }
report-diff-removed = { $count } only in A: { $list }
report-diff-differs = Not the same in both, so it may have moved the numbers too:
report-diff-pair = `{ $a }` → `{ $b }`
report-diff-same-artifact = `{ $a }` → `{ $b }`: the same artifact
report-diff-other-artifact = `{ $a }` → `{ $b }`: the artifact changed
report-diff-simultaneous = { $interval }, simultaneous for { $family } comparisons
report-diff-no-mean = no sample has a score in both
report-diff-gap = `{ $variant }`: gap rate { $rate }, coverage { $coverage }, on { $set } ({ $count } samples)
report-diff-mean = { $a } → { $b }: { $mean }, { $interval }, { $pairs ->
    [one] one sample
   *[other] { $pairs } samples
}
report-diff-crossed = Crossed the threshold of { $threshold } (p { $p }):
report-diff-up = reach it now, { $count }: { $list }
report-diff-down = no longer reach it, { $count }: { $list }
report-diff-checks = Checks: { $passing } pass that failed, { $failing } fail that passed
report-diff-cost = cost { $a } → { $b } per answer
report-diff-time = time { $a } → { $b }
report-diff-looks = A run with planned looks is among them: the intervals are those of the look that ended it, and hold whichever look that was; p-values for a fixed number of samples don't, and are left out.
report-diff-two-runs = Two runs are no controlled comparison: whatever else changed between them counts, too. For a verdict, run both variants together (`omk eval --variants A,B`).
report-diff-other-runs = `{ $b }` and its control have { $runs ->
    [one] 1 other run
   *[other] { $runs } other runs
  } on these samples ({ $list }). Whoever picks the best of several runs finds a gain by chance: read as one of { $number }, the difference lies in { $range }.
report-diff-two-orders = Both runs had planned looks and took the samples in another order, so no interval is known to hold for what they have in common: give both the same `--seed`, or run one to its end.
report-diff-no-interval = no interval known to hold
report-diff-beyond = { $count ->
    [one] 1 sample is left out: it was only under way when a run was decided
   *[other] { $count } samples are left out: they were only under way when a run was decided
  } ({ $list })
report-diff-held-out = { $count ->
    [one] 1 held-out sample counts, and is not named below
   *[other] { $count } held-out samples count, and are not named below
  }
report-diff-preference = preferred to `{ $control }`: { $a } → { $b }: { $mean }, { $interval }, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
  }
report-diff-preferred = preferred to `{ $control }`: { $mean } ({ $share } of the wins), { $interval }, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
  }
report-diff-other-control = `{ $control }` is not known to be the same in both, so it may have moved this
report-diff-control = judges compared the others with it
report-diff-crossed-only = Crossed the threshold of { $threshold }:
report-power-looks = for a run with { $looks } looks: what it must plan for; it ends sooner when it can
report-power-mean = run on average
report-power-preference = `{ $a }` → `{ $b }`, preference of the judges (−1 to 1; ±0.2 is 60 % of the wins)
report-power-true-preference = true preference (−1 to 1)
report-power-detectable-preference = smallest true preference that shows, on −1 to 1: { $list }
report-trend-preference = preferred { $mean } { $interval }
report-diff-excluded = Left out, { $count }: { $list }; the first because { $why }

report-trend-nothing = there is no report to show
report-trend-skipped = skipped `{ $path }`: { $why }
report-trend-series = `{ $set }` · { $executor }{ $model ->
    [none] {""}
   *[other] {" "}· { $model }
}
report-trend-project = project { $project }, { $path }
report-trend-judges = judged by { $list }
report-trend-changed = another series than before: { $list }
report-trend-noted = since { $id }: { $list }
report-trend-invalid = not valid
report-trend-report = report
report-trend-score = score
report-trend-difference = difference
report-trend-verdict = verdict
report-trend-cost = cost
report-trend-versions = versions of `{ $variant }`, each from its first run on
report-trend-dirty = + what was measured is not what that commit has: changed since, or not committed
report-trend-gaps = knowledge gaps of `{ $variant }`
report-trend-commit = commit
report-trend-coverage = coverage
report-trend-gap-rate = gap rate
report-trend-set = sample set
report-trend-samples = samples

report-power-pilot = pilot: `{ $id }`
report-power-pilot-note = The spread of a small pilot is uncertain: plan with the upper end of the range.
report-power-progress-note = The numbers are those for PROGRESS: at least { $pairs } pairs, and a gain that no kind of sample which never came up can undo.
report-power-given = given numbers
report-power-layer = `{ $a }` → `{ $b }`, layer { $layer }
report-power-no-spread = all differences are equal: such a pilot can't tell how many samples are needed
report-power-risk = for { $power } power (the chance to see it) at α { $alpha } (the risk of a false alarm):
report-power-risk-family = for { $power } power (the chance to see it) at α { $alpha } (the risk of a false alarm) over { $family } comparisons, { $each } each:
report-power-sd = SD of differences { $sd } points
report-power-sd-preference = SD of preferences { $sd }
report-power-sd-preference-interval = SD of preferences { $sd } (95 % interval { $low } to { $high }, assuming normal preferences)
report-power-sd-each = SD per variant { $sd } points
report-power-sd-interval = SD of differences { $sd } points (95 % interval { $low } to { $high }, assuming normal differences)
report-power-pairs = { $count ->
    [one] one pair
   *[other] { $count } pairs
}
report-power-correlation = correlation { $correlation }
report-power-observed = seen { $mean }, { $interval }
report-power-difference = true difference (points)
report-power-samples = samples
report-power-range = as the spread may be
report-power-with = { $n } samples { $difference }
report-power-detectable = smallest true difference that shows, in points: { $list }
# Planned looks
report-stopping-rule = { $looks ->
    [one] one look, after { $counts } { $of ->
        [tasks] tasks
       *[samples] samples
    }: its interval leaves out { $risks } on each side
   *[other] at most { $looks } looks, after { $counts } { $of ->
        [tasks] tasks (the samples of a cluster are one)
       *[samples] samples
    }; the run ends with the first that decides every treatment. Their intervals leave out { $risks } on each side, so that all looks together risk a false alarm as rarely as one reading
  }
report-stopping-unused = planned looks have no effect: there { $samples ->
    [one] is 1 sample
   *[other] are { $samples } samples
  }, and no look comes before { $first }
report-stopping-decided = stopped at look { $look } of { $looks }, which decided it: { $looked } of { $planned } samples were run
report-stopping-undecided = not decided after the last look: { $planned ->
    [one] the only sample was run
   *[other] all { $planned } samples were run
  }
report-stopping-ended = not decided by the end, after { $looked } of { $planned } samples
report-stopping-saved = not needed: { $calls ->
    [one] 1 execution
   *[other] { $calls } executions
  }{ $requests ->
    [0] {""}
    [one] {", "}1 request to judges
   *[other] {", "}{ $requests } requests to judges
  }
report-stopping-saved-cost = not needed: { $calls ->
    [one] 1 execution
   *[other] { $calls } executions
  }{ $requests ->
    [0] {""}
    [one] {", "}1 request to judges
   *[other] {", "}{ $requests } requests to judges
  }, about { $usd }
report-stopping-beyond = { $count ->
    [one] one sample was under way by then and counts in the cost only: { $list }
   *[other] { $count } samples were under way by then and count in the cost only: { $list }
  }
report-stopping-holds = the intervals of differences hold at every look
report-stopping-early = a gain that ends a run early is overstated: in simulations by up to 0.02 on average at a true gain of 0.5, up to 0.06 at 0.3, up to 0.12 at 0.2
report-stopping-left = { $count ->
    [one] 1 sample was
   *[other] { $count } samples were
  } not to be run (`--max-samples`)
report-stopping-no-p = a p-value for a fixed number of pairs doesn't hold at a number that the data chose
report-stopping-caution = intervals of single variants, effect sizes, agreement and gold are those for a number of samples fixed in advance: they describe what was run, and don't allow for the choice of when to end
report-stopping-cost-basis = each execution at the mean price of its variant's answers so far, each request to a judge at the mean of those made
report-stopping-cost-unknown = the price of an answer or of the judges is not known
report-stopping-cost-regrade = the answers are those of an earlier run: nothing would have been paid for
report-plan-row-stopping = looks
report-plan-mean-samples = if the difference is { $observed } again, about { $samples } of { $planned } samples ({ $calls } calls) are run until a look decides; without a difference, nearly all
report-as-stored-judge-calls = `stopping.judgeCallsSaved`: what judges would have been asked is not in the results
report-as-stored-saved = `stopping.costSavedEstimate`: it rests on what judges would have been asked

## formats
report-format-terminal = the summary that a command shows: verdict, why, numbers, what to do next
report-format-json = the whole report, for programs
report-format-markdown = a summary for a pull request or an issue
report-format-junit = JUnit XML for CI: a test for each sample or task
report-format-csv = a line for each execution, for spreadsheets and data frames
report-format-jsonl = a JSON object for each execution: scores, checks, costs, prompt and answer
report-format-html = one page with tables and plots, for a browser
report-format-inspect = logs of Inspect, a JSON file for each variant
report-format-otel = OpenTelemetry traces (OTLP JSON, GenAI conventions), one execution a line
report-format-atif = agent trajectories in ATIF, as Harbor has them, one execution a line
report-col-treatment = treatment
report-col-variant = variant
report-col-layer = layer
report-col-scores = control → treatment
report-col-difference = difference
report-col-preference = preference
report-col-p = p
report-col-outcomes = better / worse / equal
report-col-verdicts = won / lost / tied
report-col-pairs = pairs
report-col-samples = samples
report-col-why = why not
report-md-layers = layers
report-md-layer = { $layer ->
    [fact] fact
    [behavior] behavior
   *[judge] judge
  }
report-md-family = intervals and p hold for all { $family } treatments at once
report-md-more = { $count ->
    [one] and 1 more
   *[other] and { $count } more
  }
report-md-moved = what moved most: { $treatment }
report-md-excluded = { $count ->
    [one] 1 sample is left out: { $list }
   *[other] { $count } samples are left out: { $list }
  }
report-md-lost-checks = { $count } × { $check } could not be evaluated ({ $why })
report-md-foot = report `{ $id }`, omk { $version }
report-case-tripwire = the sample is meant to fail, so it decides nothing
report-case-regressed = it scores { $score }, and the control scores { $control }
report-case-preferred = judges prefer the control's answers: { $preference } on −1 to 1
report-case-unjudged = judges gave no verdict on it
report-by-title = by `{ $key }`
report-by-none = no sample has a `{ $key }`
report-by-without = (none)
report-by-samples = samples
report-by-tasks = tasks
report-by-more = These are the { $shown } rows with the most samples; { $count } more are left out.
report-by-capability = A sample with several capabilities is in the row of each. Intervals hold for all capabilities with at least 6 tasks at once; smaller ones have none.
report-by-describes = These rows describe; the verdict reads none of them, and none has an interval.
report-aa-title = the same artifact twice
report-aa-alarm = nothing differs but chance: PROGRESS and REGRESS are false alarms here
report-aa-still = no sample wavers: both runs score the same everywhere
report-aa-wavering = samples that waver most: { $list }
report-aa-sd = { $tasks ->
    [one] standard deviation of the differences: { $sd } points over 1 task
   *[other] standard deviation of the differences: { $sd } points over { $tasks } tasks
  }
report-aa-decisive = { $samples ->
    [one] about 1 sample decides whether there is a difference of { $effect }, if it wavers like this
   *[other] about { $samples } samples decide whether there is a difference of { $effect }, if they waver like this
  }

## omk show
sample-title = `{ $sample }` in { $report }
sample-score = `{ $variant }`: { $score }
sample-scores = `{ $control }` { $from }, `{ $treatment }` { $to }
sample-difference = `{ $control }` { $from } → `{ $treatment }` { $to } ({ $difference })
sample-excluded = not compared with `{ $treatment }`: { $why }
sample-asked = asked:
sample-asked-in = {"  "}asked: see { $path }
sample-tripwire = meant to fail: it counts in no score
sample-held-out = held out: who tunes on it spoils it
sample-pairwise = judges compare its answers instead of scoring them
sample-checks = checks
sample-passed = passed
sample-failed = failed
sample-unavailable = not evaluated
sample-found = found { $actual }
sample-why = { $number } in `{ $variant }`: { $why }
sample-answer = `{ $variant }`: { $about }
sample-run = `{ $variant }`, run { $number }: { $about }
sample-mixed = the runs ended differently
sample-tokens = { $count } tokens
sample-regraded = answered in the run that is graded again
sample-cached = from the cache
sample-no-text = there is no text
sample-partial = received before it failed, never scored:
sample-missing = no score: { $why }
sample-more-lines = { $count ->
    [one] 1 more line: `--json`
   *[other] { $count } more lines: `--json`
  }
sample-opinion = judge `{ $judge }`{ $asked ->
    [none] {""}
   *[other] {" "}on { $asked }
  }: { $score }
sample-tools = { $count ->
    [one] 1 call of a tool
   *[other] { $count } calls of tools
  }
sample-more-calls = { $count ->
    [one] 1 more call: `--json`
   *[other] { $count } more calls: `--json`
  }
sample-no-result = no result was seen
sample-empty-result = (empty)
sample-tool-result = → { $text }
sample-tool-failed = failed → { $text }
sample-tool-not-run = not run → { $text }

## the comment on a pull request
report-format-github = comment on a pull request: verdict, table, what got worse
report-format-github-annotations = commands of GitHub Actions that show notes where the artifact changed
report-format-gitlab = Code Quality report of GitLab
report-format-otel-logs = OpenTelemetry events: what the evaluation says of each answer (`gen_ai.evaluation.result`)
comment-cost = cost per answer
comment-worse = Worse: { $count ->
    [one] 1 sample
   *[other] { $count } samples
  }
comment-answers = Both answers to { $sample }
comment-page = Every sample, with both answers
comment-earlier = Before:
comment-more = Better, doubts, commands
comment-annotation = { $diff } points against the control ({ $control } → { $treatment })
