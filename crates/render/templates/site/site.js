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
