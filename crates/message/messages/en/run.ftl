# run

run-journal-missing = there is no journal `{ $path }`; `--resume latest` takes the last one
run-journal-exists = the journal `{ $path }` is there already; resume it, or start a run with another id
run-journal-locked = the journal `{ $path }` is being written by another process; wait until that run has ended, or stop it
run-journal-version = the journal `{ $path }` has version { $version }, and this program reads version { $reads }: resume it with the program that wrote it, or start the run again
run-journal-no-header = the journal `{ $path }` was cut before its first line was whole, so nothing had run; start the run again without `--resume`
run-journal-bad-header = the first line of the journal `{ $path }` can't be read ({ $why }), so what was run isn't known; restore the file, or start the run again without `--resume`
run-journal-corrupt = line { $line } of the journal `{ $path }` can't be read ({ $why }); restore the file, or leave out `--strict-journal` to ask again what it held
run-journal-deleted = { $count ->
    [one] 1 line was
   *[other] { $count } lines were
  } deleted from the journal `{ $path }`, and asked again, other answers would replace what they held; restore the file, or begin a new run, which takes what it can from the cache
run-journal-edited = line { $line } of the journal `{ $path }` was changed after it was written; restore the file, or leave out `--strict-journal` to ask again what it held
run-journal-more-lines = { $count ->
    [one] 1 more line is left out
   *[other] { $count } more lines are left out
}
run-journal-line-unreadable = line { $line } of the journal `{ $path }` can't be read ({ $why }) and is left out; what it held is asked again on resume
run-journal-line-edited = line { $line } of the journal `{ $path }` was changed after it was written and is left out; what it held is asked again on resume
run-settings-changed = settings or program have changed since run `{ $id }` began; resume with those it began with, or start a new run
run-inputs-changed = inputs have changed since run `{ $id }` began: { $inputs }; restore them, or start a new run
run-cannot-lock = can't lock `{ $path }`: { $why }; keep journals on a disk whose file system has locks (`OMK_HOME`)
run-cannot-open = can't read `{ $path }`: { $why }
run-optional-let-be = not asked, because the last { $failures } requests failed or got unreadable replies
run-cannot-create = can't create the journal `{ $path }`: { $why }; nothing was executed
run-cannot-write = can't write `{ $path }`: { $why }; what was written before is kept and can be resumed
run-only-limited = `{ $provider }` has answered every call for { $seconds } s with "too many requests"; resume later
run-budget-spent = { $spent } of the budget of { $budget } are spent and another call may not fit; resume with a larger `--budget-usd`
run-budget-unknown-cost = a call cost nobody knows what, so the budget can't be kept; give the model a price, or allow unknown costs
run-sample-budget-usd = sample `{ $sample }` has cost { $spent } of its { $budget }; raise `--budget-per-sample-usd` to run it
run-sample-budget-ms = sample `{ $sample }` has used its { $budget } ms; raise `--budget-per-sample-ms` to run it
run-come-back = `{ $provider }` wants no calls for { $minutes ->
    [one] one minute
   *[other] { $minutes } minutes
}; resume after { $at }
run-come-back-late = `{ $provider }` wants no calls for more than a day; check its account and limits, then resume
run-overran = no end { $seconds } s after the start and past the time limit: given up
run-interrupted = the run was interrupted; resume it to make this call
run-cache-not-kept = answers could not be kept in the cache: { $why }
