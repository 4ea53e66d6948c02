## what is wrong with the samples themselves
quality-formula = 100 minus the points of all findings; points = weight × min(1, 2 × affected / checked), rounded to one decimal; what could not be checked takes nothing
quality-duplicates = { $count } of { $total } samples repeat another one, in the same words or nearly
quality-duplicates-exact = the same prompt and context
quality-duplicates-near = { $percent } % alike
quality-duplicates-advice = drop or change them: they cost calls, and the interval counts each group once
quality-leaks = { $count } of { $total } prompts give away what the assertions look for
quality-leak = `{ $text }` (assertion { $assertion }) stands in the prompt: { $given } of { $total } checks for a text given away
quality-leaks-advice = ask without the answer's words, or check for what only an answer can have
quality-rubrics = { $count } of { $total } rubrics are ambiguous
quality-rubric-short = `{ $text }` asks for nothing definite
quality-rubric-spread = judges' opinions of one answer differ by a standard deviation of { $sd } points
quality-rubrics-advice = say what an answer must have, or what each score stands for
quality-capabilities = { $count } of { $total } capabilities have fewer than { $least } samples
quality-capability = `{ $name }`: { $count ->
    [one] 1 sample
   *[other] { $count } samples
  }
quality-capabilities-advice = add samples before you say anything about a capability: fewer than { $least } can't show a difference
quality-items = { $count } of { $total } samples don't go with the rest of the test set
quality-item = correlation with the rest { $r }, 95 % interval { $low } to { $high }
quality-items-advice = read them: a wrong check, another subject, or one on which the loser of the whole wins
quality-questions = { $count } of { $total } questions that many samples share don't go with their other questions
quality-question = `{ $question }`: correlation with the rest { $r }, 95 % interval { $low } to { $high }
quality-questions-advice = read them: they may be wrong, or measure something else on purpose, such as length
quality-costs = { $count } of { $total } samples cost far more than the others
quality-cost = { $usd } per answer, { $factor } times the median
quality-costs-advice = see whether they need to be so large; they decide what a run costs
quality-latencies = { $count } of { $total } samples take far longer than the others
quality-latency = { $seconds } s per answer, { $factor } times the median
quality-latencies-advice = see whether they need to be so large, or only the provider was slow

## why something was not checked
quality-why-nothing = no check could be made
quality-why-run = it takes a run
quality-why-one-sample = there is no other sample to compare with
quality-why-no-capability = no sample names a `capability`
quality-why-no-rubric = nothing is judged by a rubric
quality-why-no-text-check = no assertion looks for a text that a prompt could hold
quality-why-no-cost = the price of the answers is unknown
quality-why-no-latency = the time of the answers is unknown
quality-why-few-runs = it takes { $needed } runs of the test set (variants × repeats), and there { $count ->
    [one] is 1
   *[other] are { $count }
  }
quality-why-few-samples = it takes two questions that { $needed } samples share
quality-why-no-variance = nowhere is there enough variance for a correlation

## in a summary
quality-line = sample quality: { $score }
quality-score = { $score } of 100
quality-score-partly = { $score } of 100, by { $checked } of { $total } checks
quality-score-none = not scored: { $why }
quality-finding = { $text } (−{ $points })
quality-finding-with = { $text }: { $list }; { $advice }
quality-case = { $samples } ({ $detail })
quality-more = { $count ->
    [one] 1 more finding is in the report
   *[other] { $count } more findings are in the report
  }
quality-row = samples
quality-row-none = nothing found by { $checked } of { $total } checks; the others take a run, or something to check
