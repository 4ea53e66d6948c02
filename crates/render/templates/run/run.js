// samples: filters and search of a file, views of answers, keys
const one = (selector) => document.querySelector(selector);
const rows = all(".rows > .row");
const buttons = all("button.filter[data-filter]");
const form = one("form.bar");
const isFile = buttons.length > 0;
const fields = () => all(".bar [type=search], .bar select");
const start = { filter: "all", search: "", capability: "", difficulty: "", open: "", run: "", side: "0", view: "" };
const state = { ...start };
const make = (name, textContent, more) => Object.assign(document.createElement(name), { textContent }, more);

// Markdown of an answer as elements around its text: nothing in it becomes HTML, a link or an image
const spans = (text, to, depth = 0) => {
  const missing = new Set();
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(/`{1,3}|\*\*?/g)) {
    const inside = index + mark.length;
    if (index < from || missing.has(mark) || !text[inside]?.trim()) continue;
    const end = text.indexOf(mark, inside + 1);
    if (end < 0) {
      missing.add(mark);
      continue;
    }
    const span = make({ "**": "strong", "*": "em" }[mark] ?? "code", "");
    to.append(text.slice(from, index), span);
    if (span.nodeName === "CODE" || depth > 3) span.textContent = text.slice(inside, end);
    else spans(text.slice(inside, end), span, depth + 1);
    from = end + mark.length;
  }
  to.append(text.slice(from));
  return to;
};
const blocks = (lines, to, depth = 0) => {
  let at = 0;
  const taken = (test) => {
    const end = lines.findIndex((line, place) => place >= at && !test(line));
    const all = lines.slice(at, end < 0 ? lines.length : end);
    at += all.length;
    return all;
  };
  const quote = /^ {0,3}> ?/;
  while (at < lines.length) {
    const line = lines[at++];
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const item = depth < 5 && /^( *)([-*+]|\d{1,9}[.)]) /.exec(line);
    if (fence) {
      to.append(make("pre", taken((next) => !next.trim().startsWith(fence)).join("\n")));
      at++;
    } else if (/^#{1,6} /.test(line)) to.append(spans(line.replace(/^#+ /, ""), make("p", "", { className: "title" })));
    else if (depth < 5 && quote.test(line)) {
      at--;
      const quoted = taken((next) => quote.test(next)).map((of) => of.replace(quote, ""));
      to.append(blocks(quoted, make("blockquote", ""), depth + 1));
    } else if (item) {
      const kind = /\d/.test(item[2]) ? "OL" : "UL";
      const width = item[0].length;
      const more = taken((next) => !next.trim() || next.search(/\S/) > item[1].length).map((of) => of.replace(RegExp(`^ {0,${width}}`), ""));
      if (to.lastChild?.nodeName !== kind) to.append(make(kind, "", { start: parseInt(item[2]) }));
      to.lastChild.append(blocks([line.slice(width), ...more], make("li", ""), depth + 1));
    } else if (line.includes("|") && /^ *\|?[ :|]*-[-:| ]*$/.test(lines[at])) {
      at++;
      const table = make("table", "");
      [line, ...taken((next) => next.includes("|"))].forEach((of, place) => {
        const row = table.insertRow();
        for (const cell of of.trim().replace(/^\||\|$/g, "").split("|", 50)) row.append(spans(cell.trim(), make(place ? "td" : "th", "")));
      });
      to.append(table);
    } else if (line.trim()) {
      const more = taken((next) => next.trim() && !/^ {0,3}(`{3}|~{3}|#{1,6} |>|[-*+] |\d{1,9}[.)] )|\|/.test(next));
      to.append(spans([line, ...more].join("\n"), make("p", "")));
    }
  }
  return to;
};
// both answers in one, from the words that are marked on each side
const merged = (sides) => {
  const changes = [];
  const same = ["", ""];
  sides.forEach((side, place) => {
    for (const { nodeName, textContent } of side.childNodes) {
      if (nodeName === "MARK") changes.push([same[place].length, place ? "ins" : "del", textContent]);
      else same[place] += textContent;
    }
  });
  const both = make("pre", "", { dir: "auto" });
  if (same[0] !== same[1]) both.append(make("del", same[0]), make("ins", same[1]));
  else {
    let from = 0;
    for (const [place, name, text] of changes.sort((a, b) => a[0] - b[0])) {
      both.append(same[0].slice(from, place), make(name, text));
      from = place;
    }
    both.append(same[0].slice(from));
  }
  return both;
};
const opened = () => all("main.sample, .row[open] .sample");
const group = (name, choices) => {
  const of = make("span", "", { className: name, role: "group" });
  const button = ([value, text]) => make("button", text, { type: "button", name, value, onclick: () => turn(name, value) });
  of.append(...choices.map(button));
  return of;
};
// the bar above the answers: which run, which side on a narrow page, marked or plain
const dress = (sample) => {
  const repeats = all(".repeat", sample);
  if (!repeats.length) return;
  if (!sample.querySelector(".views")) {
    const words = one("main").dataset.words.split("|");
    const names = all(".sides h4 bdi", repeats[0]).map((of, place) => [String(place), of.textContent]);
    const bar = make("div", "", { className: "views" });
    if (repeats.length > 1) bar.append(words[0], group("run", [["", words[1]], ...repeats.map((_, place) => [String(place + 1), place + 1])]));
    if (names.length === 2) {
      names.push(["2", words[2]]);
      for (const repeat of repeats) {
        const sides = all("pre.answer", repeat);
        const both = make("section", "", { className: "both" });
        if (sides[1]) both.append(merged(sides));
        repeat.querySelector(".sides").append(both);
      }
    }
    if (names.length > 1) bar.append(group("side", names));
    bar.append(group("view", [["marked", words[3]], ["", words[4]]]));
    repeats[0].before(bar);
  }
  const run = repeats[state.run - 1] ? state.run : "";
  for (const of of all(".views button", sample)) of.setAttribute("aria-pressed", of.value === (of.name === "run" ? run : state[of.name]));
  repeats.forEach((repeat, place) => {
    repeat.hidden = run && place !== run - 1;
    all(".sides > section", repeat).forEach((of, place) => of.classList.toggle("aside", place !== Number(state.side)));
    for (const pre of all("pre.answer", repeat)) {
      pre.hidden = state.view === "marked";
      const beside = pre.parentNode.querySelector(".marked");
      if (beside) beside.hidden = !pre.hidden;
      else if (pre.hidden) pre.after(blocks(pre.textContent.split("\n"), make("div", "", { className: "marked" })));
    }
  });
};
// what scrolls takes a tab stop, and nothing else does
const stops = () => {
  for (const of of opened().flatMap((sample) => all("pre, .marked", sample))) of.tabIndex = of.scrollHeight > of.clientHeight + 1 ? 0 : -1;
};
document.addEventListener("toggle", stops, true);
addEventListener("resize", stops);
const write = () => {
  const set = Object.entries(state).filter(([name, value]) => value !== start[name]);
  history.replaceState(null, "", set.length ? "#" + new URLSearchParams(set) : location.pathname + location.search);
};
// many rows come in chunks of which only those in sight are laid out: the others are as tall as their rows will be
const apply = () => {
  const { filter, search, capability, difficulty } = state;
  for (const chunk of all(".rows")) {
    let count = 0;
    for (const row of chunk.children) {
      const of = row.dataset;
      const isShown =
        of.kinds.includes(filter) &&
        of.search.includes(search.toLowerCase()) &&
        (!capability || of.capability.split("\u001f").includes(capability)) &&
        (!difficulty || of.difficulty === difficulty);
      row.hidden = !isShown;
      count += isShown;
    }
    chunk.hidden = !count;
    chunk.style.containIntrinsicHeight = count * 2.1 + "rem";
  }
  buttons.forEach((button) => button.setAttribute("aria-pressed", button.dataset.filter === state.filter));
};
const turn = (name, value) => {
  state[name] = value;
  if (isFile) apply();
  write();
  opened().forEach(dress);
  stops();
};
const restore = () => {
  const hash = location.hash.slice(1);
  Object.assign(state, start, hash.includes("=") && Object.fromEntries(new URLSearchParams(hash)));
  if (isFile) {
    for (const of of fields()) of.value = state[of.name];
    apply();
    const open = rows.find((row) => row.id === state.open || row.id === hash);
    if (open instanceof HTMLDetailsElement) {
      open.open = true;
      open.scrollIntoView();
    }
  }
  opened().forEach(dress);
  stops();
};
if (isFile) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => turn("filter", button.dataset.filter));
  }
  for (const of of fields()) of.addEventListener("input", () => turn(of.name, of.value));
  for (const row of rows) {
    row.addEventListener("toggle", () => {
      if (row.open) turn("open", row.id);
      else if (state.open === row.id) turn("open", "");
    });
  }
}
addEventListener("hashchange", restore);
restore();
let at = -1;
const go = (step) => {
  const shown = rows.filter((row) => !row.hidden);
  if (!shown.length) return one(step > 0 ? "a[rel=next]" : "a[rel=prev]")?.click();
  rows[at]?.classList.remove("at");
  const place = Math.min(Math.max(shown.indexOf(rows[at]) + step, 0), shown.length - 1);
  at = rows.indexOf(shown[place]);
  rows[at].classList.add("at");
  rows[at].scrollIntoView({ block: "nearest" });
  (rows[at].querySelector("summary") ?? rows[at]).focus({ preventScroll: true });
};
const filters = { w: "worse", b: "better", e: "equal" };
addEventListener("keydown", (event) => {
  const { key, target } = event;
  const typing = target.matches("textarea, select, input:not([type=radio])");
  if (typing && key === "Escape") target.blur();
  if (typing || keys?.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = one(".row[open]");
  if (key === "j" || key === "k") go(key === "j" ? 1 : -1);
  else if (key === "Escape" && row) {
    row.open = false;
    row.firstElementChild.focus();
  } else if (key === "/" && form) {
    event.preventDefault();
    fields()[0].focus();
  } else if (filters[key]) all(".filters .filter").find((of) => (of.dataset.filter ?? of.search).includes(filters[key]))?.click();
  else if (key === "t") turn("view", state.view ? "" : "marked");
  else if (opened().some((of) => of.querySelector(`.run button[value="${CSS.escape(key)}"]`))) turn("run", state.run === key ? "" : key);
  else if (key === "?") asks.click();
});
