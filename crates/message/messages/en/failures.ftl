## `omk failures`
failures-title = { $failed } of { $results } results failed
failures-title-of = { $failed } of { $results } results of `{ $variant }` failed
failures-none = none of { $results } results failed
failures-none-of = none of { $results } results of `{ $variant }` failed
failures-rule = a result fails when no complete answer came, an assertion failed, or judges scored it under { $threshold }
failures-not-needed = { $count ->
    [one] 1 result was not needed, since the run was decided without it, and is left out
   *[other] { $count } results were not needed, since the run was decided without them, and are left out
  }
failures-unscored = { $count ->
    [one] 1 result could not be scored and is in no cluster
   *[other] { $count } results could not be scored and are in no cluster
  }
failures-not-run = { $count ->
    [one] 1 result never ran and is in no cluster
   *[other] { $count } results never ran and are in no cluster
  }
failures-tripwires = { $count ->
    [one] 1 result of a sample that is meant to fail is left out
   *[other] { $count } results of samples that are meant to fail are left out
  }
failures-held-out = { $count ->
    [one] 1 result of a held-out sample is left out: a holdout that is read is none
   *[other] { $count } results of held-out samples are left out: a holdout that is read is none
  }
failures-beyond = { $count ->
    [one] 1 result that was only under way when the run was decided is left out
   *[other] { $count } results that were only under way when the run was decided are left out
  }
failures-cluster = { $number }. { $count ->
    [one] 1 result
   *[other] { $count } results
  }, { $share } of all failures: { $what }
failures-labelled = { $head } — { $label }
failures-by-failure = no complete answer
failures-by-checks = the same checks failed
failures-by-outputs = the answers are alike
failures-by-check = one failing check in common
failures-by-types = failing checks of the same types: { $types }
failures-check = { $check } (in { $count })
failures-more-checks = { $count ->
    [one] … and 1 more check
   *[other] … and { $count } more checks
  }
failures-variants = by variant: { $list }
failures-new = worse with `{ $treatment }`: new on { $new }, gone on { $fixed }, in both on { $common } (samples)
failures-fixed = better with `{ $treatment }`: new on { $new }, gone on { $fixed }, in both on { $common } (samples)
failures-common = as often with `{ $treatment }`: new on { $new }, gone on { $fixed }, in both on { $common } (samples)
failures-samples = { $count ->
    [one] 1 sample
   *[other] { $count } samples
  }: { $list }
failures-example = { $sample } by `{ $variant }`: { $output }
failures-example-alike = { $sample } by `{ $variant }` ({ $alike } are alike): { $output }
failures-empty = (nothing)
failures-more = { $count ->
    [one] 1 more cluster: `--json` has it
   *[other] { $count } more clusters: `--json` has up to 100
  }
failures-no-label = no name: { $why }
failures-labels = names by { $judge }: { $named } of { $asked }, cost { $cost }; they change no cluster
failures-cost-unknown = unknown
