"use strict";
const all = (selector, of = document) => [...of.querySelectorAll(selector)];
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
// the keys that a page has, listed by `?`
const keys = document.querySelector("dialog.keys");
const asks = document.querySelector(".asks");
if (keys) {
  asks.hidden = false;
  asks.addEventListener("click", () => keys.showModal());
  keys.addEventListener("click", () => keys.close());
}
