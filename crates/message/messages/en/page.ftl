# page: a report's page

page-title = { $treatments } against { $control }
page-title-solo = { $variant }
page-why = Why it is doubtful
page-arms = In numbers
page-fallen-title = Checks that got worse
page-fallen = { $check }: { $control } → { $treatment }
page-and-more = and { $count } more
page-samples-title = Samples
page-samples = { $count ->
    [one] 1 sample
   *[other] { $count } samples
}
page-search = Search
page-any-capability = all capabilities
page-any-difficulty = all difficulties
page-apply = Apply
page-asked = Asked
page-good = A good answer means
page-checks = Checks
page-check = Check
page-reasons = reasons
page-answers = Answers
page-terminal = In a terminal:
page-feedback = Your opinion
page-feedback-blind = given blind
page-feedback-left = { $count ->
    [one] One older opinion is
   *[other] { $count } older opinions are
} in `feedback` of the report only.
page-feedback-open = given with the names in sight
page-rating = Stars
page-comment = Comment
page-send = Send
page-previous = previous
page-next = next
page-all-runs = all runs
page-theme = Light / dark
page-tools = Calls of tools: { $list }{ $alone ->
        [0] {""}
       *[other] ; { $alone } not in every variant
    }
page-tools-more = { $count } more are in the report.
page-tool-at = after { $time }
page-view-run = run
page-view-difference = difference
page-view-marked = marked
page-view-plain = plain
page-keys = Keys
page-key-next = next and previous sample
page-key-open = open the sample
page-key-close = close it, or leave the search
page-key-search = search
page-key-filter = only worse, better, equal
page-key-run = only this run of the open sample, or all again
page-key-marked = answers marked up, or plain
page-key-help = these keys
page-filter-all = all
page-filter-worse = worse
page-filter-better = better
page-filter-equal = equal
page-filter-different = different
page-filter-flipped = flipped
page-filter-wavering = wavering
page-filter-left-out = not compared
page-filter-failed = without an answer
page-word-worse = worse
page-word-better = better
page-word-equal = equal
page-word-left-out = not compared
page-word-none = no difference known
page-tag-tripwire = tripwire
page-cut = The file would be too large: the answers of { $equal ->
    [one] 1 sample
   *[other] { $equal } samples
} without a difference are left out; the report itself has them.
page-judge = judge
page-judge-of = judge: { $dimension }
page-run = run { $number }
page-no-texts = The report doesn't have the prompt: it was made with --no-texts.
page-no-text = no text ({ $bytes } bytes)
page-answer-cut = The first 64 KB of { $bytes } bytes; the report has all of it.
page-tool-failed = failed
page-tool-not-run = not run
page-tool-no-match = nothing found
page-tool-mock = answered by a mock
page-plot-differences = Every sample: treatment − control
page-plot-differences-of = Every sample: { $treatment } − control
page-plot-counts = ▲ { $wins } better, ▼ { $losses } worse, ● { $ties } equal.
page-plot-mean = ◆ Mean { $mean } points, interval { $low } to { $high }; the band is what doesn't matter (±{ $limit }).
page-plot-mean-point = ◆ Mean { $mean } points, without an interval; the band is what doesn't matter (±{ $limit }).
page-plot-parts = By layer and part
page-plot-parts-of = By layer and part: { $treatment }
page-plot-parts-more = { $count } more
page-plot-costs = Score against the cost of an answer
page-plot-costs-caption = Further left is cheaper, higher is better: { $list }. Filled: nothing else is better at the same cost or cheaper.
page-plot-saturation = Is it enough? The width of the interval by number of samples
page-plot-saturation-caption = With { $n } samples the interval is { $width } points wide; the dashed line is the 1/√n law.
page-row-cost = cost of an answer
page-row-time = time of an answer
page-row-tokens = tokens of an answer
page-row-stable = samples that don't waver
page-unscored = { $count } not evaluated
page-extra-moved = Differences in detail
page-extra-enough = Is it enough?
page-extra-judges = Judges
page-extra-noticed = What else was noticed
page-extra-quality = Quality of the samples
page-extra-artifacts = What differs between the artifacts
page-extra-method = Method and reproduction
page-method-test-set = Test set { $id }, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
page-method-executor = Executor { $executor }, version { $version }, model { $model }
page-method-artifacts = Artifacts, by the beginning of their SHA-256: { $list }
page-method-seed = Seed { $seed }; intervals: { $interval }
page-method-judges = Judges: { $judges }; prompt { $template } { $hash }
page-method-again = Compute it again from its own results: omk report verdict { $id }

## people and judges
people-title = People and judges
people-count = { $ratings ->
    [0] Nobody's rating stands beside a judge's score yet
    [one] One rating
   *[other] { $ratings } ratings
}{ $readers ->
    [0] .
    [one] {" "}(one person).
   *[other] {" "}({ $readers } people).
}
people-blind = Given blind: { $blind } of { $ratings }.
people-no-agreement = Agreement with the judge can't be computed yet: it needs stars for answers that the judge scored.
people-agreement = judge and people
people-few = { $n } are too few to rely on: read the intervals, and collect at least { $enough }.
people-unjudged = { $count ->
    [one] One rating is of an answer
   *[other] { $count } ratings are of answers
} that the judge gave no single score; it is not compared.
people-withdrawn = { $count ->
    [one] One rating was settled as wrong and counts
   *[other] { $count } ratings were settled as wrong and count
} no longer.
people-preferred = People prefer `{ $treatment }` on { $better ->
    [one] 1 sample
   *[other] { $better } samples
  }, `{ $control }` on { $worse }, neither on { $alike } ({ $opinions ->
    [one] 1 opinion
   *[other] { $opinions } opinions
  }, { $blind } of them blind).
people-share = Of the { $n } that are decided, `{ $treatment }` wins { $share } (95 % interval { $low } to { $high }).
people-judge-share = The judge prefers the same answer on { $agrees } of { $judged } (95 % interval { $low } to { $high }).
people-as-given = As the ratings were given, { $agreement }. Settling looks at disagreements only, so what is left flatters the judge.
people-scores = { $person }: { $rating } of 5 stars, judge: { $judge } ({ $difference })
people-gold-scores = { $person }, { $question }: { $score }, judge: { $judge } ({ $difference })
people-gold-settle-with = settle one with: omk gold settle { $report } SAMPLE VARIANT --gold-dir { $dir } --wrong gold|judge
people-settled-gold = settled: the rating is wrong
people-settled-judge = settled: the judge is wrong
people-no-disputes = No rating is a point or more away from the judge's score.
people-disputes = { $count ->
    [0] No disagreement
    [one] One disagreement
   *[other] { $count } disagreements
}
people-dispute-of = Gold wrong, or judge wrong? { $number } of { $count }
people-dispute = `{ $sample }`, `{ $variant }`: { $scores }
people-said = comment: { $text }
people-judge-said = judge: { $text }
people-settle-with = settle one with: omk gold settle { $report } SAMPLE VARIANT --wrong gold|judge
people-reasons = The judge's reason
people-gold-wrong = Gold is wrong
people-gold-wrong-about = The rating counts no longer: neither in the agreement nor as gold.
people-judge-wrong = Judge is wrong
people-judge-wrong-about = The rating stays and is confirmed. The run's score and verdict don't change; as gold it corrects later runs.
people-settle-bias = Only disagreements come here, so what remains afterwards agrees more often than a random sample would: rely on the agreement as given.
people-gold-command = As gold:
page-feedback-than = { $how ->
    [much-better] much better than { $than }
    [better] better than { $than }
    [alike] as good as { $than }
    [worse] worse than { $than }
   *[much-worse] much worse than { $than }
}

page-extra-urls = Pages in the prompts
page-url = { $url } ({ $samples }): { $what }
page-url-http = { $bytes } bytes over HTTP ({ $kind }), { $time }, SHA-256 { $hash }
page-url-mcp = { $bytes } bytes by MCP server { $server }, { $time }, SHA-256 { $hash }
page-url-final = , redirected to { $url }
page-url-missing = stayed as text: { $why }
page-url-followed = ; taken to end before `{ $rest }`, which follows at once
