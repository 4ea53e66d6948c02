# site: the pages of the report server around the reports

site-skip = skip to the content
site-navigation = pages
site-foot = { $program } shows this from files on this machine, and to this machine only
site-runs = Runs
site-trends = Trends
site-run = run
site-diff = Difference of two runs
site-search = search
site-filter = filter
site-reset = show all
site-all = all
site-pages = further pages
site-artifact = artifact
site-test-set = sample file
site-project = project
site-when = when
site-what = what
site-result = result
site-samples = samples
site-sample = sample
site-commit = commit
site-pick = choose
site-compare = compare
site-compare-help = tick two runs to compare them:
site-none = none
site-invalid = no verdict
site-passed = passed
site-failed = failed
site-ungated = no gate
site-incomplete = incomplete
site-row-result = { $treatment }: { $result }
site-row-title = { $treatments } against { $control }
site-list-count = { $count ->
    [one] { $count } report
   *[other] { $count } reports
}
site-list-none = No report fits these choices.
site-list-empty = There is no report yet. `{ $program } eval` writes one.
site-unreadable = Files that can't be read as reports

## a run under way
site-live-now = Running now
site-live-label = Progress
site-live-progress = { $finished } of { $planned } executions
site-live-finished = { $finished ->
    [one] 1 execution
   *[other] { $finished } executions
  }
site-live-running = under way since { $time } (UTC)
site-live-stopped = begun { $time } (UTC) and stopped before its report; go on with it: { $command }
site-live-reload = reload
site-live-note = Scores and a verdict follow with the report: whoever decides by looking at a run under way sees differences that are chance.
site-live-note-stops = The run ends by itself with the look that decides it; scores and a verdict follow with the report.
site-live-looks = look { $look } of { $looks } under way: { $samples } of at most { $planned } samples are finished, in an order drawn before the run
site-live-none-failed = none failed
site-live-failed = { $count } failed: { $list }
site-live-spent = { $spent } spent
site-live-spent-of = { $spent } of { $budget } spent
site-live-spent-more = { $spent } spent that is known, and more that isn't
site-live-spent-of-more = { $spent } of { $budget } spent that is known, and more that isn't
site-live-spent-assumed = { $spent } ({ $assumed } of it estimated for failed calls)
site-live-awaited = Waiting for
site-live-call = { $who ->
    [judge] { $cell }, its judge: { $seconds }
   *[other] { $cell }: { $seconds }
}

## trends
site-trend-intro = The score of each artifact over its runs, 1 to 5 points, with 95 % intervals. Only runs on the same samples with the same model, judge and settings are joined. ▼ marks another version of the artifact than before; + after its commit, that what was measured is not what the commit has.
site-trend-breaks = not comparable with the runs before:
site-trend-back = a series that began earlier
site-trend-more = { $count ->
    [one] { $count } more artifact; choose a sample file or an artifact to see it
   *[other] { $count } more artifacts; choose a sample file or an artifact to see them
}

## the difference of two runs
site-diff-comparable = Can they be compared?
site-diff-settings-same = model, judge and settings are the same
site-diff-swap = swap A and B
site-diff-force = compare the samples that both share
site-diff-mean = { $a } → { $b } points: { $mean } over { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
}
site-diff-failing = newly failing
site-diff-passing = newly passing
site-diff-samples = Samples that moved, the largest falls first
site-diff-left-out = not compared
site-trend-intro-skills = The completion rate of each callable skill over its evaluations, with 95 % intervals. Only evaluations on the same contents of a benchmark are joined.
site-trend-benchmark = the benchmark's contents: { $version }
site-trend-skill = the skill's files are others than before ({ $version })
site-diff-benchmark-same = the benchmark { $benchmark } is the same
site-diff-benchmark-other = the benchmarks have other contents: { $a }, { $b }
site-diff-skill-settings-same = the settings are the same
site-diff-kinds = a comparison of artifacts and an evaluation of callable skills have nothing to compare
site-diff-choose = two runs are needed: `/diff?a=ID&b=ID`
site-diff-choose-help = tick two in the list

## errors
site-error = Error { $status }
site-back = to the list of runs
site-no-report = there is no report `{ $name }` in { $dir }
site-no-report-help = the list has all there are
site-no-page = there is no such page
site-report-changed = `{ $path }` was changed while it was read; reload the page
site-no-sample = report `{ $report }` has no sample `{ $sample }`
site-no-format = `{ $format }` is no format of this report: there are { $known }
site-no-method = this address takes { $methods } only
site-foreign-host = refused: the request is for another host
site-foreign-host-help = open the address that the program printed
site-cross-site = refused: the request comes from another site
site-too-large = refused: the request is larger than { $limit } bytes
site-busy = too many at once: try again in a moment
site-slow = the request took too long to arrive
site-failed-page = the page could not be made: { $why }
site-feedback-shape = no feedback: { $why }
site-feedback-type = feedback is JSON or a form
site-feedback-object = feedback is a JSON object, such as `{ $example }`
site-feedback-sealed = the names of this run are hidden: opinions are given on its page for blind reading, and elsewhere by label (such as `Variant A`) only. After the reveal they are taken by name
site-feedback-sealed-named = the names of this run are hidden: until they are revealed, opinions are given on its page for blind reading only
site-feedback-sample = the report has no sample `{ $sample }`
site-feedback-variant = the report has no variant `{ $variant }`
site-feedback-rating = `{ $rating }` is no rating: give a whole number from 1 to 5, or none with a comment alone
site-feedback-empty = neither a rating nor a comment: give one of them
site-feedback-long = the comment has more than { $limit } bytes: shorten it
site-feedback-kind = evaluations of callable skills take no feedback

## reading blind
site-blind = blind
site-blind-row = Answers that are judged blind
site-blind-title = Which answer is better? { $number } of { $total }
site-blind-title-rated = How good is each answer? { $number } of { $total }
site-blind-done = All answers are judged
site-blind-progress = { $judged } of { $total } judged
site-blind-intro = Names, scores, costs and lengths are hidden; which answer is A is drawn for each sample.
site-blind-intro-rated = Names, scores, costs and lengths are hidden; the order of the answers is drawn for each sample. Give each answer stars: 5 is best, equal stars are a tie.
site-blind-left-out = { $count ->
    [one] One sample is
   *[other] { $count } samples are
} left out: fewer than two variants have an answer to show.
site-blind-was-open = What you sent last came from a page that was opened while names were in sight: it is stored, but does not count as blind.
site-blind-unrated = give each answer stars: equal stars are a tie
site-blind-unjudged = a note needs an opinion beside it: choose which answer is better, or give stars
site-blind-store = Store and go on
site-blind-answer = Answer
site-blind-cut = Only its beginning is shown.
site-blind-question = Which answer is better?
site-blind-a-much = A much better
site-blind-a = A better
site-blind-same = alike
site-blind-b = B better
site-blind-b-much = B much better
site-blind-note = Note
site-blind-by = Your name
site-blind-stars = Stars for each answer, to compare with the judge
site-blind-keys = Keys: 1–5 choose and go on, n note, Esc leaves it, j k next and previous
site-blind-keys-rated = Keys: 1–5 stars for the next answer, Backspace takes the last ones back, Enter stores and goes on, n note, Esc leaves it, j k next and previous
site-blind-empty = There is nothing to compare: no sample has answers of two variants.
site-blind-again = look through them again
site-blind-reveal = Reveal the names
site-blind-reveal-about = This opens the run for everybody: names, verdict and costs. The time is recorded, and opinions from then on are no longer marked as blind.
site-blind-reveal-button = Reveal now
site-blind-closed = this comparison is judged blind: names, scores and costs are hidden until they are revealed
site-blind-closed-help = judge it on its page, reveal it there, or with `omk report reveal ID`
site-blind-stale = the sides were drawn anew meanwhile: open the page again
site-blind-no-number = there are no answers with the number { $number } to judge: this run has { $total }. Open its page without a number
site-blind-start-title = Judge blind
site-blind-start-about = All answers to one sample at a time, without names, scores, costs or lengths; which one is A is drawn for each sample. Until the names are revealed, the run's other pages and its exports are closed on this server.
site-blind-start-solo = There is one variant only: nothing to compare.
site-blind-start-button = Start
site-blind-back = to the run
site-blind-revealed = The names were revealed on { $when } (UTC).
site-form-only = this address takes a form
site-settle-unknown = `{ $settled }` settles nothing: it is `gold-wrong` or `judge-wrong`
site-settle-none = there is no rating of this answer

## analyses
site-analyses = Real use
site-analyses-intro = How skills do in the sessions that agents keep on disk: stored observations, the newest first.
site-analyses-compare-help = tick two observations to put them side by side:
site-analyses-none = there is no stored observation: `omk observe` makes one
site-analyses-more = { $count ->
    [one] 1 older observation is not listed
   *[other] { $count } older observations are not listed
  }
site-analyses-compare = Two observations side by side
site-analyses-choose = two observations are needed: `/analyses/compare?a=ID&b=ID`
site-analysis = Skills in real use
site-analysis-no-skill = Without a skill
site-analysis-left = Not loaded, not read
site-no-analysis = there is no stored observation `{ $name }`
site-band-green = green
site-band-yellow = yellow
site-band-red = red
site-band-low = { $band }? few segments
site-band-none = too few segments
