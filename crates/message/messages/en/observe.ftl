## How skills do in sessions of real use
observe-head = { $segments ->
    [one] one segment
   *[other] { $segments } segments
  } of work in { $sessions ->
    [one] one session
   *[other] { $sessions } sessions
  }, { $first } to { $last } (a segment is the work on one prompt with one skill)
observe-skill = `{ $skill }`: { $band ->
    [green] green
    [yellow] YELLOW
   *[red] RED
  }, { $confidence ->
    [high] confidence high
   *[low] confidence low: only large gaps show
  }; { $segments } segments in { $sessions ->
    [one] one session
   *[other] { $sessions } sessions
  }
observe-skill-few = `{ $skill }`: too few segments for a judgement ({ $segments } in { $sessions ->
    [one] one session
   *[other] { $sessions } sessions
  }; 5 are needed)
observe-no-skill = without a skill: { $segments ->
    [one] one segment
   *[other] { $segments } segments
  } in { $sessions ->
    [one] one session
   *[other] { $sessions } sessions
  }
observe-rate = gap rate { $rate } % (95 % interval { $low } to { $high } %), weighted { $weighted } %, on { $segments } of { $count } segments of { $set } ({ $path })
observe-coverage = knowledge base: { $looked ->
    [0] nothing was looked up
   *[other] { $accessed } of { $total } files read ({ $share } %)
  }, in { $segments ->
    [one] { $segments } segment
   *[other] { $segments } segments
  } of { $set } ({ $path })
observe-rate-none = gap rate: not measured, for want of segments ({ $count ->
    [one] 1 segment
   *[other] { $count } segments
  } of { $set }, { $path })
observe-tools = tools: { $rate } of { $known } calls failed (95 % interval { $low } to { $high }); { $refused } refused or cancelled, { $unknown } with an unknown end
observe-no-tools = tools: no call with a known end; { $refused } refused or cancelled, { $unknown } with an unknown end
observe-each = per segment, median (quartiles): { $turns } messages, { $tokens } output tokens, { $duration } s; dispersion of the tokens { $spread }; stopped by the user { $interrupted ->
    [one] once
   *[other] { $interrupted } times
  }
observe-tokens = tokens: { $input } input, { $read } read from the cache, { $written } written to it, { $output } output
observe-context = context: the skill's text takes up to { $chars } characters each time it is loaded
observe-attribution = attribution: { $recorded } recorded by the agent, { $loaded } after a load, { $used } that used a file of it later; { $carried } later prompts are not counted to it
observe-more-skills = { $count ->
    [one] one more skill is
   *[other] { $count } more skills are
  } in the stored file (`--json`)
observe-inbox-title = Write these pages first
observe-inbox-empty = nothing was looked for and not found
observe-group = { $place }. { $name } — wanted in { $sessions ->
    [one] one session
   *[other] { $sessions } sessions
  }, { $signals ->
    [one] one search
   *[other] { $signals } searches
  }, last on { $last }
observe-group-searches = { $id }, looked for: { $list }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
observe-group-exists = exists, not found: { $list }
observe-group-done = done on { $at }
observe-group-back = came back: marked as done on { $at }, and wanted since
observe-group-dismissed = dismissed on { $at }: { $reason }
observe-inbox-code = Code that was looked for and not found
observe-inbox-closed = Done and dismissed
observe-inbox-decide = omk observe done ID, omk observe dismiss ID --reason TEXT, omk observe reopen ID
observe-inbox-limited = the inbox is limited to searches in or for { $kb }{ $count ->
    [0] {""}
    [one] ; one search elsewhere is not in it
   *[other] ; { $count } searches elsewhere are not in it
  }
observe-evidence = { $file }:{ $line }  { $prompt }
observe-more-groups = { $count ->
    [one] one more is
   *[other] { $count } more are
  } in the stored file (`omk observe inbox --json`)
observe-thinking = marks and sentences of doubt were looked for in what models think, too: { $count } of the signals stand only there
observe-never-loaded = offered and never loaded: { $names }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
  }
observe-copies = { $count ->
    [one] one segment stands
   *[other] { $count } segments stand
  } in several files and counted once
observe-skipped = passed over: { $unreadable ->
    [one] one unreadable line
   *[other] { $unreadable } unreadable lines
  }, { $unknown ->
    [one] one record
   *[other] { $unknown } records
  } of an unknown type
observe-unread = not read: `{ $path }`: { $why }
observe-more-unread = { $count ->
    [one] one more file was
   *[other] { $count } more files were
  } not read
observe-stored = stored: { $path }
observe-progress = { $done } of { $all } sessions read
observe-no-format = it is of no known format of sessions
observe-no-path = there is no `{ $path }`
observe-nothing = no session was found in { $looked }
observe-no-rules = what `{ $file }` says of gaps is not used: { $why }
observe-nothing-own = no agent keeps a session of this project here
observe-nothing-help = name session files or folders: omk observe PATH…
observe-no-segments = { $sessions ->
    [one] one session was
   *[other] { $sessions } sessions were
  } found, and no work in it fits what was asked for
observe-no-segments-help = widen --last, --from, --to or --skills
observe-wrong-time = `{ $text }` can't be read as { $flag }
observe-empty-period = the period ends before it begins
observe-period-help = as in --last 7d (m, h, d, w), --from 2026-03-01, --to 2026-03-31T12:00:00Z
observe-gap-unknown = the inbox of observation { $observation } has no gap `{ $id }`
observe-gap-unknown-help = its gaps are in: omk observe inbox
observe-none-stored = there is no stored observation in { $dir }
observe-none-stored-help = make one: omk observe
observe-unreadable = `{ $path }` is no stored observation: { $why }
observe-impossible = `{ $path }` was changed: { $what }. Put it back from a copy, or run `omk observe` again
observe-compare-title = { $a } → { $b }
observe-compare-notice = two periods of use are no test set: what was asked differs as well as what was found, so a change of these rates proves nothing by itself
observe-compare-before = before: { $text }
observe-compare-after = after: { $text }
observe-compare-new = new: no segment before
observe-compare-gone = gone: no segment any more

## Drafts of samples
sample-head = Drafts of { $count ->
    [one] one sample
   *[other] { $count } samples
  } from observation { $id }: questions whose answers were looked for and not found. Read each, remove what is personal, and say in its rubric what a right answer holds.
sample-rubric = The answer says what the knowledge base holds on `{ $subject }`. A guess, or an answer that says it is not known, gets 1.
sample-written = { $count ->
    [one] one draft
   *[other] { $count } drafts
  } written: { $path }
sample-review = read each before you use it: secrets and personal data of known forms were masked, others stay
sample-nothing = the observation holds nothing that was looked for and not found
sample-nothing-help = observe more sessions: omk observe PATH…
sample-exists = `{ $path }` exists, and is kept
sample-exists-help = name another file with --output, or remove this one
sample-no-kb = there is no knowledge base: no --kb, and no file in .claude/knowledge
sample-no-kb-help = name its files or folders: omk sample --probe --kb docs
sample-asking = asking { $judge } for questions about { $files ->
    [one] one file
   *[other] { $files } files
  }: names, headings and principles are sent, with secrets of known forms masked
sample-no-questions = no questions came: { $why }
sample-none-in-scope = no proposed question is in the scope of the knowledge base: nothing was written
sample-probe-head = Drafts of { $count ->
    [one] one probe
   *[other] { $count } probes
  }: questions that { $judge } proposed from the structure of the knowledge base. Remove what is out of scope. Keep this file apart from samples that people wrote: its gap rate shows another boundary.
sample-probe-rubric = The answer says what the knowledge base holds on this (`{ $scope }`). A guess, or an answer that says it is not known, gets 1.
sample-probe-review = remove what is out of scope before you use it, and keep it apart from samples that people wrote: a gap rate holds for one set
