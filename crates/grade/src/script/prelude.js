// What a script finds besides ECMAScript itself: `console`, whose lines are kept as evidence, and
// timers that run without waiting. There are no files, no network and no processes.
(() => {
  const LIMIT = 16384;
  const { stringify } = JSON;
  const log = [];
  let logged = 0;
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const write = (...values) => {
    if (logged >= LIMIT) return;
    const line = values.map(show).join(' ').slice(0, LIMIT - logged);
    logged += line.length + 1;
    log.push(line);
  };
  globalThis.console = { debug: write, error: write, info: write, log: write, trace: write, warn: write };

  const timers = new Map();
  let last = 0;
  let now = 0;
  globalThis.setTimeout = (run, delay = 0, ...values) => {
    last += 1;
    timers.set(last, { at: now + Math.max(0, Number(delay) || 0), run: () => run(...values) });
    return last;
  };
  globalThis.clearTimeout = (id) => {
    timers.delete(id);
  };
  const tick = () => {
    let next;
    for (const [id, { at }] of timers) if (next === undefined || at < timers.get(next).at) next = id;
    if (next === undefined) return false;
    const { at, run } = timers.get(next);
    timers.delete(next);
    now = at;
    run();
    return true;
  };
  return { tick, log: () => log };
})();
