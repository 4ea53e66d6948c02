for (const live of document.querySelectorAll("[data-events]")) {
  const news = new EventSource(live.dataset.events);
  news.addEventListener("progress", (event) => {
    const { finished, fields } = JSON.parse(event.data);
    for (const [id, text] of Object.entries(fields)) {
      const element = document.getElementById(id);
      if (element) element.textContent = text;
    }
    const bar = document.getElementById("live-bar");
    if (bar) bar.value = finished;
  });
  news.addEventListener("end", () => {
    news.close();
    location.reload();
  });
}
for (const bar of document.querySelectorAll("form.opinion")) {
  bar.querySelectorAll(".script").forEach((line) => line.removeAttribute("hidden"));
  const rows = bar.matches(".rated") ? [...bar.querySelectorAll(".stars")] : [];
  const given = (row) => row.querySelector(":checked");
  const rate = (key) => {
    // when all have stars, they are given anew
    if (rows.every(given)) rows.forEach((row) => (given(row).checked = false));
    const row = rows.find((row) => !given(row));
    row.querySelector(`[value="${key}"]`).checked = true;
    (rows.find((row) => !given(row)) ?? row).scrollIntoView({ block: "nearest" });
  };
  const others = {
    Enter: () => rows.length && bar.requestSubmit(),
    Backspace: () => rows.filter(given).slice(-1).forEach((row) => (given(row).checked = false)),
    n: () => bar.elements.namedItem("note").focus(),
    j: () => document.querySelector("a[rel=next]")?.click(),
    k: () => document.querySelector("a[rel=prev]")?.click(),
  };
  addEventListener("keydown", (event) => {
    const isTyped = event.target.closest("input:not([type=radio]), textarea, select");
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    // what has the focus is pressed by it
    if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
    const button = [...bar.querySelectorAll("button")].find((of) => of.value === event.key);
    if (button) button.click();
    else if (rows.length && /^[1-5]$/.test(event.key)) rate(event.key);
    else if (others[event.key]) {
      event.preventDefault();
      others[event.key]();
    }
  });
}
