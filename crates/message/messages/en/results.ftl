# Results of other tools: reading, matching, and what is said of them.
results-absent = the files have no result for it
results-recorded = `{ $tool }` recorded an error in place of an answer
results-ungraded = the files have no score for it
results-ungraded-why = it could not be graded: { $why }
results-reason = { $text }

## reading
results-cannot-read = can't read `{ $file }`: { $why }
results-directory = `{ $file }` is a directory
results-directory-help = name the file of results in it; of folders, those of skill-creator are read (`EVAL/CONFIGURATION/run-N/grading.json`)
results-iterations = `{ $file }` holds the runs of several iterations: { $folders }
results-iterations-help = name one of them: the same eval is another trial in each
results-many-folders = `{ $file }` has more than { $most } folders
results-no-file = `{ $file }` is no regular file
results-no-file-help = write the results to a file first, such as `your-command > results.jsonl`
results-too-large = `{ $file }` has { $megabytes } MB; at most { $most } MB are read
results-too-large-help = split it, or export only id, arm, score and error of each result as CSV
results-too-many = `{ $file }` has more than { $most } results
results-long-line = `{ $place }`: the line is longer than { $most } MB
results-not-utf8 = `{ $place }`: the text isn't UTF-8
results-not-utf8-help = save the file as UTF-8
results-bad-json = `{ $place }`: { $why }
results-bad-json-help = the file is cut off, or not in the format that it was taken for: `--format` names another
results-bad-csv = `{ $place }`: { $why }
results-quote-open = `{ $place }`: the quote that opens here is never closed
results-quote-goes-on = `{ $place }`: the quote that opens here is closed in line { $line } with text right behind it, so rows may be lost in between
results-quote-help = close it, and write a quote inside of a quoted text twice: `"say ""yes"""`
results-column-twice = `{ $place }`: two columns are called `{ $column }`
results-column-twice-help = rename one of them
results-uneven-row = `{ $place }`: the row has { $found } fields, the first one { $expected }
results-uneven-row-help = quote texts that hold separators, quotes or line breaks
results-bad-database = can't read the database `{ $file }`: { $why }
results-endless-database = stopped reading the database `{ $file }`: it takes more steps than a file of its size can
results-bad-database-help = copy it while no program has it open; if it is damaged, export the results from the tool
results-unfinished-database = the database `{ $file }` has a change that was not finished, with a journal beside it: what stands in it now is neither before nor after
results-unfinished-database-help = open it once with the program that writes it, or with `sqlite3 { $file } 'PRAGMA user_version'`, which undoes the change
results-no-table = the database `{ $file }` has no table `{ $table }`
results-computed-column = { $file }: a column of the table `{ $table }` is computed, and may take any time
results-no-table-help = it isn't of the tool that it was taken for, or of another version: export the results from the tool
results-bad-archive = can't unpack `{ $file }`: { $why }
results-bad-archive-help = copy it whole, or convert it with the tool that wrote it
results-unpacks = `{ $entry }` in `{ $file }` unpacks to more than is read
results-unpacks-all = `{ $file }` unpacks to { $megabytes } MB; at most { $most } MB are read
results-unpacks-all-help = split the log, or evaluate fewer samples at a time
results-unfinished-log = `{ $file }` is a log that was never finished
results-unfinished-log-help = let the evaluation finish, or recover the log with `inspect`
results-log-status = `{ $file }`: the evaluation ended with the status `{ $status }`, so samples may lack
results-bad-xml = `{ $place }`: { $why }
results-bad-xml-help = the file is cut off, or no XML
results-skipped = `{ $file }`: { $count ->
    [one] 1 test that was
   *[other] { $count } tests that were
  } skipped left out
results-numbered = `{ $file }`: tests that differ in a final number only are read as repeats of one; if each is a case of its own, give `--pair-by id`
results-unknown-format = `{ $file }` is in no format that is recognised
results-unknown-format-help = name it with `--format`: { $formats }
results-empty = `{ $file }` has no results, read as `{ $format }`
results-no-run = `{ $file }` has no run { $run ->
    [none] {""}
   *[other] `{ $run }`
  }
results-runs = its runs, the newest first: { $list }
results-run-chosen = `{ $file }` holds { $count } runs; read was the newest, `{ $run }` (`--run` names another)
results-unchecked = `{ $file }`: { $count ->
    [one] 1 result
   *[other] { $count } results
  } without any assertion left out, which pass unchecked
results-retried = `{ $file }`: { $count } of { $runs } runs failed and were run again, up to { $most } attempts; the file has only the last one, so scores are those of several tries
results-compares-arms = `{ $file }` has assertions that compare the arms with each other, so that the score of one arm depends on the others

## columns
results-columns-chosen = `{ $file }`: columns { $columns }
results-no-column = `{ $place }`: there is no column `{ $column }` (`{ $flag }`)
results-columns = the columns are { $columns }
results-no-score-column = `{ $place }`: no column has a usual name of a score
results-no-score-column-help = name it with `--score-column`; the columns are { $columns }
results-no-id-column = `{ $place }`: no column has a usual name of a case's id or prompt
results-no-id-column-help = name it with `--id-column`; the columns are { $columns }
results-no-id = `{ $place }`: `{ $column }` is empty
results-no-arm = `{ $place }`: `{ $column }`, the arm, is empty
results-not-a-score = `{ $place }`: `{ $value }` in `{ $column }` is no score
results-not-a-score-help = a score is a finite number, or true/false, pass/fail, correct/incorrect; empty, NaN and null mean that there is none

## scores
results-outside-unit = `{ $place }`: `{ $score }` is { $value }, which is not between 0 and 1
results-outside-unit-help = declare the scale, such as `--scale 1..5` (the best last, so 5..1 where lower is better), or read another score with `--score`
results-waza-unit-help = no grader of waza gives that: restore the file as the tool wrote it, or name its format with `--format`
results-outside-declared = `{ $place }`: `{ $score }` is { $value }, which is not between { $worst } and { $best }, the declared scale
results-scale-of-passes = `{ $place }`: `{ $score }` passes, fails or is half right, which has no scale
results-scale-of-passes-help = leave out `--scale`, or give `1..0` where passing is the worse
results-falls = less is better of `{ $score }`, as `{ $file }` tells
results-falls-help = declare its scale with the worst value first, such as `--scale 1..0`
results-may-fall = `{ $score }` may be a score of which less is better
results-may-fall-help = declare its scale with the worst value first: `--scale 1..0` where less is better, `--scale 0..1` where more is
results-mixed-scales = `{ $small }` and `{ $large }` are on different scales: all scores of the first lie within { $low } to { $high }, the other has { $most }
results-mixed-scales-help = bring both to one scale; if they are on one already, write the scores as parts of 1 and leave out `--scale`
results-wide-scale = all values of `{ $score }` are within { $least } to { $most }; the declared scale, { $worst } to { $best }, is { $times } times as wide, so that every difference looks small
results-wide-scale-help = declare the scale that the scores are on; if it is this one, add `--yes`
results-no-score = the files have no score `{ $score }`
results-which-score = the files have { $count } scores, and none that their tool decides by
results-scores = name one with `--score`: { $list }

## arms and cases
results-one-arm = `{ $file }` has only one arm: { $arm }
results-one-arm-help = give the results of the treatment as a second file, or say with `--arm-column` or `--by` what the arms are made of
results-which-control = there are { $count } arms, and nothing says which one is the control
results-control-unsaid = nothing says which arm is the control: { $why ->
    [names] both are called like one
    [numbers] their names count down in the order of the rows
   *[rows] rows have now the one first, now the other
  }
results-arms-shared = the files have arms in common: { $list }
results-arms-shared-help = say what the arms are made of: { $list }
results-arms = name it with `--control`, and others than all of the rest with `--treatment`; the arms are { $list }
results-many-arms = there are { $count } arms to compare; at most { $most } are
results-many-cells = cases × arms × trials are { $count }; at most { $most } are compared
results-many-cells-help = with `--paired-only`, what an arm lacks takes no place; or compare fewer arms
results-further-columns = { $count ->
    [one] the column { $list } holds scores as well and counts as a treatment
   *[other] the columns { $list } hold scores as well and count as treatments
  } of the file; where that is wrong, remove { $count ->
    [one] it
   *[other] them
  }
results-no-arm-named = there is no arm `{ $name }`, or several
results-control-is-treatment = `{ $control }` is named as control and as treatment
results-no-dimension = the files have nothing called `{ $name }` that arms could be made of
results-no-dimension-help = `--by` takes one of { $list }
results-no-case = `{ $place }`: the result has neither an id nor the text that was asked, so it can't be matched
results-no-case-id = `{ $place }`: the result has no id, by which cases are to be matched
results-no-case-input = `{ $place }`: the result doesn't tell what was asked, by which cases are to be matched
results-asks-else = `{ $place }`: case `{ $case }` asks something else than at `{ $first }`
results-asks-else-help = `--pair-by input` matches cases by what was asked; `--pair-by id` goes by the ids all the same, where each arm words its prompts in its own way
results-no-case-help = name the column of ids with `--id-column`
results-no-pairs = no case is in all arms, matched by { $by ->
    [id] their ids
   *[input] what was asked
  }
results-no-pairs-help = { $by ->
    [id] check that the files are of the same cases, and that ids are written alike
   *[input] check that the files are of the same cases, worded alike, or give them ids
  }
results-twice = `{ $place }`: case `{ $case }` has trial `{ $trial }` of `{ $arm }` twice
results-twice-help = remove one of the two; without a column of trials, results of the same case are read as repeats
results-failure-rate = --max-failure-rate is at most 0.5 here
results-failure-rate-help = where more than half of the results are errors or missing, the rest says nothing about the whole
results-many-trials = `{ $place }`: case `{ $case }` has more than { $most } results in one arm

## said of a report
imported-origin = results of { $tool }, from { $files }
imported-origin-unknown = results of { $tool }, from { $files }; not in the file: { $unknown }
imported-fact = { $fact ->
    [grader] who judged
    [tool-version] the tool's version
    [models] models
    [order] order
    [seed] seed
    [prompts] prompts
    [answers] answers
    [errors] errors
   *[cost] cost
  }
imported-as-is = points are 1 + 4 × `{ $score }` (0–1 in the file); cases matched by { $paired ->
    [id] id
   *[input] what was asked
  }
imported-pass-fail = points are 5 where `{ $score }` is passed, 1 where it is failed; cases matched by { $paired ->
    [id] id
   *[input] what was asked
  }
imported-scale = points are 1–5 for { $worst } to { $best } of `{ $score }`, as declared; cases matched by { $paired ->
    [id] id
   *[input] what was asked
  }
imported-unpaired = { $count ->
    [one] 1 case isn't
   *[other] { $count } cases aren't
  } in all arms ({ $list }){ $out ->
    [yes] , left out of the mean; the bounds allow for any score of them
   *[no] , missing in the others (not counted as failed with `--paired-only`)
  }
imported-models-differ = the arms were answered by different models, which are compared with all else: { $list }
imported-model = { $arm } by { $models }

## the command
results-control-by-name = control: `{ $control }`, by its name (`--control` names another)
results-control-first = control: `{ $control }`, the first in the files (`--control` names another)
results-own-report = `{ $file }` is a report of omk: it is recomputed
results-own-report-beside = `{ $file }` is a report of omk, and can't be compared with other files
results-own-report-beside-help = recompute it with `omk report verdict`, or compare two reports with `omk diff`
results-spare-grading = `{ $file }` lies beside folders `run-N` and is not counted
results-suites-named = `{ $file }`: { $count } { $count ->
    [one] test has
   *[other] tests have
  } a name that several suites use: each is a case of its own, with the suite in its name
results-suites-repeat = `{ $file }`: { $count } { $count ->
    [one] test has
   *[other] tests have
  } a name that several suites use: they count as repeats of one case
results-no-scores = `{ $file }`: no result has a score, so there is nothing to compare
results-log-error = `{ $file }` has no samples: the evaluation ended with an error: { $why }
results-log-no-samples = `{ $file }` was written without its { $count } samples
results-log-no-samples-help = run the evaluation again without `--no-log-samples`
results-log-empty = `{ $file }` has no samples: the evaluation ended with the status `{ $status }`
