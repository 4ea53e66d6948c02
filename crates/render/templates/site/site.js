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
  addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = [...bar.querySelectorAll("button")].find((of) => of.value === event.key);
    const link = { j: "next", k: "prev" }[event.key];
    if (button) button.click();
    else if (link) document.querySelector(`a[rel=${link}]`)?.click();
    else if (event.key === "n") {
      event.preventDefault();
      bar.elements.namedItem("note").focus();
    }
  });
}
