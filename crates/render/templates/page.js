"use strict";
const all = (selector, of = document) => [...of.querySelectorAll(selector)];
for (const table of all("table[data-sort]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[at].dataset.v ?? row.cells[at].textContent.trim();
      const rows = [...body.rows].map((row) => ({ key: key(row), row }));
      const numeric = rows.every(({ key }) => key === "" || Number.isFinite(Number(key)));
      const compare = numeric ? (a, b) => a - b : (a, b) => a.localeCompare(b, undefined, { numeric: true });
      rows.sort((a, b) => {
        if (a.key === "" || b.key === "") return (a.key === "") - (b.key === "");
        return up ? compare(a.key, b.key) : compare(b.key, a.key);
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
}
for (const filter of all("label.filter")) {
  const table = document.getElementById(filter.dataset.table);
  const box = filter.querySelector("input");
  const show = () => table.classList.toggle("missed", box.checked);
  filter.hidden = false;
  box.addEventListener("change", show);
  show();
}
// light or dark, remembered where the browser lets a page remember
const theme = document.querySelector(".theme");
const remembered = (value) => {
  try {
    return value === undefined ? localStorage.getItem("omk-theme") : localStorage.setItem("omk-theme", value);
  } catch {
    return null;
  }
};
if (theme) {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remembered(root.dataset.theme);
  });
}
// samples: filters and search of a file; keys everywhere
const rows = all(".rows > .row");
const buttons = all("button.filter[data-filter]");
const form = document.querySelector("form.bar");
const isFile = buttons.length > 0;
const field = (name) => form?.elements.namedItem(name);
const state = { filter: "all", search: "", capability: "", difficulty: "", open: "" };
const apply = (write) => {
  for (const row of rows) {
    const of = row.dataset;
    row.hidden = !(
      of.kinds.split(" ").includes(state.filter) &&
      of.search.includes(state.search.toLowerCase()) &&
      (!state.capability || of.capability.split("\u001f").includes(state.capability)) &&
      (!state.difficulty || of.difficulty === state.difficulty)
    );
  }
  buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.filter === state.filter)));
  if (!write) return;
  const set = Object.entries(state).filter(([name, value]) => value && !(name === "filter" && value === "all"));
  history.replaceState(null, "", set.length ? "#" + new URLSearchParams(set) : location.pathname + location.search);
};
const restore = () => {
  const hash = location.hash.slice(1);
  const said = new URLSearchParams(hash.includes("=") ? hash : "");
  for (const name of Object.keys(state)) state[name] = said.get(name) ?? (name === "filter" ? "all" : "");
  for (const name of ["search", "capability", "difficulty"]) if (field(name)) field(name).value = state[name];
  apply(false);
  const open = rows.find((row) => row.id === state.open || row.id === hash);
  if (open instanceof HTMLDetailsElement) {
    open.open = true;
    open.scrollIntoView();
  }
};
if (isFile) {
  buttons.forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      state.filter = button.dataset.filter;
      apply(true);
    });
  });
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["search", "capability", "difficulty"]) {
    field(name)?.addEventListener("input", (event) => {
      state[name] = event.target.value;
      apply(true);
    });
  }
  for (const row of rows) {
    row.addEventListener("toggle", () => {
      if (row.open) state.open = row.id;
      else if (state.open === row.id) state.open = "";
      apply(true);
    });
  }
  addEventListener("hashchange", restore);
  restore();
}
let at = -1;
const go = (step) => {
  const shown = rows.filter((row) => !row.hidden);
  if (!shown.length) return;
  rows[at]?.classList.remove("at");
  const place = Math.min(Math.max(shown.indexOf(rows[at]) + step, 0), shown.length - 1);
  at = rows.indexOf(shown[place]);
  rows[at].classList.add("at");
  rows[at].scrollIntoView({ block: "nearest" });
  (rows[at].querySelector("summary") ?? rows[at]).focus({ preventScroll: true });
};
const filters = { w: "worse", b: "better", e: "equal" };
document.querySelector(".keys")?.removeAttribute("hidden");
addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Escape") event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j" || event.key === "k") go(event.key === "j" ? 1 : -1);
  else if (event.key === "/" && field("search")) {
    event.preventDefault();
    field("search").focus();
  } else if (filters[event.key]) {
    all(".filters .filter").find((of) => (of.dataset.filter ?? of.search).includes(filters[event.key]))?.click();
  } else if (event.key === "?") document.querySelector(".keys")?.scrollIntoView();
});
