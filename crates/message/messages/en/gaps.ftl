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
gaps-soft = at least a tenth of the gap rate rests on what agents only say; read these signals before you trust it
gaps-failed-search = { $sample }, turn { $turn }: nothing found for `{ $subject }`
gaps-repeated-failure = { $sample }, turn { $turn }: { $calls } searches failed one after the other, the first for `{ $subject }`
gaps-explicit-marker = { $sample }, turn { $turn }: the agent marks a gap: { $subject }
gaps-hedging = { $sample }, turn { $turn }: the agent doubts: { $subject }
gaps-more = { $more ->
    [one] 1 more
   *[other] { $more } more
  } in `analysis.gap` of the report
