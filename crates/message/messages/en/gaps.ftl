## knowledge gaps: what agents looked for and didn't find
gaps-notice = This metric only reflects the interaction between the current test set and the knowledge base, and does not represent the knowledge base's absolute completeness.
gaps-rate = `{ $variant }`: gap rate { $rate } % (95 % interval { $low } to { $high } %), weighted { $weighted } %, on { $samples } of { $count ->
    [one] 1 sample
   *[other] { $count } samples
  } of { $set } ({ $path })
gaps-none-executed = `{ $variant }`: no gap rate, because no execution has a trace; { $count ->
    [one] 1 sample
   *[other] { $count } samples
  } of { $set }
gaps-title = Knowledge gaps
gaps-signals = Signals of `{ $variant }`
gaps-kinds = signals: failed searches { $failed }, repeated failures { $repeated }, explicit markers { $markers }, sentences of doubt { $hedging }
gaps-second-look = sentences of doubt: the patterns found { $found }; a model confirmed { $confirmed }, took { $dropped } for no doubt, and { $unjudged ->
    [0] judged all of them
   *[other] did not judge { $unjudged }, which are kept ({ $beyond } beyond the limit, { $budget } by budget, { $failed } failed, { $unreadable } unreadable, { $ended } when the run ended)
  }
gaps-wanted = write these pages first (samples that looked for it in vain): { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-wanted-question = "{ $question }" looked for { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-wanted-code = code that was looked for in vain (samples): { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-guessed = taken for searches by their names: { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }; `gap.searchTools` in eval.yaml says which tools search
gaps-soft = 10 percentage points or more of the gap rate rest on what agents only say; read these signals before you trust it
gaps-failed-search = { $sample }{ $runs ->
    [none] {""}
   *[other] {" "}(run { $runs })
  }, turn { $turn }: nothing found for `{ $subject }`{ $intent ->
    [lookup] {" "}(lookup)
    [exploration] {" "}(exploration)
    [verification] {" "}(verification)
   *[other] {""}
  }
gaps-repeated-failure = { $sample }{ $runs ->
    [none] {""}
   *[other] {" "}(run { $runs })
  }, turn { $turn }: { $calls } searches failed one after the other, the first for `{ $subject }`
gaps-explicit-marker = { $sample }{ $runs ->
    [none] {""}
   *[other] {" "}(run { $runs })
  }, turn { $turn }: the agent marks a gap: { $subject }
gaps-hedging = { $sample }{ $runs ->
    [none] {""}
   *[other] {" "}(run { $runs })
  }, turn { $turn }: the agent doubts: { $subject }
gaps-hedging-judged = { $sample }{ $runs ->
    [none] {""}
   *[other] {" "}(run { $runs })
  }, turn { $turn }: { $verdict ->
    [doubt] the agent doubts: { $subject } (confirmed by the model, confidence { $confidence }: { $reason })
   *[other] no doubt by the model: { $subject } (confidence { $confidence }: { $reason })
  }
gaps-more = { $more ->
    [one] 1 more
   *[other] { $more } more
  } in `analysis.gap` of the report
gaps-more-samples = { $more ->
    [one] 1 more
   *[other] { $more } more
  }, on the pages of their samples
gaps-guard-high = the gap rate, { $rate } % on the { $count } samples of { $set } ({ $path }), is above the { $limit } % of `--max-gap-rate`; the inventory says what was looked for; this metric only reflects the interaction between the current test set and the knowledge base, and does not represent the knowledge base's absolute completeness
gaps-guard-risen = the gap rate on the { $count } samples of { $set } ({ $path }) rose from { $before } % (report { $report }) to { $rate } %, by more than the { $limit } percentage points of `--gap-rate-regression`; this metric only reflects the interaction between the current test set and the knowledge base, and does not represent the knowledge base's absolute completeness
gaps-guard-unmeasured = there is no gap rate on { $set }: no execution has a trace that says what was looked for. A guard that can't measure doesn't pass; use an executor with traces, or drop the guard
gaps-guard-other-set = report { $report }, the last one, holds for another test set, { $before }, than this one, { $set }: gap rates of different test sets can't be compared, and `--gap-rate-regression` refuses. The next run is compared with this report
gaps-guard-first = `--gap-rate-regression` has nothing to compare `{ $variant }` with: no earlier complete report has its gap rate on { $set }. The next run is compared with this report
gaps-coverage-title = Coverage of the knowledge base
gaps-coverage-files = Files of `{ $variant }`
gaps-coverage-share = `{ $variant }`: { $accessed } of { $total } files of the knowledge base were accessed ({ $share } %), by { $samples } of { $count } samples of { $set } ({ $path })
gaps-coverage-nothing = `{ $variant }`: nothing was looked up, so there is no coverage of the { $total } files of the knowledge base; { $count } samples of { $set }
gaps-coverage-read = { $path }: read by { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-coverage-match = { $path }: lines found by searches of { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-coverage-list = { $path }: seen in lists by { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
gaps-coverage-more = { $more } more files in `analysis.coverage` of the report
gaps-coverage-uncovered = accessed by no sample: { $list }{ $more ->
    [0] {""}
   *[other] , and { $more } more
  }
gaps-curve = `{ $variant }` on { $set } ({ $path }; { $count ->
    [one] 1 sample
   *[other] { $count } samples
  }): gap rate { $runs ->
    [one] { $last } in one run
   *[other] { $first } → { $last } over { $runs } runs
  }
gaps-curve-changes = ▼ { $count ->
    [one] before one run, what agents can read had changed
   *[other] before { $count } runs, what agents can read had changed
  }
gaps-reading-falls = The rate fell with what was added: on { $set }, the knowledge base converges.
gaps-reading-flat = The rate hardly moved: what was added is not what these samples lack. See which files no sample accessed, and which pages to write first.
gaps-reading-rises = The rate rose on the same samples ({ $set }): see what the knowledge base lost, and what else changed. A rate on harder samples would stand in another plot.
gaps-reading-near-zero = A rate near 0 is no finish line: these samples meet no wall, and other ones may. Expand the sample set to probe new areas.
gaps-knowledge-added = { $count ->
    [one] 1 file added
   *[other] { $count } files added
  } ({ $names }{ $more ->
    [0] {""}
   *[other] , and { $more } more
  })
gaps-knowledge-changed = { $count ->
    [one] 1 file changed
   *[other] { $count } files changed
  } ({ $names }{ $more ->
    [0] {""}
   *[other] , and { $more } more
  })
gaps-knowledge-removed = { $count ->
    [one] 1 file removed
   *[other] { $count } files removed
  } ({ $names }{ $more ->
    [0] {""}
   *[other] , and { $more } more
  })
gaps-knowledge-artifact = the artifact changed
gaps-knowledge-artifact-commit = the artifact changed: { $commit }
gaps-proposed = a model proposed the samples of { $set }: their rate stands beside that of samples which people designed, never in one number with it
gaps-beside = beside it, on { $count ->
    [one] the sample
   *[other] the { $count } samples
  } of { $set } ({ $path }), which { $kind ->
    [model] a model proposed
   *[other] people designed
  }: gap rate { $rate } % (report { $report })
gaps-domesticated = ⚠ The current sample set's gap rate has been at or below 10 % for { $count } evaluations in a row ({ $set }). Consider expanding the sample set to probe new areas, otherwise the drop in gap rate may only reflect "sample domestication" rather than "knowledge filled in".
gaps-came-back = came back: `{ $subject }` ({ $id }) was marked as done on { $at }, and { $sample } wants it again
gaps-merged = one page would answer these, says the model: { $list } (confidence { $confidence }: { $reason })
gaps-merging-asking = asking { $judge } which of { $count } missing things are the same ({ $all } in all)
gaps-merging-none = nothing is merged: { $why }
gaps-list-none = the report has no gap that could be closed
gaps-list-id = gap
gaps-list-status = status
gaps-list-samples = samples
gaps-list-question = question
gaps-list-exists = { $id } exists, not found: { $list }
gaps-list-subject = what was looked for
gaps-list-back = done, came back
gaps-list-dismissed = dismissed
gaps-list-open = open
gaps-list-reason = { $id } is dismissed: { $reason }
gaps-status-unreadable = cannot read `{ $path }`: { $why }
